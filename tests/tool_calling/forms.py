"""One call, written in every way that models have been seen to write it.

A form is the shape of the object, a wrapper what stands around it, a habit how the JSON
is spelled, a place where it stands in the answer. Each says where it was seen.
"""

from collections.abc import Callable
import json
import re
from typing import Any, Final

from custom_components.lumo.tool_calling.detection.detector import Detector
from custom_components.lumo.tool_calling.detection.pieces import (
    DetectedCall,
    Piece,
    Reasoning,
)
from custom_components.lumo.tool_calling.naming import ToolNames

type Arguments = dict[str, Any]


def detect(chunks: list[str], names: ToolNames) -> list[Piece]:
    """Return the pieces of an answer, neighbouring texts joined."""
    detector = Detector(names)
    joined: list[Piece] = []
    for piece in [p for c in chunks for p in detector.feed(c)] + detector.finish():
        last = joined[-1] if joined else None
        if isinstance(piece, str) and isinstance(last, str):
            joined[-1] = last + piece
        elif isinstance(piece, Reasoning) and isinstance(last, Reasoning):
            joined[-1] = Reasoning(last.text + piece.text, last.source + piece.source)
        else:
            joined.append(piece)
    return joined


def text_of(pieces: list[Piece]) -> str:
    """Return all that would be shown."""
    return "".join(piece for piece in pieces if isinstance(piece, str))


def calls_of(pieces: list[Piece]) -> list[tuple[str | None, Arguments]]:
    """Return the calls that would run: the tool and its arguments."""
    return [(p.tool, p.arguments) for p in pieces if isinstance(p, DetectedCall)]


def cut(text: str, size: int) -> list[str]:
    """Return a text in chunks of one size."""
    return [text[start : start + size] for start in range(0, len(text), size)]


# What may be removed around calls, beside their sources: ends of wrappings, separators.
_REMOVED: Final = re.compile(
    r"[\s\ufeff\u200b-\u200f\u2060,;\]}\"`~]|<[^<>\n]*>|\[/\w+\]"
)


def assert_nothing_lost(text: str, pieces: list[Piece]) -> None:
    """Fail unless texts and sources, in order, are the text but for wrappings."""
    if all(isinstance(piece, str) for piece in pieces):
        assert "".join(map(str, pieces)) == text
        return
    positions = _behind_removed(text, {0})
    source = None
    for piece in pieces:
        part = piece if isinstance(piece, str) else piece.source
        if part is source:
            continue  # calls of one array
        source = None if isinstance(piece, str) else part
        for char in part:
            positions = {p + 1 for p in positions if text[p : p + 1] == char}
            assert positions, f"{part!r} is doubled, invented or out of order"
            if source is None:
                positions = _behind_removed(text, positions)
        positions = _behind_removed(text, positions)
    assert len(text) in positions, "the end is lost"


def _behind_removed(text: str, positions: set[int]) -> set[int]:
    """Return the positions and those behind what may be removed there."""
    reached = set(positions)
    waiting = list(positions)
    while waiting:
        if (removed := _REMOVED.match(text, waiting.pop())) is not None:
            if removed.end() not in reached:
                reached.add(removed.end())
                waiting.append(removed.end())
    return reached


# Forms: the object that is the call

