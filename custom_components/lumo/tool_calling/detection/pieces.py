"""What an answer is made of: text, calls, and calls that cannot run."""

from typing import Any, NamedTuple

# Text to be shown or spoken. A plain string, because nearly every chunk becomes one.
Text = str


class DetectedCall(NamedTuple):
    """A call that was written as text.

    `name` is as written; `tool` the full name of the tool, None if only the prefix says
    that one of ours is meant; `source` the text it was read from, which calls of one
    array share; `form` is `raw`, `fenced`, `inline` or `tagged`.
    """

    name: str
    tool: str | None
    arguments: dict[str, Any]
    source: str
    form: str
    repaired: bool


class BrokenCall(NamedTuple):
    """A call that was begun but cannot run: incomplete or ambiguous.

    Its text is neither shown nor spoken; the model is told the reason.
    """

    name: str | None
    tool: str | None
    reason: str
    source: str


class ReplacedCall(NamedTuple):
    """A call that lacked a bracket, and that the model wrote again behind it."""

    name: str
    source: str


class Reasoning(NamedTuple):
    """A thought that the model wrote down; `source` has the tags around it as well."""

    text: str
    source: str


type Piece = Text | DetectedCall | BrokenCall | ReplacedCall | Reasoning
