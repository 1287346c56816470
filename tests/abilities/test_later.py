"""What a model writes of when something is to be done."""

from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import WEEKDAYS as DAYS
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.later import Later, is_said
from custom_components.lumo.abilities.triggers import Trigger, spoken_when
from custom_components.lumo.gate.mention import Sentence
from custom_components.lumo.gate.speaker import Speaker
from custom_components.lumo.languages import LANGUAGES

BERLIN = ZoneInfo("Europe/Berlin")
# A Sunday afternoon.
NOW = "2026-11-22 16:00"
ANNA = Speaker("anna", None, True, "", "en")

# Now, what is written, and when that is by the clock, with its offset.
TIMES: list[tuple[str, str, str]] = [
    (NOW, "in 10 minutes", "2026-11-22T16:10:00+01:00"),
    (NOW, "10 min", "2026-11-22T16:10:00+01:00"),
    (NOW, "in 1 hour 30 minutes", "2026-11-22T17:30:00+01:00"),
    (NOW, "1.5 hours", "2026-11-22T17:30:00+01:00"),
    (NOW, "45 secs", "2026-11-22T16:00:45+01:00"),
    (NOW, "2 weeks", "2026-12-06T16:00:00+01:00"),
    (NOW, "19:00", "2026-11-22T19:00:00+01:00"),
    (NOW, "7:00", "2026-11-23T07:00:00+01:00"),
    # As the schema shows them, else they are refused with what is possible.
    (NOW, "7", ""),
    (NOW, "7 pm", ""),
    (NOW, "tomorrow 07:00", "2026-11-23T07:00:00+01:00"),
    (NOW, "morgen um 07:00", ""),
    (NOW, "friday 18:15", "2026-11-27T18:15:00+01:00"),
    (NOW, "2026-12-24T18:00", "2026-12-24T18:00:00+01:00"),
    (NOW, "2026-11-23T06:00:00Z", "2026-11-23T07:00:00+01:00"),
    (NOW, "today 15:00", ""),
    (NOW, "tomorrow", ""),
    (NOW, "tonight", ""),
    (NOW, "soon", ""),
    (NOW, "in 5 parsecs", ""),
    (NOW, "2029-01-01T00:00", ""),
    (NOW, "", ""),
    # The clocks go forward at 2:00 on 28 March and back at 3:00 on 31 October 2027.
    ("2027-03-27 12:00", "tomorrow 02:30", "2027-03-28T03:30:00+02:00"),
    ("2027-03-27 12:00", "in 24 hours", "2027-03-28T13:00:00+02:00"),
    ("2027-03-27 12:00", "tomorrow 12:00", "2027-03-28T12:00:00+02:00"),
    ("2027-03-27 12:00", "in 1 day", "2027-03-28T12:00:00+02:00"),
    ("2027-03-28 01:59", "in 1 minute", "2027-03-28T03:00:00+02:00"),
    ("2027-10-30 12:00", "tomorrow 02:30", "2027-10-31T02:30:00+02:00"),
    ("2027-10-30 12:00", "in 24 hours", "2027-10-31T11:00:00+01:00"),
    ("2027-10-30 12:00", "tomorrow 12:00", "2027-10-31T12:00:00+01:00"),
    ("2027-10-30 12:00", "in 1 day", "2027-10-31T12:00:00+01:00"),
]  # fmt: skip
STATES: dict[str, tuple[str, dict[str, Any]]] = {
    "sensor.washer": ("running", {"friendly_name": "Washing machine", "device_class": "enum", "options": ["running", "idle", "done"]}),
    "sensor.outside": ("4", {"friendly_name": "Outdoor", "unit_of_measurement": "°C"}),
    "binary_sensor.window": ("on", {"friendly_name": "Window", "device_class": "window"}),
    "person.anna": ("not_home", {"friendly_name": "Anna"}),
    "weather.home": ("sunny", {"friendly_name": "Weather"}),
    "person.ben": ("home", {"friendly_name": "Ben"}),
    "event.bell": ("unknown", {"friendly_name": "Bell", "event_types": ["ring"]}),
    "zone.home": ("2", {"friendly_name": "Home"}),
    "light.secret": ("on", {"friendly_name": "Secret"}),
}  # fmt: skip
# What is written, and the trigger; empty: it is refused.
CONDITIONS: list[tuple[dict[str, str], dict[str, Any]]] = [
    ({"entity": "Washing machine", "becomes": "done"}, {"entity_id": "sensor.washer", "states": ["done"]}),
    ({"entity": "washing machine", "becomes": "idle, done"}, {"states": ["idle", "done"]}),
    ({"entity": "Washing machine", "becomes": "not running"}, {"states": ["running"], "leaves": True}),
    ({"entity": "Washing machine", "becomes": "fertig"}, {}),
    ({"entity": "Washing machine", "becomes": "running"}, {}),
    ({"entity": "Window", "becomes": "closed"}, {"states": ["off"]}),
    ({"entity": "Window", "becomes": "zu"}, {"states": ["off"]}),
    ({"entity": "Window", "becomes": "open"}, {}),
    ({"entity": "Window", "becomes": "open", "for": "00:10"}, {"states": ["on"], "seconds": 600}),
    ({"entity": "Window", "becomes": "open", "for": "ten minutes"}, {}),
    ({"entity": "Outdoor", "becomes": "above 20,5"}, {"above": 20.5}),
    ({"entity": "Outdoor", "becomes": "< 0 °C"}, {"below": 0.0}),
    ({"entity": "Outdoor", "becomes": "above 2"}, {}),
    ({"entity": "Anna", "becomes": "home"}, {"states": ["home"]}),
    ({"entity": "Anna", "becomes": "Work"}, {"states": ["Work"]}),
    ({"entity": "Ben", "becomes": "away"}, {"states": ["home"], "leaves": True}),
    ({"entity": "Anna", "becomes": "away"}, {"leaves": True, "anew": True}),
    ({"entity": "Bell", "becomes": "ring"}, {"states": ["unknown"], "leaves": True}),
    ({"entity": "zone.home", "becomes": "below 1"}, {"below": 1.0}),
    ({"entity": "Weather", "becomes": "rainy"}, {"states": ["rainy"]}),
    ({"entity": "Weather", "becomes": "not sunny"}, {"states": ["sunny"], "leaves": True}),
    ({"entity": "Weather"}, {}),
    ({"entity": "Weather", "becomes": "rainy", "at": "20:00"}, {}),
    ({"entity": "Secret", "becomes": "off"}, {}),
    ({"entity": "Atlantis", "becomes": "off"}, {}),
    ({"entity": "nobody", "becomes": "home"}, {"entity_id": "zone.home", "below": 1.0}),
]  # fmt: skip


