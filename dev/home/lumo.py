"""Set Lumo up in a running Home Assistant, the way a person does in the browser."""

import asyncio
from collections.abc import Mapping
import time
from types import MappingProxyType
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

import aiohttp

from .api import Api
from .errors import HomeError, SetupError
from .servers import LumoServer

DOMAIN = "lumo"

type SignIn = Literal["account", "api_key", "session", "guest"]
SIGN_INS: tuple[str, ...] = get_args(SignIn.__value__)
type ToolCalling = Literal["automatic", "private", "native"]

_ENTRY = "config/config_entries/entry"
_FLOW = "config/config_entries/flow"
_SUBENTRY_FLOW = "config/config_entries/subentries/flow"
_LOAD_TIMEOUT = 60  # seconds; a set-up that failed is tried again after five


async def add_lumo(
    api: Api, lumo: LumoServer, sign_in: SignIn, user_name: str | None = None
) -> str:
    """Run the config flow and return the entry's id.

    A user name chooses among several accounts.
    """
    menu = await api.request("POST", _FLOW, {"handler": DOMAIN})
    step = await api.request(
        "POST", f"{_FLOW}/{menu['flow_id']}", {"next_step_id": sign_in}
    )
    if step["type"] == "form" and sign_in != "guest":
        person = lumo.find(sign_in, user_name)
        if person is None:
            raise SetupError(
                f"There is nothing to sign in with: {user_name or sign_in}"
                " (see docs/development.md)."
            )
        step = await _submit(api, step, _fields(sign_in, person))
        step = await _go_on(api, step, person)
    if step["type"] != "create_entry":
        raise SetupError(f"Lumo's set-up was refused: {_outcome(step)}")
    entry: dict[str, Any] = step["result"]
    if entry["state"] != "loaded":
        raise SetupError(f"Lumo is not ready: {entry['state']}, {entry['reason']}")
    entry_id: str = entry["entry_id"]
    return entry_id


async def _submit(
    api: Api, form: dict[str, Any], values: dict[str, Any]
) -> dict[str, Any]:
    """Fill a form in, with its defaults for the rest, and return the next step."""
    step: dict[str, Any] = await api.request(
        "POST", f"{_FLOW}/{form['flow_id']}", _filled_in(form["data_schema"], values)
    )
    return step


async def _go_on(
    api: Api, step: dict[str, Any], person: Mapping[str, Any]
) -> dict[str, Any]:
    """Do what is asked after a password: the captcha, the code, each once."""
    for step_id in ("human_verification", "totp", "human_verification"):
        if step["type"] != "form" or step["step_id"] != step_id or step["errors"]:
            continue
        if step_id == "totp":
            if "totp_secret" not in person:
                raise SetupError("The account asks for a code, its secret is unknown.")
            step = await _submit(api, step, {"code": _code(person["totp_secret"])})
        else:
            await _open_page(step["description_placeholders"]["url"])
            step = await _submit(api, step, {})
    return step


async def _open_page(url: str) -> None:
    """Open a page as a browser would; the stand-in's captcha is solved by that."""
    if urlsplit(url).hostname != "127.0.0.1":
        raise SetupError(f"A person has to open {url}")
    async with aiohttp.ClientSession() as http, http.get(url) as response:
        response.raise_for_status()


def _fields(sign_in: SignIn, person: Mapping[str, Any]) -> dict[str, Any]:
    match sign_in:
        case "account":
            return {"username": person["user_name"], "password": person["password"]}
        case "api_key":
            return {
                "api_key": person["api_key"],
                "base_url": person.get("base_url", ""),
                "allow_unencrypted": "base_url" in person,
            }
        case _:
            names = ("uid", "access_token", "refresh_token")
            return {name: person[name] for name in names}


def _code(secret: str) -> str:
    # The stand-in is not needed, and takes a while to load, in other cases.
    from dev.standin.totp import totp  # noqa: PLC0415

    return totp(secret, time.time())


