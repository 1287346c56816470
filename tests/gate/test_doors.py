"""What a cover is, what may open the door that it is beside, and what looks like one."""

from typing import Any

from homeassistant.const import EntityCategory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
)
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.gate.effects import Effect
from custom_components.lumo.gate.names import speak_of
from custom_components.lumo.gate.reach import Reach
from custom_components.lumo.gate.sensitive import Cover, Doors, Sensitivity
from tests.integration.test_internals import set_up_entry

TILTS = {"supported_features": 16}


def put(
    hass: HomeAssistant,
    entity_id: str,
    *,
    device: str | None = None,
    area: str | None = None,
    attributes: dict[str, Any] | None = None,
    **more: Any,
) -> str:
    """Put an entity into the home, on a device or in an area; return its id."""
    domain, _, object_id = entity_id.partition(".")
    if device is not None:
        # What is on one device is of one entry.
        if not hass.config_entries.async_entries("test"):
            MockConfigEntry(domain="test").add_to_hass(hass)
        (entry,) = hass.config_entries.async_entries("test")
        more["device_id"] = (
            dr.async_get(hass)
            .async_get_or_create(
                config_entry_id=entry.entry_id,
                identifiers={("test", device)},
                name=device,
            )
            .id
        )
    created = er.async_get(hass).async_get_or_create(
        domain, "test", entity_id, suggested_object_id=object_id, **more
    )
    if area is not None:
        area_id = ar.async_get(hass).async_get_or_create(area).id
        er.async_get(hass).async_update_entity(entity_id, area_id=area_id)
    if created.disabled_by is None:
        name = more.get("original_name") or object_id
        hass.states.async_set(
            entity_id, "unknown", {"friendly_name": name, **(attributes or {})}
        )
    return entity_id


@pytest.mark.parametrize(
    ("name", "more", "expected"),
    [
        ("Hall 3", {}, Cover.UNKNOWN),
        ("Shelly 2PM", {}, Cover.UNKNOWN),
        ("Hall 3", {"attributes": TILTS}, Cover.INNER),
        ("Hall 3", {"attributes": {"current_tilt_position": 0}}, Cover.INNER),
        ("Bedroom blinds", {}, Cover.INNER),
        ("Wohnzimmerrollladen", {}, Cover.INNER),
        ("Rollläden Süd", {}, Cover.INNER),
        ("Vorhänge", {}, Cover.INNER),
        ("Jalousie Küche", {}, Cover.INNER),
        ("Volet salon", {}, Cover.INNER),
        ("Rolluik slaapkamer", {}, Cover.INNER),
        ("Persiana cocina", {}, Cover.INNER),
        ("Garage", {}, Cover.DOOR),
        ("Garage shutter", {}, Cover.DOOR),
        # What it is shown as hides nothing.
        ("Garage", {"attributes": {"friendly_name": "Hall 3"}}, Cover.DOOR),
        ("Rolltor", {}, Cover.DOOR),
        ("Portail", {"attributes": TILTS}, Cover.DOOR),
        ("Poort", {"attributes": TILTS}, Cover.DOOR),
        ("Puerta del patio", {"attributes": TILTS}, Cover.DOOR),
        ("Shutter", {"area": "Garage"}, Cover.DOOR),
        ("Shutter", {"device": "Front door"}, Cover.DOOR),
        ("Shutter", {"area": "Kitchen", "device": "Kitchen relay"}, Cover.INNER),
        ("Garage", {"original_device_class": "blind"}, Cover.INNER),
        ("Blinds", {"original_device_class": "garage"}, Cover.DOOR),
        ("Blinds", {"attributes": {"device_class": "gate"}}, Cover.DOOR),
        ("Rollo Motor", {}, Cover.INNER),
        ("Blinds", {"area": "Open plan kitchen"}, Cover.INNER),
        ("Blinds", {"area": "Garagen"}, Cover.DOOR),
    ],
)
def test_a_cover_without_a_class_is_told_by_its_words(
    hass: HomeAssistant, name: str, more: dict[str, Any], expected: Cover
) -> None:
    """A word for a door anywhere around it counts more than one for blinds."""
    cover = put(hass, "cover.tested", original_name=name, **more)
    assert Doors(hass).cover(cover) is expected
    asks = Sensitivity(hass).is_sensitive(Effect(cover, "open_cover"))
    assert asks is (expected is not Cover.INNER)
    unknown = [cover] if expected is Cover.UNKNOWN else []
    assert Doors(hass).unknown_covers() == unknown


