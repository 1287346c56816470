"""Understand questions that no template covers.

A question never becomes a command: what is found here only reads.
"""

import re
from typing import Any, Final

from .fallback import Make, clean
from .home import Entity
from .model import Meaning
from .target import Target, find_target
from .text import find_words, fold, stems
from .vocabulary import Vocabulary

_HOW_MANY: Final = re.compile(
    r"\b(how many|wie viele?|wieviele?|combien de|hoeveel|cuant[oa]s)\b"
)
_ALL: Final = re.compile(r"\b(all|every|alle|samtliche|tou(te)?s|todos|todas)\b")
_ANY: Final = re.compile(
    r"\b(any|anything|irgend\w*|eine[rs]?|y a t il|algun\w*|hay|there|gibt es|enige|iets)\b"
)
_WHICH: Final = re.compile(
    r"\b(which|what|welche[rsn]?|was( fur)?|quel(le)?s|welke?|wat|que|cuales|list|zeig)\b"
)
_ANYTHING: Final = re.compile(
    r"\b(what|anything|everything|all|alles|tout|todo|things?|devices?|was|irgendwas|etwas|gerate?|que|quoi"
    r"|qu|appareils?|wat|iets|apparaten|dispositivos|cosas)\b"
)
_OUTSIDE: Final = re.compile(
    r"\b(outside|outdoors?|draussen|dehors|exterieure?|buiten|fuera)\b"
)
_HAVE: Final = re.compile(
    r"^((what|which|how many) .*\bdo (i|we) have|welche .* (habe ich|gibt es)|wie viele .* habe ich"
    r"|do (i|we|you) have|have (i|we) got|(are|is) there( any| a| an)?|gibt es|hab(e|en) (ich|wir)"
    r"|hast du|haben wir|y a t il|ai je|avons nous|heb ik|hebben we|zijn er|hay|tengo|tenemos)\b"
)
_PLAYING: Final = re.compile(
    r"\b(what s playing|what is playing|was lauft|was spielt|which song|welcher? (song|titel)"
    r"|quelle chanson|wat speelt|que suena)\b"
)
_TIME: Final = re.compile(
    r"\b(what time|wie spat|wie viel uhr|wieviel uhr|quelle heure|hoe laat|que hora"
    r"|what s the time|what is the time|uhrzeit)\b"
)
_DATE: Final = re.compile(
    r"\b(what day|what date|which day|the date|welcher tag|welchen tag|datum|wievielte"
    r"|quel jour|quelle date|welke dag|que dia|que fecha|day is (it|today))\b"
)
_WEATHER: Final = re.compile(
    r"\b(weather|rain(ing)?|sunny|wetter|regnet|regen|meteo|pleut|weer|regent|lloviendo|llueve"
    r"|umbrella|regenschirm)\b|\bquel temps|\btiempo hace|\bwetter\w+"
)
_LIST: Final = re.compile(r"\b(list|liste|zettel|einkaufsliste|lijst|lijstje|lista)\b")
_CALENDAR: Final = re.compile(
    r"\b(calendar|kalender|agenda|calendrier|calendario|appointments?|termine?|events?"
    r"|schedule|rendez vous|afspraken|citas?|meetings?)\b"
)
_TODAY: Final = re.compile(r"\b(today|heute|aujourd hui|vandaag|hoy|tonight)\b")


