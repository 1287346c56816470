"""A yes by phone: where nobody can be asked by voice, or an owner wants it so.

The question is an actionable notification of Home Assistant's companion app. A yes is
the event that the phone sends back, with a token that nobody could guess, from outside
of Home Assistant, and in the name of the person who was asked: what an automation or a
script fires comes from inside. It is for that call, within a minute, once. Nothing of it
is stored: after a restart no question is open.

https://companion.home-assistant.io/docs/notifications/actionable-notifications/
"""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
import secrets
from time import monotonic
from typing import Any, Final

from homeassistant.core import Event, EventOrigin, HassJob, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.helpers.event import async_call_later
from homeassistant.util.hass_dict import HassKey

from ..const import CONF_PHONE_FOR_DOORS, CONF_PHONE_PERSON, DOMAIN
from ..gate.asks import Ask
from ..gate.speaker import Speaker
from ..internals import PHONES, notify_actions
from ..languages import language_of
from .options import OptionProblem
from .question import actions_text, as_spoken, can_be_spoken
from .sentences import Sentences
from .wording import worded

# How long a yes counts, from when the question is sent.
ANSWER_SECONDS: Final = 60
# So that nobody is tired into a yes.
_AN_HOUR: Final = 3600.0
_MOST: Final = 3
# A service for notifications may take its time; a turn does not wait for it.
_SENDING_SECONDS: Final = 10
_EVENT: Final = "mobile_app_notification_action"
# Android takes what is shown for HTML, which can hide a part of it.
_NO_MARKUP: Final = str.maketrans({"<": "‹", ">": "›", "&": "＆"})


class PhoneError(HomeAssistantError):
    """A person cannot be asked by phone; `reason` is the key of our sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Phones:
    """The phones of one person."""

    person: str
    user_id: str
    name: str
    actions: tuple[str, ...]
    """What sends to them, in Home Assistant's domain `notify`."""


@dataclass(slots=True)
class _Asked:
    """What one user was asked lately, by all agents."""

    is_open: bool = False
    times: deque[float] = field(default_factory=deque)


_ASKED: HassKey[dict[str, _Asked]] = HassKey(f"{DOMAIN}_asked_by_phone")


async def async_phones_of(hass: HomeAssistant, person: str) -> Phones:
    """Return the phones of a person that are signed in as their user.

    Raises PhoneError if there are none, or there is no such user any more.
    """
    state = hass.states.get(person)
    user_id = state.attributes.get("user_id") if state else None
    user = await hass.auth.async_get_user(user_id) if user_id else None
    if state is None or user is None or not user.is_active:
        raise PhoneError("phone_gone")
    actions = notify_actions(hass)
    registry = er.async_get(hass)
    found: dict[str, None] = {}
    for tracker in state.attributes.get("device_trackers", ()):
        known = registry.async_get(tracker)
        entry_id = known.config_entry_id if known else None
        entry = hass.config_entries.async_get_entry(entry_id) if entry_id else None
        if entry and entry.domain == PHONES and entry.data.get("user_id") == user_id:
            if action := actions.get(entry.data.get("webhook_id", "")):
                found[action] = None
    if not found:
        raise PhoneError("phone_gone")
    return Phones(person, user.id, state.name, tuple(found))


async def async_check_phone(hass: HomeAssistant, data: Mapping[str, Any]) -> None:
    """Raise OptionProblem for a person in an agent's data who has no phone."""
    if person := data.get(CONF_PHONE_PERSON):
        try:
            await async_phones_of(hass, person)
        except PhoneError as err:
            state = hass.states.get(person)
            name = state.name if state else person
            raise OptionProblem(CONF_PHONE_PERSON, name) from err
    elif data.get(CONF_PHONE_FOR_DOORS):
        raise OptionProblem(CONF_PHONE_FOR_DOORS, "")


