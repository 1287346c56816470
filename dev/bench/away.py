"""How much of what people say works while Lumo is away.

    scripts/bench away                    every recorded sentence
    scripts/bench away --language en,de

Each recorded sentence is said to the agent, in a home of real entities, with a network
that refuses every connection. What should happen is found by calling the tool directly.

    done      exactly that happened, after a yes where it is asked for
    answered  a question about the home, answered by Home Assistant
    said      nothing happened, and the person hears that Lumo is away
    wrong     something else happened
    works     done and answered, of all
    ms        of a turn, without the waits between attempts to connect: median, longest
"""

import argparse
import asyncio
from collections import Counter
import logging
import os
from statistics import median
import sys
import time
from typing import TYPE_CHECKING
from unittest.mock import patch

from dev.standin import start
from tests.material import load_json, load_jsonl

from .table import print_table

if TYPE_CHECKING:
    from .home import BenchHome, Row

COLUMNS = ("done", "answered", "said", "wrong")
# These only read; None: the sentence needs no tool.
READERS = frozenset({"homeassistant__GetLiveContext", "llm__GetDateTime", None})
# Nobody listens there.
NOWHERE = "http://127.0.0.1:9"
ACCOUNT = {"sign_in": "guest", "sign_in_id": "bench"}


def main() -> int:
    """Measure and print; the exit code tells whether anything wrong happened."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench away",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--language", default="en,de,fr,nl,es")
    languages = parser.parse_args().language.split(",")
    rows = [row for row in load_jsonl("sentences.jsonl") if row["lang"] in languages]
    if not rows:
        print("The recorded sentences are not here.", file=sys.stderr)
        return 2
    logging.disable(logging.WARNING)
    return asyncio.run(run(rows))


async def run(rows: list[Row]) -> int:
    """Say all sentences and print what came of them."""
    # Home Assistant must be imported before anything imports httpx.
    from custom_components.lumo.lumo_client import client  # noqa: PLC0415

    from .home import BenchHome  # noqa: PLC0415

    homes = load_json("homes.json")["homes"]
    lines: list[tuple[str, ...]] = []
    everything: Counter[str] = Counter()
    async with await start() as standin:
        os.environ["LUMO_PUBLIC_KEY_FILE"] = standin.public_key_file
        os.environ["LUMO_BASE_URL"] = NOWHERE
        with patch.object(client, "RETRY_SECONDS", 0):
            for name in dict.fromkeys(row["home"] for row in rows):
                here = [row for row in rows if row["home"] == name]
                counts: Counter[str] = Counter()
                times: list[float] = []
                async with BenchHome(homes[name], ACCOUNT) as home:
                    for row in here:
                        counts[await said(home, row, times)] += 1
                lines.append(line(name, counts, times[1:]))
                everything += counts
    print_table(
        ("language", "sentences", *COLUMNS, "works", "median ms", "longest ms"),
        [*lines, line("all", everything, [])],
        title="away",
    )
    return int(everything["wrong"] > 0)


async def said(home: BenchHome, row: Row, times: list[float]) -> str:
    """Say a sentence and return the column that it counts in."""
    await home.prepare(row)
    expected = home.effects()
    if row["tool"] not in READERS:
        expected = await home.call(row)
        await home.prepare(row)
    begun = time.perf_counter()
    turn = await home.say(row, "private")
    times.append(1000 * (time.perf_counter() - begun))
    if turn.failed and not (turn.effects.services or turn.effects.timers):
        return "said"
    if turn.failed or turn.effects != expected:
        print(f"wrong: {row['id']} {row['sentence']!r} -> {turn.speech.strip()!r}")
        return "wrong"
    return "answered" if row["tool"] in READERS else "done"


def line(name: str, counts: Counter[str], times: list[float]) -> tuple[str, ...]:
    """Return a line of the table."""
    total = counts.total()
    works = f"{(counts['done'] + counts['answered']) / total:.0%}"
    took = (f"{median(times):.0f}", f"{max(times):.0f}") if times else ("", "")
    return (name, str(total), *(str(counts[key]) for key in COLUMNS), works, *took)


if __name__ == "__main__":
    sys.exit(main())
