"""A model that always knows which call a sentence means.

So that what is measured is the integration and not the model's understanding: the
row's call is written with the name as it was offered; when its result is there, the
answer is a few words. A call that was refused is written again, as a model does that
reads why.
"""

from typing import Any

from dev.brain import Call, Say, read_prompt
from dev.brain.model import short_name

DONE = "Very well."
FAILED = "Unfortunately that is not possible."
NO_TOOL = "That tool is missing."


class Oracle:
    """Answers for one row after the other; implements the stand-in's `Brain`."""

    def __init__(self) -> None:
        """Begin without a row."""
        self.row: dict[str, Any] = {}
        self.errors: list[str] = []
        """How Home Assistant calls the error that the row's call is, if it is one."""

    def ask_about(self, row: dict[str, Any], errors: list[str]) -> None:
        """Take the row whose sentence is said next."""
        self.row, self.errors = row, errors

    @property
    def words(self) -> str:
        """Return what is answered in the end, where all goes well."""
        return FAILED if self.errors else DONE

    def answer(
        self, messages: list[dict[str, str]], function_tools: list[dict[str, Any]]
    ) -> list[Say | Call]:
        """Return the call, or words once its result is there."""
        name = self.row["tool"]
        if name is None:
            return [Say(DONE)]
        prompt = read_prompt(messages, function_tools)
        # A request of the agent itself, for a call or to think again, looks like a
        # sentence: the results are those of the whole conversation.
        results = [result for part in prompt.exchanges for result in part.results]
        if results and results[-1].error is None:
            return [Say(DONE)]
        if results and any(error in str(results[-1].error) for error in self.errors):
            return [Say(FAILED)]
        tool = prompt.tool(short_name(name))
        if tool is None:
            return [Say(NO_TOOL)]
        return [Call(tool.name, self.row["arguments"])]
