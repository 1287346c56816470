"""manifest.json, and what the code imports beside what it lists."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
import re
from typing import Any
from urllib.parse import urlparse

from awesomeversion import (
    AwesomeVersion,
    AwesomeVersionException,
    AwesomeVersionStrategy,
)
import homeassistant
from homeassistant.const import Platform
import voluptuous as vol

from .files import Problem, Tree

_CORE = Path(homeassistant.__file__).parent
_VERSIONS = [
    AwesomeVersionStrategy.CALVER,
    AwesomeVersionStrategy.SEMVER,
    AwesomeVersionStrategy.SIMPLEVER,
    AwesomeVersionStrategy.BUILDVER,
    AwesomeVersionStrategy.PEP440,
]
# The first words, and all of "ai_voice", are those that 2026.11's own manifests have.
_CATEGORY = (
    r"ai_voice\.(ai_models|image_recognition|speech|voice_assistants)|"
    r"(?!ai_voice)[a-z]+(_[a-z]+)*(\.[a-z]+(_[a-z]+)*)?"
)
_CONNECTIVITY = (
    "bluetooth|cloud|dali|dect|enocean|esphome|homekit|host|infrared|insteon|knx|lorawan|"
    "matter|modbus|mqtt|network|onewire|rf|serial|zigbee|zwave"
)
# What is always there, and may be imported without being listed.
_ALWAYS_THERE = frozenset(
    ["group", "homeassistant", "persistent_notification", "script", "system_health"]
)
_IMPORT = re.compile(
    r"^[ \t]*(?:from|import) homeassistant\.components(?:\.(\w+)|"
    r" import (\w+(?:, \w+)*|\([^)]*\)))",
    re.MULTILINE,
)


def version(value: Any) -> str:
    """Take a version that Home Assistant's loader takes."""
    try:
        AwesomeVersion(vol.Schema(str)(value), ensure_strategy=_VERSIONS)
    except AwesomeVersionException as err:
        raise vol.Invalid("is no version; write one such as 1.2.3") from err
    return str(value)


def _https(value: Any) -> str:
    url = urlparse(vol.Schema(str)(value))
    if url.scheme != "https" or not url.netloc:
        raise vol.Invalid("is no address that begins with https://")
    return str(value)


def _documentation(value: Any) -> str:
    if urlparse(_https(value)).netloc == "www.home-assistant.io":
        raise vol.Invalid("is Home Assistant's own; write that of this integration")
    return str(value)


def _pinned(value: Any) -> str:
    """Take a requirement that installs one version from the index."""
    match = re.fullmatch(r"([\w.-]+)(?:\[[\w,-]+\])?==([^\s,;@]+)", str(value))
    if not match or AwesomeVersion(match[2]).strategy == AwesomeVersionStrategy.UNKNOWN:
        raise vol.Invalid(f"{value} is not pinned; write NAME==VERSION, without blanks")
    if match[1].lower() in _core_pins():
        raise vol.Invalid(f"Home Assistant pins {match[1]} itself; leave it out")
    return str(value)


@cache
def _core_pins() -> frozenset[str]:
    text = (_CORE / "package_constraints.txt").read_text(encoding="utf-8")
    return frozenset(
        name.lower() for name in re.findall(r"^([\w.-]+)==", text, re.MULTILINE)
    )


def _no_claim(_value: Any) -> None:
    raise vol.Invalid("nobody awards it to a custom integration; leave it out")


def _component(value: Any) -> str:
    if not (_CORE / "components" / str(value) / "manifest.json").is_file():
        raise vol.Invalid(f"Home Assistant has no integration {value}")
    return str(value)


_IOT_CLASSES = (
    "assumed_state|calculated|cloud_polling|cloud_push|local_polling|local_push"
)
_SCHEMA = vol.Schema(
    {
        vol.Required("domain"): vol.Match(r"^[a-z][a-z0-9_]*$"),
        vol.Required("name"): vol.All(str, vol.Length(min=1)),
        vol.Required("codeowners"): vol.All(
            [vol.Match(r"^@[\w-]+(/[\w-]+)?$")], vol.Length(min=1)
        ),
        vol.Required("iot_class"): vol.Match(f"^({_IOT_CLASSES})$"),
        vol.Required("documentation"): _documentation,
        vol.Required("issue_tracker"): _https,
        vol.Required("version"): version,
        "categories": [vol.Match(f"^({_CATEGORY})$")],
        "connectivity": [vol.Match(f"^({_CONNECTIVITY})$")],
        "integration_type": vol.Match("^(device|hardware|helper|hub|service|system)$"),
        "quality_scale": _no_claim,
        "requirements": [_pinned],
        "loggers": [str],
        vol.Any("dependencies", "after_dependencies"): [_component],
        vol.Any("config_flow", "import_executor", "single_config_entry"): bool,
    }
)


def manifest_problems(tree: Tree) -> Iterator[Problem]:
    """Yield what is wrong with the manifest, and what it does not list."""
    path = tree.folder / "manifest.json"
    name = tree.name(path)
    manifest = tree.load(path)
    if manifest is None:
        return
    problems = tree.fits(path, _SCHEMA)
    yield from problems
    keys = list(manifest)
    if keys != sorted(keys, key=lambda key: (key not in ("domain", "name"), key)):
        yield Problem(name, "write domain and name first, then the others in order")
    domain = manifest.get("domain")
    if domain != tree.folder.name:
        yield Problem(name, f"the domain is not the folder's name, {tree.folder.name}")
    if (_CORE / "components" / str(domain)).exists():
        yield Problem(name, f"Home Assistant has an integration {domain} itself")
    has_flow = (tree.folder / "config_flow.py").is_file()
    if has_flow != bool(manifest.get("config_flow")):
        yield Problem(name, "config_flow says something else than config_flow.py does")
    if not problems:
        yield from _dependency_problems(tree, manifest, name)


def _dependency_problems(
    tree: Tree, manifest: dict[str, Any], name: str
) -> Iterator[Problem]:
    first = set(manifest.get("dependencies", []))
    after = set(manifest.get("after_dependencies", []))
    for twice in sorted(first & after):
        yield Problem(name, f"{twice} is a dependency twice; keep one")
    listed = {*first, *after, *_ALWAYS_THERE, *map(str, Platform), tree.folder.name}
    for path in sorted(tree.folder.rglob("*.py")):
        for match in _IMPORT.finditer(path.read_text(encoding="utf-8")):
            names = re.findall(r"\w+", re.sub(r" as \w+", "", match[1] or match[2]))
            for used in set(names) - listed:
                if not (tree.folder / f"{used}.py").is_file():
                    yield Problem(tree.name(path), f"imports {used}; list it in {name}")
