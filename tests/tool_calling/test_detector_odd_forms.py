"""Calls that are not JSON: those of models are read, damaged ones are asked for."""

from functools import partial
from typing import Any

import pytest

from custom_components.lumo.tool_calling.detection.pieces import (
    BrokenCall,
    DetectedCall,
    Dropped,
)
from custom_components.lumo.tool_calling.detection.reader import CallReader
from custom_components.lumo.tool_calling.naming import ToolNames

from .forms import SPELLED, calls_of, cut, detect, look_at, text_of

NAMES = ToolNames(
    ["intent__HassTurnOff", "HassTurnOn", "script__good_night", "get_items"]
)
look = partial(look_at, NAMES)
KITCHEN = {"area": "Kitchen"}


@pytest.mark.parametrize("form", SPELLED)
def test_a_call_of_a_model_is_read(form: str) -> None:
    for name in ("HassTurnOff", "user:HassTurnOff"):
        for before, after in (("", ""), ("Sure.\n", "\nDone.")):
            pieces = look(f"{before}{SPELLED[form].write(name)}{after}")
            assert calls_of(pieces) == [("intent__HassTurnOff", KITCHEN)]
            assert text_of(pieces).split() == (before + after).split()


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("form", SPELLED)
def test_a_cut_call_of_a_model_is_never_a_shorter_one(form: str, step: int) -> None:
    text = SPELLED[form].write("user:HassTurnOff")
    whole = [("intent__HassTurnOff", KITCHEN)]
    for end in range(0, len(text), step):
        pieces = detect([text[:end]], NAMES)
        if end % 4 == 0:
            assert pieces == detect(cut(text[:end], 3), NAMES)
        assert calls_of(pieces) in ([], whole), text[:end]


BOTH = [("intent__HassTurnOff", KITCHEN), ("HassTurnOn", {"area": "Hall"})]
SEVERAL = [
    '[HassTurnOff(area="Kitchen"), HassTurnOn(area="Hall")]',
    (
        '<|tool_call_start|>[HassTurnOff(area="Kitchen"), HassTurnOn(area="Hall")]'
        "<|tool_call_end|>"
    ),
    '<function_calls>HassTurnOff(area="Kitchen")\nHassTurnOn(area="Hall")</function_calls>',
    'HassTurnOff(area="Kitchen")\nHassTurnOn(area="Hall")',
    '<function=HassTurnOff>{{"area": "Kitchen"}}<function=HassTurnOn>{"area": "Hall"}',
    (
        '[TOOL_CALLS]HassTurnOff[ARGS]{"area": "Kitchen"}[TOOL_CALLS]HassTurnOn[ARGS]'
        '{"area": "Hall"}'
    ),
    (
        '<tool_calls><invoke name="HassTurnOff"><parameter name="area">Kitchen'
        '</parameter></invoke><invoke name="HassTurnOn"><parameter name="area">Hall'
        "</parameter></invoke></tool_calls>"
    ),
]


@pytest.mark.parametrize("text", SEVERAL)
def test_several_calls_are_read(text: str) -> None:
    assert calls_of(look(text)) == BOTH


def test_a_plain_word_in_a_tag_may_be_a_tool() -> None:
    """It is a call without arguments."""
    assert calls_of(look("<tool_call>get_items</tool_call>")) == [("get_items", {})]


@pytest.mark.parametrize(
    "text",
    [
        '<x tool="HassTurnOff">{"area": "Kitchen"}</x>',
        '<action data-tool="user:HassTurnOff">{"area": "Kitchen"}</action>',
        # It was seen behind a sentence in a block of data.
        '```json\nIt is on.\n{"tool": "HassTurnOff", "area": "Kitchen"}\n```',
    ],
)
def test_a_call_is_read_in_a_tag_and_in_a_block(text: str) -> None:
    """A tag names it by prefix or in CamelCase, whatever the tag is called."""
    assert calls_of(look(text)) == [("intent__HassTurnOff", KITCHEN)]


