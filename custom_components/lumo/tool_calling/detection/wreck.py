"""Where the text of a call ends that cannot be read.

It is neither shown nor spoken, so its end has to be found without understanding it: the
end of its wrapping, or, without one, the brace that closes it or an empty line.
"""

from enum import Enum
import re
from typing import Final

from .calls import Found
from .openers import WAIT, Fence, Tag, end_tag_at
from .pieces import BrokenCall

_BRACES_AND_LINES: Final = re.compile(r"[{}]|\n[ \t\r]{0,100}(\n|\Z)?")
_TAGS: Final = re.compile(r"[<\[]")
_FENCES: Final = {"`": re.compile(r"`+"), "~": re.compile(r"~+")}
_CLOSING_LINE: Final = re.compile(r"\n[ \t]*(?:`{3,}|~{3,})[ \t\r]*(?:\n|\Z)")


class End(Enum):
    """Whether the end was found."""

    FOUND = "found"
    # It may be there; more text is needed to tell.
    WAITS = "waits"
    NOT_YET = "not yet"


class Wreck:
    """A call that cannot be read, up to its end."""

    __slots__ = ("_call", "_depth", "_reason", "_wrapper")

    def __init__(
        self, call: Found, reason: str, wrapper: Fence | Tag | None, depth: int = 0
    ) -> None:
        """Look for the end of `wrapper`, or of `depth` open objects."""
        self._call = call
        self._reason = reason
        self._wrapper = wrapper
        self._depth = depth

    def piece(self, source: str) -> BrokenCall:
        """Return what is reported of it."""
        return BrokenCall(self._call.name, self._call.tool, self._reason, source)

    def extent(self, text: str, position: int, *, final: bool) -> tuple[int, End]:
        """Return how far it extends, from `position` on, and whether it ends there."""
        match self._wrapper:
            case Fence(length=length, char=char) if length > 2:
                for run in _FENCES[char].finditer(text, position):
                    if run.end() - run.start() > 2:
                        return run.start(), End.FOUND
                    if run.end() == len(text) and not final:
                        return run.start(), End.WAITS
            case Tag():
                for begun in _TAGS.finditer(text, position):
                    end = end_tag_at(text, begun.start(), final=final)
                    if end is not None:
                        return begun.start(), End.WAITS if end is WAIT else End.FOUND
            case _:
                return self._raw_extent(text, position, final=final)
        return len(text), End.NOT_YET

    def _raw_extent(self, text: str, position: int, *, final: bool) -> tuple[int, End]:
        for found in _BRACES_AND_LINES.finditer(text, position):
            if found.group() == "{":
                self._depth += 1
            elif found.group() == "}":
                self._depth -= 1
                if self._depth <= 0:
                    return found.end(), End.FOUND
            elif found.group(1) == "\n":
                return found.start(), End.FOUND
            elif found.group(1) == "" and not final:
                return found.start(), End.WAITS
        return len(text), End.NOT_YET


def end_of_cut(source: str, wrapper: Fence | Tag | None) -> tuple[int, int]:
    """Return where an unfinished value ends in the text read for it, and what follows.

    A string that was cut may have swallowed the end of the code block and more.
    """
    if isinstance(wrapper, Fence) and (line := _CLOSING_LINE.search(source)):
        return line.start(), line.end()
    return len(source), len(source)
