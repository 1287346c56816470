"""The fields of an agent's options and of an AI task's."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from homeassistant.const import CONF_LLM_HASS_API, CONF_NAME, CONF_PROMPT
from homeassistant.data_entry_flow import section
from homeassistant.helpers.selector import SelectOptionDict, Selector, selector
import probatio

from .. import const
from ..agent.options import MODELS
from ..agent.pictures import ASPECT_RATIOS
from ..gate import places

# Proton's own tools that make sense in a home; images are not spoken.
SERVER_TOOLS: Final = (
    "web_search",
    "weather",
    "stock",
    "cryptocurrency",
    "proton_info",
)

RECOMMENDED: Final = "recommended"
PLANS: Final = "plans"
COPY_OF: Final = "copy_of"

_DEFAULTS: Final = {
    **const.DEFAULT_OPTIONS,
    const.CONF_ASPECT_RATIO: ASPECT_RATIOS[0],
    const.CONF_AT_HOME: True,
    RECOMMENDED: True,
}

# A person may clear these: no default takes their place.
_CLEARED: Final = (CONF_PROMPT, CONF_LLM_HASS_API)

type _Field = tuple[probatio.Marker, Selector[Any]]
"""An option with its default, and how it is entered."""


def first_schema(
    apis: Mapping[str, str],
    *,
    name: str | None,
    plans: Sequence[SelectOptionDict] = (),
    agents: Sequence[SelectOptionDict] = (),
) -> probatio.Schema:
    """Return the first form; `apis` are names by id. A new agent may copy another."""
    # Not as chips, which cut long labels.
    waiting = {"options": [*plans], "multiple": True, "mode": "list"}
    return _named(
        name,
        *([_field(COPY_OF, "select", options=[*agents])] if agents else []),
        _field(CONF_PROMPT, "template"),
        _apis(apis),
        _choice(const.CONF_AUTONOMY, const.Autonomy),
        _field(const.CONF_AT_HOME, "boolean"),
        *([_field(PLANS, "select", **waiting)] if plans else []),
        _field(RECOMMENDED, "boolean"),
    )


def task_schema(apis: Mapping[str, str], *, name: str | None = None) -> probatio.Schema:
    """Return the form of an AI task; `apis` are names by id, `name` is a new one's."""
    ratios = {"options": [*ASPECT_RATIOS], "mode": "dropdown"}
    return _named(
        name,
        _choice(const.CONF_MODEL, MODELS),
        _field(const.CONF_THINKING, "boolean"),
        _choice(const.CONF_TOOL_CALLING, const.ToolCalling),
        _choice(const.CONF_SERVER_TOOLS, SERVER_TOOLS, "list"),
        _apis(apis),
        _field(const.CONF_PHONE_PERSON, "entity", domain="person"),
        _field(const.CONF_ASPECT_RATIO, "select", **ratios),
    )


def section_fields(temperature_unit: str) -> dict[str, dict[probatio.Marker, Any]]:
    """Return all other options, by the section of their form."""
    degrees = {"step": 0.5, "mode": "box", "unit_of_measurement": temperature_unit}
    rule = {
        places.NAME: {"required": True, "selector": {"text": {}}},
        places.SATELLITES: {
            "selector": {"entity": {"domain": places.SATELLITE, "multiple": True}}
        },
        places.AREAS: {"selector": {"area": {"multiple": True}}},
        places.ACTS: {"default": True, "selector": {"boolean": {}}},
        places.OWNER: {"selector": {"entity": {"domain": "person"}}},
    }
    rules = {
        "fields": rule,
        "label_field": places.NAME,
        "translation_key": const.CONF_PLACES,
    }
    sections = {
        "answers": (
            _choice(const.CONF_MODEL, MODELS),
            _field(const.CONF_THINKING, "boolean"),
            _choice(const.CONF_QUICK_CONFIRMATION, const.QuickConfirmation),
        ),
        "tool_use": (
            _choice(const.CONF_TOOL_CALLING, const.ToolCalling),
            _choice(const.CONF_SERVER_TOOLS, SERVER_TOOLS, "list"),
            _field(const.CONF_CAMERAS, "entity", domain=["camera", "image"]),
            _choice(const.CONF_MEMORY, const.MemoryUse),
        ),
        "safety": (
            _field(const.CONF_SENSITIVE_LABELS, "label"),
            _field(const.CONF_MIN_TEMPERATURE, "number", **degrees),
            _field(const.CONF_MAX_TEMPERATURE, "number", **degrees),
            _field(const.CONF_UNATTENDED, "boolean"),
            _field(const.CONF_PHONE_PERSON, "entity", domain="person"),
            _field(const.CONF_PHONE_FOR_DOORS, "boolean"),
        ),
        "places": (_field(const.CONF_PLACES, "object", **rules),),
    }
    return {name: dict(fields) for name, fields in sections.items()}


def settings_schema(temperature_unit: str, wrong: str | None) -> probatio.Schema:
    """Return the form of all other options, open where one is wrong."""
    sections = section_fields(temperature_unit)
    return probatio.Schema(
        {
            probatio.Required(name): section(
                probatio.Schema(fields),
                {"collapsed": wrong not in [marker.schema for marker in fields]},
            )
            for name, fields in sections.items()
        }
    )


def notes_schema(whose: Iterable[str]) -> probatio.Schema:
    """Return the form of the notes: a list of texts for each of these."""
    return probatio.Schema(dict(_field(key, "text", multiple=True) for key in whose))


def tools_schema(labels: Sequence[SelectOptionDict]) -> probatio.Schema:
    """Return the form of the tools that are off or ask."""
    config = {"options": labels, "multiple": True, "mode": "dropdown"}
    names = (const.Permission.OFF.value, const.Permission.ASK.value) if labels else ()
    return probatio.Schema(dict(_field(name, "select", **config) for name in names))


def _named(name: str | None, *fields: _Field) -> probatio.Schema:
    field = selector({"text": {}})
    named = {} if name is None else {probatio.Required(CONF_NAME, default=name): field}
    return probatio.Schema({**named, **dict(fields)})


def _apis(apis: Mapping[str, str]) -> _Field:
    options = [SelectOptionDict(value=key, label=name) for key, name in apis.items()]
    config = {"options": options, "multiple": True, "mode": "list"}
    return _field(CONF_LLM_HASS_API, "select", **config)


def _choice(option: str, choices: Iterable[str], mode: str = "dropdown") -> _Field:
    config = {"options": [str(choice) for choice in choices], "mode": mode}
    return _field(option, "select", translation_key=option, **config)


def _field(option: str, kind: str, **config: Any) -> _Field:
    default = None if option in _CLEARED else _DEFAULTS.get(option)
    if isinstance(default, list):
        config = {"multiple": True, **config}
        return probatio.Optional(option, default=list), selector({kind: config})
    if default is None:
        return probatio.Optional(option), selector({kind: config})
    return probatio.Required(option, default=default), selector({kind: config})


# What an agent is not asked for at first: it has a recommended value.
OTHER_OPTIONS: Final = frozenset(
    marker.schema for fields in section_fields("").values() for marker in fields
)
