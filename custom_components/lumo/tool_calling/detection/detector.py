"""Find tool calls in the text of an answer while it streams.

Strategy: text goes in as it comes, pieces come out: text to be shown or spoken, calls,
and calls that were begun but cannot run. Text is let go at once. It is held only from a
character with which a call, or its wrapping, may begin (`openers`), and let go byte
for byte as soon as it cannot be one any more. What decides is a state machine,
described in `phases`.

What counts as a call is said in `calls`, what JSON may look like in `json_reader`.
A quotation is not a call: in a code span, a table, a block quote, between quotation
marks.
"""

from ..naming import ToolNames
from .call_forms import NameFinder
from .openers import NeedsMore
from .phases import PHASES, Phase, State
from .phases.behind import end_after
from .phases.other_forms import end_form
from .phases.value import end_value
from .phases.wrapping import end_wrapping
from .pieces import Piece, Reasoning, Text
from .reasoning import ReasoningReader


class Detector:
    """Splits one streamed answer into text and calls."""

    __slots__ = ("_pending", "_reasoning", "_state", "_text_only")

    def __init__(
        self, names: ToolNames, *, json_only: bool = False, text_only: bool = False
    ) -> None:
        """Look for calls of the tools that `names` knows.

        With `json_only` calls in other forms are text: somebody asked what they look
        like. With `text_only` all is, but for thoughts.
        """
        self._text_only = text_only
        self._state = State(names)
        if json_only:
            self._state.finder = NameFinder(())
        self._reasoning = ReasoningReader()
        # The end of what was fed, not looked at for good yet; its length is bounded.
        self._pending = ""

    def feed(self, chunk: str) -> list[Piece]:
        """Take the next part of the answer; return what can be said about it."""
        thoughts: list[Text | Reasoning] = []
        if not self._reasoning.done:
            thoughts, chunk = self._reasoning.feed(chunk, final=False)
        self._run(self._pending + chunk)
        return [*thoughts, *self._state.out.take()]

    def finish(self) -> list[Piece]:
        """Say what became of the rest, the answer being complete."""
        state = self._state
        thoughts, rest = self._reasoning.feed("", final=True)
        state.final = True
        self._run(self._pending + rest)
        if state.phase in (Phase.VALUE, Phase.SPAN):
            end_value(state)
        elif state.phase in (Phase.BODY, Phase.PARAMETERS):
            end_wrapping(state)
        elif state.phase is Phase.FORM:
            end_form(state)
        if state.phase is Phase.BROKEN:
            state.end_broken()
        if state.phase is Phase.AFTER:
            end_after(state)
        state.out.finish()
        return [*thoughts, *state.out.take()]

    def _run(self, text: str) -> None:
        """Let the machine take what it can of a text, and hold the rest."""
        state = self._state
        if self._text_only:
            state.out.text(text)
            return
        position, end = 0, len(text)
        try:
            while position < end:
                position = PHASES[state.phase](state, text, position)
        except NeedsMore:
            pass  # Not `suppress`: this runs for each piece of an answer.
        self._pending = text[position:]
