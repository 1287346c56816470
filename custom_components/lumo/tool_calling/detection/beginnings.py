"""Where something may begin that is not plain text: the one place that says so.

What is named here is held until it is clear; everything else is let go at once.
"""

import re
from typing import Final

from .call_forms import NameFinder
from .json_tokens import BLANK
from .openers import WAIT, Waiting

# What a bracket must be followed by, if anything, to open a call or several.
_OBJECT: Final = (
    rf"\{{[{BLANK}]*"
    rf"(?:\Z|[\"'“”„‟‘’‚‛/#\\]|[^\W\d][\w$\-]*[{BLANK}]*(?:\Z|[:/#])|\$)"
)
_ARRAY: Final = rf"\[[{BLANK}]*(?:\Z|[{{/#\\])"
# Code spans that hold a bracket, fences, tags in both kinds of brackets.
_FENCE: Final = r"`{1,2}(?:[{\[]|\Z)|`{3}|~{1,2}\Z|~{3}"
_TAG: Final = r"<(?:[\w|｜/]|\Z)|\[[tTfF/]"

_VALUE_AT: Final = re.compile(f"{_OBJECT}|{_ARRAY}")
# A first word may be a key, or something else: `{area: ...`, `{word}`.
_UNDECIDED: Final = re.compile(
    rf"\{{[{BLANK}]{{0,64}}(?:[^\W\d][\w$\-]{{0,64}}[{BLANK}]{{0,64}})?\Z"
)
_ANY: Final = f"{_FENCE}|{_TAG}|{_OBJECT}|{_ARRAY}"


def next_beginning(
    text: str, position: int, names: NameFinder, before: str
) -> tuple[int, bool]:
    """Return where something may begin, from a position on; -1 if nowhere.

    `before` is the character before the text. Also returns whether it is a name.
    """
    return names.find(text, position, before, _ANY)


def may_open(text: str, position: int, *, final: bool) -> bool | Waiting:
    """Return whether the bracket at a position may open a call or several."""
    if not final and _UNDECIDED.match(text, position):
        return WAIT
    return _VALUE_AT.match(text, position) is not None
