"""Read everything there is to know out of the messages of one request.

Turns are sorted into what a person said, calls, results and requests to print a call
again ("bounces"). Instructions may come as system turns or wrapped into a person's turn,
as Proton's web client does; tools may be listed there or come beside the messages.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
import json
import re
from typing import Any, Final

from .home import Entity, Home, read_home
from .model import Call, Offered, Result, short_name
from .text import fold
from .wire import (
    ARGUMENT_KEYS,
    RESULT_KEYS,
    decode,
    is_result,
    json_objects,
    read_call,
    read_result,
    read_results,
)

WRAPPER_START: Final = "[Project instructions:"
# What the integration writes to an answer that it doubts; nobody spoke it.
_DOUBT = re.compile(
    r"(?:No call has (?:done|read) that|The tools that were described)\b"
)
_NOW = re.compile(r"Current time is (\d\d:\d\d(?::\d\d)?)")
_TODAY = re.compile(r"Today'?s date is (\d{4}-\d\d-\d\d)")
_NOTES = re.compile(r'^Of (?:this person|the house): (".*")', re.MULTILINE)
# A tool in few words: `user:set(action: on|off, name, area): Turn on or off ...`
_SIGNATURE = re.compile(r"^([a-z]+:\w+)(?:\((.*?)\))?: (.*)$", re.MULTILINE)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_ALIASES = re.compile(r"Aliases: \[(.*?)\]")

# Tools of Home Assistant that are no intents; every other tool without `Hass` in its name
# is run by its name, like a script.
KNOWN_TOOLS: Final = frozenset(
    {
        "GetLiveContext", "GetDateTime", "get_events", "get_items", "search_media",
        "play_media", "call_action", "render_template", "search_actions",
        # Those of the integration.
        "history", "why", "forecast", "events", "set", "change_list",
        "change_event", "create_event", "undo", "find_in_home", "look", "memory",
        "calculate", "music", "tell", "routine", "alarm_clock", "later",
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
    notes: list[str] = field(default_factory=list)
    """What people had remembered."""
    pictures: list[bytes] = field(default_factory=list)
    """What was shown with the last sentence."""

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
    prompt.form = "native" if native and not listed else "text"
    prompt.offered = listed or native
    known = "\n".join(instructions)
    prompt.home = read_home(known).with_entities(_from_tools(prompt.offered))
    prompt.asks_for_area = "ask the user to specify an area" in known
    prompt.notes = _read_notes(known)
    prompt.time = match[1] if (match := _NOW.search(known)) else None
    prompt.date = match[1] if (match := _TODAY.search(known)) else None
    _read_turns(prompt, spoken)
    return prompt


def _read_notes(known: str) -> list[str]:
    return [
        str(json.loads(text))
        for line in _NOTES.findall(known)
        for text in _QUOTED.findall(line)
    ]


def unwrap(text: str) -> tuple[str, str]:
    """Split a user turn into the instructions wrapped into it and what was said.

    There may be several wrappers, one behind the other.
    """
    instructions = []
    while text.lstrip().startswith(WRAPPER_START):
        wrapped, text = _unwrap_one(text.lstrip())
        instructions.append(wrapped)
    return "\n".join(instructions), text


def _unwrap_one(text: str) -> tuple[str, str]:
    """Split off the first wrapper.

    It ends with `]` and a blank line. A client that sanitises leaves no other such
    place in it; with one that does not, the tools or the home would follow.
    """
    end = text.find("]\n\n")
    while end >= 0:
        rest = text[end + 3 :]
        following = rest.find("]\n\n")
        if (
            following < 0
            or rest.startswith(WRAPPER_START)
            or not _looks_like_instructions(rest)
        ):
            return text[:end], rest.strip()
        end = end + 3 + following
    return text, ""


def _looks_like_instructions(text: str) -> bool:
    return '"parameters"' in text or "Static Context" in text


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(
            str(part.get("text", "")) for part in content if isinstance(part, dict)
        )
    return content if isinstance(content, str) else ""


def _openai_calls(message: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        if isinstance(call, dict) and isinstance(call.get("function"), dict):
            yield "lumo_tool_call", json.dumps(call["function"])


# Tools.


def _listed_tools(texts: Sequence[str]) -> tuple[Offered, ...]:
    tools: dict[str, Offered] = {}
    for text in texts:
        for name, arguments, description in _SIGNATURE.findall(text):
            tools[name] = Offered(name, description, _signed(arguments))
    for value in (value for text in texts for value in json_objects(text)):
        for item in _definitions(value):
            tools.setdefault(item.name, item)
    return tuple(tools.values())


def _signed(arguments: str) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for argument in filter(None, arguments.split(", ")):
        key, _, values = argument.partition(": ")
        some = values.split("|")
        # A name may be said in place of one of these.
        is_free = "name" in some
        # "in 10 minutes|19:00" are examples.
        is_choice = len(some) > 1 and not any(map(str.isdigit, values))
        properties[key] = {"enum": some} if is_choice and not is_free else {}
    return {"type": "object", "properties": properties}


def _definitions(value: Any) -> Iterator[Offered]:
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
    """Yield the things that only tools tell of: scripts."""
    for tool in offered:
        if tool.short not in KNOWN_TOOLS and not tool.short.startswith("Hass"):
            names = [tool.short.replace("_", " ")]
            if match := _ALIASES.search(tool.description):
                aliases = re.findall(r"'([^']+)'|\"([^\"]+)\"", match[1])
                names = [first or second for first, second in aliases] + names
            yield Entity(
                names=tuple(dict.fromkeys(names)), domain="script", tool=tool.name
            )


# Turns.


def _read_turns(prompt: Prompt, turns: Sequence[tuple[str, str]]) -> None:
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
            elif exchange is not None and _DOUBT.match(text.strip()):
                pass
            elif exchange is not None and is_result(text, bool(waiting)):
                exchange.results.extend(read_results(text, waiting))
            else:
                prompt.exchanges.append(Exchange(text.strip()))
                waiting = []
        elif exchange is None:
            continue
        elif role == "tool":
            exchange.results.append(read_result(decode(text), waiting))
        else:
            calls = list(_calls(text, prompt, sure=role == "lumo_tool_call"))
            exchange.calls.extend(calls)
            waiting.extend(calls)
            if not calls:
                exchange.reply = text
        last_role = role
    if last_role != "user":
        prompt.bounce = None


def _calls(text: str, prompt: Prompt, *, sure: bool) -> Iterator[Call]:
    for value in json_objects(text):
        if (call := read_call(value)) and (sure or prompt.resolve(call.name)):
            yield call


def _bounced(prompt: Prompt, text: str) -> Call | None:
    """Return the call that a turn asks to print, under its offered name."""
    found = None
    for value in json_objects(text):
        names_arguments = any(key in value for key in ARGUMENT_KEYS)
        if not names_arguments or set(value) & (set(RESULT_KEYS) - {"content"}):
            continue
        if (call := read_call(value)) and (tool := prompt.resolve(call.name)):
            found = Call(tool.name, call.arguments)
    return found
