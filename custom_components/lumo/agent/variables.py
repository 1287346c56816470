"""What the instructions may say about who speaks, and where."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
)

from ..gate.speaker import Speaker


async def async_variables(
    hass: HomeAssistant, speaker: Speaker, device_id: str | None = None
) -> dict[str, str]:
    """Return what the instructions may say about the speaker, each as plain text.

    `device_id` is what was spoken to where it is no satellite.
    """
    user_id = speaker.user_id
    user = await hass.auth.async_get_user(user_id) if user_id else None
    return {
        "speaker": (user.name if user else None) or "unknown",
        "area": _area(hass, speaker.satellite_id, device_id) or "unknown",
        "language": speaker.language,
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
    hass: HomeAssistant, satellite_id: str | None, device_id: str | None
) -> str | None:
    """Return the name of the area in which the satellite or device stands."""
    entry = er.async_get(hass).async_get(satellite_id) if satellite_id else None
    area_id = er.async_get_effective_area_id(hass, entry) if entry else None
    device = dr.async_get(hass).async_get(device_id) if device_id else None
    if area_id is None and device is not None:
        area_id = dr.async_get_effective_area_id(hass, device)
    area = ar.async_get(hass).async_get_area(area_id) if area_id else None
    return area.name if area else None
