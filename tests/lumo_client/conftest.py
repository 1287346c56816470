"""Fixtures for the tests of the client of Lumo."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any
from unittest.mock import patch

import httpx
import pytest

from custom_components.lumo.lumo_client import auth, client
from custom_components.lumo.lumo_client.auth import (
    Credential,
    GuestCredential,
    Session,
    Tokens,
)
from custom_components.lumo.lumo_client.client import LumoClient

from .asking import Connect
from .loopback import LoopbackServer


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again without a wait."""
    monkeypatch.setattr(client, "RETRY_SECONDS", 0)
    monkeypatch.setattr(auth, "BUSY_WAIT", (0, 0))


@pytest.fixture
async def server(socket_enabled: None) -> AsyncIterator[LoopbackServer]:
    async with LoopbackServer() as running:
        yield running


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    """Return an HTTP client; without TLS it needs no certificates."""
    async with httpx.AsyncClient(verify=False) as client:
        yield client


@pytest.fixture
async def idle_clock() -> AsyncIterator[None]:
    """Let the event loop's time pass only while nothing happens, in no thread either.

    A timer is then due after what was sent before it has arrived, however busy the
    machine is, and nobody waits for it.
    """
    loop: Any = asyncio.get_running_loop()
    now, select, to_thread = loop.time(), loop._selector.select, loop.run_in_executor
    working: set[asyncio.Future[Any]] = set()

    def note(*work: Any) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = to_thread(*work)
        working.add(future)
        future.add_done_callback(working.discard)
        return future

    def select_or_skip(timeout: float | None) -> list[Any]:
        nonlocal now
        if timeout is None or working:
            return list(select(timeout if timeout == 0 else None))
        if not (ready := select(min(timeout, 0.005))):
            now += timeout
        return list(ready)

    with (
        patch.object(loop, "time", lambda: now),
        patch.object(loop, "run_in_executor", note),
        patch.object(loop._selector, "select", select_or_skip),
    ):
        yield


@pytest.fixture
def connect(server: LoopbackServer, http: httpx.AsyncClient) -> Connect:
    """Return a function that makes a client, a guest's if nothing else is said."""

    def make(credential: Credential | None = None) -> LumoClient:
        return LumoClient(http, server.endpoints, credential or GuestCredential(http))

    return make


@pytest.fixture
def signed_in(server: LoopbackServer, http: httpx.AsyncClient) -> Session:
    async def save(tokens: Tokens) -> None:
        await asyncio.sleep(0)

    return Session(http, server.endpoints, Tokens("uid-1", "at-1", "rt-1"), save)
