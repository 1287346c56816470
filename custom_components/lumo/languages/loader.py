"""Reading the file of a language: strictly, so that its writer is told what is wrong."""

from collections.abc import Mapping
from pathlib import Path
import re
import tomllib
from typing import Any, Final, get_type_hints

from .form import Language

_MEMBERS: Final = get_type_hints(Language)


def read_language(path: Path) -> Language:
    """Return the language of a file; raises ValueError with what is wrong, and where."""
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from error
    members: dict[str, Any] = {"code": path.stem}
    if wrong := _MEMBERS.keys() ^ {"code", *written}:
        raise ValueError(f"{path.name}: missing or unknown: {sorted(wrong)}")
    for key, value in written.items():
        try:
            members[key] = _read(value, _MEMBERS[key])
        except (AttributeError, LookupError, TypeError, re.PatternError) as error:
            raise ValueError(f"{path.name}: {key}: {error!r}") from error
    return Language(**members)


def _read(value: Any, kind: Any) -> Any:
    """Return what a key stands for."""
    if kind is str:
        return _text(value)
    if kind == Mapping[str, str]:
        return {row: _text(text) for row, text in value.items()}
    pattern = "".join(value)
    if not pattern:
        raise LookupError("is empty")
    return re.compile(pattern, re.IGNORECASE)


def _text(value: str) -> str:
    return "\n".join(line.strip() for line in value.strip().splitlines())
