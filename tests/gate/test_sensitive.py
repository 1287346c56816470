"""What is sensitive: a table of actions on entities."""

from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    label_registry as lr,
)
from homeassistant.util.unit_system import US_CUSTOMARY_SYSTEM
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.gate.effects import Effect
from custom_components.lumo.gate.sensitive import Sensitivity

type Row = tuple[str, str, dict[str, Any]]

ASKS: list[Row] = [
    ("lock.front", "unlock", {}),
    ("lock.front", "open", {}),
    ("lock.front", "turn_off", {}),
    ("lock.front", "toggle", {}),
    ("lock.front", "set_lock_usercode", {}),
    ("cover.garage", "open_cover", {}),
    ("cover.garage", "turn_on", {}),
    ("cover.garage", "toggle", {}),
    ("cover.garage", "set_cover_position", {"position": 20}),
    ("cover.garage", "set_cover_position", {"position": 51}),
    ("cover.garage", "set_cover_position", {"position": "{{ 51 }}"}),
    ("cover.garage", "set_cover_position", {"position": "{{ 0 + x }}"}),
    ("cover.gate", "open_cover", {}),
    ("cover.door", "open_cover", {}),
    ("cover.unnamed", "open_cover", {}),
    ("cover.gone", "open_cover", {}),
    ("valve.water", "open_valve", {}),
    ("valve.water", "turn_on", {}),
    ("valve.water", "set_valve_position", {"position": 1}),
    ("alarm_control_panel.house", "alarm_disarm", {}),
    ("alarm_control_panel.house", "alarm_trigger", {}),
    ("alarm_control_panel.house", "turn_off", {}),
    ("climate.hall", "set_temperature", {"temperature": 30.5}),
    ("climate.hall", "set_temperature", {"temperature": 4}),
    ("climate.hall", "set_temperature", {"temperature": "{{ 31 }}"}),
    ("climate.hall", "set_temperature", {"temperature": "nan"}),
    ("climate.hall", "set_temperature", {"temperature": True}),
    ("climate.hall", "set_temperature", {"target_temp_low": 1, "target_temp_high": 21}),
    ("climate.hall", "set_temperature", {"temperature": "{{ warm }}"}),
    ("water_heater.boiler", "set_temperature", {"temperature": 71}),
    ("water_heater.boiler", "set_temperature", {"temperature": "{{ hot }}"}),
    ("automation.alarm_at_night", "turn_off", {}),
    ("automation.alarm_at_night", "toggle", {}),
    ("automation.alarmanlage_scharf", "turn_off", {}),
    ("input_boolean.alarm", "turn_off", {}),
    ("switch.burglar_alarm", "toggle", {}),
    ("input_boolean.mute_alarm", "turn_on", {}),
    ("switch.relay", "turn_off", {}),
    ("camera.yard", "disable_motion_detection", {}),
    ("switch.yard_plain", "turn_off", {}),
    ("switch.yard_motion_detection", "turn_off", {}),
    ("switch.yard_detecta", "turn_off", {}),
]
RUNS: list[Row] = [
    ("water_heater.boiler", "set_temperature", {"temperature": 65}),
    ("water_heater.boiler", "set_temperature", {"temperature": 70}),
    ("water_heater.boiler", "turn_off", {}),
    ("automation.alarm_at_night", "turn_on", {}),
    ("automation.alarm_at_night", "trigger", {}),
    ("automation.wake_up_alarm", "turn_off", {}),
    ("input_boolean.wake_up_alarm", "turn_off", {}),
    ("switch.alarm_clock", "turn_off", {}),
    ("automation.wecker_alarm", "turn_off", {}),
    ("input_boolean.alarm", "turn_on", {}),
    ("input_boolean.mute_alarm", "turn_off", {}),
    ("automation.hall_light", "turn_off", {}),
    ("switch.yard_motion_detection", "turn_on", {}),
    ("switch.motion_lamp", "turn_off", {}),
    ("switch.yard_infrared", "turn_off", {}),
    ("camera.yard", "enable_motion_detection", {}),
    ("camera.yard", "turn_off", {}),
    ("lock.front", "lock", {}),
    ("lock.front", "turn_on", {}),
    ("lock.front", "update_entity", {}),
    ("cover.garage", "close_cover", {}),
    ("cover.garage", "turn_off", {}),
    ("cover.garage", "stop_cover", {}),
    ("cover.garage", "set_cover_position", {"position": 0}),
    ("cover.unnamed", "set_cover_position", {"position": 0}),
    ("cover.blind", "open_cover", {}),
    ("cover.blind", "set_cover_position", {"position": 100}),
    ("cover.window", "open_cover", {}),
    ("valve.water", "close_valve", {}),
    ("alarm_control_panel.house", "alarm_arm_away", {}),
    ("climate.hall", "set_temperature", {"temperature": 30}),
    ("climate.hall", "set_temperature", {"temperature": 5}),
    ("climate.hall", "set_temperature", {"temperature": " 21.5 "}),
    ("climate.hall", "set_temperature", {"temperature": "{{ 21 }}"}),
    ("cover.garage", "set_cover_position", {"position": "{{ 0 }}"}),
    ("climate.hall", "turn_on", {}),
    ("light.hall", "turn_on", {}),
    ("light.lock", "turn_off", {}),
    ("switch.oven", "turn_on", {}),
    ("media_player.tv", "turn_off", {}),
    ("scene.movie", "turn_on", {}),
]


