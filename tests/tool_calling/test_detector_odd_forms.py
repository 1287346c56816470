"""Calls that are not JSON: none is read aloud, few are run, all others asked for."""

from typing import Any

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.tool_calling.detection.detector import Detector
from custom_components.lumo.tool_calling.detection.pieces import (
    BrokenCall,
    DetectedCall,
    Piece,
)
from custom_components.lumo.tool_calling.naming import ToolNames

from .forms import assert_nothing_lost, calls_of, cut, detect, text_of

NAMES = ToolNames(["intent__HassTurnOff", "HassTurnOn", "script__good_night"])
KITCHEN = {"area": "Kitchen"}


def look(text: str) -> list[Piece]:
    """Return the pieces of a text, the same at every chunking."""
    pieces = detect([text], NAMES)
    for size in (1, 2, 3, 5, 8):
        assert detect(cut(text, size), NAMES) == pieces
    assert_nothing_lost(text, pieces)
    return pieces


READ = {
    "a function": 'HassTurnOff(area="Kitchen")',
    "a function with the prefix": "user:HassTurnOff(area='Kitchen')",
    "a function of an object": 'HassTurnOff({"area": "Kitchen"})',
    "a function with a semicolon": 'HassTurnOff(area="Kitchen");',
    "a function over lines": 'HassTurnOff(\n  area="Kitchen",\n)',
    "an object behind the name": 'HassTurnOff{"area": "Kitchen"}',
    "an object without quotes": 'HassTurnOff{area: "Kitchen"}',
    "an object on the next line": 'user:HassTurnOff\n{"area": "Kitchen"}',
    "a block behind the name": 'user:HassTurnOff\n```json\n{"area": "Kitchen"}\n```',
    "a block of Python": '```python\nHassTurnOff(area="Kitchen")\n```',
    "a tool_code block": '```tool_code\nprint(default_api.HassTurnOff(area="Kitchen"))\n```',
}


@pytest.mark.parametrize("form", READ)
def test_a_call_that_is_the_whole_line_is_read(form: str) -> None:
    """Complete literal arguments are read where there is nothing else."""
    for before, after in (("", ""), ("Sure.\n", "\nDone.")):
        pieces = look(f"{before}{READ[form]}{after}")
        assert calls_of(pieces) == [("intent__HassTurnOff", KITCHEN)]
        shown = text_of(pieces).replace("```", "")
        assert shown.split() == (before + after).split()


ARGUMENTS = '{"area": "Kitchen"}'
ASKED_FOR = {
    "in a sentence": 'Use this: HassTurnOff(area="Kitchen") to do it.',
    "behind words": 'I will call HassTurnOff(area="Kitchen")',
    "in a code span": 'Say `HassTurnOff({area: "Kitchen"})`, please.',
    "under a condition": '```python\nx = 1\nif x > 2:\n    HassTurnOff(area="Kitchen")\n```',
    "arguments without names": "HassTurnOff('Kitchen', 'light')",
    "a word": "HassTurnOff(light.kitchen)",
    "a key that is a list": "HassTurnOff(area={['Kitchen']: 1})",
    "half a call": 'HassTurnOff(area="Kitch',
    "closed too early": 'HassTurnOff(domain="light"), area="Kitchen")',
    "a comment": 'HassTurnOff(domain="light", # area="Kitchen"\n)',
    "an expression": "HassTurnOff(area='Kit' + 'chen')",
    "twice": "HassTurnOff(area='Kitchen', area='Hall')",
    "labelled": f"Tool: HassTurnOff\nArguments: {ARGUMENTS}",
    "labelled on one line": f"Tool: HassTurnOff, Arguments: {ARGUMENTS}",
    "ReAct": f"Action: HassTurnOff\nAction Input: {ARGUMENTS}",
    "YAML": "tool: HassTurnOff\narguments:\n  area: Kitchen",
    "YAML in a block": "```yaml\ntool: user:HassTurnOff\narguments:\n  area: Kitchen\n```",
    "flat YAML": "tool: HassTurnOff\narea: Kitchen\n",
    "gemma": '<|tool_call>call:HassTurnOff{area:<|"|>Kitchen<|"|>}<tool_call|>',
    "functiongemma": (
        "<start_function_call>call:HassTurnOff{area:<escape>Kitchen<escape>}"
        "<end_function_call>"
    ),
    "harmony": (
        "<|channel|>commentary to=functions.HassTurnOff <|constrain|>json<|message|>"
        f"{ARGUMENTS}<|call|>"
    ),
    "harmony from the start": (
        "<|start|>assistant<|channel|>commentary to=functions.HassTurnOff"
        f"<|message|>{ARGUMENTS}<|call|>"
    ),
    "DeepSeek": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>HassTurnOff\n"
        f"```json\n{ARGUMENTS}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    "DeepSeek 3.1": (
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>HassTurnOff<｜tool▁sep｜>"
        f"{ARGUMENTS}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
    ),
    "DeepSeek 3.2": (
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="HassTurnOff">\n<｜DSML｜parameter '
        'name="area" string="true">Kitchen</｜DSML｜parameter>\n</｜DSML｜invoke>\n'
        "</｜DSML｜function_calls>"
    ),
    "Llama": '<|python_tag|>HassTurnOff.call(area="Kitchen")',
    "a list of functions": '[HassTurnOff(area="Kitchen")]',
    "Qwen": f"✿FUNCTION✿: HassTurnOff\n✿ARGS✿: {ARGUMENTS}",
    "a tag of its name": '<HassTurnOff area="Kitchen"/>',
    "tags of its name": "<HassTurnOff><area>Kitchen</area></HassTurnOff>",
    "a list of functions in a tag": '<|python_tag|>[HassTurnOff(area="Kitchen")]',
    "with": f"Calling `HassTurnOff` with arguments {ARGUMENTS}",
    "options": "user:HassTurnOff --area Kitchen",
    "assignments": '[HassTurnOff area="Kitchen"]',
    "lines": "HassTurnOff:\n  area: Kitchen",
    "a name in a tag": f"<tool_name>HassTurnOff</tool_name>\n<arguments>{ARGUMENTS}",
    "the name as a key": f'{{"HassTurnOff": {ARGUMENTS}}}',
    "the key of the name misspelled": f'{{"nmae": "HassTurnOff", "arguments": {ARGUMENTS}}}',
    "the word for arguments misspelled": '{"name": "HassTurnOff", "args.": "{\\"a\\": 1}"}',
    "the first bracket missing": f'"name": "HassTurnOff", "arguments": {ARGUMENTS}}}',
    "a function as a text": '{"function": "HassTurnOff(area=\'Kitchen\')"}',
    "a function in a tag": '<tool_call>HassTurnOff(area="Kitchen")</tool_call>',
    "a template": '{"type": "function", "function": "{% call HassTurnOff %}"}',
    "a template that breaks": '{"type": "function", "function": "{% if x %}" "name": '
    '"HassTurnOff"}',
}


