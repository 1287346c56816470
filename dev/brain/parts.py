"""Put together what the parts of one sentence say.

A part that is not complete borrows from its neighbours: "turn on the lamp and the fan",
"mach das Licht in der Küche und im Bad aus".
"""

import re
from typing import Any, Final

from .fallback import Fragment, decide, read_fragment
from .model import Meaning
from .questions import is_question, read_question
from .target import Target
from .text import fold
from .vocabulary import Vocabulary
from .words import WAITS, unexplained

_IS_SO: Final = re.compile(
    r"^(?:it|that|this|we|i|they|he|she) (?:s|is|re|are|m|feels)\b|\b(?:ist|wird) (?:es|mir|uns|das)\b|^(?:es|das|hier) (?:ist|wird)\b"
)
_ITEMS: Final = re.compile(r"\s*,\s*|\s+(?:and|und)\s+")


def spread(meaning: Meaning) -> list[Meaning]:
    """Make several meanings of one that lists several things to buy or to do."""
    item = meaning.slots.get("item")
    if (
        isinstance(item, str)
        and "Item" in meaning.intent
        and (items := [part for part in _ITEMS.split(_written(item, meaning)) if part])
        and len(items) > 1
    ):
        return [meaning.with_slots(item=part) for part in items]
    return [meaning]


def _written(item: str, meaning: Meaning) -> str:
    """Return an item as it was written: the templates drop its commas."""
    written = re.escape(item).replace(r"\ ", r",?\s+")
    found = re.search(written, meaning.text, re.IGNORECASE)
    return found[0] if found else item


def read_part(part: str, vocabulary: Vocabulary) -> list[Meaning] | Fragment:
    """Read a part that no template covers; a question is never carried out."""
    asked = is_question(part, vocabulary)
    question = read_question(part, vocabulary) if asked else None
    if question is not None:
        return [question]
    fragment = Fragment(part, "ask", Target(), unknown=[part])
    if not asked:
        fragment = read_fragment(part, vocabulary)
    if fragment.target.empty and (key := smalltalk(part, vocabulary)):
        return [Meaning(key, {}, part, vocabulary.words.code)]
    return fragment


def _is_idle(fragment: Fragment) -> bool:
    has_value = fragment.value is not None or fragment.color is not None
    return not has_value and fragment.action in (None, "set")


def is_talk(fragment: Fragment) -> bool:
    """Return whether a part asks for nothing, and makes nothing wait."""
    waits = re.search(WAITS, fold(fragment.text))
    asks = fragment.action and fragment.unknown
    return fragment.target.empty and _is_idle(fragment) and not (waits or asks)


def _is_remark(part: Fragment) -> bool:
    """Return whether a part only says how it is somewhere."""
    bare = not (part.target.entities or part.target.domain) and part.action is None
    return bool(bare and _IS_SO.search(fold(part.text)))


def join(read: list[list[Meaning] | Fragment], vocabulary: Vocabulary) -> list[Meaning]:
    """Let incomplete parts borrow from their neighbours, then decide."""
    hints = [_hint(part, vocabulary) for part in read]
    for position, part in enumerate(read):
        if not isinstance(part, Fragment):
            continue
        before = hints[position - 1] if position else None
        if before and _is_remark(before) and not part.target.area:
            # "It's stuffy in the bedroom, put the fan on."
            part.target.area = before.target.area
            there = [x for x in part.target.entities if x.is_in(str(part.target.area))]
            part.target.entities = there or part.target.entities
        after = hints[position + 1] if position + 1 < len(hints) else None
        if not _is_remark(part):
            _borrow(part, before, after)
    meanings: list[Meaning] = []
    for part in read:
        found = decide(part, vocabulary) if isinstance(part, Fragment) else part
        if not found and isinstance(part, Fragment):
            if is_talk(part) or (_is_remark(part) and len(read) > 1):
                continue  # "I'm leaving, ...".
        if not found:
            return []
        meanings.extend(meaning for meaning in found if meaning not in meanings)
    return meanings


def _hint(part: list[Meaning] | Fragment, vocabulary: Vocabulary) -> Fragment:
    if isinstance(part, Fragment):
        return part
    fragment = read_fragment(part[0].text, vocabulary)
    fragment.target = target_of(part[-1], vocabulary)
    return fragment


def _borrow(part: Fragment, before: Fragment | None, after: Fragment | None) -> None:
    """Complete a fragment: its verb, its kind of thing, or what it is about."""
    if _is_idle(part) and not part.target.empty:
        others = [item for item in (before, after) if item and not _is_idle(item)]
        source = others[0] if others else None
        if part.target.entities and part.target.entities[0].tool:
            source = None
        if source is not None:
            part.action, part.value = source.action, source.value
            part.unit, part.color, part.kinds = (
                source.unit,
                source.color,
                set(source.kinds),
            )
    if part.target.empty and before is not None and not _is_idle(part):
        if (part.pronoun or part.value is not None or part.color) and part.action:
            part.target = before.target
    target = part.target
    if (target.area or target.floor) and not target.entities and target.domain is None:
        for neighbour in (before, after):
            if neighbour is not None and neighbour.target.domain:
                target.domain = neighbour.target.domain
                target.device_class = neighbour.target.device_class
                break


def target_of(meaning: Meaning, vocabulary: Vocabulary) -> Target:
    """Return what a meaning was about."""
    slots = meaning.slots
    target = Target(area=slots.get("area"), floor=slots.get("floor"))
    if isinstance(name := slots.get("name"), str):
        target.entities = vocabulary.home.called(name)[:1]
    if target.entities:
        target.area = None
    target.domain = _first(slots.get("domain"))
    target.device_class = _first(slots.get("device_class"))
    if target.domain is None and not target.entities:
        if meaning.intent == "HassLightSet":
            target.domain = "light"
        elif "Climate" in meaning.intent:
            target.domain = "climate"
    return target


def _first(value: Any) -> str | None:
    if isinstance(value, list | tuple):
        value = value[0] if value else None
    return value if isinstance(value, str) else None


def smalltalk(text: str, vocabulary: Vocabulary) -> str | None:
    """Return what kind of small talk a sentence is, if it is nothing else."""
    folded, known = fold(text), [item[0] for item in vocabulary.words.smalltalk]
    if unexplained(folded.split(), vocabulary.words.code, *known):
        return None
    return next(
        (
            key
            for pattern, key in vocabulary.words.smalltalk
            if re.search(pattern, folded)
        ),
        None,
    )
