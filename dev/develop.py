"""The demo home in the browser, with Lumo as its assistant, until Ctrl-C.

The configuration stays in `config/` from one start to the next: dashboards, areas and
the agent's options are kept. The stand-in for Lumo's servers forgets its sessions when it
ends, so the sign-in is made anew at each start; its people and API keys stay the same.
"""

import argparse
import asyncio
from collections.abc import Mapping, Sequence
import contextlib
import json
import os
from pathlib import Path
import signal
import socket
import sys
from typing import Any

from .home import (
    REPOSITORY,
    SIGN_INS,
    HomeError,
    HomeOptions,
    SetupError,
    reserve_port,
    set_up_lumo,
)
from .home.api import Api
from .home.folder import write_configuration, write_folder
from .home.lumo import DOMAIN
from .home.servers import HomeAssistant, LumoServer, StandIn

CONFIG = REPOSITORY / "config"
_TOKEN = ".harness_token"
_TO_TRY = (
    "Turn off the kitchen lights", "Is the front door locked?", "Unlock the front door",
    "When was the front door last opened?",
    "Turn off all the lights except in the kitchen",
    "Make it a bit warmer in the living room",
)  # fmt: skip
_SHUTDOWN = 20  # seconds Home Assistant has to save what it has


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        prog="scripts/develop", description="The demo home in the browser."
    )
    parser.add_argument("--port", type=int, default=8123)
    parser.add_argument("--home", choices=("demo", "empty"), default="demo")
    parser.add_argument("--language", default="en", metavar="CODE")
    parser.add_argument("--scenario", metavar="NAME[,NAME...]")
    parser.add_argument("--sign-in", choices=SIGN_INS, help="default: session")
    parser.add_argument(
        "--user", metavar="NAME", help="which account, with --sign-in account"
    )
    parser.add_argument("--config", type=Path, default=CONFIG, metavar="FOLDER")
    options = parser.parse_args(arguments)
    options.config = options.config.resolve()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        asyncio.run(_develop(options))
    except KeyboardInterrupt:
        return 0
    except SetupError as err:
        if err.log:
            print(err.log, file=sys.stderr)
        print(f"scripts/develop: {err}", file=sys.stderr)
        return 2
    return 1


async def _develop(options: argparse.Namespace) -> None:
    """Run until Home Assistant ends, or we are told to."""
    home_options = HomeOptions(
        home=options.home,
        language=options.language,
        sign_in=options.sign_in,
        user_name=options.user,
    )
    _check_port(options.port)
    folder: Path = options.config
    token = _prepare(folder, home_options, options.port)
    async with contextlib.AsyncExitStack() as stack:
        lumo, stand_in = await _lumo_server(options.scenario, folder, stack)
        print(f"Starting Home Assistant in {folder} ...", flush=True)
        hass = await HomeAssistant.start(
            folder, python=sys.executable, port=options.port, lumo=lumo, verbose=True
        )
        stack.push_async_callback(hass.stop, grace=_SHUTDOWN)
        api = await stack.enter_async_context(Api(hass.base_url, token))
        if stand_in is not None:
            lumo = await stand_in.running()
        await hass.running(api)
        try:
            kept = await _remove_old_sign_ins(api, folder)
            home = await set_up_lumo(api, lumo, home_options, **kept)
            await _prefer_task(api)
        except HomeError as err:
            raise SetupError(str(err)) from err
        accounts = lumo.accounts if stand_in else ()
        print(welcome(hass.base_url, home.agent, accounts), flush=True)
        code = await hass.child.wait()
        print(f"Home Assistant ended with {code}.", file=sys.stderr)


def welcome(
    base_url: str, agent: str, accounts: Sequence[Mapping[str, Any]] = ()
) -> str:
    """Return what a person is told once everything runs."""
    lines = [
        "",
        f"  {base_url}",
        "",
        "  Open it in a browser on this machine: you are signed in as the owner at once.",
        f"  {agent} is the preferred assistant. Ctrl-C ends everything.",
        "",
        "  Sentences to try:",
        *(f"    {sentence}" for sentence in _TO_TRY),
    ]
    if accounts:
        lines += ["", "  Who else can sign in to Lumo (Add integration, Proton Lumo):"]
    for item in accounts:
        if "password" in item:
            manner = item["manner"].replace("_", " ")
            lines.append(f"    {item['user_name']:8} {item['password']}  ({manner})")
        if "totp_secret" in item:
            lines.append(f"    {'':8} authenticator app: {item['totp_secret']}")
        if "api_key" in item:
            lines.append(f"    API key  {item['api_key']}  ({item['state']})")
    return "\n".join([*lines, ""])


async def _lumo_server(
    scenario: str | None, folder: Path, stack: contextlib.AsyncExitStack
) -> tuple[LumoServer, StandIn | None]:
    if named := LumoServer.from_environment(os.environ):
        return named, None
    stand_in = await StandIn.start(
        port=reserve_port(stack), scenario=scenario, folder=folder
    )
    stack.push_async_callback(stand_in.stop)
    return stand_in.address, stand_in


def _prepare(folder: Path, options: HomeOptions, port: int) -> str:
    token = folder / _TOKEN
    if not token.exists():
        owner = write_folder(folder, home=options.home, port=port)
        token.write_text(owner.access_token, encoding="utf-8")
        token.chmod(0o600)
    else:
        write_configuration(folder, home=options.home)
        _change_port(folder, port)
    return token.read_text(encoding="utf-8")


def _change_port(folder: Path, port: int) -> None:
    path = folder / ".storage" / "http"
    content = json.loads(path.read_text(encoding="utf-8"))
    content["data"]["stable"]["server_port"] = port
    path.write_text(json.dumps(content, indent=2), encoding="utf-8")


def _check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as err:
            raise SetupError(
                f"Port {port} is taken ({err.strerror}); choose one with --port."
            ) from err


async def _remove_old_sign_ins(api: Api, folder: Path) -> dict[str, Any]:
    """Remove Lumo's entries of earlier starts; return the options of the agent."""
    options: dict[str, Any] = {}
    storage = folder / ".storage" / "core.config_entries"
    if not storage.exists():
        return options
    content = json.loads(storage.read_text(encoding="utf-8"))
    for entry in content["data"]["entries"]:
        if entry["domain"] != DOMAIN:
            continue
        for subentry in entry["subentries"]:
            if subentry["subentry_type"] == "conversation":
                options = options or subentry["data"]
        await api.request("DELETE", f"config/config_entries/entry/{entry['entry_id']}")
    return options


async def _prefer_task(api: Api) -> None:
    states = await api.command("get_states")
    found = (state["entity_id"] for state in states)
    task = next(item for item in found if item.startswith("ai_task."))
    await api.command("ai_task/preferences/set", gen_data_entity_id=task)


if __name__ == "__main__":
    sys.exit(main())
