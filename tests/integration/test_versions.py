"""What earlier versions have stored is read by this one, and nothing of it is lost.

`tests/fixtures` has, by version and by way to sign in, an entry with its subentries as
Home Assistant's store holds them, the private file beside it, and the unique ids of its
entities. Files of a version are never changed; each version adds its own.
"""

import json
from pathlib import Path
from typing import Any

from aiohttp.test_utils import TestServer
from homeassistant.components import conversation
from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import entity_registry as er
import pytest

from custom_components.lumo.agent.options import AgentOptions
from custom_components.lumo.const import (
    DEFAULT_OPTIONS,
    Autonomy,
    Permission,
    QuickConfirmation,
)
from dev.standin import Standin
from dev.standin.accounts import Session

FIXTURES = Path(__file__).parent.parent / "fixtures"
STORED = sorted(FIXTURES.glob("*/*.json"))

# What the agent with every option set means, in the words of the agent.
EVERY_OPTION = {
    "prompt": "Be brief.",
    "llm_apis": ["assist"],
    "native": True,
    "model": "lumo-max",
    "reasoning_effort": "high",
    "server_tools": ("weather",),
    "autonomy": Autonomy.ACTS,
    "permissions": {
        "homeassistant//homeassistant__GetLiveContext": Permission.OFF,
        "intent//intent__HassTurnOn": Permission.ASK,
    },
    "sensitive_labels": frozenset({"careful"}),
    "temperatures": (12.5, 26.0),
    "unattended": True,
}
AGENTS: dict[str, dict[str, Any]] = {
    "Lumo": {
        "prompt": DEFAULT_OPTIONS["prompt"],
        "llm_apis": ["assist"],
        "model": "lumo",
        "reasoning_effort": "none",
        "server_tools": (),
        "at_home": True,
        "quick_confirmation": QuickConfirmation.AUTOMATIC,
        "autonomy": Autonomy.ACTS,
        "permissions": {},
        "sensitive_labels": frozenset(),
        "temperatures": (None, None),
        "unattended": False,
    },
    "Butler": EVERY_OPTION,
    "Parrot": {
        "llm_apis": [],
        "autonomy": Autonomy.ANSWERS,
        "sensitive_labels": frozenset(),
    },
}


def load(path: Path) -> dict[str, Any]:
    """Return what was stored."""
    return dict(json.loads(path.read_text(encoding="utf-8")))


def values(data: dict[str, Any]) -> dict[str, Any]:
    """Return what a private file holds; of a guest's cookies what is sent."""
    cookies = data.get("cookies", {}).items()
    return {**data, "cookies": {name: json.loads(c)["value"] for name, c in cookies}}


def let_in(standin: Standin, stored: dict[str, Any]) -> None:
    """Let the stand-in know the sign-in that was stored."""
    data = stored["entry"]["data"]
    accounts = standin.accounts_state
    if key := data.get("api_key"):
        accounts.api_keys[key] = True
    if tokens := (stored["store"] or {"data": {}})["data"]:
        if "uid" not in tokens:
            return
        accounts.sessions[tokens["uid"]] = Session(
            tokens["uid"],
            accounts.users[0],
            tokens["refresh_token"],
            {tokens["access_token"]: accounts.now() + 3600},
        )


async def start_with(
    hass: HomeAssistant, hass_storage: dict[str, Any], stored: dict[str, Any]
) -> ConfigEntry:
    """Let Home Assistant read what was stored, and set it up."""
    entry_id = stored["entry"]["entry_id"]
    hass_storage["core.config_entries"] = {
        "version": 1,
        "minor_version": 5,
        "key": "core.config_entries",
        # Home Assistant changes what it has read, and so would the fixture.
        "data": {"entries": [json.loads(json.dumps(stored["entry"]))]},
    }
    if stored["store"]:
        hass_storage[f"lumo.{entry_id}"] = json.loads(json.dumps(stored["store"]))
    await hass.config_entries.async_initialize()
    await hass.config_entries.async_setup(entry_id)
    await hass.async_block_till_done()
    entry = hass.config_entries.async_get_entry(entry_id)
    assert entry is not None
    return entry


