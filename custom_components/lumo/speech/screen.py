r"""What a model writes, as a screen may show it: nothing is fetched, nothing is hidden.

The address of a picture could carry off what the model has read. Outside of code

    ![words](https://host/…)   is a link: [words](https://host/…) (host)
    [words](https://host/…)    shows its host too, unless that is a source of the answer
    <tag>                      is text
    [words]: https://…         defines no address for other words

What Home Assistant itself serves stays a picture. Code is what any reader of Markdown
takes for it: a fence, indented by at most three blanks as all in it is, or between
backticks of a line.
"""

from collections.abc import Callable
from html import unescape
import re
from typing import Final
from urllib.parse import urlsplit

# A longer link is shown as it is written, with its address.
_LIMIT: Final = 2_000
_INDENTED: Final = 4
# So much of a line is looked at again.
_BEFORE: Final = 100
_FENCE: Final = re.compile(r"(`{3,}(?=[^`\n]*\n)|~{3,}(?=[^\n]*\n))")
_CODE: Final = re.compile(r"(`+)(?!`)([^\n|]*?[^`\n|])\1(?!`)")
# An address takes in the backticks that stand in it.
_BEFORE_CODE: Final = re.compile(r"(?:^|\s)[\"'(*_]*\Z")
_LINK: Final = re.compile(
    r"!?\[((?:[^\[\]\n]|!?\[[^\[\]\n]*\](?:\([^()\s]*\))?)*)\]"
    r"\([^\S\n]*<?((?:[^()\[\]\s<>\\]|\\(?![()])|\([^()\[\]\s\\]*\))*)>?"
    r"""(?:[^\S\n]+(?:"[^"\\\n]*"|'[^'\\\n]*'|\([^()\\\n]*\)))?[^\S\n]*\)"""
)
_OPEN_LINK: Final = re.compile(r"!?\[[^\n]*\Z")
_OWN: Final = re.compile(
    r"/(?:api/(?:image|image_proxy|camera_proxy)|local|media)/(?!.*\.\.)[\w\-/.?=&~]*"
)
_SPECIAL: Final = re.compile(r"[`~!\[\]<\n]")
_MARKS: Final = re.compile(r"[\\`*_{}\[\]<>|~#]")


def without_marks(text: str, on_screen: bool) -> str:
    """Return a text whose marks of Markdown and HTML are escaped, or left out."""
    if on_screen:
        return _MARKS.sub(r"\\\g<0>", text).replace("\\<", "&lt;")
    return " ".join(_MARKS.sub(lambda m: " " if m[0] in "_|" else "", text).split())


class ScreenText:
    """One message, as it streams."""

    def __init__(self, is_source: Callable[[str], bool]) -> None:
        self._is_source = is_source
        self._text = self._line = self._fence = ""
        self._indent = 0
        self._is_unsure = self._is_odd = False

    def feed(self, text: str) -> str:
        """Take a piece of the message; return what can be shown."""
        self._text += text.replace("\r\n", "\n").replace("\r", "\n")
        return self._read(final=False)

    def finish(self) -> str:
        """Return what is held at the message's end; the next piece begins another."""
        shown = self._read(final=True)
        self._text = self._line = self._fence = ""
        self._is_unsure = self._is_odd = False
        return shown

    def _read(self, *, final: bool) -> str:
        out: list[str] = []
        while self._text:
            took, shown = self._next(final)
            if not took:
                break
            line = (self._line + self._text[:took]).rpartition("\n")[2]
            # What stands before it matters, and whether that is all.
            self._line = f"…{line[-_BEFORE:]}" if len(line) > 2 * _BEFORE else line
            self._text = self._text[took:]
            out.append(shown)
        return "".join(out)

    def _next(self, final: bool) -> tuple[int, str]:
        """Return how much of the text is read next, and what is shown for it."""
        text = self._text
        line, newline, _ = text.partition("\n")
        is_whole = final or bool(newline) or len(line) > _LIMIT
        if self._fence:
            if not is_whole:
                return 0, ""
            # In a list a line with a smaller indent ends the block, elsewhere it does not:
            # where nobody knows, nothing more is taken for a block of code.
            indent = " " * self._indent
            self._is_unsure = bool(line.strip()) and not line.startswith(indent)
            if self._is_unsure:
                self._fence = ""
                return self._next(final)
            if re.match(rf" {{0,3}}{self._fence}[~`]*\s*\Z", self._line + line):
                self._fence = ""
            return len(line + newline), line + newline
        special = _SPECIAL.search(text)
        if special is None or special.start():
            took = special.start() if special else len(text)
            return took, text[:took]
        char, following = text[0], text[1:2]
        slashes = len(self._line) - len(self._line.rstrip("\\"))
        if char == "\n" or (slashes % 2 and char != "<"):
            return 1, char
        if char in "`~" and not is_whole:
            return 0, ""
        if char in "`~":
            is_indent = not self._line.strip(" ") and len(self._line) < _INDENTED
            if is_indent and not self._is_unsure and (fence := _FENCE.match(text)):
                self._fence, self._indent = fence[1], len(self._line)
                return len(line + newline), line + newline
            # Behind a mark that nobody closed, code may be what stands between others.
            may_be = not self._is_odd and _BEFORE_CODE.search(self._line)
            code = _CODE.match(text) if may_be else None
            self._is_odd |= char == "`" and code is None
            took = code.end() if code else len(re.match("`+|~", text)[0])  # type: ignore[index]
            return took, text[:took]
        if not following and not final:
            return 0, ""
        if char == "<":
            # A backslash at the end of an address is a part of it.
            masked = "\\&lt;" if slashes % 2 else "&lt;"
            return 1, masked if re.match("[A-Za-z/!?]", following) else char
        if char == "]":
            # A link that was not read whole, as over several lines, is none.
            return (2, f"]\\{following}") if following in {*":("} else (1, char)
        if char == "!" and following != "[":
            return 1, char
        # Behind another mark of exclamation it would be a picture.
        gap = " " if self._line.endswith("!") else ""
        if link := _LINK.match(text):
            return link.end(), gap + self._link(link)
        if not is_whole and _OPEN_LINK.match(line):
            return 0, ""
        return 1 + (char == "!"), f"{gap}["

    def _link(self, link: re.Match[str]) -> str:
        # What stands in a link is no link or picture of its own. The frontend takes an
        # escaped bracket there for one.
        words, target = re.sub(r"!?\\*[\[\]]", "", link[1]), link[2]
        if _OWN.fullmatch(target):
            return link[0].replace(link[1], words, 1)
        try:
            host = urlsplit(unescape(target).replace("\\", "/")).hostname or ""
        except ValueError:
            host = target
        words = words.replace("<", "&lt;")
        shown = link[0].removeprefix("!").replace(link[1], words, 1)
        is_known = self._is_source(host) or host in words.split()
        return shown if not host or is_known else f"{shown} ({host})"
