"""What models write in and around calls: the rows of `call_words.toml`."""

from pathlib import Path
import re
import tomllib
from typing import Final


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


_TABLE: Final = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
_KEYS: Final = {kind: words(keys) for kind, keys in _TABLE["keys"].items()}
NAME_KEYS: Final = tuple(_TABLE["keys"]["name"].split())
ARGUMENT_KEYS: Final = _KEYS["argument"]
WRAPPER_KEYS: Final = _KEYS["wrapper"]
MARKS: Final = _KEYS["mark"]
REMARKS: Final = MARKS | _KEYS["remark"]
RESULTS: Final = _KEYS["result"]
ANSWERS: Final = _KEYS["answer"]
NOT_FLAT: Final = RESULTS | _KEYS["other"]
TYPES: Final = _KEYS["type"]
TAG_KINDS: Final = {kind: re.compile(part) for kind, part in _TABLE["tags"].items()}
ROLES: Final = {kind: "|".join(names) for kind, names in _TABLE["roles"].items()}
