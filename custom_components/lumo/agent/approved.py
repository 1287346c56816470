"""Run what a person has approved: now, by phone, or when a plan is due.

The call is judged anew with the yes that there is for it. No model is asked.
"""

import asyncio
from collections.abc import Awaitable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain
import logging
from typing import Any, Final, Protocol

from homeassistant.components import conversation, persistent_notification
from homeassistant.core import (
    Context,
    Event,
    EventStateChangedData,
    HomeAssistant,
    callback,
)
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er, intent, llm
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import dt as dt_util

from ..abilities.plans import DAY, End, Plans, ScheduledTask
from ..abilities.routine_store import Routine, Routines
from ..abilities.tell import LOUD, async_announce, phones_of, phones_of_user
from ..abilities.triggers import spoken_when
from ..const import DEFAULT_TITLE, DOMAIN, Autonomy
from ..gate.consent import Reply
from ..gate.judged_call import Ask
from ..gate.names import name_of
from ..gate.notes import stack_of
from ..gate.permissions import identity
from ..gate.speaker import Speaker
from ..internals import apis_of, fresh_session
from ..languages import LANGUAGES, translated
from ..languages.form import Language
from ..speech.screen import without_marks
from .conversation_state import ConversationState
from .options import AgentOptions
from .phone import PhoneError, async_ask, async_phones_of
from .question import actions_text
from .record import TurnRecord
from .sentences import Sentences, async_load_sentences
from .toolbox import Toolbox
from .turn_context import TurnContext

_LOGGER = logging.getLogger(__name__)

# Seconds that an announcement may take, and in which who is awake speaks.
_PATIENCE: Final = 60
# The timers of these satellites ring; those of phones and telephones only say so.
_RINGING: Final = ("esphome", "wyoming")
_LISTENS: Final = ("listening", "processing")


class Agent(Protocol):
    """An entity that runs turns."""

    hass: HomeAssistant
    entity_id: str
    options: AgentOptions

    async def async_run_turn(
        self,
        log: conversation.ChatLog,
        speaker: Speaker,
        conversation_state: ConversationState | None = None,
        **more: Any,
    ) -> Any:
        """Run a turn over a log and return it. `more` goes to its context."""


def admit(
    hass: HomeAssistant, toolbox: Toolbox, asks: Iterable[Ask]
) -> list[llm.ToolInput]:
    """Admit calls that a person has approved, each once; return them.

    A call does not run if its tool or a thing of it is gone, or has another name.
    """
    assert toolbox.api
    # After a restart a tool is known by its identity.
    names = {identity(tool): name for name, tool in toolbox.tools.items()}
    calls: dict[tuple[str, str], list[Ask]] = {}
    for ask in asks:
        name = names.get(ask.tool, ask.tool)
        calls.setdefault((name, ask.arguments_key), []).append(ask)
    admitted: list[llm.ToolInput] = []
    for (name, _), same in calls.items():
        things = chain(*(ask.names for ask in same))
        if name in toolbox.tools and all(name_of(hass, i) == n for i, n in things):
            call = llm.ToolInput(tool_name=name, tool_args=dict(same[0].arguments))
            approved = frozenset(chain(*(ask.entities for ask in same)))
            toolbox.gate.allow(call.id, approved)
            admitted.append(call)
    return admitted


async def _async_run(
    agent: Agent,
    asks: Sequence[Ask],
    speaker: Speaker,
    apis: list[str],
    context: llm.LLMContext,
    **more: Any,
) -> tuple[str, TurnRecord]:
    """Run calls in a new conversation; return what was said, and the record."""
    hass = agent.hass
    with (
        fresh_session(hass, context.context or Context()) as session,
        conversation.async_get_chat_log(hass, session) as log,
    ):
        try:
            log.llm_api = await llm.async_get_api(hass, apis, context)
        except HomeAssistantError:
            sentences = await async_load_sentences(hass, speaker.language)
            return sentences("approved_gone"), TurnRecord(error="approved_gone")
        log.async_add_user_content(conversation.UserContent(speaker.sentence))
        turn = await agent.async_run_turn(log, speaker, approved=asks, **more)
        said = (
            content.content
            for content in log.content
            if isinstance(content, conversation.AssistantContent)
        )
        return " ".join(filter(None, said)), turn.record


