"""Names of tools in both directions."""

import re

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.tool_calling.naming import SERVER_TOOL_NAMES, ToolNames

ASSIST = (
    "calendar__get_events",
    "climate__HassClimateSetTemperature",
    "homeassistant__GetLiveContext",
    "intent__HassCancelAllTimers",
    "intent__HassTurnOff",
    "intent__HassTurnOn",
    "light__HassLightSet",
    "llm__GetDateTime",
    "script__good_night",
    "script__kitchen",
    "todo__get_items",
)

OFFERED = re.compile(r"[A-Za-z0-9_-]{1,64}")


@pytest.mark.parametrize(
    ("full_names", "offered"),
    [
        pytest.param(
            ASSIST,
            {
                "intent__HassTurnOff": "HassTurnOff",
                "homeassistant__GetLiveContext": "GetLiveContext",
                "script__good_night": "good_night",
                "todo__get_items": "get_items",
            },
            id="the last segment of Home Assistant's names",
        ),
        pytest.param(
            ("assist__intent__HassTurnOff", "my-api__ping"),
            {"assist__intent__HassTurnOff": "HassTurnOff", "my-api__ping": "ping"},
            id="several APIs on 2026.10",
        ),
        pytest.param(
            ("a__x__run", "b__y__run", "c__y__run"),
            {name: name for name in ("a__x__run", "b__y__run", "c__y__run")},
            id="the whole name where the last segment is another's, too",
        ),
        pytest.param(
            ("a__turn_on", "b__TurnOn"),
            {"a__turn_on": "a__turn_on", "b__TurnOn": "b__TurnOn"},
            id="tails that differ only in case and underscores are not unique",
        ),
        pytest.param(
            ("run", "a__run"),
            {"run": "run", "a__run": "a__run"},
            id="a whole name that is the tail of another",
        ),
        pytest.param(
            ("Light", "light", "LI_GHT"),
            {"Light": "Light", "light": "light", "LI_GHT": "LI_GHT"},
            id="whole names that differ only in case and underscores",
        ),
        pytest.param(
            ("files.read", "Küche öffnen", "a/b c"),
            {
                "files.read": "files_read",
                "Küche öffnen": "Kuche_offnen",
                "a/b c": "a_b_c",
            },
            id="characters that services refuse",
        ),
        pytest.param(
            ("a b", "a_b"), {"a_b": "a_b"}, id="a name that needs no change keeps it"
        ),
        pytest.param(
            ("weather", "web__web_search"),
            {"weather": "home_weather", "web__web_search": "web__web_search"},
            id="names of Lumo's own tools are not given away",
        ),
        pytest.param(("__", "a__"), {"__": "__", "a__": "a__"}, id="empty segments"),
    ],
)
def test_offered_name(full_names: tuple[str, ...], offered: dict[str, str]) -> None:
    """Offer the shortest name that cannot mean another tool."""
    for order in (full_names, full_names[::-1]):
        names = ToolNames(order)
        assert {full: names.offered(full) for full in offered} == offered


def test_names_that_have_to_be_made_up_are_told_apart_by_a_hash() -> None:
    """Give unreadable, too long and colliding names a name of their own."""
    full_names = ["开灯", "关灯", "", "💡", "a b", "a.b", "x" * 80, "x" * 80 + "y"]
    names = ToolNames(full_names)
    offered = [names.offered(full) for full in full_names]
    assert len(set(offered)) == len(full_names)
    assert all(OFFERED.fullmatch(name) for name in offered)
    assert [ToolNames(full_names[::-1]).offered(full) for full in full_names] == offered


