"""What scripts, scenes and groups do in the end."""

from types import SimpleNamespace
from typing import Any, cast

from homeassistant.config_entries import ConfigSubentryDataWithId
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import (
    area_registry as ar,
    config_validation as cv,
    device_registry as dr,
    entity_registry as er,
    label_registry as lr,
)
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import DATA_DOMAIN_ENTITIES, EntityPlatform
from homeassistant.helpers.group import IntegrationSpecificGroup, get_group_entities
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.gate import reach as room
from custom_components.lumo.gate.effects import Effect, effect_of_state
from custom_components.lumo.gate.reach import Reach
from custom_components.lumo.gate.sensitive import Sensitivity
from tests.redteam.scripts import do

DOOR = "lock.front"
UNLOCK = do("lock.unlock", DOOR)
TASKS_WITH_TOOLS = ("tools", "others", "none")
OPENING = (
    *("rest_command.open_gate", "shell_command.unlock_door", "rest_command.hoftor"),
    *("esphome.garage_pulse", "python_script.abrir_puerta"),
)
LIGHT = do("light.turn_off", "all")
HALL = "media_player.hall"


@pytest.fixture
async def home(hass: HomeAssistant) -> dict[str, str]:
    """Make a home; return its ids."""
    entry = MockConfigEntry()
    entry.add_to_hass(hass)
    floor_area = ar.async_get(hass).async_create("Hall")
    label = lr.async_get(hass).async_create("Doors").label_id
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "door")}
    )
    lock = er.async_get(hass).async_get_or_create(
        "lock",
        "test",
        "1",
        device_id=device.id,
        original_name="Front",
        suggested_object_id="front",
    )
    er.async_get(hass).async_update_entity(
        lock.entity_id, area_id=floor_area.id, labels={label}
    )
    hass.states.async_set(DOOR, "locked", {"friendly_name": "Front door"})
    hass.states.async_set("light.hall", "on")
    hass.states.async_set("conversation.talker", "unknown", {"supported_features": 0})
    hass.states.async_set("conversation.acts", "unknown", {"supported_features": 1})
    _add_tasks(hass)
    hass.states.async_set("cover.garage", "closed", {"device_class": "garage"})
    for domain in ("homeassistant", "lock", "light", "conversation"):
        assert await async_setup_component(hass, domain, {})
    return {
        "area": floor_area.id,
        "label": label,
        "device": device.id,
        "registry": lock.id,
    }


def _add_tasks(hass: HomeAssistant) -> None:
    """Add AI tasks: of Home Assistant, of others, of ours with and without tools."""
    data = {"plain": {}, "tools": {"llm_hass_api": ["assist"]}}
    account = MockConfigEntry(
        domain="lumo",
        subentries_data=[
            ConfigSubentryDataWithId(
                data=options,
                subentry_id=name,
                subentry_type="ai_task_data",
                title=name,
                unique_id=None,
            )
            for name, options in data.items()
        ],
    )
    account.add_to_hass(hass)
    tasks = hass.data.setdefault(DATA_DOMAIN_ENTITIES, {}).setdefault("ai_task", {})
    core = type("Core", (Entity,), {"__module__": "homeassistant.components.x.ai_task"})
    tasks |= {"ai_task.core": core(), "ai_task.others": Entity()}
    for name in data:
        tasks[f"ai_task.{name}"] = task = Entity()
        task.registry_entry = er.async_get(hass).async_get_or_create(
            "ai_task", "lumo", name, config_entry=account, config_subentry_id=name
        )
    for task in tasks.values():
        task.platform = cast(EntityPlatform, SimpleNamespace(platform_name="test"))


def _fill(value: Any, ids: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _fill(item, ids) for key, item in value.items()}
    if isinstance(value, list):
        return [_fill(item, ids) for item in value]
    return (
        value.format(**ids) if isinstance(value, str) and "{{" not in value else value
    )


def _play(**data: Any) -> dict[str, Any]:
    return do("media_player.play_media", "media_player.radio", **data)


type Steps = list[dict[str, Any]]


