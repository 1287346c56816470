"""How long `history` takes in a home with a million recorded states.

    scripts/bench history               200 things, 10 days, a year of hour rows
    scripts/bench history --rows 100000 a smaller one, to try it

    median, longest   milliseconds from the call to its result
    CPU               milliseconds of work in it, the median
    of baseline       that work against Home Assistant's own for reading 7 days of states
                      of one thing (`get_significant_states`), in the same run

The database is SQLite in a file, as the recorder makes it; nothing else runs.
"""

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
import logging
from pathlib import Path
import random
from statistics import median
import tempfile
import time
from typing import Any

from .table import print_table

THINGS = 200
DAYS = 10
HOURS = 365 * 24
# One thing in ten of each; all others are sensors.
KINDS = ("light", "binary_sensor", "lock", "light", "binary_sensor")
METERS = 20
SENSOR = {"name": "Thing 5"}
METER = {"name": "Meter 9"}
LAMP = {"name": "Thing 0"}
DAY = {"period": "yesterday"}
WEEK = {"period": "last_7_days"}
YEAR = {"from": "2025-06-01", "to": "2026-01-31"}
CALLS: dict[str, dict[str, Any]] = {
    "last change": {"question": "last_change", **LAMP, "state": "on"},
    "last change of all doors": {"question": "last_change", "kind": "door", **WEEK},
    "count, a day": {"question": "count", **LAMP, "state": "on", **DAY},
    "count, 7 days": {"question": "count", **LAMP, "state": "on", **WEEK},
    "duration, 7 days": {"question": "duration", **LAMP, "state": "on", **WEEK},
    "duration, an area": {
        "question": "duration",
        "area": "Area 3",
        "kind": "light",
        "state": "on",
        **WEEK,
    },
    "min, 7 days": {"question": "min", **SENSOR, **WEEK},
    "max, 7 days": {"question": "max", **SENSOR, **WEEK},
    "mean, a day": {"question": "mean", **SENSOR, **DAY},
    "mean, 7 days": {"question": "mean", **SENSOR, **WEEK},
    "mean, than last week": {
        "question": "mean",
        **SENSOR,
        "period": "this_week",
        "than": "last_week",
    },
    "mean, 8 months": {"question": "mean", **SENSOR, **YEAR},
    "change, a day": {"question": "change", **METER, **DAY},
    "change, 8 months": {"question": "change", **METER, **YEAR},
    "timeline, 7 days": {"question": "timeline", **SENSOR, **WEEK},
    "timeline, 8 months": {"question": "timeline", **SENSOR, **YEAR},
    "who, 7 days": {"question": "who", **LAMP, **WEEK},
}


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench history",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--calls", type=int, default=20, help="calls of each kind")
    arguments = parser.parse_args()
    logging.disable(logging.WARNING)
    # Home Assistant must be imported before anything imports httpx.
    from pytest_homeassistant_custom_component.common import async_test_home_assistant  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        async with async_test_home_assistant(config_dir=folder) as hass:
            path = Path(folder) / "home.db"
            await _furnish(hass, path, arguments.rows)
            await _measure(hass, arguments.calls)
            await hass.async_stop(force=True)
            print(f"\n{path.stat().st_size / 1e6:.0f} MB")


async def _measure(hass: Any, count: int) -> None:
    from homeassistant.components.recorder import get_instance, history  # noqa: PLC0415
    from homeassistant.core import Context  # noqa: PLC0415
    from homeassistant.helpers import llm  # noqa: PLC0415
    from homeassistant.util import dt as dt_util  # noqa: PLC0415

    from custom_components.lumo.abilities.ability import AbilityContext  # noqa: PLC0415
    from custom_components.lumo.abilities.history import History  # noqa: PLC0415

    ability = History(AbilityContext(hass=hass))
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    now = dt_util.utcnow()

    async def read() -> None:
        await get_instance(hass).async_add_executor_job(
            history.get_significant_states,
            hass,
            now - timedelta(days=7),
            now,
            ["light.thing_0"],
        )

    baseline = await _times(read, count)
    rows = [_row("Home Assistant reads 7 days", baseline, baseline)]
    found = []
    for title, arguments in CALLS.items():

        async def ask() -> None:
            tool_input = llm.ToolInput(ability.name, arguments)  # noqa: B023
            await ability.async_call(hass, tool_input, context)

        times = await _times(ask, count)
        found.append(times)
        rows.append(_row(title, times, baseline))
    print_table(
        ["question", "median ms", "longest", "CPU ms", "of baseline"],
        rows,
        title="history",
    )
    middle, _, work = (median(column) for column in zip(*found, strict=True))
    print(f"\nmedian of all questions: {middle:.1f} ms, {work:.1f} ms of it CPU")


type _Times = tuple[float, float, float]


def _row(title: str, times: _Times, baseline: _Times) -> list[str]:
    """Return a line of the table."""
    return [title, *(f"{item:.1f}" for item in (*times, times[2] / baseline[2]))]


async def _times(action: Callable[[], Awaitable[None]], count: int) -> _Times:
    """Return the median and the longest time of an action, and the median of its work.

    In milliseconds; the work is that of all threads.
    """
    times: list[float] = []
    works: list[float] = []
    for _ in range(count):
        begin, began = time.perf_counter(), time.process_time()
        await action()
        times.append((time.perf_counter() - begin) * 1000)
        works.append((time.process_time() - began) * 1000)
    return median(times), max(times), median(works)


def _kind(number: int) -> str:
    return KINDS[number % 10] if number % 10 < len(KINDS) else "sensor"


