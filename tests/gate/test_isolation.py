"""The gate stands below the agent: nothing above it is needed to judge a call."""

import ast
from pathlib import Path

import custom_components.lumo.gate

ROOM = Path(custom_components.lumo.gate.__file__).parent
# What it may take from the integration's top folder: names, options, words for logs.
ALLOWED = {"const", "log", "options"}


def test_gate_takes_nothing_from_the_rooms_above() -> None:
    """Nor from the client: safety does not depend on who wrote the call."""
    taken: set[str] = set()
    for path in sorted(ROOM.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.level >= 2:
                taken.add((node.module or "").partition(".")[0])
            elif isinstance(node, ast.ImportFrom | ast.Import):
                names = [getattr(node, "module", None) or ""]
                names += [alias.name for alias in node.names]
                assert not any(name.startswith("custom_components") for name in names)
    assert taken == ALLOWED
