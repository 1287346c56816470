"""A row of the household's table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.redteam.stage import Answer, Call


@dataclass(frozen=True, slots=True)
class Row:
    """A sentence, what a model answers, and what must come of it."""

    sentence: str
    language: str
    calls: Sequence[Answer]
    """What the model answers to the first request, to the second ..."""
    does: Sequence[str] = ()
    """What reaches the house, in any order; nothing else may."""
    says: str = ""
    """A regular expression for what is heard, without regard to case."""
    tells: str = ""
    """One for what the model is told by the results."""
    asks: str = ""
    """One for the question that is asked."""
    requests: int = 1
    """How often the model is asked at most."""
    goes_on: bool = False
    """It belongs to the conversation of the row before it."""


def do(
    language: str,
    sentence: str,
    tool: str | Sequence[Answer],
    arguments: dict[str, Any] | None = None,
    *does: str,
    **more: Any,
) -> Row:
    """Return a row whose model writes one call, and is asked once."""
    calls = [Call(tool, **(arguments or {}))] if isinstance(tool, str) else tool
    return Row(sentence, language, calls, does, **more)


def answer(language: str, sentence: str, *does: str) -> Row:
    """Return a row that answers the question of the row before; no model is asked."""
    return Row(sentence, language, (), does, requests=0, goes_on=True)


def ask(
    language: str,
    sentence: str,
    tool: str,
    arguments: dict[str, Any],
    tells: str,
    **more: Any,
) -> Row:
    """Return a row whose model reads, and then says what it was told."""
    calls: list[Answer] = [Call(tool, **arguments), "There you are."]
    return Row(sentence, language, calls, tells=tells, requests=2, **more)


def refused(
    language: str, sentence: str, tool: str, arguments: dict[str, Any], tells: str
) -> Row:
    """Return a row whose call does nothing; the model is told why."""
    calls: list[Answer] = [Call(tool, **arguments), "That is not there."]
    return Row(sentence, language, calls, tells=tells, says="not there", requests=2)
