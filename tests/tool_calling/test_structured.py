"""Data in an answer: found, repaired as far as it is clear, never made up."""

from contextlib import suppress
import json
from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.tool_calling.arguments import (
    MAX_TRIES,
    NoDataError,
    read_data,
)
from custom_components.lumo.tool_calling.detection.call_words import words

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "count": {"type": "number"},
        "is open": {"type": "boolean"},
        "kind": {
            "type": "string",
            "oneOf": [
                {"const": "light.a", "title": "Desk lamp"},
                {"const": "light.b", "title": "Floor lamp"},
            ],
        },
        "tags": {"type": "array", "items": {"type": "string"}},
        "rows": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"n": {"type": "integer"}, "Größe": {"type": "number"}},
                "required": ["n"],
                "additionalProperties": False,
            },
        },
        "any": {"type": "object"},
        "period": {
            "type": "object",
            "properties": {"hours": {"type": "number"}, "minutes": {"type": "number"}},
            "additionalProperties": False,
        },
    },
    "required": ["name"],
    "additionalProperties": False,
}
A = {"name": "a"}


def read(text: str) -> list[Any]:
    """Return the data of an answer, or why there is none."""
    try:
        return read_data(text, SCHEMA)
    except NoDataError as err:
        return [str(err)]


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ('{"name": "a", "count": "5"}', A | {"count": 5}),
        ('{"name": "a", "count": 5.0}', A | {"count": 5}),
        ('{"name": "a", "count": 5.5}', A | {"count": 5.5}),
        ('{"name": 5, "count": null}', {"name": "5"}),
        ('{"name": 0049, "count": 007}', {"name": "0049", "count": 7}),
        ('{"name": "a", "period": {"Minutes": "5"}}', A | {"period": {"minutes": 5}}),
        ('{"name": "", "kind": "", "tags": ""}', {"name": ""}),
        ('{"name": "a", "is open": "Yes"}', A | {"is open": True}),
        ('{"name": "a", "is_open": 0}', A | {"is open": False}),
        ('{"Name": "a", "isOpen": false}', A | {"is open": False}),
        ('{"name": "a", "Name": "b"}', A),
        ('{"name": "a", "kind": "desk LAMP"}', A | {"kind": "light.a"}),
        ('{"name": "a", "kind": "LIGHT.B"}', A | {"kind": "light.b"}),
        ('{"name": "a", "tags": "x"}', A | {"tags": ["x"]}),
        ("{'name': 'a', 'is open': True,}", A | {"is open": True}),
        (
            '{"name": "a", "rows": [{"n": "1", "grösse": null, "x": 0}]}',
            A | {"rows": [{"n": 1}]},
        ),
        (
            '{"name": "a", "any": {"x": [null, "1", 2.0]}}',
            A | {"any": {"x": [None, "1", 2.0]}},
        ),
        ('{"answer": {"name": "a"}}', A),
        ('[{"result": [{"name": "a"}]}]', A),
        ('{"answer": "{\\"name\\": \\"a\\"}"}', A),
        ('{\\"name\\": \\"a\\"}', A),
        ('// so:\n{"name": "a" /* it is */}', A),
    ],
)
def test_what_is_clear_is_read(text: str, data: Any) -> None:
    """Syntax and types are repaired, texts are left as they are."""
    [read_as] = read(text)
    assert read_as == data
    assert json.dumps(read_as) == json.dumps(data)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"name": null}', "name: expected str."),
        ('{"count": 5}', "'name' is missing."),
        ('{"name": "a", "is open": "perhaps"}', "is open: expected bool."),
        ('{"name": "a", "count": "several"}', "count: expected number."),
        ('{"name": "a", "count": true}', "count: expected number."),
        ('{"name": "a", "rows": [{"n": 1}, {}]}', "'rows.1.n' is missing."),
        ('{"name": "a", "rows": [7]}', "rows.0: expected a mapping."),
        ('{"name": {"first": "a"}}', "name: expected str."),
        ('{"name": ["a", "b"]}', "name: expected str."),
        ('[{"name": "a"}, {"name": "b"}]', "expected a mapping."),
        ('{"name": "a", "tags": "one, two"}', "tags: expected a list."),
        ('{"name": 5.10}', "name: expected str."),
        ('{"name": "a", "count": "1.234"}', "count: expected number."),
        ('{"name": "a", "Count": 1, "COUNT": 2}', "no argument 'COUNT'"),
        (
            '{"name": "a", "period": {"weeks": 1, "minutes": 5}}',
            "period.weeks: not a valid option",
        ),
        ('{"surname": "a"}', "Its JSON object has none of the keys of the schema."),
        ('{"a": {"b": {"c": {"d": {"name": "a"}}}}}', "none of the keys"),
        ("{}", "none of the keys"),
        (json.dumps(SCHEMA), "none of the keys"),
        # Nothing is completed, and nothing taken out of what is not complete.
        ("", "no JSON object"),
        ("Three cars.", "no JSON object"),
        ("[1, 2]", "no JSON object"),
        ('"name"', "no JSON object"),
        ('{"name": "a"', "ends before"),
        ('```json\n{"name": "a', "ends before"),
        ('{"answer": {"name": "a"}', "ends before"),
        ('[{"name": "a"}, {"name": "b"}', "ends before"),
        ('<think>{"name": "a"}', "no JSON object"),
        ('{"name": "a", "name": "b"}', "stands there twice"),
        ('{"kind": a}', "has no quotes"),
        ('{"name": "\\ud800"}', "half a character"),
        ('{"name": "a" "count": 5}', "unexpected value"),
        ("{" * (MAX_TRIES + 1), "too many"),
        ('{"name": "a"}' * MAX_TRIES, "too many"),
        ('{"name": "a", "kind": "lamp"}', "kind: not a valid value"),
        ('{"name": "' + "a" * 30_000 + '"}', "too long"),
    ],
)
def test_what_is_not_clear_or_whole_has_a_reason(text: str, problem: str) -> None:
    [found] = read(text)
    assert problem in found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"name": "a"}{"name": "b"}', [A, {"name": "b"}]),
        ('{"name": "a"}\nOr {that}, {"oops": 1} or { that', [A]),
        (json.dumps(SCHEMA) + '{"name": "a"}\n{}', [A]),
    ],
)
def test_all_that_may_be_meant(text: str, found: list[Any]) -> None:
    assert read(text) == found


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"name": "a"} No: {"name": "b", "name": "c"}', "stands there twice"),
        ('{"name": "a"} No: {"name": "b"', "It ends before its JSON object"),
        ('{"answer": {"name": "a" "b"}}{"name": "b"}', "unexpected value"),
        ('{"name": "a"}{"count": 5}', "'name' is missing."),
    ],
)
def test_what_else_may_be_meant_is_asked_for(text: str, problem: str) -> None:
    assert problem in read(text)[0]


