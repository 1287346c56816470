"""Whose notes a turn may write and forget."""

from types import SimpleNamespace
from typing import Any

from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
import pytest

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.memory import Memory
from custom_components.lumo.abilities.note_store import HOUSE, Notes, NotesInTurn
from custom_components.lumo.gate.speaker import Speaker

TEA, KEYS, NUTS = "Tea at five", "The keys are with grandma", "No nuts for Ben"
ANNA = Speaker("anna", None, True, "", "en")
HALL = Speaker(None, "assist_satellite.hall", True, "", "en")


@pytest.mark.parametrize(
    ("speaker", "arguments", "changes"),
    [
        (ANNA, {"action": "remember", "text": TEA}, {"anna": [KEYS, TEA]}),
        (ANNA, {"action": "forget", "text": KEYS}, {"anna": []}),
        # What is of the house, everybody there may forget.
        (ANNA, {"action": "forget", "text": TEA}, {HOUSE: []}),
        (HALL, {"action": "forget_all"}, {HOUSE: []}),
        # What is somebody else's does not exist, also for who forgets everything.
        (ANNA, {"action": "forget", "text": NUTS}, None),
        (HALL, {"action": "forget", "text": KEYS}, None),
        (ANNA, {"action": "forget_all"}, {"anna": []}),
    ],
)
async def test_only_ones_own_notes_change(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    speaker: Speaker,
    arguments: dict[str, str],
    changes: dict[str, list[str]] | None,
) -> None:
    notes = Notes(hass, "one")
    before = {HOUSE: [TEA], "anna": [KEYS], "ben": [NUTS]}
    for name, texts in before.items():
        await notes.async_change(name, add=texts)
    turn = NotesInTurn(
        notes=notes,
        speaker=speaker,
        sentence="",
        before="",
        conversation_state=SimpleNamespace(noted=""),
        has_read_outside=lambda: False,
    )
    memory = Memory(AbilityContext(hass=hass, speaker=speaker, notes=turn))
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    try:
        await memory.async_run(hass, arguments, context)
    except HomeAssistantError:
        assert changes is None
    else:
        assert changes is not None
    assert {name: notes.of(name) for name in before} == before | (changes or {})
