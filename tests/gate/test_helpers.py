"""Entities that run actions, or act on others, are followed to what they do."""

from collections.abc import Iterable
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity import Entity
from homeassistant.setup import async_setup_component
import pytest

from custom_components.lumo import internals
from custom_components.lumo.gate.effects import Effect
from custom_components.lumo.gate.reach import Reach
from custom_components.lumo.gate.sensitive import Sensitivity
from tests.integration.test_internals import set_up_entry
from tests.redteam.scripts import do

DOOR = "lock.front"
UNLOCK = do("lock.unlock", DOOR)
LOCK = do("lock.lock", DOOR)
LAMP = do("light.toggle", "light.hall")
UNFORESEEABLE = do("lock.unlock", "{{ x }}")


async def set_up(hass: HomeAssistant, **config: Any) -> None:
    """Set integrations up from YAML, in a home with a door and a lamp."""
    hass.states.async_set(DOOR, "locked")
    hass.states.async_set("light.hall", "on")
    for domain in ("homeassistant", *config):
        assert await async_setup_component(hass, domain, config)
    await hass.async_block_till_done()


def asked(hass: HomeAssistant, effect: Effect) -> bool:
    reach = Reach(hass, [effect])
    return reach.unknown or any(map(Sensitivity(hass).is_sensitive, reach.effects))


def template(domain: str, **config: Any) -> list[dict[str, Any]]:
    return [{domain: {"name": "Tested", **config}}]


OPENING: list[tuple[list[dict[str, Any]], str, str]] = [
    (template("button", press=UNLOCK), "button.tested", "press"),
    (template("button", press=UNFORESEEABLE), "button.tested", "press"),
    (template("switch", turn_on=UNLOCK, turn_off=LOCK), "switch.tested", "turn_on"),
    (template("switch", turn_on=UNLOCK, turn_off=LOCK), "switch.tested", "toggle"),
    (template("switch", turn_on=UNLOCK, turn_off=LOCK), "switch.tested", "change"),
    (template("light", turn_on=LAMP, turn_off=UNLOCK), "light.tested", "turn_off"),
    (template("light", turn_on=LAMP, turn_off=LAMP, set_level=UNLOCK), "light.tested", "turn_on"),
    (template("fan", turn_on=LAMP, turn_off=UNLOCK, set_percentage=LAMP), "fan.tested", "set_percentage"),
    (template("cover", open_cover=UNLOCK, close_cover=LAMP, device_class="blind"), "cover.tested", "turn_on"),
    (template("lock", lock=UNLOCK, unlock=LAMP, state="{{ true }}"), "lock.tested", "lock"),
    (template("alarm_control_panel", arm_away=UNLOCK, state="disarmed"), "alarm_control_panel.tested", "alarm_arm_away"),
    (template("vacuum", start=UNLOCK), "vacuum.tested", "start"),
    (template("number", set_value=UNLOCK, state="{{ 1 }}", step=1, min="{{ 0 }}", max=9), "number.tested", "set_value"),
    (template("select", select_option=UNLOCK, state="{{ 'a' }}", options="{{ ['a'] }}"), "select.tested", "select_option"),
    (template("update", install=UNLOCK, installed_version="{{ '1' }}", latest_version="{{ '2' }}"), "update.tested", "install"),
]  # fmt: skip
HARMLESS: list[tuple[list[dict[str, Any]], str, str]] = [
    (template("button", press=LAMP), "button.tested", "press"),
    (template("switch", turn_on=UNLOCK, turn_off=LOCK), "switch.tested", "turn_off"),
    (template("light", turn_on=LAMP, turn_off=UNLOCK), "light.tested", "turn_on"),
    (template("lock", lock=LOCK, unlock=UNLOCK, state="{{ true }}"), "lock.tested", "turn_on"),
    (template("cover", open_cover=UNLOCK, close_cover=LAMP, device_class="garage"), "cover.tested", "close_cover"),
    (template("alarm_control_panel", arm_away=LAMP, disarm=UNLOCK, state="disarmed"), "alarm_control_panel.tested", "alarm_arm_away"),
    (template("sensor", state="{{ 1 }}"), "sensor.tested", "change"),
]  # fmt: skip


@pytest.mark.parametrize(("config", "entity_id", "service"), OPENING)
async def test_template_entity_that_opens_a_door_is_seen(
    hass: HomeAssistant, config: Any, entity_id: str, service: str
) -> None:
    await set_up(hass, template=config)
    assert hass.states.get(entity_id)
    assert asked(hass, Effect(entity_id, service))


