"""What is planned for all is a list, which any user reads; nobody's own plan is there."""

from typing import Any, Final

from homeassistant.components.homeassistant.exposed_entities import (
    async_expose_entity,
    async_should_expose,
)
from homeassistant.exceptions import HomeAssistantError
import pytest

from tests.redteam.stage import ANNA, Call, Stage

from .test_planned import IN_TEN, LIGHT, later, plan, plans

LIST: Final = "todo.lumo_account_planned_for_all"


async def call(stage: Stage, service: str, **data: Any) -> Any:
    """Call an action of to-do lists; return what is on this one then."""
    call = stage.hass.services.async_call
    target: dict[str, Any] = {"entity_id": LIST}
    if service:
        await call("todo", service, {**data, **target}, blocking=True)
    got = await call("todo", "get_items", target, blocking=True, return_response=True)
    assert got
    items: Any = got[LIST]
    return [item["summary"] for item in items["items"]]


async def test_what_is_planned_for_all_can_be_cancelled(stage: Stage) -> None:
    """Completed or deleted, and nothing else."""
    who = stage.at_satellite
    await plan(stage, later(say="Ring for Ben", **IN_TEN), who=ANNA)
    # From 2026.11 on a conversation is its user's.
    stage.fresh()
    await plan(stage, later(say="Tea", **IN_TEN), who=who)
    await plan(stage, later(**LIGHT, **IN_TEN), who=who)
    alarm = Call("alarm_clock", at="07:00", days=["mon", "tue"])
    await plan(stage, alarm, who=who)
    tea, light, ring = await call(stage, "")
    assert tea.startswith("Tea, today, ") and light.startswith("turn off Kitchen")
    assert ring == "Alarm, every Monday, Tuesday, 07:00"
    with pytest.raises(HomeAssistantError):
        await call(stage, "update_item", item=tea, rename="Coffee")
    left = await call(stage, "update_item", item=tea, status="completed")
    assert left == [light, ring]
    assert await call(stage, "remove_item", item=[light, ring]) == []
    assert [item.say for item in plans(stage)] == ["Ring for Ben"]


async def test_it_is_not_exposed_and_no_list_of_our_tools(stage: Stage) -> None:
    """What somebody has decided since stays."""
    hass = stage.hass
    assert not async_should_expose(hass, "conversation", LIST)
    async_expose_entity(hass, "conversation", LIST, True)
    await plan(stage, later(say="Tea", **IN_TEN), who=stage.at_satellite)
    await stage.restart()
    assert async_should_expose(hass, "conversation", LIST)
    stage.fresh()
    done = Call("change_list", action="clear_all", list="Planned for all")
    heard = await stage.say("Clear the list", done, "No.")
    assert heard.results[0].result.error and len(plans(stage)) == 1