async def async_wait_for_phone(agent: Agent, turn: TurnContext) -> None:
    """Run what a turn asked about on a phone, if the answer is yes; tell there."""
    question, state = turn.by_phone, turn.conversation_state
    assert question and turn.log.llm_api
    is_yes = await question.async_answered()
    state.journal.answered(question.asks, Reply.YES if is_yes else Reply.NO)
    if not is_yes:
        return
    own = replace(state, question=None)
    said, record = await _async_run(
        agent,
        question.asks,
        turn.speaker,
        [api.id for api in apis_of(turn.log.llm_api)],
        turn.log.llm_api.llm_context,
        conversation_state=own,
        options=turn.options,
        confirmed_by=turn.options.phone_person,
    )
    state.changes = own.changes
    key = "quick_done" if record.has_done_all else "not_done"
    await question.async_tell(said or turn.sentences(key))


async def async_ask_administrator(
    agent: Agent, routines: Routines, draft_id: str, draft: Routine
) -> None:
    """Ask about a draft on the agent's phone, if that is an administrator's."""
    hass, sentences = agent.hass, await async_load_sentences(agent.hass, None)
    user_id, language = draft.user_id, hass.config.language
    speaker = Speaker(user_id, draft.satellite_id, True, draft.sentence, language)
    person = agent.options.phone_person
    try:
        if not (await async_phones_of(hass, person)).is_admin:
            return
        question = await async_ask(
            hass, person, draft.does, speaker, sentences, agent.entity_id
        )
    except PhoneError:
        return
    if await question.async_answered() and routines.drafts.get(draft_id) is draft:
        put = routines.async_put(draft_id, draft, approved=draft)
        key = "quick_done" if await _async_works(put) else "not_done"
        await question.async_tell(sentences(key))


async def async_end_plan(
    hass: HomeAssistant,
    plan: ScheduledTask,
    end: End,
    agent: Agent | None,
    plans: Plans,
) -> None:
    """Carry out a plan that is due, tell what came of it, and never raise."""
    if end is End.NOT_SO:
        return
    if plan.rings and end is End.DUE:
        places, (_, awake) = agent and agent.options.places, plans.rung[plan.id]
        owner = places.owner_of(plan.satellite_id) if places else None
        await _async_ring(hass, plan, owner, awake)
        return
    sentences = await async_load_sentences(hass, plan.language)
    try:
        text = await _async_text(hass, plan, end, agent, sentences)
    except Exception as err:  # noqa: BLE001 # told, and logged here
        _LOGGER.error(
            "Unexpected %s in carrying out a plan:\n%s",
            type(err).__name__,
            stack_of(err),
        )
        text = sentences(End.INTERRUPTED.value, what=what_of(sentences, plan))
    await _async_tell(hass, plan, text)


async def _async_text(
    hass: HomeAssistant,
    plan: ScheduledTask,
    end: End,
    agent: Agent | None,
    sentences: Sentences,
) -> str:
    """Carry out a plan that is due; return what came of it, or why it is not done."""
    what = what_of(sentences, plan)
    if plan.rings:
        what = f"{what}, {dt_util.as_local(plan.next_at):%H:%M}"
    # A satellite plans without a user.
    user = await hass.auth.async_get_user(plan.user_id) if plan.user_id else None
    if end is End.INTERRUPTED:
        return sentences(end.value, what=what)
    if end is not End.DUE:
        reason = sentences(end.value)
    elif not plan.asks:
        return sentences("later_reminder", what=plan.say)
    elif plan.user_id and not (user and user.is_active):
        reason = sentences("later_no_user")
    elif agent is None or not agent.options.llm_apis:
        reason = sentences("approved_gone")
    else:
        said, record = await _async_carry_out(agent, plan)
        if record.has_done_all:
            return said or sentences("later_done", what=what)
        reason = said if record.failed else f"{sentences('later_failed')} {said}"
    return sentences("later_not_done", what=what, reason=reason.strip())


async def _async_carry_out(agent: Agent, plan: ScheduledTask) -> tuple[str, TurnRecord]:
    asks, has_yes = plan.asks, any(ask.entities for ask in plan.asks)
    if dt_util.utcnow().timestamp() > plan.created + DAY:
        asks = [replace(ask, entities=frozenset()) for ask in asks]
    autonomy = agent.options.autonomy
    in_a_day = not plan.trigger.entity_id and plan.trigger.at <= plan.created + DAY
    if plan.opens and not (in_a_day or has_yes):
        # No yes was given when it was planned, however much the agent may do by now.
        autonomy = min(autonomy, Autonomy.ACTS, key=list(Autonomy).index)
    user, language, device = plan.user_id, plan.language, plan.device_id
    context = Context(user_id=user)
    return await _async_run(
        agent,
        asks,
        Speaker(user, plan.satellite_id, False, "", language, device),
        agent.options.llm_apis,
        llm.LLMContext(DOMAIN, context, language, conversation.DOMAIN, device),
        # A person has planned it: what needs their yes still does.
        options=replace(agent.options, unattended=False, autonomy=autonomy),
    )