@pytest.mark.parametrize(
    ("written", "full"),
    [
        ("HassTurnOff", "intent__HassTurnOff"),
        ("user:HassTurnOff", "intent__HassTurnOff"),
        ("intent__HassTurnOff", "intent__HassTurnOff"),
        ("user:intent__HassTurnOff", "intent__HassTurnOff"),
        ("intent_HassTurnOff", "intent__HassTurnOff"),
        ("assist__intent__HassTurnOff", "intent__HassTurnOff"),
        ("hass_turn_off", "intent__HassTurnOff"),
        ("HASSTURNOFF", "intent__HassTurnOff"),
        ("Hass Turn Off", "intent__HassTurnOff"),
        ("hass-turn-off", "intent__HassTurnOff"),
        ("user.HassTurnOff", "intent__HassTurnOff"),
        ("user_HassTurnOff", "intent__HassTurnOff"),
        ("user__HassTurnOff", "intent__HassTurnOff"),
        ("User: HassTurnOff", "intent__HassTurnOff"),
        ("user:user:HassTurnOff", "intent__HassTurnOff"),
        ("functions.HassTurnOff", "intent__HassTurnOff"),
        ("functions.HassTurnOff:0", "intent__HassTurnOff"),
        ("default_api.HassTurnOff", "intent__HassTurnOff"),
        ("default_api.user:intent__HassTurnOff", "intent__HassTurnOff"),
        ("light.HassTurnOff", "intent__HassTurnOff"),
        (" `HassTurnOff` ", "intent__HassTurnOff"),
        ("HassTurnOff()", "intent__HassTurnOff"),
        ("Hass\\_Turn\\_Off", "intent__HassTurnOff"),
        ("get_items", "todo__get_items"),
        ("todo_get_items", "todo__get_items"),
        ("todo.get_items", "todo__get_items"),
        ("functions.get_items", "todo__get_items"),
        ("script.good_night", "script__good_night"),
        ("goodnight", "script__good_night"),
        ("kitchen", "script__kitchen"),
        # Entities, not the scripts of the same name.
        ("light.kitchen", None),
        ("switch.good_night", None),
        ("HassTurnOffAll", None),
        ("HassTurn", None),
        ("user:", None),
        ("", None),
        ("...", None),
        ("Kitchen light", None),
        ("HassTurnOff" * 100, None),
    ],
)
def test_written_name_resolves(written: str, full: str | None) -> None:
    """Understand the spellings that models use, and no others."""
    assert ToolNames(ASSIST).resolve(written) == full


@pytest.mark.parametrize(
    ("full_names", "written", "full"),
    [
        (("Light", "light"), "light", "light"),
        (("Light", "light"), "Light", "Light"),
        (("Light", "light"), "LIGHT", None),
        (("Light", "light"), "user:LIGHT", None),
        (("turn_on", "turnon"), "turn_on", "turn_on"),
        (("turn_on", "turnon"), "turnOn", None),
        (("a__run", "b__run"), "run", None),
        (("a__run", "b__run"), "b_run", "b__run"),
        (("a__run", "b__run"), "B.Run", "b__run"),
        (("run", "a__run"), "run", "run"),
        (("run", "a__run"), "RUN", "run"),
        (("run", "a__run"), "a.run", "a__run"),
        (("light", "user_light"), "user:light", "light"),
        (("light", "user_light"), "User:light", "light"),
        (("light", "user_light"), "user.light", "light"),
        (("light", "user_light"), "user_light", "user_light"),
        (("light", "user_light"), "user:user_light", "user_light"),
        (("volume+", "volume-"), "volume", "volume+"),
        (("volume+", "volume-"), "Volume", None),
        (("files.read", "files.write"), "files_read", "files.read"),
        (("files.read", "files.write"), "files.read", "files.read"),
    ],
)
def test_neighbours_are_not_mistaken_for_each_other(
    full_names: tuple[str, ...], written: str, full: str | None
) -> None:
    """Resolve exactly first, loosely only where one tool fits."""
    assert ToolNames(full_names).resolve(written) == full


@pytest.mark.parametrize("prefix", ["", "user:"])
def test_there_may_be_a_prefix(prefix: str) -> None:
    """Write and read names with it or without."""
    names = ToolNames(ASSIST, prefix)
    for full in ASSIST:
        assert names.prompted(full) == prefix + names.offered(full)
        assert names.resolve(names.prompted(full)) == full
        assert names.resolve(names.prompted(full).upper()) == full
        assert names.has_prefix(names.prompted(full)) is bool(prefix)
        assert names.has_prefix(names.offered(full)) is False


def test_tool_of_the_past_has_a_name_too() -> None:
    """Name a call in the history whose tool is not offered any more."""
    names = ToolNames(ASSIST)
    assert names.prompted("vacuum__HassVacuumStart") == "user:HassVacuumStart"
    assert names.prompted("a tool") == "user:a_tool"
    assert names.prompted("user:gone") == "user:gone"


@pytest.mark.parametrize(
    ("written", "closest"),
    [
        ("HassTurnOf", ["HassTurnOff", "HassTurnOn"]),
        ("user:HassTurnOffLight", ["HassTurnOff", "HassTurnOn"]),
        ("get_live_contxt", ["GetLiveContext", "get_events"]),
        ("switch.good_night", ["good_night"]),
        ("zzz", []),
        ("", []),
        ("!" * 10_000, []),
    ],
)
def test_closest_names(written: str, closest: list[str]) -> None:
    """Suggest what resembles the written name, and nothing else."""
    assert ToolNames(ASSIST).closest(written)[:2] == closest


