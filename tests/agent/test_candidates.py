"""What of the home a selector may choose, as a model is told and as it answers."""

import json
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    label_registry as lr,
    selector,
)
from homeassistant.setup import async_setup_component
import probatio
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.agent.structured import MAX_CANDIDATES, AnswerFormat


@pytest.fixture
async def home(hass: HomeAssistant) -> HomeAssistant:
    """Make a lamp, a door and a camera that is not exposed, each in a place."""
    assert await async_setup_component(hass, "homeassistant", {})
    entry = MockConfigEntry()
    entry.add_to_hass(hass)
    ground = fr.async_get(hass).async_create("Ground floor")
    lr.async_get(hass).async_create("For guests")
    for name, place, device_class, is_exposed in (
        ("light.desk", "Study", None, True),
        ("binary_sensor.front", "Hall", "door", True),
        ("camera.bath", "Bathroom", None, False),
    ):
        area = ar.async_get(hass).async_get_or_create(place)
        ar.async_get(hass).async_update(area.id, floor_id=ground.floor_id)
        device = dr.async_get(hass).async_get_or_create(
            config_entry_id=entry.entry_id,
            identifiers={("test", name)},
            name=f"Device in {place}",
        )
        dr.async_get(hass).async_update_device(device.id, area_id=area.id)
        domain, own = name.split(".")
        made = er.async_get(hass).async_get_or_create(
            domain, "test", own, suggested_object_id=own, device_id=device.id
        )
        more = {"device_class": device_class} if device_class else {}
        hass.states.async_set(
            made.entity_id, "on", {"friendly_name": f"{place} {own}"} | more
        )
        async_expose_entity(hass, "conversation", made.entity_id, is_exposed)
    return hass


def form_of(hass: HomeAssistant, kind: dict[str, Any]) -> AnswerFormat:
    return AnswerFormat.of(
        hass, probatio.Schema({probatio.Required("one"): selector.selector(kind)})
    )


def told(hass: HomeAssistant, kind: dict[str, Any]) -> dict[str, str]:
    """Return what a model may choose, by name."""
    one = form_of(hass, kind).schema["properties"]["one"]
    items = (one.get("items") or one).get("oneOf", ())
    return {item["title"]: item["const"] for item in items}


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ({"entity": {}}, {"Study desk", "Hall front"}),
        ({"entity": {"multiple": True}}, {"Study desk", "Hall front"}),
        ({"entity": {"domain": "light"}}, {"Study desk"}),
        ({"entity": {"filter": {"device_class": "door"}}}, {"Hall front"}),
        ({"entity": {"filter": [{"device_class": "door"}, {"domain": "light"}]}}, {"Study desk", "Hall front"}),
        ({"entity": {"filter": {"integration": "other"}}}, set()),
        ({"entity": {"exclude_entities": ["light.desk"]}}, {"Hall front"}),
        ({"entity": {"include_entities": ["light.desk"]}}, {"Study desk"}),
        ({"area": {}}, {"Study", "Hall"}),
        ({"area": {"entity": {"domain": "light"}}}, {"Study"}),
        ({"floor": {}}, {"Ground floor"}),
        ({"label": {"multiple": True}}, {"For guests"}),
        ({"device": {}}, {"Device in Study", "Device in Hall"}),
        ({"device": {"entity": {"domain": "light"}}}, {"Device in Study"}),
    ],
)  # fmt: skip
async def test_only_what_is_exposed_and_fits(
    home: HomeAssistant, kind: dict[str, Any], names: set[str]
) -> None:
    by_name = told(home, kind)
    assert set(by_name) == names
    form = form_of(home, kind)
    is_list = "items" in form.schema["properties"]["one"]
    for name, found in by_name.items():
        data = await form.async_read(json.dumps({"one": name.upper()}))
        assert data == {"one": [found] if is_list else found}


async def test_target(home: HomeAssistant) -> None:
    """Things, areas, floors, labels and devices, each by its name."""
    form = form_of(home, {"target": {"entity": {"domain": "light"}}})
    answer = {"entity_id": "Study Desk", "area_id": ["study"], "label_id": "For guests"}
    assert await form.async_read(json.dumps({"one": answer})) == {
        "one": {
            "entity_id": ["light.desk"],
            "area_id": ["study"],
            "label_id": ["for_guests"],
        }
    }
    assert "front" not in form.instructions
    assert "bath" not in form.instructions.casefold()


async def test_not_too_many(home: HomeAssistant) -> None:
    for number in range(MAX_CANDIDATES):
        home.states.async_set(f"light.more_{number}", "on")
        async_expose_entity(home, "conversation", f"light.more_{number}", True)
    before = {
        item.entity_id: item.options for item in er.async_get(home).entities.values()
    }
    assert len(told(home, {"entity": {}})) == MAX_CANDIDATES
    after = {
        item.entity_id: item.options for item in er.async_get(home).entities.values()
    }
    assert before == after


async def test_nested_members_are_described(home: HomeAssistant) -> None:
    fields = {
        "Wer?": {"label": "Who it was", "required": True, "selector": {"text": {}}},
        "where": {"selector": {"area": {}}},
        "temp": {"selector": {"number": {"step": 0.5, "unit_of_measurement": "°C"}}},
    }
    [rows] = (
        form_of(home, {"object": {"fields": fields, "multiple": True}})
        .schema["properties"]
        .values()
    )
    members = rows["items"]["properties"]
    assert rows["items"]["required"] == ["Wer?"]
    assert members["Wer?"] == {"type": "string", "description": "Who it was"}
    assert len(members["where"]["oneOf"]) == 2
    assert members["temp"]["description"] == "In °C. In steps of 0.5."