@pytest.mark.parametrize("what", ["nothing", "class", "name", "device", "alias"])
def test_what_its_owner_says_of_it_counts(hass: HomeAssistant, what: str) -> None:
    """A class, its name, that of its device, or another one of its area."""
    cover = put(hass, "cover.tested", device="Relay", original_name="A 3", area="Hall")
    light = put(hass, "light.tested", device="Relay", original_name="A 4")
    put(hass, "lock.other", device="Opener")
    entities, areas, devices = (
        er.async_get(hass),
        ar.async_get(hass),
        dr.async_get(hass),
    )
    device_id = entities.entities[cover].device_id
    hall = areas.async_get_area_by_name("Hall")
    assert device_id and hall
    match what:
        case "class":
            entities.async_update_entity(cover, device_class="garage")
        case "name":
            entities.async_update_entity(cover, name="Garage")
            entities.async_update_entity(light, name="Latch")
        case "device":
            devices.async_update_device(device_id, name_by_user="Garage")
        case "alias":
            areas.async_update(hall.id, aliases={"Garage"})
    expected = Cover.UNKNOWN if what == "nothing" else Cover.DOOR
    assert Doors(hass).cover(cover) is expected
    assert Sensitivity(hass).is_sensitive(Effect(light, "turn_on")) is (what == "name")


def test_a_cover_with_a_lock_is_a_door(hass: HomeAssistant) -> None:
    cover = put(hass, "cover.tested", device="Thing", original_name="Blinds")
    put(hass, "lock.tested", device="Thing", disabled_by=er.RegistryEntryDisabler.USER)
    assert Doors(hass).cover(cover) is Cover.DOOR


async def test_a_group_of_covers_is_what_its_members_are(hass: HomeAssistant) -> None:
    """Its name does not count."""
    put(hass, "cover.a", original_name="Blinds")
    put(hass, "cover.b", original_name="Garage")
    group = {"platform": "group", "name": "All shades", "entities": ["cover.a"]}
    both = {**group, "name": "Both shades", "entities": ["cover.a", "cover.b"]}
    assert await async_setup_component(hass, "cover", {"cover": [group, both]})
    await hass.async_block_till_done()
    assert Doors(hass).cover("cover.all_shades") is Cover.INNER
    assert Doors(hass).cover("cover.both_shades") is Cover.DOOR


@pytest.mark.parametrize(
    ("entity_id", "more", "expected"),
    [
        ("button.tested", {}, True),
        ("switch.tested", {}, True),
        ("select.tested", {}, True),
        ("number.tested", {}, True),
        ("remote.tested", {}, True),
        ("light.tested", {}, False),
        ("light.tested", {"original_name": "Light"}, False),
        ("light.tested", {"original_name": "Front door light"}, False),
        ("light.tested", {"original_name": "Garage Door Opener"}, False),
        ("light.tested", {"original_name": "Garage Door Opener Lamp"}, False),
        ("light.tested", {"original_name": "Hold open"}, True),
        ("light.tested", {"translation_key": "door_latch"}, True),
        ("fan.tested", {"original_name": "Ventilation"}, False),
        ("fan.tested", {"original_name": "Türöffner"}, True),
        ("siren.tested", {"original_name": "Siren"}, False),
        ("siren.tested", {"original_name": "Latch"}, True),
        ("sensor.tested", {"original_name": "Door"}, False),
        ("media_player.tested", {"original_name": "Door"}, False),
    ],
)
@pytest.mark.parametrize("disabled", [None, er.RegistryEntryDisabler.USER])
def test_what_is_on_the_device_of_a_door_may_open_it(
    hass: HomeAssistant,
    entity_id: str,
    more: dict[str, Any],
    expected: bool,
    disabled: er.RegistryEntryDisabler | None,
) -> None:
    put(hass, entity_id, device="Garage Door Opener", **more)
    put(hass, "lock.tested", device="Garage Door Opener", disabled_by=disabled)
    assert Sensitivity(hass).is_sensitive(Effect(entity_id, "turn_on")) is expected


@pytest.mark.parametrize("invert", [False, True])
async def test_a_switch_shown_as_a_lock_is_the_same_door(
    hass: HomeAssistant, invert: bool
) -> None:
    assert await async_setup_component(hass, "homeassistant", {})
    put(hass, "switch.strike", original_name="Strike")
    for kind in ("lock", "light"):
        await set_up_entry(
            hass,
            "switch_as_x",
            {"entity_id": "switch.strike", "target_domain": kind, "invert": invert},
            minor_version=3,
        )

    def asks(entity_id: str, service: str) -> bool:
        sensitivity = Sensitivity(hass)
        effects = Reach(hass, [Effect(entity_id, service)]).effects
        return any(map(sensitivity.is_sensitive, effects))

    for entity_id, service, expected in (
        ("lock.strike", "unlock", True),
        ("lock.strike", "lock", False),
        ("switch.strike", "turn_on", True),
        ("switch.strike", "turn_off", True),
        ("light.strike", "turn_on", True),
    ):
        assert asks(entity_id, service) is expected, f"{service} {entity_id}"


async def test_a_switch_shown_as_another_lamp_is_a_lamp(hass: HomeAssistant) -> None:
    """Nothing is asked about it."""
    assert await async_setup_component(hass, "homeassistant", {})
    put(hass, "switch.plug", original_name="Plug")
    options = {"entity_id": "switch.plug", "target_domain": "light", "invert": False}
    await set_up_entry(hass, "switch_as_x", options, minor_version=3)
    effects = Reach(hass, [Effect("light.plug", "turn_on")]).effects
    assert len(effects) == 2
    assert not any(map(Sensitivity(hass).is_sensitive, effects))


