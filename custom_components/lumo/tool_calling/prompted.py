"""Tools, calls and results in a request.

In the native form tools are functions beside the messages. In the prompted one all is
text: each tool one line, JSON or for one of our own `name(arguments): use`; each call a
fenced block with `name` and `arguments`; each result one that has neither, so that
repeating it is no call.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
import re
from typing import Any, Final

import jinja2

from .instructions import BOUNCE, LAST_PART, PROTOCOL, RESULT_OF, TEMPLATE
from .json_text import bounded, one_line, plain, text_of
from .naming import ToolNames
from .schema import acceptable, description_of

# Characters of one result as JSON; about 6,000 tokens of Lumo's 131,072 or more.
RESULT_LIMIT: Final = 24_000
# Reading tools that the protocol names as examples.
_MAX_READERS: Final = 4
# Characters of a function beside its name, description and parameters.
_FUNCTION: Final = 66

type Example = tuple[str, str, Mapping[str, Any]]
_PROJECT: Final = "[Project instructions: "
# The forms of tools that are kept, for some sets of names.
MADE: Final = 2_000
_MANY_NEWLINES: Final = re.compile(r"\n{3,}")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToolDefinition:
    """A tool as the home describes it; each is a key of what was made of it."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = field(default_factory=dict)
    read_only: bool = False
    """Whether it only reads, as far as is known."""
    is_short: bool = False
    """Whether a prompt says it in few words, without types: our own, and timers."""


def build_instructions(
    tools: Sequence[ToolDefinition],
    names: ToolNames,
    home_instructions: str,
    *,
    home: str = "",
    examples: Sequence[Example] = (),
) -> str:
    """Return the instructions: how to call, which tools, and what the home wants.

    `home` describes the home. `examples` are what somebody says, a tool's full name, and
    its arguments.
    Tools that the home's instructions mention get their offered names.
    """
    wishes = (
        names.rewrite(home_instructions, prompted=True) if tools else home_instructions
    )
    readers = [names.prompted(tool.name) for tool in tools if tool.read_only]
    protocol = _render(
        PROTOCOL,
        prefix=names.prefix,
        example=_example(names, examples),
        examples=[
            # A name may be a stranger's text.
            f"{one_line(said)}: {one_line(_call(names, tool, arguments))}"
            for said, tool, arguments in examples
        ],
        readers=", ".join(readers[:_MAX_READERS]),
    )
    return _render(
        TEMPLATE,
        tools=_lines(tools, names),
        home_instructions=joined(wishes, home),
        protocol=protocol,
    )


def build_last_part(
    text: str,
    tools: Sequence[ToolDefinition],
    names: ToolNames,
    *,
    reminds: bool,
    examples: Sequence[Example] = (),
) -> str:
    """Return what stands with the sentence: `text`, and further `tools`.

    If it `reminds`, the form of a call is shown again.
    """
    return _render(
        LAST_PART,
        text=text.strip(),
        tools=_lines(tools, names),
        example=_example(names, examples) if reminds else "",
    )


def joined(*texts: str) -> str:
    """Return the texts that are not empty, with a blank line between them."""
    return "\n\n".join(filter(None, (text.strip() for text in texts)))


@lru_cache(maxsize=MADE)
def tool_line(tool: ToolDefinition, names: ToolNames) -> str:
    """Return the line that describes a tool: JSON, or `many(action: on|off, name): ...`."""
    definition = _definition(tool, names)
    properties = definition["parameters"]["properties"]
    if not tool.is_short:
        parameters = {**definition["parameters"]}
        if not properties:
            del parameters["properties"]
        # `"type":"object"` tells a line that an answer quotes from a call.
        return one_line({**definition, "parameters": parameters}, compact=True)
    arguments = [
        ": ".join(
            filter(None, (key, "|".join(x.get("enum", ())), x.get("description", "")))
        )
        for key, x in properties.items()
    ]
    behind = f"({', '.join(arguments)})" if arguments else ""
    line = f"{definition['name']}{behind}: {definition.get('description', '')}"
    return " ".join(line.split())


def _lines(tools: Iterable[ToolDefinition], names: ToolNames) -> str:
    return "\n".join(tool_line(tool, names) for tool in tools)


