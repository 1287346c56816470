"""Questions that only offer more, as "Anything else?": left out where that is wanted.

The first sentence of an answer passes as it comes. Of those after it the last is held
until the next begins, which speech waits for anyhow; at the end of the answer it goes if
it asks nothing.
"""

from collections.abc import Iterator
import re
from typing import Final

from homeassistant.components.conversation.chat_log import AssistantContentDeltaDict

from ..languages.form import Language

_END: Final = re.compile(
    r"[.!?…。！？]+[\"'”’»)\]*_]*(?=\s|$)\s*|\n\s*"
)  # marks of other languages


class WithoutClosing:
    """Passes on the text of one answer."""

    def __init__(self, language: Language, allowed: bool) -> None:
        """Take the language that is spoken; where all is allowed, all passes."""
        self._language = language
        self._allowed = allowed
        self._held = ""
        self._is_later = False

    def feed(self, text: str) -> str:
        """Take a piece of the answer; return what can be said."""
        self._held += text
        ends = [match.end() for match in _END.finditer(self._held)]
        begins = [end for end in ends if self._held[end:].strip()]
        if not begins and self._is_later:
            return ""
        self._is_later = self._is_later or bool(ends)
        at = begins[-1] if begins else len(self._held)
        passed, self._held = self._held[:at], self._held[at:]
        return passed

    def pass_on(
        self, delta: AssistantContentDeltaDict
    ) -> Iterator[AssistantContentDeltaDict]:
        """Take a delta; yield what can be passed on."""
        if self._allowed or set(delta) != {"content"}:
            if held := self.end():
                yield {"content": held}
            yield delta
        elif text := self.feed(delta.get("content") or ""):
            yield {"content": text}

    def end(self) -> str:
        """Return what is left to be said."""
        held, self._held = self._held, ""
        return "" if is_closing(held, self._language) else held


def is_closing(sentence: str, language: Language) -> bool:
    """Return whether a sentence is a question about nothing that was spoken of."""
    said = sentence.strip(" \n\t*_¿¡").replace("’", "'")  # as models write it
    return "?" in said[-4:] and bool(language.closings.match(said))