def what_of(sentences: Sentences, plan: ScheduledTask) -> str:
    """Return what a plan does, or says."""
    if not plan.asks:
        return plan.say
    # All are known by now: many of a kind are counted.
    asks = (replace(x, entities=frozenset(dict(x.names)), names=()) for x in plan.asks)
    return actions_text(sentences, asks)


def plan_text(sentences: Sentences, plan: ScheduledTask, language: Language) -> str:
    """Return what a plan does, and when: "turn off Lamp, today, 22:00"."""
    when, what = spoken_when(plan.trigger, language), what_of(sentences, plan)
    return sentences("later_action", action=what.rstrip(".。"), when=when)


async def _async_ring(
    hass: HomeAssistant, plan: ScheduledTask, owner: str | None, awake: asyncio.Event
) -> None:
    """Ring until somebody is awake.

    A timer of the satellite has its own sound and button, but whether that was heard
    cannot be seen: unless somebody speaks there, it is announced, then sent to the
    phones of who set it and of the `owner` of the satellite.
    """
    said = LANGUAGES[translated(plan.language)].said["rings"]
    text = said.format(time=f"{dt_util.now():%H:%M}")

    @callback
    def on_change(event: Event[EventStateChangedData]) -> None:
        state = event.data["new_state"]
        if state and state.state in _LISTENS:
            awake.set()

    stop = async_track_state_change_event(hass, plan.satellite_id or (), on_change)
    is_reached = False
    for way in (
        partial(_async_start_timer, hass, plan),
        partial(async_announce, hass, plan.satellite_id, text),
        partial(_async_send, hass, plan, text, owner),
    ):
        if awake.is_set():
            break
        if await _async_works(way()):
            is_reached = True
            with suppress(TimeoutError):
                async with asyncio.timeout(_PATIENCE):
                    await awake.wait()
    stop()
    if not is_reached:
        await _async_tell(hass, plan, text)


async def _async_start_timer(hass: HomeAssistant, plan: ScheduledTask) -> None:
    known = er.async_get(hass).async_get(plan.satellite_id or "")
    if known is None or known.platform not in _RINGING:
        raise HomeAssistantError("Its timers do not ring.")
    slots = {"seconds": {"value": 1}, "name": {"value": plan.say}}
    await intent.async_handle(
        hass,
        DOMAIN,
        intent.INTENT_START_TIMER,
        slots,
        language=plan.language,
        device_id=known.device_id,
    )


async def _async_send(
    hass: HomeAssistant, plan: ScheduledTask, text: str, owner: str | None
) -> None:
    actions = {*phones_of_user(hass, plan.user_id)}
    if state := hass.states.get(owner or ""):
        actions |= {*phones_of(hass, state)}
    if not actions:
        raise HomeAssistantError("There is no phone.")
    data = {"message": text} | ({"data": LOUD} if plan.rings else {})
    calls = (hass.services.async_call("notify", x, data, True) for x in actions)
    await asyncio.gather(*calls)


async def _async_works(way: Awaitable[object]) -> bool:
    """Tell somebody something in one way; return whether that worked."""
    try:
        async with asyncio.timeout(_PATIENCE):
            await way
    except Exception as err:  # noqa: BLE001 # the next way is tried
        _LOGGER.debug("It cannot be told so: %s", type(err).__name__)
        return False
    return True


async def _async_tell(hass: HomeAssistant, plan: ScheduledTask, text: str) -> None:
    is_told = await _async_works(async_announce(hass, plan.satellite_id, text))
    if not (is_told or await _async_works(_async_send(hass, plan, text, None))):
        persistent_notification.async_create(
            # It is read as Markdown, and the text may be anybody's.
            hass,
            without_marks(text, True),
            DEFAULT_TITLE,
            f"{DOMAIN}_later_{plan.created:.0f}_{plan.id}",
        )
