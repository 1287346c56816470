"""What `set` sets, on real entities, and what it refuses to."""

from typing import Any
from unittest.mock import patch

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.const import Platform
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    llm,
)
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.set import Set
from custom_components.lumo.gate.effects import value_of
from custom_components.lumo.gate.speaker import Speaker
from custom_components.lumo.gate.verify import has_answered

DEMO = "homeassistant.components.demo.COMPONENTS_WITH_CONFIG_ENTRY_DEMO_PLATFORM"
PLATFORMS = [
    Platform.ALARM_CONTROL_PANEL,
    Platform.CLIMATE,
    Platform.FAN,
    Platform.HUMIDIFIER,
    Platform.LIGHT,
    Platform.MEDIA_PLAYER,
    Platform.NUMBER,
    Platform.SELECT,
    Platform.SIREN,
    Platform.VACUUM,
    Platform.WATER_HEATER,
]
HELPERS: dict[str, Any] = {
    "input_boolean": {"holiday": {"name": "Holiday mode"}},
    "input_number": {
        "limit": {
            "name": "Power limit",
            "min": 0,
            "max": 10,
            "step": 0.5,
            "unit_of_measurement": "kW",
        }
    },
    "input_select": {"scene": {"name": "House mode", "options": ["Home", "Away"]}},
}
HIDDEN = "water_heater.demo_water_heater_celsius"
PANEL = "alarm_control_panel.security"


@pytest.fixture
def language() -> str:
    return "en"


@pytest.fixture
async def home(hass: HomeAssistant, language: str) -> HomeAssistant:
    """Return a home with one of everything, all of it exposed."""
    hass.config.language = language
    entry = MockConfigEntry(domain="demo")
    entry.add_to_hass(hass)
    assert await async_setup_component(hass, "homeassistant", {})
    for domain, config in HELPERS.items():
        assert await async_setup_component(hass, domain, {domain: config})
    with patch(DEMO, PLATFORMS):
        assert await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done()
    for state in hass.states.async_all():
        async_expose_entity(hass, "conversation", state.entity_id, True)
    return hass


async def call(
    hass: HomeAssistant, context: AbilityContext | None = None, /, **arguments: str
) -> str:
    """Return what became of the one thing that is set, or why nothing was."""
    tool = Set(context or AbilityContext(hass=hass))
    given = llm.ToolInput(tool.name, arguments)
    speaking = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    effects = tool.effects(arguments)
    try:
        await tool.async_call(hass, given, speaking)
    except HomeAssistantError as err:
        return str(err)
    [effect] = effects
    await hass.async_block_till_done()
    state = hass.states.get(effect.entity_id)
    assert state
    assert has_answered(state, effect)
    return f"{effect.phrase} {effect.entity_id} {value_of(hass, effect)}".strip()


# Name, setting, value; what is done, and what a person is told of it.
DONE = [
    ("Hvac", "mode", "heat", "do_set_value climate.hvac Heat"),
    ("hvac ", "HVAC mode", "Heating", "do_set_value climate.hvac Heat"),
    ("climate.hvac", "hvac_mode", "Fan only", "do_set_value climate.hvac Fan only"),
    ("Ecobee", "mode", "eco", "do_set_value climate.ecobee Eco"),
    ("Ecobee", "preset_mode", "Away", "do_set_value climate.ecobee Away"),
    ("Hvac", "fan mode", "auto low", "do_set_value climate.hvac Auto low"),
    ("Hvac", "swing", "2", "do_set_value climate.hvac 2"),
    ("Living Room Fan", "oscillation", "on", "do_change fan.living_room_fan on"),
    ("Living Room Fan", "direction", "Reverse", "do_set_value fan.living_room_fan Reverse"),
    ("Living Room Fan", "preset", "sleep", "do_set_value fan.living_room_fan Sleep"),
    ("Hygrostat", "mode", "Eco", "do_set_value humidifier.hygrostat Eco"),
    ("", "option", "light speed", "do_set_value select.speed Light speed"),
    ("Speed", "mode", "Ludicrous Speed", "do_set_value select.speed Ludicrous speed"),
    ("House mode", "option", "away", "do_set_value input_select.scene Away"),
    ("PWM 1", "value", "0,5", "do_set_value number.pwm_1 0.5"),
    ("Temperature setting", "value", "21 °C", "do_set_value number.temperature_setting 21"),
    ("Power limit", "value", "2.5", "do_set_value input_number.limit 2.5"),
    ("Power limit", "value", "2,5 kW", "do_set_value input_number.limit 2.5"),
    ("", "source", "DVD", "do_set_value media_player.lounge_room dvd"),
    ("Walkman", "repeat", "one", "do_change media_player.walkman One"),
    ("Walkman", "shuffle", "True", "do_change media_player.walkman on"),
    ("Walkman", "sound mode", "movie", "do_set_value media_player.walkman Movie"),
    ("Demo vacuum 0 ground floor", "fan speed", "max", "do_set_value vacuum.demo_vacuum_0_ground_floor max"),
    ("Holiday mode", "power", "on", "do_turn_on input_boolean.holiday"),
    ("Siren", "power", "off", "do_turn_off siren.siren"),
    ("Ceiling Lights", "power", "off", "do_turn_off light.ceiling_lights"),
    ("Demo Water Heater", "mode", "gas", "do_set_value water_heater.demo_water_heater Gas"),
    ("", "effect", "rainbow", "do_turn_on light.bed_light"),
]  # fmt: skip
REFUSED = [
    ("Hvac", "mode", "Tropical", "Hvac does not take Tropical. There is: off, heat, cool"),
    ("Ecobee", "mode", "heat", "Nearest: heat_cool"),
    ("House mode", "option", "avay", "Nearest: Away."),
    ("Hvak", "mode", "heat", "Nearest: Hvac"),
    ("Hvac", "oscillation", "on", "It has no oscillation. There is: temperature, mode"),
    ("Heatpump", "fan mode", "off", "It has no fan mode"),
    ("Bed Light", "color", "blue", "HassLightSet sets colors"),
    ("", "shine", "on", "There is no setting shine"),
    ("Living Room Fan", "speed", "on", "takes numbers"),
    ("Power limit", "value", "11", "numbers from 0 to 10"),
    ("Large range", "value", "1,000", "numbers from 1 to 1000"),
    ("Power limit", "value", "2.5 °C", "numbers from 0 to 10"),
    ("Power limit", "value", "much", "numbers from 0 to 10"),
    (HIDDEN, "mode", "gas", f"Nothing of that kind is called {HIDDEN}"),
    ("Demo Water Heater Celsius", "mode", "gas", "Nothing of that kind is called Demo Water Heater Celsius"),
    ("Security", "arming", "disarmed", "Security does not take disarmed"),
    ("Security", "arming", "off", "Security does not take off"),
]  # fmt: skip


