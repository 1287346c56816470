"""What the gate tells the model and the log about a call (`notes.toml`)."""

from pathlib import Path
import tomllib
import traceback
from typing import Any, Final

from homeassistant.exceptions import HomeAssistantError

_FILE: Final = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
# By their names: texts, and what stands in place of a result.
NOTES: Final[dict[str, Any]] = tomllib.loads(_FILE)


class RefusedError(HomeAssistantError):
    """A call was not run. Its name marks the result as ours."""


def failed(err: Exception) -> str:
    """Say that a tool failed unexpectedly."""
    return (
        f"The tool failed ({type(err).__name__}); "
        "the names or values in the call may not exist."
    )


def stack_of(err: BaseException) -> str:
    """Return where a failure happened, without its text, which may quote the home."""
    return "".join(traceback.format_tb(err.__traceback__))
