"""What the gate tells the model and the log about a call (`notes.toml`)."""

from pathlib import Path
import tomllib
import traceback
from typing import Final

from homeassistant.exceptions import HomeAssistantError
from homeassistant.util.json import JsonValueType

_FILE: Final = Path(__file__).with_suffix(".toml")
_TEXTS: Final = tomllib.loads(_FILE.read_text(encoding="utf-8"))
NOT_ALLOWED: Final[str] = _TEXTS["not_allowed"]
NOTHING_THERE: Final[str] = _TEXTS["nothing_there"]
NOT_FROM_HERE: Final[str] = _TEXTS["not_from_here"]
ONLY_LEFT: Final[str] = _TEXTS["only_left"]
NO_COMMANDS: Final[str] = _TEXTS["no_commands"]
NO_CODE: Final[str] = _TEXTS["no_code"]
OPPOSITE: Final[str] = _TEXTS["opposite"]
NO_TIMER: Final[str] = _TEXTS["no_timer"]
NOTHING_FITS: Final[str] = _TEXTS["nothing_fits"]
SEVERAL: Final[str] = _TEXTS["several"]
REST_WAITING: Final[str] = _TEXTS["rest_waiting"]
REST_REFUSED: Final[str] = _TEXTS["rest_refused"]
UNKNOWN: Final[str] = _TEXTS["unknown"]
NO_RESULT: Final[str] = _TEXTS["no_result"]
STOPPED: Final[str] = _TEXTS["stopped"]
WAITING: Final[dict[str, JsonValueType]] = _TEXTS["waiting"]
CHOOSING: Final[dict[str, JsonValueType]] = _TEXTS["choosing"]
STILL_RUNNING: Final[dict[str, JsonValueType]] = _TEXTS["still_running"]
REASONS: Final[dict[str, str]] = _TEXTS["reasons"]


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