def inject(instructions: str, user_text: str) -> str:
    """Return what a person wrote with instructions before it.

    Proton's web client wraps the instructions of a project so. The wrapper ends with `]`
    and a blank line, which therefore does not occur within.
    """
    text = _collapsed(instructions).replace("]\n", "] \n")
    return f"{_PROJECT}{text}]\n\n{user_text}" if text else user_text


def call_text(names: ToolNames, tool: str, arguments: Mapping[str, Any]) -> str:
    """Return a call of the tool with this full name, in the form that is asked for."""
    return _fenced(_call(names, tool, arguments))


def _call(names: ToolNames, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": names.prompted(tool), "arguments": plain(arguments)}


def result_text(
    names: ToolNames, tool: str, data: object, error: bool, *, limit: int = RESULT_LIMIT
) -> str:
    """Return the user turn with the result of a call, cut to `limit` characters."""
    value = plain(data)
    if error and isinstance(value, dict) and value.keys() == {"error"}:
        value = value["error"]
    name = names.prompted(tool)
    block = _fenced(
        {
            "tool_result": name,
            "success": not error,
            "error" if error else "data": bounded(value, limit),
        }
    )
    return f"{RESULT_OF.format(name=name)}\n{block}"


def bounce_text(
    names: ToolNames, tool_or_name: str, arguments: Mapping[str, Any] | None
) -> str:
    """Return the user turn that asks for a call, perhaps without arguments, as text."""
    full = tool_or_name
    if full not in names.full_names:
        full = names.resolve(full) or full
    call = call_text(names, full, arguments or {})
    return _render(BOUNCE, call=call, incomplete=arguments is None)


@lru_cache(maxsize=MADE)
def _definition(tool: ToolDefinition, names: ToolNames) -> dict[str, Any]:
    parameters, note = acceptable(tool.parameters)
    match parameters:
        case {"required": [*required]} if "domain" in required:
            pass
        case {"properties": {"domain": {"items": {"enum": [_]}}} as properties}:
            # Home Assistant's tools for one domain may be told which, and know it; a
            # name or a place says enough of its device.
            del properties["domain"]
            properties.pop("device_class", None)
    description = names.rewrite(description_of(tool.description, note), prompted=True)
    return {
        "name": names.prompted(tool.name),
        **({"description": description} if description else {}),
        "parameters": parameters,
    }


def _example(names: ToolNames, examples: Sequence[Example]) -> str:
    """Return a call: the first example, as a small model copies what it reads."""
    for _, tool, arguments in examples:
        return call_text(names, tool, arguments)
    return _fenced({"name": f"{names.prefix}tool_name", "arguments": {"key": "value"}})


def _fenced(value: dict[str, Any]) -> str:
    return f"```json\n{one_line(value)}\n```"


def _collapsed(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _MANY_NEWLINES.sub("\n\n", text_of(text)).strip()


def _render(template: str, **variables: object) -> str:
    return _collapsed(_compiled(template).render(variables))


@lru_cache(maxsize=4)
def _compiled(template: str) -> jinja2.Template:
    environment = jinja2.Environment(
        trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined
    )
    return environment.from_string(template)


def function_tools(
    tools: Iterable[ToolDefinition], names: ToolNames
) -> list[ToolDefinition]:
    """Return the tools as any service accepts them, under their offered names."""
    return [_function(tool, names) for tool in tools]


@lru_cache(maxsize=MADE)
def _function(tool: ToolDefinition, names: ToolNames) -> ToolDefinition:
    parameters, note = acceptable(tool.parameters)
    description = description_of(tool.description, note)
    return ToolDefinition(
        name=names.offered(tool.name),
        description=names.rewrite(description, prompted=False),
        parameters=parameters,
    )


@lru_cache(maxsize=MADE)
def function_characters(tool: ToolDefinition, names: ToolNames) -> int:
    """Return how long a tool is as a function of a request."""
    made = _function(tool, names)
    own = one_line([made.name, made.description, made.parameters], compact=True)
    return _FUNCTION + len(own)


def function_result(data: object, error: bool, *, limit: int = RESULT_LIMIT) -> str:
    """Return the turn with the result of a function call, cut to `limit` characters."""
    value = bounded(plain(data), limit)
    return one_line({"error" if error else "result": value}, compact=True)
