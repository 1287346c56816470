"""Tell what is in the home: find in it, and tools of Home Assistant that answer better.

Where the live context is too long, it is an overview. Where nothing matches an intent, the
refusal says what there is: "No entities matched the name" makes a model write the same
call again.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import batched, groupby
from operator import attrgetter
import re
from textwrap import shorten
from typing import Any, Final, NamedTuple, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent, llm
from homeassistant.util.json import JsonObjectType

from ..const import DOMAIN
from ..context.description import Thing
from ..context.home import AT_ONCE, Home, async_get_home, is_called
from ..context.scorer import Index
from ..gate.effects import number_of
from ..gate.names import given_in
from ..gate.own_tool import Arguments, Result, unwrapped
from ..gate.places import Scope
from ..internals import exposed_entities, listing
from ..text import as_compared
from ..tool_calling.json_text import one_line
from ..tool_calling.prompted import RESULT_LIMIT
from .ability import Ability, schema
from .finder import Finder, UnclearError, nearest

LIVE_CONTEXT: Final = "homeassistant__GetLiveContext"
# In place of Home Assistant's description: its prompt says at length when to use it.
LIVE_USE: Final = (
    "The CURRENT state, value or mode of devices, sensors and areas: for questions about "
    "now, and before an action on a condition. Filter by name, area or domain."
)
# Room that the wrapping of the text takes.
_LIMIT: Final = RESULT_LIMIT - 200
# More than this do not fit, at the characters that Home Assistant takes for each.
_MANY: Final = 200
_LOW_BATTERY_PERCENT: Final = 30

# Their state is a value, not something that is on or off; so is a number or a moment.
_VALUES: Final = frozenset(
    {"input_select", "input_text", "select", "sensor", "sun", "text"}
)
_AT_REST: Final = frozenset(
    {"closed", "docked", "idle", "locked", "not_home", "off", "standby", "unknown"}
)
# For these it is good, or usual, to be on.
_BETTER_ON: Final = frozenset({"automation", "connectivity", "schedule"})
_GONE: Final = "unavailable"
# The attributes that are told beside a state.
_TOLD: Final = (
    *("brightness_pct", "current_position", "percentage"),
    *("current_temperature", "temperature", "media_title"),
)
_DIGITS: Final = frozenset("-0123456789")
# What would be taken for the end of a name.
_QUOTED: Final = re.compile(r"[,;:()\[\]\"\n\r]|^\s|\s$|^$")

_HEAD: Final = (
    "Live Context: the home has {count} exposed entities, too many to describe each. "
    "Everything that is on, open, unlocked, detected, active, wrong or unavailable, and "
    f"every battery at {_LOW_BATTERY_PERCENT} % or less, is under 'Not at rest'. Of a binary sensor, on "
    "means open, detected, wet, low or a problem."
)
_FOOT: Final = (
    "For every detail of an entity call this tool again with its name, or with an area "
    "or a domain."
)
_MAX_NAMES: Final = 4
_MAX_CHARACTERS: Final = 300
_HOW: Final = "Write one of these names alone, or an area and a domain without a name."
_OTHER_TOOL: Final = "Call the tool that is for such things; set takes all kinds."
_ALL_OF: Final = "For all of these write area {area} and domain {domain}, and no name: "
_MAX_TOOLS: Final = 5
_MAX_DESCRIPTION: Final = 200
# What scores less than this share of the best only looks like it.
_SHARE: Final = 0.25


def answering(tool: llm.Tool, scope: Scope | None = None) -> llm.Tool:
    """Return what runs for a tool: it, or what answers better of what may be read."""
    own = unwrapped(tool)
    if isinstance(own, llm.IntentTool):
        return _MatchingTool(tool, scope)
    return _LiveContextTool(tool, scope) if own.name == LIVE_CONTEXT else tool


class _WrappedTool(llm.NamespacedTool):
    """A tool of Home Assistant that answers differently; the gate sees the original."""

    def __init__(self, tool: llm.Tool, scope: Scope | None) -> None:
        super().__init__("", tool)
        self._scope = scope
        self.name = tool.name

    async def async_home(
        self, hass: HomeAssistant, _call: llm.ToolInput, context: llm.LLMContext
    ) -> Home:
        """Return the home in the language of a call."""
        language = context.language or hass.config.language
        return await async_get_home(hass, language, self._scope)


class _MatchingTool(_WrappedTool):
    @override
    async def async_call(self, *given: Any) -> llm.ToolResult | JsonObjectType:
        try:
            return await super().async_call(*given)
        except intent.MatchFailedError as err:
            home = await self.async_home(*given)
            raise HomeAssistantError(_what_there_is(home, err.constraints)) from err


def _what_there_is(home: Home, wanted: intent.MatchTargetsConstraints) -> str:
    name, places, problem = wanted.name or "", {}, "Nothing matches. "
    for kind, written, known in (
        ("area", wanted.area_name, home.areas),
        ("floor", wanted.floor_name, home.floors),
    ):
        if written and any(is_called(place, written) for place in known):
            places[kind] = written
        elif written:
            problem = f"There is no {kind} {written}. "
            if not name:
                return problem + nearest(written, [place.name for place in known])
    by_name = [home.find(name, **places), home.find(name)] if name else []
    there = {
        thing: (
            as_compared(name) not in map(as_compared, thing.names),
            thing.domain not in (wanted.domains or ()),
        )
        for found in (*by_name, home.find(**places))
        for thing, _score in found
    }
    if not there:
        return f"{problem}There is no such thing."
    best = sorted(there, key=lambda thing: there[thing])[:_MAX_NAMES]
    first, alike = best[0], []
    if there[first] == (False, True) and wanted.domains:
        # The model wrote the right name into the wrong tool.
        domains = " or ".join(sorted(wanted.domains))
        return f"{first.names[0]} is a {first.domain}, no {domains}. {_OTHER_TOOL}"
    if area := first.area:
        alike = [x.name for x in best if (x.area, x.domain) == (area, first.domain)]
    if area and alike[1:]:
        # "The kitchen lights": one of the names would be too few.
        all_of = _ALL_OF.format(area=area.name, domain=first.domain)
        listed = f"{', '.join(alike)}. For one of them write its name alone"
    else:
        all_of, listed = "There is: ", f"{', '.join(map(_shortly, best))}. {_HOW}"
    return shorten(f"{problem}{all_of}{listed}", _MAX_CHARACTERS, placeholder=" ...")


def _shortly(thing: Thing) -> str:
    where = f" in {thing.area.name}" if thing.area else ""
    return f"{thing.names[0]} (a {thing.domain}{where})"


class _LiveContextTool(_WrappedTool):
    @override
    async def async_call(self, *given: Any) -> llm.ToolResult | JsonObjectType:
        hass, tool_input, context = given
        things = (await self.async_home(*given)).things
        states = [x for item in things if (x := hass.states.get(item.entity_id))]
        if states and (wanted := {**given_in(tool_input.tool_args)}):
            wanted["kind"] = wanted.get("domain")
            try:
                # In a large home it takes long.
                states = await hass.async_add_executor_job(
                    lambda: Finder(hass, states).all(wanted, reads=True)
                )
            except UnclearError as err:
                return llm.ToolResult(data={"error": str(err)}, error=True)
        if len(states) <= _MANY:
            await asyncio.sleep(0)
            found = await super().async_call(listing(hass, states), tool_input, context)
            data = found.data if isinstance(found, llm.ToolResult) else found
            if len(one_line(data.get("result", ""))) <= _LIMIT:
                return found
        listed: dict[str, dict[str, Any]] = {}
        for some in batched(states, AT_ONCE, strict=False):
            await asyncio.sleep(0)
            listed |= exposed_entities(hass, some)
        text = await hass.async_add_executor_job(overview, things, listed)
        return llm.ToolResult(data={"result": text})


class _Row(NamedTuple):
    """An entity in the overview."""

    place: str
    kind: str
    state: str
    """Empty if it is a value."""
    text: str
    is_named: bool
    """Not at rest, so always named."""


def overview(things: Iterable[Thing], listed: Mapping[str, Mapping[str, Any]]) -> str:
    """Return what entities, ordered by area, are doing, as far as there is room."""
    told = [thing for thing in things if thing.entity_id in listed]
    rows = [_row(thing, listed[thing.entity_id]) for thing in told]
    lines = [_HEAD.format(count=len(rows)), f"Totals: {_totals(rows)}"]
    for title, is_named in (("Not at rest:", True), ("The rest:", False)):
        there = _by_place(row for row in rows if row.is_named is is_named)
        room = _LIMIT - len(one_line("\n".join((*lines, title, _FOOT))))
        lines += [title, *_fitting([*there] or ["- nothing"], room)]
    return "\n".join((*lines, _FOOT))


def _fitting(lines: Sequence[str], room: int) -> list[str]:
    told: list[str] = []
    for line in lines:
        room -= len(one_line(line)) + 2
        if room < 0:
            return [*told, f"and {len(lines) - len(told)} more"]
        told.append(line)
    return told


def _row(thing: Thing, listed: Mapping[str, Any]) -> _Row:
    place = "Without an area"
    if area := thing.area:
        floor = f" ({_quoted(area.floor.name)})" if area.floor else ""
        place = f"{_quoted(area.name)}{floor}"
    kind = thing.kind
    if thing.device_class and thing.domain in ("binary_sensor", "sensor"):
        kind = thing.device_class
    state, more = listed["state"], listed.get("attributes", {})
    details: list[str] = []
    if state == _GONE:
        is_named = True
    elif thing.domain in _VALUES or state[:1] in _DIGITS:
        level = number_of(state) if kind == "battery" else None
        is_named = level is not None and level <= _LOW_BATTERY_PERCENT
        details = [state, more.get("unit_of_measurement", "")]
        state = ""
    else:
        is_named = state != "on" if kind in _BETTER_ON else state not in _AT_REST
        shown = [key for key in _TOLD if more.get(key) is not None]
        details = [f"{key} {_quoted(str(more[key]))}" for key in shown]
    text = " ".join(filter(None, (_quoted(thing.name), *details)))
    return _Row(place, kind, state, text, is_named)


def _totals(rows: Iterable[_Row]) -> str:
    kinds: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        kinds[row.kind][row.state or ("low" if row.is_named else "")] += 1
    return "; ".join(
        f"{kind} {counts.total()}"
        + "".join(f", {count} {state}" for state, count in counts.items() if state)
        for kind, counts in kinds.items()
    )


def _by_place(rows: Iterable[_Row]) -> Iterator[str]:
    what = attrgetter("kind", "state")
    for place, here in groupby(rows, attrgetter("place")):
        parts = [
            f"{' '.join(kind).rstrip()}: {', '.join(row.text for row in group)}"
            for kind, group in groupby(sorted(here, key=what), what)
        ]
        yield f"- {place}: {'; '.join(parts)}"


def _quoted(name: str) -> str:
    """Return a name so that its end can be seen."""
    return one_line(name) if _QUOTED.search(name) else name


class FindInHome(Ability):
    """Searches all that is exposed, and offers tools that were not described."""

    name = f"{DOMAIN}__find_in_home"
    title = "Find in home"
    description = (
        "Find devices, sensors, scenes and tools that are not listed here, with their "
        "names and states. Use it before you say that something is not there."
    )
    parameters = schema("words", "area", "floor", "kind: light|window|battery|...")

    @override
    def is_useful(self) -> bool:
        # A request describes it only where it leaves something out.
        return self.context.hass is not None

    @override
    async def async_run(self, arguments: Arguments, context: llm.LLMContext) -> Result:
        wanted: dict[str, str] = self.parameters(given_in(arguments))
        language = context.language or self.hass.config.language
        home = await async_get_home(self.hass, language, self.context.scope)
        found = [_told_of(self.hass, home, thing) for thing in _find(home, wanted)]
        data: dict[str, Any] = {"found": found}
        for key in ("area", "floor"):
            if (place := wanted.get(key)) and not home.find(**{key: place}):
                data.setdefault("nothing_is_in", []).append(f"{key} {place}")
        if tools := self._tools(wanted.get("words", "")):
            data["tools"] = tools
        return data

    def _tools(self, words: str) -> list[dict[str, str]]:
        hidden = list(self.context.hidden.items())
        ranked = Index(
            [tool.text for _, tool in hidden],
            [(tool.title, shown) for shown, tool in hidden],
        ).rank([words])
        told: list[dict[str, str]] = []
        for position in _relevant(ranked)[:_MAX_TOOLS]:
            shown, tool = hidden[position]
            self.context.offer(tool.name)
            description = (tool.text or tool.title)[:_MAX_DESCRIPTION]
            told.append({"name": shown, "description": description})
        return told


def _find(home: Home, wanted: Mapping[str, str]) -> list[Thing]:
    places = {key: wanted.get(key, "") for key in ("area", "floor", "kind")}
    words = wanted.get("words", "")
    return _relevant(
        home.find(words, **places)
        # The words may only repeat the rest, or the rest not be its name.
        or home.find(" ".join((words, *places.values())).strip())
    )


def _relevant[T](ranked: Sequence[tuple[T, int]]) -> list[T]:
    least = max((score for _, score in ranked), default=0) * _SHARE
    return [item for item, score in ranked if score >= least]


def _told_of(hass: HomeAssistant, home: Home, thing: Thing) -> dict[str, str]:
    is_one_of_several = any(
        other is not thing and other.name == thing.name and other.domain == thing.domain
        for other in home.by_area[thing.area]
    )
    area, state = thing.area, hass.states.get(thing.entity_id)
    unit = state.attributes.get("unit_of_measurement") if state else None
    told = {
        # Nothing else tells it from the other.
        "name": thing.entity_id if is_one_of_several else thing.name,
        "area": area.name if area else "",
        "floor": area.floor.name if area and area.floor else "",
        "kind": thing.kind,
        "state": f"{state.state} {unit or ''}".rstrip() if state else "",
    }
    return {key: text for key, text in told.items() if text}
