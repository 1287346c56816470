"""JSON and text as they really arrive.

JavaScript writes half a surrogate pair as an escape where a character is cut in two.
The standard library reads that; text that leaves this package never holds such a half.
"""

import codecs
import json
from typing import Any


def parse_json(data: bytes | str) -> Any:
    """Return the value, whose texts may hold half surrogate pairs. Raises ValueError."""
    text = data.decode(errors="replace") if isinstance(data, bytes) else data
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError as err:
        raise ValueError("nested too deeply") from err


def parse_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object in the text, also when it is quoted as a JSON string.

    Empty text and `null` stand for an object without members. None for all else.
    """
    for _ in range(2):
        if not text.strip():
            return {}
        try:
            # Written well-formed and read again, it holds no half of a pair.
            value = json.loads(dump_json(parse_json(well_formed(text))))
        except ValueError, RecursionError:
            return None
        if not isinstance(value, str):
            break
        text = value
    if value is None:
        return {}
    return value if isinstance(value, dict) else None


def dump_json(value: Any) -> str:
    """Return compact JSON text that can be encoded as UTF-8."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    return well_formed(text)


def well_formed(text: str) -> str:
    """Return the text with surrogate pairs joined and lone halves replaced."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def text_of(value: object) -> str:
    """Return a name or id that can be encoded, empty if it is not text."""
    return well_formed(value) if isinstance(value, str) else ""


def texts_of(value: object) -> tuple[str, ...]:
    """Return the texts in a list, nothing for anything else."""
    items = value if isinstance(value, list) else []
    return tuple(item for item in items if isinstance(item, str))


def count_of(value: object) -> int | None:
    """Return a number without its fraction, None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if abs(value) < 2**63 else None


class TextJoiner:
    """Makes well-formed text of strings or bytes that may be cut inside a character."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._half = ""

    def add(self, piece: str | bytes) -> str:
        """Return the text that a piece completes."""
        if isinstance(piece, bytes):
            text = self._half + self._decoder.decode(piece)
        else:
            text = self._half + self._decoder.decode(b"", True) + piece
        self._half = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return well_formed(text.removesuffix(self._half))

    def finish(self) -> str:
        """Return a replacement for what was never completed."""
        half, self._half = self._half, ""
        return well_formed(half) + self._decoder.decode(b"", True)


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")
