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
from custom_components.lumo.gate.own_tool import Wording
from custom_components.lumo.gate.speaker import Speaker

TEA, KEYS, NUTS = "Tea at five", "The keys are with grandma", "No nuts for Ben"
ANNA = Speaker("anna", None, True, "", "en")
CARL = Speaker("carl", None, True, "", "en")
HALL = Speaker(None, "assist_satellite.hall", True, "", "en")
BEFORE = {HOUSE: [TEA], "anna": [KEYS], "ben": [NUTS]}


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
    notes, memory = await prepared(hass, speaker)
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    listed = await memory.async_run({"action": "list"}, context)
    own = {"of this person": [KEYS]} if speaker is ANNA else {}
    assert listed == {"notes": {"of the house": [TEA]} | own}
    try:
        await memory.async_run(arguments, context)
    except HomeAssistantError:
        assert changes is None
    else:
        assert changes is not None
    assert {name: notes.of(name) for name in BEFORE} == BEFORE | (changes or {})


async def prepared(
    hass: HomeAssistant, speaker: Speaker, sentence: str = "", outside: bool = False
) -> tuple[Notes, Memory]:
    """Return the notes of three, and the tool in a turn of one."""
    notes = Notes(hass, "one")
    for name, texts in BEFORE.items():
        await notes.async_change(name, add=texts)
    turn = NotesInTurn(
        notes=notes,
        speaker=speaker,
        sentence=sentence,
        before="",
        conversation_state=SimpleNamespace(noted=""),
        has_read_outside=lambda: outside,
    )
    return notes, Memory(AbilityContext(hass=hass, speaker=speaker, notes=turn))


WIFI = "the Wi-Fi password is otter"


@pytest.mark.parametrize(
    ("speaker", "action", "text", "outside", "asked"),
    [
        (ANNA, "forget_all", "", False, ("do_forget", "1")),
        (CARL, "forget_all", "", False, None),
        (ANNA, "list", "", True, None),
        (ANNA, "remember", "I like tea", False, None),
        (ANNA, "remember", "I like tea", True, ("do_remember", "I like tea")),
        (ANNA, "remember", WIFI, True, ("do_keep_wifi", WIFI)),
        (ANNA, "forget", KEYS, True, ("do_forget_note", KEYS)),
        (ANNA, "forget", KEYS, False, None),
        # It is said when it runs.
        (ANNA, "forget", NUTS, True, None),
    ],
)
async def test_what_is_asked_before_a_note_changes(
    hass: HomeAssistant,
    speaker: Speaker,
    action: str,
    text: str,
    outside: bool,
    asked: tuple[str, str] | None,
) -> None:
    """After text from outside each change is; forgetting all always."""
    _, memory = await prepared(hass, speaker, f"Remember that {text}", outside)
    words = memory.question({"action": action, "text": text})
    assert words == (asked and Wording(asked[0], value=asked[1]))
    told = memory.narrowed({"action": action, "text": text.upper()})
    assert told["text"] == (
        text if action == "forget" and text == KEYS else text.upper()
    )