@pytest.mark.parametrize(("config", "entity_id", "service"), HARMLESS)
async def test_template_entity_that_does_no_harm_is_not_asked_about(
    hass: HomeAssistant, config: Any, entity_id: str, service: str
) -> None:
    await set_up(hass, template=config)
    assert hass.states.get(entity_id)
    assert not asked(hass, Effect(entity_id, service))


async def test_template_entity_of_a_config_entry_is_followed(
    hass: HomeAssistant,
) -> None:
    await set_up(hass)
    options = {"template_type": "button", "name": "Entry", "press": [UNLOCK]}
    await set_up_entry(hass, "template", options)
    assert asked(hass, Effect("button.entry", "press"))


async def test_players_commands_are_followed(hass: HomeAssistant) -> None:
    commands = {"turn_on": UNLOCK, "turn_off": LAMP, "media_pause": LAMP}
    player = {"platform": "universal", "name": "One", "commands": commands}
    behind = {
        "platform": "universal",
        "name": "Other",
        "children": ["media_player.one"],
        "commands": {"turn_off": LAMP},
    }
    await set_up(hass, media_player=[player, behind])
    for entity_id in ("media_player.one", "media_player.other"):
        for service, expected in (
            ("turn_on", True),
            ("toggle", True),
            ("turn_off", False),
            ("media_pause", False),
        ):
            assert asked(hass, Effect(entity_id, service)) is expected


async def test_player_behind_a_template_may_be_any(hass: HomeAssistant) -> None:
    player = {
        "platform": "universal",
        "name": "Some",
        "active_child_template": "{{ x }}",
    }
    commands = {"turn_on": UNLOCK, "turn_off": LAMP}
    harmful = {"platform": "universal", "name": "Bad", "commands": commands}
    await set_up(hass, media_player=[player, harmful])
    assert asked(hass, Effect("media_player.some", "turn_on"))
    assert not asked(hass, Effect("media_player.some", "turn_off"))


async def test_what_a_thermostat_switches_counts(hass: HomeAssistant) -> None:
    """A hygrostat too."""
    climate = {
        "platform": "generic_thermostat",
        "name": "Warm",
        "heater": "switch.tested",
        "target_sensor": "sensor.warm",
    }
    humidifier = {
        "name": "Wet",
        "humidifier": "switch.tested",
        "target_sensor": "sensor.wet",
    }
    switch = template("switch", turn_on=UNLOCK, turn_off=LAMP)
    await set_up(
        hass, template=switch, climate=[climate], generic_hygrostat=[humidifier]
    )
    for effect in (
        Effect("climate.warm", "set_temperature", {"temperature": 21}),
        Effect("climate.warm", "set_hvac_mode"),
        Effect("humidifier.wet", "turn_on"),
    ):
        assert asked(hass, effect)


async def test_members_of_a_group_of_any_kind_count(hass: HomeAssistant) -> None:
    members = ["switch.tested", "switch.other"]
    group = {"platform": "group", "name": "All", "entities": members}
    switch = template("switch", turn_on=UNLOCK, turn_off=LAMP)
    await set_up(hass, template=switch, switch=[group])
    assert asked(hass, Effect("switch.all", "turn_on"))
    assert not asked(hass, Effect("switch.all", "turn_off"))


@pytest.mark.parametrize(
    "integration",
    [
        *("generic_hygrostat", "generic_thermostat", "group", "switch", "switch_as_x"),
        *("template", "universal", "wake_on_lan"),
    ],
)
async def test_what_cannot_be_read_is_asked_about(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch, integration: str
) -> None:
    """A release of Home Assistant that keeps it otherwise does not open a door."""
    entity = Entity()
    entity.entity_id = "switch.tested"

    monkeypatch.setattr(internals, "entity_of", lambda _hass, _entity_id: entity)
    monkeypatch.setattr(internals, "integration_of", lambda _entity: integration)
    hass.states.async_set("switch.tested", "off")
    assert asked(hass, Effect("switch.tested", "turn_on"))


async def test_helpers_that_stand_for_each_other_end(hass: HomeAssistant) -> None:
    def other(name: str) -> Iterable[dict[str, Any]]:
        return [do("switch.turn_on", target={"entity_id": f"switch.{name}"})]

    config = [
        {"switch": {"name": "a", "turn_on": other("b"), "turn_off": []}},
        {"switch": {"name": "b", "turn_on": other("a"), "turn_off": []}},
    ]
    await set_up(hass, template=config)
    reach = Reach(hass, [Effect("switch.a", "turn_on")])
    assert {effect.entity_id for effect in reach.effects} == {"switch.a", "switch.b"}
    assert not reach.unknown
