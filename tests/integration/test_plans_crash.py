"""The process is killed at each step of a plan: it is done once, or told of."""

from collections.abc import Generator
import json
from pathlib import Path
from subprocess import PIPE, Popen
import sys
from typing import Any

import pytest

pytestmark = pytest.mark.process
ROOT = Path(__file__).parent.parent.parent

# The step; how often it was done before and is after; what comes of it at the next start.
STEPS: list[tuple[str, int, int, list[str]]] = [
    ("before save 1", 0, 0, []),
    ("after save 1", 0, 1, ["DUE"]),
    ("before save 2", 0, 1, ["DUE"]),
    ("after save 2", 0, 0, ["INTERRUPTED"]),
    ("before it is done", 0, 0, ["INTERRUPTED"]),
    ("after it is done", 1, 1, ["INTERRUPTED"]),
    ("before save 3", 1, 1, ["INTERRUPTED"]),
    ("after save 3", 1, 1, []),
]


@pytest.fixture(scope="module")
def server() -> Generator[Popen[bytes]]:
    """Return what begins processes: what they need takes it seconds to load."""
    command = (sys.executable, "-m", "tests.integration.crash_child")
    with Popen(command, cwd=ROOT, stdin=PIPE, stdout=PIPE, bufsize=0) as server:
        yield server


def run(server: Popen[bytes], folder: Path, kill_at: str) -> Any:
    """Run a process to its end: what it says, or None if it was killed."""
    (folder / "plans.json").write_text(json.dumps({"kill_at": kill_at}))
    assert server.stdin and server.stdout
    server.stdin.write(f"{folder}\n".encode())
    server.stdout.readline()
    return json.loads(server.stdout.readline())


@pytest.mark.parametrize(("step", "before", "after", "ends"), STEPS)
def test_killed_at(
    server: Popen[bytes],
    tmp_path: Path,
    step: str,
    before: int,
    after: int,
    ends: list[str],
) -> None:
    def done() -> int:
        file = tmp_path / "done"
        return len(file.read_text()) if file.exists() else 0

    assert run(server, tmp_path, step) is None
    assert done() == before
    assert run(server, tmp_path, "") == {"ends": ends, "left": 0}
    assert done() == after
    assert run(server, tmp_path, "") == {"ends": [], "left": 0}
