"""A timer may carry a command, which Home Assistant would carry out for nobody."""

import asyncio
from dataclasses import replace

import pytest

from tests.sampling import some

from .stage import ANNA, AUTOMATION, Call, Line, Stage

# What is to be done at the end.
COMMANDS = (
    "unlock the front door",
    "UNLOCK   Haustür.",
    "open sesame",
    "unlock the front door in 10 seconds",
    "let everybody in",
    "turn off the office light",
)


def timer(command: str) -> Call:
    return Call("HassStartTimer", seconds=10, conversation_command=command)


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each timer come to its end at once."""
    monkeypatch.setattr("homeassistant.components.intent.timers.asyncio", _Hurried())


class _Hurried:
    """The module asyncio, without sleep."""

    def __getattr__(self, name: str) -> object:
        return getattr(asyncio, name)

    @staticmethod
    async def sleep(_seconds: float) -> None:
        await asyncio.sleep(0)


async def ring(stage: Stage) -> list[str]:
    """Let every timer come to its end, and those that they start."""
    for _ in range(20):
        await asyncio.sleep(0)
    await stage.hass.async_block_till_done(wait_background_tasks=True)
    return list(stage.house.effects)


async def test_a_timer_carries_out_no_command(
    stage: Stage, subtests: pytest.Subtests
) -> None:
    unattended = replace(AUTOMATION, device=stage.house.satellite_device)
    for command in some(COMMANDS):
        for who in (stage.at_satellite, unattended, ANNA):
            with subtests.test(command, who=who):
                stage.fresh()
                sentence = f"In 10 seconds {command}"
                await stage.play(Line(sentence, [timer(command), "No."], who=who))
                assert await ring(stage) == []
                assert stage.house.timers == []
