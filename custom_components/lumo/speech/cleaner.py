r"""From what a model writes to what an ear understands, as it streams.

Text goes through word by word: a word is looked at when its end is there, and blanks
pass at once. So plain prose is never held longer than a word. A mark that may have
blanks inside, like a link, is held until it is closed, at most `LIMIT` characters; its
words are put back in its place and read on. What is decided never depends on how the
text was cut: either what follows cannot change it, or more is waited for.

    Take **two** [eggs](https://…)   Take two eggs
    - 21 °C                          21 degrees Celsius.
    | Hall | on |                    Hall: on.

Lines that are no sentence (of a list, a table, a heading) get a full stop, or a comma
where they are short, so that a voice pauses.
"""

from collections.abc import Callable
from dataclasses import dataclass
import re
from typing import Final

from ..languages.form import Language
from .lines import are_sources, list_size
from .marks import FENCE, LIMIT, MARKS, SOURCES, Mark, Wait, read_mark, show
from .skipping import Skipping
from .table import DELIMITER, Table
from .words import EMOJI, Beside, Words

# Words without anything in them that could be a mark.
_LETTERS: Final = r"[^\W\d_²³¹⁰⁴-⁹¼-¾⅐-⅞]+"
_PLAIN: Final = re.compile(
    rf"(?:[\"'“„«(¿¡‘’]?{_LETTERS}(?:['’-]{_LETTERS})*[.,;:!?…)\"'”“»’]*[ ])+"
)
_MARKS: Final = frozenset(MARKS)
_ENDS: Final = rf"\s{re.escape(MARKS)}"
_WORD_END: Final = re.compile(rf"[{_ENDS}]|(?<=[。！？，、；：])")
_CELL_END: Final = re.compile(rf"[{_ENDS}|]")
_BLANKS: Final = re.compile(r"[^\S\n]+")
_NEXT: Final = re.compile(r"[^\S\n]+(\S+)(?=\s)")
_HEADING: Final = re.compile(r"#{1,6}")
_BULLET: Final = re.compile(r"[-*+•‣◦▪●]")
_NUMBERED: Final = re.compile(r"\d{1,2}[.)]")
_QUOTE: Final = re.compile(r">+(?![\d=])")
_RULE: Final = re.compile(r"[-=_*]{3,}|[-*+]")
_BOLD_END: Final = re.compile(r"(?:\*\*|__)[.:]?\Z")
_ENDED: Final = re.compile(r"[.!?:;,…。！？؟؛।][\"'”“»’)\]]*\s*\Z")
_BROKEN: Final = re.compile(r"[.,:;!?…。！？؟]")
_ROW: Final = "row"
_ITEM: Final = "item"
_NUMBER: Final = "number"
_HEADLINE: Final = "headline"
# A row is one line, and its bars are of the table.
_IN_ROW: Final = {ord("\n"): " ", ord("|"): " "}
# So much of what was said last is looked at.
_TAIL: Final = 80
# A list of so many things is announced by their number.
_MANY: Final = 6
# An item as short as this is followed by a comma.
_SHORT: Final = 40


@dataclass(slots=True)
class _Line:
    """What is known of the line that is read."""

    is_new: bool = True
    """Its first word is to come."""
    indent: int = 0
    kind: str = ""
    """What it is if it is no sentence."""
    blanks: str = ""
    """Said before its next word, so that none is before its pause."""
    is_bold: bool = False
    """Its first word begins in bold."""
    ends_bold: bool = False
    has_said: bool = False
    is_gone: bool = False
    """Something of it was left out."""


