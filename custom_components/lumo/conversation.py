"""The conversation agent."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import override

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigSubentry
from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm
from homeassistant.helpers.start import async_at_started

from .agent.at_home import async_compile, async_prepare
from .agent.conversation_state import Conversations
from .agent.history import OwnSentence
from .agent.model_texts import MODEL_TEXTS
from .agent.sentences import async_load_sentences
from .agent.variables import async_variables, with_variables
from .const import DOMAIN, MAX_SENTENCE, SUBENTRY_CONVERSATION
from .context.home import async_get_home
from .coordinator import LumoConfigEntry
from .entity import LumoEntity, set_up_each
from .gate.speaker import Speaker
from .internals import async_provide_llm_data
from .lumo_client.errors import LumoError

PARALLEL_UPDATES = 0


class LumoConversationEntity(LumoEntity, conversation.ConversationEntity):
    """An agent that answers through Lumo."""

    _attr_supports_streaming = True
    _attr_translation_key = "conversation"
    supported_languages = MATCH_ALL

    def __init__(self, entry: LumoConfigEntry, subentry: ConfigSubentry) -> None:
        super().__init__(entry, subentry)
        self._conversations = Conversations(self.coordinator.journal)
        if self.options.llm_apis:
            self._attr_supported_features = (
                conversation.ConversationEntityFeature.CONTROL
            )

    @override
    async def async_added_to_hass(self) -> None:
        await super().async_added_to_hass()
        self.coordinator.agents[self.subentry.subentry_id] = self
        if self.options.llm_apis:
            self.async_on_remove(async_at_started(self.hass, self._async_warm))

    @override
    async def async_will_remove_from_hass(self) -> None:
        await super().async_will_remove_from_hass()
        self.coordinator.agents.pop(self.subentry.subentry_id, None)

    @override
    async def async_prepare(self, language: str | None = None) -> None:
        """Get ready for a sentence that a person has begun to say."""
        language = language or self.hass.config.language
        connecting = self.coordinator.config_entry.async_create_background_task(
            self.hass, self._async_connect(), f"{self.entity_id} connects"
        )
        await asyncio.gather(
            # A connection that is cut short would never be given back.
            asyncio.shield(connecting),
            async_load_sentences(self.hass, language),
            *([async_get_home(self.hass, language)] if self.options.llm_apis else []),
            # Home Assistant's own agent tells a new command from an answer.
            async_prepare(self.hass, language),
        )

    async def _async_warm(self, hass: HomeAssistant) -> None:
        self.entry.async_create_background_task(
            hass,
            async_prepare(hass, hass.config.language),
            f"{self.entity_id} prepares sentences",
        )

    async def _async_connect(self) -> None:
        """Open a connection by a request that costs nothing: idle ones are closed."""
        with suppress(LumoError):
            await self.coordinator.client.limits()

    async def async_fill(
        self,
        log: conversation.ChatLog,
        user_input: conversation.ConversationInput,
        speaker: Speaker,
    ) -> None:
        """Give a log the agent's instructions and tools. Raises ConverseError."""
        prompt = self.options.prompt
        variables = await async_variables(self.hass, speaker)
        if owner := self._owner_at(speaker):
            variables["speaker"] = owner
            prompt = f"{prompt.strip() or llm.DEFAULT_INSTRUCTIONS_PROMPT}\n{MODEL_TEXTS['owned']}"
        await async_provide_llm_data(
            log,
            user_input.as_llm_context(DOMAIN),
            self.options.llm_apis,
            with_variables(prompt, variables),
            user_input.extra_system_prompt,
        )

    def _owner_at(self, speaker: Speaker) -> str | None:
        owner = self.options.places.owner_of(speaker.satellite_id)
        state = self.hass.states.get(owner) if owner else None
        return state.name if state and speaker.user_id is None else None

    @override
    async def _async_handle_message(
        self, user_input: conversation.ConversationInput, chat_log: conversation.ChatLog
    ) -> conversation.ConversationResult:
        is_long = len(user_input.text) > MAX_SENTENCE
        if is_long:
            user_input = replace(user_input, text=user_input.text[:MAX_SENTENCE])
            chat_log.content[-1] = conversation.UserContent(user_input.text)
        await async_compile(self.hass, user_input.language)
        speaker = await Speaker.async_of(self.hass, user_input)
        if is_long and speaker.is_person:
            sentences = await async_load_sentences(self.hass, speaker.language)
            text = sentences("sentence_too_long")
            chat_log.async_add_assistant_content_without_tools(
                conversation.AssistantContent(
                    self.entity_id, text, native=OwnSentence(failed=True)
                )
            )
            return _failure(user_input, chat_log, text)
        try:
            await self.async_fill(chat_log, user_input, speaker)
        except conversation.ConverseError as err:
            return err.as_conversation_result()

        turn = await self.async_run_turn(
            chat_log,
            speaker,
            self._conversations.of(chat_log.conversation_id),
            notes=self.coordinator.notes if self.options.remembers else None,
        )
        record = turn.record
        last = chat_log.content[-1]
        assert isinstance(last, conversation.AssistantContent)
        said = turn.output.text or last.content or ""
        if not record.failed:
            answer = conversation.async_get_result_from_chat_log(user_input, chat_log)
            answer.response.async_set_speech(said)
            return replace(
                answer, continue_conversation=record.asked or turn.output.awaits_answer
            )

        # The sentence was streamed already; the result says the same.
        return _failure(user_input, chat_log, said)


def _failure(
    user_input: conversation.ConversationInput, log: conversation.ChatLog, said: str
) -> conversation.ConversationResult:
    response = intent.IntentResponse(language=user_input.language)
    response.async_set_error(intent.IntentResponseErrorCode.FAILED_TO_HANDLE, said)
    return conversation.ConversationResult(
        response=response, conversation_id=log.conversation_id
    )


async_setup_entry = set_up_each(SUBENTRY_CONVERSATION, LumoConversationEntity)
