"""A running stand-in with a small brain, and a client made from the protocol alone."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

import httpx
import pytest

from dev.standin import Options, Standin, start

from .mini_client import MiniClient
from .small_brain import SmallBrain

type Starter = Callable[..., Awaitable[tuple[Standin, MiniClient]]]


@pytest.fixture
async def standin(socket_enabled: None) -> AsyncGenerator[Starter]:
    """Return what starts a stand-in, and a client for it."""
    standins: list[Standin] = []
    clients: list[httpx.AsyncClient] = []

    async def make(
        *scenario: str, options: Options | None = None, **client: Any
    ) -> tuple[Standin, MiniClient]:
        running = await start(scenario=scenario, brain=SmallBrain(), options=options)
        standins.append(running)
        http = httpx.AsyncClient(base_url=running.base_url, timeout=10)
        clients.append(http)
        return running, MiniClient(http, running.public_key_file, **client)

    yield make
    for http in clients:
        await http.aclose()
    for running in standins:
        await running.close()
