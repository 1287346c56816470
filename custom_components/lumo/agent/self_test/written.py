"""The written home of the self-test: what is in it, what is said in it, what calls do.

It is fictional (`home.toml`, in the words of `home/`). What a call acts on is found by what it names, as closely
as a few things need: nothing is looked up in the person's own home.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
import tomllib
from typing import Any, Final, NamedTuple

from homeassistant.exceptions import HomeAssistantError
from homeassistant.util import yaml as yaml_util

from ...context.home import Area, Home, Thing, is_kind, make_home
from ...context.scorer import folded
from ...gate.domains import domain_of
from ...gate.effects import number_of
from ...internals import ASSIST_PROMPT

_FILE: Final = Path(__file__).with_name("home.toml")
_WORDS: Final = _FILE.with_suffix("")
_PLACED: Final = ("name", "area", "floor")
_KINDS: Final = ("domain", "kind", "device_class")
# Where no thing or kind is named, only this is turned on or off.
_EVERYTHING: Final = ("light", "media_player")
# By the name of a tool, or the action of our own for many things: what it is to a lamp.
_TURNS: Final = {
    **dict.fromkeys(("HassTurnOn", "on", "open"), "turn_on"),
    **dict.fromkeys(("HassTurnOff", "off", "close"), "turn_off"),
}
# By the name of a tool, or the setting of our own: domain, service, argument.
_SETS: Final = {
    "HassLightSet": ("light", "turn_on", "brightness"),
    "HassClimateSetTemperature": ("climate", "set_temperature", "temperature"),
    "HassListAddItem": ("todo", "add_item", ""),
    "brightness": ("light", "turn_on", "to"),
    "temperature": ("climate", "set_temperature", "to"),
    "position": ("cover", "set_cover_position", "to"),
}
_SO_ALREADY: Final = {"turn_on": "on", "turn_off": "off"}


class Step(NamedTuple):
    """One thing that a call would do."""

    service: str
    entity_id: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is said in the written home, and what must come of it."""

    text: str
    does: frozenset[Step]
    reads: str
    """The entity that must be looked at, if any."""
    tools: frozenset[str]
    """The last names of the tools of which one is needed; empty: none is."""


@dataclass(frozen=True, slots=True)
class WrittenHome:
    """The written home in one language."""

    language: str
    home: Home
    live: Mapping[str, Mapping[str, Any]]
    """What the live context tells of each thing."""
    sentences: tuple[Sentence, ...]

    @property
    def prompt(self) -> str:
        """Return what Home Assistant's Assist API would say of it."""
        return f"{ASSIST_PROMPT}\n{self.home.theirs}"

    def steps(self, tool: str, arguments: Mapping[str, Any]) -> frozenset[Step]:
        """Return what a call does; `tool` is a name without what stands before it.

        What is on or off already is left out. Raises HomeAssistantError for a call
        that fits nothing.
        """
        action = str(arguments.get("action"))
        turns = _TURNS.get(action if tool == "many" else tool)
        setting = str(arguments.get("setting")) if tool == "many" else tool
        domain, sets, key = _SETS.get(setting, ("", "", ""))
        steps = []
        for thing in self.things(arguments, usual=bool(turns)):
            if turns and thing.domain == "lock" and action in ("open", "close"):
                # Turned on, a lock is locked.
                service = {"open": "unlock", "close": "lock"}[action]
                steps.append(Step(service, thing.entity_id))
            elif turns:
                service = domain_of(thing.domain).meaning(turns)
                steps.append(Step(service, thing.entity_id))
            elif thing.domain == domain:
                number = number_of(arguments.get(key))
                value = "" if number is None else f"{number:g}"
                steps.append(Step(sets, thing.entity_id, value))
        if not steps:
            raise HomeAssistantError("Nothing in this home fits that.")
        return frozenset(
            step
            for step in steps
            if step.value
            or self.live[step.entity_id]["state"] != _SO_ALREADY.get(step.service)
        )

    def told(self, things: list[Thing]) -> str:
        """Return what the live context says of things."""
        rows = [_listed(thing) | dict(self.live[thing.entity_id]) for thing in things]
        return f"Live Context: what there is in this home:\n{yaml_util.dump(rows)}"

    def things(
        self, arguments: Mapping[str, Any], *, usual: bool = False
    ) -> list[Thing]:
        """Return the things that a call names, by Home Assistant's tools or ours.

        With `usual` only what is part of everything, where it names no thing or kind.
        """
        named = {
            key: texts
            for key in (*_PLACED, *_KINDS)
            if (texts := _texts(arguments.get(key)))
        }
        excepted = _texts(arguments.get("except"))
        usual = usual and named.keys() <= {"area", "floor"}
        return [
            thing
            for thing in self.home.things
            if all(self._fits(thing, key, named[key]) for key in named)
            and not any(self._fits(thing, key, excepted) for key in ("name", "kind"))
            and (thing.domain in _EVERYTHING or not usual)
        ]

    def _fits(self, thing: Thing, key: str, texts: list[str]) -> bool:
        if key in _KINDS:
            return any(is_kind(thing, text, self.home.titles) for text in texts)
        own = [thing.area.name if thing.area else ""]
        if key == "name":
            own += [*thing.names, thing.entity_id]
        return not {folded(name) for name in own}.isdisjoint(texts)


def read_written_home(language: str, titles: dict[str, str]) -> WrittenHome:
    """Read the home in a language: work for the executor."""
    data, words = map(_read, (_FILE, _WORDS / f"{language}.toml"))
    areas = {key: Area(key, (name,), None) for key, name in words["areas"].items()}
    things = tuple(
        Thing(
            entity_id=key,
            names=(words["things"][key],),
            domain=key.partition(".")[0],
            device_class=row.get("device_class", ""),
            area=areas.get(row.get("area", "")),
        )
        for key, row in data["things"].items()
    )
    listed = [_listed(thing) for thing in things]
    return WrittenHome(
        language=language,
        home=make_home(things, tuple(areas.values()), (), titles, listed),
        live={key: row["live"] for key, row in data["things"].items()},
        sentences=tuple(
            Sentence(
                text=words["sentences"][row["name"]],
                does=frozenset(Step(*item.split()) for item in row.get("does", ())),
                reads=row.get("reads", ""),
                tools=frozenset(row.get("tools", ())),
            )
            for row in data["sentences"]
        ),
    )


def _read(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def _listed(thing: Thing) -> dict[str, Any]:
    """Return a thing as Home Assistant lists it for a model."""
    place = {"areas": thing.area.name} if thing.area else {}
    return {"names": thing.name, "domain": thing.domain, **place}


def _texts(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    # Home Assistant's word for everything names nothing.
    return [folded(str(item)).strip() for item in values if item and item != "all"]