def _attributes(kind: str, number: int) -> dict[str, Any]:
    if kind == "binary_sensor":
        return {"device_class": "door"}
    if kind != "sensor":
        return {}
    if number % 10 == 9:
        return {
            "device_class": "energy",
            "state_class": "total_increasing",
            "unit_of_measurement": "kWh",
        }
    return {
        "device_class": "temperature",
        "state_class": "measurement",
        "unit_of_measurement": "°C",
    }


async def _furnish(hass: Any, path: Path, rows: int) -> None:
    """Fill the home and its database."""
    from homeassistant.components import recorder  # noqa: PLC0415
    from homeassistant.components.homeassistant.exposed_entities import (  # noqa: PLC0415
        async_expose_entity,
    )
    from homeassistant.helpers import (  # noqa: PLC0415
        area_registry as ar,
        entity_registry as er,
        recorder as recorder_helper,
    )
    from homeassistant.setup import async_setup_component  # noqa: PLC0415

    recorder_helper.async_initialize_recorder(hass)
    config = {"recorder": {"db_url": f"sqlite:///{path}"}}
    assert await async_setup_component(hass, "recorder", config)
    for domain in ("homeassistant", "conversation", "logbook"):
        assert await async_setup_component(hass, domain, {})
    instance = recorder.get_instance(hass)
    await instance.async_db_ready
    areas = [ar.async_get(hass).async_create(f"Area {index}") for index in range(20)]
    entities = er.async_get(hass)
    states = {}
    for number in range(THINGS):
        kind = _kind(number)
        entry = entities.async_get_or_create(
            kind,
            "bench",
            str(number),
            suggested_object_id=f"thing_{number}",
            original_name=f"{'Meter' if number % 10 == 9 else 'Thing'} {number}",
        )
        entities.async_update_entity(entry.entity_id, area_id=areas[number // 10].id)
        states[entry.entity_id] = _attributes(kind, number) | {
            "friendly_name": entry.original_name
        }
    begin = time.perf_counter()
    now = datetime.now(UTC).timestamp()
    await instance.async_add_executor_job(_write, instance, states, rows, now)
    for entity_id, attributes in states.items():
        state = _state(entity_id, attributes, rows // THINGS)
        hass.states.async_set(entity_id, state, attributes)
        async_expose_entity(hass, "conversation", entity_id, True)
    await instance.async_add_executor_job(instance.block_till_done)
    print(f"{rows} states written in {time.perf_counter() - begin:.0f} s\n")


def _state(entity_id: str, attributes: dict[str, Any], number: int) -> str:
    """Return the state of a thing in one of its rows."""
    if "state_class" not in attributes:
        states = ("locked", "unlocked") if entity_id[:4] == "lock" else ("off", "on")
        return states[number % 2]
    if attributes["device_class"] == "energy":
        return f"{number / 10:.1f}"
    return f"{20 + random.random() * 5:.1f}"


def _write(
    instance: Any, things: dict[str, dict[str, Any]], rows: int, now: float
) -> None:
    """Write what the recorder would have written."""
    from homeassistant.components.recorder.db_schema import (  # noqa: PLC0415
        StateAttributes,
        States,
        StatesMeta,
        Statistics,
        StatisticsMeta,
    )
    from homeassistant.components.recorder.util import session_scope  # noqa: PLC0415
    from homeassistant.helpers.json import json_dumps  # noqa: PLC0415
    from sqlalchemy import insert  # noqa: PLC0415

    each = rows // len(things)
    gap = DAYS * 86400 / each
    with session_scope(session=instance.get_session()) as session:
        told = []
        for entity_id, attributes in things.items():
            shared = json_dumps(attributes)
            meta = StatesMeta(entity_id=entity_id)
            text = StateAttributes(
                hash=StateAttributes.hash_shared_attrs_bytes(shared.encode()),
                shared_attrs=shared,
            )
            session.add_all((meta, text))
            session.flush()
            told.append((entity_id, attributes, meta.metadata_id, text.attributes_id))
        # As they come in a home: one of each in turn.
        for number in range(each):
            session.execute(
                insert(States),
                [
                    {
                        "metadata_id": meta_id,
                        "attributes_id": attributes_id,
                        "state": _state(entity_id, attributes, number),
                        "last_updated_ts": now - (each - number) * gap + place * 0.01,
                        "origin_idx": 0,
                        "context_id_bin": random.randbytes(16),
                    }
                    for place, (entity_id, attributes, meta_id, attributes_id) in (
                        enumerate(told)
                    )
                ],
            )
        for entity_id, attributes, _, _ in told:
            if "state_class" not in attributes:
                continue
            is_meter = attributes["device_class"] == "energy"
            statistic = StatisticsMeta(
                statistic_id=entity_id,
                source="recorder",
                unit_of_measurement=attributes["unit_of_measurement"],
                unit_class=attributes["device_class"],
                has_sum=is_meter,
                mean_type=0 if is_meter else 1,
            )
            session.add(statistic)
            session.flush()
            session.execute(
                insert(Statistics),
                [
                    {
                        "metadata_id": statistic.id,
                        "created_ts": now,
                        "start_ts": now // 3600 * 3600 - (HOURS - hour) * 3600,
                    }
                    | (
                        {"state": hour / 2, "sum": hour / 2}
                        if is_meter
                        else {"mean": 21.5, "min": 20.0, "max": 24.9}
                    )
                    for hour in range(HOURS)
                ],
            )
        instance.states_manager.load_from_db(session)


if __name__ == "__main__":
    asyncio.run(main())