class PhoneQuestion:
    """A question that is open on the phones of one person."""

    def __init__(self, hass: HomeAssistant, phones: Phones, asked: _Asked) -> None:
        """Wait for its answer from now on."""
        self._hass = hass
        self._asked = asked
        self._answer: asyncio.Future[bool] = hass.loop.create_future()
        token = secrets.token_urlsafe(24)
        self._tag = f"{DOMAIN}_{secrets.token_hex(8)}"
        self._yes, self._no = f"{token}_yes", f"{token}_no"
        self._expires = monotonic() + ANSWER_SECONDS
        self.phones = phones
        self._stop = [
            hass.bus.async_listen(_EVENT, self._on_action),
            async_call_later(
                hass, ANSWER_SECONDS, HassJob(self._on_end, cancel_on_shutdown=True)
            ),
        ]

    async def async_show(self, title: str, message: str, sentences: Sentences) -> None:
        """Show the question on all phones. Raises PhoneError if none can be reached."""
        actions = [
            {
                "action": action,
                "title": sentences(key).capitalize(),
                "authenticationRequired": action == self._yes,
                "destructive": action == self._yes,
            }
            for action, key in ((self._yes, "yes_word"), (self._no, "no_word"))
        ]
        await self._async_send(
            message,
            title=title.translate(_NO_MARKUP),
            actions=actions,
            timeout=ANSWER_SECONDS,
            push={"interruption-level": "time-sensitive"},
        )

    async def async_answered(self) -> bool:
        """Return whether the person says yes in time; then the question is closed."""
        try:
            if not await self._answer:
                return False
            # They may have lost their user, or the phone, since they were asked.
            now = await async_phones_of(self._hass, self.phones.person)
        except PhoneError:
            return False
        finally:
            self.close()
        return now.user_id == self.phones.user_id

    async def async_tell(self, text: str) -> None:
        """Show what came of it."""
        with suppress(PhoneError):
            await self._async_send(text)

    @callback
    def close(self) -> None:
        """Take the question back, if it is still open."""
        if not self._stop:
            return
        while self._stop:
            self._stop.pop()()
        self._asked.is_open = False
        self._on_end()
        if not self._answer.result():
            self._hass.async_create_task(self.async_tell("clear_notification"))

    @callback
    def _on_end(self, _now: datetime | None = None) -> None:
        if not self._answer.done():
            self._answer.set_result(False)

    @callback
    def _on_action(self, event: Event) -> None:
        """Take the first answer that has the token, whoever it is from."""
        action = event.data.get("action")
        if self._answer.done() or action not in (self._yes, self._no):
            return
        is_theirs = (
            event.origin is EventOrigin.remote
            and event.context.parent_id is None
            and event.context.user_id == self.phones.user_id
        )
        in_time = monotonic() < self._expires
        self._answer.set_result(action == self._yes and is_theirs and in_time)

    async def _async_send(
        self, message: str, title: str | None = None, **data: Any
    ) -> None:
        """Send to all phones; each notification replaces the one before."""
        sent = {
            "message": message.translate(_NO_MARKUP),
            "data": {"tag": self._tag, "ttl": 0, "priority": "high", **data},
            **({"title": title} if title else {}),
        }
        call = partial(self._hass.services.async_call, "notify", blocking=True)
        try:
            async with asyncio.timeout(_SENDING_SECONDS):
                results = await asyncio.gather(
                    *(call(action, sent) for action in self.phones.actions),
                    return_exceptions=True,
                )
        except TimeoutError as err:
            raise PhoneError("phone_unreachable") from err
        if all(isinstance(item, BaseException) for item in results):
            raise PhoneError("phone_unreachable")


async def async_ask(
    hass: HomeAssistant,
    person: str,
    asks: Sequence[Ask],
    speaker: Speaker,
    sentences: Sentences,
    agent_id: str,
) -> PhoneQuestion:
    """Ask a person by phone, in the words of the spoken question.

    Raises PhoneError if that person cannot be asked now.
    """
    if not can_be_spoken(sentences, asks):
        raise PhoneError("too_much_to_say")
    phones = await async_phones_of(hass, person)
    who = await _async_who(hass, speaker, sentences)
    now = monotonic()
    asked = hass.data.setdefault(_ASKED, {}).setdefault(phones.user_id, _Asked())
    while asked.times and now - asked.times[0] >= _AN_HOUR:
        asked.times.popleft()
    if asked.is_open:
        raise PhoneError("phone_busy")
    if len(asked.times) >= _MOST:
        raise PhoneError("phone_too_often")
    asked.is_open = True
    asked.times.append(now)
    called = worded(
        hass, as_spoken(asks), speaker.sentence, language_of(speaker.language)
    )
    question = sentences("question", actions=actions_text(sentences, called))
    agent = hass.states.get(agent_id)
    opened = PhoneQuestion(hass, phones, asked)
    try:
        await opened.async_show(
            agent.name if agent else "Lumo",
            f"{question} {sentences('asked_for_by', name=who)}",
            sentences,
        )
    except BaseException:
        opened.close()
        raise
    return opened


async def _async_who(
    hass: HomeAssistant, speaker: Speaker, sentences: Sentences
) -> str:
    if not speaker.is_person:
        return sentences("an_automation")
    if speaker.user_id:
        user = await hass.auth.async_get_user(speaker.user_id)
        return (user and user.name) or sentences("an_automation")
    state = hass.states.get(speaker.satellite_id or "")
    return state.name if state else sentences("an_automation")
