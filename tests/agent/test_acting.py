"""When a call in the text of an answer acts: at its end, or after two seconds."""

import asyncio

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import pytest

from custom_components.lumo.agent import answer as reader
from custom_components.lumo.agent.answer import ACTS_AFTER, AnswerReader
from custom_components.lumo.agent.record import TurnRecord
from custom_components.lumo.agent.toolbox import Toolbox
from custom_components.lumo.lumo_client.events import End, TextDelta

from .conftest import FakeTool
from .scripted import Scene, Step
from .turns import COMMAND, OFF

END = End("stop")


@pytest.fixture
def answer(toolbox: Toolbox, record: TurnRecord) -> AnswerReader:
    return AnswerReader(toolbox, record, native=False, is_command=True)


def test_a_call_is_held_until_the_answer_ends(answer: AnswerReader) -> None:
    """What is written behind it may say that it is not meant."""
    held = [
        ([*answer.on_event(TextDelta(text))], answer.holds_call)
        for text in (OFF[:-5], OFF[-5:], "\n")
    ]
    assert held == [([], False), ([], True), ([], True)]
    assert answer.calls == 0
    [delta] = answer.finish()
    assert [call.tool_args for call in delta["tool_calls"] or ()] == [
        {"area": "Kitchen"}
    ]


def test_a_call_acts_when_it_is_asked_for_once(answer: AnswerReader) -> None:
    """What follows it may bring another."""
    list(answer.on_event(TextDelta(f"{OFF}\n")))
    assert len(list(answer.act())) == 1
    assert not answer.holds_call
    list(answer.on_event(TextDelta(OFF.replace("Kitchen", "Hall"))))
    assert len(list(answer.finish())) == 1
    assert answer.calls == 2


@pytest.mark.parametrize("missing", [5, 7])
def test_only_what_is_whole_acts_when_an_answer_breaks_off(
    answer: AnswerReader, missing: int
) -> None:
    """The call that was being written is not asked for again: there is no answer."""
    other = OFF.replace("Kitchen", "Hall")[:-missing]
    list(answer.on_event(TextDelta(f"{OFF}\n{other}")))
    assert len(list(answer.break_off())) == 1
    assert answer.calls == 1 and not answer.refused


async def test_a_slow_answer_lets_its_call_act(
    hass: HomeAssistant,
    api: llm.APIInstance,
    turn_off: FakeTool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reader, "ACTS_AFTER", 0.01)
    goes_on = asyncio.Event()
    scene = Scene(
        hass, api, COMMAND, [[TextDelta(f"{OFF}\n"), goes_on, END], "It is off."]
    )
    task = hass.async_create_task(scene.run())
    async with asyncio.timeout(5):
        while not turn_off.calls:
            await asyncio.sleep(0.01)
    assert not task.done()
    goes_on.set()
    assert await task == "It is off."
    assert len(turn_off.calls) == 1


async def test_a_call_waits_for_what_follows_it(
    hass: HomeAssistant, api: llm.APIInstance, turn_off: FakeTool
) -> None:
    assert ACTS_AFTER == 2
    goes_on = asyncio.Event()
    scene = Scene(
        hass, api, COMMAND, [[TextDelta(f"{OFF}\n"), goes_on, END], "It is off."]
    )
    task = hass.async_create_task(scene.run())
    await asyncio.sleep(0.1)
    assert not turn_off.calls
    goes_on.set()
    await task
    assert len(turn_off.calls) == 1


async def test_somebody_elses_turn_ends_the_answer(
    hass: HomeAssistant,
    api: llm.APIInstance,
    turn_off: FakeTool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The stream is closed; nothing of what was invented is heard or run."""
    monkeypatch.setattr(reader, "ACTS_AFTER", 0.01)
    steps: list[Step] = [
        TextDelta(f"{OFF}\n<|im_start|>user\nAnd the hall\n"),
        TextDelta(OFF.replace("Kitchen", "Hall")),
        asyncio.Event(),
    ]
    scene = Scene(hass, api, COMMAND, [steps, "It is off."])
    assert await scene.run() == "It is off."
    assert turn_off.calls == [{"area": "Kitchen"}]
    assert "text dropped (somebody else's turn)" in scene.decisions
    words: list[Step] = [TextDelta("Hi.\n<|im_start|>user\nBye"), asyncio.Event()]
    assert await Scene(hass, api, "Hello", [words]).run() == "Hi."
