r"""The marks that a model writes: what each looks like, and what is heard of it.

A mark is read where it begins, from the text that is there so far:

    [the *recipe*](https://example.com)   its words, which are read again: the *recipe*
    `light.hall`                          its words, which are not read again
    [1], 【1†source】, <b>, \(x^2\)         nothing
    {"a": 1}                              nothing up to its end, which may be far away

A mark that is not closed within `LIMIT` characters is none; an address may be longer.
"""

import re
from typing import Final, NamedTuple

LIMIT: Final = 200
_ADDRESS_LIMIT: Final = 2_000

# Characters that are not to be read again stand in a private area meanwhile.
_PRIVATE: Final = 0x10F000
_HIDE: Final = {ord(mark): chr(_PRIVATE + ord(mark)) for mark in "*_~=`[]<>$\\{}|#&"}
_SHOW: Final = {ord(hidden): mark for mark, hidden in _HIDE.items()} | {
    ord(hidden): chr(mark) for mark, hidden in _HIDE.items()
}

_LINK: Final = re.compile(
    r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\]"
    r"(?P<target>\(\s*(?:[^()\s]|\([^()\s]*\))*(?:\s+[\"'(][^\n]*?[\"')])?\s*\)|\[[^\[\]]*\])?"
)
# Its address is longer, and may be open yet.
_LONG_LINK: Final = re.compile(
    rf"\[([^\[\]]{{0,{LIMIT}}})\](?P<target>\([^()\s]+(?:\)|\Z))"
)
_IMAGE: Final = re.compile(r"(?:\A|[\s(\[*_|])!\Z")
_CITATION: Final = re.compile(
    r"\^[^\s\[\]]+|\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*|\d+†.*|\[\d{1,3}\]"
    r"|(?:oai)?cite(?:_\w+|:.*)|(?i:source|ref)[ :_-]?\d.*"
)
# A token of a template, close to a word: "on.[EOS]". In "[WHO] says" it is a word.
_TOKEN: Final = re.compile(r"(?<=\S)\[/?[A-Z_]{3,}\]|\[/?[A-Z_]{3,}\](?=\w)")
_TASK: Final = re.compile(r"\[[ xX]\](?=\s)")
_PATH: Final = re.compile(r"(?<=[^\W\d_]) >(?= [^\W\d_])")
_FENCE: Final = re.compile(r"(`{3,})[^`\n]*\n")
_JSON: Final = re.compile(r"[{\[]\s*(?:\{\s*)?\"[^\"\n]*\"\s*:|\[\s*\{\s*\"")
_MAYBE_JSON: Final = re.compile(r"[{\[]\s*(?:\{\s*)?(?:\"[^\"\n]*\"?\s*)?")
# Left out: citations, HTML, formulas; but a number alone is heard, and a price is none.
_GONE: Final = re.compile(
    r"【[^】]*】|\ue200[^\ue201]*\ue201|<!--.*?-->"
    r"|</?(?:[a-z]|0x)[\w:-]*(?:\s+(?:open|hidden|checked|disabled|selected))?(?:\s+[\w-]+=[^<>]*)?\s*/?>"
    r"|\$\$.+?\$\$|\\\(.*?\\\)|\\\[.*?\\\]"
    r"|\$(?=[^\s\d$][^$]*(?:[\\^_=+{}<>]|\w\$)|\d[\d.,]*\s?[\\^{])[^$\n]*[^\s$]\$",
    re.DOTALL | re.IGNORECASE,
)
_BREAK: Final = re.compile(
    r"</?(?:br|div|dd|dt|h[1-6]|hr|li|ol|p|t[dhr]|table|ul)\b", re.IGNORECASE
)
_WORDS: Final = re.compile(
    r"<(?:mailto:)?([^<>\s@]+@[^<>\s@]+)>|<(https?://[^<>\s]+)>"
    r"|(?:\$\$?|\\[(\[])\s*(\d(?:[\d.,]*\d)?)\s*(?:\$\$?(?!\d)|\\[)\]])"
)
_ESCAPE: Final = re.compile(r"\\(?:(?=\n)|([!-'*-/:-@\\\]^_`{|}~)]))")
# What shows that a character begins nothing.
_NOTHING: Final = re.compile(
    r"<(?!!--)(?:[^A-Za-z/!0]|0[^x]|[^<>]*[<>\n])|\$(?!\$)(?:\s|\d[\d.,]*\s?[^\d.,\s$\\^{]|[^$\n]*[$\n])"
    r"|\\[^(\[]"
)
# All that a mark can begin with.
MARKS: Final = "【\ue200<$\\[`{"

