"""Arguments that are not JSON: Python's, gemma's, and those that are tags.

A reader returns the arguments, or raises ValueError where they are no plain values.
"""

import ast
import json
import re
from typing import Any, Final
import warnings

from .json_reader import MAX_DEPTH, read_object
from .markup import closing_tag, tag_at

_PYTHON_TOKEN: Final = re.compile(
    r"""<\|"\|>.*?<\|"\|>|<escape>.*?<escape>|(?P<cut><\|"\|>|<escape>)
      |\"(?:[^"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|(?P<open>[(\[{])|(?P<close>[)\]}])
      |(?P<half>["'])""",
    re.DOTALL | re.VERBOSE,
)
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


def bracket_end(text: str, at: int) -> int | None:
    """Return the end of what the bracket at a position opens, None if it is not closed.

    Where another bracket is closed than was opened it ends as well.
    """
    stack: list[str] = []
    for token in _PYTHON_TOKEN.finditer(text, at):
        if token["open"]:
            stack.append(_CLOSING[token[0]])
        elif token["close"]:
            if stack.pop() != token[0] or not stack:
                return token.end()
        elif token["cut"] or token["half"]:
            return None
    return None


def read_python(text: str) -> dict[str, Any]:
    """Return the arguments in brackets: `(area="Kitchen")`, `({"area": "Kitchen"})`."""
    inner = text[1:-1].strip()
    if inner.startswith("{"):
        return read_object(inner)
    try:
        with warnings.catch_warnings(action="ignore", category=SyntaxWarning):
            call = ast.parse(f"f{text}", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as err:
        raise ValueError("no literal arguments") from err
    if not isinstance(call, ast.Call) or call.args:
        raise ValueError("arguments without names")
    keys = [keyword.arg for keyword in call.keywords]
    if None in keys or len(set(keys)) < len(keys):
        raise ValueError("arguments without names, or twice")
    try:
        values = [
            ast.literal_eval(_JsonConstants().visit(keyword.value))
            for keyword in call.keywords
        ]
        # What JSON has no form for, as a set, is no argument.
        arguments = json.dumps(dict(zip(keys, values, strict=True)), allow_nan=False)
    except (ValueError, TypeError, RecursionError, MemoryError) as err:
        raise ValueError("not a literal") from err
    if text.count("#") != arguments.count("#"):
        raise ValueError("a comment")
    read: dict[str, Any] = json.loads(arguments)
    return read


class _JsonConstants(ast.NodeTransformer):
    """Puts in what JSON calls by another name than Python."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the constant of a name."""
        constants = {"true": True, "false": False, "null": None}
        return ast.Constant(constants[node.id]) if node.id in constants else node


# What gemma writes around texts, which then are as they stand.
_GEMMA_TEXT: Final = re.compile(r'<\|"\|>(.*?)<\|"\|>|<escape>(.*?)<escape>', re.DOTALL)
GEMMA_QUOTE: Final = re.compile(r'<\|"\|>|<escape>')


def read_gemma(text: str) -> dict[str, Any]:
    """Return the arguments of gemma: `{area:<|"|>Kitchen<|"|>}`."""
    return read_object(
        _GEMMA_TEXT.sub(
            lambda found: json.dumps(found[1] if found[2] is None else found[2]), text
        )
    )


def read_parameters(text: str) -> dict[str, Any]:
    """Return the arguments that are tags, one each.

    `<parameter=area>Kitchen</parameter>`, `<param name="area">...`,
    `<argument key="area">...`, `<area>Kitchen</area>`, `<arg_key>area</arg_key>
    <arg_value>Kitchen</arg_value>`. Values stay texts: the schema says what they mean.
    """
    items, at = _elements(text, 0, 0)
    if text[at:].strip():
        raise ValueError("arguments that cannot be read")
    arguments: dict[str, Any] = {}
    keys = iter(items)
    for key, value in keys:
        if key == "arg_key":
            named, (key, value) = value, next(keys, ("", ""))
            if key != "arg_value" or not isinstance(named, str):
                raise ValueError("a key without a value")
            key = named.strip()
        if not key or key in arguments:
            raise ValueError("an argument without a name, or twice")
        arguments[key] = value
    return arguments


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
        if tag.is_parameter and tag.word not in {"arg_key", "arg_value"}:
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
    keys = [key for key, _ in items]
    if set(keys) == {"item"}:
        return [value for _, value in items]
    if len(set(keys)) < len(keys):
        raise ValueError("an argument twice")
    return dict(items)
