"""What a request says of the home and its tools, read from its text.

Written from the form of the text, as the model sees it; nothing is asked of the
integration.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
import json
import re
from typing import Final

from custom_components.lumo.lumo_client.messages import (
    AssistantMessage,
    ChatRequest,
    SystemMessage,
    ToolCallMessage,
    ToolResultMessage,
    UserMessage,
)
from dev.brain import read_prompt
from dev.brain.prompt import Prompt

_ROLES: Final = {
    SystemMessage: "system", UserMessage: "user", AssistantMessage: "assistant",
    ToolCallMessage: "lumo_tool_call", ToolResultMessage: "tool",
}  # fmt: skip
_PLACE: Final = re.compile(r"^(- )?(\S.*)$")
_KIND: Final = re.compile(r"^  ([a-z_0-9 ]+): (.+)$")
_COUNT: Final = re.compile(r"^([a-z_0-9]+(?: [a-z_0-9]+)?) (\d+)$")
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
NO_AREA: Final = "No area"
WHOLE_HOME: Final = "Whole home"


@dataclass(slots=True)
class Told:
    """What a request tells the model."""

    prompt: Prompt
    tools: set[str]
    """Last segments of the names of the tools that are described in full."""
    text: str
    things: set[tuple[str, str]] = field(default_factory=set)
    """Area and name of each thing, by all its names."""
    rows: dict[tuple[str, str], int] = field(default_factory=dict)
    """How many there are, by place and kind, such as `cover blind`; a place is an area,
    a floor or "Whole home"."""

    def has_tool(self, name: str) -> bool:
        """Return whether a tool is described, if only by its parameters' names."""
        short = re.search(rf"\b{re.escape(name)}\([\w, ]+\)", self.text)
        return name.casefold() in self.tools or short is not None

    def mentions_tool(self, name: str) -> bool:
        """Return whether a tool is at least named."""
        return re.search(rf"\b{re.escape(name)}\b", self.text) is not None

    def has_row(self, area: str, domain: str, device_class: str | None) -> bool:
        """Return whether it tells that things of a kind are in an area or on a floor."""
        kinds = {kind for place, kind in self.rows if place == area}
        if device_class:
            return f"{domain} {device_class}" in kinds
        return any(kind.partition(" ")[0] == domain for kind in kinds)


def read_request(request: ChatRequest) -> Told:
    """Read a request."""
    messages = [
        {"role": _ROLES[type(message)], "content": message.text}
        for message in request.messages
        if not isinstance(message, ToolCallMessage)
    ]
    functions = [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters,
            },
        }
        for tool in request.function_tools
    ]
    text = "\n".join(message["content"] for message in messages)
    prompt = read_prompt(messages, functions)
    told = Told(prompt, {tool.short.casefold() for tool in prompt.offered}, text)
    area = NO_AREA
    for line in text.splitlines():
        if match := _KIND.match(line):
            told.rows.setdefault((area, match[1]), 0)
            # The instructions end with a bracket.
            for thing in _split(match[2].removesuffix("]"), ";"):
                for name in _split(thing, "="):
                    told.things.add((area, _plain(name)))
        elif match := _PLACE.match(line):
            area = _read_place(told, match[2], is_area=bool(match[1]))
    return told


def _read_place(told: Told, text: str, *, is_area: bool) -> str:
    """Read the line of an area, a floor, or the whole home, and its numbers if any."""
    head, *rest = _split(text, ":")
    place = _plain(_split(head, "=")[0]) if is_area or rest else NO_AREA
    for item in _split(":".join(rest), ","):
        if match := _COUNT.match(item):
            told.rows[place, match[1]] = int(match[2])
    return place if is_area else NO_AREA


def _split(text: str, mark: str) -> list[str]:
    if '"' not in text:
        return [part.strip() for part in text.split(mark)]
    parts = [""]
    for piece in _pieces(text):
        if piece == mark:
            parts.append("")
        else:
            parts[-1] += piece
    return [part.strip() for part in parts]


def _pieces(text: str) -> Iterator[str]:
    """Yield characters, and what is quoted as one."""
    at = 0
    while at < len(text):
        match = _QUOTED.match(text, at)
        yield match[0] if match else text[at]
        at = match.end() if match else at + 1


def _plain(name: str) -> str:
    try:
        return str(json.loads(name)) if name.startswith('"') else name
    except ValueError:
        return name
