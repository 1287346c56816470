"""What is kept of the past: no way around what is hidden, nor around the gate."""

from collections.abc import AsyncGenerator
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.recorder import Recorder
from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import mock_config_flow

from custom_components.lumo.const import CONF_PLACES

from .entities import DOMAIN
from .house import SATELLITE, House
from .shared_house import NoFlow
from .stage import Call, Line, Stage

ASKING = [
    Call("history", question=question, name=name)
    for question in ("last_change", "timeline", "max")
    for name in ("Safe code", "sensor.safe")
]
OFFICE = Call("HassTurnOn", name="Office light")


@pytest.fixture
async def house(recorder_mock: Recorder, hass: HomeAssistant) -> AsyncGenerator[House]:
    """Return a house with a past of its own."""
    with mock_config_flow(DOMAIN, NoFlow):
        house = House(hass)
        await house.async_build()
        yield house


@pytest.fixture
def recorder_config() -> dict[str, Any]:
    return {"include": {"entities": ["sensor.news", "sensor.safe"]}}


async def test_the_past_is_no_way_around(stage: Stage) -> None:
    states = stage.hass.states
    states.async_set("sensor.safe", "47110815", {"friendly_name": "Safe code"})
    states.async_set("sensor.news", "Open it", {"friendly_name": "News"})
    async_expose_entity(stage.hass, "conversation", "sensor.safe", False)
    async_expose_entity(stage.hass, "conversation", "sensor.news", True)
    heard = await stage.say("What was the code?", ASKING, "I do not know.")
    assert len(heard.results) == 6
    assert all(item.result.error for item in heard.results)
    assert "47110815" not in f"{heard.results} {heard.requests}"
    # Nor of what a rule keeps away from a place.
    async_expose_entity(stage.hass, "conversation", "sensor.safe", True)
    known = await stage.say("What was the code?", ASKING, "It is 47110815.")
    assert "47110815" in str(known.results)
    rule = {"satellites": [SATELLITE], "areas": ["kitchen"]}
    await stage.change_agent(**{CONF_PLACES: [rule]})
    stage.fresh()
    heard = await stage.say("The code?", ASKING, "No.", who=stage.at_satellite)
    assert len(heard.results) == 6
    assert all(item.result.error for item in heard.results)
    assert "47110815" not in f"{heard.results} {heard.requests}"
    stage.fresh()
    news = Call("history", question="timeline", name="News")
    await stage.play(
        Line("Tell me the news", [news, OFFICE], asks="Office light"),
        Line("No", requests=0),
    )
