"""One call, written in every way that models have been seen to write it.

A form is the shape of the object, a wrapper what stands around it, a habit how the JSON
is spelled, a place where it stands in the answer. Each says where it was seen: in a
recorded output (of the datasets that `material` reads, or measured with small models), a
published template or parser, or an issue thread.
"""

from collections.abc import Callable
import html
import json
import re
from typing import Any, Final, NamedTuple

from custom_components.lumo.tool_calling.detection.pieces import (
    DetectedCall,
    Piece,
    Reasoning,
)
from custom_components.lumo.tool_calling.detection.reader import CallReader
from custom_components.lumo.tool_calling.naming import ToolNames

type Arguments = dict[str, Any]


def detect(chunks: list[str], names: ToolNames) -> list[Piece]:
    """Return the pieces of an answer, neighbouring texts joined."""
    detector = CallReader(names)
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
    r"<\|close\|>\w+<\|sep\|>|<[^<>\n]*>|\[/\w+\]"
    r"|[\s\ufeff\u200b-\u200f\u2060,;\])}\"`]"
)


def assert_nothing_lost(text: str, pieces: list[Piece]) -> None:
    """Fail unless texts and sources, in order, are the text but for wrappings.

    What was masked is compared without the mask.
    """
    readings = (
        text,
        html.unescape(text),
        text.replace("]<]minimax[>[", ""),
    )
    problems = [_what_is_lost(reading, pieces) for reading in readings]
    is_bare_harmony = re.match("analysis[A-Z]", text) is not None
    assert None in problems or is_bare_harmony, problems[0]


def _what_is_lost(text: str, pieces: list[Piece]) -> str | None:
    if all(isinstance(piece, str) for piece in pieces):
        return None if "".join(map(str, pieces)) == text else "words are changed"
    positions = _behind_removed(text, {0})
    source = None
    for piece in pieces:
        part = piece if isinstance(piece, str) else piece.source
        if part is source:
            continue  # calls of one array
        source = None if isinstance(piece, str) else part
        for char in part:
            positions = {p + 1 for p in positions if text[p : p + 1] == char}
            if not positions:
                return f"{part!r} is doubled, invented or out of order"
            if source is None:
                positions = _behind_removed(text, positions)
        positions = _behind_removed(text, positions)
    return None if len(text) in positions else "the end is lost"


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


class Seen[**P, T](NamedTuple):
    """A way to write something, and where models were seen to write so."""

    where: str
    write: Callable[P, T]


type Form = Seen[[str, Arguments], Any]

# Forms: the object that is the call

FORMS: Final[dict[str, Form]] = {
    "arguments": Seen(
        "what we ask for; Qwen 2.5's and Mistral's templates; vLLM hermes",
        lambda name, args: {"name": name, "arguments": args},
    ),
    "parameters": Seen(
        "Llama 3.1's template; recorded of llama3.2",
        lambda name, args: {"name": name, "parameters": args},
    ),
    "args first": Seen(
        "the prompt of Hermes 2 Pro",
        lambda name, args: {"arguments": args, "name": name},
    ),
    "args": Seen(
        "ollama issue 18357 (Gemma 3n); vLLM inkling",
        lambda name, args: {"name": name, "args": args},
    ),
    "tool_name and parameters": Seen(
        "Command A's template",
        lambda name, args: {"tool_call_id": "0", "tool_name": name, "parameters": args},
    ),
    "tool_use": Seen(
        "Anthropic's content block",
        lambda name, args: {
            "type": "tool_use",
            "id": "toolu_1",
            "name": name,
            "input": args,
        },
    ),
    "function": Seen(
        "OpenAI's tool call; recorded of llama3.2",
        lambda name, args: {
            "id": "call_1",
            "type": "function",
            "function": {"name": name, "arguments": args},
        },
    ),
    "function, arguments as text": Seen(
        "OpenAI's tool call",
        lambda name, args: {
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(args)},
        },
    ),
    "function is the name": Seen(
        "recorded of llama3.2",
        lambda name, args: {"type": "function", "function": name, "parameters": args},
    ),
    "name, type, parameters": Seen(
        "real Lumo, of its own tool channel",
        lambda name, args: {"name": name, "type": "function", "parameters": args},
    ),
    "function_call": Seen(
        "OpenAI's Responses",
        lambda name, args: {
            "type": "function_call",
            "call_id": "fc_1",
            "name": name,
            "arguments": json.dumps(args),
        },
    ),
    "tool_calls": Seen(
        "recorded of xlam",
        lambda name, args: {"tool_calls": [{"name": name, "arguments": args}]},
    ),
    "array": Seen(
        "recorded of mistral-v3; xLAM's template",
        lambda name, args: [{"name": name, "arguments": args}],
    ),
    "action": Seen(
        "LangChain's structured chat",
        lambda name, args: {"action": name, "action_input": args},
    ),
    "recipient_name": Seen(
        "multi_tool_use.parallel of ChatGPT",
        lambda name, args: {
            "recipient_name": f"functions.{name}",
            "parameters": args,
        },
    ),
    "the name as the key": Seen(
        "Apertus' template; vLLM apertus",
        lambda name, args: [{name: args}],
    ),
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


