"""Requests are counted by the service: what a person hears of it, and when."""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import pytest
from pytest_homeassistant_custom_component.common import async_capture_events

from custom_components.lumo.agent.record import Quota, TurnRecord
from custom_components.lumo.const import EVENT_QUOTA_LOW
from custom_components.lumo.lumo_client.errors import QuotaError
from custom_components.lumo.lumo_client.events import End, Limits, TextDelta, Usage

from .conftest import FakeTool
from .scripted import Answer, Scene, Step

COMMAND = "Turn off the kitchen light"
SATELLITE = "assist_satellite.hall"
CALL = '```json\n{"name": "user:HassTurnOff", "arguments": {"area": "Kitchen"}}\n```'


def said(text: str, left: int | None, pool: str = "lite", **others: int) -> list[Step]:
    """Return an answer after which so many requests are left."""
    limits = Limits(**{pool: left, **others})
    return [TextDelta(text), Usage(1, 1, pool, limits), End("stop")]


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        # Ten or fewer, once, and the last.
        ([12, 11, 10, 9, 8], [10]),
        ([100, 60, 21, 9, 5, 1, 0, 0], [9, 0]),
        ([8, 7], [8]),
        ([0, 0], [0]),
        # Filled up: it begins anew. Not told, or no limit: nothing is.
        ([10, 9, 100, 99, 10], [10, 10]),
        ([None, None], []),
        # Some come back by and by.
        ([10, 9, 10, 9, 0, 1, 0], [10, 0]),
        ([0, 1, 0, 11, 10], [0, 10]),
        ([10, None, 9], [10]),
    ],
)
def test_few_are_told_of_once(counts: list[int | None], told: list[int]) -> None:
    quota = Quota()
    found = [quota.few(Usage(1, 1, "lite", Limits(lite=left))) for left in counts]
    assert [item[1] for item in found if item] == told


def test_a_record_begins_with_nothing() -> None:
    record = TurnRecord()
    trace = record.as_trace()
    told = [*record.as_event().values(), *trace.pop("sizes").values(), *trace.values()]
    assert not any(told)
    assert not record.failed


def test_pools_are_told_of_for_themselves() -> None:
    quota = Quota()
    quota.note(Limits(lite=100, max=3))
    assert quota.few(Usage(1, 1, "lite", None)) is None
    assert quota.few(Usage(1, 1, None, Limits(max=2))) is None
    assert quota.few(None) is None
    assert quota.few(Usage(1, 1, "max", Limits(max=2))) == ("max", 2)
    assert not quota.is_empty("max")
    quota.note(Limits(max=0))
    assert quota.is_empty("max")
    quota.note(Limits(max=None))
    assert not quota.is_empty("max")


async def test_a_person_hears_of_it(hass: HomeAssistant) -> None:
    quota, events = Quota(), async_capture_events(hass, EVENT_QUOTA_LOW)
    answers = [
        ("Which one?", 7, "Which one?"),
        ("It is late.", 6, "It is late. | [quota_few]"),
        ("It is late.", 5, "It is late."),
        ("The last.", 0, "The last. | [quota_last]"),
    ]
    for text, left, heard in answers:
        scene = Scene(hass, None, "Hello", [said(text, left)], quota=quota)
        assert await scene.run() == heard
        assert not scene.record.failed
    assert [event.data for event in events] == [
        {"entity_id": "conversation.lumo", "pool": "lite", "left": left}
        for left in (6, 0)
    ]
    scene = Scene(hass, None, "Hello", [said("Hi.", 1)], quota=Quota())
    assert await scene.run() == "Hi. | [quota_few_one]"
    assert scene.decisions == ["1 requests are left of lite"]
    # A program does not: a person is told later.
    quota = Quota()
    scene = Scene(hass, None, "Hello", [said("Hi.", 2)], quota=quota)
    scene.context.verbatim = True
    assert await scene.run() == "Hi."
    assert quota.few(Usage(1, 1, "lite", Limits(lite=2)))