async def test_what_is_behind_a_door_is_the_same_door(hass: HomeAssistant) -> None:
    """Be it a relay, a script, or the members of a group that is shown as a lock."""

    def turn_on(entity_id: str) -> dict[str, Any]:
        return {"action": "homeassistant.turn_on", "target": {"entity_id": entity_id}}

    opening = [turn_on("switch.relay"), turn_on("switch.yard"), turn_on("light.yard")]
    gate = {"name": "Gate", "device_class": "gate", "open_cover": opening}
    blind = {**gate, "name": "Blind", "device_class": "blind"}
    lock = {"name": "Lock", "unlock": [{"action": "script.opens"}], "lock": []}
    config: dict[str, Any] = {
        "template": [
            {"cover": {**gate, "close_cover": [turn_on("switch.other")]}},
            {"cover": {**blind, "open_cover": [turn_on("switch.motor")]}},
            {"lock": lock},
        ],
        "script": {"opens": {"sequence": [{"event": "opens"}]}},
        "switch": [{"platform": "group", "name": "Two", "entities": ["switch.one"]}],
    }
    config["template"][1]["cover"]["close_cover"] = []
    for name in ("relay", "other", "motor", "one"):
        put(hass, f"switch.{name}", original_name=name)
    put(hass, "switch.yard", original_name="Yard light")
    put(hass, "light.yard", original_name="Yard")
    for domain in ("homeassistant", "light", *config):
        assert await async_setup_component(hass, domain, config)
    await hass.async_block_till_done()
    options = {"entity_id": "switch.two", "target_domain": "lock", "invert": False}
    await set_up_entry(hass, "switch_as_x", options, minor_version=3)
    expected = {"switch.relay", "script.opens", "switch.two", "switch.one"}
    assert Doors(hass).beside == expected


@pytest.mark.parametrize(
    ("entity_id", "more", "expected"),
    [
        ("button.tested", {"original_name": "Garage opener"}, True),
        ("switch.tested", {"original_name": "Haustüröffner"}, True),
        ("switch.tested", {"original_name": "Relay", "translation_key": "gate"}, True),
        ("button.tested", {"original_name": "Portail", "device": "Relais"}, True),
        ("switch.tested", {"original_name": "Voordeur"}, True),
        ("switch.tested", {"original_name": "Puerta"}, True),
        ("switch.tested", {"original_name": "Coffee"}, False),
        ("switch.tested", {"original_name": "Gate light"}, False),
        ("switch.tested", {"original_name": "Child lock", "entity_category": EntityCategory.CONFIG}, False),
        ("light.tested", {"original_name": "Garage"}, False),
    ],
)  # fmt: skip
def test_what_looks_like_a_door_is_told(
    hass: HomeAssistant, entity_id: str, more: dict[str, Any], expected: bool
) -> None:
    """It is not asked about before its owner has said so."""
    put(hass, entity_id, **more)
    assert Doors(hass).unmarked() == ([entity_id] if expected else [])
    assert not Sensitivity(hass).is_sensitive(Effect(entity_id, "turn_on"))


@pytest.mark.parametrize("beside", ["lock", "climate"])
def test_what_is_beside_a_lock_needs_no_telling(
    hass: HomeAssistant, beside: str
) -> None:
    """It is asked about; and a thermostat's "open window" is no door."""
    put(hass, "switch.tested", device="Thing", original_name="Open")
    put(hass, f"{beside}.tested", device="Thing")
    assert Doors(hass).unmarked() == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Front door", True),
        ("front_door", True),
        ("Doors", True),
        ("Garagentor", True),
        ("Tor", True),
        ("Haustuer", True),
        ("Haustür", True),
        ("Porton", True),
        ("portón", True),
        ("gache", True),
        ("Bramka ogrodowa", True),
        ("Elektrozamek", True),
        ("Domofon", True),
        ("Ovládání brány", True),
        ("Otvírač vrat", True),
        ("Bzučák", True),
        ("Temperatur", False),
        ("Natur", False),
        ("Motor", False),
        ("Monitor", False),
        ("Doorbell", False),
        ("Transport", False),
        ("Navigate", False),
        ("", False),
    ],
)
def test_words_for_doors(text: str, expected: bool) -> None:
    assert speak_of([text]) is expected


@pytest.mark.parametrize(
    "name",
    [
        "USB port",
        "HDMI-Port 2",
        "Port 4 PoE",
        "Coffee grind",
        "Sport",
        "Transport",
        "Corridor",
        "Todas las luces",
        "Lucka till ugnen",
        "Ovnluge",
    ],
)
def test_a_harmless_name_is_no_door_by_a_word_of_another_language(name: str) -> None:
    """The words of all languages are looked for in every home."""
    assert not speak_of([name])
    assert not speak_of([name], "door")


@pytest.mark.parametrize(
    "name",
    ["Ytterdörren", "Garageport", "Grinden", "Hoveddør", "Havelågen", "Inngangsdøra"],
)
def test_a_door_is_one_with_its_article_behind_it(name: str) -> None:
    assert speak_of([name])
    assert speak_of([name], "door")