HABITS: Final[dict[str, Seen[[Any], str]]] = {
    "compact": Seen(
        "recorded of llama3.2", lambda v: json.dumps(v, separators=(",", ":"))
    ),
    "spaced": Seen("recorded of qwen3", json.dumps),
    "pretty": Seen("real Lumo, lumo-tamer issue 22", lambda v: json.dumps(v, indent=2)),
    "not only ASCII": Seen(
        "recorded of qwen2.5", lambda v: json.dumps(v, ensure_ascii=False)
    ),
    "Python's quotes and literals": Seen(
        "mlxcel issue 766 (Kimi)", lambda v: spell(v, quotes="''", python=True)
    ),
    "trailing commas": Seen("shared material r28", lambda v: spell(v, comma=",")),
    "comments": Seen(
        "recorded of mistral-v3",
        lambda v: spell(v, comment="// turn it off\n /* now */ "),
    ),
    "typographic quotes": Seen("shared material a58", lambda v: spell(v, quotes="“”")),
    "German quotes": Seen("recorded of llama3.2", lambda v: spell(v, quotes="„“")),
    "keys without quotes": Seen("recorded of gemma4", lambda v: spell(v, bare=True)),
    "byte order mark": Seen("shared material r30", lambda v: "\ufeff" + json.dumps(v)),
    "zero-width characters": Seen(
        "shared material r30", lambda v: json.dumps(v).replace("{", "{\u200b")
    ),
    "escaped once": Seen(
        "recorded of llama3.2, within a member",
        lambda v: json.dumps(json.dumps(v))[1:-1],
    ),
    "HTML entities": Seen(
        "shared material a68", lambda v: html.escape(json.dumps(v), quote=True)
    ),
    "a bracket too many": Seen("recorded of llama3.2", lambda v: json.dumps(v) + "}"),
    "braces doubled": Seen(
        "measured of Qwen2.5-Coder",
        lambda v: "{" + json.dumps(v) + "}" if isinstance(v, dict) else json.dumps(v),
    ),
}
# Not possible with every text: quotes that stand in it would end it.
_UNFIT: Final = {
    "typographic quotes": set("“”„‟"),
    "German quotes": set("“”„‟"),
    "HTML entities": set("&"),
    # Keys and values of the arguments have braces of their own.
    "zero-width characters": set("{"),
}


def fits(habit: str, arguments: Arguments) -> bool:
    """Return whether arguments can be spelled so without loss."""
    return not _UNFIT.get(habit, set()) & set(repr(list(arguments.values())))


# Wrappers: what stands around the text of the value

