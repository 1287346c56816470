"""Set Lumo up in a running Home Assistant, the way a person does in the browser."""

from typing import Any, Literal

from .api import Api
from .errors import HomeError, SetupError
from .servers import LumoServer

DOMAIN = "lumo"

type SignIn = Literal["guest", "session"]
type ToolCalling = Literal["automatic", "private", "native"]

_FLOW = "config/config_entries/flow"
_SUBENTRY_FLOW = "config/config_entries/subentries/flow"


async def add_lumo(api: Api, lumo: LumoServer, sign_in: SignIn) -> str:
    """Run the config flow and return the entry's id."""
    menu = await api.request("POST", _FLOW, {"handler": DOMAIN})
    step = await api.request(
        "POST", f"{_FLOW}/{menu['flow_id']}", {"next_step_id": sign_in}
    )
    if step["type"] == "form" and sign_in == "session":
        account = lumo.session
        if account is None:
            raise SetupError("There is no session to sign in with (LUMO_SESSION).")
        step = await api.request(
            "POST",
            f"{_FLOW}/{step['flow_id']}",
            {key: account[key] for key in ("uid", "access_token", "refresh_token")},
        )
    if step["type"] != "create_entry":
        raise SetupError(f"Lumo's set-up was refused: {_outcome(step)}")
    entry: dict[str, Any] = step["result"]
    if entry["state"] != "loaded":
        raise SetupError(f"Lumo is not ready: {entry['state']}, {entry['reason']}")
    entry_id: str = entry["entry_id"]
    return entry_id


async def change_options(api: Api, entry_id: str, **changes: object) -> None:
    """Reconfigure the conversation agent, and wait until the changes hold."""
    subentries = await api.command("config_entries/subentries/list", entry_id=entry_id)
    subentry = next(
        item for item in subentries if item["subentry_type"] == "conversation"
    )
    form = await api.request(
        "POST",
        _SUBENTRY_FLOW,
        {
            "handler": [entry_id, "conversation"],
            "subentry_id": subentry["subentry_id"],
        },
    )
    if form["type"] != "form":
        raise HomeError(f"The agent's options did not open: {_outcome(form)}")
    done = await api.request(
        "POST",
        f"{_SUBENTRY_FLOW}/{form['flow_id']}",
        {**_filled_in(form["data_schema"]), **changes},
    )
    if done["type"] != "abort" or done["reason"] != "reconfigure_successful":
        raise HomeError(f"The agent's options were refused: {_outcome(done)}")
    # The entry reloads by itself; asking for it once more waits until it has.
    await api.request("POST", f"config/config_entries/entry/{entry_id}/reload")


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


def _filled_in(schema: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what a form would send if a person only pressed the button."""
    values: dict[str, Any] = {}
    for item in schema:
        if item.get("type") == "expandable":
            values[item["name"]] = _filled_in(item["schema"])
            continue
        suggested = (item.get("description") or {}).get("suggested_value")
        if suggested is not None:
            values[item["name"]] = suggested
        elif item.get("default") is not None and item.get("required"):
            values[item["name"]] = item["default"]
    return values


def _outcome(step: dict[str, Any]) -> str:
    """Return why a flow did not go on, in its own short words."""
    return str(step.get("reason") or step.get("errors") or step["type"])
