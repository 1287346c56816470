"""What the gate says to the model about a call, never spoken, and to a log.

The model does not need to know which rule it was.
"""

import traceback
from typing import Final

from homeassistant.util.json import JsonValueType

NOT_ALLOWED: Final = "This is not allowed. Nothing was done. Do not try another way."
NOTHING_THERE: Final = "There is no such thing here. Nothing was done."
NOT_FROM_HERE: Final = (
    "That is not allowed from where the person speaks. Nothing was done. Do not try "
    "another way."
)
ONLY_LEFT: Final = (
    "Nothing was done. A call without a name or a kind leaves these as they are; if the "
    "person asked for one of them, name it in a call of its own:"
)
NO_SUCH_COMMAND: Final = (
    "Home Assistant does not understand the delayed command. Nothing was done."
)
NOTHING_FITS: Final = "Nothing was planned: nothing fits that can do it."
# Instead of a result when a person is asked.
WAITING: Final[dict[str, JsonValueType]] = {
    "status": "waiting",
    "note": (
        "Not done yet. The person is asked for a yes, and it is done if they give it. "
        "Do not answer for them, and do not repeat this call."
    ),
}
CHOOSING: Final[dict[str, JsonValueType]] = {
    "status": "waiting",
    "note": (
        "Not done yet. Several things fit; the person is asked which one is meant, and "
        "it is done when they say so. Do not choose for them, and do not repeat this "
        "call."
    ),
}
SEVERAL: Final = (
    "Nothing was done: several things fit. Ask the person which one is meant, or say "
    "it by its whole name and area:"
)
REST_WAITING: Final = (
    "This is the part that needs no question. The person is asked about the rest; do "
    "not repeat the call."
)
REST_REFUSED: Final = "This is the part that is allowed. The rest was not done."
STILL_RUNNING: Final[dict[str, JsonValueType]] = {
    "status": "started",
    "note": "still running, not finished",
}
# Why something was refused, by our sentence about it, for who asks later.
REASONS: Final = {
    "was_declined": "the person had just not said yes to it",
    "not_from_here": "it is not allowed from there",
    "needs_person": "it needs a yes, and nobody was there to be asked",
    "cannot_ask": "it needs a yes, which is not understood in that language",
    "later_never": "nothing is opened on a condition, or later than in a day",
}
UNKNOWN: Final = "the reason is not known"
NO_RESULT: Final = "The tool did not answer in time."
STOPPED: Final = "The tool was stopped."


def failed(err: Exception) -> str:
    """Say that a tool failed unexpectedly."""
    return (
        f"The tool failed ({type(err).__name__}); "
        "the names or values in the call may not exist."
    )


def stack_of(err: BaseException) -> str:
    """Return where a failure happened, without what: its text may quote the home."""
    return "".join(traceback.format_tb(err.__traceback__))