ARGUMENTS = '{"area": "Kitchen"}'
ASKED_FOR = {
    "behind words": 'I will call HassTurnOff(area="Kitchen")',
    "arguments without names": "HassTurnOff('Kitchen', 'light')",
    "a word": "HassTurnOff(light.kitchen)",
    "a key that is a list": "HassTurnOff(area={['Kitchen']: 1})",
    "half a call": 'HassTurnOff(area="Kitch',
    "closed too early": 'HassTurnOff(domain="light"), area="Kitchen")',
    "a comment": 'HassTurnOff(domain="light", # area="Kitchen"\n)',
    "an expression": "HassTurnOff(area='Kit' + 'chen')",
    "twice": "HassTurnOff(area='Kitchen', area='Hall')",
    "an argument twice": (
        "<function=HassTurnOff><parameter=area>Kitchen</parameter>"
        "<parameter=area>Hall</parameter></function>"
    ),
    "a key without a value": (
        "<tool_call>HassTurnOff<arg_key>area</arg_key></tool_call>"
    ),
    "an end without a beginning": "<tool_call>HassTurnOff</arg_value></tool_call>",
    "a malformed first key": (
        "<tool_call>HassTurnOff<tool_call>area</arg_key><arg_value>Kitchen</arg_value>"
        "</tool_call>"
    ),
    "a name alone in a span": f"**Tool call:** `user:HassTurnOff`\n```json\n{ARGUMENTS}\n```",
    "arguments in the tag": '<HassTurnOff area="Kitchen"/>',
    "arguments in a tag of calls": '<call tool="HassTurnOff" area="Kitchen"/>',
    "the key of the name misspelled": (
        f'{{"nmae": "HassTurnOff", "arguments": {ARGUMENTS}}}'
    ),
    "the word for arguments misspelled": '{"name": "HassTurnOff", "agrs": "{\\"a\\": 1}"}',
    "a function as a text": '{"function": "HassTurnOff(area=\'Kitchen\')"}',
    "a template": '{"type": "function", "function": "{% call HassTurnOff %}"}',
    "a template that breaks": '{"type": "function", "function": "{% if x %}" "name": '
    '"HassTurnOff"}',
    "only its end": "The light is off.\n</parameter>\n</function>\n</tool_call>",
}


@pytest.mark.parametrize("form", ASKED_FOR)
def test_what_cannot_be_read_is_asked_for(form: str) -> None:
    """It is neither run nor read aloud."""
    pieces = look(ASKED_FOR[form])
    assert calls_of(pieces) == []
    assert sum(isinstance(piece, BrokenCall) for piece in pieces) == 1
    # Words behind a call are not spoken.
    spoken = text_of(pieces[: [isinstance(p, BrokenCall) for p in pieces].index(True)])
    assert "Kitchen" not in spoken
    assert "<" not in spoken


MENTIONED = [
    "I called HassTurnOff with user:HassTurnOff.",
    f"Use `HassTurnOff` with {ARGUMENTS} if you like.",
    f"Calling `HassTurnOff` with arguments {ARGUMENTS}",
    'Use this: HassTurnOff(area="Kitchen") to do it.',
    'Say `HassTurnOff({area: "Kitchen"})`, please.',
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
    '```python\nx = 1\nif x > 2:\n    HassTurnOff(area="Kitchen")\n```',
    '```python\n# turn it off\nHassTurnOff(area="Kitchen")\n```',
    "```yaml\ntool: user:HassTurnOff\narguments:\n  area: Kitchen\n```",
    '<!-- <invoke name="HassTurnOff"></invoke> --> Hi',
    '<b class="get_items">bold</b>, <i title="good_night">x</i>',
    f'<example>\n{{"name": "HassTurnOff", "arguments": {ARGUMENTS}}}\n</example>\n?',
    f'<code>{{"name": "HassTurnOff", "arguments": {ARGUMENTS}}}</code>',
    "It is written as `<tool_call>` and `</tool_call>`.",
]


@pytest.mark.parametrize("text", MENTIONED)
def test_a_name_in_a_sentence_or_in_code_stays(text: str) -> None:
    """What is only mentioned, explained or shown is text."""
    assert look(text) == [text]


def test_a_name_is_let_go_with_what_shows_that_it_is_mentioned() -> None:
    reader = CallReader(NAMES)
    assert reader.feed("I use Hass") == ["I use "]
    assert reader.feed("TurnOff") == []
    assert reader.feed(" to do") == ["HassTurnOff to do"]
    assert reader.feed(" it") == [" it"]


def test_values_of_any_kind_are_read() -> None:
    """Literals of Python and of JavaScript."""
    (piece,) = look("HassTurnOn(a=[1, -2.5], b={'c': None}, d=true, e=null, f='x # y')")
    assert isinstance(piece, DetectedCall)
    expected: dict[str, Any] = {"a": [1, -2.5], "b": {"c": None}, "d": True, "e": None}
    assert piece.arguments == {**expected, "f": "x # y"}


@pytest.mark.parametrize(
    "text",
    [
        '<invoke>{"name": "HassTurnOff", "arguments": {}}<domain>light</domain></invoke>',
        '<tool_call>HassTurnOff(area="Kitchen"), domain="light")</tool_call>',
        '[HassTurnOff(area="Kitchen"), domain="light")]',
    ],
)
def test_what_stands_behind_a_call_may_belong_to_it(text: str) -> None:
    """It is asked for again; a sentence and its tags are none of it."""
    assert not calls_of(look(text))
    for after in ("<b>Done</b>", "x = 1 is so"):
        assert calls_of(look(f'HassTurnOff(area="Kitchen")\n{after}'))


