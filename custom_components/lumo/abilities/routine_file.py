"""One automation in the text of `automations.yaml`: all else stays byte for byte.

Home Assistant's editor writes that file too, whole, under a lock that nobody else can
take (`homeassistant/components/config/view.py`). These functions block.
"""

from collections.abc import Mapping
import os
from pathlib import Path
from typing import Any, Final

from homeassistant.exceptions import HomeAssistantError
from homeassistant.util.file import write_utf8_file_atomic
from homeassistant.util.yaml import dump
import yaml

_LOADER: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LIST: Final = "tag:yaml.org,2002:seq"


class FileError(HomeAssistantError):
    """The file is none that can be edited; the text says why, for the model."""


def edit(path: str, routine_id: str, item: Mapping[str, Any] | None) -> None:
    """Add an automation with a new id, or delete the one with that id.

    Raises HomeAssistantError; then the file is as it was.
    """
    real = Path(os.path.realpath(path))
    text = _read(real)
    new = edited(text, routine_id, item)
    if not os.access(real, os.W_OK):
        raise FileError("it is read-only")
    if _read(real) != text:
        raise FileError("something else is writing it")
    write_utf8_file_atomic(str(real), new.encode(), mode="wb")
    if _read(real) != new:
        raise FileError("something else is writing it")


def has(path: str, routine_id: str) -> bool:
    """Return whether an automation of that id is in the file."""
    return routine_id in _spans(_read(Path(path)))


def edited(text: str, routine_id: str, item: Mapping[str, Any] | None) -> str:
    """Return the text with an automation, None: without it.

    Raises FileError for what is no plain list of blocks, and for an id that is taken.
    """
    root, spans = _root(text), _spans(text)
    end = "\r\n" if "\r\n" in text else "\n"
    if (item is None) is not (routine_id in spans):
        if item is None:
            return text
        raise FileError("another automation has that id")
    if item is None:
        start, stop = spans[routine_id]
        new = text[:start] + text[stop:]
        return new if _root(new) else f"{new}[]{end}"
    is_flow = root is not None and root.flow_style
    indent = " " * (0 if root is None or is_flow else root.start_mark.column)
    lines = dump([{"id": routine_id, **item}]).splitlines()
    block = "".join(f"{indent}{line}{end}" for line in lines)
    if is_flow:
        before, behind = text.split("[]", 1) if text.count("[]") == 1 else (text, "")
        new = before + block.removesuffix(end) + behind
    else:
        new = text + (end if text and not text.endswith("\n") else "") + block
    count = len(root.value) if root else 0
    if {*_spans(new)} != {*spans, routine_id} or len(_root(new).value) != count + 1:
        raise FileError("it is no plain list")
    return new


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as err:
        raise FileError("it cannot be read") from err


def _root(text: str) -> Any:
    try:
        root: Any = yaml.compose(text, Loader=_LOADER)
    except yaml.YAMLError as err:
        raise FileError("it is no plain list") from err
    if root is not None and (root.tag != _LIST or (root.flow_style and root.value)):
        raise FileError("it is no plain list")
    return root


def _spans(text: str) -> dict[str, tuple[int, int]]:
    """Return from where to where each automation that has an id stands.

    What stands between two of them, comments and blank lines, is of neither.
    """
    root, lines = _root(text), text.splitlines(keepends=True)
    nodes = root.value if root is not None else []
    starts = [*(node.start_mark.line for node in nodes), len(lines)]
    found: dict[str, tuple[int, int]] = {}
    for node, first, last in zip(nodes, starts, starts[1:], strict=False):
        while last > first + 1 and lines[last - 1].strip()[:1] in ("", "#"):
            last -= 1
        pairs = node.value if isinstance(node, yaml.MappingNode) else ()
        for key, value in pairs:
            if key.value == "id":
                before = sum(map(len, lines[:first]))
                found[value.value] = before, before + sum(map(len, lines[first:last]))
    return found
