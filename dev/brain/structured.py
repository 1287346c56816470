"""Data for a form: a JSON schema, beside the messages or behind the last sentence.

The values come from what was asked, as far as a few rules find them there: a choice or
a number that is named, the first words, what a description gives as an example.
"""

from collections.abc import Mapping, Sequence
import json
import re
from typing import Any, Final

from .model import Say
from .prompt import unwrap
from .text import fold
from .wire import json_objects

_NUMBER: Final = re.compile(r"(?<![\w.])-?\d+(?:[.,]\d+)?(?![\w.])")
_EXAMPLE: Final = re.compile(r"[Ss]uch as ")
_QUOTED: Final = re.compile(r"[\"“„«']([^\"”“»'\n]{2,60})[\"”“»']")
_ALIAS: Final = re.compile(r"^\s*(?:alias|name)\s*: *[\"']?([^\n\"']+)", re.MULTILINE)
_NEGATION: Final = re.compile(
    r"(?i)\b(?:no|not|none|nothing|nobody|kein\w*|nicht|nichts|niemand)\b"
)
# How a text of a kind looks, by a word of its schema.
_WRITTEN: Final = {
    "YYYY-MM-DD HH": "2026-11-22 18:30:00", "YYYY-MM-DD": "2026-11-22",
    "HH:MM:SS": "18:30:00", "date-time": "2026-11-22 18:30:00",
    "UUID": "7f3b1f2e-9f1a-4c53-8a44-0d9a8c8e6c11", "jinja2": "{{ now() }}",
    "Jinja2": "{{ now() }}", "/backup": "backups",
}  # fmt: skip
_MAX_WORDS: Final = 5


def form_of(messages: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], str] | None:
    """Return the schema that the last answer must have, and what was asked for."""
    for message in reversed(messages):
        if message.get("role") != "user":
            continue
        _, said = unwrap(str(message.get("content", "")))
        for value in json_objects(said):
            if value.get("type") == "object" and "properties" in value:
                return value, said[: said.rindex("\n")]
    return None


def fill(schema: Mapping[str, Any], asked: str) -> Say:
    """Return the data that the schema describes, as JSON."""
    return Say(json.dumps(_value(schema, asked, ""), ensure_ascii=False))


def _value(schema: Mapping[str, Any], asked: str, key: str) -> Any:
    choices = {str(item): item for item in schema.get("enum", ())} | {
        str(item.get("title", item.get("const"))): item.get("const")
        for item in schema.get("oneOf", ())
    }
    if choices:
        named = [name for name in choices if f" {fold(name)} " in f" {fold(asked)} "]
        return choices[named[0] if named else next(iter(choices))]
    if branches := schema.get("anyOf"):
        return _value(branches[0], asked, key)
    match schema.get("type"):
        case "object":
            return _object(schema, asked)
        case "array":
            return _array(schema, asked, key)
        case "boolean":
            return _NEGATION.search(asked) is None
        case "number" | "integer":
            return _number(schema, asked)
    return _text(schema, asked, key)


def _object(schema: Mapping[str, Any], asked: str) -> Any:
    properties = schema.get("properties", {})
    if not properties and (example := _example(schema)):
        return example
    return {key: _value(item, asked, key) for key, item in properties.items()}


def _array(schema: Mapping[str, Any], asked: str, key: str) -> Any:
    if isinstance(example := _example(schema), list):
        return example
    about = {"description": schema.get("description", "")}
    item = _value(about | schema.get("items", {}), asked, key)
    return [item] * max(1, schema.get("minItems", 1))


def _number(schema: Mapping[str, Any], asked: str) -> int | float:
    low, high = schema.get("minimum"), schema.get("maximum")
    for written in _NUMBER.findall(asked):
        number = float(written.replace(",", "."))
        if (low is None or number >= low) and (high is None or number <= high):
            return int(number) if number.is_integer() else number
    return low if low is not None else high if high is not None else 1


def _text(schema: Mapping[str, Any], asked: str, key: str) -> str:
    known = " ".join(str(schema.get(word, "")) for word in ("format", "description"))
    known += str(schema.get("pattern", ""))
    for word, text in _WRITTEN.items():
        if word in known:
            return text
    if isinstance(example := _example(schema), str):
        return example
    for pattern in (_ALIAS, _QUOTED):
        if key != "description" and (found := pattern.search(asked)):
            return found[1].strip()
    words = asked.split()
    count = len(words) if key == "description" else _MAX_WORDS
    return " ".join(words[: min(count, 20)]).strip(".,:!?") or key or "text"


def _example(schema: Mapping[str, Any]) -> Any:
    description = str(schema.get("description", ""))
    if not (found := _EXAMPLE.search(description)):
        return None
    rest = description[found.end() :]
    try:
        return json.JSONDecoder().raw_decode(rest)[0]
    except ValueError:
        return re.split(r"[ ,]|\.$|\.\s", rest, maxsplit=1)[0]
