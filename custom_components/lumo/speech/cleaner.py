r"""From what a model writes to what an ear understands, as it streams.

    Take **two** [eggs](https://…)   Take two eggs
    - 21 °C                          21 degrees Celsius.
    | Hall | on |                    Hall: on.

A word is read when its end is there, a mark when it is closed, at most `LIMIT`
characters later. The result never depends on how the text was cut.
"""

from collections.abc import Callable
from dataclasses import dataclass
import re
from typing import Final

from ..languages.form import Language
from .marks import (
    FENCE,
    LIMIT,
    MARKS,
    SOURCES,
    Mark,
    Skipping,
    Wait,
    are_sources,
    list_size,
    read_mark,
    show,
)
from .words import EMOJI, Beside, Words

_MARKS: Final = frozenset(MARKS)
_WORD_END: Final = re.compile(rf"[\s{re.escape(MARKS)}]|(?<=[。！？，、；：])")
# Without anything in it that could be a mark.
_PLAIN: Final = re.compile(
    r"[\"'“„«(¿¡‘’]?[^\W\d_]+(?:['’-][^\W\d_]+)*[.,;:!?…)\"'”“»’]*"
)
_BLANKS: Final = re.compile(r"[^\S\n]+")
_NEXT: Final = re.compile(r"[^\S\n]+(\S+)(?=\s)")
_HEADING: Final = re.compile(r"#{1,6}")
_BULLET: Final = re.compile(r"[-*+•‣◦▪●]")
_NUMBERED: Final = re.compile(r"\d{1,2}[.)]")
_QUOTE: Final = re.compile(r">+(?![\d=])")
_RULE: Final = re.compile(r"[-=_*]{3,}|[-*+]")
_BOLD_END: Final = re.compile(r"(?:\*\*|__)[.:]?\Z")
_ENDED: Final = re.compile(r"[.!?:;,…。！？؟؛।][\"'”“»’)\]]*\s*\Z")
_BAR: Final = re.compile(r"(?<!\\)\|")
_DASHES: Final = re.compile(r":?[-–—]+:?")
_BROKEN: Final = re.compile(r"[.,:;!?…。！？؟]")
# A longer row of a table is let out.
_ROW_LIMIT: Final = 2_000
# So much of what was said last is looked at.
_TAIL: Final = 80
# A list of so many things is announced by their number.
_MANY: Final = 6
# An item as short as this is followed by a comma.
_SHORT: Final = 40


@dataclass(slots=True)
class _Line:
    is_new: bool = True
    """Its first word is to come."""
    indent: int = 0
    pauses: bool = False
    """It is no sentence: a row, an item, a heading."""
    is_item: bool = False
    blanks: str = ""
    """Said before its next word."""
    is_bold: bool = False
    """Its first word begins in bold."""
    ends_bold: bool = False
    said: str = ""
    """Its beginning: whether it is short."""
    is_gone: bool = False
    """Something of it was left out."""


