"""Arguments are read, fitted to their schema, checked; never guessed or dropped."""

from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.tool_calling.arguments import (
    ArgumentsError,
    fit_arguments,
    parse_arguments,
)
from custom_components.lumo.tool_calling.detection.call_words import words

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "domain": {
            "type": "array",
            "items": {"type": "string", "enum": ["light", "media_player", "fan"]},
        },
        "position": {"type": "integer", "minimum": 0, "maximum": 100},
        "share": {
            "allOf": [
                {"type": "integer"},
                {"type": "number", "minimum": 0, "maximum": 100},
            ]
        },
        "temperature": {"type": "number"},
        "muted": {"type": "boolean"},
        "mode": {"type": "string", "enum": ["heat_cool", "off"]},
        "level": {"enum": [1, 2, 3]},
        "options": {"type": "object", "properties": {"count": {"type": "integer"}}},
        "ids": {"type": "array", "items": {"type": "integer"}},
        "either": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]},
        "maybe": {"type": ["string", "null"]},
        "device_class": {"type": "array", "items": {"type": "string"}},
    },
}


def problems(arguments: dict[str, Any], schema: dict[str, Any]) -> str:
    with pytest.raises(ArgumentsError) as caught:
        fit_arguments(arguments, schema)
    assert caught.value.problems
    return " ".join(caught.value.problems)


# Reading


@pytest.mark.parametrize(
    ("value", "arguments"),
    [
        (None, {}),
        ("", {}),
        ("  \n", {}),
        ({}, {}),
        ("{}", {}),
        ({"a": 1}, {"a": 1}),
        ('{"a": 1}', {"a": 1}),
        (' {"a": [1, {"b": null}]} ', {"a": [1, {"b": None}]}),
        ('"{\\"a\\": 1}"', {"a": 1}),
        ('{\\"a\\": \\"b\\"}', {"a": "b"}),
        ("{'a': True, 'b': None,}", {"a": True, "b": None}),
        ('{"a": 1, // one\n}', {"a": 1}),
    ],
)
def test_arguments_are_an_object_or_its_text(
    value: object, arguments: dict[str, Any]
) -> None:
    """Arguments are an object, the text of one, or nothing."""
    assert parse_arguments(value) == arguments


@pytest.mark.parametrize(
    "value",
    [
        '{"a": "b"',
        '{"a": {"b": []}',
        '{\\"a\\": \\"b\\"',
        '"{\\"a\\": \\"b\\""',
        '{"a"',
        '{"a":',
        '{"a": 1',
        '{"a": tru',
        '{"a": "b",',
        '{"a": "b", "c":',
        '{"a": "b" // c',
        '"{\\"a\\": \\"b\\"',
    ],
)
def test_what_was_cut_is_not_completed(value: str) -> None:
    """A key, a value or a list that was cut is refused: more was to come."""
    with pytest.raises(ArgumentsError, match="incomplete"):
        parse_arguments(value)


@pytest.mark.parametrize(
    "value",
    [
        5,
        True,
        ["a"],
        "the hall",
        "[1]",
        '"text"',
        '{"a": 1} {"b": 2}',
        '{"a": 1, "a": 2}',
        '{"a": Kitchen}',
        '{"a": NaN}',
        "{" * 1000,
        '{"a":' * 1000,
    ],
)
def test_anything_else_is_refused(value: object) -> None:
    """Arguments that are no object, or not the whole of one, are refused."""
    with pytest.raises(ArgumentsError):
        parse_arguments(value)


def test_nesting_is_bounded() -> None:
    """Arguments deeper than any real ones are refused, not recursed into."""
    value: dict[str, Any] = {}
    for _ in range(5000):
        value = {"a": value}
    with pytest.raises(ArgumentsError):
        fit_arguments(value, SCHEMA)


# Fitting


