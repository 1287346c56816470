"""What a model is told of Home Assistant's selectors, as JSON schema.

Home Assistant's own conversion (`llm.selector_serializer`) makes "a text" of most: of an
action, of an entity, of a state. Here such kinds get a schema that can be used, words
that help, and, where they choose among things of the home, those that are exposed to
Assist, by id and name.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, Final

from homeassistant.const import ATTR_DEVICE_CLASS
from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import (
    config_validation as cv,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    label_registry as lr,
    llm,
)
from homeassistant.helpers.selector import Selector, selector as selector_of
import probatio

from ..gate.names import entity_area, exposed

type JsonSchema = dict[str, Any]
type Config = Mapping[str, Any]

# So many things are named for one field.
MAX_CANDIDATES: Final = 100

_ID: Final = "Only an id that is known from the instructions."
# Help in words, by the kind of selector; names in braces are of its configuration.
_WORDS: Final = {
    "action": "Home Assistant actions in the syntax of scripts, such as "
    '[{"action": "light.turn_on", "target": {"entity_id": "light.example"}}].',
    "addon": _ID,
    "app": _ID,
    "area": _ID,
    "assist_pipeline": _ID,
    "attribute": "The name of an attribute of {entity_id}.",
    "automation_behavior": "How the targets of a {mode} count together.",
    "color_rgb": "Red, green and blue, 0 to 255 each.",
    "color_temp": "In {unit}.",
    "condition": "Home Assistant conditions, such as "
    '[{"condition": "state", "entity_id": "light.example", "state": "on"}].',
    "config_entry": _ID,
    "conversation_agent": "The entity id of a conversation agent.",
    "country": "An ISO 3166-1 code of two letters, such as NL.",
    "date": "As YYYY-MM-DD.",
    "datetime": "As YYYY-MM-DD HH:MM:SS.",
    "device": _ID,
    "device_class": "A device class of Home Assistant's domain {domain}.",
    "duration": "Only the parts that are not zero.",
    "entity": "An entity id that is known from the instructions, such as light.kitchen.",
    "file": _ID,
    "floor": _ID,
    "icon": "A Material Design icon, such as mdi:lamp.",
    "label": _ID,
    "language": "A language tag, such as en or pt-BR.",
    "media": "Only media that are known from the instructions.",
    "numeric_threshold": 'Such as {{"type": "above", "value": {{"number": 20}}}} or '
    '{{"type": "between", "value_min": {{"number": 1}}, "value_max": {{"number": 5}}}}.',
    "serial_port": "A path, such as /dev/ttyUSB0.",
    "state": "A state as Home Assistant writes it, such as on, not_home or 21.5.",
    "state_class": "measurement, measurement_angle, total or total_increasing.",
    "statistic": "The id of a statistic, such as sensor.energy.",
    "template": "A template of Home Assistant (Jinja2).",
    "theme": "The name of a theme.",
    "time": "As HH:MM:SS.",
}
# What Home Assistant's selectors do not look at.
_CHECKS: Final[dict[str, Callable[[Any], Any]]] = {
    "action": cv.SCRIPT_SCHEMA,
    "target": probatio.Schema(cv.TARGET_FIELDS),
}
_OBJECTS: Final = {"type": "array", "items": {"type": "object"}}
_BYTE: Final = {"type": "integer", "minimum": 0, "maximum": 255}


def describe(hass: HomeAssistant, structure: probatio.Schema) -> JsonSchema:
    """Return the JSON schema of an answer whose members are selected like this."""
    return _object(
        {
            str(marker): (
                _described(hass, kind, getattr(marker, "description", None)),
                isinstance(marker, probatio.Required),
            )
            for marker, kind in structure.schema.items()
        }
    )


def check(kind: object, value: Any) -> None:
    """Check what Home Assistant's selectors let pass; raises probatio.Invalid."""
    if not isinstance(kind, Selector):
        return
    if more := _CHECKS.get(kind.selector_type):
        more(value)
    for key, field in kind.config.get("fields", {}).items():
        for item in value if isinstance(value, list) else [value]:
            if key in item:
                check(_inner(field), item[key])


def _inner(field: Config) -> Selector[Any]:
    """Return the selector of a field of an object, or of a choice."""
    inner = field["selector"]
    return inner if isinstance(inner, Selector) else selector_of(inner)


def _object(members: Mapping[str, tuple[JsonSchema, bool]]) -> JsonSchema:
    """Return the schema of an object with these members, and whether it must have them."""
    return {
        "type": "object",
        "properties": {key: schema for key, (schema, _) in members.items()},
        "required": [key for key, (_, required) in members.items() if required],
        "additionalProperties": False,
    }


def _converted(schema: object) -> JsonSchema:
    """Return Home Assistant's own conversion."""
    converted: JsonSchema = probatio.to_openapi(
        schema,
        custom_serializer=llm.selector_serializer,
        openapi_version="3.1.0",
        strict=False,
    )
    return converted


def _described(hass: HomeAssistant, kind: object, description: object) -> JsonSchema:
    """Return the schema of a value, with what its author and we say of it."""
    if not isinstance(kind, Selector):
        schema, words = _converted(probatio.Schema(kind)), ""
    else:
        name, config = kind.selector_type, kind.config
        make = _SCHEMAS.get(name)
        schema = make(hass, config) if make else _converted(kind)
        named = _candidates(hass, name, config)
        words = "" if named else _words(name, config)
        if named:
            schema = _several(config, _one_of(named))
    said = str(description or "").strip()
    if said and words and said[-1] not in ".!?:;":
        said += "."
    if text := f"{said} {words}".strip():
        schema = schema | {"description": text}
    return schema


