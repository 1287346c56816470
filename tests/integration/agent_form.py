"""Fill in the forms of an agent."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant

_FIRST = ("name", "prompt", "llm_hass_api", "autonomy")
_SECTIONS = {
    "answers": ("model", "thinking", "quick_confirmation", "max_rounds"),
    "tool_use": ("tool_calling", "server_tools"),
}


def steps_of(values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return what a person enters in each form, from options of all sections."""
    return {
        "init": {
            **{key: values[key] for key in _FIRST if key in values},
            "recommended": False,
        },
        "settings": {
            **{
                section: {key: values[key] for key in keys if key in values}
                for section, keys in _SECTIONS.items()
            },
            "safety": dict(values["safety"]),
            "advanced": dict(values["advanced"]),
        },
    }


async def fill_in(hass: HomeAssistant, form: Any, values: Mapping[str, Any]) -> Any:
    """Fill in all options, from the form that is shown; return what comes then."""
    steps = steps_of(values)
    result = form
    if result["step_id"] == "init":
        result = await hass.config_entries.subentries.async_configure(
            form["flow_id"], steps["init"]
        )
    result = await hass.config_entries.subentries.async_configure(
        form["flow_id"], steps["settings"]
    )
    await hass.async_block_till_done()
    return result
