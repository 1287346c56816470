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
    return "".join(piece for piece in pieces if isinstance(piece, str))


def calls_of(pieces: list[Piece]) -> list[tuple[str | None, Arguments]]:
    """Return the calls that would run: the tool and its arguments."""
    return [(p.tool, p.arguments) for p in pieces if isinstance(p, DetectedCall)]


def cut(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


# What may be removed around calls, beside their sources: ends of wrappings, separators.
_REMOVED: Final = re.compile(
    r"<\|close\|>\w+<\|sep\|>|<[^<>\n]*>|\[/\w+\]"
    r"|[\s\ufeff\u200b-\u200f\u2060,;\])}\"`~]"
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


def look_at(names: ToolNames, text: str) -> list[Piece]:
    """Return the pieces of a text, the same at every chunking."""
    pieces = detect([text], names)
    for size in (1, 4, 7):
        assert detect(cut(text, size), names) == pieces
    assert_nothing_lost(text, pieces)
    return pieces


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


class Seen(NamedTuple):
    """A way to write a call, and where models were seen to write so."""

    where: str
    text: str

    def write(
        self, name: str = "", arguments: object = None, *, around: str = ""
    ) -> str:
        """Return it with a tool's name and arguments, or around a text."""
        written = json.dumps(arguments)
        values = {
            '"ARGUMENTS AS TEXT"': json.dumps(written),
            '"ARGUMENTS"': written,
            "ARGUMENTS": written,
            "NAME": name,
            "TEXT": around,
        }
        return re.sub("|".join(values), lambda found: values[found[0]], self.text)


class Habit(NamedTuple):
    """A way to spell JSON, and where models were seen to spell it so."""

    where: str
    write: Callable[[Any], str]


# Forms: the object that is the call

FORMS: Final = {
    "arguments": Seen(
        "what we ask for; Qwen 2.5's and Mistral's templates; vLLM hermes",
        '{"name": "NAME", "arguments": "ARGUMENTS"}',
    ),
    "parameters": Seen(
        "Llama 3.1's template; recorded of llama3.2",
        '{"name": "NAME", "parameters": "ARGUMENTS"}',
    ),
    "args first": Seen(
        "the prompt of Hermes 2 Pro", '{"arguments": "ARGUMENTS", "name": "NAME"}'
    ),
    "args": Seen(
        "ollama issue 18357 (Gemma 3n); vLLM inkling",
        '{"name": "NAME", "args": "ARGUMENTS"}',
    ),
    "tool_name and parameters": Seen(
        "Command A's template",
        '{"tool_call_id": "0", "tool_name": "NAME", "parameters": "ARGUMENTS"}',
    ),
    "tool_use": Seen(
        "Anthropic's content block",
        '{"type": "tool_use", "id": "toolu_1", "name": "NAME", "input": "ARGUMENTS"}',
    ),
    "function": Seen(
        "OpenAI's tool call; recorded of llama3.2",
        '{"id": "call_1", "type": "function", "function": {"name": "NAME", '
        '"arguments": "ARGUMENTS"}}',
    ),
    "function, arguments as text": Seen(
        "OpenAI's tool call",
        '{"type": "function", "function": {"name": "NAME", "arguments": "ARGUMENTS '
        'AS TEXT"}}',
    ),
    "function is the name": Seen(
        "recorded of llama3.2",
        '{"type": "function", "function": "NAME", "parameters": "ARGUMENTS"}',
    ),
    "name, type, parameters": Seen(
        "real Lumo, of its own tool channel",
        '{"name": "NAME", "type": "function", "parameters": "ARGUMENTS"}',
    ),
    "function_call": Seen(
        "OpenAI's Responses",
        '{"type": "function_call", "call_id": "fc_1", "name": "NAME", "arguments": '
        '"ARGUMENTS AS TEXT"}',
    ),
    "tool_calls": Seen(
        "recorded of xlam",
        '{"tool_calls": [{"name": "NAME", "arguments": "ARGUMENTS"}]}',
    ),
    "array": Seen(
        "recorded of mistral-v3; xLAM's template",
        '[{"name": "NAME", "arguments": "ARGUMENTS"}]',
    ),
    "action": Seen(
        "LangChain's structured chat", '{"action": "NAME", "action_input": "ARGUMENTS"}'
    ),
    "recipient_name": Seen(
        "multi_tool_use.parallel of ChatGPT",
        '{"recipient_name": "functions.NAME", "parameters": "ARGUMENTS"}',
    ),
    "the name as the key": Seen(
        "Apertus' template; vLLM apertus", '[{"NAME": "ARGUMENTS"}]'
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


HABITS: Final = {
    "compact": Habit(
        "recorded of llama3.2", lambda v: json.dumps(v, separators=(",", ":"))
    ),
    "spaced": Habit("recorded of qwen3", json.dumps),
    "pretty": Habit(
        "real Lumo, lumo-tamer issue 22", lambda v: json.dumps(v, indent=2)
    ),
    "not only ASCII": Habit(
        "recorded of qwen2.5", lambda v: json.dumps(v, ensure_ascii=False)
    ),
    "Python's quotes and literals": Habit(
        "mlxcel issue 766 (Kimi)", lambda v: spell(v, quotes="''", python=True)
    ),
    "trailing commas": Habit("shared material r28", lambda v: spell(v, comma=",")),
    "comments": Habit(
        "recorded of mistral-v3",
        lambda v: spell(v, comment="// turn it off\n /* now */ "),
    ),
    "typographic quotes": Habit("shared material a58", lambda v: spell(v, quotes="“”")),
    "German quotes": Habit("recorded of llama3.2", lambda v: spell(v, quotes="„“")),
    "keys without quotes": Habit("recorded of gemma4", lambda v: spell(v, bare=True)),
    "byte order mark": Habit("shared material r30", lambda v: "\ufeff" + json.dumps(v)),
    "zero-width characters": Habit(
        "shared material r30", lambda v: json.dumps(v).replace("{", "{\u200b")
    ),
    "escaped once": Habit(
        "recorded of llama3.2, within a member",
        lambda v: json.dumps(json.dumps(v))[1:-1],
    ),
    "HTML entities": Habit(
        "shared material a68", lambda v: html.escape(json.dumps(v), quote=True)
    ),
    "a bracket too many": Habit("recorded of llama3.2", lambda v: json.dumps(v) + "}"),
    "braces doubled": Habit(
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

WRAPPERS: Final = {
    "nothing": Seen("recorded of most", "TEXT"),
    "json fence": Seen("what we ask for", "```json\nTEXT\n```"),
    "fence": Seen("recorded of mistral-v3", "```\nTEXT\n```"),
    "json5 fence": Seen("shared material r28", "```json5\nTEXT\n```"),
    "homeassistant fence": Seen("home-llm issue 310", "```homeassistant\nTEXT\n```"),
    "fence never closed": Seen("home-llm issue 310", "```json\nTEXT\n"),
    "indented fence": Seen("recorded of mistral-v3", "   ```json\n   TEXT\n   ```"),
    "tool_call tag": Seen("Hermes, Qwen", "<tool_call>\nTEXT\n</tool_call>"),
    "tool_call tag never closed": Seen("vLLM hermes", "<tool_call>TEXT"),
    "functioncall tag": Seen("Glaive's data of function calls", "<functioncall> TEXT"),
    "special tokens": Seen("Phi-4-mini's template", "<|tool_call|>TEXT<|/tool_call|>"),
    "opening token": Seen("vLLM granite", "<|tool_call|>TEXT"),
    "tool_calls tag": Seen("vLLM jamba, hunyuan", "<tool_calls>\nTEXT\n</tool_calls>"),
    "TOOL_CALLS": Seen("Mistral v3", "[TOOL_CALLS] TEXT"),
    "TOOL_CALLS in a fence": Seen(
        "recorded of mistral-v3", "```json\n[TOOL_CALLS] TEXT\n```"
    ),
    "fence in a tag": Seen(
        "DeepSeek V3's template", "<tool_call>\n```json\nTEXT\n```\n</tool_call>"
    ),
    "python_tag": Seen("Llama 3.1", "<|python_tag|>TEXT<|eom_id|>"),
    "action tokens": Seen("Command A", "<|START_ACTION|>TEXT<|END_ACTION|>"),
    "action_start": Seen(
        "vLLM internlm2", "<|action_start|><|plugin|>TEXT<|action_end|>"
    ),
    "longcat": Seen("vLLM longcat", "<longcat_tool_call>TEXT</longcat_tool_call>"),
    "masked tags": Seen(
        "shared material a68", "&lt;tool_call&gt;TEXT&lt;/tool_call&gt;"
    ),
    "functools": Seen("vLLM phi4mini", "functoolsTEXT"),
    "harmony's final channel": Seen(
        "cloudflare/ai issue 574", "<|channel|>final<|message|>TEXT<|return|>"
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

TAGGED: Final = {
    "function=": Seen("Llama 3.1's template", "<function=NAME>ARGUMENTS</function>"),
    "TOOL_CALLS, ARGS": Seen(
        "Mistral v13, llama.cpp pull request 17713", "[TOOL_CALLS]NAME[ARGS]ARGUMENTS"
    ),
    "TOOL_CALLS, CALL_ID, ARGS": Seen(
        "Mistral v11", "[TOOL_CALLS]NAME[CALL_ID]abc123[ARGS]ARGUMENTS"
    ),
    "name and a bracket in a tool_call": Seen(
        "SGLang glm53_flash", "<tool_call>NAME>ARGUMENTS"
    ),
    "name and object": Seen("recorded of qwen3", "NAME\nARGUMENTS"),
    "Kimi K2": Seen(
        "Kimi K2's template",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.NAME:0<"
        "|tool_call_argument_begin|>ARGUMENTS<|tool_call_end|><"
        "|tool_calls_section_end|>",
    ),
    "Kimi K2's tail": Seen(
        "typeclaw issue 344",
        "I'll do that.NAME:0<|tool_call_argument_begin|>ARGUMENTS<|tool_call_end|><"
        "|tool_calls_section_end|>",
    ),
    "DeepSeek V3": Seen(
        "vLLM deepseek_v3",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>NAME\n```json\n"
        "ARGUMENTS\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    ),
    "DeepSeek V3.1": Seen(
        "vLLM deepseek_v31",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>NAME<｜tool▁sep｜>ARGUMENTS<"
        "｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    ),
    "harmony": Seen(
        "gpt-oss' template",
        "<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>"
        "ARGUMENTS<|call|>",
    ),
    "harmony, the recipient in the role": Seen(
        "the guide to harmony",
        "<|start|>assistant to=functions.NAME<|channel|>commentary <|constrain|>json<"
        "|message|>ARGUMENTS<|call|>",
    ),
    "harmony without tokens": Seen(
        "recorded of gpt-oss-120b",
        "analysisWe have to do it.assistantcommentary to=functions.NAME jsonARGUMENTS",
    ),
}

# Calls of one tool in the area Kitchen, in which values are spelled otherwise.

SPELLED: Final = {
    "Qwen3-Coder": Seen(
        "Qwen3-Coder's template; vLLM seed_oss",
        "<tool_call>\n<function=NAME>\n<parameter=area>\nKitchen\n</parameter>\n<"
        "/function>\n</tool_call>",
    ),
    "Claude": Seen(
        "Anthropic's prompts",
        '<function_calls><invoke name="NAME"><parameter name="area">Kitchen<'
        "/parameter></invoke></function_calls>",
    ),
    "MiniMax M2": Seen(
        "vLLM minimax_m2",
        '<minimax:tool_call><invoke name="NAME">\n<parameter name="area">Kitchen<'
        "/parameter>\n</invoke></minimax:tool_call>",
    ),
    "MiniMax M3": Seen(
        "vLLM minimax_m3",
        ']<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name="NAME">]<]minimax[>[<'
        "area>Kitchen]<]minimax[>[</area>]<]minimax[>[</invoke>\n]<]minimax[>[<"
        "/tool_call>",
    ),
    "MiniCPM": Seen(
        "vLLM minicpm5xml",
        '<function name="NAME"><param name="area">Kitchen</param></function>',
    ),
    "GLM 4.5": Seen(
        "GLM 4.5's template",
        "<tool_call>NAME\n<arg_key>area</arg_key>\n<arg_value>Kitchen</arg_value>\n<"
        "/tool_call>",
    ),
    "GLM 4.7": Seen(
        "vLLM glm47_moe",
        "<tool_call>NAME<arg_key>area</arg_key><arg_value>Kitchen</arg_value><"
        "/tool_call>",
    ),
    "GLM 5": Seen(
        "zai-org/GLM-5 issue 84",
        "[tool=NAME<arg_key>area</arg_key><arg_value>Kitchen</arg_value>]",
    ),
    "Step-3": Seen(
        "vLLM step3",
        "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke "
        'name="NAME"><steptml:parameter name="area">Kitchen</steptml:parameter><'
        "/steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>",
    ),
    "DeepSeek V3.2": Seen(
        "vLLM deepseek_v32",
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="NAME">\n<｜DSML｜parameter '
        'name="area" string="true">Kitchen</｜DSML｜parameter>\n</｜DSML｜invoke>\n<'
        "/｜DSML｜function_calls>",
    ),
    "DeepSeek V4": Seen(
        "vLLM deepseek_v4",
        '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="NAME">\n<｜DSML｜parameter '
        'name="area" string="true">Kitchen</｜DSML｜parameter>\n</｜DSML｜invoke>\n<'
        "/｜DSML｜tool_calls>",
    ),
    "Kimi K3": Seen(
        "SGLang kimik3",
        '<|open|>tools<|sep|><|open|>call tool="NAME" index="1"<|sep|><|open|>'
        'argument key="area" type="string"<|sep|>Kitchen<|close|>argument<|sep|><'
        "|close|>call<|sep|><|close|>tools<|sep|>",
    ),
    "gemma 4": Seen(
        "vLLM gemma4", '<|tool_call>call:NAME{area:<|"|>Kitchen<|"|>}<tool_call|>'
    ),
    "gemma 4 without tokens": Seen(
        "recorded of gemma4-e2b", 'NAME{area:<|"|>Kitchen<|"|>}'
    ),
    "functiongemma": Seen(
        "vLLM functiongemma",
        "<start_function_call>call:NAME{area:<escape>Kitchen<escape>}<"
        "end_function_call>",
    ),
    "Python": Seen("recorded of qwen3 and gemma4", 'NAME(area="Kitchen")'),
    "Python, an object": Seen("recorded of qwen3", 'NAME({"area": "Kitchen"})'),
    "Python in a block": Seen(
        "recorded of mistral-v3", '```python\nNAME(area="Kitchen")\n```'
    ),
    "tool_code": Seen(
        "Gemma 3's guide", '```tool_code\nprint(default_api.NAME(area="Kitchen"))\n```'
    ),
    "Llama 3.1, built-in tools": Seen(
        "Llama 3.1's template", '<|python_tag|>NAME.call(area="Kitchen")<|eom_id|>'
    ),
    "Llama 4": Seen(
        "vLLM llama4_pythonic", '<|python_start|>[NAME(area="Kitchen")]<|python_end|>'
    ),
    "Llama 3.2, pythonic": Seen("vLLM pythonic", '[NAME(area="Kitchen")]'),
    "LFM 2": Seen(
        "SGLang lfm2", '<|tool_call_start|>[NAME(area="Kitchen")]<|tool_call_end|>'
    ),
    "LFM, as a transcript": Seen(
        "Rapid-MLX issue 1592", '[Calling tool: NAME({"area": "Kitchen"})]'
    ),
    "Olmo 3": Seen(
        "vLLM olmo3", '<function_calls>NAME(area="Kitchen")</function_calls>'
    ),
    "Cline": Seen(
        "Cline's and Roo Code's prompts", "<NAME>\n<area>Kitchen</area>\n</NAME>"
    ),
}
