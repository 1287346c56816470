"""The action that asks an agent something, for automations: nobody is there to answer.

It has a conversation of its own, of which nothing is left. What a person would hear in
place of an answer is an error.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from homeassistant.auth.permissions.const import POLICY_CONTROL, POLICY_READ
from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant, ServiceCall, ServiceResponse
from homeassistant.exceptions import HomeAssistantError, Unauthorized, UnknownUser
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.selector import MediaSelector
import probatio

from ..agent.history import OwnSentence
from ..agent.structured import AnswerFormat
from ..agent.turn import Turn
from ..const import DOMAIN
from ..conversation import LumoConversationEntity
from ..gate.permissions import own_tool
from ..gate.speaker import Speaker
from ..internals import async_resolve_attachments, fresh_session, structure_of
from .agents import ATTR_AGENT_ID, find_entity, not_available

_SENTENCE: Final = "sentence"
_STRUCTURE: Final = "structure"
_PICTURES: Final = "pictures"
# How media are called that are pictures of entities, as Home Assistant takes them.
_OF_ENTITIES: Final = ("media-source://camera/", "media-source://image/")


def _as_media(entity_id: str) -> dict[str, Any]:
    """Return an entity's picture as the media selector gives it."""
    domain = entity_id.partition(".")[0]
    return {"media_content_id": f"media-source://{domain}/{entity_id}"}


_PICTURE: Final = probatio.Any(
    probatio.All(cv.entity_domain(["camera", "image"]), _as_media),
    MediaSelector({"accept": ["*/*"]}),
)

ASK_SCHEMA: Final = probatio.Schema(
    {
        probatio.Required(ATTR_AGENT_ID): cv.entity_id,
        probatio.Required(_SENTENCE): probatio.All(cv.string, probatio.Length(min=1)),
        probatio.Optional(_STRUCTURE): structure_of,
        probatio.Optional(_PICTURES, default=list): probatio.All(
            cv.ensure_list, [_PICTURE]
        ),
    }
)


async def async_ask(call: ServiceCall) -> ServiceResponse:
    """Ask, and return what came of it. Raises HomeAssistantError, translated.

    Whoever may use the agent may call it, as `conversation.process`.
    """
    hass, sentence, pictures = call.hass, call.data[_SENTENCE], call.data[_PICTURES]
    await _async_check_user(hass, call.context, call.data[ATTR_AGENT_ID], pictures)
    agent = find_entity(hass, call.data[ATTR_AGENT_ID], LumoConversationEntity)
    structure = call.data.get(_STRUCTURE)
    form = AnswerFormat.of(hass, _SENTENCE, structure) if structure else None
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
        attachments = await async_resolve_attachments(hass, session, pictures)
        log.async_add_user_content(
            conversation.UserContent(sentence, attachments=attachments or None)
        )
        turn = await agent.async_run_turn(
            log, speaker, answer_format=form, verbatim=True
        )
    _raise_failure(turn, log.content)
    return _response(turn, form is not None) if call.return_response else None


def _response(turn: Turn, has_form: bool) -> dict[str, Any]:
    """Return what an automation is given."""
    return {
        **({"data": turn.context.data} if has_form else {"text": turn.heard.text}),
        "sources": [
            {"title": title, "url": url} for url, title in turn.record.sources.items()
        ],
        "calls": [
            {
                "tool": outcome.tool.name,
                "title": outcome.tool.title or own_tool(outcome.tool).name,
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
    hass: HomeAssistant,
    context: Context,
    agent_id: str,
    pictures: Sequence[dict[str, Any]],
) -> None:
    """Refuse a user who may not use the agent, or see what its pictures show."""
    if context.user_id is None:
        return
    if (user := await hass.auth.async_get_user(context.user_id)) is None:
        raise UnknownUser(context=context)
    media = [picture["media_content_id"] for picture in pictures]
    shown = [item.rpartition("/")[2] for item in media if item.startswith(_OF_ENTITIES)]
    needed = [(agent_id, POLICY_CONTROL), *((item, POLICY_READ) for item in shown)]
    for entity_id, policy in needed:
        if not user.permissions.check_entity(entity_id, policy):
            raise Unauthorized(context=context, entity_id=entity_id, permission=policy)