@pytest.mark.parametrize("form", ASKED_FOR)
def test_what_is_not_read_is_asked_for(form: str) -> None:
    """It is neither run nor read aloud."""
    pieces = look(ASKED_FOR[form])
    assert calls_of(pieces) == []
    assert sum(isinstance(piece, BrokenCall) for piece in pieces) == 1
    # Words behind a call are not spoken.
    spoken = text_of(pieces[: [isinstance(p, str) for p in pieces].index(False)])
    assert "Kitchen" not in spoken
    assert "<" not in spoken


def test_a_call_behind_words_in_a_block_of_data_is_read() -> None:
    """It was seen behind a sentence in the block."""
    call = '{"tool_calls": [{"name": "HassTurnOff", "arguments": {"area": "Kitchen"}}]}'
    pieces = look(f"```json\nThe light is on.\n{call}\n```")
    assert calls_of(pieces) == [("intent__HassTurnOff", KITCHEN)]


MENTIONED = [
    "I called HassTurnOff with user:HassTurnOff.",
    "HassTurnOff (which turns off a device) and HassTurnOn.",
    "- HassTurnOff: turns off a device\n- user:HassTurnOn: turns it on\n",
    "Tool: HassTurnOff\nDescription: Turns off a device.",
    "`HassTurnOff` is one, `HassTurnOn` another; {x} is not.",
    "The tools are HassTurnOff\n\nand HassTurnOn\nin my list.",
    "| HassTurnOff(area) | turns off |\n",
    "HassTurnOff\nand HassTurnOn are mine, HassTurnOff turns off.",
    "HassTurnOff:\n  description: Turns off\n",
    'The names are "HassTurnOff", and "HassTurnOn".',
    '{"HassTurnOff": {"description": "Turns off"}}',
    '> HassTurnOff(area="Kitchen")\n',
    'You wrote "HassTurnOff(area)" before.',
    "MyHassTurnOff(x) and HassTurnOffAll(y) and hassturnoff(z) are not mine.",
    "A good_night (script) and good_night(x) and light(1).",
    "user: HassTurnOff. us",
    "HassTurnOff",
    "Hass",
]


@pytest.mark.parametrize("text", MENTIONED)
def test_a_name_in_a_sentence_stays(text: str) -> None:
    """Names that are only mentioned are text, whatever stands around them."""
    assert look(text) == [text]


def test_a_name_is_let_go_with_what_shows_that_it_is_mentioned() -> None:
    """Only the name is held, and only until what follows it is seen."""
    detector = Detector(NAMES)
    assert detector.feed("I use Hass") == ["I use "]
    assert detector.feed("TurnOff") == []
    assert detector.feed(" to") == ["HassTurnOff to"]
    assert detector.feed(" do") == [" do"]


@given(
    st.lists(st.sampled_from(["good", " night", "light ", "Has ", "use", "(x) ", ". "]))
)
def test_words_are_not_held(chunks: list[str]) -> None:
    """Nothing is held that is no beginning of a name."""
    detector = Detector(ToolNames(["GetLiveContext", "script__good_night"], ""))
    for chunk in chunks:
        assert "".join(map(str, detector.feed(chunk))) == chunk


def test_values_of_any_kind_are_read() -> None:
    """Literals of Python and of JavaScript."""
    (piece,) = look(
        "HassTurnOn(a=[1, -2.5], b={'c': None}, d=true, e=null, f='x # y', g=(1,))"
    )
    assert isinstance(piece, DetectedCall)
    expected: dict[str, Any] = {"a": [1, -2.5], "b": {"c": None}, "d": True, "e": None}
    assert piece.arguments == {**expected, "f": "x # y", "g": [1]}
    assert (piece.form, piece.repaired) == ("function", True)
