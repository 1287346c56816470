"""What a model writes of when a routine does something, as parts of an automation."""

from typing import Any

from homeassistant.components.automation.config import async_validate_config_item
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component
import pytest

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.routine import RoutineTool
from custom_components.lumo.gate.speaker import Speaker

GONE = ["unavailable", "unknown"]
STATES: dict[str, tuple[str, dict[str, Any]]] = {
    "binary_sensor.window": ("off", {"friendly_name": "Window", "device_class": "window"}),
    "sensor.washer": ("running", {"friendly_name": "Washer", "device_class": "enum", "options": ["running", "done", "Off"]}),
    "sensor.outside": ("4", {"friendly_name": "Outdoor", "unit_of_measurement": "°C"}),
    "climate.bath": ("heat", {"friendly_name": "Bath", "current_temperature": 20}),
    "event.bell": ("unknown", {"friendly_name": "Bell", "event_types": ["ring"]}),
    "person.emma": ("home", {"friendly_name": "Emma", "user_id": "emma"}),
    "person.ben": ("home", {"friendly_name": "Ben"}),
    "zone.home": ("2", {"friendly_name": "Home"}),
    "zone.work": ("0", {"friendly_name": "Work"}),
    "light.secret": ("on", {"friendly_name": "Secret"}),
}  # fmt: skip
# What is written, the trigger, and what is said; no trigger: it is refused.
TRIGGERS: list[tuple[Any, dict[str, Any], str]] = [
    ({"at": "22:00"}, {"trigger": "time", "at": "22:00"}, "every day, 22:00"),
    ({"at": "7:00", "days": ["fri", "mon", "tue", "wed", "thu"]}, {"trigger": "time", "at": "07:00", "weekday": ["mon", "tue", "wed", "thu", "fri"]}, "Monday to Friday, 07:00"),
    ({"at": "7:05"}, {"trigger": "time", "at": "07:05"}, "every day, 07:05"),
    ({"at": "07:00", "days": ["sat", "mon"]}, {"trigger": "time", "at": "07:00", "weekday": ["mon", "sat"]}, "every Monday, Saturday, 07:00"),
    ({"sun": "sunset"}, {"trigger": "sun", "event": "sunset"}, "at sunset"),
    ({"sun": "sunrise", "offset": "-00:30"}, {"trigger": "sun", "event": "sunrise", "offset": "-00:30"}, "at sunrise -30 min"),
    ({"entity": "Window", "becomes": "open", "for": "00:05"}, {"trigger": "state", "entity_id": "binary_sensor.window", "to": "on", "not_from": GONE, "for": "00:05"}, "when Window: Open 5 min"),
    ({"entity": "Washer", "becomes": "Off"}, {"trigger": "state", "entity_id": "sensor.washer", "to": "Off", "not_from": GONE}, "when Washer: Off"),
    ({"entity": "Washer", "becomes": "done, running"}, {"trigger": "state", "entity_id": "sensor.washer", "to": ["done", "running"], "not_from": GONE}, "when Washer: done/running"),
    ({"entity": "Washer", "becomes": "not running"}, {"trigger": "state", "entity_id": "sensor.washer", "from": "running", "not_to": GONE}, "when Washer is no longer: running"),
    ({"entity": "Outdoor", "becomes": "above 25"}, {"trigger": "numeric_state", "entity_id": "sensor.outside", "above": 25.0}, "when Outdoor: > 25"),
    ({"entity": "Bath", "becomes": "< 18"}, {"trigger": "numeric_state", "entity_id": "climate.bath", "attribute": "current_temperature", "below": 18.0}, "when Bath: < 18"),
    ({"entity": "Bell", "becomes": "ring"}, {"trigger": "state", "entity_id": "event.bell", "not_from": "unavailable", "not_to": GONE}, "when Bell"),
    ({"entity": "Emma", "becomes": "home"}, {"trigger": "state", "entity_id": "person.emma", "to": "home", "not_from": GONE}, "when Emma: Home"),
    ({"entity": "Emma", "becomes": "away"}, {"trigger": "state", "entity_id": "person.emma", "from": "home", "not_to": GONE}, "when Emma is no longer: Home"),
    ({"entity": "I", "becomes": "not home"}, {"trigger": "state", "entity_id": "person.emma", "from": "home", "not_to": GONE}, "when Emma is no longer: Home"),
    ({"entity": "Ben", "becomes": "Work"}, {"trigger": "state", "entity_id": "person.ben", "to": "Work", "not_from": GONE}, "when Ben: Work"),
    ({"entity": "nobody", "becomes": "home"}, {"trigger": "numeric_state", "entity_id": "zone.home", "below": 1}, "when nobody is at home"),
    ({"entity": "anybody", "becomes": "home"}, {"trigger": "numeric_state", "entity_id": "zone.home", "above": 0}, "when somebody is at home"),
    ({"entity": "everybody", "becomes": "home"}, {"trigger": "numeric_state", "entity_id": "zone.home", "above": 1}, "when everybody is at home"),
    ({"entity": "everyone", "becomes": "not home"}, {"trigger": "numeric_state", "entity_id": "zone.home", "below": 1}, "when nobody is at home"),
    ({"at": "07:00", "days": ["Weekdays"]}, {"trigger": "time", "at": "07:00", "weekday": ["mon", "tue", "wed", "thu", "fri"]}, "Monday to Friday, 07:00"),
    ({"at": "07:00", "days": "Saturdays, tues"}, {"trigger": "time", "at": "07:00", "weekday": ["tue", "sat"]}, "every Tuesday, Saturday, 07:00"),
    *(
        (written, {}, "")
        for written in (
            None, "22:00", {}, {"at": "22"}, {"at": "tomorrow 07:00"}, {"at": "{{ 1 }}"}, {"days": ["mon"]},
            {"at": "07:00", "days": "mon-fri"}, {"at": "07:00", "days": ["noday"]}, {"sun": "noon"},
            {"sun": "sunset", "offset": "30"}, {"sun": "sunset", "days": ["mon"]}, {"entity": "", "becomes": "on"}, {"sun": "sunset", "at": "22:00"},
            {"entity": "Window"}, {"entity": "Window", "becomes": "purple"}, {"entity": "Secret", "becomes": "off"},
            {"entity": "Window", "becomes": "open", "for": "5"}, {"entity": "Window", "becomes": "open", "enabled": False},
            {"trigger": "template", "value_template": "{{ true }}"},
        )
    ),
]  # fmt: skip
CONDITIONS: list[tuple[Any, dict[str, Any], str]] = [
    ({"after": "20:00", "before": "6:00"}, {"condition": "time", "after": "20:00", "before": "06:00"}, "only if 20:00–06:00"),
    ({"days": ["sun"]}, {"condition": "time", "weekday": ["sun"]}, "only if Sunday"),
    ({"sun": "down"}, {"condition": "state", "entity_id": "sun.sun", "state": ["below_horizon"]}, "only if it is dark"),
    ({"sun": "up"}, {"condition": "not", "conditions": [{"condition": "state", "entity_id": "sun.sun", "state": ["below_horizon"]}]}, "not if it is dark"),
    ({"entity": "Emma", "is": "home"}, {"condition": "state", "entity_id": "person.emma", "state": ["home"]}, "only if Emma: Home"),
    ({"entity": "Emma", "is": "not home"}, {"condition": "not", "conditions": [{"condition": "state", "entity_id": "person.emma", "state": ["home"]}]}, "not if Emma: Home"),
    ({"entity": "Outdoor", "is": "below 0"}, {"condition": "numeric_state", "entity_id": "sensor.outside", "below": 0.0}, "only if Outdoor: < 0"),
    ({"entity": "somebody", "is": "home"}, {"condition": "numeric_state", "entity_id": "zone.home", "above": 0}, "only if somebody is at home"),
    *((written, {}, "") for written in ({"at": "20:00"}, {"sun": "sunset"}, {"entity": "Bell", "is": "ring"}, {"condition": "template"})),
]  # fmt: skip
SAID = {
    "de": ("jede Woche Montag, 07:00", "nur wenn jemand zu Hause ist"),
    "fr": ("chaque lundi, 07:00", "seulement si quelqu'un est à la maison"),
    "pl": ("co tydzień: poniedziałek, 07:00", "tylko jeśli ktoś jest w domu"),
}


