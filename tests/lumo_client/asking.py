"""A client's calls as the server sees them, and one answer as the tests expect it."""

from collections.abc import Callable

from custom_components.lumo.lumo_client.client import LumoClient
from custom_components.lumo.lumo_client.events import (
    End,
    Event,
    Limits,
    TextDelta,
    Usage,
)
from custom_components.lumo.lumo_client.messages import (
    ChatRequest,
    SystemMessage,
    UserMessage,
)

CHAT = ("POST", "ai/v1/chat/completions")
LIMITS = ("GET", "ai/v1/limits")
REFRESH = ("POST", "auth/v4/refresh")
HELLO = ChatRequest(messages=(SystemMessage("You."), UserMessage("secret wish")))
EVENTS = [
    TextDelta("It is "),
    TextDelta("on."),
    Usage(remaining=Limits(7, 2, None)),
    End("stop"),
]

type Connect = Callable[..., LumoClient]


async def ask(
    client: LumoClient, request: ChatRequest = HELLO, *, into: list[Event] | None = None
) -> list[Event]:
    """Return all events of an answer; `into` has them even if an error follows."""
    got = [] if into is None else into
    async with client.chat(request) as events:
        async for event in events:
            got.append(event)  # An error must not take them away.
    return got
