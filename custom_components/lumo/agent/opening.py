"""Hold the beginning of an answer until it is clear that it claims nothing."""

from typing import Final

from .claims import EXCUSE_CHARACTERS, SENTENCE_END, Claim, ClaimRule

# Home Assistant begins to speak after as many characters
# (STREAM_RESPONSE_CHARS in assist_pipeline).
OPENING_CHARACTERS: Final = 60


class Opening:
    """Holds the beginning of an answer until it is clear that it claims nothing."""

    def __init__(self, rule: ClaimRule | None) -> None:
        """Take the rule of the answer; without a rule nothing is held."""
        self._rule = rule
        self.held = ""
        """What was not let out."""

    def feed(self, text: str) -> str:
        """Take what was said; return what may be heard of it now."""
        if self._rule is None:
            return text
        # Later the verdict does not change until the end.
        is_open = len(self.held) <= EXCUSE_CHARACTERS
        self.held += text
        return self.release() if is_open and opening_is_complete(self.held) else ""

    def release(self) -> str:
        """Return what is held, and hold nothing more, unless it claims something."""
        if self._rule is None or self._rule.judge(self.held) is not Claim.NONE:
            return ""
        held, self.held, self._rule = self.held, "", None
        return held


def opening_is_complete(opening: str) -> bool:
    """Return whether there is enough of an answer to judge its beginning."""
    text = opening.lstrip()
    if len(text) >= OPENING_CHARACTERS:
        return True
    end = SENTENCE_END.search(text)
    return end is not None and end.end() < len(text)
