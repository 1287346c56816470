"""A yes by phone, by an actionable notification of Home Assistant's companion app.

A yes is an event with a secret token, from outside of Home Assistant, by the person who
was asked, within a minute, once.
https://companion.home-assistant.io/docs/notifications/actionable-notifications/
"""

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
import secrets
from time import monotonic
from typing import Any, Final, NamedTuple

from homeassistant.core import Event, EventOrigin, HomeAssistant, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.util.hass_dict import HassKey

from ..abilities.tell import phones_of
from ..const import CONF_PHONE_FOR_DOORS, CONF_PHONE_PERSON, DOMAIN
from ..gate.judged_call import Ask
from ..gate.speaker import Speaker
from ..languages import language_of
from .options import OptionProblem
from .question import actions_text, as_spoken, can_be_spoken, worded
from .sentences import Sentences

# How long a yes counts, from when the question is sent.
ANSWER_SECONDS: Final = 60
# The most questions in an hour, so that nobody says yes to have peace.
_AN_HOUR: Final = 3600.0
_MOST: Final = 3
_SENDING_SECONDS: Final = 10
_EVENT: Final = "mobile_app_notification_action"
# Android reads what is shown as HTML, which can hide a part of it.
_NO_MARKUP: Final = str.maketrans({"<": "‹", ">": "›", "&": "＆"})


class PhoneError(HomeAssistantError):
    """A person cannot be asked by phone; `reason` is the key of our sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Phones(NamedTuple):
    """The phones of one person."""

    person: str
    user_id: str
    name: str
    is_admin: bool
    actions: tuple[str, ...]
    """Actions of the domain `notify` that send to them."""


@dataclass(slots=True)
class _Asked:
    """What all agents have asked one user lately."""

    is_open: bool = False
    times: deque[float] = field(default_factory=deque)


_ASKED: HassKey[dict[str, _Asked]] = HassKey(f"{DOMAIN}_asked_by_phone")


async def async_phones_of(hass: HomeAssistant, person: str) -> Phones:
    """Return the phones that are signed in as a person's user; raises PhoneError."""
    state = hass.states.get(person)
    user_id = state.attributes.get("user_id") if state else None
    user = await hass.auth.async_get_user(user_id) if user_id else None
    if state is None or user is None or not user.is_active:
        raise PhoneError("phone_gone")
    phones = phones_of(hass, state).items()
    found = [action for action, owner in phones if owner == user_id]
    if not found:
        raise PhoneError("phone_gone")
    return Phones(person, user.id, state.name, user.is_admin, tuple(found))


async def async_check_phone(hass: HomeAssistant, data: Mapping[str, Any]) -> None:
    """Raise OptionProblem if the person in an agent's data has no phone."""
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

    def __init__(
        self, hass: HomeAssistant, phones: Phones, asked: _Asked, asks: Sequence[Ask]
    ) -> None:
        self._hass = hass
        self.asks = asks
        self._asked = asked
        self._answer: asyncio.Future[bool] = hass.loop.create_future()
        token = secrets.token_urlsafe(24)
        self._tag = f"{DOMAIN}_{secrets.token_hex(8)}"
        self._yes, self._no = f"{token}_yes", f"{token}_no"
        self._expires = monotonic() + ANSWER_SECONDS
        self.phones = phones
        self._stop = [
            hass.bus.async_listen(_EVENT, self._on_action),
            hass.loop.call_later(ANSWER_SECONDS, self._on_end).cancel,
        ]

    async def async_show(self, title: str, message: str, sentences: Sentences) -> None:
        """Show the question on all phones; raises PhoneError if it reaches none."""
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
        """Wait for the answer; return whether the person said yes in time."""
        try:
            if not await self._answer:
                return False
            # They may have lost their user, their rights or the phone meanwhile.
            now = await async_phones_of(self._hass, self.phones.person)
        except PhoneError:
            return False
        finally:
            self.close()
        asked = self.phones
        return (now.user_id, now.is_admin) == (asked.user_id, asked.is_admin)

    async def async_tell(self, text: str) -> None:
        """Show what was done."""
        with suppress(PhoneError):
            await self._async_send(text)

    @callback
    def close(self) -> None:
        """Take the question back if it is open."""
        if not self._stop:
            return
        while self._stop:
            self._stop.pop()()
        self._asked.is_open = False
        self._on_end()
        if not self._answer.result():
            self._hass.async_create_task(self.async_tell("clear_notification"))

    def _on_end(self) -> None:
        if not self._answer.done():
            self._answer.set_result(False)

    @callback
    def _on_action(self, event: Event) -> None:
        """Take the first answer with the token, whoever sent it."""
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
        """Send to all phones; the tag lets it replace the notification before."""
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
    """Ask a person by phone, in the words of the spoken question; raises PhoneError."""
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
    asks = as_spoken(asks)
    called = worded(hass, asks, speaker.sentence, language_of(speaker.language))
    question = sentences("question", actions=actions_text(sentences, called))
    agent = hass.states.get(agent_id)
    opened = PhoneQuestion(hass, phones, asked, asks)
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