@pytest.mark.parametrize(
    ("argument", "written", "meant"),
    [
        ("name", " Kitchen ", "Kitchen"),
        ("name", 5, "5"),
        ("name", 2.5, "2.5"),
        ("name", True, "true"),
        ("name", ["Kitchen"], "Kitchen"),
        ("position", "21", 21),
        ("share", "21", 21),
        ("share", 21.0, 21),
        ("share", "50%", 50),
        ("share", ["7"], 7),
        ("position", " 21 ", 21),
        ("position", "21.0", 21),
        ("position", 21.0, 21),
        ("position", "50%", 50),
        ("position", "50 %", 50),
        ("position", ["7"], 7),
        ("temperature", "21.5", 21.5),
        ("temperature", "21,5", 21.5),
        ("temperature", "21°", 21),
        ("temperature", "-3", -3),
        ("temperature", 21.0, 21),
        ("muted", "True", True),
        ("muted", "off", False),
        ("muted", 1, True),
        ("domain", "light", ["light"]),
        ("domain", '["light"]', ["light"]),
        ("domain", "['light', 'fan']", ["light", "fan"]),
        ("domain", "Media Player", ["media_player"]),
        ("domain", ["LIGHT", " fan"], ["light", "fan"]),
        ("domain", [], []),
        ("mode", "Heat Cool", "heat_cool"),
        ("mode", "OFF", "off"),
        ("level", "2", 2),
        ("options", '{"count": "3"}', {"count": 3}),
        ("options", {"count": "3"}, {"count": 3}),
        ("options", {"Count": 3.0, "other": ""}, {"count": 3}),
        ("ids", "7", [7]),
        ("ids", ["1", 2.0], [1, 2]),
        ("either", "7", 7),
        ("either", "true", True),
        ("maybe", 5, "5"),
        # What is right is left alone.
        ("name", "21", "21"),
        ("name", '["Kitchen"]', '["Kitchen"]'),
        ("position", 0, 0),
        ("muted", False, False),
        ("either", True, True),
        ("domain", ["light", "fan"], ["light", "fan"]),
        ("options", {}, {}),
    ],
)
def test_what_a_person_would_understand_is_understood(
    argument: str, written: object, meant: object
) -> None:
    """A value in another type or spelling becomes what was meant."""
    fitted = fit_arguments({argument: written}, SCHEMA)
    assert fitted == {argument: meant}
    assert type(fitted[argument]) is type(meant)


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("position", "half"),
        ("share", "half"),
        ("share", "101"),
        ("position", "21.5"),
        ("position", 21.5),
        ("position", "1,000"),
        ("position", True),
        ("position", 101),
        ("position", "500%"),
        ("temperature", "warm"),
        # Not necessarily the unit that the home counts in.
        ("temperature", "21 °C"),
        ("temperature", "20-22"),
        ("muted", "muted"),
        ("muted", 2),
        ("name", ["Kitchen", "Hall"]),
        ("name", {"a": 1}),
        ("domain", "lamp"),
        ("domain", ["light", "lamp"]),
        ("mode", "cool"),
        ("options", "text"),
    ],
)
def test_what_is_not_clear_is_told_to_the_model(argument: str, value: object) -> None:
    """A value with no or more than one meaning is an error that names the argument."""
    assert argument in problems({argument: value}, SCHEMA)


def test_an_error_says_what_is_allowed() -> None:
    """Choices and limits are named, so that the model can do better."""
    assert "media_player" in problems({"domain": ["lamp"]}, SCHEMA)
    assert "100" in problems({"position": 500}, SCHEMA)


def test_all_problems_are_told_at_once() -> None:
    with pytest.raises(ArgumentsError) as caught:
        fit_arguments({"position": 500, "domain": ["lamp"], "x": 1}, SCHEMA)
    assert len(caught.value.problems) == 3


def test_blank_optional_arguments_are_left_out() -> None:
    """Models fill what they do not need with blanks; Home Assistant would match them."""
    written = {"name": "Lamp", "mode": "", "maybe": None, "domain": " ", "muted": False}
    assert fit_arguments(written, SCHEMA) == {"name": "Lamp", "muted": False}