async def change_options(api: Api, entry_id: str, **changes: object) -> None:
    """Reconfigure the conversation agent, and wait until the changes hold."""
    subentries = await api.command("config_entries/subentries/list", entry_id=entry_id)
    subentry = next(
        item for item in subentries if item["subentry_type"] == "conversation"
    )
    form = await api.request(
        "POST",
        _SUBENTRY_FLOW,
        {"handler": [entry_id, "conversation"], "subentry_id": subentry["subentry_id"]},
    )
    if form["type"] != "form":
        raise HomeError(f"The agent's options did not open: {_outcome(form)}")
    done = form
    # Recommended settings off: all others follow, then the tools if there are any.
    for step_id in ("init", "settings", "tools"):
        if done["type"] != "form" or done["step_id"] != step_id or done["errors"]:
            continue
        if step_id == "tools":
            values = _chosen(done["data_schema"], changes.get("tools"))
        else:
            values = _filled_in(done["data_schema"], {**changes, "recommended": False})
        done = await api.request("POST", f"{_SUBENTRY_FLOW}/{form['flow_id']}", values)
    if done["type"] != "abort" or done["reason"] != "reconfigure_successful":
        raise HomeError(f"The agent's options were refused: {_outcome(done)}")
    # The entry reloads by itself. Asking for it once more waits for that, but not for
    # a set-up that failed and is tried again.
    await api.request("POST", f"{_ENTRY}/{entry_id}/reload")
    try:
        async with asyncio.timeout(_LOAD_TIMEOUT):
            while (state := await entry_state(api, entry_id)) != "loaded":
                await asyncio.sleep(0.05)
    except TimeoutError as err:
        raise HomeError(f"Lumo did not load with the new options: {state}") from err


async def entry_state(api: Api, entry_id: str) -> str:
    """Return whether an entry is loaded, or why not."""
    found = await api.command("config_entries/get_single", entry_id=entry_id)
    state: str = found["config_entry"]["state"]
    return state


async def remove_lumo(api: Api, entry_id: str) -> None:
    """Remove an entry."""
    await api.request("DELETE", f"{_ENTRY}/{entry_id}")


async def find_agent(api: Api, entry_id: str) -> str:
    """Return the entity id of the conversation agent."""
    for entity in await api.command("config/entity_registry/list"):
        if entity["config_entry_id"] == entry_id and entity["entity_id"].startswith(
            "conversation."
        ):
            entity_id: str = entity["entity_id"]
            return entity_id
    raise SetupError("Lumo brought no conversation agent.")


async def prefer_agent(api: Api, agent: str, language: str) -> str:
    """Make the agent answer in the preferred pipeline; return the pipeline's id."""
    found = await api.command("assist_pipeline/pipeline/list")
    pipeline_id: str = found["preferred_pipeline"]
    pipeline = next(item for item in found["pipelines"] if item["id"] == pipeline_id)
    fields = {key: value for key, value in pipeline.items() if key != "id"}
    fields.update(
        name="Lumo",
        language=language,
        conversation_engine=agent,
        conversation_language="*",
        prefer_local_intents=False,
    )
    await api.command(
        "assist_pipeline/pipeline/update", pipeline_id=pipeline_id, **fields
    )
    return pipeline_id


def _filled_in(
    schema: list[dict[str, Any]], changes: Mapping[str, object] = MappingProxyType({})
) -> dict[str, Any]:
    """Return what a form would send if a person changed this and pressed the button."""
    values: dict[str, Any] = {}
    for item in schema:
        if item.get("type") == "expandable":
            values[item["name"]] = _filled_in(item["schema"], changes)
            continue
        suggested = (item.get("description") or {}).get("suggested_value")
        if item["name"] in changes:
            values[item["name"]] = changes[item["name"]]
        elif suggested is not None:
            values[item["name"]] = suggested
        elif item.get("default") is not None and item.get("required"):
            values[item["name"]] = item["default"]
    return values


def _chosen(schema: list[dict[str, Any]], tools: object) -> dict[str, list[str]]:
    if not isinstance(tools, dict):
        return {}
    lists: dict[str, list[str]] = {}
    for item in schema:
        options = [option["value"] for option in item["selector"]["select"]["options"]]
        suggested = (item.get("description") or {}).get("suggested_value", [])
        lists[item["name"]] = [
            key
            for key in options
            if (tools[key] == item["name"] if key in tools else key in suggested)
        ]
    return lists


def _outcome(step: dict[str, Any]) -> str:
    """Return why a flow did not go on, in its own short words."""
    return str(step.get("reason") or step.get("errors") or step["type"])
