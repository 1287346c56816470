"""What the brain keeps in mind: asked to remember, to forget, to tell, or what it knows.

It asks for notes to be kept in the person's own words, as they were spoken.
"""

import re
from typing import Any, Final

from .model import Meaning, Say
from .prompt import Prompt
from .text import fold, sentence, stems
from .tools import OURS

MEMORY: Final = f"{OURS}memory"

_POLITE: Final = r"^\W*(?:(?:please|bitte|lumo|hey)[\s,]+)*"
_REMEMBER: Final = (
    r"(?:(?:can|could) you (?:please )?)?(?:remember|keep in mind|don['’]?t forget)"
    r"(?: that)?"
    r"|(?:merke? dir|vergiss nicht)(?: bitte)?,?(?: dass)?"
)
_FORGET: Final = r"(?:forget|vergiss)(?: that|,? dass| das)?"
_AT_END: Final = re.compile(r"(?i)^(?P<note>.+?),? (?:remember that|merk dir das)\W*$")
_WISHES: Final = tuple(
    (
        action,
        re.compile(rf"{_POLITE}(?:{words})\b\W*(?P<note>.*?)[.!]*$", re.IGNORECASE),
    )
    for action, words in (("remember", _REMEMBER), ("forget", _FORGET))
)
_ALL: Final = re.compile(r"(?i)^(everything|all|alles)\b")
_KNOWS: Final = re.compile(
    r"^(what do you (know|remember) about (me|us)|was weisst du uber (mich|uns))\b"
)
# So many words of a question must be in a note that answers it, of so many letters.
_SHARED, _LONG = 2, 4
# Remembered, forgotten, known, and nothing known.
_SAID: Final = {
    "en": ("I will remember that.", "Forgotten.", "I know: {}", "I know nothing yet."),
    "de": ("Ich merke es mir.", "Vergessen.", "Ich weiß: {}", "Ich weiß noch nichts."),
}


def read_wish(text: str, prompt: Prompt, language: str) -> Meaning | None:
    """Return what a sentence wants with what is remembered, if that can be done."""
    if prompt.tool("memory") is None:
        return None
    slots: dict[str, Any] | None = None
    if _KNOWS.match(fold(text)):
        slots = {"action": "list"}
    elif match := _AT_END.match(text.strip()):
        slots = {"action": "remember", "text": match["note"]}
    else:
        for action, pattern in _WISHES:
            if match := pattern.match(text.strip()):
                slots = {"action": action, "text": match["note"].strip()}
                break
    if slots is None:
        return None
    if slots["action"] == "forget" and _ALL.match(slots["text"]):
        slots = {"action": "forget_all"}
    elif slots["action"] == "remember" and not slots["text"] and prompt.history:
        slots["text"] = prompt.history[-1].sentence.strip(" .")
    given = {key: value for key, value in slots.items() if value}
    return Meaning(MEMORY, given, text, language)


def from_notes(prompt: Prompt) -> list[Say]:
    """Return the note that answers a question, if there is one."""
    if "?" not in prompt.sentence or prompt.results:
        return []
    asked = {stem for stem in stems(prompt.sentence) if len(stem) >= _LONG}
    for note in reversed(prompt.notes):
        if len(asked.intersection(stems(note))) >= _SHARED:
            return [Say(sentence(note[:1].upper() + note[1:]))]
    return []


def say_memory(data: Any, language: str) -> str:
    """Say what came of a wish."""
    remembered, forgotten, known, nothing = _SAID.get(language, _SAID["en"])
    if not isinstance(data, dict) or "notes" not in data:
        done = data.get("done") if isinstance(data, dict) else None
        return forgotten if done == "forgotten" else remembered
    notes = data["notes"] if isinstance(data["notes"], dict) else {}
    told = [str(note) for own in notes.values() for note in own]
    return sentence(known.format("; ".join(told))) if told else nothing
