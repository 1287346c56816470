"""The form that an answer must have, and the data of an answer that has it.

Home Assistant describes the form with selectors, does not check the data by them, and
makes "a text" of actions, entities and states (`llm.selector_serializer`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
import tomllib
from typing import Any, Final, Self

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
from ..tool_calling.arguments import NoDataError, read_data, sentence_of
from ..tool_calling.json_text import one_line
from .model_texts import MODEL_TEXTS

type JsonSchema = dict[str, Any]
type Config = Mapping[str, Any]

# The most things that are named for one field.
MAX_CANDIDATES: Final = 100
_PROBLEMS: Final = 5
_THINGS: Final = ("entity", "area", "floor", "label", "device")
# Home Assistant makes objects of its own of these, which no automation can use.
_AS_WRITTEN: Final = {"condition", "target", "trigger"}
_ENTITY_ID: Final = {"type": "string", "pattern": r"^[a-z0-9_]+\.[a-z0-9_]+$"}
# Help in words, by the kind of selector.
_WORDS: Final[Mapping[str, str]] = tomllib.loads(
    Path(__file__).with_name("selectors.toml").read_text("utf-8")
)


@dataclass(frozen=True, slots=True, eq=False)
class AnswerFormat:
    """The form that an answer must have."""

    hass: HomeAssistant
    structure: probatio.Schema
    """Selectors by key, as Home Assistant has made them."""
    schema: dict[str, Any]
    """The same as JSON schema."""

    @classmethod
    def of(cls, hass: HomeAssistant, structure: probatio.Schema) -> Self:
        """Return the form of a task's answer."""
        return cls(hass, structure, _describe(hass, structure))

    @property
    def instructions(self) -> str:
        """Return the words that tell the model the form, behind the sentence."""
        return MODEL_TEXTS["form"].format(schema=one_line(self.schema, compact=True))

    async def async_read(self, text: str) -> dict[str, Any]:
        """Return the data of an answer, accepted by the structure; raises NoDataError.

        Whole numbers are integers, keys that the form does not have are left out.
        """
        values = await self.hass.async_add_executor_job(read_data, text, self.schema)
        accepted = [self._accepted(value) for value in values]
        # Models give examples and correct themselves: nobody knows which one is meant.
        if any(item != accepted[0] for item in accepted):
            raise NoDataError("It has several answers.")
        return accepted[0]

    def _accepted(self, value: dict[str, Any]) -> dict[str, Any]:
        kinds = {str(key): kind for key, kind in self.structure.schema.items()}
        try:
            accepted: dict[str, Any] = self.structure(value)
            for key, item in value.items():
                if getattr(kinds.get(key), "selector_type", "") == "action":
                    # Its selector takes anything.
                    cv.SCRIPT_SCHEMA(item)
        except probatio.Invalid as err:
            errors = getattr(err, "errors", [err])[:_PROBLEMS]
            raise NoDataError(" ".join(map(sentence_of, errors))) from None
        except Exception as err:  # noqa: BLE001 - selectors are called with anything
            raise NoDataError(f"It is not valid ({type(err).__name__}).") from None
        return accepted | {
            key: item
            for key, item in value.items()
            if accepted.get(key) == item
            or getattr(kinds.get(key), "selector_type", "") in _AS_WRITTEN
        }


def _describe(hass: HomeAssistant, structure: probatio.Schema) -> JsonSchema:
    return _object(
        (
            str(key),
            isinstance(key, probatio.Required),
            _described(hass, kind, getattr(key, "description", None)),
        )
        for key, kind in structure.schema.items()
    )


def _inner(field: Config) -> Selector[Any]:
    inner = field["selector"]
    return inner if isinstance(inner, Selector) else selector_of(inner)


def _object(members: Iterable[tuple[str, bool, JsonSchema]]) -> JsonSchema:
    known = list(members)
    required = [key for key, is_required, _ in known if is_required]
    return {
        "type": "object",
        "properties": {key: schema for key, _, schema in known},
        # Older drafts refuse an empty list.
        **({"required": required} if required else {}),
        "additionalProperties": False,
    }


def _described(hass: HomeAssistant, kind: object, label: object = None) -> JsonSchema:
    words = ""
    if not isinstance(kind, Selector):
        schema = _converted(probatio.Schema(kind))
    elif named := _candidates(hass, kind.selector_type, kind.config):
        schema = _several(kind, _one_of(named))
    else:
        schema = _schema(hass, kind)
        words = _words(kind.selector_type, kind.config)
    text = ". ".join(filter(None, (str(label or "").strip(" ."), words)))
    return schema | ({"description": text} if text else {})


