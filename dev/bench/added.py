"""What the integration adds to Home Assistant: memory, and time at its start.

    scripts/bench added              five starts of each kind, about three minutes
    scripts/bench added --runs 9

Home Assistant is started as a process of its own, by turns on a folder without an entry
of Lumo and on one that has an account and its agent. Each start is a second one of its
folder; memory is the resident set some seconds after it runs and its own agent has heard
a sentence: Home Assistant's sentences of a language are in both. Beside that, in a process
that has Home Assistant's conversation loaded: importing our modules, and reading the
files of the languages, whose patterns are compiled when they are first used.
"""

import argparse
import asyncio
from collections.abc import Sequence
import contextlib
import json
import os
from pathlib import Path
from statistics import median
import subprocess
import sys
from typing import Final

from dev.home import HomeOptions, reserve_port, set_up_lumo
from dev.home.api import Api
from dev.home.folder import Owner, temporary_folder, write_folder
from dev.home.servers import HomeAssistant, LumoServer, StandIn

from .table import print_table

SETTLE_SECONDS: Final = 8
OWN: Final = {"text": "hello", "agent_id": "conversation.home_assistant"}
# Prints as JSON: seconds of importing, bytes that it takes, and the same of each language.
INSIDE: Final = """
import gc, json, pathlib, re, time, tracemalloc
from homeassistant import loader, bootstrap
from homeassistant.components import config, conversation, frontend
from homeassistant.components import ai_task, camera, http, sensor, stt, todo

def resident():
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * 4096

begun, before = time.perf_counter(), resident()
import custom_components.lumo, custom_components.lumo.conversation
import custom_components.lumo.config_flow, custom_components.lumo.sensor
found = {"all modules": (time.perf_counter() - begun, resident() - before)}

from custom_components.lumo import languages
from custom_components.lumo.languages import read_language
files = sorted(pathlib.Path(languages.__file__).parent.glob("*.toml"))
for name, some in (("one language", files[:1]), ("all languages", files)):
    re.purge()
    begun = time.perf_counter()
    kept = [read_language(file) for file in some]
    seconds = time.perf_counter() - begun
    del kept
    re.purge(), gc.collect(), tracemalloc.start()
    kept = [read_language(file) for file in some]
    re.purge(), gc.collect()
    found[name] = (seconds, tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
print(json.dumps({"files": len(files), "found": found}))
"""


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench added",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--runs", type=int, default=5, help="starts of each kind")
    runs = parser.parse_args().runs
    async with contextlib.AsyncExitStack() as stack:
        folders = [Path(stack.enter_context(temporary_folder())) for _ in range(2)]
        port = reserve_port(stack)
        stand_in = await StandIn.start(
            port=reserve_port(stack), scenario=None, folder=folders[0]
        )
        stack.push_async_callback(stand_in.stop)
        lumo = await stand_in.running()
        places = [
            (folder, write_folder(folder, home="empty", port=port))
            for folder in folders
        ]
        for folder, owner in places:
            await _start(folder, owner, port, lumo, set_up=folder == folders[1])
        found: list[list[Sequence[float]]] = [[], []]
        for _ in range(runs):
            for measured, (folder, owner) in zip(found, places, strict=True):
                measured.append(await _start(folder, owner, port, lumo))
    _print(*found)
    _print_inside(runs)


async def _start(
    folder: Path, owner: Owner, port: int, lumo: LumoServer, *, set_up: bool = False
) -> tuple[float, ...]:
    """Start it once: MB, those of files, CPU seconds until it runs, of setting Lumo up."""
    hass = await HomeAssistant.start(
        folder, python=sys.executable, port=port, lumo=lumo, verbose=False
    )
    try:
        async with Api(hass.base_url, owner.access_token) as api:
            await hass.running(api)
            stat = await asyncio.to_thread(hass.child.told, "stat")
            used = sum(map(int, stat.rpartition(")")[2].split()[11:13]))
            seconds = used / os.sysconf("SC_CLK_TCK")
            if set_up:
                await set_up_lumo(api, lumo, HomeOptions(home="empty"))
            else:
                await api.connect()
                await api.command("conversation/process", **OWN)
                await asyncio.sleep(SETTLE_SECONDS)
            timings = await api.command("integration/setup_info")
            ours = [item["seconds"] for item in timings if item["domain"] == "lumo"]
            status = await asyncio.to_thread(hass.child.told, "status")
            resident, files = (
                int(status.partition(f"{key}:")[2].split()[0]) / 1024
                for key in ("VmRSS", "RssFile")
            )
            return resident, files, seconds, sum(ours)
    finally:
        await hass.stop(grace=30)


def _print(without: list[Sequence[float]], with_lumo: list[Sequence[float]]) -> None:
    rows = []
    names = ("resident memory, MB", "of it libraries, MB", "start, CPU seconds")
    for place, name in enumerate(names):
        base, more = ([run[place] for run in runs] for runs in (without, with_lumo))
        spread = f"{min(base):.1f}–{max(base):.1f}"
        added = median(more) - median(base)
        cells = (f"{median(base):.1f}", spread, f"{median(more):.1f}", f"{added:.1f}")
        rows.append((name, *cells))
    setting_up = median(run[3] for run in with_lumo)
    rows.append(("setting the entry up, seconds", "", "", f"{setting_up:.2f}", ""))
    head = ("median", "without", "least–most", "with Lumo", "added")
    print_table(head, rows, title="added")


def _print_inside(runs: int) -> None:
    """Print the medians of some processes that import us, after one that compiles."""
    found = [
        json.loads(
            subprocess.run(
                [sys.executable, "-c", INSIDE],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
        )
        for _ in range(runs + 1)
    ][1:]
    rows = []
    for name in found[0]["found"]:
        seconds, size = (
            median(run["found"][name][place] for run in found) for place in range(2)
        )
        rows.append((name, f"{1000 * seconds:.0f}", f"{size / 2**20:.1f}"))
    print(f"{found[0]['files']} files of languages")
    print_table(("loaded", "ms", "MB"), rows, title="loaded")


if __name__ == "__main__":
    asyncio.run(main())
