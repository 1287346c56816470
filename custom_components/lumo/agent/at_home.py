"""What Home Assistant understands whole is done at home, without a request to Lumo.

    "turn off the lights"    a call of the tool that the agent has for it
    "is the door locked?"    what Home Assistant answers, if the agent may look
    "lamp off in 5 minutes"  a plan of ours
    "and the bedroom too"    nothing: only Lumo knows what was said before

Home Assistant's own matcher only recognizes the sentence; the call goes through the
gate. Home comes first if Lumo would know nothing more (`async_is_first`), and last if
Lumo does not answer.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
import re
from typing import Any, Final

from hassil.recognize import RecognizeResult
from homeassistant.components import conversation
from homeassistant.components.conversation.default_agent import METADATA_CUSTOM_SENTENCE
from homeassistant.const import CONF_PROMPT
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv, intent, llm

from ..abilities.later import Later
from ..const import Permission
from ..context.home import async_get_home
from ..context.scorer import beginnings
from ..gate.call_record import CallRecord
from ..gate.consent import grammar_of
from ..gate.intents import COMMAND, TIMERS
from ..gate.judged_call import JudgedCall
from ..gate.mention import (
    Sentence,
    asked_for,
    bare,
    has_condition,
    has_length,
    verbs_of,
)
from ..gate.names import speak_of
from ..gate.own_tool import unwrapped
from ..gate.permissions import permission
from ..internals import async_prepare_sentences, intent_response, steps_of_intent
from ..languages import EN, language_of
from ..languages.form import Language
from ..languages.words import parts_of, words_in
from ..tool_calling.naming import ToolNames
from ..tool_calling.prompted import build_instructions, build_last_part
from .calling_off import calls_off, stops
from .confirmation import is_plan
from .history import OwnSentence
from .options import is_instructed
from .question import LENGTH
from .sentences import awaits_answer
from .toolbox import Toolbox
from .turn_context import TurnContext
from .wanted import names

_STATE: Final = intent.INTENT_GET_STATE
# Lumo knows more about these questions than Home Assistant's sentences say.
_LUMO_KNOWS_MORE: Final = frozenset({"HassClimateGetTemperature", "HassGetWeather"})
# Intents that only look, and that Home Assistant offers to no model.
_QUESTIONS: Final = _LUMO_KNOWS_MORE | {
    intent.INTENT_GET_CURRENT_DATE,
    intent.INTENT_GET_CURRENT_TIME,
    _STATE,
    intent.INTENT_TIMER_STATUS,
}
# The response of Home Assistant's sentences for yes or no about one thing.
_YES_OR_NO: Final = "one_yesno"
# An agent without this tool may not look at the home in another way either.
_LOOKS: Final = "homeassistant__GetLiveContext"
# A sentence of Home Assistant's that is only a name: it turns the thing on.
_NAME_ALONE: Final = re.compile(r"(?:\[[^]]*\] *)*\{name\}(?: *\[[^]]*\])*")
# Wildcards that may be any words. Only Lumo understands others: search, message.
_FREE_TEXT: Final = frozenset({"item", COMMAND})


async def _async_handle(
    hass: HomeAssistant,
    user_input: conversation.ConversationInput,
    is_left_out: Callable[[RecognizeResult], bool],
) -> intent.IntentResponse | None:
    """Let Home Assistant handle a sentence, with a log that nobody reads."""
    log = conversation.ChatLog(hass, user_input.conversation_id or "")
    return await conversation.async_handle_intents(
        hass, user_input, log, intent_filter=is_left_out
    )


async def _async_recognize(
    hass: HomeAssistant, user_input: conversation.ConversationInput
) -> RecognizeResult | None:
    """Return what Home Assistant understands of all of a sentence; nothing runs."""
    found: list[RecognizeResult] = []

    def keep(result: RecognizeResult) -> bool:
        found.append(result)
        return True

    await _async_handle(hass, user_input, keep)
    return found[0] if found and not found[0].unmatched_entities else None


async def async_compile(hass: HomeAssistant, tag: str) -> None:
    """Compile what turns in a language need, once: some 100 ms of CPU."""
    await hass.async_add_executor_job(_compile, language_of(tag))


@cache
def _compile(language: Language) -> None:
    for item in (language, EN):
        for key in item.patterns:
            getattr(item, key)
    for words in (language.denials, language.tools):
        words_in(words, language)
    grammar_of(language)
    for read in (asked_for, has_condition, has_length, stops, verbs_of):
        read("-", language)
    for answers in (False, True):
        calls_off("-", language, answers=answers)
    names("-", language, frozenset())
    for kind in ("", *EN.kinds):
        speak_of(["-"], kind)
    names_of_none = ToolNames(())
    build_instructions((), names_of_none, "")
    build_last_part("", (), names_of_none, reminds=False)


async def async_prepare(hass: HomeAssistant, language: str) -> None:
    """Let Home Assistant read its sentences, and us ours, before the first is said."""
    await async_compile(hass, language)
    await async_prepare_sentences(hass, language)
    # What they are made of is read with the first sentence.
    await _async_recognize(hass, _input("-", language))


def _input(text: str, language: str, **more: Any) -> conversation.ConversationInput:
    usual = dict.fromkeys(("conversation_id", "device_id", "satellite_id"))
    return conversation.ConversationInput(
        text=text,
        language=language,
        agent_id=conversation.HOME_ASSISTANT_AGENT,
        **{"context": Context(), **usual, **more},
    )


class AtHome:
    """Finds out what one sentence means without Lumo."""

    def __init__(
        self, turn: TurnContext, api: llm.APIInstance, toolbox: Toolbox
    ) -> None:
        self._turn = turn
        self._context = api.llm_context
        self._toolbox = toolbox
        self._user_input = _input(
            bare(turn.sentence, turn.language),
            turn.speaker.language,
            context=self._context.context or Context(),
            satellite_id=turn.speaker.satellite_id,
            device_id=self._context.device_id,
        )
        self._call: llm.ToolInput | None = None
        self._question = ""
        """The name of the intent, of a question that Home Assistant answers."""
        self.recognized: RecognizeResult | None = None
        """What Home Assistant understands of the sentence, whatever it asks for."""

    async def async_read(self) -> None:
        """Find out what the sentence means, before anything else here is used."""
        self.recognized = await _async_recognize(self._turn.hass, self._user_input)
        if self.recognized:
            await self._async_understand(self.recognized)

    @property
    def asks_state(self) -> bool:
        """Return whether it is Home Assistant's question about a state of the home."""
        asking = (_STATE, "HassClimateGetTemperature")
        found = self.recognized
        # "Who are you?" names no state.
        return bool(found and found.intent.name in asking and not _has_free_text(found))

    @property
    def understands(self) -> bool:
        """Return whether the sentence can be done without Lumo, and is not done yet."""
        return self._turn.is_untouched and bool(self._call or self._question)

    async def async_is_first(self) -> bool:
        """Return whether Lumo would know nothing more, and the call would run."""
        turn, found = self._turn, self.recognized
        return not (
            found is None
            or not self.understands
            or not (turn.options.at_home and turn.language.code)
            or turn.log.extra_system_prompt
            or found.intent.name in _LUMO_KNOWS_MORE
            or (found.intent.name == _STATE and found.response != _YES_OR_NO)
            or self._goes_on(found)
            or await self._async_is_told_about()
            or (self._call and not await self._async_finds(found, self._call))
        )

    def admit_call(self) -> llm.ToolInput | None:
        """Admit the call that the sentence stands for, None for a question."""
        if self._call:
            self._toolbox.gate.allow(self._call.id)
        return self._call

    async def async_answer(self) -> str | None:
        """Return Home Assistant's answer if the sentence is still this question."""
        try:
            response = await _async_handle(
                self._turn.hass,
                self._user_input,
                lambda result: result.intent.name != self._question,
            )
        except HomeAssistantError:
            return None
        if not response or response.response_type is intent.IntentResponseType.ERROR:
            return None
        speech = str(response.speech.get("plain", {}).get("speech") or "")
        return speech if speech and "_" not in speech else None  # "No, not_home".

    def reply(self, outcomes: Sequence[CallRecord]) -> str | None:
        """Return the home's own words for what has run, if any; None if that failed."""
        if not outcomes or not all(
            item.success
            and (item.complete or item.silent or item.is_running or is_plan(item))
            for item in outcomes
        ):
            return None
        if not self._is_custom:
            return ""
        contents = reversed(self._turn.contents)
        results = (x for x in contents if isinstance(x, conversation.ToolResultContent))
        response = intent_response(next(results).result.data)
        speech = response.speech.get("plain", {}) if response else {}
        return str(speech.get("speech") or "")

    async def _async_understand(self, found: RecognizeResult) -> None:
        name, values = found.intent.name, found.entities
        language, text = self._turn.language, self._user_input.text
        if name in _QUESTIONS:
            # "How long will the washing machine run?" is about no timer.
            timed = "name" not in values or Sentence(text, language).speaks_of_timers
            is_answered = self._is_about_one(found) if name == _STATE else timed
            if is_answered and self._may_look(name):
                self._question = name
            return
        if not self._is_custom and (
            language.leaning.search(text)
            or has_condition(text, language)
            or _is_name_alone(found)
            or _has_free_text(found)
            or ("item" in values and len(parts_of(text, language)) > 1)
        ):
            return
        arguments = {item.name: item.value for item in values.values()}
        if COMMAND in arguments:
            self._call = await self._async_plan(arguments)
        else:
            self._call = self._call_of(name, arguments)

    def _call_of(
        self, intent_type: str, arguments: dict[str, Any]
    ) -> llm.ToolInput | None:
        for full, tool in self._toolbox.tools.items():
            own = unwrapped(tool)
            if isinstance(own, llm.IntentTool) and own.intent_type == intent_type:
                return self._fitted(full, arguments)
        return None

    def _fitted(self, tool: str, arguments: dict[str, Any]) -> llm.ToolInput | None:
        call = self._toolbox.read(tool, arguments, tool=tool)
        return None if call.refusal else call.tool_input

    async def _async_plan(self, arguments: dict[str, Any]) -> llm.ToolInput | None:
        """Return a plan: Home Assistant forgets a delayed command in a restart."""
        later, command = Later.name, str(arguments[COMMAND])
        inner_input = replace(self._user_input, text=command)
        inner = await _async_recognize(self._turn.hass, inner_input)
        if inner is None or later not in self._toolbox.tools or _is_name_alone(inner):
            return None
        values = {item.name: item.value for item in inner.entities.values()}
        call = self._call_of(inner.intent.name, values)
        if call is None or inner.intent.name in TIMERS or _has_free_text(inner):
            return None
        at = " ".join(f"{arguments[key]} {key}" for key in LENGTH if key in arguments)
        plan = {"tool": call.tool_name, "arguments": call.tool_args, "at": f"in {at}"}
        return self._fitted(later, plan)

    async def _async_finds(self, found: RecognizeResult, call: llm.ToolInput) -> bool:
        """Return whether a call would run, or be asked about, and finds one thing.

        If nobody said where and nothing is here, it is for the only one elsewhere.
        """
        judge, tool = self._toolbox.gate.judge, self._toolbox.tools[call.tool_name]
        assert judge
        case = JudgedCall(self._turn.hass, tool, call.tool_args, self._context)
        said = Sentence(self._user_input.text, self._turn.language)
        # "Here" says where, too.
        says_where = self._says(found, "area") or not said.says_only(())
        if not case.targets and not says_where:
            rest = {key: call.tool_args[key] for key in call.tool_args if key != "area"}
            anywhere = replace(case, arguments=rest)
            if len(anywhere.targets) == 1:
                case = anywhere
        verdict = await judge.async_judge(case)
        # In a large home others have their turn, before it is judged to run.
        await asyncio.sleep(0)
        has_nothing = case.intent and case.intent.has_targets and not case.targets
        finds = bool(verdict.runs or verdict.asks) and not verdict.refusal
        if finds and not has_nothing:
            call.tool_args = dict(case.arguments)
        return finds and not has_nothing

    def _goes_on(self, found: RecognizeResult) -> bool:
        """Return whether a recognized sentence may go on from what was said before.

        It has a pronoun, or it answers the model's question ("Anything else?") without
        the name of a thing or a room.
        """
        said = [
            content
            for content in self._turn.log.content
            if isinstance(content, conversation.AssistantContent) and content.content
        ]
        if not said:
            return False
        last = said[-1]
        is_asked = awaits_answer(last.content or "") and not isinstance(
            last.native, OwnSentence
        )
        has_name = any(self._says(found, key) for key in ("name", "area", "floor"))
        return (is_asked and not has_name) or self._has_pronoun(self._user_input.text)

    def _says(self, found: RecognizeResult, slot: str) -> bool:
        """Return whether a slot stands in the sentence, not for where it was said."""
        text, sentence = found.entities.get(slot), self._user_input.text.casefold()
        return text is not None and text.text.casefold() in sentence

    def _has_pronoun(self, sentence: str) -> bool:
        """Return whether a command has a pronoun; that of a question means nothing."""
        language = self._turn.language
        return bool(
            not language.questions.match(sentence)
            and language.pronouns.search(sentence)
        )

    async def _async_is_told_about(self) -> bool:
        """Return whether notes or instructions may say what "the lamp" is."""
        turn = self._turn
        prompt = turn.options.prompt
        told = [prompt] if is_instructed({CONF_PROMPT: prompt}) else []
        notes = turn.notes.seen_by(turn.speaker) if turn.notes else {}
        told += chain(*notes.values())
        said = beginnings(" ".join(told)) & beginnings(turn.sentence)
        if not said:
            return False
        home = await async_get_home(turn.hass, turn.speaker.language)
        return not said.isdisjoint(
            home.words | beginnings(" ".join(turn.language.kinds.values()))
        )

    @property
    def is_leaning(self) -> bool:
        """Return whether only Lumo can know what the sentence, or a name, means."""
        language, sentence = self._turn.language, self._turn.sentence.strip()
        return bool(
            (self.recognized and _is_name_alone(self.recognized))
            or language.leaning.search(sentence)
            or language.undo.search(sentence)
            or self._has_pronoun(sentence)
        )

    @property
    def _is_custom(self) -> bool:
        metadata = self.recognized and self.recognized.intent_metadata
        return bool(metadata and metadata.get(METADATA_CUSTOM_SENTENCE))

    def _is_about_one(self, found: RecognizeResult) -> bool:
        """Return whether a question is about one thing whose state is known."""
        if "name" not in found.entities:
            # Of all windows Home Assistant's answer would look at covers alone.
            return False
        domain = found.entities.get("domain")
        matched = intent.async_match_targets(
            self._turn.hass,
            intent.MatchTargetsConstraints(
                name=found.entities["name"].value,
                domains=set(cv.ensure_list(domain.value)) if domain else None,
                assistant=conversation.DOMAIN,
                allow_duplicate_names=True,
            ),
        ).states
        if len(matched) != 1 or matched[0].state in ("unavailable", "unknown"):
            return False
        asked = found.entities.get("state")
        # In some languages a person's state is compared with words: "Nein, zu Hause".
        return matched[0].domain != "person" or bool(asked and asked.value == "home")

    def _may_look(self, intent_type: str) -> bool:
        """Return whether the agent may use an intent that no script has replaced."""
        # Home Assistant's answers know no rules of a place.
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


def _has_free_text(found: RecognizeResult) -> bool:
    """Return whether any words may stand in it: a search, a message."""
    return found.intent.name not in TIMERS and any(
        item.is_wildcard and item.name not in _FREE_TEXT
        for item in found.entities.values()
    )


def _is_name_alone(found: RecognizeResult) -> bool:
    """Return whether a thing is only named; scenes and scripts need no verb."""
    return bool(
        found.context.get("domain") not in ("scene", "script")
        and found.intent_sentence
        and _NAME_ALONE.fullmatch(found.intent_sentence.text or "")
    )
