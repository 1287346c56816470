"""Arguments that are tags."""

import re
from typing import Any, Final

from .json_reader import MAX_DEPTH
from .markup import closing_tag, tag_at

# GLM's two tags for each.
_PAIR: Final = re.compile(
    r"<arg_key>\s*([^<>\"]*?)\s*</arg_key>\s*<arg_value>(.*?)</arg_value>", re.DOTALL
)


def read_parameters(text: str) -> dict[str, Any]:
    """Return the arguments that are tags, one each.

    `<parameter=area>Kitchen</parameter>`, `<param name="area">...`,
    `<argument key="area">...`, `<area>Kitchen</area>`, `<arg_key>area</arg_key>
    <arg_value>Kitchen</arg_value>`. Values stay texts: the schema says what they mean.
    Raises ValueError, with the reason, for anything else.
    """
    text = _PAIR.sub(r'<parameter name="\1">\2</parameter>', text)
    items, at = _elements(text, 0, 0)
    if text[at:].strip():
        raise ValueError("arguments that cannot be read")
    return _object(items)


def _object(items: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(items)
    if "" in members or len(members) < len(items):
        raise ValueError("an argument without a name, or twice")
    return members


def _elements(text: str, at: int, depth: int) -> tuple[list[tuple[str, Any]], int]:
    """Return the elements that begin at a position, and the end of the last."""
    found: list[tuple[str, Any]] = []
    while True:
        begin = at
        while begin < len(text) and text[begin].isspace():
            begin += 1
        tag = tag_at(text, begin) if depth <= MAX_DEPTH else None
        if tag is None or tag.closes:
            return found, at
        close = closing_tag(text, tag.end, [tag])
        if close is None:
            raise ValueError(f"<{tag.word}> is not closed")
        inner = text[tag.end : close[0]]
        at = close[1]
        attributes = dict(tag.attributes)
        key: str | None = tag.word
        if tag.is_parameter:
            key = attributes.get("") or attributes.get("name") or attributes.get("key")
        elif attributes:
            raise ValueError("attributes")
        found.append((key or "", _content(inner, tag.is_parameter, depth)))


def _content(inner: str, is_parameter: bool, depth: int) -> Any:
    """Return what an element holds: a text, or of elements a list or an object."""
    if is_parameter or not inner.lstrip().startswith("<"):
        if "<" in inner and re.search(r"</?(?:[\w.\-]+:)?(?:param|arg)", inner):
            raise ValueError("an argument in an argument")
        return inner.removeprefix("\n").removesuffix("\n")
    items, end = _elements(inner, 0, depth + 1)
    if not items or inner[end:].strip():
        return inner
    if {key for key, _ in items} == {"item"}:
        return [value for _, value in items]
    return _object(items)