@pytest.fixture
def home(hass: HomeAssistant) -> HomeAssistant:
    for cover, device_class in (
        ("garage", "garage"),
        ("gate", "gate"),
        ("door", "door"),
        ("blind", "blind"),
        ("window", "window"),
        ("unnamed", None),
    ):
        attributes: dict[str, Any] = {"current_position": 50}
        if device_class:
            attributes["device_class"] = device_class
        if device_class is None:
            attributes["current_position"] = None
        hass.states.async_set(f"cover.{cover}", "open", attributes)
    hass.states.async_set("climate.hall", "heat", {"temperature": 20})
    entry = MockConfigEntry()
    entry.add_to_hass(hass)
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "camera")}
    )
    for kind, name, key in (
        ("camera", "yard", None),
        ("switch", "yard_infrared", "infrared"),
        ("switch", "yard_motion_detection", None),
        ("switch", "yard_detecta", "motion_detection"),
        ("switch", "yard_plain", None),
    ):
        er.async_get(hass).async_get_or_create(
            kind,
            "test",
            name,
            device_id=device.id,
            suggested_object_id=name,
            translation_key=key,
            original_name="Motion" if name == "yard_plain" else None,
        )
    # What it is shown as counts.
    hass.states.async_set("switch.relay", "on", {"friendly_name": "Burglar alarm"})
    for entity_id in ("lock.front", "valve.water", "switch.oven", "light.hall"):
        hass.states.async_set(entity_id, "off")
    return hass


@pytest.mark.parametrize(("entity_id", "service", "data"), ASKS)
def test_needs_a_yes(
    home: HomeAssistant, entity_id: str, service: str, data: dict[str, Any]
) -> None:
    """It lets somebody in, or makes the home less safe."""
    assert Sensitivity(home).is_sensitive(Effect(entity_id, service, data))


@pytest.mark.parametrize(("entity_id", "service", "data"), RUNS)
def test_needs_no_question(
    home: HomeAssistant, entity_id: str, service: str, data: dict[str, Any]
) -> None:
    """It does no harm, whatever the entity is called."""
    assert not Sensitivity(home).is_sensitive(Effect(entity_id, service, data))


def test_range_of_temperatures_is_the_agents(home: HomeAssistant) -> None:
    warm = Effect("climate.hall", "set_temperature", {"temperature": 24})
    assert Sensitivity(home, temperatures=(16, 23)).is_sensitive(warm)
    assert not Sensitivity(home, temperatures=(16, None)).is_sensitive(warm)
    home.config.units = US_CUSTOMARY_SYSTEM
    usual = Effect("climate.hall", "set_temperature", {"temperature": 70})
    cold = Effect("climate.hall", "set_temperature", {"temperature": 30})
    assert not Sensitivity(home).is_sensitive(usual)
    assert Sensitivity(home).is_sensitive(cold)


@pytest.mark.parametrize("on", ["entity", "device", "area", "area of the device"])
def test_label_makes_anything_sensitive(hass: HomeAssistant, on: str) -> None:
    """It may be on the entity itself, on its device or on an area."""
    label = lr.async_get(hass).async_create("Careful").label_id
    entry = MockConfigEntry()
    entry.add_to_hass(hass)
    areas, devices = ar.async_get(hass), dr.async_get(hass)
    entities = er.async_get(hass)
    area = areas.async_create("Kitchen")
    device = devices.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "oven")}
    )
    oven = entities.async_get_or_create(
        "switch",
        "test",
        "oven",
        device_id=device.id,
        original_name="Oven",
        suggested_object_id="oven",
    )
    turn_on = Effect("switch.oven", "turn_on")
    hass.states.async_set("switch.oven", "off")
    assert not Sensitivity(hass, frozenset({label})).is_sensitive(turn_on)
    match on:
        case "entity":
            entities.async_update_entity(oven.entity_id, labels={label})
        case "device":
            devices.async_update_device(device.id, labels={label})
        case "area":
            areas.async_update(area.id, labels={label})
            entities.async_update_entity(oven.entity_id, area_id=area.id)
        case "area of the device":
            areas.async_update(area.id, labels={label})
            devices.async_update_device(device.id, area_id=area.id)
    labelled = Sensitivity(hass, frozenset({label}))
    assert labelled.is_sensitive(turn_on)
    assert labelled.is_sensitive(Effect("switch.oven", "turn_off"))
    assert not Sensitivity(hass).is_sensitive(turn_on)


@pytest.mark.parametrize("domain", ["lock", "cover", "alarm_control_panel"])
def test_button_of_a_doors_device_is_a_door(hass: HomeAssistant, domain: str) -> None:
    """A garage opener often has a button that opens it; a lamp on it is a lamp."""
    entry = MockConfigEntry()
    entry.add_to_hass(hass)
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "opener")}
    )
    for kind in (domain, "button", "switch", "light"):
        er.async_get(hass).async_get_or_create(
            kind, "test", kind, device_id=device.id, suggested_object_id="opener"
        )
        hass.states.async_set(f"{kind}.opener", "unknown")
    sensitivity = Sensitivity(hass)
    assert sensitivity.is_sensitive(Effect("button.opener", "press"))
    assert sensitivity.is_sensitive(Effect("switch.opener", "turn_on"))
    assert not sensitivity.is_sensitive(Effect("light.opener", "turn_on"))
