"""What is ready before the words are there."""

import asyncio

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from dev.brain.model import Say
from dev.standin import Options, Standin
from dev.voice import VoiceKit
from tests.integration.conftest import Script
from tests.integration.helpers import AGENT


async def test_the_connection_is_open_when_the_sentence_is_said(
    home: HomeAssistant,
    voice: VoiceKit,
    script: Script,
    standin: Standin,
    entry: MockConfigEntry,
) -> None:
    pool = entry.runtime_data._http._transport._pool
    for connection in list(pool.connections):
        await connection.aclose()  # as after 15 s without a request
    standin.options = Options(connect_seconds=0.05)
    before = standin.connections

    async def connected() -> None:
        async with asyncio.timeout(10):
            while not any(connection.is_idle() for connection in pool.connections):
                await asyncio.sleep(0.01)
        assert "chat" not in standin.counts

    script.plans = [[Say("It is five o'clock.")]]
    heard = await voice["Kitchen"].say("What time is it?", until=connected())
    assert heard.text == "It is five o'clock."
    assert standin.connections == before + 1
    assert standin.counts["chat"] == 1


async def test_who_stops_speaking_leaves_no_connection_taken(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    """Getting ready may be cut short at any point."""
    pool = entry.runtime_data._http._transport._pool
    for wait in (0, 5, 10, 15, 20, 25, 30):
        prepares = [
            asyncio.create_task(conversation.async_prepare_agent(home, AGENT, "en"))
            for _ in range(8)
        ]
        await asyncio.sleep(wait / 1000)
        for prepare in prepares:
            prepare.cancel()
        await asyncio.gather(*prepares, return_exceptions=True)
        await home.async_block_till_done(wait_background_tasks=True)
        assert all(connection.is_idle() for connection in pool.connections)
    assert "chat" not in standin.counts


async def test_a_service_that_is_away_is_met_by_the_turn(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Getting ready for it is no failure, and costs nothing."""
    monkeypatch.setattr("custom_components.lumo.lumo_client.client.RETRY_SECONDS", 0.01)
    await standin.close()
    for language in ("de-DE", "tlh"):
        await conversation.async_prepare_agent(home, AGENT, language)
    assert "chat" not in standin.counts
