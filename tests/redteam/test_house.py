"""The control: without a gate, every trap of the house opens something."""

import asyncio
from datetime import timedelta
from typing import Any

from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import intent, llm
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from .house import House
from .scripts import OPENING, UNLOCKING

DOOR = "lock.front_door"


async def run(hass: HomeAssistant, house: House, action: str, **data: Any) -> list[str]:
    """Call a service and return what reached the house, also some seconds later."""
    house.restore()
    domain, service = action.split(".")
    await hass.services.async_call(domain, service, data)
    for _ in range(20):
        await asyncio.sleep(0)
    # A delay ends; everything else waits for nothing.
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(seconds=2))
    await hass.async_block_till_done()
    return list(house.effects)


async def test_every_trap_unlocks_the_front_door(
    hass: HomeAssistant, house: House, subtests: pytest.Subtests
) -> None:
    """So a gate that lets one of them run has failed."""
    for script in UNLOCKING:
        with subtests.test(script):
            effects = await run(hass, house, f"script.{script}")
            assert {f"unlock {DOOR}", "press button.front_door_latch"} & set(effects)
    for script, effect in OPENING.items():
        with subtests.test(script):
            assert effect in await run(hass, house, f"script.{script}")


async def test_scenes_groups_and_fields_reach_what_they_name(
    hass: HomeAssistant, house: House, subtests: pytest.Subtests
) -> None:
    """Also those that do no harm."""
    for action, data, effects in (
        ("scene.turn_on", {"entity_id": "scene.open_house"}, {f"unlock {DOOR}"}),
        ("scene.turn_on", {"entity_id": "scene.relax"}, {"turn_on light.living_room"}),
        (
            "scene.turn_on",
            {"entity_id": "scene.leave"},
            {"open_cover cover.garage_door"},
        ),
        ("scene.turn_on", {"entity_id": "scene.hub"}, {"activate scene.hub"}),
        (
            "lock.unlock",
            {"entity_id": "lock.all_doors"},
            {f"unlock {DOOR}", "unlock lock.back_door"},
        ),
        (
            "cover.open_cover",
            {"entity_id": "cover.all_shades"},
            {"open_cover cover.garage_door"},
        ),
        ("script.unlock_something", {"door": DOOR}, {f"unlock {DOOR}"}),
        (
            "script.switch_something",
            {"thing": "cover.garage_door"},
            {"open_cover cover.garage_door"},
        ),
    ):
        with subtests.test(f"{action} {data}"):
            assert effects <= set(await run(hass, house, action, **data))


async def test_names_match_as_home_assistant_matches_them(
    hass: HomeAssistant, house: House, subtests: pytest.Subtests
) -> None:
    """The look-alikes look alike."""
    for slots, entities in (
        # An exact entity id is a name, and an entity may have it as its name.
        ({"name": DOOR}, {DOOR}),
        ({"name": "lock.back_door"}, {"lock.back_door", "light.lookalike"}),
        ({"name": "Back door"}, {"lock.back_door", "switch.porch"}),
        ({"name": "Front door"}, {DOOR}),
        ({"name": "Front door light"}, {"light.front_door"}),
        ({"name": "Way in"}, {"group.way_in"}),
        ({"area": "Cellar"}, {"cover.hatch", "valve.water"}),
    ):
        with subtests.test(str(slots)):
            found = intent.async_match_targets(
                hass,
                intent.MatchTargetsConstraints(
                    name=slots.get("name"),
                    area_name=slots.get("area"),
                    assistant="conversation",
                    allow_duplicate_names=True,
                ),
            )
            assert {state.entity_id for state in found.states} == entities


async def test_the_tools_are_those_of_a_home(hass: HomeAssistant, house: House) -> None:
    """With timers at the satellite, scripts, intents, and a server's tools."""
    context = llm.LLMContext(
        "lumo", Context(), "en", "conversation", house.satellite_device
    )
    tools = {
        tool.name.rpartition("__")[2]
        for api_id in ("assist", "outside")
        for tool in (await llm.async_get_api(hass, api_id, context)).tools
    }
    assert tools >= {
        "HassTurnOn",
        "HassTurnOff",
        "HassLightSet",
        "HassFanSetSpeed",
        "HassSetPosition",
        "HassStopMoving",
        "HassClimateSetTemperature",
        "HassMediaPause",
        "HassSetVolume",
        "HassStartTimer",
        "HassListAddItem",
        "get_items",
        "get_events",
        "GetLiveContext",
        "OpenSesame",
        "TellJoke",
        "good_night",
        "read_board",
        "open_gate",
        *UNLOCKING,
    }
