"""What an undo can bring back."""

from typing import Any

from homeassistant.core import Context, HomeAssistant, State
from homeassistant.helpers import llm
import pytest
from pytest_homeassistant_custom_component.common import async_mock_service

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.lately import Undo
from custom_components.lumo.gate.speaker import Speaker

# What is changed back, from what it was to what it is, and how.
VALUES = [
    ("media_player.a", "playing", {"volume_level": 0.3}, {"volume_level": 0.4}, "volume_set"),
    ("media_player.a", "paused", {"repeat": "off"}, {"repeat": "one"}, "repeat_set"),
    ("fan.a", "off", {"oscillating": False}, {"oscillating": True}, "oscillate"),
    ("humidifier.a", "off", {"mode": "normal"}, {"mode": "baby"}, "set_mode"),
]  # fmt: skip


@pytest.mark.parametrize(("entity_id", "state", "before", "now", "service"), VALUES)
async def test_values_are_set_back_that_no_state_brings(
    hass: HomeAssistant,
    entity_id: str,
    state: str,
    before: dict[str, Any],
    now: dict[str, Any],
    service: str,
) -> None:
    """A player goes on with its song; what is off stays off."""
    calls = async_mock_service(hass, entity_id.partition(".")[0], service)
    hass.states.async_set(entity_id, state, now)
    tool = Undo(AbilityContext(hass=hass, changes=(State(entity_id, state, before),)))
    [effect] = tool.effects({})
    assert (effect.entity_id, effect.service) == (entity_id, service)
    given = llm.ToolInput(tool.name, {})
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    await tool.async_call(hass, given, context)
    assert [call.data for call in calls] == [{"entity_id": entity_id, **before}]


@pytest.mark.parametrize(
    ("language", "sentence", "asked"),
    [
        ("en", "Undo that", True),
        ("en-GB", "Please put it back", True),
        ("en", "Turn the light off", False),
        ("de", "Mach das rückgängig", True),
        ("de", "mach das rueckgaengig", True),
        ("de", "Mach das Licht wieder so wie vorher", True),
        ("de", "Geh zurück", False),
        ("fr", "Annule ça", True),
        ("fr", "Défais ce que tu as fait", True),
        ("fr", "Annule le minuteur", False),
        ("nl", "Maak dat ongedaan", True),
        ("nl", "Doe de lamp uit", False),
        ("es", "Deshazlo", True),
        ("es", "Anula el temporizador", False),
        ("pl", "Undo that", False),
    ],
)
def test_undo_is_asked_for_in_a_persons_words(
    language: str, sentence: str, asked: bool
) -> None:
    """An automation asks for nothing."""
    for is_person in (True, False):
        speaker = Speaker("anna", None, is_person, sentence, language)
        tool = Undo(AbilityContext(speaker=speaker))
        assert tool.is_asked_for is (asked and is_person)
