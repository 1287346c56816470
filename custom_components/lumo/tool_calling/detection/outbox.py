"""What has been found, and how much of it may be handed on.

Text is let go at once until there is a call. A complete value may still be the first
part of a longer one that was closed too early:

    {"tool": "HassTurnOff", "domain": "light"}, "area": "Kitchen"}

So a call, and what follows it, is held until its wrapping is closed, a blank line
follows or the answer ends. If more of an object comes before that, the call is broken.
A call that needed a bracket is held to the end of the answer in any case: a model that
notices starts over, and then the second one counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from .json_tokens import QUOTES
from .pieces import BrokenCall, DetectedCall, Piece, ReplacedCall

# How the tag of an argument begins, without what may stand before that word.
_PARAMETERS: Final = frozenset({"<par", "<arg"})
_TAG_LENGTH: Final = 4


@dataclass(slots=True)
class _Rest:
    """Looks at what stands behind a call for signs that it belongs to it."""

    wrapped: bool
    _depth: int = 0
    _tag: str = ""
    _quote: bool = False
    _line_end: bool = False
    _blank_line: bool = False

    def is_part(self, text: str) -> bool | None:
        """Return whether the call goes on here; None if that is not clear yet."""
        for char in text:
            if char == "\n":
                self._blank_line |= self._line_end
                self._line_end = True
                continue
            if char.isspace():
                continue
            if char in "<:/" and (self._tag or char == "<"):
                self._tag = "<"
            elif self._tag:
                self._tag = (self._tag + char)[:_TAG_LENGTH]
                if self._tag in _PARAMETERS:
                    return True
            if self._blank_line and not self.wrapped:
                if char.isalnum() or char in "{[`<":
                    return False
            self._blank_line = self._line_end = False
            if char in "{[":
                self._depth += 1
            elif char in "}]":
                self._depth -= 1
            if self._depth < 0 or (char == ":" and self._quote):
                return True
            self._quote = char in QUOTES
        return None


class Outbox:
    """Holds what was found until it may be handed on."""

    def __init__(self) -> None:
        self._certain: list[Piece] = []
        self._held: list[Piece] = []
        # Where the calls of the last value begin in what is held.
        self._first = 0
        self._rest: _Rest | None = None
        # Whether that value has members behind the arguments.
        self._trailing = False
        # The calls for which a bracket was supplied.
        self._supplied: list[DetectedCall] = []

    def text(self, text: str, *, written: str | None = None) -> None:
        """Take text; `written` is how it stood there, if it has been tidied."""
        if text:
            (self._held or self._certain).append(text)
        if self._rest is not None:
            part = self._rest.is_part(text if written is None else written)
            if part:
                self._spoil()
            elif part is False:
                self.settle()

    def extra_bracket(self) -> None:
        """Take note of a closing bracket too many, directly behind a value."""
        if self._rest is not None and self._trailing:
            self._spoil()

    def calls(
        self,
        pieces: Sequence[DetectedCall | BrokenCall],
        *,
        supplied: bool = False,
        trailing: bool = False,
        wrapped: bool = False,
    ) -> None:
        """Take the calls of one value.

        `supplied`: it lacked a bracket; `trailing`: members stand behind the arguments;
        `wrapped`: it stands in something that will be closed.
        """
        self.settle()
        self._first = len(self._held)
        self._held.extend(pieces)
        if supplied:
            self._supplied += [p for p in pieces if isinstance(p, DetectedCall)]
        # Without arguments an empty line proves nothing: they may come behind it.
        is_empty = all(isinstance(p, DetectedCall) and not p.arguments for p in pieces)
        self._rest = _Rest(wrapped=wrapped or is_empty)
        self._trailing = trailing

    def close(self) -> None:
        """Take note that the wrapping of the last value was closed.

        Without arguments that proves nothing: they may come behind a stray end.
        """
        last = self._held[self._first :]
        if all(isinstance(p, DetectedCall) and not p.arguments for p in last):
            if self._rest is not None:
                self._rest.wrapped = False
        else:
            self.settle()

    def settle(self) -> None:
        """Hand on what is held: what was found is whole."""
        self._rest = None
        if not self._supplied:
            self._certain += self._held
            self._held = []

    def finish(self) -> None:
        """Hand on everything, the answer being complete."""
        for call in self._supplied:
            index = next(i for i, piece in enumerate(self._held) if piece is call)
            if _is_replaced(call, self._held[index + 1 :]):
                self._held[index] = ReplacedCall(call.name, call.source)
        self._supplied = []
        self.settle()

    def take(self) -> list[Piece]:
        """Return what may be handed on, neighbouring texts joined."""
        found, self._certain = self._certain, []
        pieces: list[Piece] = []
        for kind, group in groupby(found, type):
            pieces += ["".join(map(str, group))] if kind is str else group
        return pieces

    def _spoil(self) -> None:
        """Make broken calls of those of the last value."""
        for index in range(self._first, len(self._held)):
            call = self._held[index]
            if isinstance(call, DetectedCall):
                self._supplied = [
                    other for other in self._supplied if other is not call
                ]
                self._held[index] = BrokenCall(
                    call.name,
                    call.tool,
                    "more of it stands behind its end",
                    call.source,
                )
        self.settle()


def _is_replaced(call: DetectedCall, behind: list[Piece]) -> bool:
    """Return whether a call is written again behind words, or with all it had."""
    words = False
    for piece in behind:
        if isinstance(piece, str):
            words = words or bool(piece.strip())
        elif isinstance(piece, DetectedCall) and piece.source is not call.source:
            whole = piece.arguments.items() >= call.arguments.items()
            if piece.tool == call.tool and (words or whole):
                return True
    return False
