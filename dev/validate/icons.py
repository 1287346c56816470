"""icons.json: that each icon exists, and that nothing lacks one."""

from collections.abc import Iterator
import json
from pathlib import Path

import hass_frontend

from .files import Problem, Tree
from .translations import english, flat


def icon_problems(tree: Tree) -> Iterator[Problem]:
    """Yield icons that do not exist, and what has none or is not there."""
    path = tree.folder / "icons.json"
    name = tree.name(path)
    if (icons := tree.load(path)) is None:
        return
    listed = Path(hass_frontend.where()) / "static" / "mdi" / "iconList.json"
    known = {icon["name"] for icon in json.loads(listed.read_text("utf-8"))}
    for key, icon in flat(icons).items():
        if not icon.startswith("mdi:") or icon.removeprefix("mdi:") not in known:
            yield Problem(name, f"{key}: {icon} is no icon of Material Design")
    services = tree.load(tree.folder / "services.yaml") or {}
    for service in sorted(set(icons.get("services", {})) ^ set(services)):
        yield Problem(name, f"{service} is only here or only in services.yaml")
    names = english(tree).get("entity", {})
    for platform, keys in icons.get("entity", {}).items():
        for key in sorted(set(keys) ^ set(names.get(platform, keys))):
            yield Problem(
                name, f"{platform}.{key} is only here or only in translations/en.json"
            )
