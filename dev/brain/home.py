"""The home as the prompt describes it and as the live context reports it.

Both may be YAML lists made by Home Assistant's `components/homeassistant/llm.py`: `names`
(comma separated), `domain`, `areas` (name, then aliases) and, live, `state` and
`attributes`. A client may have grouped the first by area instead:

    Ground floor:
    - Kitchen = Galley:
      light: Ceiling light = Big light; Worktop lamp
    - Bathroom: light 2, cover blind 1
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
import json
import re
from typing import Any

import yaml

from .text import fold

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LABEL = re.compile(r"(?i)(static|live) context\b[^\n]*:[ \t]*\n")
_AREA_LINE = re.compile(r"- (.+?)(?::|: [a-z_]+ .*\d)?$")
_KIND_LINE = re.compile(r"  ([a-z_]+)(?: ([a-z_]+))?: (.+)$")
# Names in quotes may hold what stands between names.
_NAME = re.compile(r'"(?:[^"\\]|\\.)*"|[^;="]+|[;=]')
_IN_AREA = re.compile(r"You are in area (.+?)(?: \(floor (.+?)\))? and all generic")


@dataclass(frozen=True, slots=True)
class Entity:
    """One thing in the home."""

    names: tuple[str, ...]
    domain: str
    areas: tuple[str, ...] = ()
    """The name of its area, then the area's aliases."""
    state: str | None = None
    attributes: dict[str, Any] = field(default_factory=dict)
    tool: str | None = None
    """The tool that runs it, for a script."""

    @property
    def name(self) -> str:
        """The first of its names."""
        return self.names[0]

    @property
    def area(self) -> str | None:
        """The name of its area."""
        return self.areas[0] if self.areas else None

    @property
    def device_class(self) -> str | None:
        """The device class, which only the live context tells."""
        value = self.attributes.get("device_class")
        return str(value) if value else None

    def is_called(self, name: str) -> bool:
        """Tell whether this is one of its names."""
        return fold(name) in {fold(own) for own in self.names}

    def is_in(self, area: str) -> bool:
        """Tell whether it is in an area, by the area's name or an alias."""
        return fold(area) in {fold(own) for own in self.areas}


@dataclass(frozen=True, slots=True)
class Home:
    """What is known of the home before any tool is asked."""

    entities: tuple[Entity, ...] = ()
    area: str | None = None
    """Where the person speaks, if the prompt says so."""
    floor: str | None = None
    areas: tuple[tuple[str, ...], ...] = ()
    """Areas that it lists, with or without things: their names, then aliases."""
    floors: dict[str, str] = field(default_factory=dict)
    """The names of the floor of each area, as they are listed."""

    @property
    def area_groups(self) -> tuple[tuple[str, ...], ...]:
        """Every area that something is in: its name, then its aliases."""
        groups = {
            entity.areas[0]: entity.areas for entity in self.entities if entity.areas
        }
        groups |= {names[0]: names for names in self.areas}
        if self.area and not any(self.area in group for group in groups.values()):
            groups[self.area] = (self.area,)
        return tuple(groups.values())

    def called(self, name: str, domain: str | None = None) -> list[Entity]:
        """Return the entities of a name, of one domain if given."""
        return [
            entity
            for entity in self.entities
            if entity.is_called(name) and domain in (None, entity.domain)
        ]

    def names(self, name: str) -> tuple[str, ...]:
        """Return all names of what has this one, just this one if nothing has."""
        things = self.called(name)
        return things[0].names if things else (name,)

    def of(self, domain: str, area: str | None = None) -> list[Entity]:
        """Return the entities of a domain, in one area if given."""
        return [
            entity
            for entity in self.entities
            if entity.domain == domain and (area is None or entity.is_in(area))
        ]

    def with_entities(self, more: Iterable[Entity]) -> Home:
        """Return the home with further entities."""
        return replace(self, entities=(*self.entities, *more))


