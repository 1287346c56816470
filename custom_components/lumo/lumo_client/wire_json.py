"""JSON and text as they really arrive.

JavaScript programs do write half a surrogate pair as an escape (a character outside the
Basic Multilingual Plane cut in two). Such a line must not be lost, so the standard
library reads it and not orjson, which refuses it. Text that leaves this package never
holds half a pair: nothing behind it could encode it.
"""

import codecs
import json
from typing import Any

import orjson


def parse_json(data: bytes | str) -> Any:
    """Return the parsed value; strings in it may hold half a surrogate pair.

    Raises ValueError for anything that is not JSON, and nothing else.
    """
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
            # What the library reads again holds no half of a pair.
            value = orjson.loads(dump_json(parse_json(well_formed(text))))
        except ValueError:
            return None
        if not isinstance(value, str):
            break
        text = value
    if value is None:
        return {}
    return value if isinstance(value, dict) else None


def dump_json(value: Any) -> str:
    """Return compact JSON text that can be encoded as UTF-8."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # Half a surrogate pair, a large integer or a foreign type.
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
    """Return the texts in a list, none if it is no list."""
    items = value if isinstance(value, list) else []
    return tuple(item for item in items if isinstance(item, str))


def count_of(value: object) -> int | None:
    """Return a number without its fraction, None if it is none that can be counted."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if abs(value) < 2**63 else None


class TextJoiner:
    """Makes well-formed text of pieces that may be cut inside a character.

    Pieces are strings (cut between the halves of a surrogate pair) or bytes (cut inside
    a UTF-8 sequence).
    """

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
