"""What of the home, and which tools, a request describes for this sentence.

Scores, where the person is and what was touched lately decide, within a budget. What is
left out can still be found and called.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
import re
from typing import Final

from .description import (
    CHOSEN,
    COUNTED,
    HEADING,
    TELLING,
    Area,
    Floor,
    Thing,
    counted,
    in_full,
    rows,
)
from .home import Home
from .scorer import Index

# Up to so many things are all described.
SMALL_HOME: Final = 60
# So many are described in any case.
_LEAST_THINGS: Final = 12
_LEAST_TOOLS: Final = 5
_MOST_RECENT: Final = 8
# So many of the likeliest things tell the domains.
_THINGS_FOR_DOMAINS: Final = 3
# How much of the name of an area or floor was said, surely and perhaps.
_SURE_PLACE: Final = 0.6
_MAYBE_PLACE: Final = 0.3
# Characters: the least that a part has, and its share of what the fixed parts leave.
_LEAST_STRUCTURE: Final = 1_000
_STRUCTURE_SHARE: Final = 0.3
_CORE_SHARE: Final = 0.6
# The most that a part has.
_MOST_ROWS: Final = 900
_MOST_NAMES: Final = 1_300
_MOST_THINGS: Final = 120

_NOT_LISTED: Final = "Not described here, but each of these tools can be called: "
_WORD_BREAK: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """What was said, and where."""

    sentence: str
    before: str = ""
    """What the person said before in this conversation."""
    area_id: str | None = None
    recent: Sequence[str] = ()
    """The entities touched in this conversation, the latest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolPart:
    """A tool as a part of the request."""

    name: str
    shown: str
    """As the model is to write it."""
    arguments: Sequence[str] = ()
    title: str
    text: str
    choices: Sequence[str] = ()
    """The names of lists and calendars in its arguments."""
    domain: str
    characters: int
    is_needed: bool = False
    """Described whatever is said."""
    is_own: bool = False
    """One of Home Assistant's own for a domain, neither a script nor of a server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptScope:
    """What a request describes."""

    home: str = ""
    """The same from turn to turn."""
    sentence: str = ""
    """What is described for this sentence."""
    tools: frozenset[str] = frozenset()
    """The full names of the described tools."""
    always: frozenset[str] = frozenset()
    """Those of them that are described whatever is said."""
    chosen: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Chosen things and tools, the likeliest first; empty if nothing is left out."""
    things_left_out: int = 0
    tools_left_out: tuple[ToolPart, ...] = ()

    @property
    def is_partial(self) -> bool:
        """Return whether anything was left out that may be needed."""
        return bool(self.things_left_out or self.tools_left_out)


def choose(
    home: Home,
    utterance: Utterance,
    tools: Sequence[ToolPart],
    *,
    fixed: int,
    budget: int,
    search: int = 0,
) -> PromptScope:
    """Choose what a request describes; all sizes are in characters.

    `budget` is that of all, `fixed` of what is always there beside home and tools,
    `search` of the tool that finds what is left out.
    """
    full = f"{HEADING}\n{home.full}"
    is_small = len(home.things) <= SMALL_HOME
    every = sum(tool.characters for tool in tools)
    if is_small and every <= budget - fixed - len(full):
        names_of_all = frozenset(tool.name for tool in tools)
        return PromptScope(home=full, tools=names_of_all, always=names_of_all)
    needed = [tool for tool in tools if tool.is_needed]
    some = [tool for tool in tools if not tool.is_needed]
    room = max(0, budget - fixed - search - sum(tool.characters for tool in needed))
    names = min(_MOST_NAMES, len(_listed(some, _MOST_NAMES)))
    limit = max(_LEAST_STRUCTURE, int(room * _STRUCTURE_SHARE))
    ranked = home.rank(utterance.sentence, utterance.before)
    places = _named_places(home, utterance)
    parts: list[str] = []
    core, others = _likely_things(home, utterance, ranked, places)
    if is_small and len(full) + names <= room:
        text, core, others = full, [], []
    else:
        numbers = counted(home.counted, len(home.areas), limit - len(COUNTED))
        text = f"{COUNTED}\n{numbers}"
        if not text.endswith(home.counted[0]):
            parts.append(rows(home.kinds, places, _MOST_ROWS))
    room -= len(text) + sum(map(len, parts)) + names
    least = min(len(in_full(core)), int(room * _CORE_SHARE))
    domains = _likely_domains(home, utterance, ranked, places)
    first, spare = _likely_tools(home, utterance, some, domains)
    chosen = _fitting(first, room - least, least=_LEAST_TOOLS)
    room -= sum(tool.characters for tool in chosen)
    picks = _fitting_things((*core, *others), room)
    picked = {*picks}
    if shown := in_full(thing for thing in home.things if thing in picked):
        parts.append(f"{CHOSEN}\n{shown}")
        room -= len(parts[-1]) + 2
    chosen += _fitting((tool for tool in spare if tool not in chosen), room)
    always = frozenset(tool.name for tool in needed)
    described = always | {tool.name for tool in chosen}
    # Scripts speak the language of the home: a search finds them by any words.
    hidden = sorted(
        (tool for tool in some if tool.name not in described),
        key=lambda tool: tool.domain == "script",
    )
    parts.append(_listed(hidden, names))
    return PromptScope(
        home=text,
        sentence="\n\n".join(filter(None, parts)),
        tools=described,
        always=always,
        chosen={
            "things": [thing.name for thing in picks],
            "tools": [tool.shown for tool in chosen],
        },
        things_left_out=len(home.things) - len(picks) if text is not full else 0,
        tools_left_out=tuple(hidden),
    )