def test_closest_names_of_an_ambiguous_one_are_its_owners() -> None:
    """Name all the tools that a name could have meant."""
    closest = ToolNames(["a__run", "b__run", "other"]).closest("run")
    assert sorted(closest) == ["a__run", "b__run"]


@pytest.mark.parametrize(
    ("text", "rewritten"),
    [
        (
            "Use intent__HassTurnOn to lock and intent__HassTurnOff to unlock.",
            "Use user:HassTurnOn to lock and user:HassTurnOff to unlock.",
        ),
        ("call GetLiveContext.", "call user:GetLiveContext."),
        ("call `GetLiveContext`:", "call `user:GetLiveContext`:"),
        ("(HassTurnOn, todo__get_items)", "(user:HassTurnOn, user:get_items)"),
        ("user:GetLiveContext", "user:GetLiveContext"),
        ("user:homeassistant__GetLiveContext", "user:GetLiveContext"),
        ("Run good_night at ten.", "Run good_night at ten."),
        # Words, entities, longer names, data.
        ("Turn on the kitchen light", "Turn on the kitchen light"),
        ("script.good_night, light.good_night", "script.good_night, light.good_night"),
        ("MyHassTurnOn HassTurnOns", "MyHassTurnOn HassTurnOns"),
        ("HassTurnOn.py a/HassTurnOn", "HassTurnOn.py a/HassTurnOn"),
        ("", ""),
    ],
)
def test_mentioned_tools_are_renamed(text: str, rewritten: str | None) -> None:
    """Rename whole names of tools, and no words."""
    expected = text if rewritten is None else rewritten
    names = ToolNames(ASSIST)
    assert names.rewrite(text, prompted=True) == expected
    assert names.rewrite(expected, prompted=True) == expected


def test_mentioned_tools_are_renamed_without_prefix_in_native_mode() -> None:
    """Rename to what the request offers."""
    names = ToolNames(ASSIST)
    text = "Use user:intent__HassTurnOn or HassTurnOff."
    assert names.rewrite(text, prompted=False) == "Use HassTurnOn or HassTurnOff."


def test_ambiguous_mentions_stay() -> None:
    """Leave a tail alone that several tools share."""
    names = ToolNames(["a__get_items", "b__get_items", "m__todo__list_all"])
    text = "get_items, a__get_items, todo__list_all"
    assert names.rewrite(text, prompted=True) == (
        "get_items, user:a__get_items, user:list_all"
    )


# Names as Home Assistant, MCP servers and the unlucky make them.
_LETTERS = st.text("aAbB_-. /:é灯", max_size=8)
_FULL_NAMES = st.lists(
    st.one_of(
        _LETTERS,
        st.lists(_LETTERS, min_size=1, max_size=4).map("__".join),
        st.text(max_size=90),
        st.sampled_from([*ASSIST, *sorted(SERVER_TOOL_NAMES)]),
    ),
    max_size=12,
)
_PREFIXES = st.sampled_from(["user:", "", "a:"])


@given(full_names=_FULL_NAMES, prefix=_PREFIXES, data=st.data())
def test_any_names_are_offered_distinctly_and_found_again(
    full_names: list[str], prefix: str, data: st.DataObject
) -> None:
    """Offer acceptable, distinct names whatever the order; each leads back."""
    names = ToolNames(full_names, prefix)
    shuffled = ToolNames(data.draw(st.permutations(full_names)), prefix)
    offered = {full: names.offered(full) for full in full_names}
    assert len(set(offered.values())) == len(set(full_names))
    for full, name in offered.items():
        assert OFFERED.fullmatch(name)
        assert name not in SERVER_TOOL_NAMES
        assert shuffled.offered(full) == name
        assert names.resolve(name) == full
        assert names.resolve(names.prompted(full)) == full


@given(full_names=_FULL_NAMES, written=st.one_of(st.text(), _LETTERS))
def test_any_text_resolves_to_a_tool_or_none(
    full_names: list[str], written: str
) -> None:
    names = ToolNames(full_names)
    assert names.resolve(written) in {*full_names, None}
    assert set(names.closest(written)) <= {names.offered(full) for full in full_names}
