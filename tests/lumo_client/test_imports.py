"""The room stands alone."""

from pathlib import Path
import subprocess
import sys

import custom_components.lumo.lumo_client as room

FOLDER = Path(room.__file__).parent

PROGRAM = """
import importlib, pathlib, sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("homeassistant", "custom_components"):
            raise ImportError(f"{name} is not allowed here")

sys.meta_path.insert(0, Block())
folder = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(folder.parent))
for file in sorted(folder.glob("*.py")):
    importlib.import_module(f"lumo_client.{file.stem}")
print("ok")
"""


def test_it_is_imported_without_home_assistant() -> None:
    """In a process of its own, each of its modules."""
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(FOLDER)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout.strip() == "ok", run.stderr


def test_it_does_not_know_its_neighbours() -> None:
    """Neither the meaning of tool calls nor the agent."""
    for file in FOLDER.glob("*.py"):
        text = file.read_text(encoding="utf-8")
        for neighbour in ("tool_calling", "agent.", "from .."):
            assert neighbour not in text, file.name