class Cleaner:
    """Cleans the messages of one turn, in their order."""

    def __init__(
        self,
        language: Language,
        name_of: Callable[[str], str | None] = lambda _entity_id: None,
    ) -> None:
        self._language = language
        self._name_of = name_of
        self._sources = frozenset(language.sources.split())
        self._words = Words(language, name_of)
        self._told_code = False
        self._begin()

    def _begin(self) -> None:
        self._text = ""
        self._at = 0
        self._out: list[str] = []
        self._tail = ""
        self._has_spoken = False
        self._skipping: Skipping | None = None
        self._line = _Line()
        self._table = _Table()
        self._in_list = False
        # A line that gets a pause as soon as it is known what follows, and its end.
        self._ended: _Line | None = None
        self._newlines = ""
        # A number whose unit may follow.
        self._number = ""
        # Something was left out: one blank beside it is enough.
        self._is_gap = False

    def feed(self, text: str) -> str:
        """Take a piece of a message; return what can be spoken."""
        for begin in range(0, len(text), LIMIT):
            self._text += text[begin : begin + LIMIT]
            self._read(final=False)
        return self._take()

    def release(self) -> str:
        """Return a plain word that is held, where no more of it will come."""
        if not (self._skipping or self._number) and _PLAIN.fullmatch(self._text):
            word, self._text = self._text, ""
            self._line.is_new = False
            self._say(word)
        return self._take()

    def finish(self, *, alone: str | None = None) -> str:
        """Return what is held at a message's end; the next piece begins another one.

        `alone` is heard of one that is nothing but emoji, without it "done".
        """
        self._read(final=True)
        self._end_line("")
        self._pause()
        said = self._take()
        if not self._has_spoken:
            said += self._words.alone(alone)
        self._words.emoji = ""
        self._begin()
        return said

    def _take(self) -> str:
        said, self._out = "".join(self._out), []
        return said

    def _read(self, *, final: bool) -> None:
        try:
            while self._at < len(self._text):
                if self._skipping:
                    self._at, is_over = self._skipping.read(self._text, self._at, final)
                    if is_over:
                        self._skipping = None
                        self._leave_out()
                else:
                    self._step(final)
        except Wait:
            pass
        self._text = self._text[self._at :]
        self._at = 0

    def _step(self, final: bool) -> None:
        if self._text[self._at] == "\n":
            self._at += 1
            self._end_line("\n")
        elif blanks := _BLANKS.match(self._text, self._at):
            self._at = blanks.end()
            self._on_blanks(blanks[0])
        elif self._text[self._at] == "|" and self._line.is_new:
            self._on_row(final)
        else:
            self._on_word(final)

    def _put(self, text: str) -> None:
        self._out.append(text)
        self._tail = (self._tail + text)[-_TAIL:]

    def _say(self, text: str) -> None:
        self._pause()
        line, text = self._line, show(text)
        if text == "," or (self._is_gap and text[0] in ".,;:!?"):
            line.blanks = ""
        self._put(line.blanks + text)
        line.said = f"{line.said} {text}"[: _SHORT + 2]
        line.blanks = ""
        self._has_spoken = True
        self._is_gap = False

    def _leave_out(self) -> None:
        self._is_gap = True
        self._line.is_gone = True

    def _on_blanks(self, blanks: str) -> None:
        line = self._line
        line.indent += len(blanks) if line.is_new else 0
        if self._is_gap and not (self._tail + line.blanks)[-1:].strip():
            return
        self._is_gap = False
        if not (line.is_new and self._ended):
            line.blanks += blanks

    def _end_line(self, newline: str) -> None:
        """End a line; one that is no sentence pauses."""
        line, self._line = self._line, _Line()
        if line.said and (line.pauses or (line.is_bold and line.ends_bold and newline)):
            self._ended, self._newlines = line, newline
        elif self._ended:
            self._newlines = (self._newlines + newline)[:_TAIL]
        elif line.said or not line.is_gone:
            self._put(line.blanks + newline)
        self._number, self._is_gap = "", False

    def _pause(self, *, before_item: bool = False) -> None:
        """Say the end of the line before, which waited for the next one."""
        if (line := self._ended) is None:
            return
        self._ended = None
        is_short = len(line.said) <= _SHORT + 1 and not _BROKEN.search(line.said)
        with_comma = before_item and line.is_item and is_short
        if not _ENDED.search(self._tail):
            self._put("," if with_comma else ".")
        # Voices that begin before the end know by a blank line that a sentence is over.
        is_one = self._newlines == "\n" and not with_comma
        self._put("\n\n" if is_one else self._newlines)

    def _begins_line(self, word: str, end: int, final: bool) -> bool:
        """Read the first word of a line; return whether it is only a mark."""
        line = self._line
        following = self._text[end : end + 1]
        is_emoji = not line.is_item and EMOJI.fullmatch(word)
        if word.strip("*_:").casefold() in self._sources and are_sources(
            self._text, end, final
        ):
            self._skipping = Skipping(Mark(self._at, end, skip=SOURCES))
            return True
        if following in (" ", "\t") and (is_emoji or _BULLET.fullmatch(word)):
            self._begin_item(word, final)
        elif _HEADING.fullmatch(word):
            line.pauses = True
        elif quote := _QUOTE.match(word):
            end = self._at + quote.end()
        elif _RULE.fullmatch(word):
            line.is_gone = True
        elif word.startswith("~~~"):
            self._skip(Mark(self._at, end, skip=FENCE, code="~~~"))
            return True
        else:
            line.is_bold = word.startswith(("**", "__"))
            if following and _NUMBERED.fullmatch(word):
                # A date, or the number of an item.
                line.pauses = not self._words.is_month(self._next_word(end, final))
            elif not line.indent:
                self._in_list = False
            self._table = _Table()
            return False
        self._at, self._is_gap = end, True
        return True

    def _begin_item(self, word: str, final: bool) -> None:
        if not self._in_list and _BULLET.fullmatch(word):
            size = list_size(self._text, self._at, self._line.indent, final)
            self._in_list = True
            if re.search(r"[^\n]\n\Z", self._tail):
                # The line before it may have no full stop.
                self._put("\n")
            if size >= _MANY and str(size) not in self._tail.split():
                self._say(self._language.said["items"].format(count=size))
                self._put(" ")
        self._pause(before_item=True)
        self._line.pauses, self._line.is_item, self._line.said = True, True, ""

    def _on_row(self, final: bool) -> None:
        end = self._text.find("\n", self._at, self._at + _ROW_LIMIT)
        if end < 0 and not final and len(self._text) - self._at < _ROW_LIMIT:
            raise Wait
        end = min(end if end >= 0 else self._at + _ROW_LIMIT, len(self._text))
        row, self._at = self._text[self._at : end], end
        self._line.is_new, self._line.pauses = False, True
        if said := self._table.row(row, self._cell):
            self._say(said)
        else:
            self._line.is_gone = True

    def _cell(self, text: str) -> str:
        inner = Cleaner(self._language, self._name_of)
        inner._told_code = self._told_code
        # It is the value of its row, and begins no list.
        inner._tail, inner._line.is_new = ":", False
        said = inner.feed(text) + inner.finish(alone="")
        self._told_code = inner._told_code
        return " ".join(said.split())

    def _on_word(self, final: bool) -> None:
        end = self._find_end(final)
        if end is None:
            return
        line, word = self._line, self._text[self._at : end]
        if not word:
            self._leave_out()
            return
        if line.is_new and self._begins_line(word, end, final):
            return
        heard = self._words.hear(
            word,
            Beside(
                self._number,
                self._tail,
                self._is_gap,
                lambda: self._next_word(end, final),
            ),
        )
        line.is_new = False
        line.ends_bold = bool(_BOLD_END.search(word))
        self._at = self._text.index(heard.took, end) + len(heard.took)
        self._number = heard.number
        if heard.text:
            self._say(heard.text)
        else:
            self._leave_out()

    def _next_word(self, end: int, final: bool) -> str:
        """Return the word behind `end` on its line, without marks."""
        rest = self._text[end:]
        if found := _NEXT.match(rest):
            return found[1].strip("*_.,;:!?)")
        if rest.lstrip(" \t")[:1] == "\n":
            return ""
        if not final and len(rest) < LIMIT:
            raise Wait
        return rest.strip(" \t*_.,;:!?)")

    def _find_end(self, final: bool) -> int | None:
        """Return where the word ends, its marks replaced; None if it is left out."""
        place = self._at
        while True:
            found = _WORD_END.search(self._text, place)
            limit = self._at + LIMIT
            if found is None or found.start() >= limit:
                if not final and len(self._text) < limit:
                    raise Wait
                return min(len(self._text), limit)
            place = found.start()
            if not found[0] and place == self._at:
                place += 1
                continue
            if found[0] not in _MARKS:
                return place
            is_first = self._line.is_new and place == self._at
            mark = read_mark(
                self._text, place, final=final, new_line=is_first, sources=self._sources
            )
            if mark is None:
                place += 1
            elif not (mark.skip or mark.code):
                place = mark.begin
                self._is_gap = self._is_gap or not mark.text
                self._text = self._text[:place] + mark.text + self._text[mark.end :]
                if not mark.text and place == self._at:
                    return place
            elif mark.begin > self._at:
                return mark.begin
            else:
                self._skip(mark)
                return None

    def _skip(self, mark: Mark) -> None:
        """Leave out a part; code is announced once."""
        self._at = mark.end
        self._skipping = Skipping(mark) if mark.skip else None
        if not mark.code or self._told_code:
            self._leave_out()
        else:
            self._told_code, self._line.is_new = True, False
            self._say(self._language.said["code"])
            self._is_gap = True


class _Table:
    """The rows of a table as sentences, with their columns' names unless there are two."""

    def __init__(self) -> None:
        self._above: list[str] = []
        self._names: list[str] = []

    def row(self, line: str, clean: Callable[[str], str]) -> str:
        """Return a row as a sentence; one of dashes makes names of the cells above."""
        line = line.strip().removeprefix("|").removesuffix("|")
        written = [cell.strip() for cell in _BAR.split(line)]
        cells = ["" if _DASHES.fullmatch(cell) else clean(cell) for cell in written]
        if not any(cells):
            self._names = self._above if any(written) else self._names
            return ""
        self._above = cells
        said = ""
        for column, cell in enumerate(cells):
            if cell and said:
                said += ": " if self._names and said == cells[0] else ", "
            if cell and len(self._names) > 2 and 0 < column < len(self._names):
                said += f"{self._names[column]} "
            said += cell
        return said
