"""What people say in the languages that have a file in samples/: more rows for tables.

A file has a key for each table, whose rows are written as they are there.
"""

from pathlib import Path
import tomllib
from typing import Any, Final

SAMPLES: Final[dict[str, dict[str, Any]]] = {
    path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
    for path in sorted(Path(__file__).with_suffix("").glob("*.toml"))
}


def with_samples(table: dict[str, Any], key: str) -> dict[str, Any]:
    """Return a table by languages, with what the files have for it."""
    return table | {code: sample[key] for code, sample in SAMPLES.items()}
