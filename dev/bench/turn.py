"""The integration's own share of a turn, for homes of several sizes.

    sentence -> request    from handing the sentence over to the request's arrival
    of it Home Assistant   making the prompt and the tools, before the integration
    chunk -> delta         from a piece leaving the server to its delta in the chat log
    last byte -> result    from the end of the answer to the conversation's result
    own share              all three together, of each turn
    its own agent          Home Assistant's, from a sentence it knows to its answer

The baseline is a bare HTTP client in the same run, which posts a body of the same size
to the same server and reads the lines of the answer: what remains is the integration
and Home Assistant's own work for a conversation. Times are milliseconds, medians; of 95
in a hundred (p95) as well. Home Assistant's heap is frozen: collecting it in full takes
some 300 ms, whoever's turn it is.
"""

import argparse
import asyncio
import gc
import multiprocessing
from multiprocessing.connection import Connection
import os
from pathlib import Path
from statistics import median
import tempfile
import time
from typing import Any

from .table import print_table
from .turn_server import WORDS, serve

SIZES = (10, 100, 1000)
PROMPT = "of it Home Assistant"
ITS = "its own agent"
PARTS = ("sentence -> request", "chunk -> delta", "last byte -> result")
OWN = "own share"
ROWS = (*PARTS, OWN, "CPU")


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="scripts/bench turn", description=__doc__)
    parser.add_argument("--turns", type=int, default=100, help="turns for each size")
    turns = parser.parse_args().turns
    context = multiprocessing.get_context("spawn")
    pipe, other = context.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        key_file = str(Path(folder) / "key.asc")
        process = context.Process(target=serve, args=(other, key_file), daemon=True)
        process.start()
        try:
            port = await asyncio.to_thread(pipe.recv)
            os.environ["LUMO_BASE_URL"] = f"http://127.0.0.1:{port}"
            os.environ["LUMO_PUBLIC_KEY_FILE"] = key_file
            await _measure(pipe, port, turns)
        finally:
            pipe.send("stop")
            process.join(5)


async def _measure(pipe: Connection, port: int, turns: int) -> None:
    # Home Assistant must be imported before anything imports httpx.
    from .turn_home import Home  # noqa: PLC0415

    rows: list[tuple[str, ...]] = []
    async with Home() as home:
        for size in SIZES:
            await home.grow(size)
            gc.collect()
            gc.freeze()
            found, bare, local = [], [], []
            for _ in range(turns + 2):  # by turns, as others may use this machine
                found.append(await _turn(home, pipe))
                characters = home.prompt_characters
                bare.append(await _bare_request(home.http, port, characters, pipe))
                local.append({ITS: await home.say_locally()})
            found, bare, local = (values[2:] for values in (found, bare, local))
            for row in ROWS:
                ours, base = _middle(found, row), _middle(bare, row)
                cells = (*(f"{item:.2f}" for item in (*ours, *base)),)
                rows.append((f"{size}", row, *cells, f"{ours[0] / base[0]:.1f}"))
            for row, values in ((PROMPT, found), (ITS, local)):
                cells = (*(f"{item:.2f}" for item in _middle(values, row)),)
                rows.append((f"{size}", row, *cells, "", "", ""))
            print(f"{size} exposed entities, prompt of {characters:,} characters")
    head = ("exposed", "milliseconds", "this", "p95", "bare HTTP", "its p95", "ratio")
    print_table(head, rows, title="turn")


def _middle(found: list[dict[str, float]], row: str) -> tuple[float, float]:
    """Return the median of a row, and what 95 in a hundred are below."""
    values = sorted(item[row] for item in found)
    return median(values), values[min(len(values) - 1, round(0.95 * len(values)))]


async def _turn(home: Any, pipe: Connection) -> dict[str, float]:
    cpu = time.process_time()
    begun = time.perf_counter()
    deltas = await home.say("Is the kitchen light on?")
    ended = time.perf_counter()
    cpu = time.process_time() - cpu
    values = _values(pipe.recv(), begun, deltas, ended, cpu)
    return {**values, PROMPT: home.prompt_seconds * 1000}


async def _bare_request(
    http: Any, port: int, characters: int, pipe: Connection
) -> dict[str, float]:
    from .turn_home import bare_body  # noqa: PLC0415

    public_key = await asyncio.to_thread(
        Path(os.environ["LUMO_PUBLIC_KEY_FILE"]).read_text
    )
    body = bare_body(characters, public_key)
    cpu = time.process_time()
    begun = time.perf_counter()
    url = f"http://127.0.0.1:{port}/api/ai/v1/chat/completions"
    async with http.stream("POST", url, content=body) as response:
        deltas = [
            time.perf_counter()
            async for line in response.aiter_lines()
            if '"content"' in line
        ]
    ended = time.perf_counter()
    cpu = time.process_time() - cpu
    return _values(pipe.recv(), begun, deltas, ended, cpu)


def _values(
    notes: dict[str, Any], begun: float, deltas: list[float], ended: float, cpu: float
) -> dict[str, float]:
    assert len(deltas) == len(WORDS)
    delays = [came - left for came, left in zip(deltas, notes["chunks"], strict=True)]
    parts = (notes["request"] - begun, median(delays), ended - notes["end"])
    seconds = (*parts, sum(parts), cpu)
    return {row: value * 1000 for row, value in zip(ROWS, seconds, strict=True)}


if __name__ == "__main__":
    asyncio.run(main())
