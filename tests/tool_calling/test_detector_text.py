"""Text that is no call stays as it is, byte for byte, and is let go at once."""

import json

import pytest

from custom_components.lumo.tool_calling.detection.pieces import DetectedCall
from custom_components.lumo.tool_calling.detection.reader import CallReader
from custom_components.lumo.tool_calling.naming import ToolNames

from .forms import cut, detect

NAMES = ToolNames(
    ["assist__intent__HassTurnOff", "assist__intent__HassTurnOn", "script__light"]
)
CALL = '{"name": "user:HassTurnOff", "arguments": {"area": "Kitchen"}}'

TEXTS = {
    "nothing": "",
    "words": "The kitchen light is on.\n\nAnything else?",
    "an emoji": "Done ✅ – 21 °C 👍🏽",
    "YAML": "```yaml\nalias: Off\naction:\n  - service: light.turn_off\n```\nThere.",
    "YAML with a comment": "```yaml\n# turn it off\nname: HassTurnOff\n```",
    "YAML with a template": "```yaml\nto: \"{{ states('light.x') }}\"\n{% if x %}\n```",
    "YAML in flow style": "colors: {on: yellow, off: [black, white]} and so on\n",
    "Python": f"```python\ncall = {CALL}\nrun(call)\n```",
    "Python with a comment": f"```python\n# the call\nx = {CALL}\n```",
    "a call in a block of Python": f"~~~py\nprint('''\n{CALL}\n''')\n~~~\nSee?",
    "a block in a list": f"1. Do this:\n   ```js\n   run({CALL})\n   ```\n2. Done",
    "a block never closed": f"```python\nrun({CALL})\n",
    "a fence in a longer fence": f"````markdown\n```json\n{CALL}\n```\n````\n",
    "a block in a block quote": f"> ```json\n> {CALL}\n> ```\n",
    "a code span": f"I sent `{CALL}` before.",
    "a code span on a line": f"Before:\n`{CALL}` was sent.\n",
    "double quotes": f'It said "{CALL}" to me.',
    "typographic quotes": f"It said “{CALL}” to me.",
    "a block quote": f"You wrote:\n> {CALL}\n\nRight?",
    "a table": f"| call | meaning |\n|---|---|\n| {CALL} | turns off |\n",
    "an argument of a function": f"Use run({CALL}) for that.",
    "other people's JSON": '{"name": "Bob", "parameters": {"age": 3}}',
    "a list of devices": '[{"name": "Kitchen Light", "state": "on"}, {"name": "x"}]',
    "a device named like a tool": '{"name": "light", "state": "on", "area": "Hall"}',
    "a result": '{"name": "HassTurnOff", "result": {"success": true}}',
    "a result with arguments": '{"name": "HassTurnOff", "arguments": {}, "output": 1}',
    "a result of another kind": '{"type": "function_call_output", "name": "HassTurnOff", '
    '"output": "{}"}',
    "a definition": json.dumps(
        {
            "type": "function",
            "function": {
                "name": "HassTurnOff",
                "description": "Turns off",
                "parameters": {"type": "object", "properties": {"area": {}}},
            },
        }
    ),
    "a definition with Python's word for an object": '{"name": "HassTurnOff", '
    '"parameters": {"type": "dict", "properties": {"area": {"type": "string"}}}}',
    "a definition without parameters": '{"name": "HassTurnOff", "description": "Off", '
    '"parameters": {}}',
    "a list of tools": '{"tools": [{"name": "HassTurnOff", "description": "Off"}]}',
    "a call inside of something": f'{{"example": {CALL}, "note": "no"}}',
    "a call inside of an array of others": f'[{{"x": 1}}, {CALL}]',
    "an unknown name": '{"name": "Frobnicate", "arguments": {"area": "Kitchen"}}',
    "an automation": '{"name": "Off at night", "action": [{"service": "light.x"}]}',
    "braces in words": "Use {name} and {{ x }} or {} and [] and [1] and [ ] and [x](y).",
    "a set": "{1, 2} and {'a', 'b'} and {a: b}",
    "CSS": "body { color: red; }",
    "LaTeX": r"\frac{a}{b} and {\bf x}",
    "less than": "a < b, <b>bold</b>, <tool>s, <function of x>, </tool_call> ends it",
    "tags of something else": "<tool_call> is how it is written, <tool_call>text",
    "backticks in a sentence": "Use ``` to open a block, `x` for code, ```x``` too.",
    "tildes": "about ~5 minutes, ~~not~~ this, ~~~",
    "an empty block": "```\n```\n```json\n```\n",
    "a block of JSON": '```json\n{\n  "a": [1, 2]\n}\n```\nThat is it.',
    "a block of JSON, tag and indentation kept": '  ```JSON5\n    {"a": 1}\n  ```',
    "a block that is cut": '```json\n{"a": "b',
    "JSON that is cut": '{"a": {"b": [1, 2',
    "JSON that breaks": '{"a": 1 "b": 2} and {"a" 1} and {"a": x y}',
    "a quote in a brace": "{'tis the season} and {\"so on",
    "half a fence": "``",
    "half a tag": "<tool_c",
    "an open bracket": "[",
    "the name of a tool": "I called HassTurnOff with user:HassTurnOff.",
}


