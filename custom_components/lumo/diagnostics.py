"""What a person may attach to a report: only what is known to be harmless.

No token, key, address, instructions, or name of an account, an agent or an entity.
"""

from collections import Counter
from dataclasses import asdict
from typing import Any

from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import CONF_LLM_HASS_API, CONF_PROMPT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util

from . import const
from .agent.options import MODELS
from .coordinator import LumoConfigEntry, LumoCoordinator
from .issues.problems import is_other
from .lumo_client.endpoints import LUMO_APP_VERSION

# Chosen from a fixed list, or a number.
_HARMLESS_OPTIONS = (
    const.CONF_TOOL_CALLING,
    const.CONF_MODEL,
    const.CONF_THINKING,
    const.CONF_SERVER_TOOLS,
    const.CONF_MEMORY,
    const.CONF_AUTONOMY,
    const.CONF_UNATTENDED,
)


async def async_get_config_entry_diagnostics(
    hass: HomeAssistant, entry: LumoConfigEntry
) -> dict[str, Any]:
    """Return what is known about an account and its agents."""
    coordinator = getattr(entry, "runtime_data", None)
    return {
        "entry": {
            "state": entry.state.value,
            "sign_in": entry.data.get(const.CONF_SIGN_IN),
            "gateway": const.CONF_BASE_URL in entry.data,
            "own_public_key": const.CONF_PUBLIC_KEY in entry.data,
            "api_key_expires": entry.data.get(const.CONF_API_KEY_EXPIRES),
        },
        "account": _account(coordinator) if coordinator else None,
        "agents": []
        if is_other(entry)
        else [_agent(subentry) for subentry in entry.subentries.values()],
    }


def _account(coordinator: LumoCoordinator) -> dict[str, Any]:
    state, endpoints = coordinator.data, coordinator.endpoints
    key = coordinator.public_key
    return {
        "development_server": endpoints.development,
        "app_version": LUMO_APP_VERSION,
        "encrypted": coordinator.client.credential.encrypted,
        "public_key": key and {"fingerprint": key.fingerprint, "expires": key.expires},
        "available": coordinator.last_update_success,
        "last_error": getattr(coordinator.last_exception, "translation_key", None),
        "problems": sorted(coordinator.problems.current(dt_util.utcnow())),
        "totals": {**state.totals},
        "notes": len(coordinator.notes),
        "limits": state.limits and asdict(state.limits),
        "last_requests": [asdict(size) for size in coordinator.sizes.values()],
    }


def _agent(subentry: ConfigSubentry) -> dict[str, Any]:
    if subentry.subentry_type == const.SUBENTRY_STT:
        return {"type": subentry.subentry_type, **subentry.data}
    options = {**const.DEFAULT_OPTIONS, **subentry.data}
    apis = subentry.data.get(CONF_LLM_HASS_API, [])
    return {
        "type": subentry.subentry_type,
        "own_prompt": options[CONF_PROMPT].strip()
        != const.DEFAULT_OPTIONS[CONF_PROMPT].strip(),
        "assist": llm.LLM_API_ASSIST in apis,
        # Only counted, as tools are: their ids may be names.
        "other_apis": sum(api != llm.LLM_API_ASSIST for api in apis),
        "sensitive_labels": len(options[const.CONF_SENSITIVE_LABELS]),
        "tools": dict(Counter(options.get(const.CONF_TOOLS, {}).values())),
        "wire_model": MODELS.get(options[const.CONF_MODEL]),
        **{key: options[key] for key in _HARMLESS_OPTIONS},
    }
