"""The forms of an agent's options.

At first sight what everybody decides: name, instructions, what of the home, autonomy.
All else has recommended values; who wants others turns that off and gets a second form,
in sections. A new option is a line in one of them, its default in `const.py`, its
meaning in `agent/options.py`, and its texts.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from homeassistant.const import CONF_LLM_HASS_API, CONF_NAME, CONF_PROMPT
from homeassistant.data_entry_flow import section
from homeassistant.helpers.selector import SelectOptionDict, Selector, selector
import probatio

from .. import const
from ..agent.drawing import ASPECT_RATIOS
from ..agent.options import MODELS
from ..gate import places

# Proton's own tools that make sense in a home; images are not spoken.
SERVER_TOOLS: Final = (
    "web_search",
    "weather",
    "stock",
    "cryptocurrency",
    "proton_info",
)

# What an agent is asked for at first. All else has a recommended value.
FIRST_OPTIONS: Final = (CONF_PROMPT, CONF_LLM_HASS_API, const.CONF_AUTONOMY)
RECOMMENDED: Final = "recommended"
PLANS: Final = "plans"

_DEFAULTS: Final = {
    **const.DEFAULT_OPTIONS,
    const.CONF_ASPECT_RATIO: ASPECT_RATIOS[0],
    RECOMMENDED: True,
}

type _Field = tuple[probatio.Marker, Selector[Any]]
"""An option with its default, and how it is entered."""


def first_schema(
    apis: Mapping[str, str],
    *,
    name: str | None,
    plans: Sequence[SelectOptionDict] = (),
) -> probatio.Schema:
    """Return the first form; `apis` are names by id, `name` is what a new agent has.

    `plans` are what is to be done later.
    """
    # As a list however many there are: chips would be cut, and lose the label.
    waiting = {"select": {"options": [*plans], "multiple": True, "mode": "list"}}
    fields = (
        _optional(CONF_PROMPT, "template"),
        _apis(apis),
        _choice(const.CONF_AUTONOMY, const.Autonomy),
        *([(probatio.Optional(PLANS), selector(waiting))] if plans else []),
        _switch(RECOMMENDED),
    )
    return _named(name, fields)


def task_schema(apis: Mapping[str, str], *, name: str | None = None) -> probatio.Schema:
    """Return the form of an AI task's options; `apis` are names by id.

    `name` is what a new one has.
    """
    fields = (
        _choice(const.CONF_MODEL, MODELS),
        _switch(const.CONF_THINKING),
        _choice(const.CONF_TOOL_CALLING, const.ToolCalling),
        _server_tools(),
        _apis(apis),
        _optional(const.CONF_PHONE_PERSON, "entity", domain="person"),
        _required(
            const.CONF_ASPECT_RATIO, "select", options=[*ASPECT_RATIOS], mode="dropdown"
        ),
    )
    return _named(name, fields)


def section_fields(temperature_unit: str) -> dict[str, dict[probatio.Marker, Any]]:
    """Return all other options, by the section of the form that they stand in."""
    degrees = {"step": 0.5, "mode": "box", "unit_of_measurement": temperature_unit}
    sections = {
        "answers": (
            _choice(const.CONF_MODEL, MODELS),
            _switch(const.CONF_THINKING),
            _switch(const.CONF_WITHOUT_LUMO),
            _choice(const.CONF_QUICK_CONFIRMATION, const.QuickConfirmation),
        ),
        "tool_use": (
            _choice(const.CONF_TOOL_CALLING, const.ToolCalling),
            _server_tools(),
            _list(const.CONF_CAMERAS, "entity", domain=["camera", "image"]),
            _choice(const.CONF_MEMORY, const.MemoryUse),
        ),
        "safety": (
            _list(const.CONF_SENSITIVE_LABELS, "label"),
            _optional(const.CONF_MIN_TEMPERATURE, "number", **degrees),
            _optional(const.CONF_MAX_TEMPERATURE, "number", **degrees),
            _switch(const.CONF_UNATTENDED),
            _optional(const.CONF_PHONE_PERSON, "entity", domain="person"),
            _switch(const.CONF_PHONE_FOR_DOORS),
        ),
        "places": (_list(const.CONF_PLACES, "object", **_rule()),),
    }
    return {name: dict(fields) for name, fields in sections.items()}


def settings_schema(temperature_unit: str, wrong: str | None) -> probatio.Schema:
    """Return the form of all other options; open is the section of a wrong one."""
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
    return probatio.Schema(dict(_optional(key, "text", multiple=True) for key in whose))


def tools_schema(labels: Sequence[SelectOptionDict]) -> probatio.Schema:
    """Return the form of the tools: a choice of those that are not simply on."""
    if not labels:
        return probatio.Schema({})
    config = {"options": labels, "multiple": True, "mode": "dropdown"}
    names = (const.Permission.OFF.value, const.Permission.ASK.value)
    fields = (_optional(name, "select", **config) for name in names)
    return probatio.Schema(dict(fields))


def _named(name: str | None, fields: Iterable[_Field]) -> probatio.Schema:
    """Return a form of these fields, with one for the name of what is new."""
    field = selector({"text": {}})
    named = {} if name is None else {probatio.Required(CONF_NAME, default=name): field}
    return probatio.Schema({**named, **dict(fields)})


def _rule() -> dict[str, Any]:
    """Return how a rule by place is entered, in Home Assistant's editor of lists."""
    fields: tuple[tuple[str, str, dict[str, Any]], ...] = (
        (places.NAME, "text", {}),
        (places.SATELLITES, "entity", {"domain": places.SATELLITE, "multiple": True}),
        (places.AREAS, "area", {"multiple": True}),
        (places.ACTS, "boolean", {}),
        (places.OWNER, "entity", {"domain": "person"}),
    )
    return {
        "fields": {
            key: {
                "selector": {kind: config},
                "required": key == places.NAME,
                **({"default": True} if kind == "boolean" else {}),
            }
            for key, kind, config in fields
        },
        "label_field": places.NAME,
        "translation_key": const.CONF_PLACES,
    }


def _apis(apis: Mapping[str, str]) -> _Field:
    options = [SelectOptionDict(value=key, label=name) for key, name in apis.items()]
    config = {"options": options, "multiple": True, "mode": "list"}
    return _optional(CONF_LLM_HASS_API, "select", **config)


def _server_tools() -> _Field:
    option = const.CONF_SERVER_TOOLS
    config = {"options": [*SERVER_TOOLS], "translation_key": option, "mode": "list"}
    return _list(option, "select", **config)


def _choice(option: str, choices: Iterable[str]) -> _Field:
    """Return a choice of one, whose names are translated."""
    options = [str(choice) for choice in choices]
    config = {"options": options, "translation_key": option, "mode": "dropdown"}
    return _required(option, "select", **config)


def _switch(option: str) -> _Field:
    return _required(option, "boolean")


def _list(option: str, kind: str, **config: Any) -> _Field:
    field = selector({kind: {"multiple": True, **config}})
    return probatio.Optional(option, default=list), field


def _required(option: str, kind: str, **config: Any) -> _Field:
    default = _DEFAULTS[option]
    return probatio.Required(option, default=default), selector({kind: config})


def _optional(option: str, kind: str, **config: Any) -> _Field:
    return probatio.Optional(option), selector({kind: config})
