"""Decide what a sentence asks for: a list of meanings, in the order they were said."""

import re
from typing import Any, Final

from .fallback import Fragment, clean, decide, read_fragment
from .home import Home
from .model import Meaning
from .prompt import Prompt
from .questions import asked_state, is_question, read_question
from .target import Target
from .text import fold
from .understand import Recognizer, guess_languages
from .vocabulary import Vocabulary

_MOST_EXCHANGES: Final = 4
"""How far back a sentence may refer."""
_MOST_PARTS: Final = 8
_LEADING: Final = re.compile(
    r"^(and|und|et|en|y|what about|how about|was ist mit|wie sieht es (mit|in|im)|auch|also"
    r"|wie ist es (mit|in|im)|et pour|en (de|het)|y (el|la))\b"
)
_ITEMS: Final = re.compile(r"\s*,\s*|\s+(?:and|und|et|en|y)\s+")


class Planner:
    """Understands sentences of a conversation."""

    def __init__(self) -> None:
        """Bring a recognizer, which remembers languages and homes."""
        self.recognizer = Recognizer()

    def plan(self, prompt: Prompt) -> list[Meaning]:
        """Return what the last sentence asks for; empty if nobody can tell."""
        return self._plan(prompt, len(prompt.exchanges) - 1, _MOST_EXCHANGES)

    def languages(self, prompt: Prompt, position: int = -1) -> list[str]:
        """Return the languages that a sentence may be in, the likeliest first."""
        sentences = [exchange.sentence for exchange in prompt.exchanges]
        if not sentences:
            return ["en"]
        return guess_languages(sentences[position], " ".join(sentences[:position]))

    def _plan(self, prompt: Prompt, position: int, depth: int) -> list[Meaning]:
        """Understand one sentence, with the ones before it if it leans on them."""
        if position < 0 or depth == 0:
            return []
        text = prompt.exchanges[position].sentence
        languages = self.languages(prompt, position)
        home = prompt.home
        for language in languages:
            if found := self._whole(text, home, language):
                return found
        for language in languages:
            vocabulary = self.recognizer.vocabulary(home, language)
            if found := self._conditional(text, vocabulary):
                return found
            if found := self._parts(text, vocabulary):
                return found
            if found := self._follow_up(prompt, position, depth, vocabulary):
                return found
        for language in languages:
            vocabulary = self.recognizer.vocabulary(home, language)
            if key := smalltalk(text, vocabulary):
                return [Meaning(key, {}, text, language)]
        return []

    def _whole(self, text: str, home: Home, language: str) -> list[Meaning]:
        """Understand a sentence that a template covers as it is."""
        vocabulary = self.recognizer.vocabulary(home, language)
        meaning = self._strict(text, vocabulary)
        return [] if meaning is None else _spread(meaning)

    def _strict(self, text: str, vocabulary: Vocabulary) -> Meaning | None:
        """Match a text against the templates, without its politeness if need be."""
        code = vocabulary.words.code
        meaning = self.recognizer.recognize(text, vocabulary.home, code)
        if meaning is None:
            shorter = _without_filler(text, vocabulary)
            if shorter and shorter != text:
                meaning = self.recognizer.recognize(shorter, vocabulary.home, code)
        if meaning is None:
            return None
        if meaning.intent in ("HassRespond", "HassNevermind"):
            fallback = "nevermind" if meaning.intent == "HassNevermind" else "default"
            return Meaning(smalltalk(text, vocabulary) or fallback, {}, text, code)
        if meaning.intent == "HassGetState" and not _is_plain(meaning):
            return None
        if meaning.intent == "HassGetState" and _acts(text, vocabulary):
            return None
        return meaning

    def _conditional(self, text: str, vocabulary: Vocabulary) -> list[Meaning]:
        """Understand `if ..., ...`: a question and what depends on it."""
        match = re.match(vocabulary.words.condition, text.strip(), re.IGNORECASE)
        if match is None:
            return []
        code = vocabulary.words.code
        question = self._strict(_as_question(match["condition"]), vocabulary)
        if question is None or question.intent != "HassGetState":
            question = read_question(match["condition"], vocabulary)
        commands = self._parts(match["command"], vocabulary)
        if question is None or question.intent != "HassGetState" or not commands:
            return []
        if "state" not in question.slots:
            asked = asked_state(fold(match["condition"]), vocabulary)
            question = question.with_slots(state=asked)
        commands = [_refer(command, question, vocabulary) for command in commands]
        return [
            Meaning("condition", dict(question.slots), text, code, then=tuple(commands))
        ]

    def _parts(self, text: str, vocabulary: Vocabulary) -> list[Meaning]:
        """Understand a sentence part by part, each part as long as it can be."""
        pattern = rf"\s*[,;]?\s+(?:{vocabulary.words.joiners})\s+|\s*[,;]\s*|[.!?]\s+"
        cuts = list(re.finditer(pattern, text, re.IGNORECASE))
        starts = [0] + [cut.end() for cut in cuts]
        ends = [cut.start() for cut in cuts] + [len(text)]
        if len(starts) > _MOST_PARTS:
            return []
        read: list[list[Meaning] | Fragment] = []
        position = 0
        while position < len(starts):
            for last in range(len(starts) - 1, position - 1, -1):
                part = text[starts[position] : ends[last]].strip()
                if len(starts) > 1 and (meaning := self._strict(part, vocabulary)):
                    read.append(_spread(meaning))
                    position = last + 1
                    break
            else:
                part = text[starts[position] : ends[position]].strip(" .!")
                position += 1
                if part:
                    read.append(_read_part(part, vocabulary))
        return _join(read, vocabulary)

    def _follow_up(
        self, prompt: Prompt, position: int, depth: int, vocabulary: Vocabulary
    ) -> list[Meaning]:
        """Understand a sentence that leans on the one before it."""
        before = self._plan(prompt, position - 1, depth - 1)
        before = [meaning for meaning in before if meaning.slots or meaning.then]
        if not before:
            return []
        text = _LEADING.sub("", fold(prompt.exchanges[position].sentence)).strip()
        fragment = read_fragment(text, vocabulary)
        if fragment.action == "set" and fragment.value is None and not fragment.color:
            fragment.action = None
        target = fragment.target
        if not target.empty and fragment.action is None and fragment.value is None:
            return [_retarget(before[-1], fragment, vocabulary)]
        if target.empty and (
            fragment.action or fragment.value is not None or fragment.color
        ):
            meanings = []
            for meaning in before:
                fragment.target = _target_of(meaning, vocabulary)
                fragment.action = fragment.action or "set"
                if not fragment.target.empty:
                    meanings.extend(decide(fragment, vocabulary))
            return meanings
        return []


