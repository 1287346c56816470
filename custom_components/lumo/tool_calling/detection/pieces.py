"""What an answer is made of: words, calls, calls that cannot run, thoughts."""

from typing import Any, NamedTuple


class DetectedCall(NamedTuple):
    """A call that was written as text.

    `name` is as written, `tool` the full name of the tool if one is offered under it,
    `source` the text it was read from, which calls of one array share.
    """

    name: str
    tool: str | None
    arguments: dict[str, Any]
    source: str
    is_asked: bool = False
    """A question stands behind it: it waits for a yes."""


class BrokenCall(NamedTuple):
    """A call that cannot run: incomplete or ambiguous. The model is told the reason."""

    name: str | None
    tool: str | None
    reason: str
    source: str


class Reasoning(NamedTuple):
    """A thought that the model wrote down; `source` has the tags around it as well."""

    text: str
    source: str


class Dropped(NamedTuple):
    """Text that is neither heard nor run, and why; tokens and tags need no reason."""

    source: str
    reason: str


type Call = DetectedCall | BrokenCall
# A string is words to be shown or spoken.
type Piece = str | DetectedCall | BrokenCall | Reasoning | Dropped
