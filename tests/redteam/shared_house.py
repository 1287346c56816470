"""One house for the tests of a file, put back after each of them.

To build it takes as long as an attack. After a test states, services, users and timers
are put back. Where anything else has changed, the next test has a new house.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any

from freezegun import freeze_time
from homeassistant import loader
from homeassistant.components import persistent_notification
from homeassistant.components.homeassistant.const import DATA_EXPOSED_ENTITIES
from homeassistant.components.intent.const import TIMER_DATA
from homeassistant.config_entries import ConfigEntryState, ConfigFlow
from homeassistant.core import (
    DOMAIN as HOME_ASSISTANT,
    HomeAssistant,
    Service,
    State,
    _hass,
)
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    frame,
    issue_registry as ir,
    label_registry as lr,
    translation,
)
from homeassistant.helpers.chat_session import DATA_CHAT_SESSION
from homeassistant.helpers.llm import APIS_CACHE
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import (
    async_test_home_assistant,
    mock_config_flow,
    mock_storage,
)

from custom_components.lumo import PLATFORMS
from custom_components.lumo.const import DOMAIN as LUMO

from .entities import DOMAIN
from .house import SATELLITE, House
from .stage import Clock

type Furnish = Callable[[HomeAssistant], Awaitable[None]]


class NoFlow(ConfigFlow):
    """The house is not set up by anybody."""


class SharedHouse:
    """The house of a file, and what it was like before a test."""

    def __init__(self) -> None:
        self.storage: dict[str, Any] = {}
        """What Home Assistant has stored, by the names of files."""
        self.clock: Clock
        """It never goes back, as long as the house stands."""
        self._stack = AsyncExitStack()
        self._house: House | None = None
        self._failures: list[Exception] = []
        self._states: dict[str, State] = {}
        self._users: set[str] = set()
        self._services: dict[tuple[str, str], Service] = {}
        self._rest: dict[str, Any] = {}

    async def async_get(self, furnish: Furnish | None) -> House:
        """Return the house, built and furnished if there is none that is as it was."""
        if self._house is None:
            self._house = await self._async_build()
            if furnish:
                await furnish(self._house.hass)
        hass = self._house.hass
        _hass.hass = hass
        # What is "today" does not depend on when the tests run.
        if not 8 <= (now := dt_util.now()).hour < 16:
            morning = now.replace(hour=8, minute=0) + timedelta(days=now.hour >= 16)
            self.clock.move_to(dt_util.as_utc(morning))
        frame.async_setup(hass)
        self._states = {state.entity_id: state for state in hass.states.async_all()}
        self._users = {user.id for user in await hass.auth.async_get_users()}
        self._services = _services(hass)
        self._rest = _rest(hass)
        return self._house

    async def async_put_back(self) -> None:
        """Put the house back after a test, or give it up; the agent is gone by then.

        Raises what has failed in the background.
        """
        house = self._house
        assert house is not None
        hass = house.hass
        await hass.async_block_till_done()
        for domain, service in _services(hass).keys() - self._services:
            hass.services.async_remove(domain, service)
        for user in await hass.auth.async_get_users():
            if user.id not in self._users:
                # The first one owns the home, and cannot be removed otherwise.
                await hass.auth._store.async_remove_user(user)
        for timer in [*hass.data[TIMER_DATA].timers]:
            hass.data[TIMER_DATA].cancel_timer(timer)
        persistent_notification.async_dismiss_all(hass)
        # A conversation belongs to who began it.
        sessions = hass.data.get(DATA_CHAT_SESSION, {})
        for conversation_id in [*sessions]:
            sessions.pop(conversation_id).async_cleanup()
        house.move_satellite("kitchen")
        if (
            house.is_spoiled
            or _services(hass) != self._services
            or _rest(hass) != self._rest
        ):
            await self.async_end()
        else:
            house.restore()
            self._put_states_back(hass)
            await hass.async_block_till_done()
            house.timers.clear()
            house.effects.clear()
        if self._failures:
            raise self._failures.pop()

    async def async_end(self) -> None:
        """Stop Home Assistant, if it runs."""
        house, self._house = self._house, None
        if house is None:
            return
        for entry in house.hass.config_entries.async_entries():
            if entry.state is ConfigEntryState.LOADED:
                await house.hass.config_entries.async_unload(entry.entry_id)
        await house.hass.async_stop(force=True)
        await self._stack.aclose()
        vars(_hass).clear()
        frame._hass.hass = None

    async def _async_build(self) -> House:
        # From the beginning: a frozen monotonic clock counts from another time.
        frozen = freeze_time(dt_util.utcnow(), tick=True, real_asyncio=True)
        self.clock = self._stack.enter_context(frozen)
        self.storage = self._stack.enter_context(mock_storage())
        hass = await self._stack.enter_async_context(async_test_home_assistant())
        asyncio.get_running_loop().set_exception_handler(self._note_failure)
        frame.async_setup(hass)
        await translation.async_load_integrations(hass, {HOME_ASSISTANT})
        hass.data.pop(loader.DATA_CUSTOM_COMPONENTS)
        self._stack.enter_context(mock_config_flow(DOMAIN, NoFlow))
        house = House(hass)
        await house.async_build()
        for domain in (*PLATFORMS, LUMO):
            assert await async_setup_component(hass, domain, {})
        return house

    def _note_failure(
        self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]
    ) -> None:
        failure = context.get("exception")
        self._failures.append(failure or RuntimeError(context["message"]))
        loop.default_exception_handler(context)

    def _put_states_back(self, hass: HomeAssistant) -> None:
        registry = er.async_get(hass)
        for state in hass.states.async_all():
            if state.entity_id not in self._states:
                hass.states.async_remove(state.entity_id)
        for entity_id, state in self._states.items():
            if entity_id == SATELLITE or not registry.async_get(entity_id):
                hass.states.async_set(entity_id, state.state, state.attributes)
        exposed = hass.data[DATA_EXPOSED_ENTITIES].entities
        for entity_id in exposed.keys() - self._states:
            del exposed[entity_id]


def _services(hass: HomeAssistant) -> dict[tuple[str, str], Service]:
    return {
        (domain, name): service
        for domain, services in hass.services.async_services_internal().items()
        for name, service in services.items()
    }


def _rest(hass: HomeAssistant) -> dict[str, Any]:
    """Return what is not put back, without what is the agent's."""
    config = hass.config
    return {
        "components": {name for name in config.components if LUMO not in name},
        "config": (config.config_dir, config.language, config.time_zone),
        "entries": {*hass.config_entries.async_entry_ids()},
        "APIs": {*hass.data[APIS_CACHE]},
        "issues": {*ir.async_get(hass).issues},
        "running": {
            state.entity_id
            for state in hass.states.async_all("script")
            if state.state == "on"
        },
        "entities": {
            entry.entity_id: (
                *(entry.id, entry.name, entry.area_id, entry.labels, entry.aliases),
                *(entry.options, entry.hidden_by, entry.disabled_by),
            )
            for entry in er.async_get(hass).entities.values()
        },
        "devices": {
            device.id: (device.area_id, device.labels, device.name_by_user)
            for device in dr.async_get(hass).devices
        },
        "areas": {
            area.id: (area.name, area.floor_id, area.labels, area.aliases)
            for area in ar.async_get(hass).areas.values()
        },
        "labels": {*lr.async_get(hass).labels},
    }
