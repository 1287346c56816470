"""Where the text of a call ends that cannot be read.

It is neither shown nor spoken, so its end has to be found without understanding it: the
end of its wrapping, or, without one, the brace that closes it or an empty line.
"""

import re
from typing import Final

from .calls import Found
from .openers import WAIT, Fence, Tag, Waiting, end_tag_at
from .pieces import BrokenCall

_BRACES_AND_LINES: Final = re.compile(r"[{}]|\n[ \t\r]{0,100}(\n|\Z)?")
_TAGS: Final = re.compile(r"[<\[]")
_FENCES: Final = {"`": re.compile(r"`+"), "~": re.compile(r"~+")}
_CLOSING_LINE: Final = re.compile(r"\n[ \t]*(?:`{3,}|~{3,})[ \t\r]*(?:\n|\Z)")


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

    def extent(
        self, text: str, position: int, *, final: bool
    ) -> tuple[int, bool | Waiting]:
        """Return how far it extends, from `position` on, and whether it ends there.

        WAIT means that it may end there, and that more text is needed to tell.
        """
        match self._wrapper:
            case Fence(length=length, char=char) if length > 2:
                for run in _FENCES[char].finditer(text, position):
                    if run.end() - run.start() > 2:
                        return run.start(), True
                    if run.end() == len(text) and not final:
                        return run.start(), WAIT
            case Tag():
                for begun in _TAGS.finditer(text, position):
                    end = end_tag_at(text, begun.start(), final=final)
                    if end is not None:
                        return begun.start(), WAIT if end is WAIT else True
            case _:
                return self._raw_extent(text, position, final=final)
        return len(text), False

    def _raw_extent(
        self, text: str, position: int, *, final: bool
    ) -> tuple[int, bool | Waiting]:
        for found in _BRACES_AND_LINES.finditer(text, position):
            if found.group() == "{":
                self._depth += 1
            elif found.group() == "}":
                self._depth -= 1
                if self._depth <= 0:
                    return found.end(), True
            elif found.group(1) == "\n":
                return found.start(), True
            elif found.group(1) == "" and not final:
                return found.start(), WAIT
        return len(text), False


def end_of_cut(source: str, wrapper: Fence | Tag | None) -> tuple[int, int]:
    """Return where an unfinished value ends in the text read for it, and what follows.

    A string that was cut may have swallowed the end of the code block and more.
    """
    if isinstance(wrapper, Fence) and (line := _CLOSING_LINE.search(source)):
        return line.start(), line.end()
    return len(source), len(source)
