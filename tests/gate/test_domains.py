"""Each row of the table of domains counts, and names what Home Assistant has."""

import json
from pathlib import Path
from typing import Any

from homeassistant import components
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import device_registry as dr, entity_registry as er
from homeassistant.helpers.template import Template
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry
import yaml

import custom_components.lumo
from custom_components.lumo.gate.effects import (
    DOMAINS,
    Domain,
    Effect,
    effect_of_state,
    number_of,
    value_of,
    wants_code,
    way_of,
)
from custom_components.lumo.gate.sensitive import Sensitivity
from custom_components.lumo.gate.verify import has_answered

COMPONENTS = Path(components.__file__).parent
WORDS = json.loads(
    (Path(custom_components.lumo.__file__).parent / "translations/en.json").read_text(
        encoding="utf-8"
    )
)["exceptions"]


@pytest.mark.parametrize("name", DOMAINS)
def test_a_row_names_what_home_assistant_has(name: str) -> None:
    """Its domain, its services, its device actions; and words that we have."""
    row, folder = DOMAINS[name], COMPONENTS / name
    # Adds what a file lacks: Home Assistant merges its generic services with these.
    services = {"turn_on", "turn_off", "toggle"}
    if (folder / "services.yaml").exists():
        services |= set(yaml.safe_load((folder / "services.yaml").read_text()) or ())
    named = {
        *(row.harmless or ()),
        row.on,
        row.off,
        *row.states.values(),
        *row.answers,
        *row.values,
        *row.phrases,
    }
    assert named <= services
    assert (folder / "reproduce_state.py").exists() or not row.is_restorable
    if row.device_actions:
        source = (folder / "device_action.py").read_text(encoding="utf-8")
        assert all(f'"{action}"' in source for action in row.device_actions)
    assert set(row.phrases.values()) <= set(WORDS)
    assert row != Domain()


@pytest.mark.parametrize("name", DOMAINS)
def test_a_row_counts(hass: HomeAssistant, name: str) -> None:
    """What is guarded is asked about, apart from what makes it safer."""
    row, entity_id = DOMAINS[name], f"{name}.tested"
    _be_beside_a_lock(hass, entity_id, "Latch" if row.opens_by_name else "Tested")
    sensitivity = Sensitivity(hass)

    def asks(service: str, **data: object) -> bool:
        return sensitivity.is_sensitive(Effect(entity_id, service, data))

    assert asks("unknown") is (
        row.harmless is not None or row.opens_beside or row.opens_by_name
    )
    assert not any(map(asks, row.harmless or ()))
    assert all(asks("set_temperature", **{key: 99}) for key in row.temperatures)
    for service, states in row.answers.items():
        effect = Effect(entity_id, service, {"position": 1})
        assert not has_answered(State(entity_id, "other"), effect)
        assert all(has_answered(State(entity_id, state), effect) for state in states)
    for state in row.strengths:
        hass.states.async_set(entity_id, state)
        weaker = [
            item for item in row.strengths if row.strengths[item] < row.strengths[state]
        ]
        assert all(asks(row.states[item]) for item in weaker if item in row.states)
    for state, service in row.states.items():
        assert effect_of_state(hass, State(entity_id, state)).service == service
    for meant, service in (("turn_on", row.on), ("turn_off", row.off)):
        assert Effect(entity_id, meant).meaning == service
        assert has_answered(State(entity_id, "off"), Effect(entity_id, "turn_on")) is (
            not row.is_switched and row.on not in row.answers
        )
    for service, phrase in row.phrases.items():
        assert Effect(entity_id, service).phrase == phrase


