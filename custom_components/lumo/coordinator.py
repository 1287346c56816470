"""The coordinator owns an account's client, its limits and its availability."""

from datetime import timedelta
import os
from typing import override

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.exceptions import ConfigEntryAuthFailed, ConfigEntryError
from homeassistant.helpers.httpx_client import create_async_httpx_client
from homeassistant.helpers.update_coordinator import DataUpdateCoordinator, UpdateFailed
import httpx

from .const import CONF_SIGN_IN, DOMAIN, LOGGER, SignIn
from .lumo_client.auth import Credential, GuestCredential, SessionCredential
from .lumo_client.client import LumoClient
from .lumo_client.endpoints import Endpoints, endpoints_from_environment
from .lumo_client.errors import (
    BadRequestError,
    ConfigurationError,
    LumoAuthError,
    LumoConnectionError,
    LumoError,
    ProtocolError,
    ServerError,
    StreamInterruptedError,
)
from .lumo_client.events import Limits
from .lumo_client.session import Session
from .session_store import SessionStore

# Limits arrive with every answer, so a poll only finds out whether Lumo is there:
# rarely while it is, every minute while it is not.
UPDATE_INTERVAL_CONNECTED = timedelta(hours=12)
UPDATE_INTERVAL_DISCONNECTED = timedelta(minutes=1)

type LumoConfigEntry = ConfigEntry[LumoCoordinator]


async def async_endpoints(hass: HomeAssistant) -> Endpoints:
    """Return where Lumo is: Proton, or the development server of the environment.

    Raises ConfigurationError when the environment names a server but not properly.
    """
    return await hass.async_add_executor_job(endpoints_from_environment, os.environ)


async def async_probe(client: LumoClient) -> Limits | None:
    """Find out whether the service is there and accepts this account.

    Asks for the limits; None when it does not tell them. Whether a guest may ask at
    all is not known, so a refusal means nothing for one. Raises LumoError.
    """
    try:
        return await client.limits()
    except ProtocolError, BadRequestError:
        return None
    except LumoAuthError:
        if client.credential.kind != SignIn.GUEST.value:
            raise
        return None


class LumoCoordinator(DataUpdateCoordinator[Limits | None]):
    """Own the client of one account; the data is what is left of its quota."""

    config_entry: LumoConfigEntry
    client: LumoClient

    def __init__(self, hass: HomeAssistant, config_entry: LumoConfigEntry) -> None:
        """Prepare the coordinator; the client is made at the first refresh."""
        super().__init__(
            hass,
            LOGGER,
            config_entry=config_entry,
            name=config_entry.title,
            update_interval=UPDATE_INTERVAL_CONNECTED,
            always_update=False,
        )
        self.store = SessionStore(hass, config_entry.entry_id)
        self.endpoints: Endpoints
        self._guest: GuestCredential | None = None
        self._guest_cookies: dict[str, str] = {}
        # One HTTP client an account: its cookie jar must not mix accounts and guests.
        self._http = create_async_httpx_client(hass, auto_cleanup=False)

    @override
    async def _async_setup(self) -> None:
        """Make the client."""
        try:
            self.endpoints = await async_endpoints(self.hass)
        except ConfigurationError as err:
            raise ConfigEntryError(str(err)) from err
        if self.endpoints.development:
            LOGGER.warning("Using a development server instead of Proton's")
        self.client = LumoClient(
            self._http,
            self.endpoints,
            await self._async_credential(),
            run_blocking=self.hass.async_add_executor_job,
        )

    async def _async_credential(self) -> Credential:
        """Return what this entry signs in with."""
        if self.config_entry.data[CONF_SIGN_IN] == SignIn.GUEST:
            self._guest_cookies = await self.store.async_cookies()
            self._guest = GuestCredential(self._http, cookies=self._guest_cookies)
            return self._guest
        if (tokens := await self.store.async_tokens(self.config_entry)) is None:
            raise ConfigEntryAuthFailed(
                translation_domain=DOMAIN, translation_key="session_expired"
            )
        return SessionCredential(
            Session(self._http, self.endpoints, tokens, self.store.async_save_tokens)
        )

    @override
    async def _async_update_data(self) -> Limits | None:
        """Ask for the limits: proves that the account is accepted."""
        self.update_interval = UPDATE_INTERVAL_DISCONNECTED
        try:
            limits = await async_probe(self.client)
        except LumoAuthError as err:
            raise ConfigEntryAuthFailed(
                translation_domain=DOMAIN, translation_key=err.code
            ) from err
        except LumoError as err:
            raise UpdateFailed(
                translation_domain=DOMAIN, translation_key=err.code
            ) from err
        self.update_interval = UPDATE_INTERVAL_CONNECTED
        return limits

    async def async_turn_ended(
        self, error: LumoError | None, limits: Limits | None
    ) -> None:
        """Take what a turn learned about the account and the service."""
        if isinstance(error, LumoAuthError):
            self.config_entry.async_start_reauth(self.hass)
        elif _unreachable(error):
            self._mark_unreachable()
        else:
            self.update_interval = UPDATE_INTERVAL_CONNECTED
            self.async_set_updated_data(limits or self.data)
        await self._async_save_guest()

    async def _async_save_guest(self) -> None:
        """Keep the guest's cookies: a new one at each start would dodge the quota."""
        if self._guest and (cookies := self._guest.cookies) != self._guest_cookies:
            self._guest_cookies = cookies
            await self.store.async_save_cookies(cookies)

    @callback
    def _mark_unreachable(self) -> None:
        """Note that the service is away, and look again soon."""
        self.update_interval = UPDATE_INTERVAL_DISCONNECTED
        if self.last_update_success:
            self.last_update_success = False
            self.async_update_listeners()
            if self._listeners and not self.hass.is_stopping:
                self._schedule_refresh()

    @override
    async def async_shutdown(self) -> None:
        """Stop polling and close the connections of this account."""
        await super().async_shutdown()
        # Home Assistant guards its shared client against being closed by wrapping
        # `aclose` of each instance; this one is ours alone.
        await httpx.AsyncClient.aclose(self._http)


def _unreachable(error: LumoError | None) -> bool:
    """Return whether a failure means that the service is away, not just one answer."""
    return isinstance(error, LumoConnectionError | ServerError) and not isinstance(
        error, StreamInterruptedError
    )
