"""The home as text for the model: by floor, area and kind, each name once.

    Downstairs = Ground floor:
    - Kitchen = Galley:
      light: Ceiling light = Big light; Worktop lamp
      binary_sensor window: Kitchen window

In a large home kinds have numbers in place of names: `- Kitchen: light 2, cover 1`. Named
are things of rare kinds, and with names of their own: people call those by other words.
"Has the post come?" means the only letterbox, "Charge the car" the socket `Zappi`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
import json
import re
from typing import Final

from .scorer import beginnings


class _Named:
    """What people have names for."""

    __slots__ = ()
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return what it is called."""
        return self.names[0]


@dataclass(frozen=True, slots=True)
class Floor(_Named):
    """A floor of the home."""

    floor_id: str
    names: tuple[str, ...]
    """Its name, then its aliases."""
    level: int | None


@dataclass(frozen=True, slots=True)
class Area(_Named):
    """An area of the home."""

    area_id: str
    names: tuple[str, ...]
    """Its name, then its aliases."""
    floor: Floor | None


@dataclass(frozen=True, slots=True)
class Thing(_Named):
    """An entity that is exposed to Assist."""

    entity_id: str
    names: tuple[str, ...]
    """What it can be called by, the best first; its id where it has no name."""
    domain: str
    device_class: str
    area: Area | None
    """Its own area, or its device's."""

    @property
    def kind(self) -> str:
        """Return its domain, and its device class where it has one."""
        return f"{self.domain} {self.device_class}".rstrip()


type Kinds = Mapping[Area | Floor | None, Counter[str]]

# Home Assistant's own instructions speak of the "static context below".
HEADING: Final = (
    "Static Context: the floors and areas of this home, and by kind the names of the "
    'devices in them. Behind "=" stand other names of the same.'
)
COUNTED: Final = (
    "Static Context: the floors and areas of this home, some devices by name, and how "
    'many others of each kind there are. Behind "=" stand other names of the same. '
    "Address devices that are not named by area or floor, and by domain and "
    "device_class."
)
CHOSEN: Final = "Devices of this home that this may be about, and what they are called:"
ROWS: Final = "What there is in the places that this may be about:"

# Kinds of which there are at most so many are rare.
RARE: Final = 3
_MOST_RARE: Final = 60
_WHOLE: Final = "Whole home"
_NONE: Final[Counter[str]] = Counter()
_NO_FLOOR: Final = "No floor"
_NO_AREA: Final = "No area"
# Domains of what only tells something.
TELLING: Final = {"binary_sensor", "sensor"}
# What would make a name look like more than one, or like a line of its own.
_AMBIGUOUS: Final = re.compile(r'[;=:"]|^[-\s]|\s$')


def in_full(things: Iterable[Thing], areas: Sequence[Area] | None = None) -> str:
    """Return the names of things in their order; with `areas`, empty ones too."""
    named = _named(things)
    places = list(named) if areas is None else [*areas, *({None} & named.keys())]
    return "\n".join(
        f"{heading}:{''.join(named[area])}" if area in named else heading
        for area, heading in _headed(places)
    )


def _named(things: Iterable[Thing]) -> dict[Area | None, list[str]]:
    """Return the lines of each area that has things: a kind and its names."""
    kinds: dict[Area | None, dict[str, list[str]]] = {}
    for thing in things:
        rows = kinds.setdefault(thing.area, {})
        rows.setdefault(thing.kind, []).append(written(thing.names))
    return {
        area: [f"\n  {kind}: {'; '.join(names)}" for kind, names in rows.items()]
        for area, rows in kinds.items()
    }


def counted(texts: Sequence[str], areas: int, limit: int) -> str:
    """Return the longest text of `all_counted` of at most `limit` characters."""
    for text in texts:
        if len(text) <= limit:
            return text
    return f"{text[:limit].rpartition('\n')[0]}\n- ... ({areas} areas)"


def all_counted(
    kinds: Kinds, areas: Sequence[Area], things: Iterable[Thing]
) -> tuple[str, ...]:
    """Return the numbers of things in each area, and those of the whole home.

    Both with the names of what is rare, which is not counted; the last without.
    """
    places = [*areas, *({None} & kinds.keys())]
    whole = sum((kinds.get(area, _NONE) for area in places), _NONE)
    rare = _rare(tuple(things), whole)
    named = _named(rare)
    others = {
        area: own - Counter(thing.kind for thing in rare if thing.area == area)
        for area, own in kinds.items()
    }
    headed = list(_headed(places))
    each: list[str] = []
    less = [f"{_WHOLE}: {_numbers(whole)}"]
    for area, heading in headed:
        names = "".join(named.get(area, ()))
        own = f" {_numbers(others.get(area, _NONE))}".rstrip() + names
        each.append(f"{heading}:{own}" if own else heading)
        less.append(f"{heading}:{names}" if names else heading)
    least = (less[0], *(heading for _area, heading in headed))
    return "\n".join(each), "\n".join(less), "\n".join(least)


def _rare(things: Sequence[Thing], kinds: Mapping[str, int]) -> list[Thing]:
    """Return what is named, in order: rare kinds, names that are like no others."""
    words = {thing: beginnings(" ".join(thing.names)) for thing in things}
    uses = Counter(word for own in words.values() for word in own)
    found = [
        (kinds[thing.kind] > RARE, thing.domain in TELLING, kinds[thing.kind], place)
        for place, thing in enumerate(things)
        if kinds[thing.kind] <= RARE or all(uses[word] == 1 for word in words[thing])
    ]
    places = sorted(row[-1] for row in sorted(found)[:_MOST_RARE])
    return [things[place] for place in places]


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


# With several APIs 2026.11 names the tools of each, which are described anyway.
_NAMES: Final = re.compile(
    r'^(Follow these instructions for tools from "[^"\n]*") \(.*\):$', re.MULTILINE
)


def without_names(prompt: str) -> str:
    """Return the prompt of several APIs without the names of their tools."""
    return _NAMES.sub(r"\1:", prompt)