@pytest.mark.parametrize(
    "text",
    [
        '[tool=HassTurnOff]{"area": "Kitchen"}[/tool]',
        'print(default_api.HassTurnOff(area="Kitchen"))',
    ],
)
def test_a_call_in_a_bracket_or_in_code_is_read(text: str) -> None:
    assert calls_of(look(text)) == [("intent__HassTurnOff", KITCHEN)]
    assert text_of(look(text)) in ("", "[/tool]")


def test_tags_may_nest() -> None:
    """Lists and objects, as MiniMax M3 writes them."""
    ((_, arguments),) = calls_of(
        look(
            '<invoke name="HassTurnOff"><domain><item>light</item><item>fan</item>'
            "</domain><color><r>1</r><g>2</g></color></invoke>"
        )
    )
    assert arguments == {"domain": ["light", "fan"], "color": {"r": "1", "g": "2"}}


TOKENS = {
    "<|im_start|>assistant\nHello.<|im_end|>": "Hello.",
    "Hello.<|eot_id|>": "Hello.",
    "<start_of_turn>model\nHello.<end_of_turn>": "Hello.",
    "<|start|>assistant<|channel|>final<|message|>Hello.<|return|>": "Hello.",
    "<|open|>response<|sep|>Hello.<|close|>response<|sep|>": "Hello.",
    "Hello. <|whatever|>There.": "Hello. There.",
    "final<|message|>Hello. [<|tool_calls|>": "Hello. ",
    "assistantfinal <|message|>Hello.": "Hello.",
    "]~b]ai\nHello.[e~[": "Hello.",
    "[|assistant|]Hello.[|endofturn|]": "Hello.",
    "Hello.</s>": "Hello.",
    "Hello.<seed:eos>": "Hello.",
}


@pytest.mark.parametrize("text", TOKENS)
def test_tokens_and_roles_are_no_words(text: str) -> None:
    """They are neither heard nor shown."""
    pieces = look(text)
    assert text_of(pieces) == TOKENS[text]
    assert all(isinstance(piece, str | Dropped) for piece in pieces)


ANSWERS = [
    '{"answer": "The light is on."}',
    '```json\n{"answer": "The light is on."}\n```',
    '{"response": "The light is on.", "tool_calls": []}',
]


@pytest.mark.parametrize("text", ANSWERS)
def test_an_answer_in_json_is_words(text: str) -> None:
    """A model that always writes JSON is understood."""
    for size in (len(text), 5, 1):
        assert detect(cut(text, size), NAMES) == ["The light is on."]


UNKNOWN = {
    '```json\n{"service": "light.turn_off", "target": {"area_id": "kitchen"}}\n```': (
        "light.turn_off"
    ),
    '```homeassistant\n{"service": "light.turn_off", "target_device": "light.x"}\n```': (
        "light.turn_off"
    ),
    '{"name": "light.turn_off", "arguments": {"entity_id": "light.x"}}': "light.turn_off",
    '{"name": "TurnLightOff", "arguments": {"area": "Kitchen"}}': "TurnLightOff",
    '<tool_call>\n{"name": "turn_off", "arguments": {}}\n</tool_call>': "turn_off",
    "<tool_call>turn_off<arg_key>x</arg_key><arg_value>y</arg_value></tool_call>": (
        "turn_off"
    ),
}


@pytest.mark.parametrize("text", UNKNOWN)
def test_a_call_of_a_tool_that_does_not_exist_is_reported(text: str) -> None:
    reader = CallReader(NAMES, unknown=True)
    (piece,) = [*reader.feed(text), *reader.finish()]
    assert isinstance(piece, DetectedCall)
    assert (piece.name, piece.tool) == (UNKNOWN[text], None)
    assert calls_of(look(text)) == []


def test_behind_a_token_of_calls_stands_no_word() -> None:
    for text in (
        "<|tool_call_begin|>functions.turn_off:0<|tool_call_argument_begin|>{}",
        "<|channel|>commentary to=functions.turn_off <|constrain|>json<|message|>{}<|call|>",
    ):
        (piece,) = look(text)
        assert isinstance(piece, DetectedCall)
        assert (piece.name, piece.tool) == ("turn_off", None)


NO_CALLS = [
    '{"name": "Bob", "age": 3}',
    '{"alias": "Off", "action": [{"service": "light.turn_off"}]}',
    '{"action": "light.turn_off", "description": "Turns off"}',
    '[{"name": "Kitchen Light", "state": "on"}]',
]


@pytest.mark.parametrize("text", NO_CALLS)
def test_other_json_is_no_call_of_an_unknown_tool(text: str) -> None:
    """It is words, also where something was to be done."""
    reader = CallReader(NAMES, unknown=True)
    assert [*reader.feed(text), *reader.finish()] == [text]


def test_forms_are_text_where_somebody_asked_what_they_look_like() -> None:
    text = 'Like this: HassTurnOff(area="Kitchen")'
    detector = CallReader(NAMES, json_only=True)
    assert text_of(detector.feed(text) + detector.finish()) == text
