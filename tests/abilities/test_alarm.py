"""An alarm rings where it was set, until somebody is awake."""

import asyncio
from datetime import timedelta
from typing import Any, Final

from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.lumo.abilities import tell
from custom_components.lumo.agent import approved
from custom_components.lumo.const import CONF_TOOLS
from tests.redteam.entities import DOMAIN
from tests.redteam.house import SATELLITE
from tests.redteam.stage import ANNA, AUTOMATION, BEN, Call, Heard, Line, Stage, Who

from .test_planned import notified, plans

READ: Final = Call("events", period="today")
TEN: Final = Call("alarm_clock", at="in 10 minutes")
SOON: Final = 10 * 60 + 2
WEEK: Final = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
TIMER: Final = ["started", "finished"]


@pytest.fixture
def told(
    stage: Stage, hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Return what is announced, and sent to Anna's phone."""
    said: list[str] = []

    async def announce(call: ServiceCall) -> None:
        said.append(f"announced {call.data['entity_id']}")

    async def send(call: ServiceCall) -> None:
        assert call.data["data"]["channel"] == "alarm_stream"
        said.append("sent")

    hass.services.async_register("assist_satellite", "announce", announce)
    hass.services.async_register("notify", "mobile_app_anna", send)
    monkeypatch.setattr(approved, "_PATIENCE", 1.5)
    monkeypatch.setattr(approved, "_RINGING", (DOMAIN,))
    monkeypatch.setattr(
        tell,
        "phones_of",
        lambda _hass, who: {"mobile_app_anna": ""} if "anna" in who.entity_id else {},
    )
    return said


def by(stage: Stage, who: Who) -> None:
    user = stage._users.get(who.user or "", "")
    stage.hass.states.async_set("person.anna", "home", {"user_id": user})


async def ask(stage: Stage, *answers: Any, who: Who | None = None) -> Heard:
    """Say something at the satellite, in a new conversation."""
    stage.conversation_id = None
    return await stage.say(
        "Set the alarm", *answers, "Fine.", who=who or stage.at_satellite
    )


def pass_time(stage: Stage, seconds: float) -> None:
    """Set the clock, then let pass the seconds in which it rings."""
    stage.pass_time(seconds - 60)
    async_fire_time_changed(stage.hass, dt_util.utcnow() + timedelta(seconds=60))


async def ring(stage: Stage, seconds: float = SOON) -> list[str]:
    """Let time pass; return what the timers of the satellite did."""
    stage.house.timers.clear()
    pass_time(stage, seconds)
    await stage.hass.async_block_till_done(wait_background_tasks=True)
    stage.pass_time(60)
    return [item.rpartition(".")[2] for item in stage.house.timers]


@pytest.mark.long
async def test_rings_then_announces(stage: Stage, told: list[str]) -> None:
    """It survives a restart; what rang once is gone."""
    await ask(stage, TEN)
    await stage.restart()
    assert await ring(stage) == TIMER
    assert told == [f"announced {SATELLITE}"] and len(plans(stage)) == 0
    assert await ring(stage) == []


async def test_who_has_no_satellite_has_a_phone(stage: Stage, told: list[str]) -> None:
    await ask(stage, TEN, who=ANNA)
    by(stage, ANNA)
    await ring(stage)
    assert told == ["sent"] and not notified(stage)
    for edit in ("stop", "snooze", "skip"):
        heard = await ask(stage, Call("alarm_clock", edit=edit), who=BEN)
        assert heard.results[0].result.error
    await ask(stage, TEN, who=BEN)
    await ring(stage)
    (text,) = notified(stage)
    assert told == ["sent"] and "This is your alarm" in text


async def test_who_speaks_there_is_awake(stage: Stage, told: list[str]) -> None:
    """Nothing is announced then; "snooze" rings anew, once."""
    await ask(stage, Call("alarm_clock", at="in 10 minutes"))

    pass_time(stage, SOON)
    while not stage.house.timers:
        await asyncio.sleep(0)
    stage.house.satellite_state("listening")
    stage.house.satellite_state("idle")
    await stage.hass.async_block_till_done(wait_background_tasks=True)
    assert told == []
    heard = await ask(stage, Call("alarm_clock", edit="snooze"))
    assert "rings_again" in str(heard.results[0].result.data)
    again = await ask(stage, Call("alarm_clock", edit="snooze"))
    assert again.results[0].result.error and len(plans(stage)) == 1
    assert await ring(stage, 8 * 60) == []
    assert await ring(stage, 3 * 60) == TIMER and told


async def test_it_recurs_and_is_skipped(stage: Stage, told: list[str]) -> None:
    at = dt_util.now() + timedelta(minutes=10)
    every = Call("alarm_clock", at=f"{at:%H:%M}", days=WEEK)
    heard = await ask(stage, every)
    assert "every day" in str(heard.results[0].result.data)
    (first,) = plans(stage)
    never = Call("alarm_clock", edit="skip", at="in 3 days")
    assert (await ask(stage, never)).results[0].result.error
    await ask(stage, Call("alarm_clock", edit="skip"))
    assert await ring(stage) == []
    (plan,) = plans(stage)
    assert (plan.next_at - first.next_at) == timedelta(days=1)
    assert await ring(stage, 24 * 3600) == TIMER
    (plan,) = plans(stage)
    assert (plan.next_at - first.next_at) == timedelta(days=2)
    # Another day than the next.
    third = dt_util.as_local(first.next_at + timedelta(days=3))
    await ask(stage, Call("alarm_clock", edit="skip", at=f"{third:%A}"))
    assert await ring(stage, 24 * 3600) == TIMER
    (plan,) = plans(stage)
    assert (plan.next_at - first.next_at) == timedelta(days=4)
    await ask(stage, Call("later", cancel="alarm"))
    assert len(plans(stage)) == 0
    await ask(stage, TEN)
    await ask(stage, Call("alarm_clock", edit="skip"))
    assert len(plans(stage)) == 0


@pytest.mark.parametrize(("late", "rings"), [(5, True), (11, False)])
async def test_what_was_missed(
    stage: Stage, told: list[str], late: int, rings: bool
) -> None:
    """Rings within ten minutes, else it is told."""
    await ask(stage, TEN)
    await stage.hass.config_entries.async_unload(stage.entry.entry_id)
    stage.pass_time(SOON + late * 60)
    stage.house.timers.clear()
    await stage.hass.config_entries.async_setup(stage.entry.entry_id)
    await stage.hass.async_block_till_done(wait_background_tasks=True)
    assert bool(stage.house.timers) is rings
    assert told == [f"announced {SATELLITE}"]


async def test_nobody_but_a_person_sets_one(stage: Stage, told: list[str]) -> None:
    night = Call("alarm_clock", at="03:00")
    await stage.play(
        Line("Read my day", [READ, night], asks=["Alarm", "03:00"], new=True),
        Line("No", requests=0),
        Line("Wake me at 3, read my day", [READ, night, "Ok."], says="Ok", new=True),
    )
    assert len(plans(stage)) == 1
    await ask(stage, TEN, who=AUTOMATION)
    inner = Call(
        "later", tool="user:alarm_clock", arguments={"at": "03:00"}, at="04:00"
    )
    routine = Call(
        "routine",
        when=[{"at": "03:00"}],
        do=[{"tool": "user:alarm_clock", "arguments": {"at": "03:00"}}],
    )
    for call in (inner, routine, Call("alarm_clock", at="soon")):
        heard = await ask(stage, call)
        assert heard.results[0].result.error, call
    await stage.change_agent(**{CONF_TOOLS: {"lumo//lumo__alarm_clock": "off"}})
    await ask(stage, TEN)
    assert len(plans(stage)) == 1