def smalltalk(text: str, vocabulary: Vocabulary) -> str | None:
    """Return what kind of small talk a sentence is."""
    folded = fold(text)
    return next(
        (
            key
            for pattern, key in vocabulary.words.smalltalk
            if re.search(pattern, folded)
        ),
        None,
    )


def _without_filler(text: str, vocabulary: Vocabulary) -> str:
    """Take politeness out of a text but keep its spelling."""
    kept = clean(text, vocabulary).split()
    words = []
    for word in re.findall(r"\S+", text):
        parts = fold(word).split()
        if parts and kept[: len(parts)] == parts:
            words.append(word.strip(",;!?"))
            kept = kept[len(parts) :]
    return " ".join(words) if not kept else ""


def _is_plain(meaning: Meaning) -> bool:
    """Tell whether a question names something to look at."""
    return bool(
        {"name", "area", "domain", "floor", "device_class"} & set(meaning.slots)
    )


def _acts(text: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a text that a template takes for a question is a command."""
    folded = clean(text, vocabulary)
    return not is_question(text, vocabulary) and bool(
        re.match(r"(turn|switch|mach\w*|schalt\w*|lock|unlock)\b", folded)
    )


def _as_question(condition: str) -> str:
    """Make a question of a condition: `the door is open` -> `is the door open`."""
    match = re.match(r"(.+?)\s+(is|are)\s+(.+)$", condition, re.IGNORECASE)
    if match:
        return f"{match[2]} {match[1]} {match[3]}"
    match = re.match(r"(.+?)\s+(\S+)\s+(ist|sind)$", condition, re.IGNORECASE)
    return f"{match[3]} {match[1]} {match[2]}" if match else condition


def _spread(meaning: Meaning) -> list[Meaning]:
    """Make several meanings of one that lists several things to buy or to do."""
    item = meaning.slots.get("item")
    if (
        isinstance(item, str)
        and "Item" in meaning.intent
        and (len(items := [part for part in _ITEMS.split(item) if part]) > 1)
    ):
        return [meaning.with_slots(item=part) for part in items]
    return [meaning]


def _read_part(part: str, vocabulary: Vocabulary) -> list[Meaning] | Fragment:
    """Read a part that no template covers: a question, small talk, or a fragment."""
    if is_question(part, vocabulary):
        question = read_question(part, vocabulary)
        if question is not None:
            return [question]
        if key := smalltalk(part, vocabulary):
            return [Meaning(key, {}, part, vocabulary.words.code)]
        fragment = read_fragment(part, vocabulary)
        # A question is never carried out as a command.
        fragment.action = None
        fragment.target = Target()
        return fragment
    fragment = read_fragment(part, vocabulary)
    if fragment.target.empty and (key := smalltalk(part, vocabulary)):
        return [Meaning(key, {}, part, vocabulary.words.code)]
    return fragment


def _is_idle(fragment: Fragment) -> bool:
    """Tell whether a fragment says nothing of what to do."""
    has_value = fragment.value is not None or fragment.color is not None
    return not has_value and fragment.action in (None, "set")


def _join(
    read: list[list[Meaning] | Fragment], vocabulary: Vocabulary
) -> list[Meaning]:
    """Let incomplete parts borrow from their neighbours, then decide."""
    hints = [_hint(part, vocabulary) for part in read]
    for position, part in enumerate(read):
        if not isinstance(part, Fragment):
            continue
        before = hints[position - 1] if position else None
        after = hints[position + 1] if position + 1 < len(hints) else None
        _borrow(part, before, after)
    meanings: list[Meaning] = []
    understood = False
    for part in read:
        found = decide(part, vocabulary) if isinstance(part, Fragment) else part
        if not found:
            found = [Meaning("not_understood", {}, "", vocabulary.words.code)]
        else:
            understood = True
        meanings.extend(meaning for meaning in found if meaning not in meanings)
    return meanings if understood else []


def _hint(part: list[Meaning] | Fragment, vocabulary: Vocabulary) -> Fragment:
    """Return a part as a fragment that others may borrow from."""
    if isinstance(part, Fragment):
        return part
    fragment = read_fragment(part[0].text, vocabulary)
    fragment.target = _target_of(part[-1], vocabulary)
    return fragment


def _borrow(part: Fragment, before: Fragment | None, after: Fragment | None) -> None:
    """Complete a fragment: its verb, its kind of thing, or what it is about."""
    if _is_idle(part) and not part.target.empty:
        source = next(
            (
                item
                for item in (before, after)
                if item is not None and not _is_idle(item)
            ),
            None,
        )
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
        needs = part.action in (
            "on",
            "off",
            "open",
            "close",
            "lock",
            "unlock",
            "dim",
            "set",
        )
        if (part.pronoun or part.value is not None or part.color) and needs:
            part.target = before.target
    target = part.target
    if (target.area or target.floor) and not target.entities and target.domain is None:
        for neighbour in (before, after):
            if neighbour is not None and neighbour.target.domain:
                target.domain = neighbour.target.domain
                target.device_class = neighbour.target.device_class
                break


def _target_of(meaning: Meaning, vocabulary: Vocabulary) -> Target:
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
    """Return a value, of several the first."""
    if isinstance(value, list | tuple):
        value = value[0] if value else None
    return value if isinstance(value, str) else None


def _refer(command: Meaning, question: Meaning, vocabulary: Vocabulary) -> Meaning:
    """Let `it` in a command mean what the condition was about."""
    name = question.slots.get("name")
    fragment = read_fragment(command.text, vocabulary)
    if name and fragment.pronoun and fragment.target.empty:
        slots: dict[str, Any] = {
            "area": None,
            "floor": None,
            "domain": None,
            "name": name,
        }
        return command.with_slots(**slots)
    return command


def _retarget(meaning: Meaning, fragment: Fragment, vocabulary: Vocabulary) -> Meaning:
    """Do the same to something else."""
    target = fragment.target
    moved = meaning.with_slots(
        name=None, area=None, floor=None, _unplaced=None, _domain=None
    )
    domain = meaning.slots.get("domain")
    if domain is None and isinstance(name := meaning.slots.get("name"), str):
        things = vocabulary.home.called(name)
        domain = things[0].domain if things else None
    if target.entities:
        entity = target.entities[0]
        moved = moved.with_slots(name=entity.name, domain=None, device_class=None)
    else:
        if meaning.intent in ("HassLightSet", "HassClimateSetTemperature"):
            domain = None
        moved = moved.with_slots(
            area=target.area,
            floor=target.floor,
            domain=target.domain or domain,
            device_class=target.device_class or meaning.slots.get("device_class"),
        )
    return Meaning(
        moved.intent, moved.slots, fragment.text, vocabulary.words.code, moved.then
    )
