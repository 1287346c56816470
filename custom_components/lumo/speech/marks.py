r"""The marks that a model writes: what each looks like, and what is heard of it.

A mark is read where it begins, from the text that is there so far:

    [the *recipe*](https://example.com)   its words, which are read again: the *recipe*
    `light.hall`                          its words, which are not read again
    [1], 【1†source】                     nothing
    {"a": 1}                              nothing up to its end, which may be far away

A mark that is not closed within `LIMIT` characters is none.
"""

from collections.abc import Callable
import re
from typing import Final, NamedTuple

LIMIT: Final = 200

# Characters that are not to be read again stand in a private area meanwhile.
_PRIVATE: Final = 0x10F000
# Behind it stands the rest of an address.
ADDRESS: Final = chr(_PRIVATE)
_HIDE: Final = {ord(mark): chr(_PRIVATE + ord(mark)) for mark in "*_~=`[]<>$\\{}|#&"}
_SHOW: Final = {ord(hidden): mark for mark, hidden in _HIDE.items()} | {
    ord(hidden): chr(mark) for mark, hidden in _HIDE.items()
}

_LINK: Final = re.compile(
    r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]"
    r"(?P<target>\(\s*(?:[^()\s]|\([^()\s]*\))*(?:\s+[\"'(][^\n]*?[\"')])?\s*\)|\[[^\[\]]*\])?"
)
_OPEN_TARGET: Final = re.compile(r"\[[^\[\]]*\]\([^()\s]+")
_CITATION: Final = re.compile(
    r"\^[^\s\[\]]+|\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*|\d+†.*|\[\d{1,3}\]"
    r"|(?:oai)?cite(?:_\w+|:.*)|(?i:source|ref)[ :_-]?\d.*"
)
_TASK: Final = re.compile(r"\[([ xX])\](?=\s)")
# A box that is ticked.
TASK_DONE: Final = "☑"
_FENCE: Final = re.compile(r"(`{3,})[^`\n]*\n")
_JSON: Final = re.compile(r"[{\[]\s*(?:\{\s*)?\"[^\"\n]*\"\s*:|\[\s*\{\s*\"")
_MAYBE_JSON: Final = re.compile(r"[{\[]\s*(?:\{\s*)?(?:\"[^\"\n]*\"?\s*)?")
_MATH_SIGN: Final = r"[\\^_=+{}<>]|\w\$"
_TEX_WORDS: Final = re.compile(r"\\(?:text\w*|math\w+|operatorname)\s*\{([^{}]*)\}")
_TEX_FRACTION: Final = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_TEX_SIGNS: Final = {
    **dict.fromkeys(("times", "cdot"), "×"),
    **dict.fromkeys(("approx", "sim"), "~"),
    **dict.fromkeys(("leq", "le"), "≤"),
    **dict.fromkeys(("geq", "ge"), "≥"),
    **dict.fromkeys(("to", "rightarrow", "Rightarrow"), "→"),
    **dict.fromkeys(("quad", "left", "right"), ""),
    "div": "÷",
    "pm": "±",
    "sqrt": "√",
    "circ": "°",
}
_TEX_COMMAND: Final = re.compile(r"\\([A-Za-z]+)\s*")
_TEX_POWER: Final = re.compile(r"\^\s*(?:\{\s*([^{}]*?)\s*\}|(\S))")
_TEX_SPACE: Final = re.compile(r"\\[,;:! \\]|[{}~_]")
_TEX_SIGN: Final = re.compile(r"([=+<>≤≥×÷±])")

# What is left out until its end, and cannot be seen whole: its kind, for the cleaner.
FENCE: Final = "fence"
JSON: Final = "json"
COMMENT: Final = "comment"
LINE: Final = "line"
TARGET: Final = "target"
SOURCES: Final = "sources"


class Wait(Exception):
    """More text is needed to know what a mark is."""


class Mark(NamedTuple):
    """What is heard of a mark."""

    begin: int
    end: int
    text: str = ""
    """Read in its place, marks in it as well."""
    skip: str = ""
    """What goes on behind its end and is left out."""
    code: str = ""
    """What was code, left out here."""


def hide(text: str) -> str:
    """Return a text in which there are no marks, until it is shown again."""
    return text.translate(_HIDE)


def show(text: str) -> str:
    """Return a text with its hidden characters as they were."""
    return text if text.isascii() else text.translate(_SHOW)


def tex_words(formula: str) -> str:
    """Return a formula with signs that are words of their own."""
    formula = _TEX_WORDS.sub(r" \1 ", formula)
    formula = _TEX_FRACTION.sub(r" \1 ÷ \2 ", formula)
    formula = formula.replace(r"^\circ", "°").replace(r"\%", "%")
    formula = _TEX_COMMAND.sub(lambda m: f" {_TEX_SIGNS.get(m[1], m[1])} ", formula)
    powers = {"2": "²", "3": "³"}
    formula = _TEX_POWER.sub(
        lambda m: powers.get(m[1] or m[2], f" ^ {m[1] or m[2]} "), formula
    )
    return " ".join(_TEX_SIGN.sub(r" \1 ", _TEX_SPACE.sub(" ", formula)).split())


def _tag(names: str, slash: str = "/?") -> re.Pattern[str]:
    attributes = r"(?:\s+[\w-]+=[^<>]*)?\s*/?"
    return re.compile(rf"<{slash}(?:{names}){attributes}>", re.IGNORECASE)


