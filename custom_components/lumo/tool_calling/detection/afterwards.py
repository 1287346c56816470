"""What the finished text says of each call: whether it is whole, and still meant.

A model closes a call too early and goes on behind it, writes it again, only thinks of
it, or takes it back. All of that is looked up behind the call when the answer has ended.
"""

from collections.abc import Iterator, Sequence, Set as AbstractSet
from dataclasses import dataclass, field
from enum import Enum
import re
from typing import Final, NamedTuple

from .json_reader import end_of
from .pieces import BrokenCall, DetectedCall, Dropped, Piece, Reasoning

# So many stretches behind a call are looked at.
_NEAR: Final = 50


# What a stretch of an answer is. CLOSE ends what stands around a call, ORPHAN the call
# that is not there; all before THOUGHT_END was thought; TURN is somebody else's.
Kind = Enum(
    "Kind", "WORDS ANSWER CALL CLOSE THOUGHT OPEN_THOUGHT THOUGHT_END ORPHAN TOKEN TURN"
)


@dataclass(slots=True)
class Item:
    """A stretch of an answer, and what comes of it."""

    source: str
    pieces: list[Piece] = field(default_factory=list)
    kind: Kind = Kind.WORDS
    before: str = ""
    """What stands before it on its line."""

    @property
    def calls(self) -> list[DetectedCall]:
        """Return its calls that are whole."""
        return [piece for piece in self.pieces if isinstance(piece, DetectedCall)]

    @property
    def words(self) -> str:
        """Return its words."""
        return "".join(piece for piece in self.pieces if isinstance(piece, str))

    def wait(self) -> None:
        """Let its calls wait for a yes."""
        self.pieces = [call._replace(is_asked=True) for call in self.calls]

    def drop(self, reason: str) -> None:
        """Let go of its calls."""
        self.pieces = [Dropped(self.source, reason)]


class Remarks(NamedTuple):
    """What the words around a call say of it, in the languages of an answer."""

    withdrawals: Sequence[re.Pattern[str]] = ()
    """Begin a sentence that takes a call back."""
    closings: Sequence[re.Pattern[str]] = ()
    """Begin a question that only offers more."""
    denials: AbstractSet[str] = frozenset()
    """Words of a sentence that speaks of a call which is not made."""


NO_REMARKS: Final = Remarks()
# The first sentence of a text, without the marks around it.
_SENTENCE: Final = re.compile(
    r"[\s*_>#`¿¡-]*([^\n]*?(?:[.!?？؟;…:](?=[*_)\"'”]*(?!\S))|(?=\n|\Z)))"
)
# "I will not run this:"; models fall into English.
_UNRUN: Final = re.compile(
    r"(?:\bnot|n['’]t|\bcannot|\bnever) (?:\w+ )?(?:run|call|execute|send)\b",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"(?<=[.!?？؟;…:])\s+|\n")
_SENTENCE_BEFORE: Final = re.compile(r"[.!?…:](?=\s|\Z)|\n")


def judged(items: Sequence[Item], remarks: Remarks, before: str = "") -> Sequence[Item]:
    """Return the items of an answer with the calls that are meant."""
    items = _without_thoughts(items)
    for place, item in enumerate(items):
        if item.calls:
            _heed(items, place, remarks, before)
        before = "" if item.kind is Kind.CALL else before + item.words
    for place, item in enumerate(items):
        behind = items[place + 1 : place + 1 + _NEAR]
        if item.calls and (reason := _problem(item, behind)) is not None:
            item.pieces = [
                BrokenCall(call.name, call.tool, reason, call.source)
                for call in item.pieces
                if isinstance(call, DetectedCall | BrokenCall)
            ]
        if _is_replaced(item, behind):
            item.drop("it is written again")
    return items


def ends_in_question(before: str, remarks: Remarks) -> bool:
    """Return whether the words before a call end in a question about it."""
    return _asks(_last_sentence(before), remarks)


def _last_sentence(text: str) -> str:
    found = _SENTENCE.match(_SENTENCE_END.split(text.strip())[-1])
    return found[1] if found else ""


def pieces_of(items: Sequence[Item]) -> list[Piece]:
    """Return what comes of items, neighbouring words joined."""
    pieces: list[Piece] = []
    for piece in (piece for item in items for piece in item.pieces):
        if isinstance(piece, str) and pieces and isinstance(pieces[-1], str):
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return pieces


def _without_thoughts(items: Sequence[Item]) -> Sequence[Item]:
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


def _heed(items: Sequence[Item], place: int, remarks: Remarks, before: str) -> None:
    """Let go of a call, or let it wait, where the words around it say so."""
    item = items[place]
    behind = _until_call(items[place + 1 : place + 1 + _NEAR])
    found = _SENTENCE.match("".join(other.words for other in behind))
    sentence = found[1] if found else ""
    clause = _SENTENCE_BEFORE.split(item.before)[-1].lower()
    is_denied = not remarks.denials.isdisjoint(re.findall(r"\w+", clause))
    if any(pattern.match(sentence) for pattern in remarks.withdrawals):
        item.drop("it is taken back")
    elif is_denied or _UNRUN.search(_last_sentence(before)):
        item.drop("it is said not to be made")
    elif _asks(sentence, remarks):
        tools = {call.tool for call in item.calls}
        alike = [i for i in items[: place + 1] if tools & {c.tool for c in i.calls}]
        for other in alike:
            if len(alike) > 1:
                other.drop("it is one of several offered")
            else:
                other.wait()
    elif ends_in_question(before, remarks):
        item.wait()


def _asks(sentence: str, remarks: Remarks) -> bool:
    """Return whether a sentence asks about a call, and offers no more than it."""
    is_closing = any(pattern.match(sentence) for pattern in remarks.closings)
    return sentence[-1:] in {*"?？؟;"} and not is_closing


def _until_call(items: Sequence[Item]) -> Iterator[Item]:
    for item in items:
        if item.kind is Kind.CALL:
            return
        yield item


# What belongs to arguments, and stands behind the end of a call.
_MEMBER: Final = re.compile(r"[\"'“”„‟‘’]\s*:|</?(?:[\w.\-]+:)?(?:par|arg)")
_MARKS: Final = re.compile(r"[\s\"}\],;]*")
_NEXT_PARAGRAPH: Final = re.compile(r"\n[ \t\r]*\n\s*(?=[\w{\[`<])(?![^{\n]*\"\s*:)")


def _problem(item: Item, behind: Sequence[Item]) -> str | None:
    """Return why a call is not whole, by what stands behind it."""
    has_arguments = any(call.arguments for call in item.calls)
    rest = ""
    for other in _until_call(behind):
        if other.kind is Kind.TURN or (other.kind is Kind.CLOSE and has_arguments):
            break
        rest += other.source
    # Without arguments an empty line proves nothing: they may come behind it.
    if has_arguments:
        rest = _NEXT_PARAGRAPH.split(rest, maxsplit=1)[0]
    elif _MEMBER.search(item.before):
        return "its arguments stand before it"
    if _MEMBER.search(rest, end_of(_MARKS, rest, 0)):
        return "more of it stands behind its end"
    return None


def _is_replaced(item: Item, behind: Sequence[Item]) -> bool:
    """Return whether a call is written again behind words, with more that narrows it."""
    calls, words = item.calls, ""
    for other in behind:
        words += other.words.strip()
        for later in other.calls if words and len(calls) == 1 else ():
            if later.tool == calls[0].tool:
                if later.arguments.items() > calls[0].arguments.items():
                    return True
    return False