FORMS: Final[dict[str, Callable[[str, Arguments], Any]]] = {
    # The instructed one; Hermes, Qwen, Mistral.
    "arguments": lambda name, args: {"name": name, "arguments": args},
    # Llama 3.
    "parameters": lambda name, args: {"name": name, "parameters": args},
    "args first": lambda name, args: {"arguments": args, "name": name},
    "tool and args": lambda name, args: {"tool": name, "args": args},
    "tool_name and tool_input": lambda name, args: {
        "tool_name": name,
        "tool_input": args,
    },
    # Anthropic's block as text.
    "tool_use": lambda name, args: {
        "type": "tool_use",
        "id": "toolu_1",
        "name": name,
        "input": args,
    },
    # OpenAI's function object.
    "function": lambda name, args: {
        "id": "call_1",
        "type": "function",
        "function": {"name": name, "arguments": args},
    },
    "function, arguments as text": lambda name, args: {
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(args)},
    },
    # Llama 3.2 in Home Assistant.
    "function is the name": lambda name, args: {
        "type": "function",
        "function": name,
        "parameters": args,
    },
    # OpenAI's Responses.
    "function_call": lambda name, args: {
        "type": "function_call",
        "call_id": "fc_1",
        "name": name,
        "arguments": json.dumps(args),
    },
    "arguments escaped twice": lambda name, args: {
        "name": name,
        "arguments": json.dumps(json.dumps(args)),
    },
    # xLAM.
    "tool_calls": lambda name, args: {
        "tool_calls": [{"name": name, "arguments": args}]
    },
    "array": lambda name, args: [{"name": name, "arguments": args}],
    # ReAct.
    "action": lambda name, args: {"action": name, "action_input": args},
    # Multi-tool use of early ChatGPT.
    "recipient_name": lambda name, args: {
        "recipient_name": f"functions.{name}",
        "parameters": args,
    },
    "with a thought": lambda name, args: {
        "thought": "The user wants this.",
        "name": name,
        "arguments": args,
    },
}

# Habits: how the JSON is spelled


def spell(
    value: Any,
    *,
    quotes: str = '""',
    python: bool = False,
    comma: str = "",
    bare: bool = False,
    comment: str = "",
    key: bool = False,
) -> str:
    """Write a value as JSON with something odd about it."""
    options: dict[str, Any] = {
        "quotes": quotes,
        "python": python,
        "comma": comma,
        "bare": bare,
        "comment": comment,
    }
    if isinstance(value, str):
        if key and bare and value.isidentifier():
            return value
        inner = json.dumps(value, ensure_ascii=False)[1:-1]
        if quotes == "''":
            inner = inner.replace('\\"', '"').replace("'", "\\'")
        return quotes[0] + inner + quotes[1]
    if isinstance(value, dict):
        items = [
            f"{spell(name, key=True, **options)}: {spell(item, **options)}"
            for name, item in value.items()
        ]
        tail = comma if items else ""
        return "{" + comment + ", ".join(items) + tail + "}"
    if isinstance(value, list):
        items = [spell(item, **options) for item in value]
        return "[" + ", ".join(items) + (comma if items else "") + "]"
    return repr(value) if python else json.dumps(value)


HABITS: Final[dict[str, Callable[[Any], str]]] = {
    "compact": lambda v: json.dumps(v, separators=(",", ":")),
    "spaced": json.dumps,
    "pretty": lambda v: json.dumps(v, indent=2),
    "not only ASCII": lambda v: json.dumps(v, ensure_ascii=False),
    "CRLF": lambda v: json.dumps(v, indent=1).replace("\n", "\r\n"),
    "Python's quotes and literals": lambda v: spell(v, quotes="''", python=True),
    "trailing commas": lambda v: spell(v, comma=","),
    "comments": lambda v: spell(v, comment="// turn it off\n /* now */ "),
    "typographic quotes": lambda v: spell(v, quotes="“”"),
    "German quotes": lambda v: spell(v, quotes="„“"),
    "keys without quotes": lambda v: spell(v, bare=True),
    "byte order mark": lambda v: "\ufeff" + json.dumps(v),
    "zero-width characters": lambda v: json.dumps(v).replace("{", "{\u200b"),
    "escaped once": lambda v: json.dumps(json.dumps(v))[1:-1],
    "a bracket too many": lambda v: json.dumps(v) + "}",
}
# Not possible with every text: quotes that stand in it would end it.
_UNFIT: Final = {
    "typographic quotes": set("“”„‟"),
    "German quotes": set("“”„‟"),
    # Keys and values of the arguments have braces of their own.
    "zero-width characters": set("{"),
}


