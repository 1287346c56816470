"""How a turn ends that goes wrong: it breaks off, is cancelled, or takes too long."""

import asyncio
from dataclasses import replace
from math import inf
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import pytest

from custom_components.lumo.lumo_client.deadlines import (
    ALOUD,
    ON_SCREEN,
    TURN_SECONDS,
    Deadlines,
)
from custom_components.lumo.lumo_client.errors import (
    AnswerTooLongError,
    LumoError,
    LumoTimeoutError,
    QuotaError,
    RateLimitError,
    ServerError,
    StreamInterruptedError,
    TurnOverError,
)
from custom_components.lumo.lumo_client.events import End, ReasoningDelta, TextDelta

from .conftest import FakeTool
from .scripted import Answer, Scene
from .turns import COMMAND, LOOK, OFF


async def test_what_ran_when_the_stream_broke_is_told(
    hass: HomeAssistant, api: llm.APIInstance, turn_off: FakeTool
) -> None:
    """A complete call runs; its result is waited for before the sentence is made."""
    turn_off.does = lambda: asyncio.sleep(0.05, {})
    answers: list[Answer] = [[TextDelta(f"{OFF}\n"), StreamInterruptedError()]]
    scene = Scene(hass, api, COMMAND, answers)
    assert await scene.run() == "[stream_interrupted] [done_one]"
    assert len(turn_off.calls) == 1
    assert scene.record.failed


@pytest.mark.parametrize(
    "error", [RuntimeError("secret"), KeyError("secret"), OSError()]
)
async def test_an_unexpected_error_is_a_sentence(
    hass: HomeAssistant,
    api: llm.APIInstance,
    error: Exception,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """No exception that Home Assistant does not know leaves the agent."""
    scene = Scene(hass, api, COMMAND, [[TextDelta("Once upon"), error]])
    assert await scene.run() == "[unknown]"
    assert scene.record.failed
    assert scene.record.error == "unknown"
    [logged] = [r for r in caplog.records if r.levelname == "ERROR"]
    assert type(error).__name__ in logged.getMessage()
    # What it says may quote the home.
    assert "secret" not in caplog.text


async def test_odd_results_and_arguments_do_not_end_a_conversation(
    hass: HomeAssistant, api: llm.APIInstance, live_context: FakeTool
) -> None:
    """A tool of somebody else may return what JSON cannot hold."""

    async def odd() -> Any:
        return {"a": 2**70, "b": object(), "c": "\ud83d", "args": [{1: 2}]}

    live_context.does = odd
    scene = Scene(hass, api, "What is on", [LOOK, LOOK, "A lamp."])
    assert await scene.run() == "A lamp."


@pytest.mark.parametrize(
    "opening",
    [[TextDelta("Once upon a time there was a house. ")], [ReasoningDelta("hm")], []],
)
async def test_a_cancelled_turn_closes_its_stream(
    hass: HomeAssistant, api: llm.APIInstance, opening: list[Any]
) -> None:
    """At once, and Home Assistant's own tools are back."""
    scene = Scene(hass, api, "Tell me a story", [[*opening, asyncio.Event()]])
    task = hass.async_create_task(scene.run())
    async with asyncio.timeout(10):
        while not scene.client.requests:
            await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert scene.client.closed == 1
    assert scene.log.llm_api is api


async def test_a_turn_cancelled_while_a_tool_runs_lets_it_finish(
    hass: HomeAssistant, api: llm.APIInstance, turn_off: FakeTool
) -> None:
    """An action is never left half done; nothing new is begun."""
    started, release, finished = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def slow() -> Any:
        started.set()
        await release.wait()
        finished.set()
        return {}

    turn_off.does = slow
    scene = Scene(hass, api, COMMAND, [OFF])
    task = hass.async_create_task(scene.run())
    await started.wait()
    gated = scene.log.llm_api
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert scene.client.closed == 1
    assert scene.log.llm_api is api
    release.set()
    await asyncio.wait_for(finished.wait(), 1)
    assert gated is not None


@pytest.mark.parametrize("satellite", [None, "assist_satellite.hall"])
async def test_deadlines_are_those_of_who_listens(
    hass: HomeAssistant, api: llm.APIInstance, satellite: str | None
) -> None:
    begun = hass.loop.time()
    scene = Scene(hass, api, COMMAND, [OFF, "It is off."], satellite=satellite)
    await scene.run()
    first, second = scene.client.deadlines
    assert first == second
    assert begun + TURN_SECONDS <= first.until <= hass.loop.time() + TURN_SECONDS
    assert replace(first, until=inf) == (ALOUD if satellite else ON_SCREEN)


@pytest.mark.parametrize(
    "error", [LumoTimeoutError(), TurnOverError(), AnswerTooLongError()]
)
async def test_what_was_said_before_the_time_was_up_stays_said(
    hass: HomeAssistant, api: llm.APIInstance, error: LumoError
) -> None:
    answers: list[Answer] = [OFF, [TextDelta("Well, the light `is"), error]]
    scene = Scene(hass, api, COMMAND, answers)
    assert await scene.run() == f"Well, the light `is | [{error.code}] [done_one]"


async def test_no_request_is_sent_when_the_time_is_up(
    hass: HomeAssistant, api: llm.APIInstance
) -> None:
    deadlines = Deadlines(until=hass.loop.time())
    scene = Scene(hass, api, COMMAND, [OFF], deadlines=deadlines)
    assert await scene.run() == "[too_slow] [done_one]"
    assert len(scene.client.requests) == 1


@pytest.mark.parametrize(
    ("error", "heard"),
    [
        (RateLimitError(retry_after=90.0), "[wait_seconds]"),
        (RateLimitError(retry_after=600.0), "[wait_minutes]"),
        (RateLimitError(), "[rate_limited]"),
        (ServerError(retry_after=90.0), "[server_error]"),
        (QuotaError(), "[quota]"),
    ],
)
async def test_a_wait_that_the_service_asks_for_is_said(
    hass: HomeAssistant, api: llm.APIInstance, error: LumoError, heard: str
) -> None:
    scene = Scene(hass, api, "Hello", [[error], "Hello."])
    assert await scene.run() == heard
    assert (scene.record.failure, scene.record.error) == (error, error.code)
    assert len(scene.client.requests) == 1


@pytest.mark.parametrize(
    ("is_talk", "heard"), [(True, "On"), (False, "On | [too_long]")]
)
async def test_only_a_person_notices_that_the_end_is_missing(
    hass: HomeAssistant, is_talk: bool, heard: str
) -> None:
    answers: list[Answer] = [[TextDelta("On"), End("length")]]
    scene = Scene(hass, None, "Is it on?", answers)
    scene.context.verbatim = not is_talk
    assert await scene.run() == heard
