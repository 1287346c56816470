"""The files of a repository as the checks read them, and what is told of one."""

from dataclasses import dataclass, field
from functools import cached_property
import json
from pathlib import Path
from typing import Any, override

from homeassistant.util.yaml import load_yaml_dict


@dataclass(frozen=True)
class Problem:
    """What is wrong in a file (path from the top of the repository)."""

    path: str
    what: str

    @override
    def __str__(self) -> str:
        return f"{self.path}: {self.what}"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _value in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f'the key "{twice}" is there twice; remove one')
    return found


@dataclass
class Tree:
    """A repository with one integration, each file read once."""

    root: Path
    unreadable: list[Problem] = field(default_factory=list)
    _read: dict[str, dict[str, Any] | None] = field(default_factory=dict)

    @cached_property
    def folder(self) -> Path:
        """Return the integration's folder: the first that has a manifest."""
        manifests = sorted(self.root.glob("custom_components/*/manifest.json"))
        return manifests[0].parent if manifests else self.root / "custom_components"

    def name(self, path: Path) -> str:
        """Return a path as it is told."""
        return path.relative_to(self.root).as_posix()

    def load(self, path: Path) -> dict[str, Any] | None:
        """Return a JSON or YAML file, None if it is absent or cannot be read."""
        name = self.name(path)
        if name not in self._read:
            self._read[name] = self._load(path, name)
        return self._read[name]

    def _load(self, path: Path, name: str) -> dict[str, Any] | None:
        if not path.is_file():
            return None
        try:
            if path.suffix != ".json":
                return load_yaml_dict(str(path))
            found = json.loads(
                path.read_text(encoding="utf-8"), object_pairs_hook=_once
            )
        except Exception as err:
            self.unreadable.append(Problem(name, f"cannot be read: {err}"))
            return None
        if not isinstance(found, dict):
            self.unreadable.append(Problem(name, "is no object with keys"))
            return None
        return found