def fits(habit: str, arguments: Arguments) -> bool:
    """Return whether arguments can be spelled so without loss."""
    return not _UNFIT.get(habit, set()) & set(repr(list(arguments.values())))


# Wrappers: what stands around the text of the value

WRAPPERS: Final[dict[str, Callable[[str], str]]] = {
    "nothing": lambda text: text,
    "json fence": lambda text: f"```json\n{text}\n```",
    "fence": lambda text: f"```\n{text}\n```",
    "JSON fence": lambda text: f"```JSON\n{text}\n```",
    "tool_call fence": lambda text: f"```tool_call\n{text}\n```",
    "jsonc fence": lambda text: f"```jsonc\n{text}\n```",
    # home-llm's.
    "homeassistant fence": lambda text: f"```homeassistant\n{text}\n```",
    "four backticks": lambda text: f"````json\n{text}\n````",
    "tildes": lambda text: f"~~~json\n{text}\n~~~",
    "fence never closed": lambda text: f"```json\n{text}\n",
    "fence on one line": lambda text: f"```json {text} ```",
    "fence closed at once": lambda text: f"```json\n{text}```",
    "indented fence": lambda text: f"   ```json\n   {text}\n   ```",
    "fence with a blank line": lambda text: f"```json\n\n{text}\n\n```",
    # Hermes, Qwen.
    "tool_call tag": lambda text: f"<tool_call>\n{text}\n</tool_call>",
    "tool_call tag never closed": lambda text: f"<tool_call>{text}",
    "function_call tag": lambda text: f"<function_call>{text}</function_call>",
    "special tokens": lambda text: f"<|tool_call|>{text}<|/tool_call|>",
    "tool_calls tag": lambda text: f"<tool_calls>\n{text}\n</tool_calls>",
    # Mistral.
    "TOOL_CALLS": lambda text: f"[TOOL_CALLS] {text}",
    "TOOL_CALLS closed": lambda text: f"[TOOL_CALLS]{text}[/TOOL_CALLS]",
    "TOOL_CALLS in a fence": lambda text: f"```json\n[TOOL_CALLS] {text}\n```",
    "tag in a fence": lambda text: f"```xml\n<tool_call>{text}</tool_call>\n```",
    "fence in a tag": lambda text: f"<tool_call>\n```json\n{text}\n```\n</tool_call>",
    "python_tag": lambda text: f"<|python_tag|>{text}",
    "list item": lambda text: f"- {text}",
    "numbered": lambda text: f"1. {text}",
}

# Places: where it stands in the answer, and what remains of the answer

PLACES: Final[dict[str, tuple[str, str]]] = {
    "alone": ("", ""),
    "at the end": ("I will do that.\n", ""),
    "at the beginning": ("", "\nDone, it's off."),
    "between": ("Sure, let me do that:\n\n", "\n\nIs there anything else?"),
}

# Tags that name the tool

TAGGED: Final[dict[str, Callable[[str, Arguments], str]]] = {
    # Llama 3.1.
    "function=": lambda name, args: f"<function={name}>{json.dumps(args)}</function>",
    "function=, in a tool_call": lambda name, args: (
        f"<tool_call>\n<function={name}>\n{json.dumps(args)}\n</function>\n</tool_call>"
    ),
    "invoke": lambda name, args: (
        f'<function_calls><invoke name="{name}">{json.dumps(args)}</invoke>'
        "</function_calls>"
    ),
    # Mistral's newer templates.
    "TOOL_CALLS, ARGS": lambda name, args: (
        f"[TOOL_CALLS]{name}[ARGS]{json.dumps(args)}"
    ),
    "name in a tool_call": lambda name, args: (
        f"<tool_call>{name}\n{json.dumps(args)}</tool_call>"
    ),
}
