"""Recorded material that some tests read from beside the repository.

What real models wrote, and sentences with the homes they speak of. It is not part of
the repository: tests that want it are skipped where it is absent.
"""

import json
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent.parent / "shared" / "data"

requires_material = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the folder of recorded material is not here"
)


def load_json(name: str) -> Any:
    """Return the content of a JSON file, or None where the material is absent."""
    path = FOLDER / name
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else None


def load_jsonl(name: str) -> list[Any]:
    """Return the objects of a JSON lines file, empty where the material is absent."""
    path = FOLDER / name
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
