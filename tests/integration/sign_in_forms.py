"""Fill in the forms of the config flow."""

from typing import Any

from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    SOURCE_USER,
    ConfigFlowResult,
)
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.const import DOMAIN
from dev.standin import Standin

from .conftest import account


def pasted(standin: Standin) -> dict[str, str]:
    """Return what a person copies of a session."""
    session = account(standin)
    return {key: session[key] for key in ("uid", "access_token", "refresh_token")}


def person(standin: Standin, name: str) -> dict[str, str]:
    """Return an account of the stand-in: its password, id, second factor."""
    return next(
        item
        for item in standin.accounts
        if item["kind"] == "account" and item["user_name"] == name
    )


def credentials(standin: Standin, name: str) -> dict[str, str]:
    """Return what a person types to sign in."""
    return {"username": name, "password": person(standin, name)["password"]}


def api_key(standin: Standin, state: str) -> str:
    """Return an API key of the stand-in."""
    return next(
        item["api_key"]
        for item in standin.accounts
        if item["kind"] == "api_key" and item["state"] == state
    )


async def choose(hass: HomeAssistant, way: str) -> ConfigFlowResult:
    """Open the flow and choose a way to sign in."""
    menu = await hass.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_USER}
    )
    assert menu["type"] is FlowResultType.MENU
    return await hass.config_entries.flow.async_configure(
        menu["flow_id"], {"next_step_id": way}
    )


async def submit(
    hass: HomeAssistant, step: ConfigFlowResult, values: dict[str, Any]
) -> ConfigFlowResult:
    """Fill in a form."""
    result = await hass.config_entries.flow.async_configure(step["flow_id"], values)
    await hass.async_block_till_done(wait_background_tasks=True)
    return result


def suggested(form: ConfigFlowResult) -> dict[str, Any]:
    """Return what a form is filled in with."""
    schema = form["data_schema"]
    assert schema is not None
    return {
        str(marker.schema): marker.description["suggested_value"]
        for marker in schema.schema
        if marker.description and "suggested_value" in marker.description
    }


def sessions_of(standin: Standin, name: str) -> list[str]:
    """Return the session ids of a user at the stand-in, halfway ones included."""
    return [
        session.uid
        for session in standin.accounts_state.sessions.values()
        if session.user is not None and session.user.name == name
    ]


async def sign_in(hass: HomeAssistant, standin: Standin, name: str) -> ConfigFlowResult:
    """Choose the way and enter the password."""
    form = await choose(hass, "account")
    assert form["type"] is FlowResultType.FORM
    assert form["step_id"] == "account"
    assert form["errors"] == {}
    return await submit(hass, form, credentials(standin, name))


async def make_account(
    hass: HomeAssistant, standin: Standin, name: str
) -> MockConfigEntry:
    """Return the entry of an account that has signed in."""
    result = await sign_in(hass, standin, name)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    entry: MockConfigEntry = result["result"]
    return entry


async def start_reauth(hass: HomeAssistant, entry: MockConfigEntry) -> ConfigFlowResult:
    """Let an entry ask to sign in again, and open that form."""
    entry.async_start_reauth(hass)
    await hass.async_block_till_done()
    [flow] = hass.config_entries.flow.async_progress()
    return await hass.config_entries.flow.async_configure(flow["flow_id"])


async def start_reconfigure(
    hass: HomeAssistant, entry: MockConfigEntry
) -> ConfigFlowResult:
    """Open the menu of an entry."""
    return await hass.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_RECONFIGURE, "entry_id": entry.entry_id}
    )