# What is left out until its end, and cannot be seen whole.
FENCE: Final = "fence"
JSON: Final = "json"
LINE: Final = "line"
SOURCES: Final = "sources"
_ITEM: Final = re.compile(r"([ \t]*)(?:[-*+•]|\d{1,2}[.)])[ \t]")
_MAYBE_ITEM: Final = re.compile(r"[ \t]*(?:[-*+•]|\d{1,2}[.)]?)?\Z")
_JSON_PART: Final = re.compile(r"\\[\s\S]|[\"{}\[\]]")
_LINKED: Final = re.compile(r"\]\(|https?://|【|\[\d+\]|www\.")
_SOURCE: Final = re.compile(r"(?:[-*+•\[【<]|\d{1,2}[.)]|https?:|www\.)")
# By so many characters it is clear what a line begins with.
_SURE: Final = 8


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


def show(text: str) -> str:
    """Return a text with its hidden characters as they were."""
    return text if text.isascii() else text.translate(_SHOW)


def read_mark(
    text: str, at: int, *, final: bool, new_line: bool, sources: frozenset[str]
) -> Mark | None:
    """Return the mark that begins here, None for a character like any other.

    `new_line`: it is the first on its line. `sources` are words whose links are
    citations. Raises `Wait`, unless the text is `final` or `LIMIT` is reached.
    """
    is_whole = final or len(text) - at >= LIMIT
    if text[at] == "[":
        return _bracket(text, at, final, new_line, sources)
    if text[at] == "`":
        return _code(text, at, is_whole)
    if text[at] == "{":
        return _json(text, at, is_whole)
    if found := _WORDS.match(text, at, at + LIMIT):
        return Mark(at, found.end(), found[found.lastindex or 0])
    if found := _GONE.match(text, at, at + LIMIT):
        return Mark(at, found.end(), "\n" if _BREAK.match(found[0]) else "")
    if found := _ESCAPE.match(text, at):
        return Mark(at, found.end(), (found[1] or "").translate(_HIDE))
    if not is_whole and not _NOTHING.match(text, at):
        raise Wait
    return None


def _bracket(
    text: str, at: int, final: bool, new_line: bool, sources: frozenset[str]
) -> Mark | None:
    if new_line and (task := _TASK.match(text, at)):
        return Mark(at, task.end())
    is_whole = final or len(text) - at >= LIMIT
    if _MAYBE_JSON.match(text, at)[0].strip() != "[":  # type: ignore[index]
        return _json(text, at, is_whole)
    found = _LONG_LINK.match(text, at, at + _ADDRESS_LIMIT)
    if found and found["target"][-1] != ")":
        is_whole, found = final or len(text) - at >= _ADDRESS_LIMIT, None
    found = found or _LINK.match(text, at, at + LIMIT)
    end = found.end() if found else len(text)
    target = found and found["target"]
    if not target and not is_whole and (end == len(text) or text[end] in "(["):
        raise Wait
    if found is None:
        return None
    begin = at - bool(_IMAGE.search(text, max(0, at - 2), at))
    words = found[1].strip()
    if new_line and text[end : end + 1] == ":" and _CITATION.fullmatch(words):
        return Mark(begin, end, skip=LINE)
    is_source = words.casefold() in sources if target else _TOKEN.match(text, at)
    if _CITATION.fullmatch(words) or is_source:
        return Mark(begin, end)
    return Mark(begin, end, words) if target or "](" in words else None


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
    content = _PATH.sub(",", " ".join(content.split()))
    return Mark(at, close + len(ticks), content.translate(_HIDE))


def _json(text: str, at: int, is_whole: bool) -> Mark | None:
    if found := _JSON.match(text, at, at + LIMIT):
        return Mark(at, at, skip=JSON, code=found[0])
    possible = _MAYBE_JSON.match(text, at, at + LIMIT)
    if possible and possible.end() == len(text) and not is_whole:
        raise Wait
    return None


class Skipping:
    """One part that is left out; it may be long, so each piece is dropped as it comes."""

    def __init__(self, mark: Mark) -> None:
        self._kind = mark.skip
        self._fence = mark.code
        self._depth = 0
        self._in_quotes = False

    def read(self, text: str, at: int, final: bool) -> tuple[int, bool]:
        """Return where it ends so far, and whether it ends there. Raises `Wait`."""
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
