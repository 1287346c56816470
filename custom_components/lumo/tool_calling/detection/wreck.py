"""Where the text of a call ends that cannot be read.

It is neither shown nor spoken, so its end has to be found without understanding it: the
end of its wrapping, or, without one, the brace that closes it or an empty line.
"""

from dataclasses import dataclass
import re
from typing import Final

from .calls import Found
from .openers import Fence, NeedsMore, Tag, end_tag_at

_BRACES_AND_LINES: Final = re.compile(r"[{}]|\n[ \t\r]{0,100}(\n|\Z)?")
_TAGS: Final = re.compile(r"[<\[]")
_FENCES: Final = {"`": re.compile(r"`+"), "~": re.compile(r"~+")}
_CLOSING_LINE: Final = re.compile(r"\n[ \t]*(?:`{3,}|~{3,})[ \t\r]*(?:\n|\Z)")


@dataclass(slots=True)
class Wreck:
    """A call that cannot be read, up to the end of `wrapper` or of `depth` objects."""

    call: Found
    reason: str
    wrapper: Fence | Tag | None
    depth: int = 0

    def extent(self, text: str, position: int, *, final: bool) -> tuple[int, bool]:
        """Return how far it surely extends from a position on, and whether it ends there.

        Raises NeedsMore where it may end at the position.
        """
        wrapper = self.wrapper
        if isinstance(wrapper, Tag):
            ends = _TAGS
        elif wrapper is not None and wrapper.length > 2:
            ends = _FENCES[wrapper.char]
        else:
            ends = _BRACES_AND_LINES
        found = ends.search(text, position)
        if found is None:
            return len(text), False
        if found.start() > position:
            return found.start(), False
        if ends is _TAGS:
            is_end = end_tag_at(text, position, final=final) is not None
            return (position, True) if is_end else (found.end(), False)
        if ends is _BRACES_AND_LINES:
            return self._raw_extent(found, final=final)
        if found.end() - position > 2:
            return position, True
        if found.end() == len(text) and not final:
            raise NeedsMore
        return found.end(), False

    def _raw_extent(self, found: re.Match[str], *, final: bool) -> tuple[int, bool]:
        if found[0] in "{}":
            self.depth += 1 if found[0] == "{" else -1
            return found.end(), found[0] == "}" and self.depth <= 0
        if found[1] == "\n":
            return found.start(), True
        if found[1] == "" and not final:
            raise NeedsMore
        return found.end(), False


def end_of_cut(source: str, wrapper: Fence | Tag | None) -> tuple[int, int]:
    """Return where an unfinished value ends in the text read for it, and what follows.

    A string that was cut may have swallowed the end of the code block and more.
    """
    if isinstance(wrapper, Fence) and (line := _CLOSING_LINE.search(source)):
        return line.start(), line.end()
    return len(source), len(source)
