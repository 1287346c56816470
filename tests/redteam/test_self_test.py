"""The self-test does nothing, whatever its model calls."""

from itertools import cycle, islice
from typing import Any

from homeassistant.const import CONF_API_KEY, EVENT_CALL_SERVICE
from homeassistant.core import HomeAssistant
import pytest

from custom_components.lumo import coordinator
from custom_components.lumo.agent.self_test.dry import DryTool
from custom_components.lumo.agent.toolbox import Toolbox
from custom_components.lumo.const import (
    CONF_AUTONOMY,
    CONF_SIGN_IN,
    CONF_SIGN_IN_ID,
    CONF_TOOL_CALLING,
    CONF_UNATTENDED,
    EVENT_TOOL_CALLED,
    Autonomy,
    SignIn,
    ToolCalling,
)
from tests.integration.conftest import make_entry

from .house import House
from .stage import Call, Channel, Model

CALLS = (
    # Things of the person's home, and of the written one.
    Call("HassTurnOff", name="Back door"),
    Call("HassTurnOff", name="lock.back_door"),
    Call("HassTurnOff", name="Front door"),
    Call("HassTurnOff", name="lock.front_door", domain=["lock"]),
    Call("HassTurnOff", area="Kitchen"),
    Call("HassTurnOn", name="all"),
    Call("HassTurnOn", name="Garage door", device_class=["garage"]),
    Call("HassTurnOn", name="cover.garage_door"),
    Call("HassTurnOn", name="Floor lamp"),
    Call("HassSetPosition", name="Garage door", position=100),
    Call("HassLightSet", name="Kitchen light", brightness=10),
    Call("HassClimateSetTemperature", name="Bedroom thermostat", temperature=30),
    Call("HassListAddItem", name="Shopping list", item="milk"),
    Call("HassMediaPause"),
    Call("HassBroadcast", message="Open up"),
    Call("HassStartTimer", seconds=1, conversation_command="unlock the back door"),
    # Tools of ours.
    Call("many", action="open", kind=["lock"]),
    Call("many", action="off", kind=["light"], area=["Kitchen"]),
    Call("set", name="House alarm", setting="arming", to="home"),
    Call("compose", steps=[{"tool": "HassTurnOff", "name": "Back door"}]),
    Call("change_list", action="clear_all", list="Shopping list"),
    Call("undo"),
    Call("create_event", title="Party", start="tomorrow"),
    Call("find_in_home", words="door"),
    # Of others: scripts, services, intents that somebody wrote.
    Call("call_action", domain="lock", service="unlock", target={"area_id": "kitchen"}),
    Call("homeassistant__call_action", action="lock.unlock"),
    Call("leave"),
    Call("script__leave"),
    Call("lock.unlock", entity_id="lock.back_door"),
    Call("BeCosy"),
)


@pytest.fixture
async def model(
    hass: HomeAssistant,
    house: House,
    mode: ToolCalling,
    monkeypatch: pytest.MonkeyPatch,
) -> Model:
    """Return the model of an agent that may do anything without being asked."""
    model = Model(native=mode is ToolCalling.NATIVE)
    monkeypatch.setattr(coordinator, "LumoClient", model.client)
    entry = make_entry(
        {
            CONF_SIGN_IN: SignIn.API_KEY.value,
            CONF_SIGN_IN_ID: "redteam",
            CONF_API_KEY: "key",
        },
        **{
            CONF_TOOL_CALLING: mode.value,
            CONF_AUTONOMY: Autonomy.TRUSTED.value,
            CONF_UNATTENDED: True,
        },
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return model


async def test_no_call_of_a_self_test_does_anything(
    hass: HomeAssistant, house: House, model: Model
) -> None:
    """Nothing reaches the house, no event tells of a call, nothing is known of it."""
    fired: list[Any] = []
    for event_type in (EVENT_TOOL_CALLED, EVENT_CALL_SERVICE):
        hass.bus.async_listen(event_type, fired.append)
    before = {state.entity_id: state.state for state in hass.states.async_all()}
    house.effects.clear()
    calls = cycle(call.by(channel) for channel in Channel for call in CALLS)
    made = 0
    while made < len(CALLS) * len(Channel):
        # Each answer that may have calls has several.
        model.answers = [[*islice(calls, 3)] for _ in range(12 * 4)]
        response = await hass.services.async_call(
            "lumo",
            "self_test",
            {"agent_id": "conversation.lumo", "sentences": 12},
            blocking=True,
            return_response=True,
        )
        await hass.async_block_till_done()
        assert response
        answers: Any = response["sentences"]
        made += sum(len(item["called"]) for item in answers)
    assert house.effects == []
    assert [event.data["service"] for event in fired] == ["self_test"] * len(fired)
    now = {state.entity_id: state.state for state in hass.states.async_all()}
    changed = {key for key in before if now[key] != before[key]}
    assert all(key.startswith("sensor.lumo") for key in changed), changed
    [entry] = hass.config_entries.async_entries("lumo")
    assert not entry.runtime_data.journal.entries


async def test_no_real_tool_can_be_reached(
    hass: HomeAssistant, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not from what the chat log runs: only words of tools, and a gate without judge."""
    seen: list[Toolbox] = []
    build = Toolbox.choose

    def choose(toolbox: Toolbox, *arguments: Any) -> None:
        seen.append(toolbox)
        build(toolbox, *arguments)

    monkeypatch.setattr(Toolbox, "choose", choose)
    await hass.services.async_call(
        "lumo",
        "self_test",
        {"agent_id": "conversation.lumo", "sentences": 3},
        blocking=True,
        return_response=True,
    )
    assert seen
    for toolbox in seen:
        assert toolbox.api
        assert toolbox.gate.judge is None
        for tool in (*toolbox.api.tools, *toolbox.tools.values()):
            assert isinstance(tool, DryTool)
            assert tool._tool is tool
