"""The conversation agent."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Literal, override

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import intent
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.event import async_track_time_interval

from .agent.options import AgentOptions
from .agent.sentences import async_load_sentences, awaits_answer
from .agent.turn import Turn
from .agent.variables import async_variables, with_variables
from .const import DOMAIN, SUBENTRY_CONVERSATION
from .coordinator import LumoConfigEntry
from .entity import LumoEntity
from .gate.pending import Conversations
from .gate.speaker import ScriptContexts, Speaker

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: LumoConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Set up an agent for each subentry."""
    for subentry in entry.get_subentries_of_type(SUBENTRY_CONVERSATION):
        async_add_entities(
            [LumoConversationEntity(entry, subentry)],
            config_subentry_id=subentry.subentry_id,
        )


class LumoConversationEntity(LumoEntity, conversation.ConversationEntity):
    """An agent that answers through Lumo."""

    _attr_supports_streaming = True
    _attr_translation_key = "conversation"

    def __init__(self, entry: LumoConfigEntry, subentry: ConfigSubentry) -> None:
        """Take the account and the agent's options."""
        super().__init__(entry, subentry)
        self._options = AgentOptions.from_subentry(
            subentry.data, encrypted=self.coordinator.client.credential.encrypted
        )
        self._conversations = Conversations()
        if self._options.llm_apis:
            self._attr_supported_features = (
                conversation.ConversationEntityFeature.CONTROL
            )

    @override
    async def async_added_to_hass(self) -> None:
        """Begin to note which contexts are of scripts, and to forget conversations."""
        await super().async_added_to_hass()
        self.async_on_remove(
            async_track_time_interval(
                self.hass,
                self._async_forget,
                timedelta(minutes=10),
                cancel_on_shutdown=True,
            )
        )
        self._scripts = ScriptContexts(self.hass)
        self.async_on_remove(self._scripts.async_listen())

    @callback
    def _async_forget(self, _now: datetime) -> None:
        """Forget conversations that are over, also if no other one follows."""
        self._conversations.forget()

    @property
    @override
    def supported_languages(self) -> list[str] | Literal["*"]:
        """Return the languages: Lumo speaks what is spoken to it."""
        return MATCH_ALL

    @override
    async def _async_handle_message(
        self,
        user_input: conversation.ConversationInput,
        chat_log: conversation.ChatLog,
    ) -> conversation.ConversationResult:
        """Answer a sentence."""
        speaker = await Speaker.async_of(self.hass, user_input, self._scripts)
        variables = await async_variables(self.hass, speaker, user_input.device_id)
        try:
            await chat_log.async_provide_llm_data(
                user_input.as_llm_context(DOMAIN),
                self._options.llm_apis or None,
                with_variables(self._options.prompt, variables),
                user_input.extra_system_prompt,
            )
        except conversation.ConverseError as err:
            return err.as_conversation_result()

        turn = Turn(
            self.coordinator.client,
            chat_log,
            speaker,
            agent_id=user_input.agent_id,
            options=self._options,
            sentences=await async_load_sentences(self.hass, user_input.language),
            kept=self._conversations.of(chat_log.conversation_id),
        )
        record = await turn.async_run()
        if record.requests:
            await self.coordinator.async_turn_ended(record.failure, record.usage)
        last = chat_log.content[-1]
        assert isinstance(last, conversation.AssistantContent)
        said = last.content or ""
        if not record.failed:
            answer = conversation.async_get_result_from_chat_log(user_input, chat_log)
            return replace(
                answer, continue_conversation=record.asked or awaits_answer(said)
            )

        # The sentence was streamed already; the result says the same, marked as an
        # error for those who call the agent from an automation.
        response = intent.IntentResponse(language=user_input.language)
        response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, said)
        return conversation.ConversationResult(
            response=response, conversation_id=chat_log.conversation_id
        )
