"""Parts of an answer that are left out: code, JSON, footnotes, sources.

They may be longer than what is held, so each piece is dropped as it comes.
"""

import re
from typing import Final

from .marks import FENCE, JSON, LIMIT, LINE, Mark, Wait

_ITEM: Final = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,2}[.)])[ \t]")
_MAYBE_ITEM: Final = re.compile(r"[ \t]*(?:[-*+•]|\d{1,2}[.)]?)?\Z")
_JSON_PART: Final = re.compile(r"\\[\s\S]|[\"{}\[\]]")
_LINKED: Final = re.compile(r"\]\(|https?://|【|\[\d+\]|www\.")
_SOURCE: Final = re.compile(r"(?:[-*+•\[【<]|\d{1,2}[.)]|https?:|www\.)")
# By so many characters it is clear what a line begins with.
_SURE: Final = 8


class Skipping:
    """One part that is left out."""

    def __init__(self, mark: Mark) -> None:
        self._kind = mark.skip
        self._fence = mark.code
        self._depth = 0
        self._in_quotes = False

    def read(self, text: str, at: int, final: bool) -> tuple[int, bool]:
        """Return where what is left out ends so far, and whether it ends there.

        Raises `Wait` if more text is needed.
        """
        if self._kind == JSON:
            return self._json(text, at, final)
        if self._kind == FENCE:
            return self._code(text, at, final)
        newline = text.find("\n", at)
        if newline < 0:
            if not final and len(text) - at < LIMIT:
                raise Wait
            return len(text), final
        following = text[newline:].lstrip()
        if self._kind == LINE:
            return newline, True
        if not final and len(following) < _SURE:
            raise Wait
        return len(text) - len(following), not _SOURCE.match(following)

    def _code(self, text: str, at: int, final: bool) -> tuple[int, bool]:
        pattern = rf"{self._fence}[`~]*[ \t]*(?=\n{'|\\Z' if final else ''})"
        if found := re.compile(pattern).search(text, at):
            return found.end(), True
        if final:
            return len(text), True
        # The last line may become the end.
        begin = text.rfind("\n", at) + 1
        if begin > at:
            return begin, False
        # As may the end of a long one.
        if len(text) - at > LIMIT and text[-1] not in "`~ \t":
            return len(text), False
        raise Wait

    def _json(self, text: str, at: int, final: bool) -> tuple[int, bool]:
        whole = len(text) - (not final and text.endswith("\\"))
        for part in _JSON_PART.finditer(text, at, whole):
            if part[0] == '"':
                self._in_quotes = not self._in_quotes
            elif not self._in_quotes and part[0] in "{[":
                self._depth += 1
            elif not self._in_quotes and part[0] in "}]":
                self._depth -= 1
                if self._depth == 0:
                    return part.end(), True
        if whole <= at:
            raise Wait
        return whole, False


def are_sources(text: str, end: int, final: bool) -> bool:
    """Return whether a list of sources follows its heading. Raises `Wait`.

    `Sources: [a](https://…)`, or the heading alone above lines with links.
    """
    is_whole = final or len(text) - end >= LIMIT
    line, newline, rest = text[end : end + LIMIT].partition("\n")
    has_colon = ":" in text[max(0, end - 3) : end] + line[:3]
    has_words = line.strip("*_: \t#")
    if has_words and not has_colon and len(line) >= 3:
        return False
    if not newline and not is_whole:
        raise Wait
    if has_words:
        return has_colon and bool(_LINKED.search(line))
    first, newline, _ = rest.lstrip().partition("\n")
    if not newline and not is_whole and not _LINKED.search(first):
        raise Wait
    return bool(_SOURCE.match(first) and _LINKED.search(first))


def list_size(text: str, at: int, indent: int, final: bool) -> int:
    """Return how many items a list has, 0 if it is too long. Raises `Wait`.

    It begins at the mark of its first item, which is indented by `indent`.
    """
    lines = f"{' ' * indent}{text[at : at + LIMIT]}".split("\n")
    size = 0
    for number, line in enumerate(lines, 1):
        is_whole = final or number < len(lines)
        if item := _ITEM.match(line):
            size += len(item[1]) <= indent
        elif line.strip() and line[:1] not in (" ", "\t"):
            if is_whole or not _MAYBE_ITEM.match(line):
                return size
    if len(text) - at >= LIMIT:
        return 0
    if not final:
        raise Wait
    return size
