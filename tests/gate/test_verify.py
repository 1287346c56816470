"""Whether what was done can be seen."""

import asyncio
from typing import Any

from homeassistant.core import HomeAssistant, State
import pytest

from custom_components.lumo.gate import verify
from custom_components.lumo.gate.effects import Effect
from custom_components.lumo.gate.verify import (
    Observed,
    async_observe,
    correct,
    has_answered,
    with_observed,
)


@pytest.mark.parametrize(
    ("entity_id", "state", "service", "data", "answered"),
    [
        ("light.a", "on", "turn_on", {}, True),
        ("light.a", "off", "turn_on", {}, False),
        ("light.a", "unavailable", "turn_on", {}, False),
        ("light.a", "off", "turn_off", {}, True),
        ("light.a", "on", "turn_off", {}, False),
        ("media_player.a", "standby", "turn_off", {}, True),
        ("media_player.a", "playing", "turn_on", {}, True),
        ("media_player.a", "playing", "media_pause", {}, False),
        ("media_player.a", "paused", "media_pause", {}, True),
        ("media_player.a", "playing", "media_next_track", {}, True),
        ("media_player.a", "playing", "volume_set", {"volume_level": 0.3}, True),
        ("media_player.a", "playing", "volume_set", {"volume_level": 0.5}, False),
        ("light.a", "on", "turn_on", {"brightness_pct": 40}, True),
        ("light.a", "on", "turn_on", {"brightness_pct": 60}, False),
        ("light.a", "off", "turn_off", {"brightness_pct": 0}, True),
        ("fan.a", "on", "turn_on", {"percentage": 66}, True),  # it shows none
        ("vacuum.a", "docked", "start", {}, False),
        ("vacuum.a", "returning", "return_to_base", {}, True),
        ("lawn_mower.a", "docked", "start_mowing", {}, False),
        ("cover.a", "opening", "stop_cover", {}, False),
        ("lock.a", "locked", "turn_on", {}, True),
        ("lock.a", "locking", "lock", {}, True),
        ("lock.a", "jammed", "lock", {}, False),
        ("lock.a", "unlocking", "unlock", {}, True),
        ("lock.a", "locked", "turn_off", {}, False),
        ("cover.a", "opening", "open_cover", {}, True),
        ("cover.a", "closed", "turn_on", {}, False),
        ("cover.a", "closing", "turn_off", {}, True),
        ("cover.a", "open", "set_cover_position", {"position": 40}, True),
        ("cover.a", "closing", "set_cover_position", {"position": 20}, True),
        ("cover.a", "open", "set_cover_position", {"position": 20}, False),
        ("climate.a", "heat", "set_temperature", {"temperature": 21}, True),
        ("climate.a", "heat", "set_temperature", {"temperature": 22}, False),
        ("scene.a", "unknown", "turn_on", {}, True),
        ("button.a", "unknown", "turn_on", {}, True),
        ("vacuum.a", "docked", "change", {}, True),
    ],
)
def test_state_answers_an_action(
    entity_id: str, state: str, service: str, data: dict[str, Any], answered: bool
) -> None:
    """Being on the way counts; where there is nothing to see nothing is missed."""
    attributes = {
        "current_position": 40,
        "temperature": 21,
        "volume_level": 0.3,
        "brightness": 101,
    }
    effect = Effect(entity_id, service, data)
    assert has_answered(State(entity_id, state, attributes), effect) is answered


def all_of(hass: HomeAssistant) -> dict[str, State]:
    return {state.entity_id: state for state in hass.states.async_all()}


async def test_what_was_reported_meanwhile_is_an_answer(hass: HomeAssistant) -> None:
    """A thermostat that rounds has answered, if not with what was asked for."""
    hass.states.async_set("climate.a", "heat", {"temperature": 20})
    before = all_of(hass)
    hass.states.async_set("climate.a", "heat", {"temperature": 21.2})
    effect = Effect("climate.a", "set_temperature", {"temperature": 21.25})
    observed = await async_observe(hass, [effect], before)
    assert observed == Observed({"climate.a": "heat"}, complete=False)


async def test_what_is_as_it_should_be_is_not_waited_for(hass: HomeAssistant) -> None:
    hass.states.async_set("light.a", "on")
    effects = [Effect("light.a", "turn_on"), Effect("light.gone", "turn_on")]
    assert await async_observe(hass, effects, {}) == Observed({})


async def test_a_change_without_a_sign_is_not_taken_for_one(
    hass: HomeAssistant,
) -> None:
    hass.states.async_set("vacuum.a", "docked")
    before, change = all_of(hass), Effect("vacuum.a", "change")
    assert not (await async_observe(hass, [change], before)).complete
    hass.states.async_set("vacuum.a", "cleaning")
    assert (await async_observe(hass, [change], before)).complete
    hass.states.async_set("light.a", "on", {"brightness": 101})
    same = Effect("light.a", "change", {"brightness_pct": 40})
    assert (await async_observe(hass, [same], all_of(hass))).complete


@pytest.mark.parametrize(
    ("state", "complete"), [("locking", True), ("locked", True), ("jammed", False)]
)
async def test_first_event_ends_the_wait(
    hass: HomeAssistant, state: str, complete: bool
) -> None:
    hass.states.async_set("lock.a", "unlocked")
    task = asyncio.create_task(
        async_observe(hass, [Effect("lock.a", "lock")], all_of(hass))
    )
    await asyncio.sleep(0)
    assert not task.done()
    hass.states.async_set("lock.a", state)
    assert await task == Observed({"lock.a": state}, complete=complete)


async def test_silence_is_told_by_name(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verify, "PATIENCE", 0.05)
    hass.states.async_set("light.a", "off", {"friendly_name": "Hall lamp"})
    hass.states.async_set("light.b", "off", {"friendly_name": "Desk lamp"})
    effects = [Effect("light.a", "turn_on"), Effect("light.b", "turn_on")]
    task = asyncio.create_task(async_observe(hass, effects, all_of(hass)))
    await asyncio.sleep(0)
    hass.states.async_set("light.b", "on", {"friendly_name": "Desk lamp"})
    observed = await task
    assert observed.silent == {"light.a"}
    assert not observed.complete
    data: dict[str, Any] = {}
    with_observed(hass, data, observed)
    assert data == {
        "observed": [
            {"name": "Hall lamp", "state": "off"},
            {"name": "Desk lamp", "state": "on"},
        ],
        "no_answer_yet": ["Hall lamp"],
    }
    hass.states.async_set("light.a", "on", {"friendly_name": "Hall lamp"})
    correct(hass, data, ["light.a", "light.gone"])
    assert data == {"observed": [{"name": "Hall lamp", "state": "on"}]}