def _words(name: str, config: Config) -> str:
    if name != "number":
        return _WORDS.get(name, "")
    unit, step = config.get("unit_of_measurement"), config.get("step")
    # It is 1 by default.
    steps = "A whole number if it counts." if step == 1 else f"In steps of {step}."
    return f"In {unit}. {steps}" if unit else steps


def _schema(hass: HomeAssistant, kind: Selector[Any]) -> JsonSchema:
    config = kind.config
    match kind.selector_type:
        case "action" | "condition" | "trigger":
            return {"type": "array", "items": {"type": "object"}}
        case "choose":
            choices = config["choices"].items()
            return {"anyOf": [_described(hass, _inner(i), key) for key, i in choices]}
        case "numeric_threshold":
            return {"type": "object"}
        case "object":
            item = _object(
                (
                    key,
                    bool(field.get("required")),
                    _described(hass, _inner(field), field.get("label")),
                )
                for key, field in config.get("fields", {}).items()
            )
            return _several(kind, item if item["properties"] else {"type": "object"})
        case "select":
            return _several(kind, _options(config))
        case "target":
            return _target(hass, config)
    converted = _converted(kind)
    # Home Assistant's dates with a time have no T between them.
    return {key: item for key, item in converted.items() if item != "date-time"}


def _converted(schema: object) -> JsonSchema:
    converted: JsonSchema = probatio.to_openapi(
        schema,
        custom_serializer=llm.selector_serializer,
        openapi_version="3.1.0",
        strict=False,
    )
    return converted


def _several(kind: Selector[Any], schema: JsonSchema) -> JsonSchema:
    return {"type": "array", "items": schema} if kind.config.get("multiple") else schema


def _one_of(named: Mapping[str, str]) -> JsonSchema:
    if all(value == name for value, name in named.items()):
        return {"type": "string", "enum": list(named)}
    items = [{"const": value, "title": name} for value, name in named.items()]
    return {"type": "string", "oneOf": items}


def _options(config: Config) -> JsonSchema:
    options = dict(
        (item, item) if isinstance(item, str) else (item["value"], item["label"])
        for item in config["options"]
    )
    if config.get("custom_value"):
        return {"type": "string", "examples": list(options)}
    return _one_of(options)


def _target(hass: HomeAssistant, config: Config) -> JsonSchema:
    filters = {**config, "filter": config.get("entity", ())}
    named = {name: _candidates(hass, name, filters) for name in _THINGS}
    one = {name: _one_of(found) for name, found in named.items() if found}
    return _object(
        (f"{name}_id", False, {"type": "array", "items": item})
        for name, item in (one or {"entity": _ENTITY_ID}).items()
    )


def _candidates(hass: HomeAssistant, name: str, config: Config) -> dict[str, str]:
    """Return the names of what can be chosen, by id; empty if that is not known."""
    named: dict[str, str] = {}
    if name == "label":
        labels = lr.async_get(hass).async_list_labels()
        named = {label.label_id: label.name for label in labels}
    elif name in _THINGS:
        filters = config.get("filter" if name == "entity" else "entity") or [config]
        for state in exposed(hass):
            if any(_fits(hass, state, wanted) for wanted in filters):
                named |= _named(hass, name, state)
    only, never = config.get("include_entities"), config.get("exclude_entities", ())
    kept = ((i, named[i]) for i in named if (not only or i in only) and i not in never)
    return dict(islice(kept, MAX_CANDIDATES))


def _fits(hass: HomeAssistant, state: State, wanted: Config) -> bool:
    entry = er.async_get(hass).async_get(state.entity_id)
    of_thing = {
        "domain": state.domain,
        "device_class": state.attributes.get(ATTR_DEVICE_CLASS),
        "integration": entry.platform if entry else None,
    }
    return all(
        found in cv.ensure_list(wanted[key])
        for key, found in of_thing.items()
        if wanted.get(key)
    )


def _named(hass: HomeAssistant, name: str, state: State) -> dict[str, str]:
    if name == "entity":
        return {state.entity_id: state.name}
    if name == "device":
        entry = er.async_get(hass).async_get(state.entity_id)
        device = dr.async_get(hass).async_get((entry and entry.device_id) or "")
        text = (device.name_by_user or device.name) if device else None
        return {device.id: text} if device and text else {}
    area = entity_area(hass, state.entity_id)
    if name == "area":
        return {area.id: area.name} if area else {}
    floor = fr.async_get(hass).async_get_floor((area and area.floor_id) or "")
    return {floor.floor_id: floor.name} if floor else {}
