"""Constants of the Lumo integration."""

from enum import StrEnum
import logging
from typing import Any, Final

from homeassistant.const import CONF_LLM_HASS_API, CONF_PROMPT
from homeassistant.helpers import llm

DOMAIN: Final = "lumo"
LOGGER: Final = logging.getLogger(__package__)

SUBENTRY_CONVERSATION: Final = "conversation"
SUBENTRY_AI_TASK: Final = "ai_task_data"
SUBENTRY_STT: Final = "stt"
DEFAULT_TITLE: Final = "Lumo"

# How an account was signed in, stored in the entry's data.
CONF_SIGN_IN: Final = "sign_in"
CONF_SIGN_IN_ID: Final = "sign_in_id"
CONF_UID: Final = "uid"
CONF_ACCESS_TOKEN: Final = "access_token"
CONF_REFRESH_TOKEN: Final = "refresh_token"
# "json" as Proton's programs renew a session, "cookie" as its website does.
CONF_REFRESH_VARIANT: Final = "refresh_variant"
# Proton's id of the account, where the sign-in told it.
CONF_USER_ID: Final = "user_id"
# An OpenAI-compatible gateway in Proton's place; with an API key only.
CONF_BASE_URL: Final = "base_url"
CONF_ALLOW_UNENCRYPTED: Final = "allow_unencrypted"
# The last day of an API key, as its maker says: the service does not tell.
CONF_API_KEY_EXPIRES: Final = "api_key_expires"
# A newer public key of Lumo's than the one this integration brings.
CONF_PUBLIC_KEY: Final = "public_key"

# Options of an agent, stored in its subentry.
CONF_TOOL_CALLING: Final = "tool_calling"
CONF_MODEL: Final = "model"
CONF_THINKING: Final = "thinking"
CONF_SERVER_TOOLS: Final = "server_tools"
CONF_CAMERAS: Final = "cameras"
CONF_MEMORY: Final = "memory"
CONF_ASPECT_RATIO: Final = "image_aspect_ratio"
CONF_QUICK_CONFIRMATION: Final = "quick_confirmation"
# Absent: on, unless the agent has instructions of its owner's.
CONF_AT_HOME: Final = "plain_commands"
CONF_AUTONOMY: Final = "autonomy"
# Per tool, by its identity: only what differs from the rule of the tool's source.
CONF_TOOLS: Final = "tools"
CONF_SENSITIVE_LABELS: Final = "sensitive_labels"
# In the home's unit; absent where the usual range holds.
CONF_MIN_TEMPERATURE: Final = "min_temperature"
CONF_MAX_TEMPERATURE: Final = "max_temperature"
CONF_UNATTENDED: Final = "unattended"
# The person entity whose phone is asked; absent: nobody's.
CONF_PHONE_PERSON: Final = "phone_person"
CONF_PHONE_FOR_DOORS: Final = "phone_for_doors"
# Rules by place.
CONF_PLACES: Final = "places"

# The temperatures that may be set without a question, in degrees Celsius.
USUAL_TEMPERATURES: Final = (5.0, 30.0)

# Fired for each call that ran.
EVENT_TOOL_CALLED: Final = "lumo_tool_called"
# Fired when few requests are left in a pool, and when none are.
EVENT_QUOTA_LOW: Final = "lumo_quota_low"
# Fired when a turn has ended, with what it cost.
EVENT_TURN_ENDED: Final = "lumo_turn_ended"


class SignIn(StrEnum):
    """The ways to sign in, in the order of the menu."""

    ACCOUNT = "account"
    API_KEY = "api_key"
    SESSION = "session"
    GUEST = "guest"


class ToolCalling(StrEnum):
    """How the home's tools are offered to Lumo."""

    AUTOMATIC = "automatic"
    PRIVATE = "private"
    NATIVE = "native"


class QuickConfirmation(StrEnum):
    """When a plain success is confirmed without asking the model for words."""

    AUTOMATIC = "automatic"
    """For guests, and for one plain command on a satellite."""
    ALWAYS = "always"
    NEVER = "never"


class MemoryUse(StrEnum):
    """Whether an agent keeps notes for people, and tells them to Lumo."""

    OFF = "off"
    ON = "on"
    """Only where they are encrypted to Lumo."""
    IN_CLEAR = "in_clear"


class Autonomy(StrEnum):
    """How much an agent does by itself, from the least to the most."""

    ANSWERS = "answers"
    READS = "reads"
    ACTS = "acts"
    TRUSTED = "trusted"


class Permission(StrEnum):
    """Whether an agent may use a tool, from the strictest to the most lenient."""

    OFF = "off"
    ASK = "ask"
    ON = "on"


# What an agent is made with. An option that its subentry lacks has this value.
DEFAULT_OPTIONS: Final[dict[str, Any]] = {
    CONF_PROMPT: llm.DEFAULT_INSTRUCTIONS_PROMPT,
    CONF_LLM_HASS_API: [llm.LLM_API_ASSIST],
    CONF_TOOL_CALLING: ToolCalling.AUTOMATIC.value,
    CONF_MODEL: "automatic",
    CONF_THINKING: False,
    CONF_SERVER_TOOLS: [],
    CONF_CAMERAS: [],
    CONF_MEMORY: MemoryUse.OFF.value,
    CONF_QUICK_CONFIRMATION: QuickConfirmation.AUTOMATIC.value,
    CONF_AUTONOMY: Autonomy.ACTS.value,
    CONF_SENSITIVE_LABELS: [],
    CONF_UNATTENDED: False,
    CONF_PHONE_FOR_DOORS: False,
    CONF_PLACES: [],
}

# Characters of a sentence; what is longer is refused, and cut for an automation.
MAX_SENTENCE: Final = 20_000