@pytest.mark.parametrize("kind", TEXTS)
def test_text_stays_as_it_is(kind: str) -> None:
    """Text that is no call comes out as it went in, however it is cut."""
    text = TEXTS[kind]
    for size in (len(text) or 1, 3, 1):
        assert detect(cut(text, size), NAMES) == ([text] if text else [])


OPEN_TO_THE_END = ("never closed", "is cut", "in a brace", "half", "JSON that breaks")


@pytest.mark.parametrize(
    "kind",
    [kind for kind in TEXTS if not any(word in kind for word in OPEN_TO_THE_END)],
)
def test_a_call_behind_text_is_found(kind: str) -> None:
    """What looked like a call does not hide one that follows on a line of its own."""
    text = f"{TEXTS[kind]}\n\nSo:\n"
    for size in (len(text) + len(CALL), 5, 1):
        *before, call = detect(cut(text + CALL, size), NAMES)
        assert before == [text]
        assert isinstance(call, DetectedCall)
        assert call.tool == "assist__intent__HassTurnOff"


PLAIN = (
    "The light is on (it was off), isn't it? \"Yes\", it's at 50%; that's all…\n"
    "- One\n- Two: 3/4 = 0.75 and more.\n> quoted\n| a | b |\n# Title\n**bold** _x_"
)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 1000])
def test_plain_text_is_let_go_with_every_chunk(size: int) -> None:
    """Nothing is held of text in which no call can begin."""
    detector = CallReader(NAMES)
    for chunk in cut(PLAIN, size):
        assert detector.feed(chunk) == [chunk]
    assert detector.finish() == []


@pytest.mark.parametrize(
    ("begun", "refuted"),
    [
        ("`", "x"),
        ("``", "x"),
        ("```python\n", "import x\n"),
        ("```\n", "ls\n"),
        ("<", " "),
        ("<t", "r>"),
        ("<b", ">"),
        ("{", "1"),
        ("{", "}"),
        ("{ ", "%"),
        ("{x ", "y"),
        ("[", "1]"),
        ("[", "] "),
        ("[the link", "](https://x)"),
        ("[ ", "] "),
    ],
)
def test_held_text_is_let_go_when_it_cannot_be_a_call(begun: str, refuted: str) -> None:
    """What is held is let go soon behind the character that decides."""
    detector = CallReader(NAMES)
    chunks = ("So: ", begun, refuted, " and that is all there is to say about it")
    out = "".join(str(piece) for chunk in chunks for piece in detector.feed(chunk))
    assert out == "".join(chunks)
