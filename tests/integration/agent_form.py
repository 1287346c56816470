"""Fill in the forms of an agent."""

from collections.abc import Mapping
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import section

_FIRST = ("name", "prompt", "llm_hass_api", "autonomy", "plain_commands")
_SECTIONS = {
    "answers": ("model", "thinking", "quick_confirmation"),
    "tool_use": ("tool_calling", "server_tools", "cameras", "memory"),
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
                name: {key: values[key] for key in keys if key in values}
                for name, keys in _SECTIONS.items()
            },
            "safety": dict(values["safety"]),
            "places": dict(values.get("places", {})),
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


def as_shown(fields: Mapping[Any, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for marker, field in fields.items():
        if isinstance(field, section):
            values[marker.schema] = as_shown(field.schema.schema)
        elif (shown := (marker.description or {}).get("suggested_value")) is not None:
            values[marker.schema] = shown
    return values
