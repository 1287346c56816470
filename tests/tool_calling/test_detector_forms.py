"""Every form of a call is understood: form x wrapper x habit x place x chunking."""

import itertools
import json
from typing import Any

import pytest

from custom_components.lumo.tool_calling.naming import ToolNames
from tests.material import load_jsonl, requires_material

from .forms import (
    FORMS,
    HABITS,
    PLACES,
    TAGGED,
    WRAPPERS,
    assert_nothing_lost,
    calls_of,
    cut,
    detect,
    fits,
    text_of,
)

TOOL = "assist__intent__HassTurnOff"
NAMES = ToolNames([TOOL, "assist__intent__HassTurnOn"])
WRITTEN = NAMES.prompted(TOOL)
ARGUMENTS: dict[str, Any] = {
    "name": 'Joe\'s "big" lamp {1}',
    "area": "Küche",
    "domain": ["light", "fan"],
    "position": 50,
    "half": 0.5,
    "on": True,
    "floor": None,
    "note": "a ``` b\nc",
}
RECORDED = load_jsonl("recorded_calls.jsonl")
# All of them are for the long run.
SOME_RECORDED = RECORDED[::16]


def check(text: str, arguments: dict[str, Any], names: ToolNames, tool: str) -> None:
    """Fail unless the text is this one call, whole and in pieces."""
    for size in (len(text), 3):
        pieces = detect(cut(text, size), names)
        assert calls_of(pieces) == [(tool, arguments)], text
        assert_nothing_lost(text, pieces)


@pytest.mark.parametrize("form", FORMS)
def test_a_form_is_understood_in_any_wrapper(form: str) -> None:
    """A form is understood in any wrapper."""
    for wrap in WRAPPERS.values():
        text = wrap.write(around=FORMS[form].write(WRITTEN, ARGUMENTS))
        check(text, ARGUMENTS, NAMES, TOOL)


@pytest.mark.parametrize("habit", HABITS)
def test_any_form_is_understood_with_a_habit(habit: str) -> None:
    """A form is understood however its JSON is spelled."""
    arguments = ARGUMENTS
    if not fits(habit, arguments):
        arguments = {**arguments, "name": "lamp"}
    for form in FORMS.values():
        text = WRAPPERS["json fence"].write(
            around=HABITS[habit].write(json.loads(form.write(WRITTEN, arguments)))
        )
        check(text, arguments, NAMES, TOOL)


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_any_habit_is_understood_in_a_wrapper(wrapper: str) -> None:
    """A habit is understood in any wrapper."""
    arguments = {"area": "Kitchen", "domain": ["light"]}
    value = {"name": WRITTEN, "arguments": arguments}
    for spell in HABITS.values():
        check(
            WRAPPERS[wrapper].write(around=spell.write(value)), arguments, NAMES, TOOL
        )


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_words_around_a_call_are_kept(wrapper: str) -> None:
    """Words before and behind a call are kept, its wrapping is not."""
    value = json.dumps({"name": WRITTEN, "arguments": {"area": "Hall"}})
    for before, after in PLACES.values():
        text = before + WRAPPERS[wrapper].write(around=value) + after
        for size in (len(text), 4, 1):
            pieces = detect(cut(text, size), NAMES)
            assert calls_of(pieces) == [(TOOL, {"area": "Hall"})]
            # The mark of a list is no wrapping.
            shown = text_of(pieces).replace("- ", "").replace("1. ", "")
            assert shown.split() == (before + after).split()


@pytest.mark.parametrize("form", TAGGED)
def test_a_tag_may_name_the_tool(form: str) -> None:
    """A tag may name the tool, its content being the arguments."""
    check(TAGGED[form].write(WRITTEN, ARGUMENTS), ARGUMENTS, NAMES, TOOL)


@requires_material
@pytest.mark.parametrize("form", [*FORMS, *TAGGED])
def test_recorded_calls_come_back_exactly(form: str) -> None:
    """What models really called comes back exactly, in every form."""
    for call, (wrapper, wrap) in zip(
        SOME_RECORDED, itertools.cycle(WRAPPERS.items()), strict=False
    ):
        names = ToolNames([call["tool"]])
        written = names.prompted(call["tool"])
        if form in TAGGED:
            text = TAGGED[form].write(written, call["arguments"])
        else:
            text = wrap.write(around=FORMS[form].write(written, call["arguments"]))
        for size in (len(text), 3):
            found = calls_of(detect(cut(text, size), names))
            assert found == [(call["tool"], call["arguments"])], (wrapper, text)


@pytest.mark.long
@pytest.mark.timeout(3600)
@requires_material
def test_every_combination_with_recorded_calls() -> None:
    """What models really called comes back exactly, whatever stands around it."""
    combinations = [*itertools.product(FORMS, WRAPPERS, HABITS)]
    for call, (form, wrapper, habit) in zip(
        # Each combination with twenty calls in turn.
        itertools.cycle(RECORDED),
        itertools.chain(*[combinations] * 20),
        strict=False,
    ):
        if not fits(habit, call["arguments"]):
            continue
        names = ToolNames([call["tool"]])
        written = names.prompted(call["tool"])
        value = json.loads(FORMS[form].write(written, call["arguments"]))
        text = WRAPPERS[wrapper].write(around=HABITS[habit].write(value))
        found = calls_of(detect(cut(text, 7), names))
        assert found == [(call["tool"], call["arguments"])], text
