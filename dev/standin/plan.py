"""The plan of an answer: what the model decided, and the steps that deliver it.

A plan is a list of steps, one for each event of the stream, so that a scenario can
change, delay or break any of them. `stream` and `completion` turn steps into bytes.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
import json
import re
import secrets
from typing import Any, Literal

type Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Say:
    """The model says something."""

    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """The model wants a tool called; the name as it will be written."""

    name: str
    arguments: Json


@dataclass(frozen=True, slots=True)
class Draw:
    """The model makes a picture with a tool of the service."""

    tool: str
    prompt: str


type Decision = Say | Call | Draw


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment line: `queued`, `ingesting`, anything to keep the line open."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class Reasoning:
    """A piece of the model's thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class BadText:
    """A piece that the client cannot read: not authentic, or not JSON."""


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A call of a client's function tool, in one or several fragments."""

    index: int
    call_id: str
    name: str
    fragments: tuple[str, ...]
    bad: bool = False  # the arguments fail authentication


@dataclass(frozen=True, slots=True)
class ServerCall:
    """A call on the service's own channel: announcement first, then the dispatch.

    `members` are what the dispatch adds to id and name, usually `arguments`; None for
    the announcement.
    """

    call_id: str
    name: str
    members: Json | None = None


@dataclass(frozen=True, slots=True)
class ServerResult:
    """What a tool of the service answered, or `{"error":true}`."""

    call_id: str
    content: str


@dataclass(frozen=True, slots=True)
class ImageData:
    """A picture that the model has made; `damage` says what is wrong with it."""

    image_id: str
    data: bytes
    damage: Literal["", "cut", "sealed_badly", "in_clear"] = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """An error inside the stream."""

    code: str
    message: str
    kind: str = "server_error"
    legacy: str = "error"


@dataclass(frozen=True, slots=True)
class Finish:
    """The chunk with the finish reason."""

    reason: str


@dataclass(frozen=True, slots=True)
class Usage:
    """The usage chunk."""


@dataclass(frozen=True, slots=True)
class Done:
    """The end mark."""


@dataclass(frozen=True, slots=True)
class Pause:
    """Nothing for some seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Hang:
    """Nothing until the client gives up."""


@dataclass(frozen=True, slots=True)
class Drop:
    """The connection breaks, in the middle of a line."""


type Step = (
    Comment
    | Text
    | Reasoning
    | BadText
    | FunctionCall
    | ServerCall
    | ServerResult
    | ImageData
    | Failure
    | Finish
    | Usage
    | Done
    | Pause
    | Hang
    | Drop
)


def dump(value: object) -> str:
    """Spell a value as JSON."""
    return json.dumps(value, ensure_ascii=False)


def _each_alone(objects: list[str]) -> list[str]:
    return objects


@dataclass(slots=True)
class Writing:
    """How the calls of one answer are written: what scenarios change.

    Attributes:
        as_text: print calls even where function tools were offered.
        spell: a call's object, or its arguments, to JSON.
        arrange: the calls' JSON texts to the blocks that are printed.
        fence: what stands before and after each block.
        around: what is said before and after the blocks.
        fragmented: whether native arguments come in several pieces.
        native_count: how many calls the function channel has taken.

    """

    as_text: bool = False
    spell: Callable[[Json], str] = dump
    arrange: Callable[[list[str]], list[str]] = _each_alone
    fence: tuple[str, str] = ("```json\n", "\n```")
    around: tuple[str, str] = ("", "")
    fragmented: bool = False
    native_count: int = 0

    def print_calls(self, calls: Iterable[Call]) -> Text:
        """Return the calls as one text."""
        objects = [
            self.spell({"name": call.name, "arguments": call.arguments})
            for call in calls
        ]
        opening, closing = self.fence
        blocks = "\n\n".join(
            f"{opening}{block}{closing}" for block in self.arrange(objects)
        )
        before, after = self.around
        return Text(f"{before}{blocks}{after}")

    def native_calls(self, calls: Iterable[Call]) -> list[Step]:
        """Return the calls as steps of the function channel."""
        return [self.native_call(call) for call in calls]

    def native_call(self, call: Call) -> FunctionCall:
        """Return a call as a step of the function channel, under the next index."""
        arguments = self.spell(call.arguments)
        middle = len(arguments) // 2
        index = self.native_count
        self.native_count += 1
        return FunctionCall(
            index,
            new_call_id(),
            call.name,
            (arguments[:middle], arguments[middle:])
            if self.fragmented
            else (arguments,),
        )


def new_call_id() -> str:
    """Return a call id as the service makes them."""
    return f"call_{secrets.token_hex(6)}"


# What a model emits at once: a short word with the blank before it, some digits, some
# punctuation. Whatever else there is comes character by character.
_PIECE = re.compile(r" ?[^\W\d_]{1,7}|\d{1,3}| ?[^\w\s]{1,3}|.", re.DOTALL)


def in_pieces(steps: Iterable[Step]) -> list[Step]:
    """Split the texts of a plan into pieces of the size that models emit."""
    split: list[Step] = []
    for step in steps:
        if isinstance(step, Text):
            split += [Text(piece) for piece in _PIECE.findall(step.text)]
        else:
            split.append(step)
    return split
