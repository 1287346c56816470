"""The download helps with a report and gives nothing away."""

import json
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry
from pytest_homeassistant_custom_component.typing import ClientSessionGenerator

from custom_components.lumo.const import DEFAULT_OPTIONS, DOMAIN
from custom_components.lumo.lumo_client.endpoints import LUMO_APP_VERSION, LUMO_KEY_INFO
from dev.brain.model import Call, Say
from dev.standin import Standin

from .conftest import Script, session_data
from .helpers import say

# Each is planted where a person's own words or secrets are.
PROMPT = "marker-prompt"
TITLE = "marker-agent"
ACCOUNT = "marker-account"
SERVER = "marker-server"
SENTENCE = "marker-sentence"
ANSWER = "marker-answer"
LAMP = "marker-lamp"


@pytest.fixture
async def entry(home: HomeAssistant, standin: Standin) -> MockConfigEntry:
    entry = MockConfigEntry(
        domain=DOMAIN,
        title=ACCOUNT,
        data=session_data(standin) | {"username": ACCOUNT, "user_id": ACCOUNT},
        unique_id=ACCOUNT,
        subentries_data=[
            {
                "data": {**DEFAULT_OPTIONS, "prompt": PROMPT, "llm_hass_api": apis},
                "subentry_type": "conversation",
                "title": title,
                "unique_id": None,
            }
            for title, apis in ((TITLE, ["assist", SERVER]), ("Lumo", ["assist"]))
        ]
        + [
            {
                "data": {"model": "max", "llm_hass_api": [SERVER]},
                "subentry_type": "ai_task_data",
                "title": f"{TITLE} task",
                "unique_id": None,
            }
        ],
    )
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    await home.async_block_till_done()
    return entry


async def download(
    hass: HomeAssistant, hass_client: ClientSessionGenerator, path: str
) -> tuple[str, dict[str, Any]]:
    """Return a download as a person gets it, as text and read."""
    assert await async_setup_component(hass, "diagnostics", {})
    await hass.async_block_till_done()
    client = await hass_client()
    response = await client.get(f"/api/diagnostics/config_entry/{path}")
    assert response.status == 200
    text = await response.text()
    return text, json.loads(text)["data"]


async def test_download_holds_nothing_private(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    script: Script,
    hass_client: ClientSessionGenerator,
) -> None:
    """No secret, no prompt, no sentence, no answer, no name: not anywhere in it."""
    home.states.async_set("light.lamp", "on", {"friendly_name": LAMP})
    async_expose_entity(home, "conversation", "light.lamp", True)
    script.plans = [[Call("user:HassTurnOff", {"name": LAMP})], [Say(ANSWER)]]
    await say(home, SENTENCE)
    standin.scenarios = ["app_version"]
    await say(home, SENTENCE)

    text, data = await download(home, hass_client, entry.entry_id)
    session = standin.accounts_state.alice
    secrets = [session.uid, session.refresh_token, *session.access_tokens]
    secrets += [session.user.name, session.user.user_id] if session.user else []
    for marker in (PROMPT, TITLE, ACCOUNT, SERVER, SENTENCE, ANSWER, LAMP, *secrets):
        assert marker not in text
    assert data["account"]["problems"] == ["app_version"]


async def test_download_says_what_helps(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    script: Script,
    hass_client: ClientSessionGenerator,
) -> None:
    """State, limits, options that were chosen from a list."""
    entry.runtime_data.public_key = LUMO_KEY_INFO
    _, data = await download(home, hass_client, entry.entry_id)
    assert data["entry"] == {
        "state": "loaded",
        "sign_in": "session",
        "gateway": False,
        "own_public_key": False,
        "api_key_expires": None,
    }
    account = data["account"]
    assert account.pop("public_key")["fingerprint"] == LUMO_KEY_INFO.fingerprint
    assert account == {
        "development_server": True,
        "app_version": LUMO_APP_VERSION,
        "encrypted": True,
        "available": True,
        "last_error": None,
        "problems": [],
        "totals": {},
        "notes": 0,
        "limits": {"lite": 1000, "max": 200, "images": 50},
        "last_requests": [],
    }
    assert len(data["agents"]) == 3
    task = data["agents"][2]
    assert task["type"] == "ai_task_data"
    assert (task["model"], task["assist"], task["other_apis"]) == ("max", False, 1)
    assert (
        data["agents"][0]
        | {
            "type": "conversation",
            "own_prompt": True,
            "assist": True,
            "other_apis": 1,
            "model": "automatic",
            "tool_calling": "automatic",
            "autonomy": "acts",
            "tools": {},
            "sensitive_labels": 0,
        }
        == data["agents"][0]
    )


async def test_account_that_could_not_be_set_up(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    hass_client: ClientSessionGenerator,
) -> None:
    """That is when a report is wanted most."""
    standin.scenarios = ["revoked"]
    await home.config_entries.async_reload(entry.entry_id)
    _, data = await download(home, hass_client, entry.entry_id)
    assert data["entry"]["state"] == "setup_error"
    assert data["account"] is None
    standin.scenarios = ["server_error"]
    await home.config_entries.async_reload(entry.entry_id)
    _, data = await download(home, hass_client, entry.entry_id)
    assert data["entry"]["state"] == "loaded"
    assert not data["account"]["available"]