def read_home(text: str) -> Home:
    """Read the static context, and where the satellite is, out of a prompt."""
    match = _IN_AREA.search(text)
    grouped, areas = read_grouped(text)
    return Home(
        entities=read_entities(text, "static") or grouped,
        area=match[1] if match else None,
        floor=match[2] if match else None,
        areas=areas,
        floors=_read_floors(text),
    )


def _read_floors(text: str) -> dict[str, str]:
    floor, floors = "", {}
    for line in text.splitlines():
        place = _AREA_LINE.match(line)
        if place and floor:
            floors[_read_names(place[1])[0][0]] = floor
        elif not line.startswith((" ", "-")):
            floor = line if line.endswith(":") else ""
    return floors


def read_grouped(text: str) -> tuple[tuple[Entity, ...], tuple[tuple[str, ...], ...]]:
    """Read entities that are grouped by area, each once, and the areas."""
    entities: dict[tuple[object, ...], Entity] = {}
    areas: dict[tuple[str, ...], None] = {}
    area: tuple[str, ...] = ()
    is_area = False
    for line in text.splitlines():
        if is_area and (kind := _KIND_LINE.match(line)):
            for names in _read_names(kind[3]):
                attributes = {"device_class": kind[2]} if kind[2] else {}
                entity = Entity(names, kind[1], area, None, attributes)
                entities.setdefault((names, kind[1], area), entity)
        elif place := _AREA_LINE.match(line):
            is_area = True
            area = next(iter(_read_names(place[1])), ())
            area = () if area == ("No area",) else area
            if area and line.endswith((":", *"0123456789")):
                areas[area] = None
        else:
            is_area = False
    return tuple(entities.values()), tuple(areas)


def _read_names(text: str) -> list[tuple[str, ...]]:
    """Read the names of things: of each the first, then the others."""
    found: list[list[str]] = [[]]
    for part in _NAME.findall(text):
        if part == ";":
            found.append([])
        elif part.startswith('"'):
            found[-1].append(json.loads(part))
        elif part != "=" and part.strip():
            found[-1].append(part.strip())
    return [tuple(names) for names in found if names]


@lru_cache(maxsize=32)
def read_entities(text: str, kind: str | None = None) -> tuple[Entity, ...]:
    """Read the entities of a context in a text.

    Kind is `static` or `live`, or None for whichever comes first. A text without a
    label is read from its first list item on.
    """
    for label in _LABEL.finditer(text):
        if kind in (None, label[1].lower()) and (
            entities := _parse(_block(text, label.end()))
        ):
            return entities
    if kind is None and (
        match := re.search(r"^-\s+(names|domain)\s*:", text, re.MULTILINE)
    ):
        return _parse(_block(text, match.start()))
    return ()


def _block(text: str, start: int) -> str:
    lines = []
    for line in text[start:].splitlines():
        if line.strip() and not line.startswith(("-", " ", "\t")):
            break
        lines.append(line)
    return "\n".join(lines)


def _parse(block: str) -> tuple[Entity, ...]:
    try:
        items = yaml.load(block, Loader=_LOADER)
    except yaml.YAMLError:
        return ()
    if not isinstance(items, list):
        return ()
    return tuple(entity for item in items if (entity := _entity(item)))


def _entity(item: Any) -> Entity | None:
    if not isinstance(item, dict) or not item.get("names"):
        return None
    attributes = item.get("attributes")
    state = item.get("state")
    if isinstance(state, bool):
        state = "on" if state else "off"
    return Entity(
        names=_split(item["names"]),
        domain=str(item.get("domain") or ""),
        areas=_split(item.get("areas") or ""),
        state=None if state is None else str(state),
        attributes=attributes if isinstance(attributes, dict) else {},
    )


def _split(value: Any) -> tuple[str, ...]:
    values = value if isinstance(value, list) else str(value).split(", ")
    return tuple(str(name).strip() for name in values if str(name).strip())
