"""Habits of the model: what it says instead of what it should do."""

import re
from typing import Any, ClassVar

from ..plan import (
    Call,
    Decision,
    Draw,
    Say,
    ServerCall,
    ServerResult,
    Step,
    Text,
    dump,
    new_call_id,
)
from .base import Exchange, Scenario, reads, register


@register("clean")
class Clean(Scenario):
    """The form that the prompt asked for."""


def _calls(decisions: list[Decision]) -> list[Call]:
    return [decision for decision in decisions if isinstance(decision, Call)]


class _Instead(Scenario):
    """Words where a call should be."""

    words: ClassVar[tuple[str, str]]
    """In English, in German."""
    may_read: ClassVar[bool] = False

    def decide(self, exchange: Exchange, decisions: list[Decision]) -> list[Decision]:
        """Say it instead of calling; reading may stay honest."""
        if all(self.may_read and reads(call.name) for call in _calls(decisions)):
            return decisions
        return [Say(self.words[exchange.german])]


@register("apology")
class Apology(_Instead):
    """An apology where a call should be."""

    words = (
        "I'm sorry, but I don't have access to that tool.",
        "Es tut mir leid, ich habe keinen Zugriff auf dieses Werkzeug.",
    )


@register("refusal")
class Refusal(_Instead):
    """The model does not want to."""

    words = ("I can't help with that.", "Dabei kann ich dir leider nicht helfen.")


@register("claims_done")
class ClaimsDone(_Instead):
    """The model says it did what it did not, also when it is asked again."""

    words = (
        "Done, I turned off the lights.",
        "Erledigt, ich habe das Licht ausgeschaltet.",
    )
    may_read = True


@register("loop")
class Loop(Scenario):
    """The model reads the same thing again and again."""

    def decide(self, exchange: Exchange, decisions: list[Decision]) -> list[Decision]:
        """Call the same reading tool, whatever it answered."""
        named = [call for call in _calls(decisions) if reads(call.name)]
        offered = sorted(exchange.request.function_names) or re.findall(
            r'"name":\s*"([^"\\]+)"', exchange.instructions
        )
        readers = [name for name in offered if reads(name)]
        # The live context can be read without arguments.
        readers.sort(key=lambda name: not name.endswith("GetLiveContext"))
        if readers and readers[0].endswith("GetLiveContext"):
            return [Call(readers[0], {})]
        return [*named[:1]] or decisions


@register("web_search")
class WebSearch(Scenario):
    """The model searches the web before it answers; `found` is what it finds."""

    found: ClassVar[dict[str, Any]] = {
        "results": [
            {
                "title": "An example",
                "url": "https://example.invalid/",
                "description": "Nothing of interest.",
            }
        ]
    }

    def revise(self, exchange: Exchange, plan: list[Step]) -> list[Step]:
        """Insert the search before the text."""
        if exchange.after_results:
            return plan
        call_id = new_call_id()
        query = dump({"query": exchange.last_sentence[:80]})
        start = next(
            (number for number, step in enumerate(plan) if isinstance(step, Text)), 0
        )
        return [
            *plan[:start],
            ServerCall(call_id, "web_search"),
            ServerCall(call_id, "web_search", {"arguments": query}),
            ServerResult(call_id, dump(self.found)),
            *plan[start:],
        ]


@register("probed")
class Probed(WebSearch):
    """The model does what `scripts/probe` asks for, to the letter."""

    def decide(self, exchange: Exchange, decisions: list[Decision]) -> list[Decision]:
        """Turn on the lamp that there is only in the question; look and draw."""
        messages = exchange.request.messages
        if any("images" in message for message in messages):
            return [Say("Red.")]
        if exchange.request.server_tools == ["generate_image"]:
            return [Draw("generate_image", exchange.last_sentence)]
        text = " ".join(message["content"] for message in messages)
        if "Static Context" in text:
            return decisions
        has_result = any(message["role"] == "tool" for message in messages)
        if has_result or "Turn on" not in text:
            return [Say("Seven.")]
        if exchange.native:
            return [Call("HassTurnOn", {"name": "kitchen lamp"})]
        if "user:HassTurnOn" in text:
            return [Call("user:HassTurnOn", {"name": "kitchen lamp"})]
        return [Say("I cannot do that.")]

    def revise(self, exchange: Exchange, plan: list[Step]) -> list[Step]:
        """Search where that is offered."""
        may_search = "web_search" in exchange.request.server_tools
        return super().revise(exchange, plan) if may_search else plan
