"""The action that asks an agent something, for automations: nobody is there to answer.

Nothing is left of its conversation. What is not an answer is an error.
"""

from collections.abc import Iterable
from typing import Any, Final

from homeassistant.auth.permissions.const import POLICY_CONTROL
from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant, ServiceCall, ServiceResponse
from homeassistant.exceptions import HomeAssistantError, Unauthorized, UnknownUser
from homeassistant.helpers import config_validation as cv
import probatio

from ..agent.history import OwnSentence
from ..agent.turn import Turn
from ..const import DOMAIN, MAX_SENTENCE
from ..conversation import LumoConversationEntity
from ..gate.speaker import Speaker
from ..internals import fresh_session
from .agents import ATTR_AGENT_ID, find_entity, not_available, refusal

_SENTENCE: Final = "sentence"
# AI tasks take these.
_OF_TASKS: Final = ("structure", "pictures")

ASK_SCHEMA: Final = probatio.Schema(
    {
        probatio.Required(ATTR_AGENT_ID): cv.entity_id,
        probatio.Required(_SENTENCE): probatio.All(cv.string, probatio.Length(min=1)),
        **{probatio.Optional(field): object for field in _OF_TASKS},
    }
)


async def async_ask(call: ServiceCall) -> ServiceResponse:
    """Ask, and return what came of it. Raises HomeAssistantError, translated."""
    hass, agent_id = call.hass, call.data[ATTR_AGENT_ID]
    sentence = call.data[_SENTENCE][:MAX_SENTENCE]
    for field in _OF_TASKS:
        if field in call.data:
            raise refusal("field_of_tasks", field=field)
    await _async_check_user(hass, call.context, agent_id)
    agent = find_entity(hass, agent_id, LumoConversationEntity)
    speaker = Speaker.unattended(hass, sentence, call.context)
    with (
        fresh_session(hass, call.context) as session,
        conversation.async_get_chat_log(hass, session) as log,
    ):
        user_input = conversation.ConversationInput(
            text=sentence,
            context=call.context,
            conversation_id=session.conversation_id,
            device_id=None,
            satellite_id=None,
            language=speaker.language,
            agent_id=agent.entity_id,
        )
        try:
            await agent.async_fill(log, user_input, speaker)
        except conversation.ConverseError as err:
            raise not_available(str(err)) from err
        log.async_add_user_content(conversation.UserContent(sentence))
        turn = await agent.async_run_turn(log, speaker, verbatim=True)
    _raise_failure(turn, log.content)
    return _response(turn) if call.return_response else None


def _response(turn: Turn) -> dict[str, Any]:
    return {
        "text": turn.output.text,
        "sources": [
            {"title": title, "url": url} for url, title in turn.record.sources.items()
        ],
        "calls": [
            {
                "tool": outcome.name,
                "title": outcome.title,
                "entity_ids": [*outcome.targets],
                "success": outcome.success,
            }
            for outcome in turn.outcomes
        ],
        "requests": turn.record.requests,
    }


def _raise_failure(turn: Turn, contents: Iterable[conversation.Content]) -> None:
    """Raise what was said in place of an answer, in the language of the home."""
    for content in contents:
        if isinstance(content, conversation.AssistantContent) and (
            content.native == OwnSentence(failed=True)
        ):
            raise HomeAssistantError(content.content)
    if turn.record.failed:
        raise HomeAssistantError(translation_domain=DOMAIN, translation_key="unknown")


async def _async_check_user(
    hass: HomeAssistant, context: Context, agent_id: str
) -> None:
    if context.user_id is None:
        return
    if (user := await hass.auth.async_get_user(context.user_id)) is None:
        raise UnknownUser(context=context)
    if not user.permissions.check_entity(agent_id, POLICY_CONTROL):
        raise Unauthorized(
            context=context, entity_id=agent_id, permission=POLICY_CONTROL
        )
