"""Each kind of selector: what fits it comes back, what does not has a reason.

How a model may write data, and damage it, is in tests/tool_calling/test_structured.py.
"""

import json
import re
from typing import Any, NamedTuple

from homeassistant.core import HomeAssistant
from homeassistant.helpers import selector
import probatio
import pytest

from custom_components.lumo.agent.structured import AnswerFormat
from custom_components.lumo.tool_calling.arguments import NoDataError

KEY = "Wie viele, genau?"


class Row(NamedTuple):
    """A selector and values for it.

    `good` is accepted and comes back; `wrong` has the wrong type but can be repaired into
    `good`, or is None if there is no such thing; `bad` can never be accepted.
    """

    selector: dict[str, Any]
    good: Any
    wrong: Any = None
    bad: Any = None


_OBJECT = {"text that is": {"no": "text"}}
ACTION = [{"action": "light.turn_on", "target": {"entity_id": "light.lamp"}}]
CONDITION = [{"condition": "state", "entity_id": "light.lamp", "state": "on"}]
TRIGGER = [{"trigger": "state", "entity_id": "light.lamp", "to": "on"}]
FIELDS = {
    "name": {"selector": {"text": {}}, "required": True},
    "count": {"selector": {"number": {"min": 0, "max": 9}}, "label": "How many"},
    "is open": {"selector": {"boolean": {}}},
}

ROWS = {
    "action": Row({"action": {}}, ACTION, ACTION[0], "switch it on"),
    "addon": Row({"addon": {}}, "core_ssh", ["core_ssh"], _OBJECT),
    "app": Row({"app": {}}, "core_ssh", ["core_ssh"], _OBJECT),
    "area": Row({"area": {}}, "kitchen", ["kitchen"], _OBJECT),
    "assist_pipeline": Row({"assist_pipeline": {}}, "01j", ["01j"], _OBJECT),
    "attribute": Row({"attribute": {"entity_id": "light.lamp"}}, "brightness", ["brightness"], _OBJECT),
    "automation_behavior": Row({"automation_behavior": {"mode": "trigger"}}, "first", ["first"], "sometimes"),
    "backup_location": Row({"backup_location": {}}, "nas", ["nas"], "no/such place"),
    "boolean": Row({"boolean": {}}, True, "true", "perhaps"),
    "choose": Row(
        {
            "choose": {
                "choices": {"number": {"selector": {"number": {"min": 0, "max": 9}}}, "entity": {"selector": {"entity": {}}}}
            }
        },
        7,
        None,
        [1, 2],
    ),
    "color_rgb": Row({"color_rgb": {}}, [255, 0, 7], ["255", 0.0, "7"], [1, 2]),
    "color_temp": Row({"color_temp": {"unit": "kelvin", "min": 2000, "max": 6500}}, 2700, "2700", 9000),
    "condition": Row({"condition": {}}, CONDITION, CONDITION[0], [{"condition": 7}]),
    "config_entry": Row({"config_entry": {}}, "01jx", ["01jx"], _OBJECT),
    "constant": Row({"constant": {"value": "fixed"}}, "fixed", ["fixed"], "else"),
    "conversation_agent": Row({"conversation_agent": {}}, "conversation.lumo", None, _OBJECT),
    "country": Row({"country": {"countries": ["NL", "DE"]}}, "NL", "nl", "XX"),
    "date": Row({"date": {}}, "2026-11-22", ["2026-11-22"], "22 November"),
    "datetime": Row({"datetime": {}}, "2026-11-22 10:00:00", None, "the day before yesterday"),
    "device": Row({"device": {}}, "abc", ["abc"], _OBJECT),
    "device_class": Row({"device_class": {"domain": "sensor"}}, "power", ["power"], "strength"),
    "duration": Row({"duration": {}}, {"minutes": 5}, {"minutes": "5"}, {"minutes": "some"}),
    "entity": Row({"entity": {"filter": {"domain": "light"}}}, "light.lamp", None, "the lamp?"),
    "entities": Row({"entity": {"multiple": True, "domain": "light"}}, ["light.lamp"], "light.lamp", ["switch.fan"]),
    "file": Row({"file": {"accept": ".txt"}}, "182c1bb2-8d1c-4f1a-9b51-3f5a3c1f0a11", None, "notes.txt"),
    "floor": Row({"floor": {}}, "ground", ["ground"], _OBJECT),
    "icon": Row({"icon": {}}, "mdi:lamp", ["mdi:lamp"], _OBJECT),
    "label": Row({"label": {}}, "festive", ["festive"], _OBJECT),
    "language": Row({"language": {"languages": ["en", "de"]}}, "de", "DE", "xx"),
    "location": Row(
        {"location": {}}, {"latitude": 52.5, "longitude": 13.25}, {"latitude": "52.5", "longitude": "13,25"},
        {"latitude": 52.5},
    ),
    "media": Row(
        {"media": {"accept": ["image/*"]}},
        {"media_content_id": "media-source://x", "media_content_type": "image/png"}, None,
        {"media_content_id": "media-source://x"},
    ),
    "number": Row({"number": {"min": 0, "max": 100}}, 5, "5", 500),
    "number_float": Row({"number": {"step": 0.5, "mode": "box"}}, 20.5, "20,5", "nan"),
    "numeric_threshold": Row(
        {"numeric_threshold": {"mode": "crossed"}}, {"type": "above", "value": {"number": 20}}, None,
        {"type": "sometimes"},
    ),
    "object": Row({"object": {}}, {"any": ["thing", None, 1.5]}, None, "words"),
    "object_fields": Row(
        {"object": {"fields": FIELDS}}, {"name": "Window", "count": 2, "is open": False},
        {"name": "Window", "count": "2.0", "is open": "off"}, {"count": 2},
    ),
    "objects": Row(
        {"object": {"fields": FIELDS, "multiple": True}},
        [{"name": "Window", "count": 2}, {"name": "Door", "is open": True}],
        [{"Name": "Window", "count": 2.0}, {"name": "Door", "is_open": "yes"}], [{"name": "Window"}, "Door"],
    ),
    "qr_code": Row({"qr_code": {"data": "code"}}, "code", ["code"], _OBJECT),
    "select": Row({"select": {"options": ["on", "off"]}}, "on", "ON", "maybe"),
    "select_labels": Row(
        {"select": {"options": [{"value": "low", "label": "Not much"}, {"value": "high", "label": "A lot"}]}},
        "high", "a lot", "medium",
    ),
    "select_custom": Row({"select": {"options": ["on", "off"], "custom_value": True}}, "in between", ["in between"], _OBJECT),
    "selects": Row({"select": {"options": ["on", "off"], "multiple": True}}, ["off"], "Off", ["?"]),
    "serial_port": Row({"serial_port": {}}, "/dev/ttyUSB0", None, _OBJECT),
    "state": Row({"state": {"entity_id": "light.lamp"}}, "on", ["on"], _OBJECT),
    "state_class": Row({"state_class": {}}, "total", ["total"], "rising"),
    "statistic": Row({"statistic": {}}, "sensor.energy", None, _OBJECT),
    "target": Row({"target": {}}, {"entity_id": ["light.lamp"]}, {"entity_id": "light.lamp"}, {"entity_id": [7]}),
    "template": Row({"template": {}}, "{{ states('a.b') }}", None, "{% if %}"),
    "text": Row({"text": {}}, "  A text,\nas it is. ", None, _OBJECT),
    "text_number": Row({"text": {}}, "5", 5, _OBJECT),
    "texts": Row({"text": {"multiple": True}}, ["a", "b"], '["a", "b"]', [{"a": 1}]),
    "theme": Row({"theme": {}}, "night", ["night"], _OBJECT),
    "time": Row({"time": {}}, "07:30:00", None, "at half past seven"),
    "trigger": Row({"trigger": {}}, TRIGGER, TRIGGER[0], [{"trigger": 7}]),
}  # fmt: skip


