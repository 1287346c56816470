"""The coordinator owns an account's client, what is left of it and its availability.

    the sign-in is refused                  one request to sign in again
    nobody answers, or the service is down  unavailable, looked at every minute
    Proton refuses this version             unavailable and an issue, looked at hourly
    no requests are left                    an issue after a few, looked at hourly
    anything else                           the sentence of that turn, no more

Without Lumo it is set up all the same: the agents do what Home Assistant understands.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Self, override

from homeassistant.config_entries import SOURCE_REAUTH, ConfigEntry
from homeassistant.const import CONF_API_KEY
from homeassistant.core import HassJob, HomeAssistant, callback
from homeassistant.exceptions import (
    ConfigEntryAuthFailed,
    ConfigEntryError,
    ConfigEntryNotReady,
)
from homeassistant.helpers.httpx_client import create_async_httpx_client
from homeassistant.helpers.update_coordinator import DataUpdateCoordinator, UpdateFailed
from homeassistant.util import dt as dt_util

from .abilities.note_store import Notes
from .abilities.plans import End, Plans, ScheduledTask
from .abilities.routine_store import Routine, Routines
from .agent.approved import Agent, async_ask_administrator, async_end_plan
from .agent.record import COUNTED, Ledger, Quota, TurnRecord
from .const import CONF_API_KEY_EXPIRES, CONF_PUBLIC_KEY, DEFAULT_TITLE, DOMAIN, LOGGER
from .gate.call_record import Journal
from .internals import async_close
from .issues.problems import (
    Problems,
    async_end_repair_flows,
    async_show_problems,
    is_away,
    is_outdated,
)
from .lumo_client.auth import ApiKeyCredential, Credential, GuestCredential, Session
from .lumo_client.client import LumoClient
from .lumo_client.encryption import PublicKeyInfo, describe_public_key
from .lumo_client.endpoints import LUMO_KEY_INFO, LUMO_PUBLIC_KEY, Endpoints
from .lumo_client.errors import (
    ApiKeyNotRecognisedError,
    ConfigurationError,
    HumanVerificationError,
    LumoAuthError,
    LumoError,
    LumoTimeoutError,
    RateLimitError,
)
from .lumo_client.events import Limits, Usage
from .repairs import async_tell_made
from .sign_in.connection import async_endpoints, async_probe
from .sign_in.session_store import SessionStore
from .sign_in.ways import credential_of

# Limits arrive with every answer: a poll only asks whether Lumo is there. In between
# is what passes, but not soon: an empty quota, a version that is refused.
UPDATE_INTERVAL_CONNECTED = timedelta(hours=12)
UPDATE_INTERVAL_PASSING = timedelta(hours=1)
UPDATE_INTERVAL_DISCONNECTED = timedelta(minutes=1)
# Home Assistant's start waits for the first poll.
_POLL_SECONDS = 10.0

type LumoConfigEntry = ConfigEntry[LumoCoordinator]


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountState:
    """What the coordinator hands out; None is unknown."""

    limits: Limits | None = None
    totals: Counter[str] = field(default_factory=Counter)
    """Sums over all turns since the start; keys as in `COUNTED`."""
    first_word: float | None = None
    """Seconds until the last turn said something."""

    def after_turn(self, record: TurnRecord) -> Self:
        """Return the state after a turn."""
        totals = self.totals + Counter({key: getattr(record, key) for key in COUNTED})
        if (first_word := record.first_word) is None:
            first_word = self.first_word
        return replace(self, totals=totals, first_word=first_word)


class LumoCoordinator(DataUpdateCoordinator[AccountState]):
    """Own the client of one account and what is known about it."""

    config_entry: LumoConfigEntry
    client: LumoClient
    endpoints: Endpoints

    def __init__(self, hass: HomeAssistant, config_entry: LumoConfigEntry) -> None:
        super().__init__(
            hass,
            LOGGER,
            config_entry=config_entry,
            # For the log: no name of an account.
            name=DEFAULT_TITLE,
            update_interval=UPDATE_INTERVAL_CONNECTED,
            always_update=False,
        )
        self.data = AccountState()
        self.store = SessionStore(hass, config_entry.entry_id)
        self.problems = Problems(
            api_key_expires=_end_of_day(config_entry.data.get(CONF_API_KEY_EXPIRES))
        )
        self.public_key: PublicKeyInfo | None = None
        self.quota = Quota()
        self.journal = Journal()
        self.plans = Plans(
            hass,
            config_entry.entry_id,
            self._async_end_plan,
            self.async_update_listeners,
        )
        self.routines = Routines(hass, config_entry.entry_id, self._routines_changed)
        self.agents: dict[str, Agent] = {}
        """What carries plans out, by the ids of subentries."""
        self.notes = Notes(hass, config_entry.entry_id)
        self.sizes: dict[str, Ledger] = {}
        """Characters of the parts of each agent's last request."""
        self._credential = Credential()
        # One HTTP client an account: its cookie jar must not mix accounts and guests.
        self._http = create_async_httpx_client(hass, auto_cleanup=False)
        config_entry.async_on_unload(
            hass.async_add_shutdown_job(HassJob(self._async_stop))
        )

    async def async_start(self) -> None:
        """Make the client and poll; Lumo may be away. Raises a `ConfigEntry...` error."""
        try:
            await self.async_config_entry_first_refresh()
        except ConfigEntryNotReady:
            if not isinstance(self.last_exception, UpdateFailed):
                raise
            LOGGER.warning("%s is set up without an answer of the service", self.name)

    @override
    async def _async_setup(self) -> None:
        try:
            self.endpoints = await async_endpoints(self.hass, self.config_entry.data)
            data, key = self.config_entry.data, self.endpoints.public_key
            if credential_of(data).encrypted and CONF_PUBLIC_KEY in data:
                self.public_key = await self.hass.async_add_executor_job(
                    describe_public_key, key
                )
            elif credential_of(data).encrypted and key == LUMO_PUBLIC_KEY:
                self.public_key = LUMO_KEY_INFO
            if self.public_key:
                self.problems.key_expires = self.public_key.expires
        except ConfigurationError as err:
            raise ConfigEntryError(
                translation_domain=DOMAIN,
                translation_key="wrong_configuration",
                translation_placeholders={"reason": str(err)},
            ) from err
        if self.endpoints.development:
            LOGGER.warning("Using a development server instead of Proton's")
        await self.notes.async_load()
        self._credential = await self._async_credential()
        self.client = LumoClient(self._http, self.endpoints, self._credential)

    async def _async_credential(self) -> Credential:
        kind = credential_of(self.config_entry.data)
        if kind is GuestCredential:
            return GuestCredential(self._http, await self.store.async_cookies())
        if kind is ApiKeyCredential:
            return ApiKeyCredential(self.config_entry.data[CONF_API_KEY])
        tokens = await self.store.async_tokens(self.config_entry)
        if tokens is None:
            async_end_repair_flows(self.hass, self.config_entry)
            raise ConfigEntryAuthFailed(
                translation_domain=DOMAIN, translation_key="session_expired"
            )
        return Session(self._http, self.endpoints, tokens, self.store.async_save_tokens)

    @override
    async def _async_update_data(self) -> AccountState:
        try:
            async with asyncio.timeout(_POLL_SECONDS):
                limits = await async_probe(self.client)
        except (LumoError, TimeoutError) as err:
            self._poll_failed(err if isinstance(err, LumoError) else LumoTimeoutError())
            return self.data  # The service is there: it only has no time for a poll.
        self.quota.note(limits)
        self.problems.after_poll(limits)
        await self._async_save()
        self._show_problems()
        self.update_interval = self._interval(None)
        return replace(self.data, limits=limits or self.data.limits)

    def _poll_failed(self, err: LumoError) -> None:
        self.problems.refused_in_poll = is_outdated(err)
        self._show_problems()
        self.update_interval = self._interval(err, poll=True)
        if isinstance(err, LumoAuthError):
            async_end_repair_flows(self.hass, self.config_entry)
            if isinstance(err, HumanVerificationError):
                # Not refused: Proton wants to see a human first.
                self.config_entry.async_start_reauth(self.hass)
                raise UpdateFailed(translation_domain=DOMAIN, translation_key=err.code)
            raise ConfigEntryAuthFailed(
                translation_domain=DOMAIN, translation_key=err.code
            ) from err
        if isinstance(err, RateLimitError):
            return
        # What a server asks for is honored, as long as a poll may wait.
        wait = err.retry_after
        raise UpdateFailed(
            translation_domain=DOMAIN,
            translation_key=err.code,
            retry_after=None if wait is None else min(max(wait, 60.0), 3600.0),
        ) from err

    @callback
    def count(self, record: TurnRecord) -> None:
        """Add a turn, or other requests, to what was used of the account."""
        if not self._http.is_closed:
            self.data = self.data.after_turn(record)
        if record.at_home:
            self.async_update_listeners()

    async def async_turn_ended(
        self, error: LumoError | None, usage: Usage | None
    ) -> None:
        """Note what a turn learned about the account and the service."""
        if self._http.is_closed:
            return  # Unloaded meanwhile.
        if error is None and self.client.served_as_guest(usage):
            error = ApiKeyNotRecognisedError()
        self.problems.after_turn(error)
        await self._async_save()
        self._show_problems()
        self.update_interval = self._interval(error)
        if isinstance(error, LumoAuthError):
            self._turn_failed(error)
            self._async_unsub_refresh()
            async_end_repair_flows(self.hass, self.config_entry)
            self.config_entry.async_start_reauth(self.hass)
        elif error and (is_away(error) or is_outdated(error)):
            self._turn_failed(error)
        else:
            if not self.last_update_success:
                LOGGER.info("%s answers again", self.name)
            entry = self.config_entry
            # An answer shows that requests to sign in again were wrong.
            for flow in list(entry.async_get_active_flows(self.hass, {SOURCE_REAUTH})):
                if error is None:
                    self.hass.config_entries.flow.async_abort(flow["flow_id"])
            limits = (usage and usage.remaining) or self.data.limits
            self.async_set_updated_data(replace(self.data, limits=limits))

    @callback
    def _turn_failed(self, error: LumoError) -> None:
        was_there = self.last_update_success
        self.async_set_update_error(
            UpdateFailed(translation_domain=DOMAIN, translation_key=error.code)
        )
        if was_there and self._listeners and not self.hass.is_stopping:
            self._schedule_refresh()

    def _interval(self, error: LumoError | None, *, poll: bool = False) -> timedelta:
        if error and is_away(error):
            return UPDATE_INTERVAL_DISCONNECTED
        if (error and poll) or is_outdated(error) or self.problems.quota_refusals:
            return UPDATE_INTERVAL_PASSING
        return UPDATE_INTERVAL_CONNECTED

    @callback
    def _show_problems(self) -> None:
        async_show_problems(
            self.hass, self.config_entry, self.problems.current(dt_util.utcnow())
        )

    async def _async_save(self) -> None:
        """Write a session that could not be stored so far, or a guest's cookies."""
        match self._credential:
            case Session():
                self.problems.not_stored = not await self.store.async_save_again()
            case GuestCredential(cookies=cookies):
                await self.store.async_save_cookies(cookies)

    async def _async_stop(self) -> None:
        """Let a session that is being renewed get its answer, else it is lost."""
        if isinstance(self._credential, Session):
            await self._credential.stop()
            await self._async_save()

    async def _async_end_plan(self, plan: ScheduledTask, end: End) -> None:
        agent = self.agents.get(plan.agent)
        await async_end_plan(self.hass, plan, end, agent, self.plans)

    @callback
    def _routines_changed(self, routine_id: str, new: Routine | None) -> None:
        """Show what waits; tell administrators what was made, or ask one by phone."""
        hass, entry, drafts = self.hass, self.config_entry, self.routines.drafts
        self.problems.has_drafts = bool(drafts)
        self._show_problems()
        if new and new is drafts.get(routine_id):
            if agent := self.agents.get(new.agent):
                ask = async_ask_administrator(agent, self.routines, routine_id, new)
                entry.async_create_background_task(
                    hass, ask, "A routine waits for a phone"
                )
        elif new:
            hass.async_create_task(async_tell_made(hass, str(new.item["alias"])))

    @override
    async def async_shutdown(self) -> None:
        await super().async_shutdown()
        await self.plans.async_stop()
        await self.routines.async_stop()
        await self.notes.async_stop()
        await self._async_stop()
        await async_close(self._http)


def _end_of_day(day: str | None) -> datetime | None:
    if day is None or (date := dt_util.parse_date(day)) is None:
        return None
    return dt_util.start_of_local_day(date) + timedelta(days=1)