def _likely_things(
    home: Home,
    utterance: Utterance,
    ranked: Sequence[tuple[Thing, int]],
    places: Mapping[Area | Floor, float],
) -> tuple[list[Thing], list[Thing]]:
    """Return the likely things, and others, the likeliest first."""
    scores = dict(ranked)
    named = [thing for thing, _score in ranked[: 3 * _MOST_THINGS]]
    recent = [home.by_id[item] for item in utterance.recent if item in home.by_id]
    # "And the other one" means something like the last.
    alike = [
        thing
        for last in recent[:1]
        for thing in home.by_area[last.area]
        if thing.kind == last.kind
    ]
    here = [
        thing
        for area in home.areas
        if area.area_id == utterance.area_id
        for thing in home.by_area.get(area, ())
    ]
    near = [
        thing
        for area in sorted(home.areas, key=lambda area: -places.get(area, 0))
        if max(places.get(area, 0), places.get(area.floor, 0) if area.floor else 0)
        >= _SURE_PLACE
        for thing in home.by_area.get(area, ())
        if area.area_id != utterance.area_id
    ]
    for some in (here, near):
        # What one can act on, then what tells something; what there are few of first.
        some.sort(
            key=lambda thing: (
                thing.domain in TELLING,
                home.kinds[thing.area][thing.kind],
                -scores.get(thing, 0),
            )
        )
    core = recent[:_MOST_RECENT] + named[:_LEAST_THINGS]
    return [*core, *alike[:_MOST_RECENT], *here], [*near, *named[_LEAST_THINGS:]]


def _fitting_things(things: Iterable[Thing], limit: int) -> list[Thing]:
    picks = list(dict.fromkeys(things))[:_MOST_THINGS]

    def size(count: int) -> int:
        return len(CHOSEN) + len(in_full(picks[:count]))

    count = bisect_right(range(1, len(picks) + 1), limit, key=size)
    return picks[: max(count, _LEAST_THINGS)]


def _named_places(home: Home, utterance: Utterance) -> dict[Area | Floor, float]:
    """Return the share of a name that was said, the largest first; 1 for here."""
    every: tuple[Area | Floor, ...] = (*home.areas, *home.floors)
    found = {
        every[position]: share
        for position, share in home.places.shares(
            [f"{utterance.sentence}\n{utterance.before}"]
        ).items()
        if share >= _MAYBE_PLACE
    }
    found |= {area: 1.0 for area in home.areas if area.area_id == utterance.area_id}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _likely_domains(
    home: Home,
    utterance: Utterance,
    ranked: Sequence[tuple[Thing, int]],
    places: Mapping[Area | Floor, float],
) -> list[str]:
    found = [thing.domain for thing, _score in ranked[:_THINGS_FOR_DOMAINS]]
    found += [
        home.by_id[item].domain
        for item in utterance.recent[:_THINGS_FOR_DOMAINS]
        if item in home.by_id
    ]
    for place in places:
        found += [kind.partition(" ")[0] for kind in home.kinds.get(place, ())]
    return list(dict.fromkeys(found))


def _likely_tools(
    home: Home, utterance: Utterance, some: Sequence[ToolPart], domains: Sequence[str]
) -> tuple[list[ToolPart], list[ToolPart]]:
    """Return the likely tools, and others, the likeliest first."""
    names = tuple((_WORD_BREAK.sub(" ", x.shown), x.title, *x.choices) for x in some)
    texts = tuple(
        "\n".join((*own, tool.text, home.titles.get(tool.domain, "")))
        for own, tool in zip(names, some, strict=True)
    )
    found = [
        some[position]
        for position, _score in _index(texts, names).rank(
            (utterance.sentence, utterance.before)
        )
    ]
    # What is short comes first: more of it fits.
    own = sorted((tool for tool in some if tool.is_own), key=lambda t: t.characters)
    near = [tool for domain in domains for tool in own if tool.domain == domain]
    return [*found[:1], *near, *found[:_LEAST_TOOLS]], [*found, *own]


# The tools are nearly always the same, and to index them takes some 10 ms.
@lru_cache(maxsize=8)
def _index(texts: tuple[str, ...], names: tuple[tuple[str, ...], ...]) -> Index:
    return Index(texts, names)


def _fitting(tools: Iterable[ToolPart], limit: int, least: int = 0) -> list[ToolPart]:
    picks: list[ToolPart] = []
    for tool in tools:
        if tool not in picks and (tool.characters <= limit or len(picks) < least):
            limit -= tool.characters
            picks.append(tool)
    return picks


def _listed(tools: Iterable[ToolPart], limit: int) -> str:
    names = [
        tool.shown.rpartition(":")[2]
        + (f"({', '.join(tool.arguments)})" if tool.arguments else "")
        for tool in tools
    ]
    text = _NOT_LISTED + ", ".join(names) if names else ""
    if len(text) <= limit:
        return text
    kept = text[: limit - len(", and 100 more")].rpartition(", ")[0]
    return f"{kept}, and {len(names) - kept.count(', ') - 1} more"
