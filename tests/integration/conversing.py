"""What a person says to the agent, and what is heard of it."""

from contextlib import AbstractContextManager
from inspect import signature
from typing import Any

from homeassistant.components import conversation
from homeassistant.components.conversation import trace
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers.chat_session import ChatSession, async_get_chat_session

from dev.brain.model import Call

AGENT = "conversation.lumo"
OFF = Call("user:HassTurnOff", {"name": "Kitchen light"})


def open_session(
    hass: HomeAssistant, conversation_id: str | None
) -> AbstractContextManager[ChatSession]:
    """Open a chat session; Home Assistant 2026.11 asks whose it is."""
    if "context" in signature(async_get_chat_session).parameters:
        return async_get_chat_session(hass, conversation_id, context=Context())  # type: ignore[call-arg] # unknown to 2026.10
    return async_get_chat_session(hass, conversation_id)


async def say(
    hass: HomeAssistant, text: str, conversation_id: str | None = None, **kwargs: Any
) -> conversation.ConversationResult:
    """Say a sentence to the agent; `spoken` collects what is streamed."""
    spoken: list[str] | None = kwargs.pop("spoken", None)

    def note(_log: conversation.ChatLog, delta: dict[str, Any]) -> None:
        if spoken is not None and delta.get("content"):
            spoken.append(delta["content"])

    if spoken is not None:
        with (
            open_session(hass, conversation_id) as session,
            conversation.async_get_chat_log(
                hass, session, None, chat_log_delta_listener=note
            ),
        ):
            return await say(hass, text, session.conversation_id, **kwargs)
    result = await conversation.async_converse(
        hass,
        text,
        conversation_id,
        kwargs.pop("context", None) or Context(),
        language=kwargs.pop("language", "en"),
        agent_id=AGENT,
        **kwargs,
    )
    await hass.async_block_till_done()
    return result


def speech(result: conversation.ConversationResult) -> str:
    return str(result.response.speech["plain"]["speech"])


def lumo_trace() -> dict[str, Any]:
    """Return what the last turn left in its trace."""
    events = trace.async_get_traces()[-1].as_dict()["events"]
    return next(
        event["data"]["lumo"] for event in reversed(events) if "lumo" in event["data"]
    )
