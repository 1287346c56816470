"""Finds the names of tools in a text."""

from collections.abc import Iterable
import re
from typing import Final

# Names longer than this are not looked for.
_MAX_NAME: Final = 100


class NameFinder:
    """Finds the names of tools in text, as far as nobody writes them by accident."""

    def __init__(self, names: Iterable[str]) -> None:
        """Take the names that are unmistakable: with the prefix, or in CamelCase."""
        spelled = sorted({n for n in names if n and len(n) < _MAX_NAME}, key=len)
        longest_first = "|".join(map(re.escape, reversed(spelled))) or "(?!)"
        self.pattern: Final = rf"(?<![^\W_])(?:{longest_first})(?!\w)"
        self._name: Final = re.compile(self.pattern)
        self._beginnings: Final = {n[:end] for n in spelled for end in range(1, len(n))}
        self._longest: Final = max(map(len, spelled), default=0)

    def mentioned(self, text: str) -> bool:
        """Return whether a text holds a name."""
        return self._name.search(text) is not None

    def is_name(self, text: str) -> bool:
        """Return whether a text is a name."""
        return self._name.fullmatch(text) is not None

    def end(self, text: str, at: int) -> int:
        """Return the end of the name at a position, 0 if there is none."""
        found = self._name.match(text, at)
        return found.end() if found else 0

    def begun(self, text: str, start: int) -> int:
        """Return where a name begins that the end of a text may cut, or that end."""
        for at in range(max(start, len(text) - self._longest), len(text)):
            if at == 0 or not text[at - 1].isalnum():
                if text[at:] in self._beginnings or self._name.fullmatch(text, at):
                    return at
        return len(text)
