"""What an answer is made of: words, calls, calls that cannot run, thoughts."""

from typing import Any, NamedTuple

# Words to be shown or spoken. A plain string, because nearly every chunk becomes one.
Text = str


class DetectedCall(NamedTuple):
    """A call that was written as text.

    `name` is as written; `tool` the full name of the tool, None where no tool is offered
    under this name; `source` the text it was read from, which calls of one array share.
    """

    name: str
    tool: str | None
    arguments: dict[str, Any]
    source: str
    is_asked: bool = False
    """A question stands behind it: it waits for a yes."""


class BrokenCall(NamedTuple):
    """A call that was begun but cannot run: incomplete or ambiguous.

    Its text is neither shown nor spoken; the model is told the reason.
    """

    name: str | None
    tool: str | None
    reason: str
    source: str


class Reasoning(NamedTuple):
    """A thought that the model wrote down; `source` has the tags around it as well."""

    text: str
    source: str


class Dropped(NamedTuple):
    """Text that is neither heard nor run, and why.

    A call that was written again, or an invented turn of somebody else. Tokens and tags
    of a chat template need no reason.
    """

    source: str
    reason: str


type Call = DetectedCall | BrokenCall
type Piece = Text | DetectedCall | BrokenCall | Reasoning | Dropped
