"""What is said of a failure that ends a turn."""

import logging
from math import ceil
from typing import Final

from ..gate.notes import stack_of
from ..lumo_client.errors import ContentFilteredError, LumoError, RateLimitError
from .pictures import PictureError
from .turn_context import TurnContext

_LOGGER = logging.getLogger(__name__)

# A wait of so many seconds is told in minutes.
_MINUTES_FROM: Final = 100.0


class StoppedError(Exception):
    """Ends a turn with the sentence of a `key`.

    With `is_error` the key is the code of the turn's failure; else the turn counts as
    answered.
    """

    def __init__(self, key: str, *, is_error: bool = False) -> None:
        super().__init__(key)
        self.key = key
        self.is_error = is_error


def is_refusal(turn: TurnContext, err: Exception) -> bool:
    """Return whether Lumo will not help: that answers a person, but not a program."""
    return isinstance(err, ContentFilteredError) and turn.is_talk


def sentence_of(turn: TurnContext, err: Exception) -> str:
    """Note in a turn's record what has ended it; return the sentence about it."""
    record, sentences = turn.record, turn.sentences
    if isinstance(err, StoppedError):
        if err.is_error:
            record.error = err.key
        # "Please say it again."
        record.asked = err.key == "nothing_done"
        return sentences(err.key)
    if isinstance(err, PictureError):
        record.error = err.reason
        record.decide(f"a picture cannot be shown: {err.reason}")
        return sentences(err.reason, **err.placeholders)
    code = err.code if isinstance(err, LumoError) else "unknown"
    record.decide(f"the answer failed: {code}")
    if not is_refusal(turn, err):
        record.error = code
        record.failure = err if isinstance(err, LumoError) else None
    if not isinstance(err, LumoError):
        _LOGGER.error("Unexpected %s in a turn:\n%s", type(err).__name__, stack_of(err))
    wait = err.retry_after if isinstance(err, RateLimitError) else None
    if wait is None:
        return sentences(code)
    if wait < _MINUTES_FROM:
        return sentences("wait_seconds", count=str(max(ceil(wait), 1) + 1))
    return sentences("wait_minutes", count=str(ceil(wait / 60)))
