"""What the agent says to the model (`model_texts.toml`). It is never spoken."""

from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten
import tomllib
from typing import Final

from ..tool_calling.arguments import ArgumentsError
from .claims import Claim

_FILE: Final = Path(__file__).with_suffix(".toml")
MODEL_TEXTS: Final[dict[str, str]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
DOUBTS: Final[dict[Claim, str]] = {
    Claim.DONE: MODEL_TEXTS["doubt"],
    Claim.POSSIBLE: MODEL_TEXTS["doubt"],
    Claim.UNREAD: MODEL_TEXTS["unread"],
    Claim.PLACEHOLDER: MODEL_TEXTS["unread"],
    Claim.EXCUSE: MODEL_TEXTS["excused"],
    Claim.TOOL: MODEL_TEXTS["excused"],
}

# Characters: a model that reads more does not write a better call.
REFUSAL_LIMIT: Final = 250


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
