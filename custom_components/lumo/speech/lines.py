"""What lines belong together: the sources below an answer."""

import re
from typing import Final

from .marks import LIMIT, Wait

_LINKED: Final = re.compile(r"\]\(|https?://|【|\[\d+\]|www\.")
SOURCE: Final = re.compile(r"(?:[-*+•\[【<]|\d{1,2}[.)]|https?:|www\.)")


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