async def sensitive_in(
    hass: HomeAssistant, ids: dict[str, str], sequences: list[Steps]
) -> list[tuple[set[str], bool]]:
    """Return what each script does that is sensitive, and whether it is unknown."""
    scripts = {
        f"tested_{number}": {"sequence": _fill(sequence, ids)}
        for number, sequence in enumerate(sequences)
    }
    opens = {"opens": {"sequence": [UNLOCK]}}
    assert await async_setup_component(hass, "script", {"script": scripts | opens})
    await hass.async_block_till_done()
    sensitivity = Sensitivity(hass)
    found = []
    for name in scripts:
        assert hass.states.get(f"script.{name}").state == "off"  # type: ignore[union-attr] # it is valid
        reach = Reach(hass, [Effect(f"script.{name}", "turn_on")])
        told = {
            item.entity_id for item in reach.effects if sensitivity.is_sensitive(item)
        }
        found.append((told, reach.unknown))
    return found


CONDITION = {"condition": "state", "entity_id": DOOR, "state": "locked"}


OPENS: Steps = [
    UNLOCK,
    {"action": "lock.unlock", "entity_id": DOOR},
    do("lock.unlock", entity_id=DOOR),
    do("lock.unlock", [DOOR]),
    do("lock.unlock", "all"),
    do("lock.open", target={"area_id": "{area}"}),
    do("lock.unlock", target={"device_id": "{device}"}),
    do("lock.unlock", target={"label_id": "{label}"}),
    do("lock.unlock", "{registry}"),
    do("lock.unlock", "LOCK.Front"),
    do("lock.unlock", "ALL"),
    do("lock.unlock", entity_id="light.hall, lock.front"),
    do("scene.create", scene_id="x", entities={DOOR: "open"}),
    do("scene.create", scene_id="x", snapshot_entities=DOOR),
    do("homeassistant.toggle", "script.opens"),
    {"action": "script.opens"},
    do("script.turn_on", "script.opens"),
    do("script.toggle", "script.opens"),
    {"choose": [{"conditions": [CONDITION], "sequence": [UNLOCK]}]},
    {"choose": [{"conditions": [], "sequence": [LIGHT]}], "default": [UNLOCK]},
    {"if": [CONDITION], "then": [UNLOCK]},
    {"if": [CONDITION], "then": [LIGHT], "else": [UNLOCK]},
    {"repeat": {"count": 2, "sequence": [LIGHT, UNLOCK]}},
    {"repeat": {"while": [CONDITION], "sequence": [UNLOCK]}},
    {"parallel": [LIGHT, UNLOCK]},
    {"parallel": [{"sequence": [LIGHT, UNLOCK]}]},
    {"sequence": [LIGHT, {"sequence": [UNLOCK]}]},
    do("scene.apply", entities={DOOR: "unlocked"}),
    do("scene.apply", entities={DOOR: {"state": "open"}}),
]


async def test_script_that_opens_a_door_is_seen(
    hass: HomeAssistant, home: dict[str, str]
) -> None:
    found = await sensitive_in(hass, home, [[LIGHT, step] for step in OPENS])
    assert [row for row in zip(OPENS, found, strict=True) if row[1][0] != {DOOR}] == []


