"""Understand a sentence with Home Assistant's own sentence matcher."""

from functools import cache
import json
import re
from typing import Any, Final

from hassil.intents import Intents, SlotList, TextSlotList
from hassil.recognize import RecognizeResult, recognize_best
from home_assistant_intents import get_intents

from .home import Entity, Home
from .model import Meaning
from .text import fold
from .vocabulary import Vocabulary, build, guess_device_class
from .words import LANGUAGES, words_for

_NAMED_FIRST: Final = frozenset(
    {"HassTurnOn", "HassTurnOff", "HassLightSet", "HassSetPosition"}
)
"""Intents for which a thing that can be named is meant rather than all of a kind."""
_UMLAUT: Final = re.compile(r"(?i)[äöüß]")
_NOW: Final = re.compile(r"^(?:gerade|schon|noch|still|already) (?=zu |at )")
_KEPT: Final = 32
"""Vocabularies that are remembered; every home and language has one."""


@cache
def _load(language: str) -> Intents | None:
    data = get_intents(language, json_load=json.load)
    return Intents.from_dict(data) if data else None


class Recognizer:
    """Finds the intent of a sentence that follows Home Assistant's templates."""

    def __init__(self) -> None:
        self._vocabularies: dict[Any, Vocabulary] = {}
        self._lists: dict[tuple[Any, bool], dict[str, SlotList]] = {}

    def warm_up(self, *languages: str) -> None:
        """Load languages and use them once, which expands their templates."""
        home = Home((Entity(("Lamp",), "light", ("Kitchen",)),))
        for language in languages:
            self._recognize("lamp", home, language, with_shorts=False)

    def vocabulary(self, home: Home, language: str) -> Vocabulary:
        """Return the words for a home."""
        key = self._key(home, language)
        if key not in self._vocabularies:
            if len(self._vocabularies) >= _KEPT:
                self._vocabularies.clear()
                self._lists.clear()
            self._vocabularies[key] = build(home, language)
        return self._vocabularies[key]

    def recognize(self, text: str, home: Home, language: str) -> Meaning | None:
        """Return what a sentence means, or None if no template fits.

        The names that the prompt lists are tried first, then shorter ones ("the bedroom
        lamp" rather than "a lamp in the bedroom").
        """
        meaning = self._recognize(text, home, language, with_shorts=False)
        if meaning is not None and "name" in meaning.slots:
            return meaning
        folded = f" {fold(text)} "
        if any(
            f" {short} " in folded for short in self.vocabulary(home, language).shorts
        ):
            named = self._recognize(text, home, language, with_shorts=True)
            if named is not None and (
                meaning is None
                or (meaning.intent in _NAMED_FIRST and "name" in named.slots)
            ):
                return named
        return meaning

    def _recognize(
        self, text: str, home: Home, language: str, *, with_shorts: bool
    ) -> Meaning | None:
        intents = _load(language)
        if intents is None or not text.strip():
            return None
        result = recognize_best(
            text,
            intents,
            slot_lists=self._slot_lists(home, language, with_shorts),
            intent_context={"area": home.area} if home.area else None,
            language=language,
            best_slot_name="name",
        )
        return None if result is None else _meaning(result, text, language)

    def _key(self, home: Home, language: str) -> Any:
        things = tuple((item.names, item.domain, item.areas) for item in home.entities)
        return things, home.area, home.floor, language

    def _slot_lists(
        self, home: Home, language: str, with_shorts: bool
    ) -> dict[str, SlotList]:
        key = (self._key(home, language), with_shorts)
        if key not in self._lists:
            self._lists[key] = _make_lists(self.vocabulary(home, language), with_shorts)
        return self._lists[key]


def _make_lists(vocabulary: Vocabulary, with_shorts: bool) -> dict[str, SlotList]:
    """Build slot lists: (spoken, meant, context)."""
    names: list[tuple[str, str, dict[str, Any]]] = []
    home = vocabulary.home
    for entity in home.entities:
        context: dict[str, Any] = {"domain": entity.domain}
        if device_class := guess_device_class(entity, vocabulary.words):
            context["device_class"] = device_class
        names.extend((name, name, context) for name in entity.names)
    if with_shorts:
        for short, entities in vocabulary.shorts.items():
            here = [item for item in entities if item.area == home.area]
            chosen = here[0] if here else entities[0]
            if here or len(entities) == 1:
                written = vocabulary.written[short]
                names.append((written, chosen.name, {"domain": chosen.domain}))
    return {
        "name": TextSlotList.from_tuples(names, allow_template=False),
        "area": TextSlotList.from_tuples(_spelt(home), allow_template=False),
        "floor": TextSlotList.from_tuples(
            vocabulary.floors.items(), allow_template=False
        ),
    }


def _spelt(home: Home) -> list[tuple[str, str]]:
    return [(name, group[0]) for group in home.area_groups for name in group]


def _meaning(result: RecognizeResult, text: str, language: str) -> Meaning:
    slots: dict[str, Any] = {}
    for name, entity in result.entities.items():
        value = entity.value
        slots[name] = _NOW.sub("", value.strip()) if isinstance(value, str) else value
    if result.context.get("domain") and "name" in slots and "domain" not in slots:
        slots["_domain"] = result.context["domain"]
    if isinstance(result.response, str):
        slots["_response"] = result.response
    return Meaning(result.intent.name, slots, text, language)


def guess_languages(text: str, before: str = "") -> list[str]:
    """Return the languages, the one that a sentence is likeliest in first.

    What was said before in the conversation decides where the sentence does not.
    """

    def score(language: str) -> tuple[int, int]:
        hints = words_for(language).hints
        now, past = (
            sum(
                # German compounds end in a word of their own.
                word in hints or word[-5:] in hints or word[-6:] in hints
                for word in fold(part).split()
            )
            for part in (text, before)
        )
        return now + (language == "de" and bool(_UMLAUT.search(text))), past

    scores = {code: score(code) for code in LANGUAGES}
    is_told = max(scores.values())[0] > 1
    told = [code for code in LANGUAGES if scores[code][0] or not is_told]
    return sorted(told, key=lambda code: scores[code], reverse=True)
