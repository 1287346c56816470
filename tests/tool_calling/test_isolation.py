"""The room stands alone: it loads where Home Assistant cannot be imported."""

from pathlib import Path
import subprocess
import sys

ROOM = (
    Path(__file__).parent.parent.parent / "custom_components" / "lumo" / "tool_calling"
)
MODULES = sorted(
    ".".join(path.relative_to(ROOM).with_suffix("").parts)
    for path in ROOM.rglob("*.py")
)

# The packages above the room are stubs, because the integration's own __init__ may
# import Home Assistant.
SCRIPT = """
import importlib, sys, types

room, *modules = sys.argv[1:]

class Blocker:
    def find_spec(self, name, path=None, target=None):
        outside = name.startswith("custom_components.lumo.") and not name.startswith(
            ("custom_components.lumo.tool_calling", "custom_components.lumo.text")
        )
        if name.partition(".")[0] == "homeassistant" or outside:
            raise ImportError(f"the room imports {name}")

sys.meta_path.insert(0, Blocker())
for name, path in (
    ("custom_components", []),
    ("custom_components.lumo", [room.rpartition("/")[0]]),
):
    package = types.ModuleType(name)
    package.__path__ = path
    sys.modules[name] = package
for module in modules:
    importlib.import_module("custom_components.lumo.tool_calling." + module)
assert not any(name.partition(".")[0] == "homeassistant" for name in sys.modules)
"""


def _run(script: str) -> subprocess.CompletedProcess[str]:
    """Run a script in a process of its own, with the room and its modules."""
    return subprocess.run(
        [sys.executable, "-c", script, ROOM.as_posix(), *MODULES],
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_module_loads_without_home_assistant_and_the_other_rooms() -> None:
    """Import the modules of the room where nothing else can be imported."""
    assert "naming" in MODULES
    done = _run(SCRIPT)
    assert done.returncode == 0, done.stderr


def test_the_test_above_would_notice() -> None:
    """Prove that the blocker blocks."""
    done = _run(f"{SCRIPT}\nimport homeassistant.core")
    assert "ImportError: the room imports homeassistant" in done.stderr