UNFORESEEN: Steps = [
    do("lock.unlock", "{{ door }}"),
    do("lock.unlock", target={"area_id": ["{{ area }}"]}),
    do("lock.unlock", target="{{ target }}"),
    {"action": "lock.unlock", "data": "{{ data }}"},
    do("lock.unlock", **{"{{ 'entity_id' }}": DOOR}),
    do("scene.turn_on", "scene.made_by_then"),
    {"scene": "scene.made_by_then"},
    {"action": "script.made_by_then"},
    do("{{ what }}", "light.hall"),
    do("conversation.process", text="unlock the door"),
    do("lumo.ask", sentence="unlock the door"),
    *(
        do("lumo.ask", agent_id=agent, sentence="unlock")
        for agent in ("conversation.acts", "{{ agent }}")
    ),
    *(
        do("ai_task.generate_data", **{"instructions": "x"} | data)
        for data in ({}, *({"entity_id": f"ai_task.{x}"} for x in TASKS_WITH_TOOLS))
    ),
    do("automation.trigger", "automation.x"),
    do("scene.apply", entities={DOOR: "{{ state }}"}),
    # A sentence for another assistant.
    do("assist_satellite.ask_question", question="Ready?"),
    do("assist_satellite.start_conversation", "assist_satellite.x", start_message="Hello"),
    do("google_assistant_sdk.send_text_command", command="unlock the door"),
    do("alexa_devices.send_text_command", text_command="unlock the door"),
    _play(media_content_type="custom", media_content_id="unlock the door"),
    _play(media_content_type="Routine", media_content_id="come home"),
    _play(media={"media_content_type": "custom", "media_content_id": "unlock"}),
    _play(media_content_type="skill", media_content_id="garage"),
    _play(media_content_type="sequence", media_content_id="garage"),
    # Media that a template chooses.
    _play(media_content_type="{{ type }}", media_content_id="x"),
    _play(media_content_type="music", media_content_id="{{ song }}"),
    _play(media="{{ media }}"),
    # Groups that will be others, or are not there.
    do("group.set", object_id="x", entities=[DOOR]),
    do("lock.unlock", "group.made_by_then"),
    do("homeassistant.turn_on", entity_id="group.none"),
    # A phone takes commands there.
    do("notify.mobile_app_phone", message="x", data={"command": "{{ what }}"}),
    do("notify.notify", message="x", target="{{ who }}"),
    # Their names, or what they send, speak of opening.
    *({"action": action} for action in OPENING),
    *(do("remote.send_command", command=command) for command in ("garage_open", ["power", "Gate"])),
    *(
        do("mqtt.publish", topic=topic, payload="1")
        for topic in ("houseGateRelay/cmnd", "home/haustür/set", "garage/door")
    ),
    # A template may choose anything of any other domain.
    do("switch.turn_on", "{{ x }}"),
    do("homeassistant.turn_on", "{{ x }}"),
    {"action": "media_player.play_media", "data": "{{ all }}"},
]  # fmt: skip


async def test_script_that_cannot_be_foreseen_is_known_as_that(
    hass: HomeAssistant, home: dict[str, str]
) -> None:
    """A template, or something that is handed on, whatever comes before it."""
    song = _play(media_content_type="music", media_content_id="x")
    found = await sensitive_in(hass, home, [[song, step] for step in UNFORESEEN])
    assert [row for row in zip(UNFORESEEN, found, strict=True) if not row[1][1]] == []


HARMLESS: Steps = [
    LIGHT,
    do("lock.lock", DOOR),
    do("lock.lock", target={"area_id": "{area}"}),
    do("cover.close_cover", "cover.garage"),
    do("light.turn_off", target={"area_id": "{area}"}),
    do("homeassistant.update_entity", DOOR),
    do("light.turn_on", "light.hall", brightness="{{ 3 }}"),
    do("notify.notify", message="{{ states('lock.front') }}"),
    do("notify.notify", message="{{ x }}", title="{{ y }}", data={"tag": "z"}),
    {"action": "rest_command.close_gate"},
    {"action": "rest_command.wake_on_lan"},
    do("remote.send_command", command="power"),
    do("mqtt.publish", topic="kitchen/lamp", payload="1"),
    do("logbook.log", name="Gate", message="has opened"),
    # A template chooses among what does no harm, whichever it is.
    do("light.turn_on", "{{ x }}"),
    {"action": "light.turn_on", "target": "{{ x }}", "data": "{{ y }}"},
    do("light.turn_off", target={"area_id": "{{ area }}"}),
    do("fan.set_percentage", **{"{{ 'percentage' }}": "{{ 5 }}"}),
    do("media_player.volume_set", "{{ x }}", volume_level="{{ 0.1 }}"),
    do("tts.speak", "{{ x }}", media_player_entity_id="{{ y }}", message="{{ z }}"),
    _play(media_content_type="music", media_content_id="x"),
    # What a domain does not have is not done.
    do("homeassistant.turn_off", target={"area_id": "{area}"}),
    do("homeassistant.toggle", DOOR),
    # It controls nothing.
    do("conversation.process", text="hello", agent_id="conversation.talker"),
    do("lumo.ask", agent_id="conversation.talker", sentence="{{ x }}"),
    *(
        do("ai_task.generate_data", entity_id=f"ai_task.{task}", instructions="{{ x }}")
        for task in ("plain", "core")
    ),
    CONDITION,
    {"if": [CONDITION], "then": [LIGHT]},
    {"choose": [{"conditions": [CONDITION], "sequence": [LIGHT]}]},
    {"repeat": {"until": [CONDITION], "sequence": [LIGHT]}},
    {"wait_for_trigger": [{"trigger": "state", "entity_id": DOOR}]},
    {"wait_template": "{{ is_state('lock.front', 'locked') }}"},
    {"enabled": False, **UNLOCK},
    do("scene.apply", entities={"light.hall": "off"}),
    do("script.turn_off", "script.opens"),
    {"delay": 1},
    {"event": "custom", "event_data": {"text": "{{ 1 }}"}},
    {"stop": "Enough"},
    {"variables": {"door": DOOR}},
]


