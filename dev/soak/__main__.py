"""Let talkers on several satellites speak for so many turns, with faults and reloads.

    scripts/soak 300        a minute, more or less
    scripts/soak 20000      an hour

Everything is on loopback, and it ends by itself. Conversations are forgotten after seconds
here, not minutes, so that what lives is seen to end. The figures of each thousand turns are
what our modules hold at that moment; from the second thousand on they should not grow.
Memory is traced, which doubles the time of everything: `--blocks` measures the loop instead.
A block is a single callback of the loop with our code in it, in time of the processor.
Exit code 1: a wrong reply, or with `--blocks` a block over 50 ms that is ours.
"""

import argparse
import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from itertools import takewhile
import logging
import multiprocessing
import os
from pathlib import Path
import sys
from typing import Any
from unittest.mock import patch

from .server import serve

TALKERS = 6
SENTENCES = 8
"""In one conversation."""
_EVERY = 1000
_RELOAD_TURNS = 20
_FORGET_SECONDS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("turns", type=int)
    parser.add_argument("--every", type=int, default=_EVERY, help="turns for each line")
    parser.add_argument(
        "--blocks", action="store_true", help="measure blocks of the loop, not memory"
    )
    options = parser.parse_args(arguments)
    context = multiprocessing.get_context("spawn")
    pipe, other = context.Pipe()
    process = context.Process(target=serve, args=(other,), daemon=True)
    process.start()
    try:
        service = pipe.recv()
        os.environ["LUMO_BASE_URL"] = service["base_url"]
        os.environ["LUMO_PUBLIC_KEY_FILE"] = service["public_key_file"]
        return asyncio.run(
            _run(service, options.turns, options.every, traces=not options.blocks)
        )
    finally:
        pipe.send("stop")
        process.join(5)


async def _run(service: dict[str, Any], turns: int, every: int, *, traces: bool) -> int:
    # Two compiled modules for audio that the demo home's pipeline imports.
    sys.path.append(str(Path(__file__).parents[1] / "stubs"))
    # Home Assistant must be imported before anything imports httpx.
    from homeassistant.helpers import chat_session  # noqa: PLC0415

    from custom_components.lumo.agent import conversation_state  # noqa: PLC0415
    from dev.bench.turn_home import Home  # noqa: PLC0415

    from .watch import Watch, describe  # noqa: PLC0415

    session = next(item for item in service["accounts"] if item["kind"] == "session")
    data = {
        "sign_in": "session",
        "sign_in_id": "soak",
        **{key: session[key] for key in ("uid", "access_token", "refresh_token")},
    }
    logging.getLogger("httpx").setLevel(logging.WARNING)
    forget = timedelta(seconds=_FORGET_SECONDS)
    counts: Counter[str] = Counter()
    with (
        patch.object(chat_session, "CONVERSATION_TIMEOUT", forget),
        patch.object(conversation_state, "_KEPT_SECONDS", float(_FORGET_SECONDS)),
    ):
        async with Home(data) as home:
            with Watch(asyncio.get_running_loop(), traces=traces) as watch:
                talkers = [
                    asyncio.create_task(_talk(home.hass, number, turns, counts))
                    for number in range(TALKERS)
                ]
                reloads = asyncio.create_task(_reload(home, turns, counts))
                shown = 0
                before = (0, 0)
                while not all(task.done() for task in talkers):
                    await asyncio.sleep(0.2)
                    if counts["turns"] < shown + every:
                        continue
                    shown = counts["turns"]
                    now = watch.memory()
                    facts = {
                        "turns": shown,
                        "wrong": counts["wrong"],
                        "failed": counts["failed"],
                        "bytes": now[0],
                        "grown": now[0] - before[0],
                        "objects": now[1],
                        "more": now[1] - before[1],
                        "tasks": len(asyncio.all_tasks()),
                        "sockets": watch.sockets(),
                    }
                    before = now
                    print(describe(facts), flush=True)
                await asyncio.gather(*talkers, reloads)
            print(
                f"{counts['turns']} turns, {counts['wrong']} wrong replies, "
                f"{counts['failed']} told failures, {counts['reloads']} reloads; "
                f"longest block {watch.longest * 1000:.0f} ms, "
                f"of ours {watch.longest_ours * 1000:.0f} ms {watch.where}; "
                f"{watch.warnings} warnings that something took too long"
            )
    for said, count in counts.most_common():
        if said.startswith(" "):
            print(f"{count:>6}{said}")
    blocked = not traces and watch.longest_ours > 0.05
    return 1 if counts["wrong"] or blocked else 0


async def _talk(hass: Any, talker: int, turns: int, counts: Counter[str]) -> None:
    """Ask for one number after the other; each reply must hold that and no other."""
    from homeassistant.components import conversation  # noqa: PLC0415
    from homeassistant.core import Context  # noqa: PLC0415

    number = talker * 10_000_000
    conversation_id: str | None = None
    while counts["turns"] < turns:
        number += 1
        if number % SENTENCES == 0:
            conversation_id = None
        try:
            result = await conversation.async_converse(
                hass,
                f"Say the number {number}",
                conversation_id,
                Context(),
                language="en",
                agent_id="conversation.lumo",
                satellite_id=f"assist_satellite.room_{talker}",
            )
        except ValueError:  # The account is just being loaded anew.
            await asyncio.sleep(0.05)
            continue
        conversation_id = result.conversation_id
        counts["turns"] += 1
        said = result.response.speech.get("plain", {}).get("speech", "")
        if "Here it is: " in said:
            # An answer that broke off holds the beginning of its number, or none of it.
            told = "".join(takewhile(str.isdigit, said.split("Here it is: ")[-1]))
            counts["wrong"] += not str(number).startswith(told)
        else:
            counts["failed"] += 1
            counts[f"  {said[-100:]}"] += 1
            await asyncio.sleep(0.05)


async def _reload(home: Any, turns: int, counts: Counter[str]) -> None:
    """Load the account anew now and then, in the middle of turns."""
    for due in range(_RELOAD_TURNS, turns, _RELOAD_TURNS):
        while counts["turns"] < due:
            await asyncio.sleep(0.2)
        await home.hass.config_entries.async_reload(home.entry.entry_id)
        counts["reloads"] += 1


if __name__ == "__main__":
    sys.exit(main())
