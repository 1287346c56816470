"""Misrouted calls: a client's tool called through the service's own channel.

The service does not know the tool, answers `{"error":true}`, and the model apologises.
The client then takes the call as it is, or bounces it: asks once more, showing the
call and the form wanted. The forms are those seen with the public clients.
"""

from collections.abc import Callable
import json
import re
from typing import Any

from ..plan import (
    Call,
    Decision,
    FunctionCall,
    ServerCall,
    ServerResult,
    Step,
    Text,
    new_call_id,
)
from .base import Exchange, Scenario, register, without_instructions

type Shape = Callable[[Call], list[Step]]

ERROR = '{"error":true}'


def _text_arguments(call: Call) -> list[Step]:
    return _sent(call.name, {"arguments": json.dumps(call.arguments)})


def _object_arguments(call: Call) -> list[Step]:
    return _sent(_bare(call.name), {"arguments": call.arguments})


def _nested_arguments(call: Call) -> list[Step]:
    nested = {"arguments": None, "name": None, "parameters": call.arguments}
    return _sent(call.name, {"arguments": json.dumps(nested)})


def _parameters(call: Call) -> list[Step]:
    return _sent(_bare(call.name), {"parameters": call.arguments})


def _function_channel(call: Call) -> list[Step]:
    """Call a function that nobody offered; the service does not answer it."""
    return [FunctionCall(0, new_call_id(), call.name, (json.dumps(call.arguments),))]


def _repeated(call: Call) -> list[Step]:
    """Call, and at once again without the arguments; two errors."""
    first, second = new_call_id(), new_call_id()
    return [
        ServerCall(first, _bare(call.name), {"parameters": call.arguments}),
        ServerCall(second, _bare(call.name), {}),
        ServerResult(first, ERROR),
        ServerResult(second, ERROR),
    ]


SHAPES: tuple[Shape, ...] = (
    _text_arguments,
    _object_arguments,
    _parameters,
    _nested_arguments,
    _function_channel,
    _repeated,
)


def _sent(name: str, members: dict[str, Any]) -> list[Step]:
    call_id = new_call_id()
    return [
        ServerCall(call_id, name),
        ServerCall(call_id, name, members),
        ServerResult(call_id, ERROR),
    ]


def _bare(name: str) -> str:
    return name.rpartition(":")[2]


class _Misrouting(Scenario):
    """What both kinds share: the way, the apology, the bounce."""

    def __init__(self) -> None:
        super().__init__()
        self._misrouted: set[str] = set()

    def decide(self, exchange: Exchange, decisions: list[Decision]) -> list[Decision]:
        """Answer a bounce as the sentence before it would be answered."""
        if (asked := self._before_bounce(exchange)) is not None:
            exchange.bounced = True
            return exchange.ask_brain(asked)
        return decisions

    def _before_bounce(self, exchange: Exchange) -> list[dict[str, str]] | None:
        """Return the conversation before a bounce, None if this is no bounce.

        A bounce is a last user turn that shows a misrouted call; an assistant turn
        with what was said until then may stand before it.
        """
        conversation = exchange.request.conversation
        if not conversation or conversation[-1]["role"] != "user":
            return None
        shown = calls_shown(without_instructions(conversation[-1]["content"]))
        if not shown & self._misrouted:
            return None
        before = conversation[:-1]
        if before and before[-1]["role"] == "assistant":
            before = before[:-1]
        return before

    def route(
        self, exchange: Exchange, calls: list[Call], steps: list[Step]
    ) -> list[Step]:
        """Send the calls the wrong way, unless they were bounced."""
        if exchange.bounced:
            return steps
        shape = self.rotate(*SHAPES, of="shape")
        if exchange.native and shape is _function_channel:
            shape = _text_arguments  # there it would be the right way
        wrong: list[Step] = []
        for call in calls:
            self._misrouted.add(_bare(call.name).lower())
            wrong += shape(self.damage(call))
        wrong = [
            FunctionCall(number, step.call_id, step.name, step.fragments)
            if isinstance(step, FunctionCall)
            else step
            for number, step in enumerate(wrong)
        ]
        return [*wrong, Text(self.apology(exchange))]

    def damage(self, call: Call) -> Call:
        """Change a call that goes the wrong way."""
        return call

    def apology(self, exchange: Exchange) -> str:
        """Return what the model says after the error."""
        if exchange.german:
            return (
                "Es tut mir leid, ich habe auf dieses Werkzeug keinen Zugriff und kann"
                " das deshalb nicht tun."
            )
        return "I'm sorry, I don't have access to that tool, so I can't do this."


@register("misrouted")
class Misrouted(_Misrouting):
    """Calls that could be run as they are."""


def _renamed(arguments: dict[str, Any]) -> Any:
    return {f"the_{key}": value for key, value in arguments.items()} | {"extra": True}


def _wrapped(arguments: dict[str, Any]) -> Any:
    return {key: {"value": value} for key, value in arguments.items()} | {
        "now": {"value": True}
    }


def _listed(arguments: dict[str, Any]) -> Any:
    return [arguments or "now"]


@register("misrouted_invalid")
class MisroutedInvalid(_Misrouting):
    """Calls whose arguments do not validate; a bounce helps."""

    def damage(self, call: Call) -> Call:
        """Spoil the arguments in the next way."""
        spoil = self.rotate(_renamed, _wrapped, _listed, of="damage")
        return Call(call.name, spoil(call.arguments))


_NAME = re.compile(r'"(?:name|tool)"\s*:\s*"([^"]+)"')
_GIVES = re.compile(r'"(?:arguments|parameters|args)"\s*:')


def calls_shown(text: str) -> set[str]:
    """Return the bare names, in lower case, of the calls that a text shows."""
    if not _GIVES.search(text):
        return set()
    return {_bare(name).lower() for name in _NAME.findall(text)}
