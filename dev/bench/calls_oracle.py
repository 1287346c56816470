"""A model that always knows which call a sentence means.

So that what is measured is the integration and not the model's understanding: the
row's call is written with the name as it was offered, or as it is listed where the tool
is not described; when its result is there, the answer is a few words. A call that was refused is written again, as a model does that
reads why.
"""

import re
from typing import Any

from dev.brain import Call, Say, read_prompt
from dev.brain.model import short_name

DONE = "Very well."
FAILED = "Unfortunately that is not possible."
NO_TOOL = "That tool is missing."
# Tools of Home Assistant in whose place `many` is described -> what they set, and the
# argument that says to what.
_REPLACED = {
    "HassClimateSetTemperature": ("temperature", "to", "temperature"),
    "HassSetPosition": ("position", "to", "position"),
    "HassSetVolume": ("volume", "to", "volume_level"),
    "HassSetVolumeRelative": ("volume", "by", "volume_step"),
}


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
        calls = [call for part in prompt.exchanges for call in part.calls]
        searched = bool(calls) and short_name(calls[0].name) == "find_in_home"
        results = results[searched:]
        if results and results[-1].error is None:
            return [Say(DONE)]
        if results and any(error in str(results[-1].error) for error in self.errors):
            return [Say(FAILED)]
        short, arguments = short_name(name), self.row["arguments"]
        if short in _REPLACED and self.errors:
            # What Home Assistant's own tool refuses, ours may well do.
            return [Call(f"{prompt.prefix}{short}", arguments)]
        short, arguments = _described(short, arguments)
        if tool := prompt.tool(short):
            return [Call(tool.name, arguments)]
        text = "\n".join(str(message.get("content")) for message in messages)
        if re.search(rf"\b{short}\(", text):
            # Not described this time, but named with its parameters.
            return [Call(f"{prompt.prefix}{short}", arguments)]
        search = prompt.tool("find_in_home")
        if search is None or searched:
            return [Say(NO_TOOL)]
        return [Call(search.name, {"words": self.row["sentence"]})]


def _described(tool: str, arguments: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the call as a model writes it that is told of `many`."""
    if tool not in _REPLACED:
        return tool, arguments
    setting, way, key = _REPLACED[tool]
    places = {item: arguments[item] for item in arguments if item != key}
    kinds = places.pop("device_class", []), places.pop("domain", [])
    kind = {"kind": kinds[0] or kinds[1]} if any(kinds) else {}
    to = {way: str(arguments[key]) if way == "by" else arguments[key]}
    return "many", {"action": "set", "setting": setting, **to, **places, **kind}
