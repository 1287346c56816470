"""Who speaks: a person, or something that nobody stands behind."""

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
import pytest

from custom_components.lumo.gate.speaker import Speaker

SATELLITE = "assist_satellite.hall"
DIRECT = Context(user_id="anna")
CHAINED = Context(user_id="anna", parent_id="trigger")
NOBODY = Context()


def said(
    context: Context, satellite_id: str | None = None
) -> conversation.ConversationInput:
    """Return a sentence."""
    return conversation.ConversationInput(
        text="Hello",
        context=context,
        conversation_id=None,
        device_id=None,
        satellite_id=satellite_id,
        language="en",
        agent_id="conversation.lumo",
    )


@pytest.mark.parametrize(
    ("context", "satellite", "state", "is_person"),
    [
        (DIRECT, None, None, True),
        (DIRECT, SATELLITE, None, True),
        (CHAINED, None, None, False),
        (CHAINED, SATELLITE, "processing", False),
        (NOBODY, None, None, False),
        (NOBODY, SATELLITE, None, False),
        (NOBODY, SATELLITE, "idle", False),
        (NOBODY, SATELLITE, "unavailable", False),
        (NOBODY, SATELLITE, "listening", True),
        (NOBODY, SATELLITE, "processing", True),
        (NOBODY, SATELLITE, "responding", True),
    ],
)
def test_person_is_a_user_or_somebody_that_a_satellite_hears(
    hass: HomeAssistant,
    context: Context,
    satellite: str | None,
    state: str | None,
    is_person: bool,
) -> None:
    """An automation is neither, and claiming a satellite makes nobody a person."""
    if state:
        hass.states.async_set(SATELLITE, state)
    assert Speaker.of(hass, said(context, satellite)).is_person is is_person
