"""The actions of the integration, and which agent each is for.

An automation asks: nobody is there to answer, nothing is left of the conversation, and
what is not an answer is an error.
"""

from typing import Any, Final

from homeassistant.auth.permissions.const import POLICY_CONTROL
from homeassistant.components import conversation
from homeassistant.core import (
    Context,
    HomeAssistant,
    ServiceCall,
    ServiceResponse,
    SupportsResponse,
    callback,
)
from homeassistant.exceptions import (
    HomeAssistantError,
    ServiceValidationError,
    Unauthorized,
    UnknownUser,
)
from homeassistant.helpers import config_validation as cv, entity_registry as er
from homeassistant.helpers.service import async_register_admin_service
import probatio

from .agent.history import OwnSentence
from .agent.turn import Turn
from .const import DOMAIN, MAX_SENTENCE
from .conversation import LumoConversationEntity
from .entity import LumoEntity
from .forms.tool_list import async_list_tools
from .gate.speaker import Speaker
from .internals import entity_of, fresh_session

_AGENT_ID: Final = "agent_id"
_SENTENCE: Final = "sentence"
# AI tasks take these.
_OF_TASKS: Final = ("structure", "pictures")
_SHOWN_OF_TOOLS: Final = ("offered_name", "name", "title", "kind")

_ASK_SCHEMA: Final = probatio.Schema(
    {
        probatio.Required(_AGENT_ID): cv.entity_id,
        probatio.Required(_SENTENCE): probatio.All(cv.string, probatio.Length(min=1)),
        **{probatio.Optional(field): object for field in _OF_TASKS},
    }
)
_LIST_TOOLS_SCHEMA: Final = probatio.Schema(
    {probatio.Required(_AGENT_ID): cv.entity_id}
)


@callback
def async_register_services(hass: HomeAssistant) -> None:
    """Register the actions, once for all accounts."""
    hass.services.async_register(
        DOMAIN,
        "ask",
        _async_ask,
        schema=_ASK_SCHEMA,
        supports_response=SupportsResponse.OPTIONAL,
    )
    async_register_admin_service(
        hass,
        DOMAIN,
        "list_tools",
        _async_list_tools,
        schema=_LIST_TOOLS_SCHEMA,
        supports_response=SupportsResponse.ONLY,
    )


async def _async_list_tools(call: ServiceCall) -> ServiceResponse:
    agent = _find_entity(call.hass, call.data[_AGENT_ID], LumoEntity)
    tools, failed = await async_list_tools(call.hass, agent.options, call.context)
    if failed:
        raise not_available(next(iter(failed.values())))
    return {
        "tools": [
            {
                **{key: getattr(tool, key) for key in _SHOWN_OF_TOOLS},
                "api": tool.api.id if tool.api else None,
                "permission": tool.permission.value,
            }
            for tool in tools
        ]
    }


async def _async_ask(call: ServiceCall) -> ServiceResponse:
    hass, agent_id = call.hass, call.data[_AGENT_ID]
    sentence = call.data[_SENTENCE][:MAX_SENTENCE]
    for field in _OF_TASKS:
        if field in call.data:
            raise _refusal("field_of_tasks", field=field)
    await _async_check_user(hass, call.context, agent_id)
    agent = _find_entity(hass, agent_id, LumoConversationEntity)
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
    last = log.content[-1]
    assert isinstance(last, conversation.AssistantContent)
    if last.native == OwnSentence(failed=True):
        # What a person would have heard in place of an answer.
        raise HomeAssistantError(last.content)
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


def _find_entity[T: LumoEntity](
    hass: HomeAssistant, entity_id: str, kind: type[T]
) -> T:
    found = entity_of(hass, entity_id)
    if isinstance(found, kind):
        return found
    known = er.async_get(hass).async_get(entity_id)
    is_ours = known and known.platform == DOMAIN and known.config_subentry_id
    key = "account_not_loaded" if is_ours and not found else "not_an_agent"
    raise _refusal(key, entity_id=entity_id)


def _refusal(key: str, **placeholders: str) -> ServiceValidationError:
    return ServiceValidationError(
        translation_domain=DOMAIN,
        translation_key=key,
        translation_placeholders=placeholders,
    )


def not_available(reason: str) -> ServiceValidationError:
    """Return the error for tools that cannot be used now."""
    return _refusal("tools_not_available", reason=reason)
