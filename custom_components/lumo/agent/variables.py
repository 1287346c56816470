"""What the instructions may say about who speaks, and where."""

from homeassistant.core import HomeAssistant

from ..gate.speaker import Speaker, area_of


async def async_variables(
    hass: HomeAssistant, speaker: Speaker, device_id: str | None = None
) -> dict[str, str]:
    """Return what the instructions may say about the speaker, each as plain text.

    `device_id` is what was spoken to where it is no satellite.
    """
    user_id = speaker.user_id
    area = area_of(hass, speaker.satellite_id, device_id)
    user = await hass.auth.async_get_user(user_id) if user_id else None
    return {
        "speaker": (user.name if user else None) or "unknown",
        "area": area.name if area else "unknown",
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
    for name, value in variables.items():
        escaped = "".join(f"\\U{ord(character):08x}" for character in value)
        template = f'{{% set {name} = "{escaped}" %}}{template}'
    return template