def _words(name: str, config: Config) -> str:
    """Return help in words for a kind of selector."""
    if name == "number":
        unit, step = config.get("unit_of_measurement"), config.get("step")
        # It is 1 where its author has not thought of it.
        steps = "Whole if it counts." if step == 1 else f"In steps of {step}."
        return " ".join(filter(None, [f"In {unit}." if unit else "", steps]))
    words = _WORDS.get(name, "")
    if name in ("action", "condition"):
        return words
    return words.format_map({"entity_id": "the entity", **config})


def _several(config: Config, schema: JsonSchema) -> JsonSchema:
    return {"type": "array", "items": schema} if config.get("multiple") else schema


def _one_of(named: Mapping[str, str]) -> JsonSchema:
    """Return the schema of a choice among values by their names."""
    if all(value == name for value, name in named.items()):
        return {"type": "string", "enum": list(named)}
    items = [{"const": value, "title": name} for value, name in named.items()]
    return {"type": "string", "oneOf": items}


def _select(_hass: HomeAssistant, config: Config) -> JsonSchema:
    options = [
        (item, item) if isinstance(item, str) else (item["value"], item["label"])
        for item in config["options"]
    ]
    if config.get("custom_value"):
        texts = [value for value, _ in options]
        return _several(config, {"type": "string", "examples": texts})
    return _several(config, _one_of(dict(options)))


def _fields(hass: HomeAssistant, config: Config) -> JsonSchema:
    """Return the schema of an object whose members are selected in turn."""
    if not (fields := config.get("fields")):
        return _several(config, {"type": "object"})
    return _several(
        config,
        _object(
            {
                key: (
                    _described(hass, _inner(field), field.get("label")),
                    bool(field.get("required")),
                )
                for key, field in fields.items()
            }
        ),
    )


def _choose(hass: HomeAssistant, config: Config) -> JsonSchema:
    choices = config["choices"].items()
    return {"anyOf": [_described(hass, _inner(item), key) for key, item in choices]}


def _target(hass: HomeAssistant, config: Config) -> JsonSchema:
    """Return the schema of a target; what is not named there is seldom meant."""
    members = {}
    for name in ("entity", "area", "floor", "label", "device"):
        if named := _candidates(hass, name, config, name):
            members[f"{name}_id"] = {"type": "array", "items": _one_of(named)}
    if not members:
        members["entity_id"] = {"type": "array", "items": {"type": "string"}}
    return _object({key: (schema, False) for key, schema in members.items()})


def _candidates(
    hass: HomeAssistant, name: str, config: Config, of_target: str = ""
) -> dict[str, str]:
    """Return the names of what can be chosen, by id; empty where that is not known."""
    labels = lr.async_get(hass).async_list_labels() if name == "label" else ()
    named = {label.label_id: label.name for label in labels}
    if name in ("entity", "area", "floor", "device"):
        is_entity = name == "entity" and not of_target
        filters = config.get("filter" if is_entity else "entity") or (config,)
        for state in exposed(hass):
            if any(_fits(hass, state, wanted) for wanted in filters):
                named.update(_named(hass, name, state))
        named = {
            key: text
            for key, text in named.items()
            if key in config.get("include_entities", [key])
            and key not in config.get("exclude_entities", ())
        }
    return dict(islice(named.items(), MAX_CANDIDATES))


def _fits(hass: HomeAssistant, state: State, wanted: Config) -> bool:
    """Return whether a thing is of a wanted domain, device class and integration."""
    entry = er.async_get(hass).async_get(state.entity_id)
    for key, found in (
        ("domain", state.domain),
        ("device_class", state.attributes.get(ATTR_DEVICE_CLASS)),
        ("integration", entry.platform if entry else None),
    ):
        if (values := wanted.get(key)) and found not in cv.ensure_list(values):
            return False
    return True


def _named(hass: HomeAssistant, name: str, state: State) -> Iterable[tuple[str, str]]:
    """Return the id and name of a thing, or of its area, floor or device."""
    if name == "entity":
        return [(state.entity_id, state.name)]
    if name == "device":
        entry = er.async_get(hass).async_get(state.entity_id)
        device_id = entry.device_id if entry else None
        device = dr.async_get(hass).async_get(device_id) if device_id else None
        text = (device.name_by_user or device.name) if device else None
        return [(device.id, text)] if device and text else []
    area = entity_area(hass, state.entity_id)
    if name == "area":
        return [(area.id, area.name)] if area else []
    floor_id = area.floor_id if area else None
    floor = fr.async_get(hass).async_get_floor(floor_id) if floor_id else None
    return [(floor.floor_id, floor.name)] if floor else []


_SCHEMAS: Final[dict[str, Callable[[HomeAssistant, Config], JsonSchema]]] = {
    "action": lambda _hass, _config: _OBJECTS,
    "choose": _choose,
    "color_rgb": lambda _hass, _config: {
        "type": "array",
        "items": _BYTE,
        "minItems": 3,
        "maxItems": 3,
    },
    "condition": lambda _hass, _config: _OBJECTS,
    "numeric_threshold": lambda _hass, _config: {"type": "object"},
    "object": _fields,
    "qr_code": lambda _hass, config: {"type": "string", "enum": [config["data"]]},
    "select": _select,
    "target": _target,
    "trigger": lambda _hass, _config: _OBJECTS,
}
