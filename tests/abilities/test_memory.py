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
NOBODY = Speaker("anna", None, False, "", "en")


@pytest.mark.parametrize(
    ("speaker", "owner", "arguments", "changes"),
    [
        (ANNA, "anna", {"action": "remember", "text": TEA}, {"anna": [KEYS, TEA]}),
        (ANNA, "anna", {"action": "forget", "text": KEYS}, {"anna": []}),
        # What is of the house, everybody there may forget.
        (ANNA, "anna", {"action": "forget", "text": TEA}, {HOUSE: []}),
        (HALL, HOUSE, {"action": "forget_all"}, {HOUSE: []}),
        # What is somebody else's does not exist, also for who forgets everything.
        (ANNA, "anna", {"action": "forget", "text": NUTS}, None),
        (HALL, HOUSE, {"action": "forget", "text": KEYS}, None),
        (ANNA, "anna", {"action": "forget_all"}, {"anna": []}),
        # The turn writes notes of another owner, or nobody speaks.
        (ANNA, "ben", {"action": "remember", "text": TEA}, None),
        (ANNA, HOUSE, {"action": "forget_all"}, None),
        (NOBODY, "anna", {"action": "remember", "text": TEA}, None),
    ],
)
async def test_only_ones_own_notes_change(
    hass: HomeAssistant,
    hass_storage: dict[str, Any],
    speaker: Speaker,
    owner: str,
    arguments: dict[str, str],
    changes: dict[str, list[str]] | None,
) -> None:
    """And those of the house."""
    notes = Notes(hass, "one")
    before = {HOUSE: [TEA], "anna": [KEYS], "ben": [NUTS]}
    for name, texts in before.items():
        await notes.async_change(name, add=texts)
    turn = NotesInTurn(
        notes=notes,
        speaker=speaker,
        owner=owner,
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
