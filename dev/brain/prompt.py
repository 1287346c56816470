"""Read everything there is to know out of the messages of one request.

Strategy: turns are sorted into what a person said, calls, results and requests to print
a call again ("bounces"). Instructions may come as system turns or wrapped into a turn
that a person spoke, as Proton's web client does with project instructions; tools may be
listed there as JSON or come beside the messages. Nothing depends on the exact wording:
what looks like a tool definition is one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
import json
import re
from typing import Any, Final

from .home import Entity, Home, read_home
from .model import Call, Offered, Result, short_name
from .text import fold

WRAPPER_START: Final = "[Project instructions:"
_FENCE = re.compile(r"(?:```|~~~)[\w-]*[ \t]*\n?(.*?)(?:```|~~~|\Z)", re.DOTALL)
_NOW = re.compile(r"Current time is (\d\d:\d\d(?::\d\d)?)")
_TODAY = re.compile(r"Today'?s date is (\d{4}-\d\d-\d\d)")
_ALIASES = re.compile(r"Aliases: \[(.*?)\]")

_DECODER: Final = json.JSONDecoder(strict=False)
_ARGUMENT_KEYS: Final = ("arguments", "parameters", "args", "input")
_RESULT_KEYS: Final = (
    "result",
    "output",
    "data",
    "error",
    "success",
    "response",
    "content",
)

# Tools of Home Assistant that are no intents; every other tool without `Hass` in its name
# is run by its name, like a script.
KNOWN_TOOLS: Final = frozenset(
    {
        "GetLiveContext", "GetDateTime", "get_events", "get_items", "search_media",
        "play_media", "call_action", "render_template", "search_actions",
    }
)  # fmt: skip


@dataclass(slots=True)
class Exchange:
    """One sentence of a person, and what followed it."""

    sentence: str
    calls: list[Call] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    reply: str = ""


@dataclass(slots=True)
class Prompt:
    """What the messages of one request say."""

    offered: tuple[Offered, ...] = ()
    form: str = "text"
    """How calls are wanted: `text` (printed) or `native`."""
    home: Home = field(default_factory=Home)
    exchanges: list[Exchange] = field(default_factory=list)
    bounce: Call | None = None
    """The call that the last turn asks to print again, under its offered name."""
    asks_for_area: bool = False
    """The home wants an area to be asked for where several things could be meant."""
    time: str | None = None
    date: str | None = None

    @property
    def prefix(self) -> str:
        """What stands before the names of the offered tools, such as `user:`."""
        for tool in self.offered:
            if ":" in tool.name:
                return tool.name.rsplit(":", 1)[0] + ":"
        return ""

    @property
    def sentence(self) -> str:
        """The last sentence that a person spoke."""
        return self.exchanges[-1].sentence if self.exchanges else ""

    @property
    def results(self) -> list[Result]:
        """What tools have answered since the last sentence."""
        return self.exchanges[-1].results if self.exchanges else []

    @property
    def history(self) -> list[Exchange]:
        """The exchanges before the last sentence."""
        return self.exchanges[:-1]

    def tool(self, short: str) -> Offered | None:
        """Return the offered tool with this last segment."""
        wanted = fold(short)
        for tool in self.offered:
            if fold(tool.short) == wanted:
                return tool
        return None

    def resolve(self, written: str) -> Offered | None:
        """Return the offered tool that a written name means."""
        for tool in self.offered:
            if tool.name == written:
                return tool
        return self.tool(short_name(written))


def read_prompt(
    messages: Sequence[Mapping[str, Any]],
    function_tools: Sequence[Mapping[str, Any]] = (),
) -> Prompt:
    """Read the messages of a request, in order, and the tools beside them."""
    prompt = Prompt()
    instructions: list[str] = []
    spoken: list[tuple[str, str]] = []
    for message in messages:
        role, text = str(message.get("role", "")), _text(message.get("content"))
        if role in ("system", "developer"):
            instructions.append(text)
        elif role == "user":
            wrapped, text = unwrap(text)
            if wrapped:
                instructions.append(wrapped)
            spoken.append((role, text))
        else:
            spoken.append((role, text))
            spoken.extend(_openai_calls(message))

    listed = _listed_tools(instructions)
    native = tuple(
        tool for item in function_tools if (tool := _definition(item)) is not None
    )
    if not listed and not native:
        # Somebody may have put the tools into a turn without a wrapper.
        for position, (role, text) in enumerate(spoken):
            if role == "user" and (found := _listed_tools([text])):
                listed = found
                instructions.append(text)
                spoken[position] = (role, _last_line(text))
                break
    prompt.form = "native" if native and not listed else "text"
    prompt.offered = listed or native
    known = "\n".join(instructions)
    prompt.home = read_home(known).with_entities(_from_tools(prompt.offered))
    prompt.asks_for_area = "ask the user to specify an area" in known
    prompt.time = match[1] if (match := _NOW.search(known)) else None
    prompt.date = match[1] if (match := _TODAY.search(known)) else None
    _read_turns(prompt, spoken)
    return prompt


def unwrap(text: str) -> tuple[str, str]:
    """Split a user turn into the instructions wrapped into it and what was said.

    The wrapper ends with `]` and a blank line. A client that sanitises leaves no other
    such place in it; with one that does not, the tools or the home would follow.
    """
    if not text.lstrip().startswith(WRAPPER_START):
        return "", text
    end = text.find("]\n\n")
    while end >= 0:
        rest = text[end + 3 :]
        following = rest.find("]\n\n")
        if following < 0 or not _looks_like_instructions(rest):
            return text[:end], rest.strip()
        end = end + 3 + following
    return text, ""


def _looks_like_instructions(text: str) -> bool:
    """Tell whether a text still belongs to the instructions."""
    return '"parameters"' in text or "Static Context" in text


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects that stand anywhere in a text, outermost first."""
    position = text.find("{")
    while position >= 0:
        try:
            value, end = _DECODER.raw_decode(text, position)
        except ValueError:
            end = position + 1
        else:
            if isinstance(value, dict):
                yield value
        position = text.find("{", end)


