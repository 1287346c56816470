"""Whose rules by place hold, what they leave of tools, and what strangers wrote."""

from typing import Any

from homeassistant.components import conversation
from homeassistant.components.todo.llm import TodoGetItemsTool
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    device_registry as dr,
    entity_registry as er,
    intent,
    llm,
)
import probatio
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.lately import Undo
from custom_components.lumo.agent.options import AgentOptions
from custom_components.lumo.const import CONF_PLACES, Permission
from custom_components.lumo.gate.own_tool import FROM_OUTSIDE, are_read
from custom_components.lumo.gate.permissions import permission
from custom_components.lumo.gate.places import Place, Places, Scope, as_stored_now
from custom_components.lumo.gate.speaker import Speaker
from tests.abilities.large_home import add, async_prepare
from tests.agent.conftest import FakeTool

KITCHEN = "assist_satellite.kitchen"
RULES = {
    CONF_PLACES: [
        {"name": "Kitchen", "satellites": [KITCHEN], "acts": False},
        {"name": "Elsewhere", "areas": ["hall"]},
    ]
}


@pytest.mark.parametrize(
    ("user", "satellite", "areas"),
    [
        (None, KITCHEN, [[]]),
        # By the device that it is a part of.
        (None, "device", [[]]),
        # Who signs in may claim any satellite: what holds without one holds as well.
        ("anna", KITCHEN, [[], ["hall"]]),
        ("anna", None, [["hall"]]),
    ],
)
def test_rules_that_hold(
    hass: HomeAssistant, user: str | None, satellite: str | None, areas: Any
) -> None:
    speaker = Speaker(user, satellite, True, "", "en")
    if satellite == "device":
        (entry := MockConfigEntry()).add_to_hass(hass)
        device = dr.async_get(hass).async_get_or_create(
            config_entry_id=entry.entry_id, identifiers={("test", "kitchen")}
        )
        domain, name = KITCHEN.split(".")
        er.async_get(hass).async_get_or_create(
            domain, "test", name, suggested_object_id=name, device_id=device.id
        )
        speaker = Speaker(user, None, True, "", "en", device_id=device.id)
    scope = Places.from_options(RULES).scope(hass, speaker)
    assert scope
    assert [sorted(place.areas) for place in scope.places] == areas


def test_a_satellite_may_be_somebodys() -> None:
    one = {"satellites": [KITCHEN], "owner": "person.anna"}
    rules = Places.from_options({CONF_PLACES: [{"satellites": [KITCHEN, "b"]}, one]})
    found = [rules.owner_of(satellite) for satellite in (KITCHEN, "b", None)]
    assert found == ["person.anna", None, None]


async def test_an_intent_is_for_where_one_of_its_things_is(hass: HomeAssistant) -> None:
    class Handler(intent.IntentHandler):
        intent_type = "HassClimateSetTemperature"

    await async_prepare(hass)
    tool = llm.IntentTool("climate__Set", Handler(), integration="climate")
    rules = AgentOptions.from_subentry({}, encrypted=True)
    scope = Scope(hass, (Place(areas=frozenset({"hall"})),))
    for area, allowed in (("Kitchen", Permission.OFF), ("Hall", Permission.ON)):
        add(hass, f"climate.{area.lower()}", "heat", area=area)
        assert permission(tool, rules, scope) is allowed


def test_where_an_agent_answered_only_in_its_places_nothing_exists(
    hass: HomeAssistant,
) -> None:
    """An earlier version had that."""
    speaker = Speaker("anna", None, True, "", "en")
    for only in (True, False):
        rules = Places.from_options({CONF_PLACES: [], "only_places": only})
        scope = rules.scope(hass, speaker)
        assert (scope is None) is not only
        assert scope is None or not (scope.reads("light.hall") or scope.may_act)


@pytest.mark.parametrize(
    ("stored", "now"),
    [
        (
            {"name": "A", "areas": ["hall"]},
            {"name": "A", "areas": ["hall"], "acts": True},
        ),
        ({"acts": False, "owner": "person.a"}, {"owner": "person.a", "acts": False}),
        ({"read_areas": ["hall"]}, {"areas": ["hall"], "acts": True}),
        ({"hours": []}, {"acts": True}),
        ({"hours": "8-10"}, {"acts": False}),
    ],
)
def test_a_rule_of_an_earlier_version_lets_no_more_happen(
    hass: HomeAssistant, stored: dict[str, Any], now: dict[str, Any]
) -> None:
    assert as_stored_now(stored) == now
    scope = Scope(hass, (Place.from_option(stored),))
    assert scope.acts("light.nowhere") is (now["acts"] and "areas" not in now)


@pytest.mark.parametrize("acts", [True, False])
def test_a_timer_is_set_only_where_something_may_be_changed(
    hass: HomeAssistant, acts: bool
) -> None:
    class Timer(intent.IntentHandler):
        intent_type = intent.INTENT_START_TIMER

    tool = llm.IntentTool("intent__HassStartTimer", Timer(), integration="intent")
    rules = AgentOptions.from_subentry({}, encrypted=True)
    scope = Scope(hass, (Place(areas=frozenset({"hall"}), acts=acts),))
    assert permission(tool, rules, scope) is (Permission.ON if acts else Permission.OFF)


@pytest.mark.parametrize(
    ("area", "allowed"), [("Hall", Permission.ON), ("Kitchen", Permission.OFF)]
)
async def test_lists_are_read_where_all_of_them_are(
    hass: HomeAssistant, area: str, allowed: Permission
) -> None:
    """The tool names each that is exposed."""
    await async_prepare(hass)
    for entity_id, where in (("todo.hall", "Hall"), ("todo.other", area)):
        add(hass, entity_id, "1", name=entity_id, area=where)
    scope = Scope(hass, (Place(areas=frozenset({"hall"}), acts=True),))
    rules = AgentOptions.from_subentry({}, encrypted=True)
    assert permission(TodoGetItemsTool([]), rules, scope) is allowed


@pytest.mark.parametrize(
    ("tool", "data", "outside"),
    [
        (Undo(AbilityContext()), {FROM_OUTSIDE: True, "x": "y"}, True),
        (Undo(AbilityContext()), {"x": "y"}, False),
        (FakeTool("x", probatio.Schema({}), open_world=True), {"x": "y"}, True),
        (FakeTool("x", probatio.Schema({}), open_world=True), {"x": [1, " "]}, False),
        (FakeTool("x", probatio.Schema({}), open_world=False), {"x": "y"}, False),
    ],
)
def test_which_tools_say_what_strangers_wrote(
    tool: llm.Tool, data: dict[str, Any], outside: bool
) -> None:
    result = conversation.ToolResultContent(
        agent_id="lumo", tool_call_id="1", tool_name="x", result=llm.ToolResult(data)
    )
    assert are_read([result], {"x": tool}) is outside
