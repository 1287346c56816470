"""When Lumo is away: what Home Assistant understands by itself is done all the same.

    "turn off the lights"    a call of the tool that the agent has for it
    "is the door locked?"    what Home Assistant answers, if the agent may look at the home
    "and the bedroom too"    nothing: what was said before is Lumo's to know

Home Assistant's own matcher recognises the sentence, in its strict wording, and nothing
runs: a filter keeps what was recognised. The call goes through the gate as any call of
the model's. The built-in agent itself is never asked, for it also guesses.
"""

from collections.abc import Callable
from functools import cached_property
import re
from typing import Any, Final, override

from hassil.recognize import RecognizeResult
from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent, llm
import probatio

from ..abilities.ability import Ability, AbilityContext
from ..const import Permission
from ..gate.own_tool import Arguments, unwrapped
from ..gate.permissions import permission
from ..internals import steps_of_intent
from .toolbox import Toolbox
from .turn_context import TurnContext

# Known to be away, Lumo is asked first all the same, but not waited for as long.
AWAY_SECONDS: Final = 4.0
# Intents that only look, and that Home Assistant offers to no model.
_QUESTIONS: Final = frozenset(
    {
        "HassClimateGetTemperature",
        "HassGetWeather",
        intent.INTENT_GET_CURRENT_DATE,
        intent.INTENT_GET_CURRENT_TIME,
        intent.INTENT_GET_STATE,
        intent.INTENT_TIMER_STATUS,
    }
)
# Who may not use this tool may not look at the home in another way either.
_LOOKS: Final = "homeassistant__GetLiveContext"
# A sentence of Home Assistant's that is a name and no more: it turns the thing on.
_NAME_ALONE: Final = re.compile(r"(?:\[[^]]*\] *)*\{name\}(?: *\[[^]]*\])*")


class HomeAnswer(Ability):
    """What Home Assistant answers to a question about the home. No model sees it."""

    title = "Question"
    description = "Answer a question about the home."
    parameters = probatio.Schema({})
    speech = ""
    """What is to be spoken; known when it has run."""

    def __init__(self, name: str, user_input: conversation.ConversationInput) -> None:
        """Take the intent by its name, as Home Assistant notes its own calls."""
        super().__init__(AbilityContext())
        self.name = name
        self._user_input = user_input

    @override
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        """Let Home Assistant handle the sentence, if it is still this question."""
        response = await _async_handle(
            hass, self._user_input, lambda result: result.intent.name != self.name
        )
        if response and response.response_type is not intent.IntentResponseType.ERROR:
            self.speech = str(response.speech.get("plain", {}).get("speech") or "")
        if not self.speech:
            raise HomeAssistantError("There is no answer to that")
        return {"speech": self.speech}


async def _async_handle(
    hass: HomeAssistant,
    user_input: conversation.ConversationInput,
    is_left_out: Callable[[RecognizeResult], bool],
) -> intent.IntentResponse | None:
    """Let Home Assistant handle a sentence; what it would log, our own result says."""
    return await conversation.async_handle_intents(
        hass,
        user_input,
        conversation.ChatLog(hass, user_input.conversation_id or ""),
        intent_filter=is_left_out,
    )


class Away:
    """Finds out what one sentence means without Lumo."""

    def __init__(
        self, turn: TurnContext, api: llm.APIInstance, toolbox: Toolbox
    ) -> None:
        """Take the turn. `api` is Home Assistant's own instance."""
        self._turn = turn
        self._sentence = turn.sentence.strip()
        self._api = api
        self._toolbox = toolbox
        self._recognized: RecognizeResult | None = None
        self._has_looked = False
        self._goes_on = any(
            isinstance(content, conversation.AssistantContent)
            for content in turn.log.content
        )
        self.answer: HomeAnswer | None = None
        """Who answers, if the sentence is a question."""

    @cached_property
    def _user_input(self) -> conversation.ConversationInput:
        context, speaker = self._api.llm_context, self._turn.speaker
        return conversation.ConversationInput(
            text=speaker.sentence,
            context=context.context or Context(),
            conversation_id=self._turn.log.conversation_id,
            device_id=context.device_id,
            satellite_id=speaker.satellite_id,
            language=speaker.language,
            agent_id=conversation.HOME_ASSISTANT_AGENT,
        )

    async def async_understands(self) -> bool:
        """Return whether what was said can be done without Lumo, and is not yet."""
        return self._turn.is_untouched and await self._async_meaning() is not None

    async def async_call(self) -> llm.ToolInput | None:
        """Admit the call that the sentence stands for, None if there is none."""
        meaning, found = await self._async_meaning(), self._recognized
        if isinstance(meaning, HomeAnswer):
            self.answer = meaning
            return self._toolbox.admit_own(meaning)
        if meaning is None or found is None:
            return None
        arguments = {item.name: item.value for item in found.entities.values()}
        call = self._toolbox.read(meaning, arguments, tool=meaning)
        return None if call.refusal else self._toolbox.admit(call)

    async def _async_meaning(self) -> HomeAnswer | str | None:
        """Return who answers the question, or the full name of the tool for a command."""
        if not self._has_looked:
            self._has_looked = True
            # It is recognised, and nothing runs.
            await _async_handle(self._turn.hass, self._user_input, self._keep)
        if (found := self._recognized) is None:
            return None
        name = found.intent.name
        if name in _QUESTIONS:
            answer = HomeAnswer(name, self._user_input)
            return answer if self._may_look(name) else None
        if self._turn.language.leaning.search(self._sentence) or self._answers:
            return None
        for full, tool in self._toolbox.tools.items():
            own = unwrapped(tool)
            if isinstance(own, llm.IntentTool) and own.intent_type == name:
                return full
        return None

    def _keep(self, result: RecognizeResult) -> bool:
        self._recognized = None if result.unmatched_entities else result
        return True

    @property
    def is_leaning(self) -> bool:
        """Return whether the sentence seems to go on from what was said before.

        Too many words look like pronouns to refuse what was recognised: in Home
        Assistant's wording none stands for a thing. Nor do they in "is it raining?"
        """
        language, sentence = self._turn.language, self._sentence
        patterns = [language.leaning, language.undo]
        if not language.questions.match(sentence):
            patterns.append(language.pronouns)
        return self._answers or any(item.search(sentence) for item in patterns)

    @property
    def _answers(self) -> bool:
        """Return whether a thing is only named, after something was said before.

        "Which one shall I turn off?" is not answered by turning it on. A scene or a
        script has no other order than its name.
        """
        found = self._recognized
        return bool(
            self._goes_on
            and found
            and found.context.get("domain") not in ("scene", "script")
            and found.intent_sentence
            and _NAME_ALONE.fullmatch(found.intent_sentence.text or "")
        )

    def _may_look(self, intent_type: str) -> bool:
        """Return whether the agent may use what answers a question.

        That is Home Assistant's own intent, for a script may take its name. Its answers
        know no rules of a place.
        """
        return (
            self._turn.scope is None
            and any(
                unwrapped(tool).name == _LOOKS
                and permission(tool, self._turn.options) is Permission.ON
                for tool in self._toolbox.tools.values()
            )
            and any(
                item.intent_type == intent_type
                and steps_of_intent(item) is None
                and type(item).__module__.startswith("homeassistant.")
                for item in intent.async_get(self._turn.hass)
            )
        )