# What is left out.
_GONE: Final = re.compile("【[^】]*】|\ue200[^\ue201]*\ue201")
_IN_ANGLES: Final = re.compile(
    r"<(?:mailto:)?([^<>\s@]+@[^<>\s@]+)>|<(https?://[^<>\s]+)>"
)
_INLINE_TAG: Final = _tag(
    "a|abbr|b|big|cite|code|del|em|font|i|img|ins|kbd|mark|q|s|small|span|strike|strong"
    "|sub|sup|u|wbr"
)
_LINE_TAG: Final = _tag(
    "blockquote|br|center|dd|details|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|summary"
    "|table|tbody|thead|tr|ul"
)
# A price is none. Who writes "$2x$" is understood as well.
_TEX: Final = re.compile(
    rf"(?s:\$\$(.+?)\$\$|\\\((.*?)\\\)|\\\[(.*?)\\\])"
    rf"|\$(?=[^\s\d$])(?=[^$]*(?:{_MATH_SIGN}))([^$\n]*[^\s$])\$"
)
_ESCAPE: Final = re.compile(r"\\(?:(?=\n)|([!-'*-/:-@\\\]^_`{|}~)]))")
_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[str], str]], ...]] = (
    (_GONE, lambda _: ""),
    (_IN_ANGLES, lambda words: words),
    (_INLINE_TAG, lambda _: ""),
    (_tag("t[dh]"), lambda _: " "),
    (_tag("li", ""), lambda _: "\n- "),
    (_LINE_TAG, lambda _: "\n"),
    (_TEX, tex_words),
    (_ESCAPE, hide),
)
# What shows that a character begins nothing.
_NOTHING: Final = re.compile(
    r"<(?:[^A-Za-z/!]|[^<>]*[<>\n])|\$(?!\$)(?:[\s\d]|[^$\n]*[$\n])|\\[^(\[]"
)
# All that a mark can begin with.
MARKS: Final = f"【\ue200<$\\[`{{{ADDRESS}"


def read_mark(
    text: str, at: int, *, final: bool, new_line: bool, sources: frozenset[str]
) -> Mark | None:
    """Return the mark that begins here, None for a character like any other.

    `new_line`: nothing but blanks stands before it on its line. `sources` are words
    whose links are citations. Raises `Wait`, unless the text is `final` or `LIMIT` is
    reached.
    """
    is_whole = final or len(text) - at >= LIMIT
    if text[at] == "[":
        return _bracket(text, at, is_whole, new_line, sources)
    if text[at] == "`":
        return _code(text, at, is_whole)
    if text[at] == "{":
        return _json(text, at, is_whole)
    if text[at] == ADDRESS:
        return Mark(at, at + 1, skip=TARGET)
    if text.startswith("<!--", at):
        return Mark(at, at + 4, skip=COMMENT)
    for form, heard in _FORMS:
        if found := form.match(text, at, at + LIMIT):
            words = next(filter(None, found.groups()), "")
            return Mark(at, found.end(), heard(words))
    if not is_whole and not _NOTHING.match(text, at):
        raise Wait
    return None


def _bracket(
    text: str, at: int, is_whole: bool, new_line: bool, sources: frozenset[str]
) -> Mark | None:
    if new_line and (task := _TASK.match(text, at)):
        return Mark(at, task.end(), TASK_DONE if task[1].strip() else "")
    begin = at - 1 if text[at - 1 : at] == "!" and at == _word_start(text, at) else at
    if _MAYBE_JSON.match(text, at)[0].strip() != "[":  # type: ignore[index]
        return _json(text, at, is_whole)
    found = _LINK.match(text, at, at + LIMIT)
    if found is None:
        if not is_whole:
            raise Wait
        return None
    end = found.end()
    target = found["target"] or ""
    if not target and not is_whole and (end == len(text) or text[end] in "(["):
        raise Wait
    words = found[1].strip()
    if not target and _OPEN_TARGET.fullmatch(text, at, at + LIMIT):
        # An address that is longer than what is held.
        return Mark(begin, min(len(text), at + LIMIT), f"{words}{ADDRESS}")
    if new_line and text[end : end + 1] == ":" and _CITATION.fullmatch(words):
        return Mark(begin, end, skip=LINE)
    if _CITATION.fullmatch(words) or (target and words.casefold() in sources):
        return Mark(begin, end)
    return Mark(begin, end, words) if target or "](" in words else None


def _word_start(text: str, at: int) -> int:
    """Return where the image begins whose bracket is here, else another place."""
    return at if at < 2 or text[at - 2].isspace() or text[at - 2] in "([*_|" else -1


def _code(text: str, at: int, is_whole: bool) -> Mark | None:
    end = at
    while text[end : end + 1] == "`":
        end += 1
    if end == len(text) and not is_whole:
        raise Wait
    ticks = text[at:end]
    if fence := _FENCE.match(text, at, at + LIMIT):
        return Mark(at, fence.end(), skip=FENCE, code=ticks)
    close = text.find(ticks, end, at + LIMIT)
    if close < 0:
        if not is_whole:
            raise Wait
        return Mark(at, end)
    content = text[end:close].strip()
    if len(ticks) > 2 or _JSON.match(content):
        return Mark(at, close + len(ticks), code=content)
    return Mark(at, close + len(ticks), hide(" ".join(content.split())))


def _json(text: str, at: int, is_whole: bool) -> Mark | None:
    if found := _JSON.match(text, at, at + LIMIT):
        return Mark(at, at, skip=JSON, code=found[0])
    possible = _MAYBE_JSON.match(text, at, at + LIMIT)
    if possible and possible.end() == len(text) and not is_whole:
        raise Wait
    return None
