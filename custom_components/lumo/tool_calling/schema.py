"""JSON schemas of tools' parameters, reduced to what every service accepts.

Some refuse the whole request for one schema, perhaps of a foreign MCP server. Home
Assistant has written a server's schema anew (`probatio.to_openapi`), without references
and unknown types. Calls are checked against the tool's own schema.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Any, Final

from .detection.call_words import words
from .json_text import one_line, plain, text_of

# The keywords that tell a model something; all others only help a validator.
_KEPT: Final = words("""
    const default enum examples exclusiveMaximum exclusiveMinimum format maxItems
    maxLength maximum minItems minLength minimum multipleOf pattern type uniqueItems
""")
# Refused by OpenAI-style services beside `type: object` at the top.
_NOT_AT_THE_TOP: Final = words("const enum format items pattern")
_COMBINED: Final = ("allOf", "anyOf", "oneOf")

_EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})

_MAX_DEPTH: Final = 10
_MAX_ENUM: Final = 200
_MAX_DESCRIPTION: Final = 1000
# Characters of one tool's schema as JSON.
_MAX_SIZE: Final = 12_000


def acceptable(schema: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return a schema that any service accepts, and a note of what it cannot say.

    It has `type: object` and `properties`. A large one keeps the names of its members.
    """
    for depth in (_MAX_DEPTH, 1):
        cleaned = _cleaned(schema, depth)
        note = _join_at_the_top(cleaned)
        if "object" not in cleaned.pop("type", "object"):
            # The arguments of a call are an object, whatever the schema says.
            break
        properties = cleaned.pop("properties", {})
        cleaned = {"type": "object", "properties": properties} | cleaned
        if len(one_line(cleaned)) <= _MAX_SIZE:
            return cleaned, note
    return {"type": "object", "properties": {}}, ""


def description_of(description: object, note: str = "") -> str:
    """Return a tool's description, bounded, with a note of `acceptable` behind it."""
    text = text_of(description).strip() if isinstance(description, str) else ""
    if len(text) > _MAX_DESCRIPTION:
        end = text.rfind(" ", 0, _MAX_DESCRIPTION)
        text = text[: end if end > 0 else _MAX_DESCRIPTION].rstrip() + "…"
    if text and note and text[-1] not in ".!?…:":
        text += "."
    return f"{text} {note}".strip()


def _cleaned(schema: object, depth: int) -> dict[str, Any]:
    """Return a copy of a schema that is so many levels deep."""
    result: dict[str, Any] = {}
    for key, value in schema.items() if isinstance(schema, Mapping) else ():
        match key, value:
            case "properties", {**members} if depth and members:
                result[key] = {
                    text_of(str(name)): _cleaned(item, depth - 1)
                    for name, item in members.items()
                }
            case "items" | "additionalProperties", {**inner} if depth and inner:
                result[key] = _cleaned(inner, depth - 1)
            case "allOf" | "anyOf" | "oneOf", [*branches] if depth:
                result[key] = [_cleaned(branch, depth - 1) for branch in branches]
            case "required", [*names] if depth and names:
                result[key] = [text_of(str(name)) for name in names]
            case "description", str():
                result[key] = description_of(value)
            case _ if key in _KEPT and (item := plain(value)) not in _EMPTY:
                result[key] = item
    if len(items := result.get("enum", ())) > _MAX_ENUM:
        del result["enum"]
        text = f"One of {len(items)}, such as {', '.join(map(str, items[:3]))}."
        result["description"] = description_of(result.get("description"), text)
    return result


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
        if keyword == "allOf" and any(required):
            names = chain(schema.get("required", ()), *required)
            schema["required"] = [*dict.fromkeys(names)]
        elif len(required) > 1 and all(required):
            notes.append(f"Give {', or '.join(map(' and '.join, required))}.")
    for keyword in _NOT_AT_THE_TOP:
        schema.pop(keyword, None)
    return " ".join(filter(None, notes))
