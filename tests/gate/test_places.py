"""Whose rules by place hold, what they leave of tools, and what strangers wrote."""

from typing import Any

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm
import pytest

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.lately import Undo
from custom_components.lumo.agent.options import AgentOptions
from custom_components.lumo.const import CONF_PLACES, Permission
from custom_components.lumo.gate.own_tool import FROM_OUTSIDE, are_read
from custom_components.lumo.gate.permissions import permission
from custom_components.lumo.gate.places import Place, Places, Scope
from custom_components.lumo.gate.speaker import Speaker

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
        # Who signs in may claim any satellite: what holds without one holds as well.
        ("anna", KITCHEN, [[], ["hall"]]),
        ("anna", None, [["hall"]]),
    ],
)
def test_rules_that_hold(
    hass: HomeAssistant, user: str | None, satellite: str | None, areas: Any
) -> None:
    speaker = Speaker(user, satellite, True, "", "en")
    scope = Places.from_options(RULES).scope(hass, speaker)
    assert scope
    assert [sorted(place.areas) for place in scope.places] == areas


@pytest.mark.parametrize("acts", [True, False])
def test_a_timer_is_set_only_where_something_may_be_changed(
    hass: HomeAssistant, acts: bool
) -> None:
    class Timer(intent.IntentHandler):
        intent_type = intent.INTENT_START_TIMER

    tool = llm.IntentTool("intent__HassStartTimer", Timer(), integration="intent")
    rules = AgentOptions.from_subentry({}, encrypted=True)
    scope = Scope(hass, (Place(areas=frozenset({"hall"}), acts=acts),))
    allowed = permission(tool, rules, scope)
    assert allowed is (Permission.ON if acts else Permission.OFF)


@pytest.mark.parametrize("data", [{FROM_OUTSIDE: True, "x": "y"}, {"x": "y"}])
def test_a_tool_of_ours_says_what_strangers_wrote(data: dict[str, Any]) -> None:
    result = conversation.ToolResultContent(
        agent_id="lumo", tool_call_id="1", tool_name="undo", result=llm.ToolResult(data)
    )
    tools: dict[str, llm.Tool] = {"undo": Undo(AbilityContext())}
    assert are_read([result], tools) is (FROM_OUTSIDE in data)