@pytest.fixture(autouse=True)
async def home(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> None:
    """Set up the clocks, and what can be waited for."""
    move(freezer, NOW)
    await hass.config.async_set_time_zone("Europe/Berlin")
    for domain in ("homeassistant", "zone", "sensor", "binary_sensor", "weather"):
        assert await async_setup_component(hass, domain, {})
    await hass.async_block_till_done()
    hass.states.async_set("zone.work", "0", {"friendly_name": "Work"})
    for entity_id, (state, attributes) in STATES.items():
        hass.states.async_set(entity_id, state, attributes)
        async_expose_entity(
            hass, "conversation", entity_id, entity_id != "light.secret"
        )


def move(freezer: FrozenDateTimeFactory, now: str) -> None:
    freezer.move_to(datetime.fromisoformat(now).replace(tzinfo=BERLIN))


async def read(hass: HomeAssistant, **written: str) -> Trigger | None:
    """Return the trigger, None if it is refused."""
    try:
        later = Later(AbilityContext(hass=hass, speaker=ANNA))
        return await later.async_trigger(written)
    except HomeAssistantError:
        return None


async def test_times(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, subtests: pytest.Subtests
) -> None:
    """Hours are real ones; days and times are what the clocks show."""
    for now, written, expected in TIMES:
        with subtests.test(f"{now}: {written}"):
            move(freezer, now)
            found = await read(hass, at=written)
            when = found and dt_util.as_local(dt_util.utc_from_timestamp(found.at))
            assert (when.isoformat() if when else "") == expected


def test_a_plan_of_the_first_release_tells_its_state() -> None:
    old = {"entity_id": "binary_sensor.window", "name": "Window", "states": ["on"]}
    assert spoken_when(Trigger.from_json(old), LANGUAGES["en"]) == "when Window: on"


@pytest.mark.parametrize("day", ["2027-03-26", "2027-10-29"])
async def test_each_day_has_one_alarm(hass: HomeAssistant, day: str) -> None:
    """Also where the clocks leave its time out, or show it twice."""
    trigger, at = Trigger(clock="02:30", days=DAYS), f"{day}T12:00+01:00"
    moment, days = datetime.fromisoformat(at).timestamp(), set[str]()
    for _ in range(5):
        trigger = trigger.again(moment)
        moment = trigger.at
        when = dt_util.as_local(dt_util.utc_from_timestamp(moment))
        assert f"{when:%H:%M}" in ("02:30", "03:30")
        days.add(f"{when:%d}")
    assert len(days) == 5


async def test_sun(hass: HomeAssistant) -> None:
    """It is the next one."""
    rise, sets = [await read(hass, at=text) for text in ("sunrise", "Sunset")]
    assert rise and sets
    now = dt_util.utcnow().timestamp()
    assert now < sets.at < rise.at < now + timedelta(days=1).total_seconds()


async def test_conditions(hass: HomeAssistant, subtests: pytest.Subtests) -> None:
    for written, expected in CONDITIONS:
        with subtests.test(str(written)):
            found = await read(hass, **written)
            assert bool(found) is bool(expected)
            if found:
                assert {key: getattr(found, key) for key in expected} == expected


async def test_waiting_ends(hass: HomeAssistant) -> None:
    now = dt_util.utcnow().timestamp()
    found = await read(hass, entity="Washing machine", becomes="done")
    assert found and found.at - now == timedelta(days=7).total_seconds()


@pytest.mark.parametrize(
    ("code", "at", "state"),
    [
        ("en", "tomorrow, 07:00", "when Washing machine: done"),
        ("de", "morgen, 07:00", "sobald Washing machine: done"),
        ("fr", "demain, 07:00", "dès que Washing machine : done"),
        ("nl", "morgen, 07:00", "zodra Washing machine: done"),
        ("es", "mañana, 07:00", "en cuanto Washing machine: done"),
    ],
)
async def test_it_is_said_back(
    hass: HomeAssistant, code: str, at: str, state: str
) -> None:
    time = await read(hass, at="tomorrow 07:00")
    washer = await read(hass, entity="Washing machine", becomes="done")
    assert time and washer
    assert spoken_when(time, LANGUAGES[code]) == at
    assert spoken_when(washer, LANGUAGES[code]) == state


@pytest.mark.parametrize(
    ("language", "sentence", "at", "said"),
    [
        ("en", "Light off in 10 minutes", "in 10 minutes", True),
        ("en", "Light off in ten minutes", "in 10 minutes", True),
        ("en", "Dim it in 20 minutes", "in 10 minutes", False),
        ("en", "In 1 hour 30 minutes", "in 1 hour 30 minutes", True),
        ("en", "Wake me at seven", "19:00", True),
        ("en", "Wake me at 7:30", "07:30", True),
        ("en", "In 3 days", "in 3 days", True),
        ("en", "Light off", "in 10 minutes", False),
        ("en", "Light off", "sunset", False),
        ("de", "Licht aus in zehn Minuten", "in 10 minutes", True),
        ("de", "Um 7 Uhr", "tomorrow 07:00", True),
        ("de", "In zwei Wochen", "in 2 weeks", True),
        ("fr", "Éteins dans 10 minutes", "in 10 minutes", True),
        ("fr", "À 19h30", "19:30", True),
        ("pl", "za 5 minut", "in 5 minutes", True),
    ],
)
def test_the_numbers_of_a_time_are_said(
    hass: HomeAssistant, language: str, sentence: str, at: str, said: bool
) -> None:
    found = Sentence(sentence, LANGUAGES[language])
    assert is_said(hass, Trigger(at=1.0), {"at": at}, found) is said
