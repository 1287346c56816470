"""Read texts that are one JSON value and nothing else."""

from typing import Any

from .json_reader import JsonReader


def read_json(text: str) -> Any:
    """Return the object or array that a text is, and that alone.

    Raises ValueError, with the reason, for anything incomplete or ambiguous.
    """
    reader = JsonReader()
    end = reader.feed(text)
    if reader.failed is not None:
        raise ValueError(reader.failed)
    if not reader.done:
        raise ValueError("incomplete")
    if text[end:].strip():
        raise ValueError("text behind it")
    check(reader)
    return reader.root


def read_object(text: str) -> dict[str, Any]:
    """Return the object that a text is, also if it was put into a JSON text again.

    Raises ValueError, with the reason, for anything else.
    """
    for _ in range(3):
        text = text.lstrip()
        if not text.startswith('"'):
            break
        value = read_json(f"[{text}]")
        if len(value) != 1 or not isinstance(value[0], str):
            raise ValueError("no object")
        text = value[0]
    value = read_json(text)
    if not isinstance(value, dict):
        raise ValueError("no object")  # noqa: TRY004 - like everything else here
    return value


def check(reader: JsonReader) -> None:
    """Raise ValueError if what was read has more than one meaning."""
    if reader.duplicate is not None:
        raise ValueError(f"the key {reader.duplicate!r} stands there twice")
    if reader.swallowed:
        raise ValueError("a comment holds more than words")
    if reader.barewords:
        raise ValueError(f"{reader.barewords[0]!s} has no quotes")