async def test_harmless_script_is_known_as_that(
    hass: HomeAssistant, home: dict[str, str]
) -> None:
    found = await sensitive_in(hass, home, [[step] for step in HARMLESS])
    quiet = (set[str](), False)
    assert [row for row in zip(HARMLESS, found, strict=True) if row[1] != quiet] == []


async def test_a_template_reaches_all_that_it_may_choose(
    hass: HomeAssistant, home: dict[str, str]
) -> None:
    """One of them may have a label."""
    hass.states.async_set(HALL, "on")
    for step, reached in (
        (do("light.turn_off", "{{ x }}"), {"light.hall"}),
        (do("tts.speak", "tts.home", message="{{ y }}"), {"tts.home"}),
        (do("tts.speak", "{{ x }}", message="y"), {HALL}),
        (do("tts.speak", media_player_entity_id=HALL, message="y"), {HALL}),
        (do("lock.lock", "{{ x }}"), set()),
    ):
        found = Reach(hass, steps=[step])
        assert {effect.entity_id for effect in found.effects} == reached
        assert found.unknown is not bool(reached)


@pytest.mark.parametrize(
    "step", [{"meanwhile": [UNLOCK]}, {"alias": "Nothing"}, "{{ what }}"]
)
async def test_a_step_that_is_not_known_cannot_be_foreseen(
    hass: HomeAssistant, home: dict[str, str], step: Any
) -> None:
    """A later release of Home Assistant may have other steps."""
    assert Reach(hass, steps=[LIGHT, step]).unknown


def test_every_kind_of_step_is_known() -> None:
    """Those of this release of Home Assistant."""
    known = {"call_service", "device", "scene"}.union(room._BRANCHES, room._IDLE)
    assert known == {*cv.ACTIONS_MAP.values()}


async def test_script_that_calls_itself_ends(
    hass: HomeAssistant, home: dict[str, str]
) -> None:
    again = do("script.tested_0", count="{{ 1 }}")
    assert await sensitive_in(hass, home, [[again, UNLOCK]]) == [({DOOR}, False)]


async def test_device_action_is_followed(
    hass: HomeAssistant, home: dict[str, str]
) -> None:
    """Without an entity that is there it may be any of the device's."""
    step = {"device_id": home["device"], "domain": "lock"}
    for more in ({"entity_id": home["registry"]}, {"entity_id": "gone"}, {}):
        assert reach_of_steps(hass, {**step, **more, "type": "unlock"}) == {DOOR}
        assert reach_of_steps(hass, {**step, **more, "type": "lock"}) == set()


def reach_of_steps(hass: HomeAssistant, *steps: dict[str, Any]) -> set[str]:
    sensitivity = Sensitivity(hass)
    effects = Reach(hass, steps=steps).effects
    return {item.entity_id for item in effects if sensitivity.is_sensitive(item)}


