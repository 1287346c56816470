"""Ways round the rules by place: by another name, by time, and by other people's plans."""

from typing import Final

from homeassistant.helpers import entity_registry as er
import pytest

from custom_components.lumo.const import CONF_PLACES, ToolCalling

from .house import SATELLITE
from .stage import ANNA, Call, Stage, Who
from .test_later import IN_TEN, MINUTE, later, notified, pass_time, plan, plans

pytestmark = pytest.mark.parametrize("mode", [ToolCalling.PRIVATE])

CHILDREN: Final = {
    "name": "Children's room",
    "satellites": [SATELLITE],
    "areas": ["kitchen"],
}
OFFICE: Final = Call("HassTurnOn", name="Office light")
OFFICE_LATER: Final = {"tool": "user:HassTurnOn", "arguments": {"name": "Office light"}}


async def test_a_satellite_with_another_name(stage: Stage) -> None:
    """Its rule holds until somebody has written it anew."""
    await stage.change_agent(**{CONF_PLACES: [CHILDREN]})
    renamed = "assist_satellite.other"
    er.async_get(stage.hass).async_update_entity(SATELLITE, new_entity_id=renamed)
    await stage.hass.async_block_till_done()
    there = Who(user=None, satellite=renamed)
    stage.hass.states.async_set(renamed, "processing")
    assert not (await stage.say("Light", OFFICE, "No.", who=there)).effects
    stage.conversation_id = None
    assert (await stage.say("Light", OFFICE, "Ok.", who=ANNA)).effects
    # Now it is named, and its rule is another.
    rules = [{"name": "Other", "satellites": [renamed]}, CHILDREN]
    await stage.change_agent(**{CONF_PLACES: rules})
    stage.fresh()
    stage.hass.states.async_set(renamed, "processing")
    assert (await stage.say("Light", OFFICE, "Ok.", who=there)).effects


async def test_a_rule_that_came_after_the_plan(stage: Stage) -> None:
    """It is judged by the rules of then."""
    await plan(stage, later(**OFFICE_LATER, **IN_TEN), who=stage.at_satellite)
    await stage.change_agent(**{CONF_PLACES: [CHILDREN]})
    assert await pass_time(stage, 10 * MINUTE + 1) == []
    assert "not done" in notified(stage)[0]


async def test_what_others_have_planned(stage: Stage) -> None:
    """It is not told where the thing is not there, nor changed, nor cancelled."""
    await stage.change_agent(**{CONF_PLACES: [CHILDREN]})
    waiting = await plan(stage, later(**OFFICE_LATER, **IN_TEN))
    calls = (
        later(),
        *(later(cancel=text) for text in (waiting.id, "all", "last", "Office light")),
        later(change=waiting.id, at="in 1 minute"),
        later(say="Open", entity="Front door", becomes="unlocked"),
        later(**OFFICE_LATER, **IN_TEN),
        Call("why"),
        Call("undo"),
    )
    for call in calls:
        stage.conversation_id = None
        heard = await stage.say("Cancel all", call, "No.", who=stage.at_satellite)
        assert "Office" not in str([item.result for item in heard.results]), call
        assert "planned'" not in str([item.result for item in heard.results]), call
    assert [*plans(stage)] == [waiting]
