"""What becomes of a plan: it is carried out and told, or told that it was not.

Who planned it may be elsewhere by now. The satellite that heard it says it, else it is a
notification, in the language in which it was planned.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
import logging
import re
from typing import Final

from homeassistant.components import persistent_notification
from homeassistant.components.conversation import AssistantContent, Content
from homeassistant.const import ATTR_ENTITY_ID, STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from ..abilities.plans import DAY, End, ScheduledTask
from ..const import DEFAULT_TITLE, DOMAIN
from ..gate.names import is_exposed, name_of, spoken
from ..gate.notes import stack_of
from ..gate.pending import Ask
from .question import actions_text, list_of
from .sentences import Sentences, async_load_sentences
from .turn import Turn

_LOGGER = logging.getLogger(__name__)

# Seconds for which a satellite may speak.
_SPEAKS: Final = 60

type CarryOut = Callable[[ScheduledTask], Awaitable[str]]
"""Carries a plan out; returns what came of it, in words."""


async def async_end(
    hass: HomeAssistant, plan: ScheduledTask, end: End, carry_out: CarryOut | None
) -> None:
    """Carry a plan out if it is due, and tell what came of it. Never raises."""
    sentences = await async_load_sentences(hass, plan.language)
    what, reason = what_of(sentences, plan), ""
    try:
        if end is not End.DUE:
            text = sentences(end.value, what=what)
        elif plan.say:
            text = sentences("later_reminder", what=plan.say)
        elif not await _async_is_user(hass, plan.user_id):
            reason = sentences("later_no_user")
        elif gone := gone_of(hass, plan):
            reason = sentences("later_gone", targets=list_of(sentences, gone))
        elif carry_out is None:
            reason = sentences("later_no_agent")
        else:
            text = await carry_out(plan)
        if reason:
            text = sentences("later_not_done", what=what, reason=reason)
    except Exception as err:  # noqa: BLE001 # told, and logged here
        _LOGGER.error(
            "Unexpected %s in carrying out a plan:\n%s",
            type(err).__name__,
            stack_of(err),
        )
        text = sentences("later_interrupted", what=what)
    await _async_tell(hass, plan, text)


def what_of(sentences: Sentences, plan: ScheduledTask) -> str:
    """Return what a plan does, or says."""
    if plan.say:
        return plan.say
    return actions_text(sentences, [ask for call in plan.calls for ask in call.asks()])


def asks_of(plan: ScheduledTask) -> list[Ask]:
    """Return the calls of a plan, with the yes that was given, as long as it counts."""
    is_fresh = dt_util.utcnow().timestamp() <= plan.created + DAY
    return [
        Ask(
            call.tool,
            dict(call.arguments),
            frozenset(call.approved if is_fresh else ()),
            phrase="do_use",
        )
        for call in plan.calls
    ]


def opens_on_condition(plan: ScheduledTask) -> bool:
    """Return whether a plan opens without a yes on a condition, or after a day."""
    in_a_day = 0 < plan.trigger.at <= plan.created + DAY
    return not in_a_day and any(call.opens and not call.approved for call in plan.calls)


def told_of(
    sentences: Sentences, plan: ScheduledTask, turn: Turn, contents: Sequence[Content]
) -> str:
    """Return what came of a plan, by the turn that carried it out and its log."""
    what = what_of(sentences, plan)
    said = " ".join(
        content.content
        for content in contents
        if isinstance(content, AssistantContent) and content.content
    )
    if turn.record.failed:
        return sentences("later_not_done", what=what, reason=said)
    if turn.context.by_phone:
        return said
    if len(turn.outcomes) < len(plan.calls) or not all(
        outcome.success for outcome in turn.outcomes
    ):
        reason = f"{sentences('later_failed')} {said}".strip()
        return sentences("later_not_done", what=what, reason=reason)
    return said or sentences("later_done", what=what)


def gone_of(hass: HomeAssistant, plan: ScheduledTask) -> list[str]:
    """Return what is not there any more, not exposed, or called otherwise."""
    named = {key: name for call in plan.calls for key, name in call.names.items()}
    if plan.trigger.entity_id:
        named[plan.trigger.entity_id] = plan.trigger.name
    return [
        spoken(name)
        for entity_id, name in named.items()
        if hass.states.get(entity_id) is None
        or name_of(hass, entity_id) != name
        or not is_exposed(hass, entity_id)
    ]


async def _async_is_user(hass: HomeAssistant, user_id: str | None) -> bool:
    """Return whether who has planned something may still do it; a satellite may."""
    if user_id is None:
        return True
    user = await hass.auth.async_get_user(user_id)
    return user is not None and user.is_active


async def _async_tell(hass: HomeAssistant, plan: ScheduledTask, text: str) -> None:
    """Let the satellite say it that heard the plan, or notify. Nothing is lost."""
    satellite = hass.states.get(plan.satellite_id or "")
    if satellite and satellite.state != STATE_UNAVAILABLE:
        try:
            async with asyncio.timeout(_SPEAKS):
                await hass.services.async_call(
                    "assist_satellite",
                    "announce",
                    {ATTR_ENTITY_ID: satellite.entity_id, "message": text},
                    blocking=True,
                )
        except Exception as err:  # noqa: BLE001 # it is notified
            _LOGGER.debug("A satellite says nothing: %s", type(err).__name__)
        else:
            return
    persistent_notification.async_create(
        # It is read as Markdown, and the text may be anybody's.
        hass,
        re.sub(r"([\[\]<>*_`])", r"\\\1", text),
        DEFAULT_TITLE,
        f"{DOMAIN}_later_{plan.created:.0f}_{plan.id}",
    )
