"""What has been let out so far, as far as it matters for what follows."""

from dataclasses import dataclass
import re
from typing import Final

from .json_tokens import BLANK

_MAX_LINE: Final = 32
# Blanks, the marks of a block quote, a list's mark.
_LINE_START: Final = re.compile(rf"[{BLANK}>*+\-]*(?:\d+[.)])?[{BLANK}]*")
# `>>>` stands before calls of Functionary.
_QUOTED_LINE: Final = re.compile(r"\s*(?:\||>(?!>>))")
# Behind these an object is part of something else: a quotation, code.
_NOT_BEHIND: Final = frozenset("`\"'“„«‹‘‚(=\\$%")


@dataclass(slots=True)
class Past:
    """Remembers the beginning of the current `line` and the `last` character."""

    line: str = ""
    last: str = ""
    before: str = ""
    """The character before what comes next, if that was let out."""
    loose_arguments: bool = False
    """Whether arguments without a name were let out, and no words since."""

    def note(self, text: str) -> None:
        """Take text that is let out; not empty."""
        self.last = self.before = text[-1]
        if self.loose_arguments:
            self.loose_arguments = not any(map(str.isalnum, text))
        newline = text.rfind("\n")
        if newline >= 0:
            self.line = text[newline + 1 : newline + 1 + _MAX_LINE]
        elif len(self.line) < _MAX_LINE:
            self.line = (self.line + text)[:_MAX_LINE]

    @property
    def in_quotes(self) -> bool:
        """Whether a name that begins here would be quoted."""
        return self.in_quoted_line or (
            self.last in _NOT_BEHIND and self.last not in "`(="
        )

    @property
    def at_line_start(self) -> bool:
        """Whether nothing but blanks and marks stands before on the line."""
        return (
            len(self.line) < _MAX_LINE and _LINE_START.fullmatch(self.line) is not None
        )

    @property
    def in_quoted_line(self) -> bool:
        """Whether the line belongs to a table or a block quote."""
        return _QUOTED_LINE.match(self.line) is not None

    @property
    def in_quotation(self) -> bool:
        """Whether what begins here would be quoted."""
        return self.last in _NOT_BEHIND or self.in_quoted_line

    def tidy(self, gap: str) -> str:
        """Return the blanks behind a call without those that it leaves over."""
        return gap if self.last and not self.last.isspace() else gap.lstrip()