def form_of(hass: HomeAssistant, row: Row) -> AnswerFormat:
    kind = selector.selector(row.selector)
    structure = probatio.Schema(
        {probatio.Required(KEY, description="What is asked"): kind},
        extra=probatio.PREVENT_EXTRA,
    )
    return AnswerFormat.of(hass, structure)


@pytest.mark.parametrize("form", ["JSON", "Sure!\nJSON\nIn short: JSON"])
async def test_what_fits_comes_back(hass: HomeAssistant, form: str) -> None:
    """The very value, also where its type was wrong but it is clear what is meant."""
    for name, row in ROWS.items():
        own = form_of(hass, row)
        for value in (row.good, row.wrong):
            if value is None:
                continue
            text = form.replace("JSON", json.dumps({KEY: value}))
            data = await own.async_read(text)
            assert data == {KEY: row.good}, name
            assert json.loads(json.dumps(data)) == data
            own.structure(data)
            if not isinstance(row.good, dict | list):
                assert type(data[KEY]) is type(row.good), name


async def test_nothing_unvalidated(hass: HomeAssistant) -> None:
    for name, row in ROWS.items():
        own = form_of(hass, row)
        good = json.dumps({KEY: row.good})
        for text, reason in (
            (json.dumps({KEY: row.bad}), re.escape(KEY)),
            (json.dumps({KEY: None}), "."),
            ("{}", "."),
            (f"{good} No: {json.dumps({KEY: None})}", "."),
            (good[:-1], "."),
        ):
            with pytest.raises(NoDataError, match=reason):
                pytest.fail(f"{name}: {await own.async_read(text)}")


def test_rows_are_whole() -> None:
    """Each kind of selector that Home Assistant has, but what is new in the next."""
    kinds = {next(iter(row.selector)) for row in ROWS.values()}
    assert set(selector.SELECTORS) - kinds <= {"unit_of_measurement"}


async def test_what_is_no_selector_has_a_form_too(hass: HomeAssistant) -> None:
    """A validator of somebody else may fail in its own way."""

    def fails(_value: object) -> None:
        raise ZeroDivisionError

    structure = probatio.Schema({probatio.Required("a"): str, "b": fails, "c": str})
    form = AnswerFormat.of(hass, structure)
    assert form.schema["properties"]["a"] == {"type": "string"}
    assert await form.async_read('{"a": "x"}') == {"a": "x"}
    with pytest.raises(NoDataError, match="a: .*c: "):
        await form.async_read('{"a": [], "c": []}')
    with pytest.raises(NoDataError, match="ZeroDivisionError"):
        await form.async_read('{"a": "x", "b": 1}')
