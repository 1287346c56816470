"""What lines belong together: lists, and the sources below an answer."""

import re
from typing import Final

from .marks import LIMIT, Wait

_ITEM: Final = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,2}[.)])[ \t]")
_MAYBE_ITEM: Final = re.compile(r"[ \t]*(?:[-*+•]|\d{1,2}[.)]?)?\Z")
_LINKED: Final = re.compile(r"\]\(|https?://|【|\[\d+\]|www\.")
SOURCE: Final = re.compile(r"(?:[-*+•\[【<]|\d{1,2}[.)]|https?:|www\.)")


def list_size(text: str, at: int, indent: int, final: bool) -> int:
    """Return how many things a list has, 0 for one that is too long to see its end.

    It begins at the mark of its first item, which is indented by `indent`. Raises
    `Wait`.
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


def are_sources(text: str, end: int, final: bool) -> bool:
    """Return whether a list of sources follows its name, which ends at `end`.

    `Sources: [a](https://…)`, or the name alone above lines with links. Raises `Wait`.
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
    return bool(SOURCE.match(first) and _LINKED.search(first))
