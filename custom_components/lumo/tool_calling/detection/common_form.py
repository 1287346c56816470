"""Recognise the form that most calls have as a whole.

Nearly all calls are objects that begin at once with a key, bare, in a code block or in
a <tool_call>. The phases read them as they read anything, but by way of many small
steps. What is here says the same about that form in one.
"""

import re
from typing import Final

from .json_tokens import BLANK
from .json_values import BEGUN_OBJECT, QUICK_SIZE, Quick
from .openers import CALL_TAG_BEGINNING, Fence, Tag

# No beginning is longer, but for the first value.
MAX_BEGINNING: Final = QUICK_SIZE // 2
# The beginnings, by their first character; the group is the first value.
_OBJECT: Final = f"(?:{BEGUN_OBJECT})?+"
_BEGINNINGS: Final = {
    "{": re.compile(_OBJECT).fullmatch,
    "[": re.compile(_OBJECT).fullmatch,
    "<": re.compile(
        rf"<tool_call>\s{{0,30}}+{_OBJECT}|</?{CALL_TAG_BEGINNING}"
    ).fullmatch,
    "`": re.compile(
        rf"`{{3,50}}+[\w+#.\-]{{0,18}}+(?:\n\s{{0,30}}+{_OBJECT})?+|`{{1,2}}"
    ).fullmatch,
    "~": re.compile(r"~{1,2}|~{3,50}[\w+#.\-]{0,18}").fullmatch,
}
# The fence of a block that holds no value.
common_block_at: Final = re.compile(r"(`{3,50}+)([\w+#.\-]{1,18}+)\n(?=\w)").match
# The end of a wrapping, the blanks behind it, and words in which nothing begins.
_WORDS: Final = rf"[{BLANK}]*+)([^{BLANK}`~<{{\[\"}}\],;][^`~<{{\[]*+)"
_AFTER_FENCE: Final = re.compile(
    rf"\s*+`{{3,64}}+([ \t\r]{{0,20}}+\n{_WORDS}"
).fullmatch
_AFTER_TAG: Final = re.compile(rf"\s*+</tool_call>({_WORDS}").fullmatch
_AFTER_NOTHING: Final = re.compile(f"({_WORDS}").fullmatch


def is_common_beginning(text: str) -> Quick | None:
    """Return what of the form is there, if it is no more than the beginning.

    The phases would hold a text like this where nothing is quoted.
    """
    begun = _BEGINNINGS[text[0]](text)
    if begun is None:
        return None
    return Quick.BEGUN if begun.lastindex is None else Quick.GOES_ON


def common_rest(text: str, wrappers: list[Fence | Tag]) -> re.Match[str] | None:
    """Return the blanks and the words that a text behind a call is but for its end."""
    if not wrappers:
        return _AFTER_NOTHING(text)
    if len(wrappers) > 1:
        return None
    wrapper = wrappers[0]
    if isinstance(wrapper, Tag):
        return _AFTER_TAG(text)
    return _AFTER_FENCE(text) if wrapper.char == "`" else None
