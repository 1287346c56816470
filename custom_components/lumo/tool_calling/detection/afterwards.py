"""What the finished text says of each call: whether it is whole, and still meant.

A model closes a call too early and goes on behind it, writes it again, only thinks of
it, or goes on as somebody else. All of that stands behind the call, so it is looked up
there, once, when the answer has ended.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
import re
from typing import Final, NamedTuple

from .calls import Written
from .json_reader import end_of
from .pieces import BrokenCall, DetectedCall, Dropped, Piece, Reasoning

OTHER_TURN: Final = "somebody else's turn"
# So many stretches behind a call are looked at.
_NEAR: Final = 50


@dataclass(slots=True)
class Item:
    """A stretch of an answer, and what comes of it."""

    source: str
    pieces: list[Piece] = field(default_factory=list)
    written: Written | None = None
    """What was read, if that is calls."""
    is_close: bool = False
    """It closes what stands around a call."""
    ends_thought: bool = False
    """All before it was thought."""
    before: str = ""
    """What stands before it on its line."""
    after_arguments: bool = False
    """Arguments without a name stand before it."""

    @property
    def calls(self) -> list[DetectedCall]:
        """Return its calls that are whole."""
        return [piece for piece in self.pieces if isinstance(piece, DetectedCall)]


class Remarks(NamedTuple):
    """What the words around a call say of it, in the languages of an answer."""

    withdrawals: Sequence[re.Pattern[str]] = ()
    """Begin a sentence that takes a call back."""
    closings: Sequence[re.Pattern[str]] = ()
    """Begin a question that only offers more."""
    denials: Collection[str] = ()
    """Words of a sentence that speaks of a call which is not made."""

    def withdraws(self, text: str) -> bool:
        """Return whether the text behind a call takes it back."""
        found = _SENTENCE.match(text)
        return found is not None and any(p.match(found[1]) for p in self.withdrawals)

    def asks(self, text: str) -> bool:
        """Return whether the text behind a call begins with a question about it."""
        found = _SENTENCE.match(text)
        if found is None or found[1][-1:] not in {*"?？؟;"}:
            return False
        return not any(pattern.match(found[1]) for pattern in self.closings)

    def denies(self, text: str) -> bool:
        """Return whether the sentence in which a text ends denies what follows."""
        said = re.findall(r"\w+", _SENTENCE_BEFORE.split(text)[-1].lower())
        return not set(said).isdisjoint(self.denials)


NO_REMARKS: Final = Remarks()
# The first sentence of a text, without the marks around it.
_SENTENCE: Final = re.compile(
    r"[\s*_>#`¿¡-]*([^\n]*?(?:[.!?？؟;…:](?=[*_)\"'”]*(?!\S))|(?=\n|\Z)))"
)
_SENTENCE_BEFORE: Final = re.compile(r"[.!?…:](?=\s|\Z)|\n")


def judged(items: Sequence[Item], remarks: Remarks) -> Sequence[Item]:
    """Return the items of an answer with the calls that are meant."""
    items = _without_thoughts(items)
    for place, item in enumerate(items):
        if item.calls:
            _heed(items, place, remarks)
    for place, item in enumerate(items):
        if item.written is None:
            continue
        behind = items[place + 1 : place + 1 + _NEAR]
        if (reason := _problem(item, behind)) is not None:
            item.pieces = [
                BrokenCall(p.name, p.tool, reason, p.source)
                if isinstance(p, DetectedCall)
                else p
                for p in item.pieces
            ]
        if _is_replaced(item, behind):
            item.pieces = [Dropped(item.source, "it is written again")]
    return items


def pieces_of(items: Sequence[Item]) -> list[Piece]:
    """Return what comes of items, neighbouring words joined."""
    pieces: list[Piece] = []
    for item in items:
        for piece in item.pieces:
            if isinstance(piece, str) and pieces and isinstance(pieces[-1], str):
                pieces[-1] += piece
            else:
                pieces.append(piece)
    return pieces


def _without_thoughts(items: Sequence[Item]) -> Sequence[Item]:
    """Take what stands before a lone end of a thought for a thought."""
    # What stands before the first call has been let out, perhaps.
    first = next((n for n, item in enumerate(items) if item.written), len(items))
    last = max((n for n, item in enumerate(items) if item.ends_thought), default=-1)
    if last < first:
        return items
    source = "".join(item.source for item in items[first:last])
    thought = Item(source, [Reasoning(source, source)])
    return [*items[:first], thought, *items[last:]]


def _heed(items: Sequence[Item], place: int, remarks: Remarks) -> None:
    """Let go of a call, or let it wait, where the words around it say so."""
    item, words = items[place], ""
    for other in items[place + 1 : place + 1 + _NEAR]:
        if other.written:
            break
        words += "".join(piece for piece in other.pieces if isinstance(piece, str))
    if remarks.withdraws(words):
        item.pieces = [Dropped(item.source, "it is taken back")]
    elif remarks.denies(item.before):
        item.pieces = [Dropped(item.source, "it is said not to be made")]
    elif remarks.asks(words):
        tools = {call.tool for call in item.calls}
        alike = [i for i in items[: place + 1] if tools & {c.tool for c in i.calls}]
        if len(alike) > 1:
            for other in alike:
                other.pieces = [Dropped(other.source, "it is one of several offered")]
        else:
            item.pieces = [call._replace(is_asked=True) for call in item.calls]


# What belongs to arguments, and stands behind the end of a call.
_MEMBER: Final = re.compile(r"[\"'“”„‟‘’]\s*:|</?(?:[\w.\-]+:)?(?:par|arg)")
_MARKS: Final = re.compile(r"[\s\"}\],;]*")
_BRACKETS: Final = re.compile(r"[{\[]|[}\]]")
_NEXT_PARAGRAPH: Final = re.compile(r"\n[ \t\r]*\n\s*(?=[\w{\[`<])")


def _problem(item: Item, behind: Sequence[Item]) -> str | None:
    """Return why a call is not whole, by what stands before and behind it."""
    assert item.written is not None
    calls = [piece for piece in item.pieces if isinstance(piece, DetectedCall)]
    has_arguments = any(call.arguments for call in calls)
    if item.after_arguments and not has_arguments:
        return "arguments stand before it"
    rest = ""
    for other in behind:
        is_over = other.pieces == [Dropped(other.source, OTHER_TURN)]
        if other.written or is_over or (other.is_close and has_arguments):
            break
        rest += other.source
    # Without arguments an empty line proves nothing: they may come behind it.
    if has_arguments:
        rest = _NEXT_PARAGRAPH.split(rest, maxsplit=1)[0]
    marks = end_of(_MARKS, rest, 0)
    depth = 0
    for bracket in _BRACKETS.findall(rest, marks):
        depth += 1 if bracket in "{[" else -1
        if depth < 0:
            break
    if depth < 0 or _MEMBER.search(rest, marks):
        return "more of it stands behind its end"
    return None


# A call that was cut is known again by more letters than this.
_TELLING: Final = 16
_NO_WORD: Final = re.compile(r"[\W_]+")


def _letters(source: str) -> str:
    """Return the letters and digits of a call in JSON."""
    return _NO_WORD.sub("", source[source.find("{") :])


def _is_replaced(item: Item, behind: Sequence[Item]) -> bool:
    """Return whether a call is written again behind it, or with more that narrows it."""
    if len(item.pieces) != 1:
        return False
    call, words = item.pieces[0], False
    for other in behind:
        words = words or any(isinstance(p, str) and p.strip() for p in other.pieces)
        for later in other.calls:
            if later.tool is None:
                continue
            if isinstance(call, BrokenCall):
                begun, whole = _letters(call.source), _letters(later.source)
                if len(begun) > _TELLING and whole.startswith(begun):
                    return True
            elif isinstance(call, DetectedCall) and later.tool == call.tool and words:
                if later.arguments.items() > call.arguments.items():
                    return True
    return False