WRAPPERS: Final[dict[str, Seen[[str], str]]] = {
    "nothing": Seen("recorded of most", lambda text: text),
    "json fence": Seen("what we ask for", lambda text: f"```json\n{text}\n```"),
    "fence": Seen("recorded of mistral-v3", lambda text: f"```\n{text}\n```"),
    "json5 fence": Seen("shared material r28", lambda text: f"```json5\n{text}\n```"),
    "homeassistant fence": Seen(
        "home-llm issue 310", lambda text: f"```homeassistant\n{text}\n```"
    ),
    "fence never closed": Seen("home-llm issue 310", lambda text: f"```json\n{text}\n"),
    "indented fence": Seen(
        "recorded of mistral-v3", lambda text: f"   ```json\n   {text}\n   ```"
    ),
    "tool_call tag": Seen(
        "Hermes, Qwen", lambda text: f"<tool_call>\n{text}\n</tool_call>"
    ),
    "tool_call tag never closed": Seen(
        "vLLM hermes", lambda text: f"<tool_call>{text}"
    ),
    "functioncall tag": Seen(
        "Glaive's data of function calls", lambda text: f"<functioncall> {text}"
    ),
    "special tokens": Seen(
        "Phi-4-mini's template", lambda text: f"<|tool_call|>{text}<|/tool_call|>"
    ),
    "opening token": Seen("vLLM granite", lambda text: f"<|tool_call|>{text}"),
    "tool_calls tag": Seen(
        "vLLM jamba, hunyuan", lambda text: f"<tool_calls>\n{text}\n</tool_calls>"
    ),
    "TOOL_CALLS": Seen("Mistral v3", lambda text: f"[TOOL_CALLS] {text}"),
    "TOOL_CALLS in a fence": Seen(
        "recorded of mistral-v3", lambda text: f"```json\n[TOOL_CALLS] {text}\n```"
    ),
    "fence in a tag": Seen(
        "DeepSeek V3's template",
        lambda text: f"<tool_call>\n```json\n{text}\n```\n</tool_call>",
    ),
    "python_tag": Seen("Llama 3.1", lambda text: f"<|python_tag|>{text}<|eom_id|>"),
    "action tokens": Seen(
        "Command A", lambda text: f"<|START_ACTION|>{text}<|END_ACTION|>"
    ),
    "action_start": Seen(
        "vLLM internlm2",
        lambda text: f"<|action_start|><|plugin|>{text}<|action_end|>",
    ),
    "longcat": Seen(
        "vLLM longcat", lambda text: f"<longcat_tool_call>{text}</longcat_tool_call>"
    ),
    "masked tags": Seen(
        "shared material a68", lambda text: f"&lt;tool_call&gt;{text}&lt;/tool_call&gt;"
    ),
    "functools": Seen("vLLM phi4mini", lambda text: f"functools{text}"),
    "harmony's final channel": Seen(
        "cloudflare/ai issue 574",
        lambda text: f"<|channel|>final<|message|>{text}<|return|>",
    ),
}

# Places: where it stands in the answer, and what remains of the answer

PLACES: Final[dict[str, tuple[str, str]]] = {
    "alone": ("", ""),
    "at the end": ("I will do that.\n", ""),
    "at the beginning": ("", "\nDone, it's off."),
    "between": ("Sure, let me do that:\n\n", "\n\nIs there anything else?"),
}

# Tags that name the tool