# What Python writes as JSON does.
TEXTS = st.text(
    st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" \n\t"), max_size=20
)
DATA = st.fixed_dictionaries(
    {"name": TEXTS},
    optional={
        "count": st.integers(-(2**53), 2**53) | st.floats(-1e6, 1e6),
        "is open": st.booleans(),
        "kind": st.sampled_from(["light.a", "light.b"]),
        "tags": st.lists(TEXTS, max_size=3),
        "rows": st.lists(
            st.fixed_dictionaries(
                {"n": st.integers(-999, 999)}, optional={"Größe": st.floats(-1e3, 1e3)}
            ),
            max_size=3,
        ),
        "any": st.dictionaries(TEXTS, TEXTS | st.none() | st.booleans(), max_size=2),
    },
)
FORMS = (
    "DATA",
    "Here you are:\nDATA\nIs [that] {fine}?",
    "```json\nDATA\n```",
    "~~~\nDATA",
    '<think>{"name": "no"}</think>DATA',
    '{"answer": DATA}',
    "[DATA]",
    '{"note": "first"}\nDATA\n{"note": "second"}',
)


@given(data=DATA, form=st.sampled_from(FORMS), spelled=st.sampled_from([0, 1, 2, 3]))
def test_whatever_is_written_is_read(
    data: dict[str, Any], form: str, spelled: int
) -> None:
    """Texts to the last blank, however they are spelled."""
    texts = (
        lambda: json.dumps(data),
        lambda: json.dumps(data, ensure_ascii=False, indent=2),
        lambda: repr(data),
        lambda: json.dumps(data)[:-1] + ",}",
    )
    assert read_data(form.replace("DATA", texts[spelled]()), SCHEMA) == [data]


PIECES = st.sampled_from(
    [
        *"{}[]:,\"'\\a1#\n“",
        *sorted(words('"name" null // /* */ ``` <think> </think>')),
        '{"name": "a"}',
    ]
)


@given(st.lists(PIECES, max_size=40).map("".join) | st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    """What is read has what the schema wants."""
    found = []
    with suppress(NoDataError):
        found = read_data(text, SCHEMA)
    for item in found:
        assert isinstance(item["name"], str)
        assert set(item) <= set(SCHEMA["properties"])
