"""AI tasks: data and pictures for automations, and what is suggested with AI.

Nobody is there to be asked, so whatever is not an answer in the right form is an error.
"""

from dataclasses import replace
from typing import override

from homeassistant.components import ai_task, conversation
from homeassistant.components.ai_task.const import DEFAULT_SYSTEM_PROMPT
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import Context
from homeassistant.exceptions import HomeAssistantError

from .agent.history import OwnSentence
from .agent.pictures import (
    ASPECT_RATIOS,
    async_draw,
    async_read_attachments,
    drawing_request,
)
from .agent.record import TurnRecord
from .agent.structured import AnswerFormat
from .const import CONF_ASPECT_RATIO, SUBENTRY_AI_TASK
from .coordinator import LumoConfigEntry
from .entity import LumoEntity, set_up_each
from .forms.tool_list import make_context
from .gate.speaker import Speaker
from .internals import async_provide_llm_data
from .issues.home_issues import sensitive_labels
from .services import not_available

PARALLEL_UPDATES = 0


class LumoTaskEntity(LumoEntity, ai_task.AITaskEntity):
    """Does tasks through Lumo."""

    _attr_supported_features = (
        ai_task.AITaskEntityFeature.GENERATE_DATA
        | ai_task.AITaskEntityFeature.SUPPORT_ATTACHMENTS
    )
    _attr_translation_key = "ai_task_data"

    def __init__(self, entry: LumoConfigEntry, subentry: ConfigSubentry) -> None:
        super().__init__(entry, subentry)
        # Home Assistant's words for all tasks.
        self.options = replace(self.options, prompt=DEFAULT_SYSTEM_PROMPT)
        if self.coordinator.endpoints.tells_limits:
            self._attr_supported_features |= ai_task.AITaskEntityFeature.GENERATE_IMAGE

    @override
    async def _async_generate_data(
        self, task: ai_task.GenDataTask, chat_log: conversation.ChatLog
    ) -> ai_task.GenDataTaskResult:
        context, options = self._take_context(chat_log), self.options
        if apis := task.llm_api or options.llm_apis:
            # What any agent would ask about is refused.
            labels = options.sensitive_labels | sensitive_labels(self.hass)
            options = replace(options, sensitive_labels=labels)
            # Home Assistant asked for them as an assistant to whom nothing is exposed.
            try:
                await async_provide_llm_data(
                    chat_log, make_context(self.hass, context), apis, options.prompt
                )
            except conversation.ConverseError as err:
                raise not_available(str(err)) from err
        form = None
        if task.structure:
            form = AnswerFormat.of(self.hass, task.structure)
        speaker = Speaker.unattended(self.hass, task.instructions, context)
        turn = await self.async_run_turn(
            chat_log, speaker, verbatim=True, answer_format=form, options=options
        )
        last = chat_log.content[-1]
        assert isinstance(last, conversation.AssistantContent)
        if turn.record.failed or isinstance(last.native, OwnSentence):
            # What a person would have heard in place of an answer.
            raise HomeAssistantError(last.content)
        return ai_task.GenDataTaskResult(
            conversation_id=chat_log.conversation_id,
            data=turn.context.data if form else last.content or "",
        )

    @override
    async def _async_generate_image(
        self, task: ai_task.GenImageTask, chat_log: conversation.ChatLog
    ) -> ai_task.GenImageTaskResult:
        images = await async_read_attachments(self.hass, task.attachments or ())
        request = drawing_request(
            task.instructions,
            images,
            model=self.options.model,
            aspect_ratio=self.subentry.data.get(CONF_ASPECT_RATIO, ASPECT_RATIOS[0]),
        )
        record = TurnRecord()
        try:
            data, media_type, width, height = await async_draw(
                self.hass, self.coordinator.client, request, record
            )
        finally:
            await self.async_tell_account(record)
        return ai_task.GenImageTaskResult(
            image_data=data,
            conversation_id=chat_log.conversation_id,
            mime_type=media_type,
            width=width,
            height=height,
        )

    def _take_context(self, log: conversation.ChatLog) -> Context:
        """Return the context of this task; the next one may come without any."""
        context, self._context = self._context, None
        if log.llm_api:
            context = log.llm_api.llm_context.context
        return context or Context()


async_setup_entry = set_up_each(SUBENTRY_AI_TASK, LumoTaskEntity)
