"""Fill in the forms of the config flow."""

import json
from pathlib import Path
import re
from typing import Any

from homeassistant.config_entries import (
    SOURCE_RECONFIGURE,
    SOURCE_USER,
    ConfigEntry,
    ConfigFlowResult,
)
from homeassistant.core import HomeAssistant
from homeassistant.data_entry_flow import FlowResultType, section

from custom_components.lumo.const import DOMAIN
from dev.standin import Standin

from .conftest import account

_LUMO = Path(__file__).parent.parent.parent / "custom_components" / "lumo"
TEXTS = json.loads((_LUMO / "translations" / "en.json").read_text(encoding="utf-8"))[
    "config"
]


def pasted(standin: Standin) -> dict[str, str]:
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
    return {"username": name, "password": person(standin, name)["password"]}


def api_key(standin: Standin, state: str) -> str:
    return next(
        item["api_key"]
        for item in standin.accounts
        if item["kind"] == "api_key" and item["state"] == state
    )


async def choose(hass: HomeAssistant, way: str) -> ConfigFlowResult:
    menu = await hass.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_USER}
    )
    check_texts(menu)
    return await submit(hass, menu, {"next_step_id": way})


async def submit(
    hass: HomeAssistant, step: ConfigFlowResult, values: dict[str, Any]
) -> ConfigFlowResult:
    result = await hass.config_entries.flow.async_configure(step["flow_id"], values)
    await hass.async_block_till_done(wait_background_tasks=True)
    check_texts(result)
    return result


def check_texts(step: ConfigFlowResult) -> None:
    """Fail unless everything that a person sees of a step has a text."""
    match step["type"]:
        case FlowResultType.ABORT:
            assert (
                step["reason"] in TEXTS["abort"]
                or step["translation_domain"] == "homeassistant"
            )
        case FlowResultType.MENU:
            texts = TEXTS["step"][step["step_id"]]
            for part in ("menu_options", "menu_option_descriptions"):
                options = step["menu_options"]
                assert isinstance(options, list)
                assert set(options) <= texts[part].keys()
        case FlowResultType.FORM:
            texts = TEXTS["step"][step["step_id"]]
            named = set(re.findall(r"{(\w+)}", texts["description"]))
            assert named <= (step["description_placeholders"] or {}).keys()
            assert set((step["errors"] or {}).values()) <= TEXTS["error"].keys()
            if step["data_schema"] is not None and step["data_schema"].schema:
                _check_fields(step["data_schema"].schema, texts)


def _check_fields(fields: dict[Any, Any], texts: dict[str, Any]) -> None:
    """Fail unless all fields have a name and an explanation, and no text is idle."""
    names = {str(key.schema) for key, item in fields.items() if not is_section(item)}
    assert names == texts["data"].keys() == texts["data_description"].keys()
    for key, item in fields.items():
        if is_section(item):
            _check_fields(item.schema.schema, texts["sections"][key.schema])


def is_section(field: object) -> bool:
    return isinstance(field, section)


def suggested(form: ConfigFlowResult) -> dict[str, Any]:
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
    form = await choose(hass, "account")
    assert form["type"] is FlowResultType.FORM
    assert form["step_id"] == "account"
    assert form["errors"] == {}
    return await submit(hass, form, credentials(standin, name))


async def make_account(hass: HomeAssistant, standin: Standin, name: str) -> ConfigEntry:
    result = await sign_in(hass, standin, name)
    assert result["type"] is FlowResultType.CREATE_ENTRY
    entry: ConfigEntry = result["result"]
    return entry


async def start_reauth(hass: HomeAssistant, entry: ConfigEntry) -> ConfigFlowResult:
    """Let an entry ask to sign in again, and open that form."""
    entry.async_start_reauth(hass)
    await hass.async_block_till_done()
    [flow] = hass.config_entries.flow.async_progress()
    step = await hass.config_entries.flow.async_configure(flow["flow_id"])
    check_texts(step)
    return step


async def start_reconfigure(
    hass: HomeAssistant, entry: ConfigEntry
) -> ConfigFlowResult:
    step = await hass.config_entries.flow.async_init(
        DOMAIN, context={"source": SOURCE_RECONFIGURE, "entry_id": entry.entry_id}
    )
    check_texts(step)
    return step
