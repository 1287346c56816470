"""What the phases share: where the machine is, what it holds, what it has found."""

from enum import IntEnum
from typing import Final

from ...naming import ToolNames
from ..call_forms import FormReader, Kind
from ..calls import Found, holds_arguments
from ..candidate import Candidate
from ..json_reader import JsonReader
from ..json_tokens import BLANKS, end_of
from ..openers import Fence
from ..outbox import Outbox
from ..past import Past
from ..pieces import BrokenCall
from ..wreck import Wreck

SEPARATORS: Final = ",;"


class Phase(IntEnum):
    """Where the machine is; the number is the place in `PHASES`."""

    PLAIN = 0
    IN_BLOCK = 1
    PASSAGE = 2
    BODY = 3
    PARAMETERS = 4
    VALUE = 5
    SPAN = 6
    AFTER = 7
    BROKEN = 8
    NAMED = 9
    FORM = 10


class State:
    """The state of one detector."""

    def __init__(self, names: ToolNames) -> None:
        self.names = names
        self.finder = names.finder
        self.phase = Phase.PLAIN
        self.out = Outbox()
        self.past = Past()
        self.candidate = Candidate()
        # Whether no text will follow.
        self.final = False
        self.reader = JsonReader()
        # A call that is not JSON: its reader and text, what stands behind the name, and
        # whether nothing stands before it on its line.
        self.form = FormReader(bracket=True)
        self.form_kind = Kind.BRACKET
        self.form_text: list[str] = []
        self.form_rest = ""
        self.form_alone = False
        # Whether the first item of an array was a call.
        self.is_calls = False
        # The code block that is text.
        self.block: Fence | None = None
        self.wreck = Wreck(Found(None, None, None), "", None)

    def emit(self, text: str) -> None:
        """Let text go."""
        if text:
            self.out.text(text)
            self.past.note(text)

    def emit_gap(self) -> None:
        """Let go what stood behind a call, without the blanks that it leaves over."""
        written = "".join(self.candidate.gap)
        self.candidate.gap = []
        text = self.past.tidy(written)
        self.out.text(text, written=written)
        if text:
            self.past.note(text)

    def skip_blank(self, text: str, position: int, kept: list[str]) -> int:
        """Keep the blanks at `position`; return their end."""
        end = end_of(BLANKS, text, position)
        if end > position:
            kept.append(text[position:end])
        return end

    def begin_value(self) -> None:
        """Read a value from here on."""
        self.reader = JsonReader(objects_only=True)
        self.is_calls = False
        self.phase = Phase.VALUE

    def enter(self, block: Fence | None) -> None:
        """Go on with text, in a code block if there is one."""
        self.block = block
        self.phase = Phase.PLAIN if block is None else Phase.IN_BLOCK

    def release(self) -> None:
        """Let go what was held: it is no call."""
        candidate = self.candidate
        self.emit_gap()
        self.emit(candidate.text)
        if self.phase in (Phase.VALUE, Phase.SPAN):
            self.past.loose_arguments = holds_arguments(self.reader.root)
        self.enter(candidate.reject())

    def accept(self) -> None:
        """Go on behind what has been reported."""
        self.candidate.accept()
        self.past.before = ""
        self.past.loose_arguments = False
        self.phase = Phase.AFTER

    def fail(self, call: Found, reason: str) -> None:
        """Hold on to the end of something that cannot be read but was a call."""
        depth = sum(type(container) is dict for container in self.reader.stack)
        self.wreck = Wreck(call, reason, self.candidate.inner, depth)
        self.phase = Phase.BROKEN

    def end_broken(self) -> None:
        """Report a call that cannot be read, its end being found."""
        call, reason = self.wreck.call, self.wreck.reason
        self.out.calls([BrokenCall(call.name, call.tool, reason, self.candidate.text)])
        self.accept()