class Cleaner:
    """Cleans the messages of one turn, in their order."""

    def __init__(
        self,
        language: Language,
        name_of: Callable[[str], str | None] = lambda _entity_id: None,
    ) -> None:
        """Take the language, and what gives an entity's name by its id, if it is one."""
        self._said = language.said
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
        self._table = Table()
        self._in_list = False
        self._item = ""
        # The end of a line that gets a pause, as soon as it is known what follows.
        self._pending = ""
        # A number whose unit may follow.
        self._number = ""
        # Something was left out: one blank beside it is enough.
        self._is_gap = False

    def feed(self, text: str) -> str:
        """Take a piece of a message; return what can be spoken."""
        if self._text and text.isalpha() and len(self._text) + len(text) < LIMIT:
            # A word goes on, for the most part.
            self._text += text
            return ""
        for begin in range(0, len(text), 2 * LIMIT):
            self._text += text[begin : begin + 2 * LIMIT]
            self._read(final=False)
        return self._take()

    def release(self) -> str:
        """Return a plain word that is held, where no more of it is to be expected."""
        is_plain = not (self._skipping or self._number or self._line.kind == _ROW)
        if is_plain and _PLAIN.fullmatch(f"{self._text} "):
            word, self._text = self._text, ""
            self._line.is_new = False
            self._say(word)
        return self._take()

    def finish(self, *, alone: bool = True) -> str:
        """Return what is held at a message's end; the next piece begins another one.

        Nothing but emoji means "done", unless it is not `alone`.
        """
        self._read(final=True)
        self._end_line("")
        self._pause()
        said = self._take()
        if alone and not self._has_spoken:
            said += self._words.alone()
        self._words.emoji = ""
        self._begin()
        return said

    def _take(self) -> str:
        said, self._out = "".join(self._out), []
        return said

    def _read(self, *, final: bool) -> None:
        """Read on as far as the text decides what is said."""
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
        line, at = self._line, self._at
        is_plain = line.has_said and line.kind not in (_ROW, _NUMBER)
        is_plain = is_plain and not (self._number or self._is_gap)
        if is_plain and (plain := _PLAIN.match(self._text, at)):
            self._at = plain.end()
            line.ends_bold = False
            words = plain[0]
            if line.kind:
                words, line.blanks = f"{line.blanks}{words[:-1]}", " "
                self._item += words
            self._out.append(words)
            self._tail = words[-_TAIL:]
        elif self._text[at] == "\n":
            self._at += 1
            self._end_line("\n")
        elif blanks := _BLANKS.match(self._text, at):
            self._at = blanks.end()
            self._on_blanks(blanks[0])
        elif self._text[at] == "|" and (line.kind == _ROW or line.is_new):
            self._at += 1
            if line.is_new:
                line.is_new, line.kind = False, _ROW
                self._table.begin_row()
            self._table.begin_cell()
            self._number, self._is_gap = "", False
        else:
            self._on_word(final)

    # What is said.

    def _put(self, text: str) -> None:
        self._out.append(text)
        self._tail = (self._tail + text)[-_TAIL:]

    def _say(self, text: str) -> None:
        self._pause()
        text = show(text)
        if self._line.kind == _ROW:
            text = self._table.say(text)
        elif self._line.kind == _ITEM:
            self._item += f" {text}"
        self._put(self._line.blanks + text)
        self._line.blanks = ""
        self._line.has_said = self._has_spoken = True
        self._is_gap = False

    def _leave_out(self) -> None:
        self._is_gap = True
        self._line.is_gone = True

    def _on_blanks(self, blanks: str) -> None:
        line = self._line
        line.indent += len(blanks) if line.is_new else 0
        self._table.gap = True
        is_doubled = self._is_gap and not (self._tail + line.blanks)[-1:].strip()
        if line.kind != _ROW and not is_doubled:
            self._is_gap = False
            if line.kind and not line.is_new:
                line.blanks += blanks
            elif not (line.is_new and self._pending):
                self._put(blanks)

    # Lines.

    def _end_line(self, newline: str) -> None:
        """End a line. One that is no sentence pauses; one that was left out is none."""
        line, self._line = self._line, _Line()
        if line.kind == _ROW:
            self._table.end_row()
        elif line.is_bold and line.ends_bold and newline:
            line.kind = line.kind or _HEADLINE
        if line.kind and line.has_said:
            self._pending = f"{line.kind}{newline}"
        elif self._pending:
            self._pending += newline
        elif newline and (line.has_said or not line.is_gone):
            self._put(newline)
        self._number, self._is_gap = "", False

    def _pause(self, *, before_item: bool = False) -> None:
        """Say the end of the line before, which waited for what follows it."""
        if not self._pending:
            return
        kind, newline, more = self._pending.partition("\n")
        is_short = len(self._item) <= _SHORT and not _BROKEN.search(self._item)
        with_comma = kind == _ITEM and before_item and is_short
        self._pending = self._item = ""
        if not _ENDED.search(self._tail):
            self._put("," if with_comma else ".")
        # Voices that begin before the end know by a blank line that a sentence is over.
        self._put(newline + more if with_comma or more else newline * 2)

    def _begins_line(self, word: str, end: int, final: bool) -> bool:
        """Look at the first word of a line; return whether it is only a mark."""
        line = self._line
        following = self._text[end : end + 1]
        has_blank = following in (" ", "\t")
        if word.strip("*_:").casefold() in self._sources and are_sources(
            self._text, end, final
        ):
            self._skipping = Skipping(Mark(self._at, end, skip=SOURCES))
            return True
        is_emoji = line.kind != _ITEM and EMOJI.fullmatch(word)
        if has_blank and (is_emoji or _BULLET.fullmatch(word)):
            self._begin_item(word, final)
        elif _HEADING.fullmatch(word):
            line.kind = _HEADLINE
        elif quote := _QUOTE.match(word):
            end = self._at + quote.end()
        elif _RULE.fullmatch(word):
            line.is_gone = True
        elif word.startswith("~~~"):
            self._skip(Mark(self._at, end, skip=FENCE, code="~~~"))
            return True
        else:
            line.is_bold = word.startswith(("**", "__"))
            if _NUMBERED.fullmatch(word) and following:
                line.kind = _NUMBER
            elif not line.indent:
                self._in_list = False
            self._table = Table()
            return False
        self._at, self._is_gap = end, True
        return True

    def _begin_item(self, word: str, final: bool) -> None:
        if not self._in_list and len(word) == 1 and _BULLET.fullmatch(word):
            size = list_size(self._text, self._at, self._line.indent, final)
            self._in_list = True
            if re.search(r"[^\n]\n\Z", self._tail):
                # The line before it may have no full stop.
                self._put("\n")
            if size >= _MANY and str(size) not in self._tail.split():
                self._say(self._said["items"].format(count=size))
                self._put(" ")
        self._pause(before_item=True)
        self._line.kind, self._item = _ITEM, ""

    # Words.

    def _on_word(self, final: bool) -> None:
        end = self._find_end(final)
        if end is None:
            return
        begin, line = self._at, self._line
        word = self._text[begin:end]
        kind, was_new = line.kind, line.is_new
        if not word:
            self._leave_out()
        elif kind == _ROW and DELIMITER.fullmatch(word):
            self._at = end
            self._table.has_rules = line.is_gone = True
        elif not (was_new and self._begins_line(word, end, final)):
            self._at, line.is_new = end, False
            if kind == _NUMBER:
                # A date, or the number of an item.
                is_date = self._words.is_month(word.strip(",.*_"))
                line.kind = "" if is_date else _HEADLINE
            try:
                self._hear(word, final)
            except Wait:
                self._at, line.is_new, line.kind = begin, was_new, kind
                raise

    def _hear(self, word: str, final: bool) -> None:
        line = self._line
        if not self._number and word.isalpha():
            line.ends_bold = False
            self._say(word)
            return
        is_value = line.kind == _ROW and self._table.is_empty
        beside = Beside(
            self._number,
            self._tail,
            self._is_gap,
            is_value,
            lambda: self._next_word(final),
        )
        heard = self._words.hear(word, beside)
        if heard.took:
            self._at = self._text.index(heard.took, self._at) + len(heard.took)
        self._number = heard.number
        line.ends_bold = bool(_BOLD_END.search(word))
        if heard.text:
            self._say(heard.text)
        else:
            self._leave_out()

    def _next_word(self, final: bool) -> str:
        """Return the word behind this one on its line, without marks."""
        rest = self._text[self._at :]
        if found := _NEXT.match(rest):
            return found[1].strip("*_.,;:!?)")
        if rest.lstrip(" \t")[:1] == "\n":
            return ""
        if not final and len(rest) < LIMIT:
            raise Wait
        return rest.strip(" \t*_.,;:!?)")

    def _find_end(self, final: bool) -> int | None:
        """Return where the word ends, its marks replaced by their words.

        None: a part that is left out begins here.
        """
        is_row = self._line.kind == _ROW
        ends = _CELL_END if is_row else _WORD_END
        place = self._at
        while True:
            found = ends.search(self._text, place)
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
                words = mark.text.translate(_IN_ROW) if is_row else mark.text
                self._is_gap = self._is_gap or not words
                self._text = self._text[:place] + words + self._text[mark.end :]
                if not words and place == self._at:
                    return place
            elif mark.begin > self._at:
                return mark.begin
            else:
                self._skip(mark)
                return None

    def _skip(self, mark: Mark) -> None:
        """Leave out a part; what was code is told once."""
        self._at = mark.end
        self._skipping = Skipping(mark) if mark.skip else None
        if not mark.code or self._told_code:
            self._leave_out()
        else:
            self._told_code, self._line.is_new = True, False
            self._say(self._said["code"])
            self._is_gap = True
