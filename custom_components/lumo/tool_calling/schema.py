"""JSON schemas of tools' parameters, reduced to what every service accepts.

Some refuse the whole request for one schema, perhaps of a foreign MCP server: so it is an
object at the top, without references, bounded in depth and size. Calls are checked
against the tool's own schema.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from .detection.call_words import words
from .json_text import NOTHING, one_line, plain, text_of

_TYPES: Final = words("array boolean integer null number object string")
# The keywords that tell a model something; all others only help a validator.
_KEPT: Final = words("""
    additionalProperties allOf anyOf const default description enum examples
    exclusiveMaximum exclusiveMinimum format items maxItems maxLength maximum minItems
    minLength minimum multipleOf oneOf pattern properties required type uniqueItems
""")
# Refused by OpenAI-style services beside `type: object` at the top.
_NOT_AT_THE_TOP: Final = words("""
    allOf anyOf const enum format items oneOf pattern
""")
_COMBINED: Final = ("allOf", "anyOf", "oneOf")
_SCHEMAS: Final = frozenset({"additionalProperties", "items", "properties", *_COMBINED})
# Only what has the right shape is kept of these.
_SHAPED: Final = _SCHEMAS | words("description enum format pattern required type")

_MAX_DEPTH: Final = 10
_MAX_NODES: Final = 1500
_MAX_ENUM: Final = 200
_MAX_DESCRIPTION: Final = 1000
# Characters of one tool's schema as JSON.
_MAX_SIZE: Final = 12_000


def open_object() -> dict[str, Any]:
    """Return the schema of an object with any members."""
    return {"type": "object", "properties": {}}


def acceptable(schema: object) -> tuple[dict[str, Any], str]:
    """Return a schema that any service accepts, and a note of what it cannot say.

    It has `type: object` and `properties`. Never raises.
    """
    if not isinstance(schema, Mapping):
        return open_object(), ""
    for depth in (_MAX_DEPTH, 2, 1):
        cleaner = _Cleaner(schema, depth)
        cleaned = cleaner.clean(schema)
        note = _join_at_the_top(cleaned)
        types = cleaned.pop("type", "object")
        if types != "object" and "object" not in types:
            # The arguments of a call are an object, whatever the schema says.
            return open_object(), ""
        properties = cleaned.pop("properties", {})
        cleaned = {"type": "object", "properties": properties} | cleaned
        _keep_known_required(cleaned)
        if cleaner.nodes >= 0 and len(one_line(cleaned)) <= _MAX_SIZE:
            return cleaned, note
    return open_object(), ""


def brief(schema: Any) -> Any:
    """Return what `acceptable` returned with fewer characters and the same meaning."""
    if isinstance(schema, list):
        return [brief(item) for item in schema]
    if isinstance(schema, float) and schema.is_integer():
        return int(schema)
    if not isinstance(schema, dict):
        return schema
    short = {key: brief(value) for key, value in schema.items()}
    enum = short.get("enum")
    if short.get("type") == "string" and isinstance(enum, list):
        if all(isinstance(item, str) for item in enum):
            del short["type"]
    return short


def description_of(description: object, note: str = "") -> str:
    """Return a tool's description, bounded, with a note of `acceptable` behind it."""
    text = text_of(description).strip() if isinstance(description, str) else ""
    if len(text) > _MAX_DESCRIPTION:
        end = text.rfind(" ", 0, _MAX_DESCRIPTION)
        text = text[: end if end > 0 else _MAX_DESCRIPTION].rstrip() + "…"
    if text and note and text[-1] not in ".!?…:":
        text += "."
    return f"{text} {note}".strip()


