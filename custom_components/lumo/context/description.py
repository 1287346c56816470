"""The home as text for the model: by floor, area and kind, each name once.

    Downstairs = Ground floor:
    - Kitchen = Galley:
      light: Ceiling light = Big light; Worktop lamp
      binary_sensor window: Kitchen window

In a large home kinds have numbers in place of names: `- Kitchen: light 2, cover 1`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
import json
import re
from typing import Final

from .things import Area, Floor, Thing

type Kinds = Mapping[Area | Floor | None, Counter[str]]

# Home Assistant's own instructions speak of the "static context below".
HEADING: Final = (
    "Static Context: the floors and areas of this home, and by kind the names of the "
    'devices in them. Behind "=" stand other names of the same.'
)
COUNTED: Final = (
    "Static Context: the floors and areas of this home, and how many devices of each "
    'kind are in them. Behind "=" stand other names of the same. Address devices that '
    "are not named by area or floor, and by domain and device_class."
)
CHOSEN: Final = "Devices of this home that this may be about, and what they are called:"
ROWS: Final = "What there is in the places that this may be about:"

_WHOLE: Final = "Whole home"
_NONE: Final[Counter[str]] = Counter()
_NO_FLOOR: Final = "No floor"
_NO_AREA: Final = "No area"
# What would make a name look like more than one, or like a line of its own.
_AMBIGUOUS: Final = re.compile(r'[;=:"]|^[-\s]|\s$')


def in_full(things: Iterable[Thing], areas: Sequence[Area] | None = None) -> str:
    """Return the names of things in their order, with `areas` also empty ones."""
    kinds: dict[Area | None, dict[str, list[str]]] = {}
    for thing in things:
        rows = kinds.setdefault(thing.area, {})
        rows.setdefault(thing.kind, []).append(written(thing.names))
    places = list(kinds) if areas is None else [*areas, *({None} & kinds.keys())]
    lines: list[str] = []
    for area, heading in _headed(places):
        rows = kinds.get(area, {})
        lines.append(f"{heading}:" if rows else heading)
        lines += (f"  {kind}: {'; '.join(names)}" for kind, names in rows.items())
    return "\n".join(lines)


def counted(texts: Sequence[str], areas: int, limit: int) -> str:
    """Return the longest text of `all_counted` of at most `limit` characters."""
    for text in texts:
        if len(text) <= limit:
            return text
    kept = text[:limit].rpartition("\n")[0]
    return f"{kept}\n- ... ({areas} areas)"


def all_counted(kinds: Kinds, areas: Sequence[Area]) -> tuple[str, str]:
    """Return the numbers of things in each area, and those of the whole home."""
    places = [*areas, *({None} & kinds.keys())]
    each: list[str] = []
    only_areas = [
        f"{_WHOLE}: {_numbers(sum((kinds.get(area, _NONE) for area in places), _NONE))}"
    ]
    for area, heading in _headed(places):
        numbers = _numbers(kinds.get(area, _NONE))
        each.append(f"{heading}: {numbers}" if numbers else heading)
        only_areas.append(heading)
    return "\n".join(each), "\n".join(only_areas)


def rows(kinds: Kinds, places: Iterable[Area | Floor], limit: int) -> str:
    """Return how many things of which kinds there are in some areas and floors."""
    text = ""
    for place in places:
        sign = "- " if hasattr(place, "floor") else ""
        line = f"{sign}{written(place.names)}: {_numbers(kinds.get(place, _NONE))}"
        if len(text) + len(line) < limit and kinds.get(place):
            text += f"\n{line}"
    return text and f"{ROWS}{text}"


def _numbers(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in kinds.items())


def _headed(areas: Sequence[Area | None]) -> Iterator[tuple[Area | None, str]]:
    has_floors = any(area and area.floor for area in areas)
    last: Floor | None | str = ""
    for area in areas:
        floor = area.floor if area else None
        heading = f"- {written(area.names) if area else _NO_AREA}"
        if has_floors and floor != last:
            last = floor
            heading = f"{written(floor.names) if floor else _NO_FLOOR}:\n{heading}"
        yield area, heading


def written(names: Iterable[str]) -> str:
    """Return the names of one thing, quoted where they could be misread."""
    found = []
    for name in names:
        if name.isprintable() and not _AMBIGUOUS.search(name):
            found.append(name)
            continue
        plain = "".join(c if c.isprintable() else " " for c in name)
        found.append(json.dumps(plain, ensure_ascii=False))
    return " = ".join(found)
