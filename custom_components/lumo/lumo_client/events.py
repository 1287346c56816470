"""What can happen while Lumo answers, a frozen class each; End comes last.

A FunctionCall comes when the answer is complete; FunctionCallBegun says where it stood
among the texts. `in_clear` marks what came unencrypted though the request was
encrypted: words may be shown, a call must never run.
"""

from dataclasses import dataclass, field
from typing import Any

from .wire_json import count_of, text_of


@dataclass(frozen=True, slots=True)
class Progress:
    """Nothing yet: the request waits (`queued`) or is being read (`ingesting`)."""

    stage: str


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of what the model says."""

    text: str
    in_clear: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """A piece of what the model thinks."""

    text: str


@dataclass(frozen=True, slots=True)
class FunctionCallBegun:
    """The model begins to call a function; text behind it knows no result."""

    name: str


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """The model calls one of the request's function tools.

    `raw` is the text of the arguments, `arguments` the object in it or None.
    """

    call_id: str
    name: str
    arguments: dict[str, Any] | None
    raw: str
    in_clear: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class ServerToolCall:
    """The model calls a tool through Proton's own channel: announced, then dispatched.

    A name that is not Proton's is our misrouted call. An old-style call that cannot
    be read has no `name`, and all of it in `raw`.
    """

    call_id: str
    name: str
    arguments: dict[str, Any] | None
    raw: str
    in_clear: bool = field(default=False, compare=False)

    @property
    def announced(self) -> bool:
        """Return whether this is the announcement, not yet the call."""
        return self.arguments is None and not self.raw


@dataclass(frozen=True, slots=True)
class ServerToolResult:
    """What Proton's side answered to a call on its own channel."""

    call_id: str
    content: str
    failed: bool


@dataclass(frozen=True, slots=True)
class ImageData:
    """A picture that the model has made: the bytes of a file."""

    data: bytes = field(repr=False)
    in_clear: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Limits:
    """Requests left per pool; None where the service reports no limit."""

    lite: int | None = None
    max: int | None = None
    images: int | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What the answer cost; `category` is the pool that it was counted against.

    Only a key that is served as a guest has `remaining`.
    """

    completion_tokens: int | None = None
    prompt_tokens: int | None = None
    category: str | None = None
    remaining: Limits | None = None


@dataclass(frozen=True, slots=True)
class End:
    """The answer is complete; `reason` is `stop`, `tool_calls`, `length` or None."""

    reason: str | None


type Event = (
    Progress
    | TextDelta
    | ReasoningDelta
    | FunctionCallBegun
    | FunctionCall
    | ServerToolCall
    | ServerToolResult
    | ImageData
    | Usage
    | End
)


def read_limits(value: object) -> Limits | None:
    """Return the pools of a `limits` or `remaining_limits` object."""
    if not isinstance(value, dict):
        return None
    return Limits(
        lite=count_of(value.get("lite")),
        max=count_of(value.get("max")),
        images=count_of(value.get("images")),
    )


def read_usage(value: dict[str, Any]) -> Usage:
    """Return the content of a `usage` object."""
    return Usage(
        completion_tokens=count_of(value.get("completion_tokens")),
        prompt_tokens=count_of(value.get("prompt_tokens")),
        category=text_of(value.get("applied_limit_category")) or None,
        remaining=read_limits(value.get("remaining_limits")),
    )
