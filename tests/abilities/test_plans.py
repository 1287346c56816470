"""When a plan ends."""

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
    ("seconds", "state", "end"),
    [
        (30, "done", End.DUE),
        (30, "running", None),
        (61, "running", End.EXPIRED),
        # It has happened, but too late.
        (61, "done", End.EXPIRED),
    ],
)
async def test_plan_waits_no_longer_than_it_may(
    home: HomeAssistant,
    freezer: FrozenDateTimeFactory,
    hass_storage: dict[str, Any],
    seconds: int,
    state: str,
    end: End | None,
) -> None:
    ends: list[End] = []

    async def carry_out(_plan: ScheduledTask, end: End) -> None:
        ends.append(end)

    plans = Plans(home, "account", carry_out)
    await plans.async_load()
    now = dt_util.utcnow()
    trigger = Trigger(
        at=now.timestamp() + 60, entity_id="sensor.washer", states=["done"]
    )
    await plans.async_add(
        ScheduledTask(
            agent="agent",
            trigger=trigger,
            say="It is done",
            user_id=None,
            satellite_id=None,
            device_id=None,
            language="en",
        )
    )
    freezer.tick(timedelta(seconds=seconds))
    home.states.async_set("sensor.washer", state)
    await home.async_block_till_done()
    async_fire_time_changed(home)
    await home.async_block_till_done()
    assert ends == ([end] if end else [])
    await plans.async_stop()
