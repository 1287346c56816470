"""Fixtures for the tests of the client of Lumo."""

from collections.abc import AsyncIterator

import httpx
import pytest

from .loopback import LoopbackServer


@pytest.fixture
async def server(socket_enabled: None) -> AsyncIterator[LoopbackServer]:
    """Return a running server on loopback."""
    async with LoopbackServer() as running:
        yield running


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    """Return an HTTP client; without TLS it needs no certificates."""
    async with httpx.AsyncClient(verify=False) as client:
        yield client
