"""A brain for tests: it knows three sentences and what a result looks like."""

from dataclasses import dataclass
import json
from typing import Any

OFF = {"area": "Kitchen", "domain": ["light"]}
DONE = "The kitchen lights are off now."
GREETING = "Hello! Überraschung: ich helfe gern. ☕"


@dataclass
class Say:
    text: str


@dataclass
class Call:
    name: str
    arguments: dict[str, Any]


class SmallBrain:
    def answer(
        self,
        messages: list[dict[str, Any]],
        function_tools: list[dict[str, Any]],
        *,
        server_tools: tuple[str, ...] = (),
    ) -> list[Say | Call]:
        """Return what a model would: from the last turn alone."""
        last = messages[-1]
        if images := last.get("images"):
            return [Say(f"I see {len(images)}.")]
        if server_tools:
            return [Call(server_tools[0], {"prompt": last["content"]})]
        prefix = "" if function_tools else "user:"
        if last["role"] == "tool" or '"output"' in last["content"]:
            return [Say(DONE)]
        sentence = last["content"].rpartition("]\n\n")[2].lower()
        if "kitchen" in sentence:
            return [Call(f"{prefix}HassTurnOff", OFF)]
        if "everything" in sentence or "alles" in sentence:
            return [
                Say("Right away."),
                Call(f"{prefix}HassTurnOff", OFF),
                Call(f"{prefix}HassTurnOff", {"area": "Hall", "flag": True}),
            ]
        if "what is on" in sentence:
            return [Call(f"{prefix}GetLiveContext", {})]
        return [Say(GREETING)]


def function_tool(name: str) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": name,
            "parameters": {"type": "object", "properties": {}},
        },
    }


TOOLS = [function_tool("HassTurnOff"), function_tool("GetLiveContext")]
PROMPT = (
    "[Project instructions: print JSON. Tools:"
    f" {json.dumps([{'name': 'user:HassTurnOff'}, {'name': 'user:GetLiveContext'}])}]"
    "\n\n"
)