async def test_it_sets_what_there_is(home: HomeAssistant) -> None:
    for name, setting, to, done in DONE:
        assert await call(home, name=name, setting=setting, to=to) == done, (name, to)
    async_expose_entity(home, "conversation", HIDDEN, False)
    for name, setting, to, problem in REFUSED:
        before = home.states.async_all()
        told = await call(home, name=name, setting=setting, to=to)
        assert problem in told, (name, to)
        assert "Celsius" not in told.replace(problem, "")
        assert home.states.async_all() == before
    async_expose_entity(home, "conversation", HIDDEN, True)
    home.states.async_set(HIDDEN, "unavailable")
    told = await call(home, name=HIDDEN, setting="mode", to="gas")
    assert "has no mode" in told
    # Without a name it is for one of them, never for all that has power.
    power = {"setting": "power", "to": "off"}
    for power in (power, {**power, "name": ""}):
        assert Set(AbilityContext(hass=home)).plan(power).is_choice
    # A panel that knows the code itself is armed.
    options = {"default_code": "1234"}
    er.async_get(home).async_update_entity_options(
        PANEL, "alarm_control_panel", options
    )
    [armed] = Set(AbilityContext(hass=home)).effects(
        {"setting": "arming", "to": "vacation"}
    )
    assert (armed.meaning, value_of(home, armed)) == (
        "alarm_arm_vacation",
        "Armed vacation",
    )


async def test_of_several_the_near_one(home: HomeAssistant) -> None:
    areas, entities = ar.async_get(home), er.async_get(home)
    for name in ("hvac", "ecobee"):
        entry = entities.async_get(f"climate.{name}")
        assert entry
        assert entry.device_id
        area_id = areas.async_get_or_create(name).id
        dr.async_get(home).async_update_device(entry.device_id, area_id=area_id)
    told = await call(home, setting="fan mode", to="off", area="Hvac")
    assert told == "do_set_value climate.hvac Off"
    told = await call(home, setting="fan mode", to="off", area="cellar")
    assert "no area cellar" in told
    tool, fan_off = Set(AbilityContext(hass=home)), {"setting": "fan mode", "to": "off"}
    several = tool.choices(fan_off)
    assert {item.entity_id for item in several} == {"climate.hvac", "climate.ecobee"}
    fans = tool.choices({"name": "fan", "setting": "direction", "to": "forward"})
    named = {item.entity_id for item in fans}
    assert named == {"fan.living_room_fan", "fan.percentage_full_fan"}
    ear = entities.async_get_or_create("assist_satellite", "demo", "ear")
    entities.async_update_entity(ear.entity_id, area_id="ecobee")
    speaker = Speaker(None, ear.entity_id, True, "Fan off, please", "en")
    context = AbilityContext(hass=home, speaker=speaker)
    told = await call(home, context, setting="fan mode", to="off")
    assert told == "do_set_value climate.ecobee Off"


@pytest.mark.parametrize("language", ["de"])
async def test_in_the_words_of_the_home(home: HomeAssistant) -> None:
    """As Home Assistant translates its states."""
    for name, setting, to, done in (
        ("Hvac", "mode", "Heizbetrieb", "do_set_value climate.hvac Heizbetrieb"),
        ("Ecobee", "preset", "Abwesend", "do_set_value climate.ecobee Abwesend"),
        ("Hvac", "mode", "cool", "do_set_value climate.hvac Kühlbetrieb"),
        ("Holiday mode", "power", "Ein", "do_turn_on input_boolean.holiday"),
    ):
        assert await call(home, name=name, setting=setting, to=to) == done
