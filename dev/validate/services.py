"""services.yaml and icons.json, and whether they speak of the same things."""

from collections.abc import Iterator
from functools import cache
import json
from pathlib import Path
from typing import Any

import hass_frontend
from homeassistant.helpers import config_validation as cv, selector
import voluptuous as vol

from .files import Problem, Tree
from .translations import english, translation_key


def _is_there(value: Any) -> Any:
    if value is None:
        raise vol.Invalid("there is no value; leave the key out")
    return value


_FIELD = vol.Schema(
    {
        vol.Any("default", "example"): _is_there,
        vol.Any("required", "advanced"): bool,
        "selector": selector.validate_selector,
        "filter": dict,
    }
)
_SECTION = vol.Schema({vol.Required("fields"): {str: _FIELD}, "collapsed": bool})


def _field(value: Any) -> Any:
    is_section = isinstance(value, dict) and "fields" in value
    return (_SECTION if is_section else _FIELD)(value)


_TARGET = vol.Any(selector.TargetSelector.CONFIG_SCHEMA, None)
_SERVICE = vol.Schema({"target": _TARGET, "fields": {cv.slug: _field}})
_SERVICES = vol.Schema({cv.slug: vol.Any(None, _SERVICE)})


def service_problems(tree: Tree) -> Iterator[Problem]:
    """Yield what is wrong with the actions, and which texts they lack."""
    path = tree.folder / "services.yaml"
    name = tree.name(path)
    sources = [item.read_text("utf-8") for item in tree.folder.rglob("*.py")]
    services = tree.load(path)
    if services is None:
        if not path.is_file() and any("async_register(" in text for text in sources):
            yield Problem(name, "is missing, and the code registers actions")
        return
    problems = tree.fits(path, _SERVICES)
    yield from problems
    texts = (english(tree) or {}).get("services", {})
    if not texts or problems:
        return
    for service, found in services.items():
        if not any(f'"{service}"' in text for text in sources):
            yield Problem(name, f"no code registers {service}; remove it")
        fields = _fields(found or {})
        if set(fields) != set(texts.get(service, {}).get("fields", {})):
            yield Problem(
                name,
                f"the fields of {service} are not those that translations/en.json names",
            )
    for service in sorted(set(texts) ^ set(services)):
        yield Problem(name, f"{service} is only here or only in translations/en.json")


def _fields(service: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of an action, those in sections too."""
    found: dict[str, Any] = {}
    for key, value in service.get("fields", {}).items():
        found |= value.get("fields", {key: value})
    return found


@cache
def _icons() -> frozenset[str]:
    path = Path(hass_frontend.where()) / "static" / "mdi" / "iconList.json"
    return frozenset(icon["name"] for icon in json.loads(path.read_text("utf-8")))


def _icon(value: Any) -> str:
    text = cv.string_with_no_html(value)
    if not text.startswith("mdi:") or text.removeprefix("mdi:") not in _icons():
        raise vol.Invalid(f"{text} is no icon of Material Design; write mdi:NAME")
    return text


def _not_its_default(icon: dict[str, Any]) -> dict[str, Any]:
    if icon.get("default") in icon.get("state", {}).values():
        raise vol.Invalid("a state has the icon of the default; leave it out")
    return icon


_STATES = cv.schema_with_slug_keys(_icon, slug_validator=translation_key)
_ONE = {"default": _icon, "state": _STATES}
_ENTITY = vol.All(
    {
        **_ONE,
        "state_attributes": cv.schema_with_slug_keys(
            vol.All(_ONE, _not_its_default), slug_validator=translation_key
        ),
    },
    _not_its_default,
)
_STEPS = {"step": {str: {"section": {str: _icon}}}}
_SCHEMA = vol.Schema(
    {
        vol.Any("config", "options"): _STEPS,
        "issues": {str: {"fix_flow": _STEPS}},
        "services": cv.schema_with_slug_keys(
            {vol.Required("service"): _icon, "sections": {cv.slug: _icon}}
        ),
        "entity": cv.schema_with_slug_keys(
            cv.schema_with_slug_keys(_ENTITY, slug_validator=translation_key)
        ),
    }
)


def icon_problems(tree: Tree) -> Iterator[Problem]:
    """Yield what is wrong with the icons, and what has none or is not there."""
    path = tree.folder / "icons.json"
    name = tree.name(path)
    icons = tree.load(path)
    if icons is None:
        return
    problems = tree.fits(path, _SCHEMA)
    yield from problems
    if problems:
        return
    services = tree.load(tree.folder / "services.yaml") or {}
    for service in sorted(set(icons.get("services", {})) ^ set(services)):
        yield Problem(name, f"{service} is only here or only in services.yaml")
    names = (english(tree) or {}).get("entity", {})
    for platform, keys in icons.get("entity", {}).items():
        if not (tree.folder / f"{platform}.py").is_file():
            yield Problem(name, f"there is no platform {platform}; remove its icons")
        if platform in names:
            for key in sorted(set(keys) ^ set(names[platform])):
                yield Problem(
                    name,
                    f"{platform}.{key} is only here or only in translations/en.json",
                )
