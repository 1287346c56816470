"""What every way to sign in needs of the config flow.

The unique id of an entry is Proton's id of the account where it is known, else that of
the session, a hash of the API key, or "guest".
"""

from collections.abc import Mapping
from typing import Any

from homeassistant.config_entries import (
    SOURCE_REAUTH,
    SOURCE_RECONFIGURE,
    ConfigEntry,
    ConfigFlow,
    ConfigFlowResult,
)
from homeassistant.const import CONF_USERNAME
from homeassistant.core import callback
from homeassistant.data_entry_flow import AbortFlow
from homeassistant.helpers.selector import Selector, selector
from homeassistant.util.ulid import ulid_now
import probatio

from ..const import (
    CONF_PUBLIC_KEY,
    CONF_SIGN_IN,
    CONF_SIGN_IN_ID,
    CONF_UID,
    CONF_USER_ID,
    DOMAIN,
    LOGGER,
    SUBENTRY_AI_TASK,
    SUBENTRY_CONVERSATION,
    SignIn,
)
from ..issues.home_issues import usual_options
from ..lumo_client.auth import Session, Tokens
from ..lumo_client.client import LumoClient
from ..lumo_client.errors import LumoError
from .connection import async_endpoints, async_http_client, async_probe
from .session_store import async_own_session, async_sign_out
from .ways import credential_of, free_title, is_ours, made_session, title_of


class SignInError(Exception):
    """A sign-in that cannot be stored; its text is a translation key."""


class SignInSteps(ConfigFlow):
    """The part of the config flow that the ways to sign in share."""

    def __init__(self) -> None:
        self._renewed: dict[str, Tokens] = {}
        """New tokens by the refresh token that a person gave."""

    @property
    def _entry(self) -> ConfigEntry | None:
        if self.source == SOURCE_REAUTH:
            return self._get_reauth_entry()
        if self.source == SOURCE_RECONFIGURE:
            return self._get_reconfigure_entry()
        return None

    def _stored(self, key: str) -> Any:
        return self._entry.data.get(key) if self._entry else None

    async def _async_accept(self, tokens: Tokens) -> tuple[Tokens, str | None]:
        """Return an accepted session, whose tokens may be new, and the account's id.

        Raises LumoError.
        """
        given = tokens.refresh_token

        async def keep(renewed: Tokens) -> None:
            # For the next attempt, should this one fail after all.
            self._renewed[given] = renewed

        async with async_http_client(self.hass) as http:
            endpoints = await async_endpoints(self.hass)
            session = Session(http, endpoints, self._renewed.get(given, tokens), keep)
            await async_probe(LumoClient(http, endpoints, session))
            try:
                user_id = await session.user_id()
            except LumoError:
                # Lumo answers, that is enough.
                user_id = None
            return session.tokens, user_id

    async def _async_finish(
        self, way: SignIn, data: dict[str, Any], unique_id: str
    ) -> ConfigFlowResult:
        """Store a sign-in that works: in a new entry, or in the one that asked.

        Raises AbortFlow, or SignInError if it is another account.
        """
        data = {CONF_SIGN_IN: way.value, CONF_SIGN_IN_ID: ulid_now(), **data}
        if entry := self._entry:
            return await self._async_change(entry, data, unique_id)
        await self.async_set_unique_id(unique_id)
        self._abort_if_unique_id_configured()
        title = free_title(self.hass, title_of(data))
        return self.async_create_entry(
            title=title,
            data=data,
            subentries=[
                {"subentry_type": kind, "data": opts, "title": name, "unique_id": None}
                for kind, opts, name in (
                    (SUBENTRY_CONVERSATION, usual_options(self.hass), title),
                    (SUBENTRY_AI_TASK, {}, free_title(self.hass, f"{title} AI Task")),
                )
            ],
        )

    async def _async_change(
        self, entry: ConfigEntry, data: dict[str, Any], unique_id: str
    ) -> ConfigFlowResult:
        """Give an entry another sign-in; its agents and its public key stay."""
        before, now = entry.data.get(CONF_USER_ID), data.get(CONF_USER_ID)
        if before and now and before != now:
            raise SignInError("wrong_account")
        is_pasted = credential_of(data) is Session and not made_session(data)
        if before and not now and is_pasted:
            # Not every session may ask whose it is. The person says it is the same.
            assert entry.unique_id is not None
            unique_id = entry.unique_id
            data = {
                CONF_USER_ID: before,
                CONF_USERNAME: entry.data.get(CONF_USERNAME),
                **data,
            }
        other = self.hass.config_entries.async_entry_for_domain_unique_id(
            DOMAIN, unique_id
        )
        if other is not None and other.entry_id != entry.entry_id:
            raise SignInError("already_configured")
        if CONF_PUBLIC_KEY in entry.data:
            data[CONF_PUBLIC_KEY] = entry.data[CONF_PUBLIC_KEY]
        title = entry.title
        if title_of(data) != title_of(entry.data) and is_ours(title, entry.data):
            title = free_title(self.hass, title_of(data), entry)
        # Read now: the set-up that follows replaces it.
        former = await async_own_session(self.hass, entry)
        result = self._async_update_entry(
            entry, unique_id=unique_id, title=title, data=data
        )
        if former and former.uid != data.get(CONF_UID):
            self.hass.async_create_background_task(
                async_sign_out(self.hass, former), "lumo sign out", eager_start=False
            )
        return result

    @callback
    def _async_show(
        self,
        step_id: str,
        schema: probatio.Schema,
        error: str | None = None,
        suggested: Mapping[str, Any] | None = None,
        placeholders: Mapping[str, str] | None = None,
    ) -> ConfigFlowResult:
        return self.async_show_form(
            step_id=step_id,
            data_schema=self.add_suggested_values_to_schema(schema, suggested),
            errors={"base": error} if error else {},
            description_placeholders=placeholders,
        )

    @callback
    def _async_update_entry(
        self, entry: ConfigEntry, **changes: Any
    ) -> ConfigFlowResult:
        for flow in list(entry.async_get_active_flows(self.hass, {SOURCE_REAUTH})):
            # What it asks for has been given.
            if flow["flow_id"] != self.flow_id:
                self.hass.config_entries.flow.async_abort(flow["flow_id"])
        # A loaded entry reloads by its own listener, a failed one has none yet.
        if entry.update_listeners:
            return self.async_update_and_abort(entry, **changes)
        return self.async_update_reload_and_abort(entry, **changes)


def line(autocomplete: str) -> Selector[Any]:
    """Return the field of a line that browsers know by this name."""
    return selector({"text": {"autocomplete": autocomplete}})


def secret(autocomplete: str = "off") -> Selector[Any]:
    """Return the field of a line that is not shown."""
    return selector({"text": {"type": "password", "autocomplete": autocomplete}})


def error_key(err: Exception) -> str:
    """Return the translation key of a failure; raise what ends the flow."""
    if isinstance(err, AbortFlow):
        raise err
    if isinstance(err, LumoError):
        return err.code
    if isinstance(err, SignInError):
        return str(err)
    LOGGER.exception("Unexpected error while signing in")
    return "unknown"
