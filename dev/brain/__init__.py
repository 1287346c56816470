"""What the stand-in's model says.

It reads the decrypted messages of one request, understands the last sentence with Home
Assistant's own sentence matcher and answers with calls of the tools that the request
offers or with words. It knows nothing but what the messages say: the home comes from
the static context in the instructions, states come from the results of tools.
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

        Messages are the decrypted wire messages in order, each with `role` and
        `content`; the tools are those of type `function` beside them, in OpenAI's
        shape. The answer is either calls, written as the tools were offered, or words.
        Pictures are bytes in `images` of a message.
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
