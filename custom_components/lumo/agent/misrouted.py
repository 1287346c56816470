"""Calls of the home's tools on a channel that is not theirs, in one answer.

The service does not know the home's tools. It answers such a call with an error, the
model repeats it or apologises, and what follows is of no use. A call that is valid is
rescued, that is run as it is; one that is not is kept, to be written again.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

from ..lumo_client.events import FunctionCall, ServerToolCall, ServerToolResult
from ..tool_calling.naming import ToolNames
from .toolbox import Call


@dataclass(frozen=True, slots=True)
class MisroutedCall:
    """A misrouted call that could not be run as it was."""

    name: str
    """The tool's full name, where it is known which was meant; may be empty."""
    arguments: dict[str, Any] | None


@dataclass(slots=True)
class MisroutedCalls:
    """The misrouted calls of one answer."""

    _names: ToolNames
    seen: bool = False
    """There was one: the text that follows is an apology."""
    again: MisroutedCall | None = None
    """The call that must be written again."""
    _tools: set[str] = field(default_factory=set)
    _announced: ServerToolCall | None = None
    _waiting: dict[str, ServerToolCall] = field(default_factory=dict)
    """Calls whose result is to come, by id."""

    def on_call(self, event: ServerToolCall) -> None:
        """Take a call on Proton's channel, or its announcement before it."""
        self._waiting[event.call_id] = event

    def on_result(self, event: ServerToolResult) -> Iterator[ServerToolCall]:
        """Take a result on Proton's channel; yield the call that it shows misrouted.

        The service knows the tool if it has a result: one of Proton's, newer than this.
        A tool of the home only ever gets an error.
        """
        call = self._waiting.pop(event.call_id, None)
        if call is not None and event.failed:
            yield from self._complete(call)

    def without_result(self) -> Iterator[ServerToolCall]:
        """Yield the calls that got no result."""
        waiting, self._waiting = self._waiting, {}
        for call in waiting.values():
            yield from self._complete(call)

    def _complete(self, event: ServerToolCall) -> Iterator[ServerToolCall]:
        self.seen = True
        if event.announced:
            # The dispatch with the arguments follows.
            self._announced = event
        else:
            yield event

    def may_run(
        self,
        event: FunctionCall | ServerToolCall,
        call: Call,
        run: Collection[tuple[str, str]],
    ) -> bool:
        """Return whether a call, as it was read, is to be run; `run` are those that were.

        One that is not is kept to be written again, unless another one has run.
        """
        self.seen = True
        tool = call.tool_input.tool_name
        # After the error models repeat the call without its arguments. It may be valid
        # so, but it is not what was meant.
        is_repeated = (
            event.arguments == {} and tool in self._tools and call.key not in run
        )
        self._tools.add(tool)
        # What would have to be completed is written again instead.
        if call.refusal is None and event.arguments is not None and not is_repeated:
            return True
        if not run:
            self._keep(event)
        return False

    def finish(self) -> None:
        """End an answer in which no call was run."""
        if self._announced:
            self._keep(self._announced)

    def _keep(self, event: FunctionCall | ServerToolCall) -> None:
        name = self._names.resolve(event.name) or event.name
        call = MisroutedCall(name, event.arguments)
        if event.in_clear:
            # Whose it is cannot be told: nothing of it is repeated to the model.
            call = MisroutedCall("", None)
        # The first is what was meant; what follows are attempts to mend it.
        self.again = self.again or call
