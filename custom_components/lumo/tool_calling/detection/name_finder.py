"""Finds the names of tools in a text."""

from collections.abc import Iterable
import re
from typing import Final

from .markup import NeedsMore

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

    def calls(self, text: str) -> bool:
        """Return whether a text begins with a name and a bracket."""
        found = self._name.match(text)
        return found is not None and text[found.end() :].lstrip()[:1] in {"(", "{"}

    def at(self, text: str, at: int, *, final: bool) -> str | None:
        """Return the name at a position; raise NeedsMore if that is not clear yet."""
        found = self._name.match(text, at)
        if found is not None and (final or found.end() < len(text)):
            return found.group()
        if not final and (found or text[at:] in self._beginnings or at == len(text)):
            raise NeedsMore
        return None

    def begun(self, text: str, start: int) -> int:
        """Return where a name begins that the end of a text may cut; -1 if nowhere."""
        for at in range(max(start, len(text) - self._longest), len(text)):
            if at == 0 or not text[at - 1].isalnum():
                if text[at:] in self._beginnings or self._name.fullmatch(text, at):
                    return at
        return -1
