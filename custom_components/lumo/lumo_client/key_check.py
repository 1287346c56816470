"""Find out whether an API key is valid."""

from .client import LumoClient
from .errors import ApiKeyNotRecognisedError, LumoError
from .events import Usage
from .messages import ChatRequest, UserMessage

_MODEL = "lumo-lite"


async def check_api_key(client: LumoClient) -> None:
    """Ask for one token with the client's API key.

    The lists of models and limits prove nothing about a key, and a string that is
    not a key is not refused but served as a guest: only the usage of an answer tells.

    Raises ApiKeyInvalidError for a key that is refused, ApiKeyNotRecognisedError for
    one that is not known, and other LumoErrors if that could not be found out.
    """
    request = ChatRequest(
        messages=(UserMessage("Hi"),), model=await _model(client), max_tokens=1
    )
    async with client.chat(request) as events:
        usages = [event async for event in events if isinstance(event, Usage)]
    if any(map(client.served_as_guest, usages)):
        raise ApiKeyNotRecognisedError


async def _model(client: LumoClient) -> str:
    """Return a model to ask: Lumo's smallest, or what a gateway has instead."""
    if client.tells_limits:
        return _MODEL
    try:
        models = [model.id for model in await client.models()]
    except LumoError:
        return _MODEL  # The question itself tells more.
    return _MODEL if _MODEL in models or not models else models[0]
