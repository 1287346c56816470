"""Read calls and results out of the text of a turn, whatever their exact shape."""

from collections.abc import Iterator, Mapping
import json
import re
from typing import Any, Final

from .model import Call, Result, short_name
from .text import fold

_FENCE: Final = re.compile(r"(?:```|~~~)[\w-]*[ \t]*\n?(.*?)(?:```|~~~|\Z)", re.DOTALL)
_DECODER: Final = json.JSONDecoder(strict=False)
NAME_KEYS: Final = ("name", "tool", "tool_name", "tool_result")
ARGUMENT_KEYS: Final = ("arguments", "parameters", "args", "input")
RESULT_KEYS: Final = (
    "result", "output", "data", "error", "success", "response", "content",
)  # fmt: skip


def json_objects(text: str) -> Iterator[dict[str, Any]]:
    """Yield the JSON objects that stand anywhere in a text, outermost first."""
    position = text.find("{")
    while position >= 0:
        try:
            value, end = _DECODER.raw_decode(text, position)
        except ValueError:
            end = position + 1
        else:
            if isinstance(value, dict):
                yield value
        position = text.find("{", end)


def is_result(text: str, expected: bool) -> bool:
    """Tell whether a user turn carries results of tools and not a sentence."""
    bodies = _bodies(text)
    if any(_decodes(body) for body in bodies):
        return True
    if not expected:
        return False
    return any(set(value) & set(RESULT_KEYS) for value in json_objects(text))


def _bodies(text: str) -> list[str]:
    bodies = [body.strip() for body in _FENCE.findall(text)]
    if not bodies and text.strip()[:1] in ("{", "["):
        bodies = [text.strip()]
    return bodies


def _decodes(body: str) -> bool:
    try:
        value, _ = _DECODER.raw_decode(body)
    except ValueError:
        return False
    return isinstance(value, dict | list)


def decode(text: str) -> Any:
    """Return the JSON value of a text, or the text."""
    try:
        return json.loads(text, strict=False)
    except ValueError:
        return text


def read_call(value: Mapping[str, Any]) -> Call | None:
    """Read a call in any of the forms that are in use."""
    inner = value.get("function")
    source = inner if isinstance(inner, dict) else value
    name = source.get("name") or source.get("tool")
    if not isinstance(name, str):
        return None
    arguments: Any = None
    for key in ARGUMENT_KEYS:
        if key in source:
            arguments = source[key]
            break
    if isinstance(arguments, str):
        arguments = decode(arguments)
    return Call(name, arguments if isinstance(arguments, dict) else {})


def read_results(text: str, waiting: list[Call]) -> Iterator[Result]:
    """Yield the results in a user turn."""
    found = False
    for body in _bodies(text) or [text]:
        value = decode(body)
        if isinstance(value, list) and all(isinstance(item, dict) for item in value):
            values: list[Any] = value
        else:
            values = list(json_objects(body)) if isinstance(value, str) else [value]
        for item in values:
            found = True
            yield read_result(item, waiting)
    if not found:
        yield read_result(text, waiting)


def read_result(value: Any, waiting: list[Call]) -> Result:
    """Take the wrapping off a result and join it to the call it answers."""
    call, name = None, None
    if isinstance(value, dict):
        name = next(
            (value[key] for key in NAME_KEYS if isinstance(value.get(key), str)), None
        )
        if not name and isinstance(value.get("call_id"), str):
            # A known client writes the tool's name into the id: `<name>__<24 digits>`.
            name = value["call_id"].rsplit("__", 1)[0]
    if isinstance(name, str):
        short = fold(short_name(name))
        call = next(
            (own for own in waiting if fold(short_name(own.name)) == short), None
        )
    if call is None and waiting:
        call = waiting[0]
    if call is not None:
        waiting.remove(call)
    data, error = _unwrap_result(value)
    return Result(data, error, call)


def _unwrap_result(value: Any, depth: int = 0) -> tuple[Any, str | None]:
    if isinstance(value, str):
        text = value.strip()
        if re.match(r"(error|denied|failed)\b", text, re.IGNORECASE):
            return value, text
        if (
            depth < 4
            and text[:1] in ("{", "[")
            and not isinstance(inner := decode(text), str)
        ):
            return _unwrap_result(inner, depth + 1)
        return value, None
    if not isinstance(value, dict) or depth >= 4:
        return value, None
    if error := _error_of(value):
        return value, error
    if "response_type" in value:
        return value, None
    for key in ("result", "output", "data", "response", "content"):
        if key in value and isinstance(value[key], dict | list | str):
            return _unwrap_result(value[key], depth + 1)
    return value, None


def _error_of(value: Mapping[str, Any]) -> str | None:
    flagged = (
        value.get("error") not in (None, False, "", {})
        or value.get("success") is False
        or value.get("is_error") is True
        or value.get("response_type") == "error"
        or value.get("status") in ("error", "failed", "refused")
    )
    if not flagged:
        return None
    for key in ("error_text", "error", "message", "reason", "result", "output", "data"):
        text = value.get(key)
        if isinstance(text, str) and text:
            return text
        if isinstance(text, dict):
            return _error_of(text) or next(
                (item for item in text.values() if isinstance(item, str) and item),
                json.dumps(text, ensure_ascii=False),
            )
    speech = value.get("speech")
    if isinstance(speech, dict) and isinstance(speech.get("plain"), dict):
        return str(speech["plain"].get("speech") or "error")
    return "error"
