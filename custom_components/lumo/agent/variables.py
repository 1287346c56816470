"""What the instructions may say about who speaks, and where."""

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
)


async def async_variables(
    hass: HomeAssistant, user_input: conversation.ConversationInput
) -> dict[str, str]:
    """Return what the instructions may say about the speaker, each as plain text."""
    user_id = user_input.context.user_id
    user = await hass.auth.async_get_user(user_id) if user_id else None
    return {
        "speaker": (user.name if user else None) or "unknown",
        "area": _area(hass, user_input) or "unknown",
        "language": user_input.language or hass.config.language,
    }


def with_variables(template: str, variables: dict[str, str]) -> str:
    """Return a template in which the variables are set.

    A value is written as a string whose every character is escaped, so it can hold
    anything, a template too, and is rendered as it is. An empty template stays empty:
    Home Assistant puts its own instructions in its place.
    """
    if not template.strip():
        return template
    head = "".join(
        f'{{% set {name} = "{_escaped(value)}" %}}' for name, value in variables.items()
    )
    return f"{head}{template}"


def _escaped(text: str) -> str:
    return "".join(f"\\U{ord(character):08x}" for character in text)


def _area(
    hass: HomeAssistant, user_input: conversation.ConversationInput
) -> str | None:
    """Return the name of the area in which the satellite or device stands."""
    entry = (
        er.async_get(hass).async_get(user_input.satellite_id)
        if user_input.satellite_id
        else None
    )
    device_id = (entry.device_id if entry else None) or user_input.device_id
    device = dr.async_get(hass).async_get(device_id) if device_id else None
    area_id = (entry.area_id if entry else None) or (device.area_id if device else None)
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    return area.name if area else None
