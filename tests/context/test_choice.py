"""What is described for a sentence: enough of everything, and why."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from custom_components.lumo.context.choice import (
    PromptScope,
    ToolPart,
    Utterance,
    choose,
)
from custom_components.lumo.context.description import Area, Floor, Thing
from custom_components.lumo.context.home import Home, make_home

UP, DOWN = Floor("up", ("Upstairs",), 1), Floor("down", ("Downstairs",), 0)
ROOMS = ("Kitchen", "Bedroom", "Office", "Bathroom", "Nursery", "Hallway")
KINDS = {
    "Ceiling light": ("light", ""),
    "Floor lamp": ("light", ""),
    "Blind": ("cover", "blind"),
    "Window": ("binary_sensor", "window"),
    "Temperature": ("sensor", "temperature"),
    "Plug": ("switch", "outlet"),
}


@cache
def make(things_in_each: int) -> Home:
    """Return a home of six rooms with so many things each, all of six kinds."""
    areas = tuple(
        Area(name.lower(), (name,), UP if name == "Bedroom" else DOWN) for name in ROOMS
    )
    kinds = list(KINDS.items())
    things = tuple(
        Thing(
            f"{domain}.{area.area_id}_{number}",
            (f"{area.name} {name} {number}",),
            domain,
            device_class,
            area,
        )
        for area in areas
        for number in range(things_in_each)
        for name, (domain, device_class) in [kinds[number % len(kinds)]]
    )
    return make_home(things, areas, (DOWN, UP), {"light": "Light"})


SMALL, LARGE = make(10), make(60)


def tool(name: str, text: str = "", **more: Any) -> ToolPart:
    """Return a tool of 300 characters."""
    part = ToolPart(
        name=name,
        shown=name,
        title="",
        text=text,
        domain=name.partition("__")[0],
        characters=300,
    )
    return replace(part, **more)


TURN_ON = tool("intent__HassTurnOn", is_needed=True)
PAUSE = tool("media_player__HassMediaPause", "Pauses", is_own=True)
SCRIPTS = [tool(f"script__scene_{word}", word) for word in "abcdefghijklmnopqrst"]
PARTY = tool("script__movie_night", "Movie night: dims, closes, starts the film")
TOOLS = [TURN_ON, PAUSE, *SCRIPTS, PARTY]


def chosen(
    sentence: str, home: Home = LARGE, budget: int = 20_000, **said: Any
) -> PromptScope:
    """Choose for a sentence, beside 5,000 fixed characters."""
    return choose(
        home, Utterance(sentence=sentence, **said), TOOLS, fixed=5_000, budget=budget
    )


def test_nothing_is_left_out_where_all_fits() -> None:
    home = SMALL
    choice = chosen("turn on the light", home)
    assert not choice.is_partial
    assert choice.tools == choice.always == {tool.name for tool in TOOLS}
    assert choice.sentence == ""
    assert all(thing.name in choice.home for thing in home.things)


def test_the_structure_is_the_same_for_every_sentence() -> None:
    first, second = chosen("turn on the office plug"), chosen("movie night")
    assert first.home == second.home
    assert "- Bathroom: light 20, cover blind 10" in first.home
    assert first.sentence != second.sentence


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ({"sentence": "turn on office plug 17"}, "Office Plug 17"),
        ({"sentence": "turn on ofice pluck 17"}, "Office Plug 17"),
        (
            {"sentence": "and the other one", "before": "office plug 17 on"},
            "Office Plug 17",
        ),
        ({"sentence": "turn everything off upstairs"}, "Bedroom Blind 32"),
        ({"sentence": "is it warm in the bedroom"}, "Bedroom Blind 32"),
        ({"sentence": "lights out", "area_id": "nursery"}, "Nursery Blind 2"),
        ({"sentence": "and off", "recent": ["switch.hallway_5"]}, "Hallway Plug 5"),
    ],
)
def test_things_are_described_by_what_was_said(
    said: dict[str, Any], named: str
) -> None:
    choice = chosen(**said)
    assert named in choice.chosen["things"]
    assert named in choice.sentence
    assert choice.is_partial


def test_some_things_and_tools_are_described_for_any_sentence() -> None:
    """The best of them, though nothing fits."""
    choice = chosen("xyzzy qqq light", budget=5_000)
    assert len(choice.chosen["things"]) == 12
    choice = chosen("a scene", budget=5_000)
    assert len(choice.chosen["tools"]) == 5
    assert TURN_ON.name in choice.tools


def test_tools_are_described_by_what_was_said() -> None:
    """A script by its words; those that are not are named, and all can be counted."""
    choice = chosen("start the movie night")
    assert choice.chosen["tools"][0] == PARTY.name
    assert PARTY.name in choice.tools
    assert len(choice.tools_left_out) + len(choice.tools) == len(TOOLS)
    assert all(part.shown in choice.sentence for part in choice.tools_left_out)


def test_a_calendar_s_name_is_as_good_as_its_tool_s() -> None:
    """It stands among what an argument may be chosen from."""
    events = tool("calendar__get_events", "Gets events", choices=("Rubbish", "Family"))
    choice = choose(
        LARGE,
        Utterance(sentence="what is on rubbish"),
        [*TOOLS, events],
        fixed=5_000,
        budget=12_000,
    )
    assert choice.chosen["tools"][0] == events.name


def test_an_empty_home_can_be_described() -> None:
    """Its tools are chosen all the same."""
    choice = chosen("start the movie night", make_home((), (), (), {}), 6_000)
    assert not choice.things_left_out
    assert choice.tools_left_out


@pytest.mark.parametrize("budget", [9_000, 12_000, 20_000, 30_000])
@pytest.mark.parametrize("things", [10, 60, 300])
def test_the_budget_holds(things: int, budget: int) -> None:
    choice = chosen("turn everything off in the kitchen", make(things), budget)
    size = sum(part.characters for part in TOOLS if part.name in choice.tools)
    assert 5_000 + len(choice.home) + len(choice.sentence) + size <= budget


def test_the_trace_tells_what_was_chosen() -> None:
    choice = chosen("turn on office plug 17")
    assert choice.things_left_out >= 200
    assert choice.chosen["things"][0] == "Office Plug 17"
