"""Requests to Lumo: each is sent, and its answer streamed."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import cached_property

from homeassistant.components.conversation.chat_log import AssistantContentDeltaDict

from ..lumo_client.client import LumoClient
from ..lumo_client.errors import ContextLengthError
from ..lumo_client.events import Usage
from ..lumo_client.messages import Message
from .answer import Answer
from .record import TurnRecord, TurnResult
from .request import RequestBuilder


class Exchange:
    """The requests of one turn, and what they cost."""

    def __init__(
        self,
        client: LumoClient,
        make_requests: Callable[[], RequestBuilder],
        record: TurnRecord,
        result: TurnResult,
    ) -> None:
        """Prepare; nothing is sent yet."""
        self._client = client
        self._make_requests = make_requests
        self._record = record
        self._result = result

    @cached_property
    def _requests(self) -> RequestBuilder:
        """Return what builds the requests.

        Made with the first of them: what is wrong with a template is a failure of the
        turn, with a sentence like any other.
        """
        return self._make_requests()

    async def async_stream(
        self, answer: Answer, follow_up: tuple[Message, ...], must_call: bool
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        """Send a request, once more with less history where it was too long."""
        while True:
            try:
                stream = self._async_stream_once(answer, follow_up, must_call)
                async with aclosing(stream) as deltas:
                    async for delta in deltas:
                        yield delta
            except ContextLengthError:
                if answer.begun or not self._requests.shorten():
                    raise
                self._record.decide("too long for the model, sent with less history")
            else:
                return

    async def _async_stream_once(
        self, answer: Answer, follow_up: tuple[Message, ...], must_call: bool
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        request = self._requests.build(follow_up, must_call=must_call)
        self._record.requests += 1
        self._record.prompt_characters += request.characters
        async with self._client.chat(request) as events:
            async for event in events:
                if isinstance(event, Usage):
                    self._result.usage = event
                for delta in answer.on_event(event):
                    yield delta
                if answer.complete:
                    self._record.decide("the rest of the answer is an apology, closed")
                    return
        for delta in answer.finish():
            yield delta