async def test_members_of_groups_are_acted_on(
    hass: HomeAssistant, home: dict[str, str]
) -> None:
    """Old groups, and groups in groups."""
    groups = {
        "inner": {"entities": [DOOR]},
        "outer": {"entities": ["group.inner", "light.hall"]},
    }
    assert await async_setup_component(hass, "group", {"group": groups})
    reach = Reach(hass, [Effect("group.outer", "turn_off")])
    assert Effect(DOOR, "turn_off") in reach.effects
    assert Effect("light.hall", "turn_off") in reach.effects


async def test_members_that_a_group_has_now_are_acted_on(
    hass: HomeAssistant, home: dict[str, str]
) -> None:
    group = {"changed": {"entities": ["light.hall"]}}
    assert await async_setup_component(hass, "group", {"group": group})
    data = {"object_id": "changed", "add_entities": ["LOCK.front"]}
    await hass.services.async_call("group", "set", data, blocking=True)
    await hass.async_block_till_done()
    reach = Reach(hass, [Effect("group.changed", "turn_off")])
    assert Effect(DOOR, "turn_off") in reach.effects


async def test_members_of_an_integrations_group_are_acted_on(
    hass: HomeAssistant, home: dict[str, str]
) -> None:
    """They are named by their unique ids."""
    entity = Entity()
    entity.hass, entity.entity_id = hass, "switch.all"
    entity.platform = cast(
        EntityPlatform, SimpleNamespace(domain="lock", platform_name="test")
    )
    entity.group = IntegrationSpecificGroup(entity, ["1"])
    get_group_entities(hass)["switch.all"] = entity
    reach = Reach(hass, [Effect("switch.all", "turn_off")])
    assert Effect(DOOR, "change") in reach.effects


@pytest.mark.parametrize(
    ("entities", "expected"),
    [
        ({DOOR: "unlocked", "light.hall": "off"}, {DOOR}),
        ({DOOR: {"state": "unlocked"}}, {DOOR}),
        ({"cover.garage": {"state": "open", "current_position": 30}}, {"cover.garage"}),
        ({DOOR: "locked", "light.hall": "off", "cover.garage": "closed"}, set()),
    ],
)
async def test_scene_does_what_its_states_ask_for(
    hass: HomeAssistant,
    home: dict[str, str],
    entities: dict[str, Any],
    expected: set[str],
) -> None:
    """Locking is harmless in a scene too."""
    scene = {"name": "Tested", "entities": entities}
    hass.states.async_set(DOOR, "unlocking")
    config = {
        "scene": [{"platform": "homeassistant", "states": []}],
        "homeassistant": {},
    }
    config["scene"] = [scene]  # type: ignore[list-item] # as in scenes.yaml
    assert await async_setup_component(hass, "scene", config)
    await hass.async_block_till_done()
    reach = Reach(hass, [Effect("scene.tested", "turn_on")])
    sensitivity = Sensitivity(hass)
    found = {item.entity_id for item in reach.effects if sensitivity.is_sensitive(item)}
    assert found == expected


async def test_scene_of_a_hub_can_do_what_the_hub_can(
    hass: HomeAssistant, home: dict[str, str]
) -> None:
    """Its contents are not known: those of a hub with locks may unlock."""
    entities = er.async_get(hass)
    for hub, other in (("lights", "light"), ("everything", "lock")):
        entry = MockConfigEntry()
        entry.add_to_hass(hass)
        for domain in ("scene", other):
            item = entities.async_get_or_create(
                domain, hub, hub, config_entry=entry, suggested_object_id=hub
            )
            hass.states.async_set(item.entity_id, "unknown")
    sensitivity = Sensitivity(hass)

    def found(scene: str) -> set[str]:
        effects = Reach(hass, [Effect(scene, "turn_on")]).effects
        return {item.entity_id for item in effects if sensitivity.is_sensitive(item)}

    assert found("scene.lights") == set()
    assert found("scene.everything") == {"lock.everything"}


async def test_service_call_with_templates_is_unknown(
    hass: HomeAssistant, home: dict[str, str]
) -> None:
    unlock = do("lock.unlock", entity_id=DOOR)
    unknown = unlock | {"data": {"entity_id": "{{ x }}"}}
    none = unlock | {"target": {"entity_id": "no id"}}
    assert all(Reach(hass, steps=[step]).unknown for step in (unknown, none))
    assert Reach(hass, steps=[unlock]).effects == [
        Effect(DOOR, "unlock", {"entity_id": DOOR})
    ]