@dataclass(slots=True)
class _Cleaner:
    """Copies one schema, resolving its references, within a budget."""

    root: Mapping[Any, Any]
    """The schema that references point into."""
    depth: int
    nodes: int = _MAX_NODES
    """So many are left; below 0 the schema was larger than the budget."""

    def clean(
        self, schema: object, depth: int = 0, inside: tuple[str, ...] = ()
    ) -> dict[str, Any]:
        """Return a copy; `inside` are the references that are being resolved."""
        self.nodes -= 1
        if self.nodes < 0 or not isinstance(schema, Mapping):
            return {}
        if isinstance(reference := schema.get("$ref"), str):
            # A schema that contains itself is anything from the second time on.
            known = reference not in inside and len(inside) < self.depth
            if known and (target := self._look_up(reference)) is not None:
                siblings = {k: v for k, v in schema.items() if k != "$ref"}
                return self.clean(
                    {**target, **siblings}, depth, (*inside, reference)
                ) or {"type": "object"}

        result: dict[str, Any] = {}
        for key, value in schema.items():
            if key in _KEPT:
                cleaned = self._keyword(key, value, depth, inside)
                if cleaned is not NOTHING:
                    result[key] = cleaned
        if isinstance(items := schema.get("enum"), list) and len(items) > _MAX_ENUM:
            examples = ", ".join(str(item) for item in plain(items[:3]))
            result["description"] = description_of(
                result.get("description"), f"One of {len(items)}, such as {examples}."
            )
        if depth:
            _keep_known_required(result)
        return result

    def _look_up(self, reference: str) -> Mapping[Any, Any] | None:
        if not reference.startswith("#"):
            return None
        found: Any = self.root
        for part in reference[1:].split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, Mapping) or part not in found:
                return None
            found = found[part]
        return found if isinstance(found, Mapping) else None

    def _keyword(
        self, key: str, value: object, depth: int, inside: tuple[str, ...]
    ) -> Any:
        """Return the copy of a keyword's value, or NOTHING."""
        if depth >= self.depth and key in _SCHEMAS:
            return NOTHING
        cleaned: Any = NOTHING
        match key, value:
            case "properties", {}:
                cleaned = {
                    text_of(name): self.clean(schema, depth + 1, inside)
                    for name, schema in value.items()
                    # `false` says that there must be no such member.
                    if isinstance(name, str) and schema is not False
                }
            case "items" | "additionalProperties", {}:
                return self.clean(value, depth + 1, inside)
            case "allOf" | "anyOf" | "oneOf", list():
                cleaned = [
                    self.clean(branch, depth + 1, inside)
                    for branch in value
                    if isinstance(branch, Mapping) or branch is True
                ]
            case "description", str():
                cleaned = description_of(value)
            case "required", list() | tuple():
                cleaned = [text_of(name) for name in value if isinstance(name, str)]
            case "enum", list() | tuple() if len(value) <= _MAX_ENUM:
                cleaned = plain(value)
            case "type", _:
                cleaned = _types(value)
            case "format" | "pattern", str():
                cleaned = text_of(value)
            case _ if key not in _SHAPED:
                cleaned = plain(value)
        # Older drafts refuse an empty list.
        is_empty = cleaned in (None, [], {}, "") and key != "const"
        return NOTHING if is_empty else cleaned


def _types(value: object) -> Any:
    # Some servers write them in capitals.
    written = value if isinstance(value, list | tuple) else [value]
    names = [item.lower() for item in written if isinstance(item, str)]
    types = [name for name in names if name in _TYPES]
    return types if len(types) > 1 else types[0] if types else NOTHING


def _keep_known_required(schema: dict[str, Any]) -> None:
    if "required" not in schema or "properties" not in schema:
        return
    properties = schema["properties"]
    schema["required"] = [
        name for name in dict.fromkeys(schema["required"]) if name in properties
    ]
    if not schema["required"]:
        del schema["required"]


def _join_at_the_top(schema: dict[str, Any]) -> str:
    """Make combined schemas at the top one object; return what is left in words.

    Home Assistant's timers require one of hours, minutes, seconds by `anyOf`.
    """
    notes: list[str] = []
    for keyword in _COMBINED:
        branches = [
            branch
            for branch in schema.pop(keyword, ())
            if "object" in branch.get("type", "object")
        ]
        for branch in branches:
            notes.append(_join_at_the_top(branch))
            schema["properties"] = {
                **branch.get("properties", {}),
                **schema.get("properties", {}),
            }
        required = [branch.get("required", []) for branch in branches]
        if keyword == "allOf":
            schema["required"] = [*schema.get("required", ()), *chain(*required)]
        elif len(required) > 1 and all(required):
            notes.append(f"Give {', or '.join(map(' and '.join, required))}.")
    for keyword in _NOT_AT_THE_TOP:
        schema.pop(keyword, None)
    return " ".join(filter(None, notes))
