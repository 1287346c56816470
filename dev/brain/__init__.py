"""What the stand-in's model says.

It understands the last sentence of a request with Home Assistant's own sentence matcher
and answers with words or calls of the tools that are offered. It knows nothing but what
the messages say: the home from the instructions, states from the results of tools.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from .drawing import wanted_picture
from .model import Call, Offered, Say
from .plan import Planner
from .prompt import Prompt, read_prompt
from .seeing import pictures_of
from .structured import fill, form_of
from .turn import take_turn

__all__ = ["Brain", "Call", "Offered", "Prompt", "Say", "read_prompt"]


class Brain:
    """Answers requests. A pure function of what it is given; it only caches grammars."""

    def __init__(self) -> None:
        self._planner = Planner()
        self._planner.recognizer.warm_up("en", "de")

    def answer(
        self,
        messages: Sequence[Mapping[str, Any]],
        function_tools: Sequence[Mapping[str, Any]] = (),
        *,
        server_tools: Sequence[str] = (),
    ) -> list[Say | Call]:
        """Return what the model answers to a request.

        Messages are the decrypted wire messages in order (`role`, `content`, and bytes in
        `images`); the tools are the functions beside them, in OpenAI's shape.
        """
        if drawing := wanted_picture(messages, server_tools):
            return [drawing]
        prompt = read_prompt(messages, function_tools)
        prompt.pictures = pictures_of(messages)
        if (form := form_of(messages)) is None:
            return take_turn(prompt, self._planner)
        if prompt.offered and not prompt.results:
            # It may have to look, or to act, before it knows.
            decided = take_turn(prompt, self._planner)
            if any(isinstance(item, Call) for item in decided):
                return decided
        return [fill(*form)]