def _text(content: Any) -> str:
    """Return the text of a turn, which may be written in parts."""
    if isinstance(content, list):
        return "\n".join(
            str(part.get("text", "")) for part in content if isinstance(part, dict)
        )
    return content if isinstance(content, str) else ""


def _last_line(text: str) -> str:
    """Return the last line that is no part of a list of tools."""
    lines = [line for line in text.splitlines() if line.strip()]
    return (
        lines[-1]
        if lines and not lines[-1].lstrip().startswith(("{", "}", "]", "`"))
        else ""
    )


def _openai_calls(message: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the calls of an assistant turn in OpenAI's own form as call turns."""
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict) and isinstance(call.get("function"), dict):
            yield "lumo_tool_call", json.dumps(call["function"])


# Tools.


def _listed_tools(texts: Sequence[str]) -> tuple[Offered, ...]:
    """Return the tools that are described in texts, each name once."""
    tools: dict[str, Offered] = {}
    for text in texts:
        for value in json_objects(text):
            for item in _definitions(value):
                tools.setdefault(item.name, item)
    return tuple(tools.values())


def _definitions(value: Any) -> Iterator[Offered]:
    """Yield the definitions in a JSON value, such as `{"tools": [...]}`."""
    if isinstance(value, dict):
        if tool := _definition(value):
            yield tool
        else:
            for member in value.values():
                if isinstance(member, list):
                    yield from _definitions(member)
    elif isinstance(value, list):
        for member in value:
            yield from _definitions(member)


