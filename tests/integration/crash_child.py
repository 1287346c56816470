"""One account in a process of its own, to be killed: asks what is left, and says it.

    python -m tests.integration.crash_child

Each line of its input is a configuration folder, for which it begins a process and
writes its id; when that has ended, a line with how: what it said, or `null` if it was
killed. To begin one from what is loaded already takes a twentieth of the time.

Everything on disk is written by what writes it in a home: Home Assistant's store behind
the integration's. The folder's `entry.json` is the config entry's data.
"""

import asyncio
import json
import os
from pathlib import Path
import signal
import sys
from types import MappingProxyType
from typing import Any

# isort: off
import homeassistant  # noqa: F401 - 2026.11 wants to be first to import httpx

# isort: on
from homeassistant.config_entries import ConfigEntries, ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.httpx_client import create_async_httpx_client
import httpx

from custom_components.lumo.lumo_client.auth import Session
from custom_components.lumo.lumo_client.client import LumoClient
from custom_components.lumo.lumo_client.errors import LumoError
from custom_components.lumo.sign_in.connection import async_endpoints
from custom_components.lumo.sign_in.session_store import SessionStore

from .plans_child import run_plans


async def run(folder: Path) -> dict[str, Any]:
    """Ask for the limits, renewing the session if need be."""
    os.environ |= json.loads((folder / "environment.json").read_text())
    hass = HomeAssistant(str(folder))
    hass.config_entries = ConfigEntries(hass, {})
    data = json.loads((folder / "entry.json").read_text())
    entry: ConfigEntry = ConfigEntry(
        data=data,
        discovery_keys=MappingProxyType({}),
        domain="lumo",
        entry_id="account",
        minor_version=1,
        options={},
        source="user",
        subentries_data=[],
        title="Lumo",
        unique_id="account",
        version=1,
    )
    hass.config_entries._entries[entry.entry_id] = entry  # Known, not set up.
    store = SessionStore(hass, entry.entry_id)
    tokens = await store.async_tokens(entry)
    assert tokens is not None
    http = create_async_httpx_client(hass, auto_cleanup=False)
    session = Session(
        http, await async_endpoints(hass), tokens, store.async_save_tokens
    )
    client = LumoClient(http, await async_endpoints(hass), session)
    try:
        limits = await client.limits()
    except LumoError as err:
        return {"error": err.code}
    finally:
        await httpx.AsyncClient.aclose(http)
        await hass.async_stop(force=True)
    return {"lite": limits.lite}


def serve() -> None:
    """Run a process for each line, one after the other."""
    for line in sys.stdin:
        folder = Path(line.strip())
        if not (child := os.fork()):
            has_plans = (folder / "plans.json").exists()
            answer = asyncio.run(run_plans(folder) if has_plans else run(folder))
            (folder / "answer.json").write_text(json.dumps(answer))
            os._exit(0)
        print(child, flush=True)  # noqa: T201
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
            print("null", flush=True)  # noqa: T201
        else:
            assert os.waitstatus_to_exitcode(status) == 0
            print((folder / "answer.json").read_text(), flush=True)  # noqa: T201


if __name__ == "__main__":
    serve()
