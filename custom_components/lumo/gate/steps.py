"""Home Assistant's script syntax: the steps of a script, wherever they stand.

Only steps that can run are yielded: in every branch, but none that is disabled, and no
condition. Syntax that we do not know is caught elsewhere: Home Assistant says
which entities a script mentions.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.template import Template, is_template_string

# Where the steps of a step stand.
_BRANCHES: Final = (
    "sequence",
    "then",
    "else",
    "default",
    "choose",
    "parallel",
    "repeat",
)
_CONDITIONS: Final = ("conditions", "if", "while", "until", "wait_for_trigger")


def steps_of(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the steps among some, and those of their branches."""
    for step in value if isinstance(value, list | tuple) else [value]:
        if not isinstance(step, Mapping) or _is_idle(step):
            continue
        yield step
        for branch in _BRANCHES:
            yield from steps_of(step.get(branch))


def action_of(step: Mapping[str, Any]) -> Any:
    """Return the service that a step calls, None if it calls none."""
    return step.get("action", step.get("service", step.get("service_template")))


def only_looked_at(value: Any) -> Iterator[str]:
    """Yield the entities that a script only looks at, or names where it never goes."""
    if isinstance(value, list | tuple):
        for step in value:
            yield from only_looked_at(step)
    elif isinstance(value, Mapping):
        if _is_idle(value):
            yield from _entity_ids(value)
        for key, item in value.items():
            if key in _CONDITIONS:
                yield from _entity_ids(item)
            else:
                yield from only_looked_at(item)


def has_template(value: Any) -> bool:
    """Return whether there is a template anywhere in a value, or in its keys."""
    if isinstance(value, Template):
        return True
    if isinstance(value, Mapping):
        return any(map(has_template, (*value, *value.values())))
    if isinstance(value, list | tuple | set):
        return any(map(has_template, value))
    return isinstance(value, str) and is_template_string(value)


def _is_idle(step: Mapping[str, Any]) -> bool:
    """Return whether a step is disabled, or only looks."""
    return "condition" in step or step.get("enabled") is False


def _entity_ids(value: Any) -> Iterator[str]:
    """Yield everything under any key `entity_id`."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if key == "entity_id":
                yield from map(str, cv.ensure_list(item))
            else:
                yield from _entity_ids(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _entity_ids(item)
