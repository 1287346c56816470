"""What is told of the past is true: counted anew from the rows, in the plainest way."""

from collections.abc import Iterator
from dataclasses import replace
import json
import logging
from typing import Any

from homeassistant.components.energy.data import async_get_manager
from homeassistant.components.recorder import Recorder, get_instance
from homeassistant.components.recorder.db_schema import States
from homeassistant.components.recorder.statistics import statistics_during_period
from homeassistant.components.recorder.util import session_scope
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er, llm
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from hypothesis import HealthCheck, given, settings, strategies as st
import pytest
from pytest_homeassistant_custom_component.components.recorder.common import (
    async_wait_recording_done,
)
from sqlalchemy import delete

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.history import History

from .history_questions import PERIODS, local, questions, told
from .history_rows import (
    HOUR,
    KEEP_DAYS,
    NOW,
    PURGED,
    THINGS,
    ZONE,
    Row,
    Thing,
    async_furnish,
    at,
    write_states,
)
from .large_home import add

CONTEXT = llm.LLMContext("lumo", Context(), "en", "conversation", None)
GRID = (
    "stat_energy_from",
    "stat_energy_to",
    "stat_cost",
    "entity_energy_price",
    "number_energy_price",
    "stat_compensation",
    "entity_energy_price_export",
    "number_energy_price_export",
)
HIDDEN_METER = "sensor.hidden_meter"
HIDDEN = [thing for thing in THINGS if not thing.exposed]


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    """Keep what all the statements were out of the log."""
    caplog.set_level(logging.WARNING)
    for name in ("sqlalchemy.engine", "homeassistant.components.recorder"):
        caplog.set_level(logging.WARNING, name)


@pytest.fixture
def recorder_config() -> dict[str, Any]:
    """Keep states for 40 days, and none of the cellar light."""
    return {"purge_keep_days": KEEP_DAYS, "exclude": {"entities": ["light.cellar"]}}


@pytest.fixture
async def home(
    recorder_mock: Recorder, hass: HomeAssistant, freezer: Any
) -> HomeAssistant:
    """Return the home with its past."""
    freezer.move_to(NOW)
    await hass.config.async_set_time_zone(ZONE)
    for domain in ("homeassistant", "logbook", "automation", "energy"):
        assert await async_setup_component(hass, domain, {})
    await async_furnish(hass, recorder_mock)
    return hass


async def ask(hass: HomeAssistant, **arguments: str) -> dict[str, Any]:
    """Return what is told."""
    ability = History(AbilityContext(hass=hass))
    result = await ability.async_call(
        hass, llm.ToolInput(ability.name, arguments), CONTEXT
    )
    assert len(json.dumps(result.data, ensure_ascii=False)) <= 1500
    return dict(result.data)


async def text(hass: HomeAssistant, **arguments: str) -> str:
    """Return what is told or why not, as text."""
    try:
        return json.dumps(await ask(hass, **arguments))
    except HomeAssistantError as error:
        return str(error)


async def untrue(hass: HomeAssistant, every: int) -> list[str]:
    """Ask every so many of all questions; return what is not exactly so."""
    asked = list(questions())
    assert len(asked) > 60
    wrong = []
    for question in asked[::every]:
        arguments = question.ask()
        try:
            data = await ask(hass, **arguments)
        except HomeAssistantError as error:
            wrong.append(f"{arguments}: {error}")
            continue
        results = {item["name"]: item for item in data["results"]}
        expected = {item["name"]: item for item in question.tell()}
        if results != expected:
            wrong.append(f"{arguments}\n    {results}\n    {expected}")
    return wrong


async def test_the_past_of_a_home(
    home: HomeAssistant, hass_storage: dict[str, Any]
) -> None:
    """A sample of what is true, who did it, energy; and what is not told."""
    wrong = await untrue(home, 21)
    assert not wrong, "\n".join(wrong)
    await who_did_it(home)
    await energy_is_what_the_dashboard_shows(home)
    await it_is_said_why_nothing_is_known(home)
    # The last: it takes things away.
    await what_is_not_exposed_does_not_exist(home)


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_all_answers_are_true(home: HomeAssistant) -> None:
    """To the last digit."""
    wrong = await untrue(home, 1)
    assert not wrong, "\n".join(wrong)


async def who_did_it(hass: HomeAssistant) -> None:
    """Check that only whoever is exposed is named."""
    changes = [
        "today, Monday 23 March, 09:30: off, by Anna",
        "today, Monday 23 March, 09:00: on, by hand or by itself",
        "today, Monday 23 March, 07:00: off, by an automation",
        "today, Monday 23 March, 06:00: on, by automation Morning lights",
        "yesterday, Sunday 22 March, 21:14: off, by Anna",
        "yesterday, Sunday 22 March, 19:00: on, by somebody",
    ]
    for more, expected in (
        ({}, changes[:5]),
        ({"state": "on"}, changes[1::2]),
        ({"state": "on", "period": "day_before_yesterday"}, []),
        ({"period": "yesterday"}, changes[4:]),
    ):
        data = await ask(hass, question="who", name="hall lamp", **more)
        assert data["results"][0].get("changes", []) == expected