@pytest.fixture(autouse=True)
async def home(hass: HomeAssistant) -> None:
    for domain in ("homeassistant", "automation", "zone", "sensor", "binary_sensor"):
        assert await async_setup_component(hass, domain, {})
    for entity_id, (state, attributes) in STATES.items():
        hass.states.async_set(entity_id, state, attributes)
        is_exposed = entity_id != "light.secret"
        async_expose_entity(hass, "conversation", entity_id, is_exposed)


async def read(
    hass: HomeAssistant, written: Any, kind: str, language: str = "en"
) -> tuple[dict[str, Any], str]:
    """Return what Home Assistant accepts; empty if it or we refuse it."""
    speaker = Speaker("emma", None, True, "", language)
    tool = RoutineTool(AbilityContext(hass=hass, speaker=speaker))
    item: dict[str, Any] = {"id": "x", "alias": "x", "actions": []}
    try:
        config, words = await tool.async_part(written, kind)
        item["triggers"] = [config] if kind == "trigger" else []
        item["conditions"] = [config] if kind == "condition" else []
        await async_validate_config_item(hass, "x", item)
    except Exception as err:
        if not isinstance(err, HomeAssistantError) and "nvalid" not in str(type(err)):
            raise
        return {}, ""
    return config, words


@pytest.mark.parametrize(
    ("kind", "rows"), [("trigger", TRIGGERS), ("condition", CONDITIONS)]
)
async def test_home_assistant_accepts_what_is_made(
    hass: HomeAssistant,
    subtests: pytest.Subtests,
    kind: str,
    rows: list[tuple[Any, dict[str, Any], str]],
) -> None:
    for written, config, words in rows:
        with subtests.test(str(written)):
            assert await read(hass, written, kind) == (config, words)


@pytest.mark.parametrize("code", SAID)
async def test_it_is_said_in_the_language(hass: HomeAssistant, code: str) -> None:
    """That was spoken."""
    at = {"at": "07:00", "days": ["mon"]}
    somebody = {"entity": "somebody", "is": "home"}
    when = (await read(hass, at, "trigger", code))[1]
    assert (when, (await read(hass, somebody, "condition", code))[1]) == SAID[code]