TAGGED: Final[dict[str, Form]] = {
    "function=": Seen(
        "Llama 3.1's template",
        lambda name, args: f"<function={name}>{json.dumps(args)}</function>",
    ),
    "TOOL_CALLS, ARGS": Seen(
        "Mistral v13, llama.cpp pull request 17713",
        lambda name, args: f"[TOOL_CALLS]{name}[ARGS]{json.dumps(args)}",
    ),
    "TOOL_CALLS, CALL_ID, ARGS": Seen(
        "Mistral v11",
        lambda name, args: f"[TOOL_CALLS]{name}[CALL_ID]abc123[ARGS]{json.dumps(args)}",
    ),
    "name and a bracket in a tool_call": Seen(
        "SGLang glm53_flash",
        lambda name, args: f"<tool_call>{name}>{json.dumps(args)}",
    ),
    "name and object": Seen(
        "recorded of qwen3", lambda name, args: f"{name}\n{json.dumps(args)}"
    ),
    "Kimi K2": Seen(
        "Kimi K2's template",
        lambda name, args: (
            "<|tool_calls_section_begin|><|tool_call_begin|>functions."
            f"{name}:0<|tool_call_argument_begin|>{json.dumps(args)}<|tool_call_end|>"
            "<|tool_calls_section_end|>"
        ),
    ),
    "Kimi K2's tail": Seen(
        "typeclaw issue 344",
        lambda name, args: (
            f"I'll do that.{name}:0<|tool_call_argument_begin|>{json.dumps(args)}"
            "<|tool_call_end|><|tool_calls_section_end|>"
        ),
    ),
    "DeepSeek V3": Seen(
        "vLLM deepseek_v3",
        lambda name, args: (
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>"
            f"{name}\n```json\n{json.dumps(args)}\n```<｜tool▁call▁end｜>"
            "<｜tool▁calls▁end｜>"
        ),
    ),
    "DeepSeek V3.1": Seen(
        "vLLM deepseek_v31",
        lambda name, args: (
            f"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>{name}<｜tool▁sep｜>"
            f"{json.dumps(args)}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"
        ),
    ),
    "harmony": Seen(
        "gpt-oss' template",
        lambda name, args: (
            f"<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>"
            f"{json.dumps(args)}<|call|>"
        ),
    ),
    "harmony, the recipient in the role": Seen(
        "the guide to harmony",
        lambda name, args: (
            f"<|start|>assistant to=functions.{name}<|channel|>commentary "
            f"<|constrain|>json<|message|>{json.dumps(args)}<|call|>"
        ),
    ),
    "harmony without tokens": Seen(
        "recorded of gpt-oss-120b",
        lambda name, args: (
            "analysisWe have to do it.assistantcommentary to=functions."
            f"{name} json{json.dumps(args)}"
        ),
    ),
}

# Calls of one tool in the area Kitchen, in which values are spelled otherwise.

