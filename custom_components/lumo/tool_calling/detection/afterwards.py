"""What the finished text says of each call: whether it is whole, and still meant.

A model closes a call too early and goes on behind it, writes it again, only thinks of
it, or takes it back. All of that is looked up behind the call when the answer has ended.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import takewhile
import re
from typing import Final, NamedTuple

from .json_reader import end_of
from .pieces import BrokenCall, DetectedCall, Dropped, Piece, Reasoning

# So many stretches behind a call are looked at.
_NEAR: Final = 50


# What a stretch of an answer is. CLOSE ends what stands around a call, ORPHAN the call
# that is not there; all before THOUGHT_END was thought; TURN is somebody else's.
Kind = Enum("Kind", "WORDS ANSWER CALL CLOSE THOUGHT THOUGHT_END ORPHAN TOKEN TURN")


@dataclass(slots=True)
class Item:
    """A stretch of an answer, and what comes of it."""

    source: str
    pieces: list[Piece] = field(default_factory=list)
    kind: Kind = Kind.WORDS

    @property
    def calls(self) -> list[DetectedCall]:
        """Return its calls that are whole."""
        return [piece for piece in self.pieces if isinstance(piece, DetectedCall)]

    def wait(self) -> None:
        """Let its calls wait for a yes."""
        self.pieces = [call._replace(is_asked=True) for call in self.calls]

    def drop(self, reason: str) -> None:
        """Let go of its calls."""
        self.pieces = [Dropped(self.source, reason)]


class Remarks(NamedTuple):
    """What sentences around a call say of it, in the languages of an answer."""

    withdrawals: Sequence[re.Pattern[str]] = ()
    """Begin one behind it that takes it back."""
    closings: Sequence[re.Pattern[str]] = ()
    """Begin a question that only offers more."""
    refusals: Sequence[re.Pattern[str]] = ()
    """Stand in one before it that says it is not made."""

    def asks(self, sentence: str) -> bool:
        """Return whether a sentence asks about a call, and offers no more than it."""
        is_closing = any(pattern.match(sentence) for pattern in self.closings)
        return sentence[-1:] in {*"?？؟;"} and not is_closing


NO_REMARKS: Final = Remarks()
# What ends a sentence, with the quotation marks and stars behind it.
_SENTENCE_END: Final = re.compile(r"(?<=[.!?？؟;…:])[*_)\"'”»]*(?:\s+|\Z)|\n")
_MARKS_BEFORE: Final = " \t*_~>#`\"'“«(¿¡-"
# A question of so few words, behind other sentences, is about what was said.
_SHORT_QUESTION: Final = 4


def judged(items: list[Item], remarks: Remarks, before: str = "") -> list[Item]:
    """Return the items of an answer, behind words, with the calls that are meant."""
    items = _without_thoughts(items)
    for place, item in enumerate(items):
        if item.calls:
            near = items[max(place - _NEAR, 0) : place + 1 + _NEAR]
            _judge(near, item, remarks, before)
    return items


def ends_in_question(before: str, remarks: Remarks) -> bool:
    """Return whether the words before a call end in a question about it."""
    return remarks.asks("".join(_sentences(before)[-1:]))


def _sentences(text: str) -> list[str]:
    found = [part.strip(_MARKS_BEFORE) for part in _SENTENCE_END.split(text)]
    return [sentence for sentence in found if sentence]


def joined(items: Iterable[Item]) -> list[Piece]:
    """Return what comes of items, neighbouring words joined."""
    found: list[Piece] = []
    for piece in (piece for item in items for piece in item.pieces):
        if isinstance(piece, str) and found and isinstance(found[-1], str):
            found[-1] += piece
        else:
            found.append(piece)
    return found


def _without_thoughts(items: list[Item]) -> list[Item]:
    """Take what stands before a lone end of a thought for a thought."""
    # What stands before the first call has been let out, perhaps.
    kinds = [item.kind for item in items]
    if Kind.CALL not in kinds or Kind.THOUGHT_END not in kinds:
        return items
    first = kinds.index(Kind.CALL)
    last = len(kinds) - 1 - kinds[::-1].index(Kind.THOUGHT_END)
    if last < first:
        return items
    source = "".join(item.source for item in items[first:last])
    thought = Item(source, [Reasoning(source, source)], Kind.THOUGHT)
    return [*items[:first], thought, *items[last:]]


def _judge(near: Sequence[Item], item: Item, remarks: Remarks, before: str) -> None:
    """Let go of a call, or let it wait, where what stands around it says so."""
    place = next(n for n, other in enumerate(near) if other is item)
    behind = near[place + 1 :]
    earlier = [*takewhile(_is_no_call, reversed(near[:place]))]
    rest = [*takewhile(_is_no_call, behind)]
    before = (before if len(earlier) == place else "") + _words(reversed(earlier))
    said, told = "".join(_sentences(before)[-1:]), _sentences(_words(rest))[:_NEAR]
    if any(find.match(sentence) for find in remarks.withdrawals for sentence in told):
        item.drop("it is taken back")
    elif any(find.search(said) for find in remarks.refusals):
        item.drop("it is said not to be made")
    elif (reason := _problem(item, rest, before.rpartition("\n")[2])) is not None:
        item.pieces = [
            BrokenCall(call.name, call.tool, reason, call.source)
            for call in item.pieces
            if isinstance(call, DetectedCall | BrokenCall)
        ]
    elif _is_replaced(item, behind):
        item.drop("it is written again")
    elif any(
        remarks.asks(sentence)
        and (number == 0 or len(sentence.split()) <= _SHORT_QUESTION)
        for number, sentence in enumerate(told)
    ):
        tools = {call.tool for call in item.calls}
        alike = [i for i in near[: place + 1] if tools & {c.tool for c in i.calls}]
        for other in alike:
            if len(alike) > 1:
                other.drop("it is one of several offered")
            else:
                other.wait()
    elif remarks.asks(said):
        item.wait()


def _is_no_call(item: Item) -> bool:
    return item.kind is not Kind.CALL


def _words(items: Iterable[Item]) -> str:
    pieces = (piece for item in items for piece in item.pieces)
    return "".join(piece for piece in pieces if isinstance(piece, str))


# What belongs to arguments, and stands behind the end of a call.
_MEMBER: Final = re.compile(r"[\"'“”„‟‘’]\s*:|</?(?:[\w.\-]+:)?(?:par|arg)")
_NEXT_MEMBER: Final = re.compile(
    r"[\"}\]]*(?:\s*[,;]\s*\w+\s*=\s*[\"'\[{\d]|<(\w+)>[^<>\n]{0,200}</\1>)"
)
_MARKS: Final = re.compile(r"[\s\"}\],;]*")
_NEXT_PARAGRAPH: Final = re.compile(r"\n[ \t\r]*\n\s*(?=[\w{\[`<])(?![^{\n]*\"\s*:)")


def _problem(item: Item, behind: Sequence[Item], line: str) -> str | None:
    """Return why a call is not whole, by what stands behind it, and before it."""
    has_arguments = any(call.arguments for call in item.calls)
    rest = ""
    for other in behind:
        if other.kind is Kind.TURN or (other.kind is Kind.CLOSE and has_arguments):
            break
        rest += other.source
    # Without arguments an empty line proves nothing: they may come behind it.
    if has_arguments:
        rest = _NEXT_PARAGRAPH.split(rest, maxsplit=1)[0]
    elif _MEMBER.search(line):
        return "its arguments stand before it"
    if _NEXT_MEMBER.match(rest) or _MEMBER.search(rest, end_of(_MARKS, rest, 0)):
        return "more of it stands behind its end"
    return None


def _is_replaced(item: Item, behind: Sequence[Item]) -> bool:
    """Return whether a call is written again behind words, with more that narrows it."""
    first, *others = item.calls
    words = ""
    for other in () if others else behind:
        if words.strip() and any(
            later.tool == first.tool
            and later.arguments.items() > first.arguments.items()
            for later in other.calls
        ):
            return True
        words += _words([other])
    return False