def test_a_new_row_is_all_that_a_sensitive_domain_needs(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else lists domains."""
    monkeypatch.setitem(DOMAINS, "boiler", Domain(harmless=frozenset({"cool"})))
    hass.states.async_set("boiler.cellar", "on")
    sensitivity = Sensitivity(hass)
    assert sensitivity.is_sensitive(Effect("boiler.cellar", "fire"))
    assert not sensitivity.is_sensitive(Effect("boiler.cellar", "cool"))


def _be_beside_a_lock(hass: HomeAssistant, entity_id: str, name: str) -> None:
    entry = MockConfigEntry()
    entry.add_to_hass(hass)
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "door")}
    )
    for item in ("lock.beside", entity_id):
        domain, _, object_id = item.partition(".")
        er.async_get(hass).async_get_or_create(
            domain,
            "test",
            item,
            device_id=device.id,
            suggested_object_id=object_id,
            original_name=name,
        )
        hass.states.async_set(item, "unknown")


def test_what_is_set_is_said_whole() -> None:
    kept = {"temperature": None, "target_temp_low": 18.0, "target_temp_high": 24.5}
    assert Effect("climate.a", "set_temperature", kept).value == "18–24.5"
    kept |= {"temperature": 21.0, "target_temp_high": None}
    assert Effect("climate.a", "set_temperature", kept).value == "21"
    assert Effect("siren.a", "change", {"value": 2}).value == ""


@pytest.mark.parametrize(
    ("entity_id", "service", "data", "said"),
    [
        ("alarm_control_panel.a", "alarm_arm_night", {}, "armed_night"),
        ("alarm_control_panel.a", "turn_off", {}, "disarmed"),
        ("lock.a", "unlock", {}, ""),
        ("number.a", "set_value", {"value": 2.50}, "2.5"),
        ("humidifier.a", "set_humidity", {"humidity": 55}, "55"),
        ("fan.a", "oscillate", {"oscillating": True}, "on"),
        ("fan.a", "oscillate", {"oscillating": False}, "off"),
    ],
)
async def test_what_is_set_is_said(
    hass: HomeAssistant, entity_id: str, service: str, data: Any, said: str
) -> None:
    assert value_of(hass, Effect(entity_id, service, data)) == said


@pytest.mark.parametrize(
    ("entity_id", "service", "attributes", "wanted"),
    [
        ("lock.a", "unlock", {"code_format": "number"}, True),
        ("lock.a", "unlock", {}, False),
        ("light.a", "turn_on", {"code_format": "number"}, False),
        ("alarm_control_panel.a", "alarm_disarm", {"code_format": "number"}, True),
        ("alarm_control_panel.a", "alarm_arm_away", {"code_format": "number"}, False),
        ("alarm_control_panel.a", "alarm_arm_away", {"code_arm_required": True}, True),
    ],
)
async def test_a_code_is_wanted_where_the_thing_says_so(
    hass: HomeAssistant,
    entity_id: str,
    service: str,
    attributes: dict[str, Any],
    wanted: bool,
) -> None:
    hass.states.async_set(entity_id, "x", attributes)
    assert wants_code(hass, Effect(entity_id, service)) is wanted


def test_a_volume_is_told_in_percent() -> None:
    loud = {"volume_level": 0.4}
    assert Effect("media_player.hall", "volume_set", loud).value == "40"
    assert Effect("media_player.hall", "volume_up", loud).value != "40"


@pytest.mark.parametrize(
    ("entity_id", "service", "data", "phrase", "value"),
    [
        ("light.a", "turn_on", {"brightness_pct": 5}, "do_set_brightness", "5"),
        ("light.a", "turn_off", {"brightness_pct": 5}, "do_turn_off", "5"),
        ("light.a", "turn_on", {"color_name": "red"}, "do_set_value", "red"),
        ("light.a", "turn_on", {"color_temp_kelvin": 3000, "brightness_pct": 5}, "do_set_value", "3000 K, 5 %"),
        ("fan.a", "turn_on", {"percentage": 5}, "do_set_speed", "5"),
        ("number.a", "set_value", {"value": 2}, "do_set_value", "2"),
        ("siren.a", "whatever", {}, "do_change", ""),
        ("media_player.a", "volume_set", {"volume_level": 0.5}, "do_set_volume_to", "50"),
        ("media_player.a", "change", {"volume_step": -5}, "do_quieter", ""),
        ("media_player.a", "change", {"volume_step": "down"}, "do_quieter", ""),
        ("media_player.a", "change", {"volume_step": "up"}, "do_louder", ""),
        ("media_player.a", "change", {"volume_step": 5}, "do_louder", ""),
    ],
)  # fmt: skip
def test_what_is_done_has_its_words(
    entity_id: str, service: str, data: Any, phrase: str, value: str
) -> None:
    effect = Effect(entity_id, service, data)
    assert (effect.phrase, effect.value) == (phrase, value)


async def test_a_number_is_read_however_it_is_written(hass: HomeAssistant) -> None:
    numbers = (
        "21",
        " {{ -2.5 }} ",
        Template("{{ 4 }}", hass),
        7,
        True,
        "nan",
        "{{ x }}",
    )
    assert [*map(number_of, numbers)] == [21, -2.5, 4, 7, None, None, None]


async def test_a_value_goes_up_or_down(hass: HomeAssistant) -> None:
    hass.states.async_set("climate.a", "heat", {"temperature": 20})
    hass.states.async_set("light.a", "on", {"brightness": 51})

    def way(entity_id: str, **data: float) -> str:
        return way_of(hass, Effect(entity_id, "set", data))

    assert [way("climate.a", temperature=t) for t in (19, 20, 21)] == ["down", "", "up"]
    found = [way("light.a", brightness_pct=percent) for percent in (19, 20, 21)]
    assert found == ["down", "", "up"]
