"""Constants of the Lumo integration."""

from enum import StrEnum
import logging
from typing import Any, Final

from homeassistant.const import CONF_LLM_HASS_API, CONF_PROMPT
from homeassistant.helpers import llm

DOMAIN: Final = "lumo"
LOGGER: Final = logging.getLogger(__package__)

SUBENTRY_CONVERSATION: Final = "conversation"
DEFAULT_TITLE: Final = "Lumo"

# How an account was signed in, stored in the entry's data.
CONF_SIGN_IN: Final = "sign_in"
CONF_SIGN_IN_ID: Final = "sign_in_id"
CONF_UID: Final = "uid"
CONF_ACCESS_TOKEN: Final = "access_token"
CONF_REFRESH_TOKEN: Final = "refresh_token"

# Options of an agent, stored in its subentry.
CONF_TOOL_CALLING: Final = "tool_calling"
CONF_MODEL: Final = "model"
CONF_THINKING: Final = "thinking"
CONF_SERVER_TOOLS: Final = "server_tools"
CONF_MAX_ROUNDS: Final = "max_rounds"

MAX_ROUNDS_LIMIT: Final = 20


class SignIn(StrEnum):
    """The ways to sign in."""

    SESSION = "session"
    GUEST = "guest"


class ToolCalling(StrEnum):
    """How the home's tools are offered to Lumo."""

    AUTOMATIC = "automatic"
    PRIVATE = "private"
    NATIVE = "native"


# What an agent is made with. An option that its subentry lacks has this value.
DEFAULT_OPTIONS: Final[dict[str, Any]] = {
    CONF_PROMPT: llm.DEFAULT_INSTRUCTIONS_PROMPT,
    CONF_LLM_HASS_API: [llm.LLM_API_ASSIST],
    CONF_TOOL_CALLING: ToolCalling.AUTOMATIC.value,
    CONF_MODEL: "automatic",
    CONF_THINKING: False,
    CONF_SERVER_TOOLS: [],
    CONF_MAX_ROUNDS: 10,
}
