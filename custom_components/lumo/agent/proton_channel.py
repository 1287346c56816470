"""What comes on the channel of Proton's own tools: their sources, and misrouted calls.

The service answers a misrouted call with an error, and the model apologizes. A valid
call is rescued: it runs as it is. Another must be written again.
"""

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
import json
import re
from typing import Any, Final

from ..lumo_client.events import FunctionCall, ServerToolCall, ServerToolResult
from ..tool_calling.json_text import text_of
from ..tool_calling.naming import ToolNames
from .toolbox import Call

# The most sources of a result, and the most characters of a title.
_SOURCES: Final = 20
_TITLE: Final = 200
_ADDRESS: Final = re.compile(r"https?://[^\x00-\x20\x7f-\x9f\ud800-\udfff]{1,2000}")


@dataclass(frozen=True, slots=True)
class MisroutedCall:
    """A misrouted call that could not run as it was."""

    name: str
    """The tool's full name, if it is known which tool was meant; may be empty."""
    arguments: dict[str, Any] | None


@dataclass(slots=True)
class MisroutedCalls:
    """The misrouted calls of one answer."""

    _names: ToolNames
    seen: bool = False
    """There was one: the text that follows is an apology."""
    again: MisroutedCall | None = None
    """The one that must be written again."""
    _tools: set[str] = field(default_factory=set)
    _announced: ServerToolCall | None = None
    _waiting: dict[str, ServerToolCall] = field(default_factory=dict)

    def on_call(self, event: ServerToolCall) -> None:
        """Take a call, or the announcement of one."""
        self._waiting[event.call_id] = event

    def on_result(self, event: ServerToolResult) -> Iterator[ServerToolCall]:
        """Take a result; yield the call if it is misrouted, as only an error shows."""
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
            # The call itself follows, with its arguments.
            self._announced = event
        else:
            yield event

    def may_run(
        self,
        event: FunctionCall | ServerToolCall,
        call: Call,
        run: Collection[tuple[str, str]],
    ) -> bool:
        """Return whether a misrouted call runs as it was read; `run` are those before.

        One that does not is kept to be written again, unless another has run.
        """
        self.seen = True
        tool = call.tool_input.tool_name
        # After the error models repeat the call without its arguments: valid perhaps,
        # but not what was meant.
        is_repeated = (
            event.arguments == {} and tool in self._tools and call.key not in run
        )
        self._tools.add(tool)
        if call.refusal is None and event.arguments is not None and not is_repeated:
            return True
        if not run:
            self._keep(event)
        return False

    def finish(self) -> None:
        """End an answer in which no call ran."""
        if self._announced:
            self._keep(self._announced)

    def _keep(self, event: FunctionCall | ServerToolCall) -> None:
        """Keep the first call: what follows are attempts to correct it."""
        name = self._names.resolve(event.name) or event.name
        call = MisroutedCall(name, event.arguments)
        if event.in_clear:
            # Anybody may have written it: nothing of it is repeated to the model.
            call = MisroutedCall("", None)
        self.again = self.again or call


def read_sources(content: str) -> dict[str, str]:
    """Return the titles of the pages that a result names, by address, in its order.

    Seen of `web_search`: `{"results": [{"title", "url", "description"}]}`. The form of
    other tools' results is not known, so any object with an address counts.
    """
    found: dict[str, str] = {}

    def take(item: dict[str, Any]) -> None:
        url, title = item.get("url"), str(item.get("title") or "")
        if isinstance(url, str) and _ADDRESS.fullmatch(url) and len(found) < _SOURCES:
            found.setdefault(url, " ".join(text_of(title).split())[:_TITLE])

    with suppress(ValueError, RecursionError):
        json.loads(content, object_hook=take)
    return found
