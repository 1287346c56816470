"""Find tool calls in the text of an answer while it streams.

Strategy: text goes in as it comes, pieces come out: text to be shown or spoken, calls,
and calls that were begun but cannot run. Text is let go at once. It is held only from a
character with which a call, or its wrapping, may begin, and let go byte for byte as
soon as it cannot be one any more.

What decides is a state machine, described in `phases`. The detector feeds it, and keeps
from it the many small chunks that decide nothing: text in which nothing begins, more of
a fence or a tag that is not complete, more of a value that does not end.

What counts as a call is said in `calls`, what JSON may look like in `json_reader`.
A quotation is no call: in a code span, a table, a block quote, between quotation marks.
"""

from collections.abc import Callable
import re
from typing import Final

from .calls import Names
from .common_form import is_common_beginning
from .json_values import Quick, is_unclosed
from .openers import is_end_undecided, is_run, is_undecided
from .phases import PHASES, Phase, State
from .phases.behind import end_after
from .phases.common import resume_common, take_common
from .phases.text import TRIGGERS
from .phases.value import end_value
from .phases.wrapping import end_wrapping
from .pieces import BrokenCall, DetectedCall, Piece, Text

__all__ = ["BrokenCall", "DetectedCall", "Detector", "Piece", "Text"]

# Where something may begin. Most of these characters do not begin anything.
_CHARACTERS: Final = re.compile(r"[`~<{\[]").search
_BLOCK_ENDS: Final = {char: re.compile(char).search for char in "`~"}
_MAX_BATCH: Final = 32


class Detector:
    """Splits one streamed answer into text and calls."""

    __slots__ = (
        "_batch",
        "_common",
        "_find",
        "_idle",
        "_in_value",
        "_note",
        "_pending",
        "_quick",
        "_state",
        "_undecided",
    )

    def __init__(self, names: Names) -> None:
        """Look for calls of the tools that `names` knows."""
        self._state = State(names)
        self._note = self._state.past.note
        # The end of what was fed, not looked at for good yet.
        self._pending = ""
        # Nothing is pending or held, so a chunk without a trigger is let go at once.
        self._idle = True
        # Finds what may be one: in text, or in a code block.
        self._find: Callable[[str], re.Match[str] | None] = _CHARACTERS
        # Says of what is pending whether more of that kind decides nothing.
        self._undecided: Callable[[str], object] | None = None
        # The chunks of a value up to what may be its end.
        self._batch: list[str] = []
        self._in_value = False
        # Whether the value, all of it pending, may be one that is read at once.
        self._quick = False
        # Whether that is so from where nothing was open, a wrapping being pending, too.
        self._common = False

    def feed(self, chunk: str) -> list[Piece]:
        """Take the next part of the answer; return what can be said about it."""
        if self._idle:
            found = self._find(chunk)
            if found is None:
                if not chunk:
                    return []
                self._note(chunk)
                return [chunk]
            return self._begin(chunk, found.start())
        if self._in_value:
            batch = self._batch
            batch.append(chunk)
            if (
                "}" not in chunk
                and "]" not in chunk
                and len(batch) < _MAX_BATCH
                and len(chunk) < _MAX_BATCH
            ):
                return []
            text = self._pending + "".join(batch)
            batch.clear()
            if self._quick and is_unclosed(text):
                self._pending = text
                return []
            if self._common:
                return self._take_value(text)
        elif self._undecided is not None:
            text = self._pending + chunk
            if undecided := self._undecided(text):
                self._pending = text
                if undecided is Quick.GOES_ON:
                    self._go_on()
                return []
            if self._undecided is is_end_undecided:
                words = resume_common(self._state, text)
                if words is not None:
                    self._idle = True
                    self._pending = ""
                    return [words]
        else:
            text = self._pending + chunk
        self._run(text)
        return self._take()

    def finish(self) -> list[Piece]:
        """Say what became of the rest, the answer being complete."""
        state = self._state
        state.final = True
        self._run(self._pending + "".join(self._batch))
        if state.phase in (Phase.VALUE, Phase.SPAN):
            end_value(state)
        elif state.phase in (Phase.BODY, Phase.PARAMETERS):
            end_wrapping(state)
        if state.phase is Phase.BROKEN:
            state.end_broken()
        if state.phase is Phase.AFTER:
            end_after(state)
        return self._take()

    def _begin(self, chunk: str, start: int) -> list[Piece]:
        """Let a chunk go up to where something may begin, and hold the rest."""
        state = self._state
        begun = chunk[start:]
        if self._find is not _CHARACTERS:
            undecided: Callable[[str], object] = is_run
        elif state.candidate.wrappers:
            undecided = is_undecided
        else:
            undecided = is_common_beginning
        decided = undecided(begun)
        if not decided:
            if self._find is _CHARACTERS and TRIGGERS(chunk, start) is None:
                self._note(chunk)
                return [chunk]
            self._run(chunk)
            return self._take()
        past = state.past
        if start:
            self._note(chunk[:start])
        if undecided is is_common_beginning:
            past.look()
            if past.in_quotation and not (undecided := is_undecided)(begun):
                self._run(begun)
                return [chunk[:start], *self._take()]
        self._idle = False
        self._pending = begun
        self._undecided = undecided
        if decided is Quick.GOES_ON:
            self._go_on()
        return [chunk[:start]] if start else []

    def _go_on(self) -> None:
        """Collect what follows of a value that has begun well."""
        self._common = self._state.phase is Phase.PLAIN
        self._in_value = self._quick = True
        self._undecided = None

    def _take_value(self, text: str) -> list[Piece]:
        """Take a value that has come to an end, if it is a call, at once."""
        taken = take_common(self._state, text)
        if taken is None:
            self._run(text)
            return self._take()
        call, end = taken
        rest = text[end:]
        if is_end_undecided(rest):
            self._pending = rest
            self._undecided = is_end_undecided
            self._in_value = False
            return [call]
        self._state.out.append(call)
        self._run(rest)
        return self._take()

    def _run(self, text: str) -> None:
        """Let the machine take what it can of a text, and hold the rest."""
        state = self._state
        position, end = 0, len(text)
        state.waiting = state.may_batch = False
        state.undecided = None
        while position < end and not state.waiting:
            position = PHASES[state.phase](state, text, position)
        pending = self._pending = text[position:]
        phase = state.phase
        self._idle = not pending and phase <= Phase.IN_BLOCK
        self._undecided = state.undecided
        self._in_value = state.may_batch
        self._common = False
        self._quick = phase is Phase.QUICKLY
        if phase is Phase.AFTER and not pending:
            self._undecided = is_end_undecided
        self._find = (
            _CHARACTERS if state.block is None else _BLOCK_ENDS[state.block.char]
        )

    def _take(self) -> list[Piece]:
        """Return the pieces found so far, neighbouring texts joined."""
        out, self._state.out = self._state.out, []
        if len(out) < 2:
            return out
        pieces: list[Piece] = []
        texts: list[str] = []
        for piece in out:
            if type(piece) is str:
                texts.append(piece)
                continue
            if texts:
                pieces.append("".join(texts))
                texts = []
            pieces.append(piece)
        if texts:
            pieces.append("".join(texts))
        return pieces
