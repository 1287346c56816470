"""When a plan ends."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.lumo.abilities.plans import End, Plans, ScheduledTask
from custom_components.lumo.abilities.triggers import Trigger

from .large_home import add, async_prepare


@pytest.fixture
async def home(hass: HomeAssistant) -> HomeAssistant:
    await async_prepare(hass)
    assert await async_setup_component(hass, "sensor", {})
    add(
        hass,
        "sensor.washer",
        "running",
        name="Washer",
        device_class="enum",
        options=["running", "done"],
    )
    return hass


@pytest.mark.parametrize(
    ("lasts", "steps", "end"),
    [
        ("", [(30, "done")], End.DUE),
        # It is so when it is planned, and must have ceased to be.
        ("anew", [(30, "done")], None),
        ("anew", [(30, "running"), (30, "done")], End.DUE),
        ("", [(30, "running")], None),
        ("", [(601, "running")], End.EXPIRED),
        # It has happened, but too late.
        ("", [(601, "done")], End.EXPIRED),
        # It must last.
        ("00:05", [(30, "done"), (290, "done")], None),
        ("00:05", [(30, "done"), (301, "done")], End.DUE),
        ("00:05", [(30, "done"), (200, "running"), (101, "running")], None),
        ("00:05", [(30, "done"), (200, "running"), (10, "done"), (200, "done")], None),
        ("00:05", [(400, "done"), (201, "done")], End.EXPIRED),
    ],
)
async def test_plan_waits_no_longer_than_it_may(
    home: HomeAssistant,
    freezer: FrozenDateTimeFactory,
    hass_storage: dict[str, Any],
    lasts: str,
    steps: list[tuple[int, str]],
    end: End | None,
) -> None:
    ends: list[End] = []

    async def carry_out(_plan: ScheduledTask, end: End) -> None:
        ends.append(end)

    plans = Plans(home, "account", carry_out)
    await plans.async_load()
    until = dt_util.utcnow().timestamp() + 600
    waits = Trigger(at=until, entity_id="sensor.washer", states=["done"], lasts=lasts)
    if lasts == "anew":
        home.states.async_set("sensor.washer", "done")
        waits = replace(waits, anew=True, lasts="")
    await plans.async_add(
        ScheduledTask(
            agent="agent",
            trigger=waits,
            say="It is done",
            user_id=None,
            satellite_id=None,
            device_id=None,
            language="en",
        )
    )
    for seconds, state in steps:
        freezer.tick(timedelta(seconds=seconds))
        home.states.async_set("sensor.washer", state)
        await home.async_block_till_done()
        async_fire_time_changed(home)
        await home.async_block_till_done()
    assert ends == ([end] if end else [])
    await plans.async_stop()
