"""Function definitions that the service accepts."""

from copy import deepcopy
import json
import math
from typing import Any

from hypothesis import given, strategies as st
import probatio
import pytest

from custom_components.lumo.tool_calling.naming import ToolNames
from custom_components.lumo.tool_calling.prompted import (
    ToolDefinition,
    function_result,
    function_tools,
)

# As Home Assistant describes its intent `HassStartTimer`.
TIMER: dict[str, Any] = {
    "type": "object",
    "properties": {
        "hours": {"type": "integer", "minimum": 0},
        "minutes": {"type": "integer", "minimum": 0},
        "name": {"type": "string"},
    },
    "additionalProperties": False,
    "anyOf": [{"required": ["hours"]}, {"required": ["minutes"]}],
}
TEXT = {"type": "string"}
OPEN = {"type": "object", "properties": {}}


def _handed_on(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a server's schema as Home Assistant hands it on."""
    read = probatio.from_openapi(schema)
    handed_on: dict[str, Any] = probatio.to_openapi(read, openapi_version="3.1.0")
    return handed_on


def _function(parameters: Any, description: Any = "") -> ToolDefinition:
    tool = ToolDefinition(
        name="a__tool", description=description, parameters=parameters
    )
    (function,) = function_tools([tool], ToolNames([tool.name]))
    return function


def _object(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **more}


@pytest.mark.parametrize(
    ("schema", "accepted"),
    [
        pytest.param({}, OPEN, id="empty"),
        pytest.param(None, OPEN, id="none"),
        pytest.param(True, OPEN, id="boolean"),
        pytest.param("object", OPEN, id="text"),
        pytest.param({"type": "string"}, OPEN, id="no object"),
        pytest.param({"type": ["object", "null"]}, OPEN, id="object or null"),
        pytest.param({"properties": {"a": TEXT}}, _object({"a": TEXT}), id="no type"),
        pytest.param(
            _object({"a": {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}}),
            _object({"a": {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}}),
            id="choices of a member stay",
        ),
        pytest.param(
            {"$schema": "x", "$id": "y", **_object({"$id": TEXT, "id": TEXT})},
            _object({"$id": TEXT, "id": TEXT}),
            id="keywords of documents, and members of the same name",
        ),
        pytest.param(
            _object({"a": {"default": math.nan}, "b": {"default": {"k": (1,)}}}),
            _object({"a": {}, "b": {"default": {"k": [1]}}}),
            id="values that are no JSON",
        ),
    ],
)
def test_schema_is_made_acceptable(schema: Any, accepted: dict[str, Any]) -> None:
    """Reduce a schema to what every service takes."""
    assert _function(schema).parameters == accepted


@pytest.mark.parametrize(
    ("schema", "accepted", "note"),
    [
        pytest.param(
            TIMER,
            _object(TIMER["properties"]),
            "Give hours, or minutes.",
            id="one of them is required",
        ),
        pytest.param(
            {
                "oneOf": [
                    _object({"a": TEXT}, required=["a"]),
                    _object({"b": TEXT}, required=["b"]),
                ]
            },
            _object({"a": TEXT, "b": TEXT}),
            "Give a, or b.",
            id="exactly one of them",
        ),
        pytest.param(
            {
                "allOf": [
                    _object({"a": TEXT}, required=["a"]),
                    {"anyOf": [{"required": ["b"]}, {"required": ["c"]}]},
                    _object({"b": TEXT, "c": TEXT}),
                ]
            },
            _object({"a": TEXT, "b": TEXT, "c": TEXT}, required=["a"]),
            "Give b, or c.",
            id="all of them",
        ),
        pytest.param(
            _object({"a": TEXT}, anyOf=[{"required": ["a"]}, {}], **{"not": {}}),
            _object({"a": TEXT}),
            "",
            id="a choice that asks for nothing",
        ),
        pytest.param(
            _object(
                {"a": TEXT}, **{"if": {}, "then": {"required": ["a"]}, "enum": [{}]}
            ),
            _object({"a": TEXT}),
            "",
            id="conditions",
        ),
    ],
)
def test_combined_schemas_at_the_top_are_folded(
    schema: dict[str, Any], accepted: dict[str, Any], note: str
) -> None:
    """Describe one object, and say in words what it cannot express."""
    function = _function(schema)
    assert function.parameters == accepted
    assert function.description == note


def test_note_stands_behind_the_description() -> None:
    """Keep what the tool says of itself in front."""
    assert _function(TIMER, "Starts a timer").description == (
        "Starts a timer. Give hours, or minutes."
    )


@pytest.mark.parametrize("description", [None, 5, "", "\ud800", "word " * 1000])
def test_description_is_short_text(description: Any) -> None:
    """Describe a tool in bounded text that can be sent."""
    text = _function({}, description).description
    assert len(text) <= 1001
    text.encode()


def test_large_enum_becomes_examples() -> None:
    """Say of a list of thousands what it looks like."""
    schema = _object(
        {"song": {"type": "string", "enum": [f"s{i}" for i in range(999)]}}
    )
    assert _function(schema).parameters == _object(
        {"song": {"type": "string", "description": "One of 999, such as s0, s1, s2."}}
    )


def test_absurdly_deep_schema_keeps_its_first_members() -> None:
    """Open up what is too deep."""
    schema: dict[str, Any] = TEXT
    for _ in range(5000):
        schema = _object({"a": schema})
    accepted = _function(_object({"deep": schema, "b": TEXT})).parameters
    assert accepted["properties"]["b"] == TEXT
    assert len(json.dumps(accepted)) < 1000


def test_absurdly_large_schema_is_flattened_or_opened() -> None:
    """Keep the names of members as long as there is room for them."""
    deep = _object({f"m{i}": {"description": "d" * 100} for i in range(100)})
    accepted = _function(_object({f"n{i}": deep for i in range(10)})).parameters
    assert list(accepted["properties"]) == [f"n{i}" for i in range(10)]
    assert len(json.dumps(accepted)) <= 12_000
    wide = _object({f"m{i}": {"description": "d" * 100} for i in range(1000)})
    assert _function(wide).parameters == OPEN


def test_a_servers_references_do_not_get_here() -> None:
    """Home Assistant hands on none, so none is resolved."""
    room = {"type": "string", "enum": ["hall"]}
    node = _object({"next": {"$ref": "#/$defs/Node"}})
    named = {"room": {"$ref": "#/$defs/Room", "description": "Which room"}}
    schema = _object(named | {"node": {"$ref": "#/$defs/Node"}})
    parameters = _handed_on({"$defs": {"Room": room, "Node": node}, **schema})
    assert "$ref" not in json.dumps(parameters)
    described = _object({"room": {"description": "Which room"}, "node": {}})
    assert _function(parameters).parameters == described


def test_mentioned_tools_carry_their_offered_names() -> None:
    """Speak of other tools as they are offered."""
    tools = [
        ToolDefinition(name="fs__read_file", description="See fs__list_files."),
        ToolDefinition(name="fs__list_files"),
    ]
    first, second = function_tools(tools, ToolNames(tool.name for tool in tools))
    assert (first.name, first.description) == ("read_file", "See list_files.")
    assert (second.name, second.parameters) == ("list_files", OPEN)


def test_result_is_bounded_json() -> None:
    """Cut a long result between its items."""
    assert function_result({"a": "é"}, False) == '{"result":{"a":"é"}}'
    assert function_result("no such list", True) == '{"error":"no such list"}'
    assert json.loads(function_result(list(range(1000)), False, limit=100)) == {
        "result": [*range(19), "… 981 more"]
    }


def _schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    some = st.lists(inner, min_size=1, max_size=3)
    members = st.dictionaries(st.text(max_size=3), inner, max_size=4)
    return st.one_of(
        st.builds(lambda items: {"type": "array", "items": items}, inner),
        st.builds(_object, members),
        st.builds(lambda own: _object(own, required=[*own][:1]), members),
        st.sampled_from(["anyOf", "oneOf", "allOf"]).flatmap(
            lambda key: st.builds(lambda branches: {key: branches}, some)
        ),
    )


_SCHEMAS = st.recursive(
    st.sampled_from(
        [
            TEXT,
            {},
            {"type": "integer", "minimum": 0, "default": 2**70},
            {"type": ["string", "null"], "description": "word " * 400},
            {"enum": [1, "\ud800", 2.5]},
            {"const": 5},
            {"type": "object", "additionalProperties": {"type": "number"}},
        ]
    ),
    _schemas,
    max_leaves=30,
)


@given(schema=_SCHEMAS, description=st.none() | st.text())
def test_no_schema_kills_the_request(schema: Any, description: Any) -> None:
    """Make a function that can be sent of any, and leave the tool alone."""
    handed_on = _handed_on(schema)
    before = repr(handed_on)
    parameters = _function(handed_on, description).parameters
    assert repr(handed_on) == before
    json.dumps(parameters, allow_nan=False).encode()
    assert parameters["type"] == "object"
    assert isinstance(parameters["properties"], dict)
    assert set(parameters.get("required", ())) <= set(parameters["properties"])
    assert not {"anyOf", "oneOf", "allOf", "not", "enum", "$ref"} & set(parameters)


@given(
    schema=st.fixed_dictionaries(
        {"type": st.just("object")},
        optional={
            "properties": st.dictionaries(
                st.text(min_size=1, max_size=5),
                st.sampled_from([TEXT, {"type": "array", "items": TEXT}, {}]),
                max_size=4,
            ),
        },
    )
)
def test_good_schema_stays_as_it_is(schema: dict[str, Any]) -> None:
    """Change nothing that need not be changed."""
    assert _function(deepcopy(schema)).parameters == {"properties": {}, **schema}
