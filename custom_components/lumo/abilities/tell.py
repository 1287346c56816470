"""Tell: announce to satellites, send to phones, and make a phone ring.

Satellites are called by their areas and floors, exposed or not; persons must be exposed.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
import re
from typing import Any, ClassVar, Final, override

from homeassistant.const import STATE_HOME, STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.util import dt as dt_util

from ..const import DOMAIN
from ..gate.effects import RING, Effect
from ..gate.names import entity_area, name_of
from ..gate.own_tool import Arguments, Caller
from ..gate.places import satellites_of
from ..gate.speaker import people_of
from ..internals import PHONES, notify_actions
from ..languages.words import parts_of
from ..text import as_compared
from .ability import ActingAbility, ActionPlan, can, schema, texts
from .finder import Finder, UnclearError, texts_given
from .triggers import SELF

_SATELLITE: Final = "assist_satellite"
# AssistSatelliteEntityFeature.ANNOUNCE; its module needs libraries for audio.
_ANNOUNCES: Final = 1
# Shorter than the gate waits for an action.
_SECONDS: Final = 9.0
_EXPOSE: Final = "Persons must be exposed: Settings > Voice assistants > Expose."
_LINK: Final = re.compile(r"\w+://|\bwww\.|\w\.[a-z]{2,}(?:\b|/)", re.IGNORECASE)
_WAKES: Final = 7
_SLEEPS: Final = 22
# What rings although the phone is silent: on Android, and on iOS where that is allowed.
# https://companion.home-assistant.io/docs/notifications/critical-notifications/
LOUD: Final = {
    "ttl": 0,
    "priority": "high",
    "channel": "alarm_stream",
    "push": {"sound": {"name": "default", "critical": 1, "volume": 1.0}},
}


class Tell(ActingAbility):
    """Tells people something, where they are or on their phones."""

    name = f"{DOMAIN}__tell"
    title = "Tell somebody"
    description = "Announce or send a message; find a phone: of whom, or me."
    parameters = schema("message", "find_phone", "to: areas, floors, persons or all")
    replaces: ClassVar = frozenset({"assist_satellite__HassBroadcast"})
    is_divisible = False
    hands_on: ClassVar = True
    unshown: ClassVar = frozenset({"message"})

    @override
    def is_useful(self) -> bool:
        hass = self.context.hass
        return bool(hass and (self._satellites() or notify_actions(hass)))

    @override
    def is_there(self, entity_id: str) -> bool:
        satellites = (state.entity_id for state in self._satellites())
        return entity_id in satellites or super().is_there(entity_id)

    @override
    def plan(self, arguments: Arguments) -> ActionPlan:
        given, people = texts(arguments), self.exposed("person")
        if whose := given.get("find_phone"):
            return self._ring(whose, people)
        message = given.get("message", "")
        if not message or _LINK.search(message):
            raise HomeAssistantError("A message has words, and carries no link.")
        names, satellites = texts_given(arguments, "to"), self._satellites()
        parts = [x for name in names for x in parts_of(name, self.language)]
        if own := [x for x in parts if as_compared(x) in SELF]:
            names = [self._own(people).entity_id if x in own else x for x in parts]
        finder = Finder(self.hass, [*satellites, *(people if names else ())])
        try:
            found = finder.find({"name": names}, nearby=False).states
        except UnclearError as err:
            raise HomeAssistantError(f"Nobody was told. {err} {_EXPOSE}") from err
        effects: dict[str, Effect] = {}
        for state in found:
            near = self._near(state) if state.domain == "person" else [state]
            service = "announce" if near else "notify"
            for item in near or [state]:
                effect = Effect(item.entity_id, service, {"message": message})
                effects[item.entity_id] = effect
        return ActionPlan(tuple(effects.values()))

    def _satellites(self) -> list[State]:
        """Return those that announce, without the one that was spoken to."""
        scope, here = self.context.scope, satellites_of(self.hass, self.speaker)
        return [
            state
            for state in self.hass.states.async_all(_SATELLITE)
            if can(state, _ANNOUNCES)
            and state.entity_id not in here
            and (scope is None or scope.acts(state.entity_id))
            # To announce there is a telephone call.
            and self.made_by(state.entity_id) != "voip"
        ]

    def _near(self, person: State) -> list[State]:
        """Return the satellites of a person who is at home: by a rule, or by name."""
        name = as_compared(person.name).partition(" ")[0]

        def is_theirs(entity_id: str) -> bool:
            area = entity_area(self.hass, entity_id)
            called = f"{name_of(self.hass, entity_id)} {area.name if area else ''}"
            words = re.findall(r"\w+", as_compared(called))
            owner = self.context.owner_of(entity_id)
            return owner == person.entity_id or not {name, f"{name}s"}.isdisjoint(words)

        near = self._satellites() if person.state == STATE_HOME else []
        return [item for item in near if is_theirs(item.entity_id)]

    def _ring(self, whose: str, people: list[State]) -> ActionPlan:
        finder, is_own = Finder(self.hass, people), as_compared(whose) in SELF
        person = self._own(people) if is_own else finder.one({"name": whose})
        speaker, hour = self.speaker, dt_util.now().hour
        if not (speaker.is_person and speaker.user_id) and not _WAKES <= hour < _SLEEPS:
            raise HomeAssistantError(
                "At night a phone rings only for who is signed in, not at a satellite."
            )
        data = {"message": self.language.said["phone"], "data": LOUD}
        return ActionPlan((Effect(person.entity_id, RING, data),))

    def _own(self, people: list[State]) -> State:
        # Also of a plan that is due.
        own = people_of(self.hass, self.speaker.user_id)
        found = [item for item in people if item in own]
        if not found:
            raise HomeAssistantError(f"Ask who the person is. {_EXPOSE}")
        return found[0]

    @override
    async def _async_act(self, effects: Sequence[Effect], context: Caller) -> list[Any]:
        calls = (self._async_tell(effect, context) for effect in effects)
        tasks = [*map(self.hass.async_create_task, calls)]
        if tasks:
            await asyncio.wait(tasks, timeout=_SECONDS)
        late = HomeAssistantError("no answer within ten seconds")
        return [task.exception() if task.done() else late for task in tasks]

    async def _async_tell(self, effect: Effect, context: Caller) -> None:
        entity_id, data = effect.entity_id, dict(effect.data)
        if effect.service == "announce":
            await async_announce(self.hass, entity_id, data["message"], context)
            return
        state = self.hass.states.get(entity_id)
        if state is None or not (phones := phones_of(self.hass, state)):
            raise HomeAssistantError("has no phone with the app")
        user = await self.async_user(context)
        if "data" not in data:
            data["message"] = quoted(data["message"])
            data |= {"title": user.name} if user and user.name else {}
        call = partial(self.hass.services.async_call, "notify", blocking=True)
        await asyncio.gather(*(call(x, data, context=context) for x in phones))


def quoted(message: str) -> str:
    """Return a message that is no command to the app: those have no such marks."""
    return f"“{message}”"


async def async_announce(
    hass: HomeAssistant, satellite_id: str | None, message: str, context: Caller = None
) -> None:
    """Say something at a satellite. Raises HomeAssistantError."""
    state = hass.states.get(satellite_id or "")
    if state is None or state.state == STATE_UNAVAILABLE:
        raise HomeAssistantError("not reachable")
    data = {"entity_id": satellite_id, "message": message}
    await hass.services.async_call(
        _SATELLITE, "announce", data, blocking=True, context=context
    )


def phones_of_user(hass: HomeAssistant, user_id: str | None) -> list[str]:
    """Return what sends to the phones of the person who a user is."""
    people = people_of(hass, user_id)
    return [action for person in people for action in phones_of(hass, person)]


def phones_of(hass: HomeAssistant, person: State) -> dict[str, str]:
    """Return what sends to a person's phones, with the id of the user of each."""
    actions, registry = notify_actions(hass), er.async_get(hass)
    found: dict[str, str] = {}
    trackers = map(registry.async_get, person.attributes.get("device_trackers", ()))
    own = {known.config_entry_id for known in trackers if known}
    for entry in hass.config_entries.async_entries(PHONES):
        action = actions.get(entry.data.get("webhook_id", ""))
        if action and entry.entry_id in own:
            found[action] = entry.data.get("user_id", "")
    return found
