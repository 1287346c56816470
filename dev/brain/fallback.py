"""Understand commands that no template covers: an action, a target, a value.

The action comes from a verb, the target from names, areas and kinds of things, the value
from a number, a level or a colour. What is missing may come from another command of the
sentence, or from the last one in the conversation.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
import re
from typing import Any, Final

from .clock import numerals
from .home import Entity
from .model import Meaning
from .target import EVERYTHING, Target, find_target
from .text import fold
from .vocabulary import Vocabulary
from .words import NUMBER, unexplained

# What is to be set.
_KINDS: Final = {
    "volume": re.compile(r"\b(volume|lautstarke|sound|loudness)\b"),
    "brightness": re.compile(r"\b(brightness|helligkeit|hell)\b"),
    "temperature": re.compile(r"\b(temperature|temperatur|temp|degrees?|grad|heat|heating|heizung" r"|thermostat\w*)\b|°"),
}  # fmt: skip

_EXPLAINED: Final = "|".join(kind.pattern for kind in (*_KINDS.values(), EVERYTHING))

_ACTING: Final = frozenset(
    {
        "light", "switch", "fan", "cover", "lock", "climate", "media_player", "vacuum",
        "lawn_mower", "scene", "script", "valve", "humidifier", "input_boolean", "siren",
        "button", "input_button", "water_heater", "automation", "remote", "group",
    }
)  # fmt: skip
_TOGGLED: Final = ("light", "switch", "fan", "media_player")
"""What "everything" means when something is to be turned on or off."""
_PLAYS: Final = {
    "pause": "HassMediaPause", "stop": "HassMediaPause", "resume": "HassMediaUnpause",
    "next": "HassMediaNext", "previous": "HassMediaPrevious",
    "mute": "HassMediaPlayerMute", "unmute": "HassMediaPlayerUnmute",
}  # fmt: skip
_RETURNS: Final = {
    "vacuum": "HassVacuumReturnToBase",
    "lawn_mower": "HassLawnMowerDock",
}
_FEW: Final = 2
"""So many things of a kind are meant where nobody said which or where."""
_ASKED_FOR: Final = ("light", "switch", "lock", "media_player")
"""Kinds of which it is asked even then."""
_DOORS: Final = ("door", "garage", "gate", "window")

_SET: Final[dict[str | None, tuple[str, str]]] = {
    "light": ("HassLightSet", "brightness"),
    "climate": ("HassClimateSetTemperature", "temperature"),
    "cover": ("HassSetPosition", "position"),
    "media_player": ("HassSetVolume", "volume_level"),
    "fan": ("HassFanSetSpeed", "percentage"),
    "humidifier": ("HassHumidifierSetpoint", "humidity"),
}
"""By which tool a value is set, and what it is called there."""

type Make = Callable[..., Meaning]
"""Makes a meaning of an intent and its slots."""


@dataclass(slots=True)
class Fragment:
    """What a part of a sentence says, perhaps not all of it."""

    text: str
    action: str | None
    target: Target
    value: float | None = None
    unit: str = ""
    color: str | None = None
    kinds: set[str] = field(default_factory=set)
    """What is to be set: volume, brightness, temperature."""
    pronoun: bool = False
    unknown: list[str] = field(default_factory=list)
    """Words that nobody has understood; then nothing is done."""


def read_fragment(text: str, vocabulary: Vocabulary) -> Fragment:
    """Read a part of a sentence."""
    words = vocabulary.words
    folded = clean(text, vocabulary)
    for word, n in [*numerals(words.code).items()][:11:-1]:
        folded = re.sub(rf"\b{fold(word)}\b", str(n), folded)
    target = find_target(folded, vocabulary, domains=_ACTING)
    # A verb inside of a name is no verb: "close" in "Close-up lamp".
    bare = folded
    for entity in target.entities:
        for name in entity.names:
            bare = f" {bare} ".replace(f" {fold(name)} ", " ").strip()
        numbers = {word for word in fold(entity.name).split() if word[0].isdigit()}
        bare = " ".join(word for word in bare.split() if word not in numbers)
    action = next(
        (name for pattern, name in words.actions if re.search(pattern, bare)), None
    )
    fragment, told = Fragment(text, action, target), [*words.colors]
    if match := NUMBER.search(bare):
        fragment.value = float(match[1])
        fragment.unit = (match[2] or "").replace(" ", "")
    else:
        for word in re.sub(r"\w+ s\b", "", bare).split():  # "Max" is one, not "Max's".
            if word in words.levels:
                told.append(word)
                fragment.value, fragment.unit = float(words.levels[word]), "%"
    fragment.color = next(
        (color for word, color in words.colors.items() if word in bare.split()), None
    )
    fragment.kinds = {kind for kind, known in _KINDS.items() if known.search(bare)}
    if fragment.unit.startswith("°"):
        fragment.kinds.add("temperature")
    fragment.pronoun = bool(re.search(words.pronouns, bare))
    left = re.sub(rf"{words.here}|\S*\d\S*|{_EXPLAINED}", " ", " ".join(target.left))
    fragment.unknown = unexplained(left.split(), words.code, *told)
    if action in ("open", "close"):  # All the way: not "a little".
        fragment.unknown += re.findall(r"\b(?:bit|little|bisschen|etwas)\b", left)
    return fragment


def clean(text: str, vocabulary: Vocabulary) -> str:
    """Fold a text and take politeness out of it."""
    folded = fold(text).replace("nach hause", "heim")
    folded = " ".join(_apart(word, vocabulary) for word in folded.split())
    for _ in range(3):
        shorter = " ".join(re.sub(vocabulary.words.filler, " ", folded).split())
        if shorter == folded or not shorter:
            break
        folded = shorter
    return folded


def _apart(word: str, vocabulary: Vocabulary) -> str:
    """Return a room and a kind of thing for what German writes as one word."""
    known = vocabulary.names.keys() | vocabulary.shorts.keys()
    for area in vocabulary.areas:
        kind = word.removeprefix(area)
        if kind != word and kind in vocabulary.words.domains and word not in known:
            return f"{kind} {area}"
    return word


def decide(fragment: Fragment, vocabulary: Vocabulary) -> list[Meaning]:
    """Return what a complete fragment asks for; several things give several meanings."""
    target = fragment.target
    if fragment.unknown:
        return []
    entities: list[Entity | None] = [*target.entities] or [*_few(target, vocabulary)]
    entities = entities or [None]
    meanings = []
    for entity in entities:
        meaning = _decide(fragment, entity, vocabulary)
        if meaning is not None and meaning not in meanings:
            meanings.append(meaning)
    return meanings


def _few(target: Target, vocabulary: Vocabulary) -> list[Entity]:
    """Return the things of a kind that is named, where they are few."""
    home, domain, kind = vocabulary.home, target.domain, target.device_class
    if domain is None or domain in _ASKED_FOR or target.area or target.floor:
        return []
    is_here = not target.everything and bool(home.of(domain, home.area))
    # "The blinds" are no garage door.
    things = [
        item
        for item in home.of(domain, home.area if is_here else None)
        if (item.device_class == kind if kind else item.device_class not in _DOORS)
    ]
    return things if target.everything or len(things) <= _FEW else []


def _decide(
    fragment: Fragment, entity: Entity | None, vocabulary: Vocabulary
) -> Meaning | None:
    action, target = fragment.action, fragment.target
    domain = entity.domain if entity else target.domain
    place = _place(target, entity, vocabulary)
    code = vocabulary.words.code

    def meaning(intent: str, **slots: Any) -> Meaning:
        given = {key: value for key, value in slots.items() if value is not None}
        return Meaning(intent, given, fragment.text, code)

    if entity is not None and entity.tool:
        if action in (None, "run", "on", "set"):
            return meaning("run_script", tool=entity.tool, name=entity.name)
        return None
    if entity is not None and domain in ("scene", "button", "input_button"):
        return meaning("HassTurnOn", name=entity.name, domain=domain)
    is_player = domain in (None, "media_player")
    if action in _PLAYS and is_player:
        return meaning(_PLAYS[action], **_player(place))
    if action == "off" and is_player and re.search("musi[ck]", fold(fragment.text)):
        return meaning("HassMediaPause", **_player(place))
    if "volume" in fragment.kinds and fragment.value is not None:
        return meaning("HassSetVolume", volume_level=fragment.value, **_player(place))
    if fragment.value is not None or fragment.color:
        if setting := _set(fragment, domain, place, meaning):
            return setting
    if action in ("on", "off", "open", "close", "lock", "unlock", "stop", "run"):
        return _switch(fragment, entity, domain, place, vocabulary, meaning)
    return None


def _place(
    target: Target, entity: Entity | None, vocabulary: Vocabulary
) -> dict[str, Any]:
    if entity is not None:
        slots: dict[str, Any] = {"name": entity.name}
        if target.area and (not entity.areas or entity.is_in(target.area)):
            slots["area"] = target.area
        if target.floor:
            slots["floor"] = target.floor
        twins = vocabulary.home.called(entity.name)
        if len({twin.domain for twin in twins}) > 1:
            slots["domain"] = entity.domain
        return slots
    if target.area:
        return {"area": target.area}
    if target.floor:
        return {"floor": target.floor}
    return _here(vocabulary) if target.here else {}


def _here(vocabulary: Vocabulary) -> dict[str, Any]:
    return {"area": vocabulary.home.area} if vocabulary.home.area else {}


def _player(place: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in place.items() if key != "domain"}


def _set(
    fragment: Fragment, domain: str | None, place: dict[str, Any], meaning: Make
) -> Meaning | None:
    value, kinds = fragment.value, fragment.kinds
    if fragment.color and domain in (None, "light"):
        return meaning("HassLightSet", color=fragment.color, **place)
    percent = fragment.unit in ("%", "percent", "prozent")
    warm = domain == "climate" or (
        "temperature" in kinds and not fragment.target.entities
    )
    if "brightness" in kinds or (domain is None and place and percent):
        domain = "light"
    elif (
        warm
        and not percent
        or domain is None
        and place
        and value is not None
        and 5 <= value <= 35
    ):
        domain = "climate"
    if domain not in _SET:
        return None
    intent, slot = _SET[domain]
    extra: dict[str, Any] = {}
    if domain == "cover" and "name" not in place:
        extra = {"domain": domain, "device_class": fragment.target.device_class}
    return meaning(intent, **{slot: value}, **place, **extra)


def _switch(
    fragment: Fragment,
    entity: Entity | None,
    domain: str | None,
    place: dict[str, Any],
    vocabulary: Vocabulary,
    meaning: Make,
) -> Meaning | None:
    action, target = fragment.action, fragment.target
    device_class = None if entity else target.device_class
    if domain == "lock" and action in ("open", "close") and entity is None:
        # "Close the doors" where a door is first of all something with a lock.
        domain, device_class = "cover", "door"
    if action in ("lock", "unlock"):
        domain, device_class = "lock", None
        if entity is not None and entity.domain != "lock":
            locks = vocabulary.home.called(entity.name, "lock")
            if not locks:
                return None
    elif action in ("open", "close") and domain is None:
        domain = "cover"
    if domain == "lock":
        intent = "HassTurnOn" if action in ("lock", "close", "on") else "HassTurnOff"
    elif action == "stop":
        if domain in ("cover", "valve"):
            return meaning(
                "HassStopMoving", **place, **_kind(entity, domain, device_class)
            )
        intent = _RETURNS.get(str(domain), "HassTurnOff")
    elif domain == "vacuum" and action in ("run", "on"):
        return meaning("HassVacuumStart", **place)
    elif action == "run" and domain not in _TOGGLED:
        return None
    else:
        intent = "HassTurnOn" if action in ("on", "open", "run") else "HassTurnOff"
    if entity is None and domain is None:
        if target.everything and action in ("on", "off"):
            present = [name for name in _TOGGLED if vocabulary.home.of(name)]
            return meaning(intent, **place, domain=None if place else present)
        if not place:
            return None
        domain = "light"
    if domain == "lock" and action == "lock" and not (entity or place):
        return meaning(intent, domain=domain)  # "Lock up": too much does no harm.
    if entity is None and not place and not target.everything:
        # Nobody said where: the only one, here, or it is asked.
        things = vocabulary.home.of(domain) if domain else []
        if len(things) == 1:
            return meaning(intent, name=things[0].name)
        # "The lamp" is one of them: which, the home has to ask.
        lamp = re.search(r"\blampe?\b", fold(fragment.text))
        if lamp and not _here(vocabulary):
            return meaning(intent, name=lamp[0])
        return meaning(
            intent,
            domain=domain,
            device_class=device_class,
            **(_here(vocabulary) or {"_unplaced": True}),
        )
    return meaning(intent, **place, **_kind(entity, domain, device_class))


def _kind(
    entity: Entity | None, domain: str | None, device_class: str | None
) -> dict[str, Any]:
    if entity is not None:
        return {}
    return {"domain": domain, "device_class": device_class}