def is_question(text: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a sentence asks for something to be told."""
    folded = clean(text, vocabulary)
    return bool(re.match(vocabulary.words.question, folded)) or (
        text.strip().endswith("?")
        and clean(text, vocabulary) == fold(text)
        and not _has_action_first(folded, vocabulary)
    )


def _has_action_first(folded: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a sentence begins with the verb of a command."""
    first = folded.split()[:1]
    return bool(first) and any(
        re.fullmatch(pattern, first[0]) for pattern, _ in vocabulary.words.actions
    )


def read_question(text: str, vocabulary: Vocabulary) -> Meaning | None:
    """Return what a question wants to know."""
    folded = clean(text, vocabulary)
    code = vocabulary.words.code

    def meaning(intent: str, **slots: Any) -> Meaning:
        given = {key: value for key, value in slots.items() if value is not None}
        return Meaning(intent, given, text, code)

    if _TIME.search(folded):
        return meaning("HassGetCurrentTime")
    if _DATE.search(folded):
        return meaning("HassGetCurrentDate")
    if _PLAYING.search(folded):
        return meaning("whats_playing")
    kind = quantifier(folded)
    target = find_target(
        folded, vocabulary, single_words=kind not in ("all", "how_many"), fuzzy=False
    )
    if listed := _list_or_calendar(folded, target, vocabulary):
        return meaning(listed[0], **listed[1])
    asked = asked_state(folded, vocabulary)
    if asked in ("locked", "unlocked") and not any(
        entity.domain == "lock" or _is_spelt_out(entity, folded)
        for entity in target.entities
    ):
        target = find_target(folded, vocabulary, domains={"lock"}, fuzzy=False)
    measured = _property(folded, vocabulary)
    place = {"area": target.area} if target.area else {}
    if _OUTSIDE.search(folded) and (measured or _WEATHER.search(folded)):
        return meaning("outside")
    if _WEATHER.search(folded):
        weather = [item for item in target.entities if item.domain == "weather"]
        return meaning("HassGetWeather", name=weather[0].name if weather else None)
    if entity := _named(target, asked):
        return meaning(
            "HassGetState", name=entity.name, state=asked, _response="one", **place
        )
    if _HAVE.match(folded) and asked is None and measured is None and target.domain:
        return meaning(
            "have", domain=target.domain, device_class=target.device_class, **place
        )
    if measured is not None and (target.domain is None or measured[0] != "climate"):
        return _measured(measured, asked, kind, place, vocabulary, meaning)
    if target.domain:
        domain, device_class = target.domain, target.device_class
        if domain == "lock" and asked in ("open", "closed"):
            domain, device_class = "cover", "door"
        return widen(
            meaning(
                "HassGetState",
                domain=domain,
                device_class=device_class,
                state=asked,
                _response=kind,
                **place,
            )
        )
    if asked is not None and _ANYTHING.search(folded):
        if asked in ("on", "off"):
            return meaning("whats_on", **place)
        locks = "lock" if asked in ("locked", "unlocked") else None
        return meaning(
            "HassGetState", state=asked, domain=locks, _response=kind, **place
        )
    similar = find_target(folded, vocabulary)
    if entity := _named(similar, asked):
        return meaning(
            "HassGetState", name=entity.name, state=asked, _response="one", **place
        )
    if place:
        return meaning("HassGetState", state=asked, _response=kind, **place)
    return None


def quantifier(folded: str) -> str:
    """Return what a question counts: `how_many`, `all`, `which`, `any` or `one`."""
    for kind, pattern in (
        ("how_many", _HOW_MANY),
        ("all", _ALL),
        ("any", _ANY),
        ("which", _WHICH),
    ):
        if pattern.search(folded):
            return kind
    return "one"


def asked_state(folded: str, vocabulary: Vocabulary) -> str | None:
    """Return the state that a question asks about, taking the last word for one."""
    found, best = None, -1
    words = folded.split()
    for word, state in vocabulary.words.states.items():
        position = find_words(tuple(word.split()), tuple(words))
        while position >= 0:
            last = position
            following = find_words(tuple(word.split()), tuple(words[last + 1 :]))
            position = last + 1 + following if following >= 0 else -1
            if last > best:
                found, best = state, last
    return found


def _property(folded: str, vocabulary: Vocabulary) -> tuple[str, str] | None:
    """Return what is measured or detected: domain and device class."""
    words = stems(folded)
    table = sorted(vocabulary.words.properties.items(), key=lambda item: -len(item[0]))
    return next(
        (kind for word, kind in table if find_words(stems(word), words) >= 0), None
    )


def _named(target: Target, asked: str | None) -> Entity | None:
    """Return the thing that was named, where twins exist the one that fits the state."""
    for entity in target.entities:
        if asked in ("locked", "unlocked") and entity.domain == "lock":
            return entity
    return target.entities[0] if target.entities else None


def _is_spelt_out(entity: Entity, folded: str) -> bool:
    """Tell whether one of a thing's own names was said, and not a shorter one."""
    words = stems(folded)
    return any(find_words(stems(name), words) >= 0 for name in entity.names)


def widen(meaning: Meaning) -> Meaning:
    """Look at sensors too where a door or window is asked about.

    Whether it is open may be known by a cover or by a contact.
    """
    domain, device_class = (
        meaning.slots.get("domain"),
        meaning.slots.get("device_class"),
    )
    classes = device_class if isinstance(device_class, list) else [device_class]
    if domain not in ("cover", "binary_sensor") or not _OPENINGS & set(classes):
        return meaning
    wider = list(dict.fromkeys([*classes, *_WIDER.get(str(classes[0]), ())]))
    return meaning.with_slots(domain=["binary_sensor", "cover"], device_class=wider)


_OPENINGS: Final = frozenset({"door", "window", "garage", "garage_door", "gate"})
_WIDER: Final = {
    "door": ("garage", "garage_door"),
    "garage": ("garage_door",),
    "garage_door": ("garage",),
    "window": ("opening",),
}


def _measured(
    measured: tuple[str, str],
    asked: str | None,
    kind: str,
    place: dict[str, Any],
    vocabulary: Vocabulary,
    meaning: Make,
) -> Meaning:
    """Ask for something that is measured or detected."""
    domain, device_class = measured
    if device_class == "temperature":
        return meaning("HassClimateGetTemperature", **(place or _satellite(vocabulary)))
    return meaning(
        "HassGetState",
        domain=domain,
        device_class=device_class,
        state=asked,
        _response=kind,
        **place,
    )


def _satellite(vocabulary: Vocabulary) -> dict[str, Any]:
    """Return the area of the satellite as a slot."""
    return {"area": vocabulary.home.area} if vocabulary.home.area else {}


def _list_or_calendar(
    folded: str, target: Target, vocabulary: Vocabulary
) -> tuple[str, dict[str, Any]] | None:
    """Return the intent for reading a list or a calendar."""
    for entity in target.entities:
        if entity.domain == "todo":
            return "list_items", {"name": entity.name}
        if entity.domain == "calendar":
            return "events", {"name": entity.name, "range": _range(folded)}
    if _CALENDAR.search(folded) and (calendars := vocabulary.home.of("calendar")):
        return "events", {"name": calendars[0].name, "range": _range(folded)}
    if _LIST.search(folded) and (lists := vocabulary.home.of("todo")):
        return "list_items", {"name": lists[0].name}
    return None


def _range(folded: str) -> str:
    """Return the span of days that a question about events is about."""
    return "today" if _TODAY.search(folded) else "week"