async def test_the_last_request_that_did_its_work_is_a_success(
    hass: HomeAssistant, api: llm.APIInstance, turn_off: FakeTool
) -> None:
    told = Scene(hass, api, COMMAND, [said(CALL, 0)], quota=Quota())
    assert await told.run() == "[quick_done] | [quota_last]"
    refused = Scene(hass, api, COMMAND, [CALL, [QuotaError()]])
    assert await refused.run() == "[quick_done] [quota_last]"
    assert isinstance(refused.record.failure, QuotaError)
    for scene in (told, refused):
        assert not scene.record.failed
    # There was more to do, or nothing was done.
    more = Scene(hass, api, f"{COMMAND} and sing", [CALL, [QuotaError()]])
    assert await more.run() == "[quota] [done_one]"
    none = Scene(hass, api, COMMAND, [[QuotaError()]])
    assert await none.run() == "[quota]"
    for scene in (more, none):
        assert scene.record.error == "quota"
    assert len(turn_off.calls) == 3


async def test_lite_answers_where_max_is_used_up(hass: HomeAssistant) -> None:
    quota = Quota()
    scene = Scene(
        hass, None, "Hi", [said("One.", 0, "max", lite=50)], quota=quota, model="max"
    )
    assert await scene.run() == "One. | [quota_max]"
    table: list[tuple[list[Answer], list[str]]] = [
        ([said("Two.", 49, max=0)], ["lumo-lite"]),
        ([said("Three.", 48, max=9)], ["lumo-lite"]),
        ([[QuotaError()], said("Four.", 47)], ["lumo-max", "lumo-lite"]),
    ]
    for answers, asked in table:
        scene = Scene(hass, None, "Hi", answers, quota=quota, model="max")
        await scene.run()
        assert [request.model for request in scene.client.requests] == asked
        assert not scene.record.failed


@pytest.mark.parametrize(
    "row",
    [
        (COMMAND, SATELLITE, "automatic", True),
        (COMMAND, None, "automatic", True),
        (COMMAND, SATELLITE, "never", False),
        # Asked for politely it is one command still.
        (f"Uh, {COMMAND}, please.", SATELLITE, "automatic", True),
        (f"Lumo, {COMMAND}! Thank you very much", SATELLITE, "automatic", True),
        # It asks for more, or asks.
        (f"{COMMAND} and tell me a joke", SATELLITE, "always", False),
        (f"{COMMAND} for an hour", SATELLITE, "always", False),
        (f"{COMMAND} when I leave", SATELLITE, "always", False),
        ("Is the kitchen light off", SATELLITE, "automatic", False),
    ],
)
async def test_when_success_is_confirmed_without_the_model(
    hass: HomeAssistant, api: llm.APIInstance, row: Any
) -> None:
    """One plain command, whoever speaks; anything that succeeded; nothing."""
    sentence, satellite, option, confirmed = row
    scene = Scene(
        hass,
        api,
        sentence,
        [CALL, "It is off now."],
        satellite=satellite,
        quick_confirmation=option,
    )
    assert await scene.run() == ("[quick_done]" if confirmed else "It is off now.")
    assert len(scene.client.requests) == (1 if confirmed else 2)


@pytest.mark.parametrize(
    ("second", "told"),
    [
        (CALL.replace("Kitchen", "Hall"), "[quick_done]"),
        ('{"name": "user:HassMediaNext", "arguments": {}}', "I did both."),
    ],
)
async def test_what_several_calls_of_one_tool_did_is_confirmed(
    hass: HomeAssistant, api: llm.APIInstance, second: str, told: str
) -> None:
    answers = [f"{CALL}\n{second}", "I did both."]
    scene = Scene(hass, api, COMMAND, answers, quick_confirmation="automatic")
    assert await scene.run() == told
