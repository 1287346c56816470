"""Each kind of selector with each habit of a model: valid data, or a reason."""

from collections.abc import Callable
import json
import re
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import selector
import probatio
import pytest

from custom_components.lumo.agent.structured import AnswerFormat
from custom_components.lumo.tool_calling.structured import NoDataError

from .selector_rows import ROWS, Row

KEY = "Wie viele, genau?"
type Data = dict[str, Any]


def wrap(form: str) -> Callable[[Data], str]:
    """Return what writes an answer into a text."""
    return lambda data: form.replace("JSON", json.dumps(data, ensure_ascii=False))


# How an answer is written that is fine.
HABITS: dict[str, Callable[[Data], str]] = {
    "good": wrap("JSON"),
    "prose_around": wrap("Sure! Here it is:\nJSON\nLet me know [if] {that} helps."),
    "fenced": wrap("```json\nJSON\n```"),
    "fenced_unclosed": wrap("Here:\n~~~\nJSON"),
    "fenced_twice": wrap("````\n```json\nJSON\n```\n````"),
    "thinking_before": wrap('<think>Perhaps {"a": 1}?\nNo.</think>\n\nJSON'),
    "second_object": wrap('JSON\n{"note": "Two things were unclear."}'),
    "said_twice": wrap("JSON\n\nIn short: JSON"),
    "example_before": wrap('A call looks like {"example": "so"}. Here:\nJSON'),
    "trailing_comma": lambda data: json.dumps(data, indent=1).replace("\n}", ",\n}"),
    "python": repr,
    "extra_key": lambda data: json.dumps({"confidence": 0.9} | data),
    "wrapped": wrap('{"answer": JSON}'),
    "wrapped_deep": wrap('{"status": "ok", "result": [JSON]}'),
    "wrapped_text": lambda data: json.dumps({"result": json.dumps(data)}),
    "array_of_one": wrap("[JSON]"),
    "escaped": wrap("JSON\n<|im_end|>"),
}
# And what can never be.
LOST: dict[str, Callable[[Data], str]] = {
    "null": lambda data: json.dumps(dict.fromkeys(data)),
    "missing": lambda data: '{"something": "else"}',
    "empty": lambda data: "",
    "prose": lambda data: "I cannot tell from here.",
    "cut": lambda data: json.dumps(data)[:-1],
    "cut_in_fence": lambda data: "```json\n" + json.dumps(data)[:-1],
    "cut_around": lambda data: '{"answer": ' + json.dumps(data),
    "only_thought": lambda data: f"<think>{json.dumps(data)}",
    "array_of_two": lambda data: json.dumps([data, data]),
    "taken_back": lambda data: f"{json.dumps(data)} No: {json.dumps({KEY: None})}",
    "twice": lambda data: json.dumps(data)[:-1] + f", {json.dumps(KEY)}: 0}}",
}


def form_of(hass: HomeAssistant, row: Row) -> AnswerFormat:
    """Return the form of an answer with one value that must be there."""
    kind = selector.selector(row.selector)
    structure = probatio.Schema(
        {probatio.Required(KEY, description="What is asked"): kind},
        extra=probatio.PREVENT_EXTRA,
    )
    return AnswerFormat.of(hass, "Test", structure)


async def must_fail(form: AnswerFormat, answer: Data | str, name: str) -> None:
    """Read what is no data, and say of which row it is if it is read."""
    text = answer if isinstance(answer, str) else json.dumps(answer)
    pytest.fail(f"{name}: {await form.async_read(text)}")


@pytest.mark.parametrize("habit", HABITS)
async def test_habits(hass: HomeAssistant, habit: str) -> None:
    """However it is written, the very value comes back."""
    for name, row in ROWS.items():
        form = form_of(hass, row)
        data = await form.async_read(HABITS[habit]({KEY: row.good}))
        assert data == {KEY: row.good}, name
        assert json.loads(json.dumps(data)) == data
        form.structure(data)
        if not isinstance(row.good, dict | list):
            assert type(data[KEY]) is type(row.good), name


async def test_what_is_not_whole_has_a_reason(hass: HomeAssistant) -> None:
    """Nothing is completed, chosen among several, or left empty."""
    for name, row in ROWS.items():
        form = form_of(hass, row)
        for habit, write in LOST.items():
            with pytest.raises(NoDataError, match="."):
                await must_fail(form, write({KEY: row.good}), f"{name}, {habit}")


async def test_nothing_unvalidated(hass: HomeAssistant) -> None:
    """What the selector does not accept, for a reason that names the key."""
    for name, row in ROWS.items():
        with pytest.raises(NoDataError, match=re.escape(KEY)):
            await must_fail(form_of(hass, row), {KEY: row.bad}, name)


async def test_wrong_type(hass: HomeAssistant) -> None:
    """Where it is clear what is meant."""
    for name, row in ROWS.items():
        if row.wrong is not None:
            data = await form_of(hass, row).async_read(json.dumps({KEY: row.wrong}))
            assert data == {KEY: row.good}, name


def test_rows_are_whole() -> None:
    """Each kind of selector that Home Assistant has, but what is new in the next."""
    kinds = {next(iter(row.selector)) for row in ROWS.values()}
    assert set(selector.SELECTORS) - kinds <= {"unit_of_measurement"}
