"""The stand-in in a process of its own, so that its work is not counted."""

import asyncio
from multiprocessing.connection import Connection
import random
import re

from dev.brain.model import Say
from dev.standin import Options, start

# What the service does from one moment to the next; most of the time nothing.
FAULTS = (
    (), (), ("framing", "reasoning"), ("token_expiry",), ("server_error",),
    ("rejected",), ("cut",), ("reset",), ("half_header",), ("bad_chunk",),
    ("rate_limited_once",), ("quota",), ("no_done",),
)  # fmt: skip
_MOMENT = 1.0


class Echo:
    """Says the number that it was asked for last."""

    def answer(
        self, messages: list[dict[str, str]], function_tools: object
    ) -> list[Say]:
        """Return what to say."""
        numbers = re.findall(r"number (\d+)", messages[-1]["content"])
        return [Say(f"Here it is: {numbers[-1] if numbers else 'none'}.")]


def serve(pipe: Connection) -> None:
    """Serve until the other end says something; tell it what it must know first."""
    asyncio.run(_serve(pipe))


async def _serve(pipe: Connection) -> None:
    options = Options(session_quota=10**9, faults_everywhere=False)
    async with await start(brain=Echo(), options=options) as standin:
        pipe.send(standin.describe())
        while not pipe.poll():
            standin.scenarios = random.choice(FAULTS)
            standin.requests.clear()
            await asyncio.sleep(_MOMENT)
