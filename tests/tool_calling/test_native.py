"""Function definitions that the service accepts."""

from copy import deepcopy
import json
import math
from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.tool_calling.detection.call_words import words
from custom_components.lumo.tool_calling.naming import ToolNames
from custom_components.lumo.tool_calling.native import function_result, function_tools
from custom_components.lumo.tool_calling.prompted import ToolDefinition

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
        pytest.param({"type": "OBJECT", "properties": []}, OPEN, id="odd spelling"),
        pytest.param({"properties": {"a": TEXT}}, _object({"a": TEXT}), id="no type"),
        pytest.param(
            _object({"a": {}, "b": True, "c": False, "d": 5}),
            _object({"a": {}, "b": {}, "d": {}}),
            id="boolean and missing schemas of members",
        ),
        pytest.param(
            _object({"a": TEXT}, required=["a", "b", 5, "a"]),
            _object({"a": TEXT}, required=["a"]),
            id="requires what it does not describe",
        ),
        pytest.param(
            _object({"a": TEXT}, required="a"), _object({"a": TEXT}), id="required text"
        ),
        pytest.param(
            _object({"a": {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}}),
            _object({"a": {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}}),
            id="choices of a member stay",
        ),
        pytest.param(
            _object({"a": {"anyOf": [False]}, "b": {"items": [TEXT]}}),
            _object({"a": {}, "b": {}}),
            id="nothing left of a keyword",
        ),
        pytest.param(
            {"$schema": "x", "$id": "y", **_object({"$id": TEXT, "id": TEXT})},
            _object({"$id": TEXT, "id": TEXT}),
            id="keywords of documents, and members of the same name",
        ),
        pytest.param(
            {
                "$defs": {"Room": {"type": "string", "enum": ["hall"]}},
                **_object(
                    {"room": {"$ref": "#/$defs/Room", "description": "Which room"}}
                ),
            },
            _object(
                {
                    "room": {
                        "type": "string",
                        "enum": ["hall"],
                        "description": "Which room",
                    }
                }
            ),
            id="references are resolved",
        ),
        pytest.param(
            {
                "$ref": "#/definitions/a~1b",
                "definitions": {"a/b": _object({"x": TEXT})},
            },
            _object({"x": TEXT}),
            id="a reference at the top",
        ),
        pytest.param(
            {
                "$defs": {
                    "Node": _object(
                        {"next": {"$ref": "#/$defs/Node"}, "value": {"type": "integer"}}
                    )
                },
                **_object({"node": {"$ref": "#/$defs/Node"}}),
            },
            _object({"node": _object({"next": {}, "value": {"type": "integer"}})}),
            id="a reference to itself",
        ),
        pytest.param(
            _object({"a": {"$ref": "https://example.com/s"}, "b": {"$ref": "#/no"}}),
            _object({"a": {}, "b": {}}),
            id="references to nowhere",
        ),
        pytest.param(
            _object(
                {
                    "a": {"default": math.nan, "type": "number"},
                    "b": {"default": object(), "enum": [1, object()]},
                    "c": {"enum": {1}, "minimum": 2**80, "default": {"k": (1,)}},
                }
            ),
            _object(
                {
                    "a": {"type": "number"},
                    "b": {"enum": [1]},
                    "c": {"default": {"k": [1]}},
                }
            ),
            id="values that are no JSON",
        ),
        pytest.param(
            _object({"a": {"type": "any"}, "b": {"type": ["STRING", "date", None]}}),
            _object({"a": {}, "b": {"type": "string"}}),
            id="unknown types",
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


def test_reference_bomb_is_opened() -> None:
    """Stop where references multiply."""
    definitions = {
        f"d{i}": _object({k: {"$ref": f"#/$defs/d{i + 1}"} for k in "abcdefgh"})
        for i in range(30)
    }
    schema = {"$defs": definitions, **_object({"a": {"$ref": "#/$defs/d0"}})}
    assert len(json.dumps(_function(schema).parameters)) <= 12_000


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


_KEYWORDS = st.sampled_from(
    sorted(
        words("""
            type properties required items anyOf oneOf allOf not enum const $ref $defs
            default additionalProperties description title format if then x
        """)
    )
)
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["object", "string", "#", "#/$defs/a", "#/properties/a"])
    | st.builds(object),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(_KEYWORDS | st.sampled_from("ab"), inner, max_size=4)
        | st.dictionaries(st.integers() | st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=40,
)


@given(schema=_VALUES, description=_VALUES)
def test_no_schema_kills_the_request(schema: Any, description: Any) -> None:
    """Make a function that can be sent of anything, and leave the tool alone."""
    before = repr(schema)
    function = _function(schema, description)
    assert repr(schema) == before
    parameters = function.parameters
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
