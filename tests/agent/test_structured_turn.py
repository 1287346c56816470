"""A turn whose answer must have a form: it brings data, or it has failed."""

import json
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm, selector
import probatio
import pytest

from custom_components.lumo.agent.structured import AnswerFormat
from custom_components.lumo.lumo_client.errors import (
    BadRequestError,
    ContentFilteredError,
)
from custom_components.lumo.lumo_client.events import TextDelta
from custom_components.lumo.lumo_client.messages import ChatRequest

from .conftest import FakeTool
from .scripted import Answer, Scene
from .turns import COMMAND, OFF

STRUCTURE = probatio.Schema(
    {
        probatio.Required("cars", description="How many"): selector.selector(
            {"number": {"min": 0, "max": 9}}
        ),
        probatio.Optional("note"): selector.selector({"text": {}}),
    },
    extra=probatio.PREVENT_EXTRA,
)
GOOD = '{"cars": 3}'
BAD = '{"cars": "several"}'


def scene(
    hass: HomeAssistant,
    api: llm.APIInstance | None,
    answers: list[Answer],
    sentence: str = "Count the cars",
    **options: Any,
) -> Scene:
    made = Scene(hass, api, sentence, answers, **options)
    made.context.answer_format = AnswerFormat.of(hass, STRUCTURE)
    return made


def texts(request: ChatRequest) -> list[str]:
    return [getattr(message, "text", "") for message in request.messages]


async def test_answer_becomes_data(hass: HomeAssistant) -> None:
    """The form stands behind what was asked, within what is encrypted."""
    turn = scene(hass, None, [GOOD])
    await turn.run()
    assert turn.context.data == {"cars": 3}
    assert not turn.record.failed
    [request] = turn.client.requests
    assert "Count the cars\n\nAnswer with one JSON object" in texts(request)[-1]
    assert '"How many. ' in texts(request)[-1]


async def test_wrong_form_is_asked_for_once_more(hass: HomeAssistant) -> None:
    turn = scene(hass, None, [BAD, GOOD])
    await turn.run()
    assert turn.context.data == {"cars": 3}
    again = texts(turn.client.requests[1])
    assert again[-2] == BAD
    assert "cars" in again[-1]
    assert "Count the cars" in again[-3]
    assert len(turn.client.requests) == 2


@pytest.mark.parametrize(
    "bad",
    [
        BAD,
        "I see three cars.",
        "[]",
        "",
        "null",
        "<think>",
        '{"cars": 3',
        f'{GOOD} {{"cars": 4}}',
    ],
)
async def test_wrong_form_twice_is_an_error(hass: HomeAssistant, bad: str) -> None:
    turn = scene(hass, None, [bad, bad, GOOD])
    assert "[wrong_form]" in await turn.run()
    assert turn.context.data is None
    assert turn.record.error == "wrong_form"
    assert turn.record.decisions[-1] == "the answer has not the form, given up"
    assert len(turn.client.requests) == 2


async def test_actions_must_be_valid(hass: HomeAssistant) -> None:
    """Home Assistant's selector takes anything."""
    actions = {probatio.Required("do"): selector.selector({"action": {}})}
    good = '{"do": [{"action": "light.turn_on"}]}'
    turn = Scene(hass, None, "Write a script", ['{"do": [{"turn": "on"}]}', good])
    turn.context.answer_format = AnswerFormat.of(hass, probatio.Schema(actions))
    await turn.run()
    assert turn.context.data == {"do": [{"action": "light.turn_on"}]}
    assert len(turn.client.requests) == 2


@pytest.mark.parametrize("error", [BadRequestError(), ContentFilteredError()])
@pytest.mark.parametrize("begun", [[], [TextDelta(GOOD)]])
async def test_failure_brings_no_data(
    hass: HomeAssistant, error: Exception, begun: list[TextDelta]
) -> None:
    turn = scene(hass, None, [[*begun, error]])
    await turn.run()
    assert turn.record.failed
    assert turn.context.data is None
    assert len(turn.client.requests) == 1


async def test_data_after_a_call(
    hass: HomeAssistant, api: llm.APIInstance, turn_off: FakeTool
) -> None:
    turn = scene(hass, api, [OFF, BAD, GOOD], COMMAND, quick_confirmation="always")
    await turn.run()
    assert len(turn_off.calls) == 1
    assert turn.context.data == {"cars": 3}


@pytest.mark.parametrize(
    "said",
    [
        "Done, I turned off the light. Anything else?",
        '```json\n{"name": "user:HassTurnOff", "arguments": {}}\n```',
        "**Bold** and `code`",
    ],
)
async def test_data_is_not_touched(hass: HomeAssistant, said: str) -> None:
    turn = scene(hass, None, [json.dumps({"cars": 1, "note": said})], "Never mind")
    await turn.run()
    assert turn.context.data == {"cars": 1, "note": said}