SPELLED: Final[dict[str, Seen[[str], str]]] = {
    "Qwen3-Coder": Seen(
        "Qwen3-Coder's template; vLLM seed_oss",
        lambda name: (
            f"<tool_call>\n<function={name}>\n<parameter=area>\nKitchen\n"
            "</parameter>\n</function>\n</tool_call>"
        ),
    ),
    "Claude": Seen(
        "Anthropic's prompts",
        lambda name: (
            f'<function_calls><invoke name="{name}"><parameter name="area">Kitchen'
            "</parameter></invoke></function_calls>"
        ),
    ),
    "MiniMax M2": Seen(
        "vLLM minimax_m2",
        lambda name: (
            f'<minimax:tool_call><invoke name="{name}">\n<parameter name="area">'
            "Kitchen</parameter>\n</invoke></minimax:tool_call>"
        ),
    ),
    "MiniMax M3": Seen(
        "vLLM minimax_m3",
        lambda name: (
            f']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="{name}">'
            "]<]minimax[>[<area>Kitchen]<]minimax[>[</area>]<]minimax[>[</invoke>\n"
            "]<]minimax[>[</tool_call>"
        ),
    ),
    "MiniCPM": Seen(
        "vLLM minicpm5xml",
        lambda name: (
            f'<function name="{name}"><param name="area">Kitchen</param></function>'
        ),
    ),
    "GLM 4.5": Seen(
        "GLM 4.5's template",
        lambda name: (
            f"<tool_call>{name}\n<arg_key>area</arg_key>\n"
            "<arg_value>Kitchen</arg_value>\n</tool_call>"
        ),
    ),
    "GLM 4.7": Seen(
        "vLLM glm47_moe",
        lambda name: (
            f"<tool_call>{name}<arg_key>area</arg_key>"
            "<arg_value>Kitchen</arg_value></tool_call>"
        ),
    ),
    "GLM 5": Seen(
        "zai-org/GLM-5 issue 84",
        lambda name: (
            f"[tool={name}<arg_key>area</arg_key><arg_value>Kitchen</arg_value>]"
        ),
    ),
    "Step-3": Seen(
        "vLLM step3",
        lambda name: (
            "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜>"
            f'<steptml:invoke name="{name}"><steptml:parameter name="area">Kitchen'
            "</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>"
        ),
    ),
    "DeepSeek V3.2": Seen(
        "vLLM deepseek_v32",
        lambda name: (
            f'<｜DSML｜function_calls>\n<｜DSML｜invoke name="{name}">\n'
            '<｜DSML｜parameter name="area" string="true">Kitchen</｜DSML｜parameter>\n'
            "</｜DSML｜invoke>\n</｜DSML｜function_calls>"
        ),
    ),
    "DeepSeek V4": Seen(
        "vLLM deepseek_v4",
        lambda name: (
            f'<｜DSML｜tool_calls>\n<｜DSML｜invoke name="{name}">\n'
            '<｜DSML｜parameter name="area" string="true">Kitchen</｜DSML｜parameter>\n'
            "</｜DSML｜invoke>\n</｜DSML｜tool_calls>"
        ),
    ),
    "Kimi K3": Seen(
        "SGLang kimik3",
        lambda name: (
            f'<|open|>tools<|sep|><|open|>call tool="{name}" index="1"<|sep|>'
            '<|open|>argument key="area" type="string"<|sep|>Kitchen'
            "<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>"
        ),
    ),
    "gemma 4": Seen(
        "vLLM gemma4",
        lambda name: f'<|tool_call>call:{name}{{area:<|"|>Kitchen<|"|>}}<tool_call|>',
    ),
    "gemma 4 without tokens": Seen(
        "recorded of gemma4-e2b",
        lambda name: f'{name}{{area:<|"|>Kitchen<|"|>}}',
    ),
    "functiongemma": Seen(
        "vLLM functiongemma",
        lambda name: (
            f"<start_function_call>call:{name}{{area:<escape>Kitchen<escape>}}"
            "<end_function_call>"
        ),
    ),
    "Python": Seen(
        "recorded of qwen3 and gemma4", lambda name: f'{name}(area="Kitchen")'
    ),
    "Python, an object": Seen(
        "recorded of qwen3", lambda name: f'{name}({{"area": "Kitchen"}})'
    ),
    "Python in a block": Seen(
        "recorded of mistral-v3", lambda name: f'```python\n{name}(area="Kitchen")\n```'
    ),
    "tool_code": Seen(
        "Gemma 3's guide",
        lambda name: f'```tool_code\nprint(default_api.{name}(area="Kitchen"))\n```',
    ),
    "Llama 3.1, built-in tools": Seen(
        "Llama 3.1's template",
        lambda name: f'<|python_tag|>{name}.call(area="Kitchen")<|eom_id|>',
    ),
    "Llama 4": Seen(
        "vLLM llama4_pythonic",
        lambda name: f'<|python_start|>[{name}(area="Kitchen")]<|python_end|>',
    ),
    "Llama 3.2, pythonic": Seen(
        "vLLM pythonic", lambda name: f'[{name}(area="Kitchen")]'
    ),
    "LFM 2": Seen(
        "SGLang lfm2",
        lambda name: f'<|tool_call_start|>[{name}(area="Kitchen")]<|tool_call_end|>',
    ),
    "LFM, as a transcript": Seen(
        "Rapid-MLX issue 1592",
        lambda name: f'[Calling tool: {name}({{"area": "Kitchen"}})]',
    ),
    "Olmo 3": Seen(
        "vLLM olmo3",
        lambda name: f'<function_calls>{name}(area="Kitchen")</function_calls>',
    ),
    "Cline": Seen(
        "Cline's and Roo Code's prompts",
        lambda name: f"<{name}>\n<area>Kitchen</area>\n</{name}>",
    ),
}