STATES = [
    (State(DOOR, "unlocked"), "unlock"),
    (State(DOOR, "locked"), "lock"),
    (State("cover.garage", "open", {"current_position": 40}), "open_cover"),
    (State("cover.garage", "open"), "open_cover"),
    (State("cover.garage", "closed"), "close_cover"),
    (State("alarm_control_panel.a", "disarmed"), "alarm_disarm"),
    (State("alarm_control_panel.a", "armed_away"), "alarm_arm_away"),
    (State("light.hall", "off"), "turn_off"),
    (State("climate.hall", "heat", {"temperature": 50}), "set_temperature"),
    (State("climate.hall", "heat", {"target_temp_low": 1}), "set_temperature"),
    (State("climate.hall", "off", {"target_temp_high": 50}), "set_temperature"),
    (State("cover.garage", "closed", {"current_position": 1}), "open_cover"),
    (State("cover.garage", "closed", {"current_position": "9"}), "open_cover"),
    (State("cover.garage", "closing", {"current_tilt_position": 5}), "open_cover"),
    (State("cover.garage", "closed", {"current_position": 0}), "close_cover"),
    (State("cover.garage", "open", {"current_position": 0}), "open_cover"),
    (State("media_player.tv", "playing"), "change"),
]


async def test_state_stands_for_the_action_that_brings_it_about(
    hass: HomeAssistant, home: dict[str, str]
) -> None:
    found = [effect_of_state(hass, state, at_once=True).service for state, _ in STATES]
    assert [*zip(STATES, found, strict=True)] == [(row, row[1]) for row in STATES]
    # What a player plays is brought back with it.
    for now, at_once, service in (
        ("on", False, "change"),
        ("on", True, "turn_on"),
        ("off", False, "turn_off"),
    ):
        player = State("media_player.tv", now)
        assert effect_of_state(hass, player, at_once=at_once).service == service


@pytest.mark.parametrize(
    ("features", "now", "expected"),
    [
        (4, "open", "set_cover_position"),
        (4, "closed", "set_cover_position"),
        (4, "closing", "open_cover"),
        (3, "open", "open_cover"),
    ],
)
async def test_position_counts_where_it_can_be_set(
    hass: HomeAssistant, home: dict[str, str], features: int, now: str, expected: str
) -> None:
    """A cover without positions, or on its way, is opened."""
    attributes = {"supported_features": features, "device_class": "garage"}
    hass.states.async_set("cover.garage", now, {**attributes, "current_position": 100})
    wanted = State("cover.garage", "open", {"current_position": 30})
    effect = effect_of_state(hass, wanted, at_once=True)
    assert effect.service == expected
    assert Sensitivity(hass).is_sensitive(effect)


async def test_door_is_moved_to_its_end_without_a_question(
    hass: HomeAssistant, home: dict[str, str]
) -> None:
    attributes = {"device_class": "garage", "current_position": 100}
    hass.states.async_set("cover.garage", "open", attributes)
    for position, expected in ((95, True), (1, True), (0, False)):
        effect = Effect("cover.garage", "set_cover_position", {"position": position})
        assert Sensitivity(hass).is_sensitive(effect) is expected


async def test_what_comes_later_does_not_count_on_the_state_of_now(
    hass: HomeAssistant, home: dict[str, str]
) -> None:
    """The door is unlocked now; the scene comes when it has been locked."""
    hass.states.async_set(DOOR, "unlocked")
    lock = do("lock.lock", DOOR)
    opens = do("scene.apply", entities={DOOR: "unlocked"})
    assert reach_of_steps(hass, lock, opens) == {DOOR}
    hass.states.async_set("cover.garage", "open", {"current_position": 80})
    less = do("cover.set_cover_position", "cover.garage", position=50)
    assert reach_of_steps(hass, less) == {"cover.garage"}
    closed = less | {"data": {"position": 0}}
    assert reach_of_steps(hass, closed) == set()