def _definition(item: Mapping[str, Any]) -> Offered | None:
    """Read a definition, nested as OpenAI has it or flat."""
    inner = item.get("function")
    source = inner if isinstance(inner, dict) else item
    name, parameters = source.get("name"), source.get("parameters")
    if not isinstance(name, str) or not name:
        return None
    is_schema = isinstance(parameters, dict) and (
        not parameters
        or "properties" in parameters
        or parameters.get("type") == "object"
    )
    if source is item and not is_schema and "description" not in item:
        return None
    if "arguments" in source:
        return None
    return Offered(
        name=name,
        description=str(source.get("description") or ""),
        parameters=parameters if isinstance(parameters, dict) else {},
    )


def _from_tools(offered: Sequence[Offered]) -> Iterator[Entity]:
    """Yield the things that only tools tell of: scripts, calendars and lists."""
    for tool in offered:
        if tool.short == "get_events":
            yield from _choices(tool, "calendar", "calendar")
        if tool.short not in KNOWN_TOOLS and not tool.short.startswith("Hass"):
            names = [tool.short.replace("_", " ")]
            if match := _ALIASES.search(tool.description):
                aliases = re.findall(r"'([^']+)'|\"([^\"]+)\"", match[1])
                names = [first or second for first, second in aliases] + names
            yield Entity(
                names=tuple(dict.fromkeys(names)), domain="script", tool=tool.name
            )


def _choices(tool: Offered, argument: str, domain: str) -> Iterator[Entity]:
    """Yield what an argument lets one choose from."""
    schema = tool.properties.get(argument)
    for name in schema.get("enum", ()) if isinstance(schema, dict) else ():
        yield Entity(names=(str(name),), domain=domain)


# Turns.


def _read_turns(prompt: Prompt, turns: Sequence[tuple[str, str]]) -> None:
    """Sort the turns into exchanges."""
    waiting: list[Call] = []
    last_role = ""
    for role, text in turns:
        if role == "assistant" and not text.strip():
            continue  # Stands for the answer that is being generated.
        exchange = prompt.exchanges[-1] if prompt.exchanges else None
        prompt.bounce = None
        if role == "user":
            if call := _bounced(prompt, text):
                prompt.bounce = call
            elif exchange is not None and is_result(text, bool(waiting)):
                exchange.results.extend(_results(text, waiting))
            else:
                prompt.exchanges.append(Exchange(text.strip()))
                waiting = []
        elif exchange is None:
            continue
        elif role == "tool":
            exchange.results.append(_result(_decode(text), waiting))
        else:
            calls = list(_calls(text, prompt, sure=role == "lumo_tool_call"))
            exchange.calls.extend(calls)
            waiting.extend(calls)
            if not calls:
                exchange.reply = text
        last_role = role
    if last_role != "user":
        prompt.bounce = None


def is_result(text: str, expected: bool) -> bool:
    """Tell whether a user turn carries results of tools and not a sentence."""
    bodies = _bodies(text)
    if any(_decodes(body) for body in bodies):
        return True
    if not expected:
        return False
    return any(set(value) & set(_RESULT_KEYS) for value in json_objects(text))


def _bodies(text: str) -> list[str]:
    """Return the fenced blocks of a text, or the text if it is bare JSON."""
    bodies = [body.strip() for body in _FENCE.findall(text)]
    if not bodies and text.strip()[:1] in ("{", "["):
        bodies = [text.strip()]
    return bodies


def _decodes(body: str) -> bool:
    """Tell whether a block begins with a JSON object or array."""
    try:
        value, _ = _DECODER.raw_decode(body)
    except ValueError:
        return False
    return isinstance(value, dict | list)


def _decode(text: str) -> Any:
    """Return the JSON value of a text, or the text."""
    try:
        return json.loads(text, strict=False)
    except ValueError:
        return text


def _calls(text: str, prompt: Prompt, *, sure: bool) -> Iterator[Call]:
    """Yield the calls that a turn of the assistant shows."""
    for value in json_objects(text):
        if (call := _call(value)) and (sure or prompt.resolve(call.name)):
            yield call


