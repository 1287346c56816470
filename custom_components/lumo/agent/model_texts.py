"""What the agent says to the model (`model_texts.toml`). It is never spoken."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten
import tomllib
from typing import Final

from ..tool_calling.arguments import ArgumentsError
from .claims import Claim

_FILE: Final = Path(__file__).with_suffix(".toml")
_TEXTS: Final = tomllib.loads(_FILE.read_text(encoding="utf-8"))
DOUBTS: Final[dict[Claim, str]] = {
    Claim.DONE: _TEXTS["doubt"],
    Claim.POSSIBLE: _TEXTS["doubt"],
    Claim.UNREAD: _TEXTS["unread"],
    Claim.PLACEHOLDER: _TEXTS["unread"],
    Claim.EXCUSE: _TEXTS["excused"],
    Claim.TOOL: _TEXTS["excused"],
}
HOME_RULES: Final[str] = _TEXTS["home_rules"]
NO_CLOSING: Final[str] = _TEXTS["no_closing"]
OWNED: Final[str] = _TEXTS["owned"]
QUOTED: Final[str] = _TEXTS["quoted"]
UNMEANT: Final[str] = _TEXTS["unmeant"]
IN_CLEAR: Final[str] = _TEXTS["in_clear"]
FORM: Final[str] = _TEXTS["form"]
FORM_AGAIN: Final[str] = _TEXTS["form_again"]
DRAW: Final[str] = _TEXTS["draw"]
DRAW_FROM: Final[str] = _TEXTS["draw_from"]

# Characters: a model that reads more does not write a better call.
REFUSAL_LIMIT: Final = 250

# In place of a missing answer: an old sentence must not look like a new one.
NO_ANSWER: Final = "(This was not answered.)"
NO_RESULT: Final = "no result"
# In place of the name of a misrouted call that had none.
NO_NAME: Final = "tool_name"


def broken_call(reason: str) -> str:
    """Ask for a damaged call again."""
    return (
        f"The call could not be read ({reason}). Nothing was run. "
        "Write the complete call again."
    )


def invalid_arguments(err: ArgumentsError, others: Sequence[str] = ()) -> str:
    """Say what was wrong with the arguments of a call, and which tools take them."""
    problems = shorten(" ".join(err.problems), REFUSAL_LIMIT, placeholder=" ...")
    hint = f" Those belong to {' and '.join(others)}." if others else ""
    return f"The arguments are not valid: {problems}{hint} Nothing was run."


def unknown_tool(closest: Sequence[str]) -> str:
    """Say that there is no such tool, and which come close."""
    hint = f" Did you mean one of: {', '.join(closest)}?" if closest else ""
    return f"There is no tool of that name.{hint} Nothing was run."