async def energy_is_what_the_dashboard_shows(hass: HomeAssistant) -> None:
    """Check it against Home Assistant's own sums, and that only those are told."""
    source = dict.fromkeys(GRID) | {"type": "grid", "cost_adjustment_day": 0}
    meters = {"stat_energy_from": "sensor.meter", "stat_energy_to": HIDDEN_METER}
    devices = [
        {"stat_consumption": entity_id} for entity_id in ("sensor.washer", HIDDEN_METER)
    ]
    manager = await async_get_manager(hass)
    await manager.async_update(
        {"energy_sources": [source | meters], "device_consumption": devices}  # type: ignore[list-item, typeddict-item]
    )
    for period in ("yesterday", "last_week", "last_month", "2026-01"):
        begin, end = PERIODS[period]
        rows = await get_instance(hass).async_add_executor_job(
            statistics_during_period,
            hass,
            dt_util.utc_from_timestamp(begin),
            dt_util.utc_from_timestamp(end - 1),
            {"sensor.meter"},
            "hour",
            None,
            {"change"},
        )
        shown = sum(row["change"] or 0 for row in rows["sensor.meter"])
        data = await ask(hass, question="energy", period=period)
        assert data["results"] == [
            {"name": "from the grid", "change": round(shown, 2), "unit": "kWh"}
        ]


async def it_is_said_why_nothing_is_known(hass: HomeAssistant) -> None:
    """Check that not recorded, being converted and nothing kept are told apart."""
    lamp = {"question": "count", "name": "Cellar light", "period": "today"}
    assert await text(hass, **lamp) == "Home Assistant does not record Cellar light."
    get_instance(hass).migration_in_progress = True
    assert "converting" in await text(hass, **lamp)
    get_instance(hass).migration_in_progress = False
    lamp = {"question": "duration", "name": "Hall lamp", "period": "2026-01"}
    assert "nothing of that time" in await text(hass, **lamp)


async def test_without_a_recorder(hass: HomeAssistant) -> None:
    """It is not offered; called all the same it says so."""
    assert not History(AbilityContext(hass=hass)).is_useful
    assert "recorder" in await text(hass, question="count", kind="light")


async def what_is_not_exposed_does_not_exist(hass: HomeAssistant) -> None:
    """Check that all is answered as if it had never been, whatever is asked."""
    told = [await text(hass, **arguments) for arguments in prying()]
    for thing in HIDDEN:
        hass.states.async_remove(thing.entity_id)
        er.async_get(hass).async_remove(thing.entity_id)
    await hass.async_block_till_done()
    for arguments, before in zip(prying(), told, strict=True):
        assert await text(hass, **arguments) == before, arguments


def prying() -> Iterator[dict[str, str]]:
    """Yield questions that may hit what is hidden."""
    names = [name for thing in HIDDEN for name in (thing.name, thing.entity_id)]
    for name in (*names, "Secret light", "door inside"):
        yield {"question": "count", "name": name, "period": "yesterday"}
    for place in (
        *({"area": area} for area in ("Hidden room", "Kitchen", "Hall")),
        *({"kind": kind} for kind in ("door", "person", "temperature", "energy")),
        {"kind": "light", "area": "Kitchen", "state": "on"},
    ):
        for question in ("last_change", "change", "who"):
            yield {"question": question, "period": "yesterday", **place}


# Over the short day, in eighths of a second.
FIRST = at("2026-03-21 12:00:00")
moments = st.integers(0, 8 * 48 * HOUR)
nothing = st.sampled_from(("unavailable", "unknown"))
lamp_states = st.one_of(st.sampled_from(("on", "off")), nothing)
numbers = st.one_of(st.integers(-50, 50).map(str), nothing)


@pytest.fixture
async def bare_home(
    recorder_mock: Recorder, hass: HomeAssistant, freezer: Any
) -> HomeAssistant:
    """Return a home with a lamp and a sensor that were nothing yet."""
    freezer.move_to(NOW)
    await hass.config.async_set_time_zone(ZONE)
    assert await async_setup_component(hass, "homeassistant", {})
    hass.states.async_set("sun.sun", "up", timestamp=PURGED)
    for thing in (LAMP, SENSOR):
        add(hass, thing.entity_id, "unknown", name=thing.name, **thing.attributes)
    await async_wait_recording_done(hass)
    return hass


LAMP = Thing(entity_id="light.any", name="Any lamp", rows=[])
SENSOR = Thing(
    entity_id="sensor.any",
    name="Any sensor",
    rows=[],
    attributes={"unit_of_measurement": "bar"},
)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(moments, lamp_states, max_size=20),
    st.dictionaries(moments, numbers, max_size=20),
    st.lists(moments, min_size=2, max_size=2, unique=True).map(sorted),
)
async def test_whatever_happened(
    bare_home: HomeAssistant,
    lit: dict[int, str],
    measured: dict[int, str],
    ends: list[int],
) -> None:
    """Of any rows, in any period."""
    begin, end = (FIRST + moment / 8 for moment in ends)
    things = [
        replace(
            thing,
            rows=[Row(FIRST + key / 8, states[key]) for key in sorted(states)],
        )
        for thing, states in ((LAMP, lit), (SENSOR, measured))
    ]

    def write() -> None:
        with session_scope(session=get_instance(bare_home).get_session()) as session:
            recent = States.last_updated_ts >= FIRST
            session.execute(
                delete(States).where(recent, States.last_updated_ts < NOW.timestamp())
            )
            for thing in things:
                write_states(session, thing, thing.rows)

    await get_instance(bare_home).async_add_executor_job(write)
    period = {"from": local(begin).isoformat(), "to": local(end).isoformat()}
    for thing, kinds in zip(
        things, (("count", "duration"), ("min", "max", "mean")), strict=True
    ):
        for kind in kinds:
            state = {"state": "on"} if thing.entity_id == LAMP.entity_id else {}
            data = await ask(
                bare_home, question=kind, name=thing.name, **state, **period
            )
            [result] = data["results"]
            expected = told(kind, thing, begin, end)
            if kind in expected and kind == "mean":
                expected[kind] = pytest.approx(expected[kind], abs=0.0101)
            assert result == expected