def test_blank_required_arguments_are_kept() -> None:
    """A required argument may be blank, or is told to be wrong."""
    schema = {**SCHEMA, "required": ["name", "mode"]}
    assert "mode" in problems({"name": "", "mode": ""}, schema)


@pytest.mark.parametrize("extra", [True, False])
def test_unknown_arguments_are_never_dropped(extra: bool) -> None:
    """An argument the tool does not know is an error that names those it knows."""
    schema = {**SCHEMA, "additionalProperties": False} if extra else SCHEMA
    told = problems({"name": "Lamp", "areas": "Hall"}, schema)
    assert "areas" in told
    assert "position" in told


def test_a_schema_may_allow_unknown_arguments() -> None:
    """Unknown arguments pass where the schema says so."""
    schema = {**SCHEMA, "additionalProperties": True}
    assert fit_arguments({"extra": [1]}, schema) == {"extra": [1]}


def test_keys_may_be_spelled_otherwise() -> None:
    """A key in another case or without underscore is the argument that is meant."""
    fitted = fit_arguments({"Name": "Lamp", "deviceClass": "tv"}, SCHEMA)
    assert fitted == {"name": "Lamp", "device_class": ["tv"]}
    assert "Name" in problems({"Name": "a", "name": "b"}, SCHEMA)
    two = {"type": "object", "properties": {"onTime": {}, "on_time": {}}}
    assert "On time" in problems({"On time": 5}, {**two, "additionalProperties": False})


def test_nested_arguments_are_unwrapped() -> None:
    """Misrouted calls of Lumo were seen to carry their arguments one level deeper.

    With something else beside them they are an error, and a tool keeps an argument of
    that name.
    """
    nested = {"arguments": None, "name": None, "parameters": {"query": "weather"}}
    schema: dict[str, Any] = {"type": "object", "properties": {"query": {}}}
    assert fit_arguments(nested, schema) == {"query": "weather"}
    assert fit_arguments({"parameters": {"query": "x"}}, schema) == {"query": "x"}
    assert "area" in problems({**nested, "area": "Hall"}, schema)
    schema = {"type": "object", "properties": {"parameters": {"type": "object"}}}
    assert fit_arguments({"parameters": {"query": "x"}}, schema) == {
        "parameters": {"query": "x"}
    }


TIMER = {
    "type": "object",
    "properties": {"hours": {"type": "integer"}, "minutes": {"type": "integer"}},
    "anyOf": [{"required": ["hours"]}, {"required": ["minutes"]}],
}


def test_one_of_several_arguments_may_be_required() -> None:
    """A timer wants hours or minutes."""
    assert fit_arguments({"minutes": "5"}, TIMER) == {"minutes": 5}
    assert problems({}, TIMER)


BAD_SCHEMAS: list[dict[str, Any]] = [
    {"type": "object", "properties": {"a": {"type": "frob"}}, "required": ["b"]},
    {"properties": {"a": {"type": "string", "pattern": "(a+)+$"}}, "required": ["b"]},
    {"properties": {"a": {"$ref": "#/nowhere"}}, "required": ["b"]},
]


@pytest.mark.parametrize("schema", BAD_SCHEMAS)
def test_a_bad_schema_does_not_stop_its_tool(schema: dict[str, Any]) -> None:
    """Which looks at its arguments itself."""
    assert fit_arguments({"a": "x", "b": 1}, schema) == {"a": "x", "b": 1}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                sorted(words("type properties items anyOf enum required a"))
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4), JSON)
def test_nothing_but_an_arguments_error_is_raised(
    arguments: dict[str, Any], schema: object
) -> None:
    """Whatever a schema and arguments are, they fit or there is a reason."""
    try:
        fit_arguments(arguments, {"type": "object", "properties": {"a": schema}})
        fit_arguments(arguments, schema if isinstance(schema, dict) else {})
    except ArgumentsError as err:
        assert err.problems  # noqa: PT017 - any of the two may raise
