"""The rooms know each other as docs/development.md says: arrows point down only."""

import ast
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
import re

import pytest

import custom_components.lumo

FOLDER = Path(custom_components.lumo.__file__).parent

DOCS = FOLDER.parent.parent / "docs" / "development.md"


def floors() -> list[list[str]]:
    """Return the rooms as the picture in the docs has them, from the bottom up.

    The topmost is Home Assistant's: its files, and actions.
    """
    text = DOCS.read_text(encoding="utf-8")
    boxes = re.split(r"[├└].*", text[text.index("  ┌") : text.index("  └")])
    drawn = [re.findall(r"(\w+)(?:/|\.py)", box) for box in boxes]
    assert "services" in drawn[0]
    return drawn[:0:-1]


FLOORS = floors()
FLOOR = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}


def module(path: Path) -> str:
    parts = path.relative_to(FOLDER).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


MODULES = {module(path): path for path in FOLDER.rglob("*.py")}


def known(path: Path) -> set[str]:
    """Return the modules of the integration that a file imports, if only for types."""
    package = [part for part in module(path.parent / "__init__.py").split(".") if part]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        base = package[: len(package) + 1 - node.level]
        base += node.module.split(".") if node.module else []
        for alias in node.names:
            name = ".".join((*base, alias.name))
            found.add(name if name in MODULES else ".".join(base))
    return found


@cache
def imports() -> dict[str, set[str]]:
    """Return what each module imports of the integration."""
    return {name: known(path) for name, path in MODULES.items()}


def room(name: str) -> str:
    """Return the room of a module, empty for Home Assistant's files."""
    first = name.partition(".")[0]
    return first if first in FLOOR else ""


def test_arrows_point_down() -> None:
    """No room knows one above it, or beside it, and the docs forget none."""
    top = len(FLOORS)
    for name, others in imports().items():
        for other in others:
            here, there = room(name), room(other)
            assert here == there or FLOOR.get(there, top) < FLOOR.get(here, top), (
                f"{name} imports {other}"
            )
    assert {path.parent.name for path in FOLDER.glob("*/__init__.py")} <= FLOOR.keys()


def test_no_module_needs_itself() -> None:
    assert len(list(TopologicalSorter(imports()).static_order())) == len(imports())


@pytest.mark.parametrize("name", ["languages", "lumo_client", "speech", "tool_calling"])
def test_a_room_needs_no_home_assistant(name: str) -> None:
    for path in (FOLDER / name).glob("**/*.py"):
        assert "import homeassistant" not in (text := path.read_text(encoding="utf-8"))
        assert "from homeassistant" not in text, path


def test_the_agent_knows_no_service_by_name() -> None:
    data = {"deadlines", "errors", "events", "messages"}
    for name, others in imports().items():
        if room(name) == "agent":
            parts = {item.split(".")[1] for item in others if "lumo_client." in item}
            assert parts <= data, name


def test_the_gate_does_not_know_the_client() -> None:
    """Safety does not depend on who wrote a call, or how."""
    below = [others for name, others in imports().items() if room(name) == "gate"]
    known = {room(other) for others in below for other in others}
    assert "const" in known
    assert known.isdisjoint({"", "agent", "lumo_client"})


def test_the_gate_has_eight_floors() -> None:
    """No file in it stands on a chain of more than seven others."""
    floors: dict[str, int] = {}
    for name in TopologicalSorter(imports()).static_order():
        if room(name) == "gate":
            below = [floors.get(item, 0) for item in imports()[name]]
            floors[name] = 1 + max(below, default=0)
    assert max(floors.values()) <= 8


def test_the_front_hall_is_small() -> None:
    """Home Assistant asks for these by name, or all rooms stand on them."""
    assert len([*FOLDER.glob("*.py")]) <= 18
