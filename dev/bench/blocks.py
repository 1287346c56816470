"""How long the event loop is blocked in a large home, and what a command at home costs.

    scripts/bench blocks                a home of 1,000 exposed entities, two minutes
    scripts/bench blocks --size 2000

A watchdog stands around each callback of the event loop. It counts CPU, as others may
use this machine, and leaves out what Home Assistant does for its prompt and its tools in
the same callback. Printed are, for each step, the longest block with Home Assistant's
share and without, and the CPU of the step's median turn.
"""

import argparse
import asyncio
from asyncio.events import Handle
from collections.abc import Generator, Iterator
from contextlib import contextmanager
import gc
import json
import logging
import os
from statistics import median
import sys
import time
import types
from typing import Any, Final
from unittest.mock import patch

from dev.standin import start

from .table import print_table

# Milliseconds.
MOST: Final = 50


class Watchdog:
    """Notes how much CPU each callback takes, and Home Assistant's share of it."""

    def __init__(self) -> None:
        self.blocks: list[tuple[float, float]] = []
        """Milliseconds of each callback, with Home Assistant's share and without."""
        self._theirs = 0.0

    @contextmanager
    def around(self) -> Iterator[None]:
        """Watch all callbacks."""
        from homeassistant.components.conversation import ChatLog  # noqa: PLC0415

        run = Handle._run  # noqa: SLF001

        def watched(handle: Handle) -> Any:
            self._theirs = 0.0
            begun = time.thread_time()
            try:
                return run(handle)
            finally:
                taken = 1000 * (time.thread_time() - begun)
                self.blocks.append((taken, taken - 1000 * self._theirs))

        provide = ChatLog.async_provide_llm_data

        async def theirs(*args: Any, **kwargs: Any) -> None:
            begun = time.thread_time()
            waiting = provide(*args, **kwargs).__await__()
            # Each step between two waits is in one callback.
            value = None
            while True:
                try:
                    waited = waiting.send(value)
                except StopIteration:
                    return
                finally:
                    self._theirs += time.thread_time() - begun
                value = await _handed_on(waited)
                begun = time.thread_time()

        with (
            patch.object(Handle, "_run", watched),
            patch.object(ChatLog, "async_provide_llm_data", theirs),
        ):
            yield


@types.coroutine
def _handed_on(waited: Any) -> Generator[Any, Any, Any]:
    return (yield waited)


async def main() -> int:
    """Measure and print; the exit code tells whether no block is too long."""
    parser = argparse.ArgumentParser(prog="scripts/bench blocks", description=__doc__)
    parser.add_argument("--size", type=int, default=1000, help="exposed entities")
    size = parser.parse_args().size
    logging.disable(logging.WARNING)
    async with await start() as standin:
        os.environ["LUMO_BASE_URL"] = standin.base_url
        os.environ["LUMO_PUBLIC_KEY_FILE"] = standin.public_key_file
        rows = [row async for row in _measured(size)]
    head = ("step", "turns", "longest block, ms", "of it ours", "CPU of a turn, ms")
    print_table(head, rows, title=f"blocks, {size} exposed entities")
    return int(any(float(row[3]) > MOST for row in rows))


def _written(tool: str, **arguments: str) -> dict[str, str]:
    """Return an answer that calls a tool."""
    value = {"name": f"user:{tool}", "arguments": arguments}
    return {"text": f"```json\n{json.dumps(value)}\n```"}


async def _measured(size: int) -> Any:
    # Home Assistant must be imported before anything imports httpx.
    from custom_components.lumo.const import CONF_AT_HOME, CONF_PLACES  # noqa: PLC0415

    from .context_home import LargeHome  # noqa: PLC0415
    from .context_homes import make_home, wishes_of  # noqa: PLC0415

    home = make_home("en", size)
    wishes = {wish.key: wish.sentence for wish in wishes_of(home)}
    areas = [area["name"].casefold().replace(" ", "_") for area in home.areas]
    places = [{"name": "All", "satellites": [], "areas": areas, "acts": True}]
    agents: dict[str, dict[str, Any]] = {
        "at home": {CONF_AT_HOME: True},
        "places": {CONF_PLACES: places},
    }
    call = _written("HassTurnOn", name="Counter light")
    look = _written("GetLiveContext", area="Kitchen")
    everyday = [wishes[key] for key in ("counter_on", "kids_warm", "kitchen_off")]
    commands = [
        f"turn o{'n' if turn % 2 else 'ff'} the floor lamp" for turn in range(9)
    ]
    unknown = ["please do something nice with the floor lamp"] * 9
    steps: tuple[tuple[str, str, str, list[str], list[Any]], ...] = (
        ("first sentence", "private", "en", everyday[:1], [call]),
        ("next sentences", "private", "en", everyday * 3, [call]),
        ("first in German", "private", "de", ["Mach die Lampe an"], [call]),
        ("done at home", "at home", "en", commands, []),
        ("not understood at home", "at home", "en", unknown, [look]),
        ("the same, not tried at home", "private", "en", unknown, [look]),
        ("rules by place", "places", "en", everyday * 3, [call]),
        ("25 exchanges", "private", "en", [], [look, look]),
    )
    async with LargeHome(home, agents) as large:
        await large.hass.async_block_till_done()
        for name, agent, language, sentences, answers in steps:
            await large.prepare_agent(agent, language)
            watchdog, turns = Watchdog(), []
            conversation_id: str | None = None
            gc.collect()
            gc.freeze()
            texts = sentences or [f"What is on in the kitchen, {i}?" for i in range(25)]
            for text in texts:
                begun = time.process_time()
                with watchdog.around():
                    now = await large.say_to(
                        agent, text, language, list(answers), conversation_id
                    )
                turns.append(1000 * (time.process_time() - begun))
                conversation_id = None if sentences else now
            longest = max(watchdog.blocks)[0]
            ours = max(own for _all, own in watchdog.blocks)
            cells = (longest, ours, median(turns))
            yield (name, f"{len(texts)}", *(f"{cell:.1f}" for cell in cells))


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
