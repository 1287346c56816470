"""Variables of the instructions: who speaks, and where."""

from homeassistant.core import HomeAssistant

from ..gate.speaker import Speaker, area_of


async def async_variables(hass: HomeAssistant, speaker: Speaker) -> dict[str, str]:
    """Return the variables, by their names."""
    user_id = speaker.user_id
    area = area_of(hass, speaker)
    user = await hass.auth.async_get_user(user_id) if user_id else None
    return {
        "speaker": (user.name if user else None) or "unknown",
        "area": area.name if area else "unknown",
        "language": speaker.language,
    }


def with_variables(template: str, variables: dict[str, str]) -> str:
    """Return a template in which the variables are set.

    Every character of a value is escaped, so a template in it stays text.
    """
    if not template.strip():
        # Home Assistant puts its own instructions in its place.
        return template
    for name, value in variables.items():
        escaped = "".join(f"\\U{ord(character):08x}" for character in value)
        template = f'{{% set {name} = "{escaped}" %}}{template}'
    return template