def _call(value: Mapping[str, Any]) -> Call | None:
    """Read a call in any of the forms that are in use."""
    inner = value.get("function")
    source = inner if isinstance(inner, dict) else value
    name = source.get("name") or source.get("tool")
    if not isinstance(name, str):
        return None
    arguments: Any = None
    for key in _ARGUMENT_KEYS:
        if key in source:
            arguments = source[key]
            break
    if isinstance(arguments, str):
        arguments = _decode(arguments)
    return Call(name, arguments if isinstance(arguments, dict) else {})


def _bounced(prompt: Prompt, text: str) -> Call | None:
    """Return the call that a turn asks to print, under its offered name."""
    found = None
    for value in json_objects(text):
        names_arguments = any(key in value for key in _ARGUMENT_KEYS)
        if not names_arguments or set(value) & (set(_RESULT_KEYS) - {"content"}):
            continue
        if (call := _call(value)) and (tool := prompt.resolve(call.name)):
            found = Call(tool.name, call.arguments)
    return found


def _results(text: str, waiting: list[Call]) -> Iterator[Result]:
    """Yield the results in a user turn."""
    found = False
    for body in _bodies(text) or [text]:
        value = _decode(body)
        if isinstance(value, list) and all(isinstance(item, dict) for item in value):
            values: list[Any] = value
        else:
            values = list(json_objects(body)) if isinstance(value, str) else [value]
        for item in values:
            found = True
            yield _result(item, waiting)
    if not found:
        yield _result(text, waiting)


def _result(value: Any, waiting: list[Call]) -> Result:
    """Take the wrapping off a result and join it to the call it answers."""
    call, name = None, None
    if isinstance(value, dict):
        name = value.get("name") or value.get("tool") or value.get("tool_name")
        if not name and isinstance(value.get("call_id"), str):
            # A known client writes the tool's name into the id: `<name>__<24 digits>`.
            name = value["call_id"].rsplit("__", 1)[0]
    if isinstance(name, str):
        short = fold(short_name(name))
        call = next(
            (own for own in waiting if fold(short_name(own.name)) == short), None
        )
    if call is None and waiting:
        call = waiting[0]
    if call is not None:
        waiting.remove(call)
    data, error = _unwrap_result(value)
    return Result(data, error, call)


def _unwrap_result(value: Any, depth: int = 0) -> tuple[Any, str | None]:
    """Return the data of a result, and the text of its error if it is one."""
    if isinstance(value, str):
        text = value.strip()
        if re.match(r"(error|denied|failed)\b", text, re.IGNORECASE):
            return value, text
        if (
            depth < 4
            and text[:1] in ("{", "[")
            and not isinstance(inner := _decode(text), str)
        ):
            return _unwrap_result(inner, depth + 1)
        return value, None
    if not isinstance(value, dict) or depth >= 4:
        return value, None
    if error := _error_of(value):
        return value, error
    if "response_type" in value:
        return value, None
    for key in ("result", "output", "data", "response", "content"):
        if key in value and isinstance(value[key], dict | list | str):
            return _unwrap_result(value[key], depth + 1)
    return value, None


def _error_of(value: Mapping[str, Any]) -> str | None:
    """Return what an error result says."""
    flagged = (
        value.get("error") not in (None, False, "", {})
        or value.get("success") is False
        or value.get("is_error") is True
        or value.get("response_type") == "error"
        or value.get("status") in ("error", "failed", "refused")
    )
    if not flagged:
        return None
    for key in ("error_text", "error", "message", "reason", "result", "output", "data"):
        text = value.get(key)
        if isinstance(text, str) and text:
            return text
        if isinstance(text, dict):
            return _error_of(text) or next(
                (item for item in text.values() if isinstance(item, str) and item),
                json.dumps(text, ensure_ascii=False),
            )
    speech = value.get("speech")
    if isinstance(speech, dict) and isinstance(speech.get("plain"), dict):
        return str(speech["plain"].get("speech") or "error")
    return "error"