@pytest.mark.parametrize(
    "path", STORED, ids=lambda path: f"{path.parent.name}-{path.stem}"
)
async def test_stored_account_is_read(
    home: HomeAssistant,
    standin: Standin,
    gateway: TestServer,
    hass_storage: dict[str, Any],
    path: Path,
) -> None:
    """It works, keeps all its data, and its entities, but for some sensors."""
    stored = load(path)
    if "base_url" in stored["entry"]["data"]:
        address = f"http://127.0.0.1:{gateway.port}/v1"
        stored["entry"]["data"]["base_url"] = address
    let_in(standin, stored)
    entry = await start_with(home, hass_storage, stored)
    assert entry.state is ConfigEntryState.LOADED
    assert entry.title == stored["entry"]["title"]
    assert entry.unique_id == stored["entry"]["unique_id"]
    assert stored["entry"]["data"].items() <= entry.data.items()
    if stored["store"]:
        kept = hass_storage[f"lumo.{entry.entry_id}"]["data"]
        assert values(stored["store"]["data"]).items() <= values(kept).items()

    encrypted = entry.runtime_data.client.credential.encrypted
    assert encrypted == (entry.data["sign_in"] != "api_key")
    for before in stored["entry"]["subentries"]:
        subentry = entry.subentries[before["subentry_id"]]
        assert subentry.title == before["title"]
        assert before["data"].items() <= subentry.data.items()
        options = AgentOptions.from_subentry(subentry.data, encrypted=encrypted)
        meant = AGENTS[subentry.title]
        assert {name: getattr(options, name) for name in meant} == meant
        if subentry.title == "Lumo":
            assert options.native != encrypted

    registry = er.async_get(home)
    entities = er.async_entries_for_config_entry(registry, entry.entry_id)
    now = {(entity.domain, entity.unique_id) for entity in entities}
    kept = {(domain, unique_id) for domain, unique_id in stored["entities"]}
    gone = ("images", "last_category", "last_reply_tokens")
    assert {item for item in kept if not item[1].endswith(gone)} <= now
    if "base_url" in entry.data:
        return  # The test's gateway has a model of its own only.
    agent = next(
        entity.entity_id
        for entity in entities
        if entity.unique_id == stored["entry"]["subentries"][0]["subentry_id"]
    )
    result = await conversation.async_converse(
        home, "Hello", None, Context(), language="en", agent_id=agent
    )
    assert result.response.speech["plain"]["speech"] == "Nothing more."
    assert not list(entry.async_get_active_flows(home, {"reauth"}))


@pytest.mark.parametrize("minor_version", [0, 9])
async def test_other_minor_versions_load(
    home: HomeAssistant,
    standin: Standin,
    hass_storage: dict[str, Any],
    minor_version: int,
) -> None:
    """An older one, and a newer one after going back to this version."""
    stored = load(FIXTURES / "0.1.0" / "guest.json")
    stored["entry"]["minor_version"] = minor_version
    entry = await start_with(home, hass_storage, stored)
    assert entry.state is ConfigEntryState.LOADED


async def test_sign_in_that_was_not_set_up_yet(
    home: HomeAssistant, standin: Standin, hass_storage: dict[str, Any]
) -> None:
    """Home Assistant ended between the sign-in and the set-up: the entry has all."""
    stored = load(FIXTURES / "0.1.0" / "account.json")
    let_in(standin, stored)
    tokens = stored["store"]["data"]
    stored["entry"]["data"] |= tokens
    stored["store"] = None
    entry = await start_with(home, hass_storage, stored)
    assert entry.state is ConfigEntryState.LOADED
    assert hass_storage[f"lumo.{entry.entry_id}"]["data"] == tokens
    assert "refresh_token" not in entry.data
