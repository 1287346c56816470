"""Habits and faults of the stream: its form, its pace, where it breaks."""

from collections.abc import Callable

from ..plan import (
    BadText,
    Comment,
    Done,
    Drop,
    Failure,
    Finish,
    FunctionCall,
    Hang,
    Pause,
    Reasoning,
    Step,
    Text,
    Usage,
)
from .base import Exchange, Scenario, register

QUEUED_SECONDS = 0.5
CHUNK_SECONDS = 0.05
HEADER_SECONDS = 2.0
# What the service itself may take at most, by Proton's web client.
LATEST_HEADER_SECONDS = 60.0


@register("legacy")
class Legacy(Scenario):
    """The message types of the time before the current stream form."""


@register("framing")
class Framing(Scenario):
    """Every liberty of the line format: CRLF, bare JSON lines, bytes cut anywhere."""


@register("reasoning")
class Thinking(Scenario):
    """The model thinks before it answers."""

    def revise(self, exchange: Exchange, plan: list[Step]) -> list[Step]:
        """Put thoughts before the first thing that is no comment."""
        start = _first(plan, lambda step: not isinstance(step, Comment))
        thoughts = ["The", " user", " wants", " something", ".", " Let me", " see", "."]
        return [*plan[:start], *map(Reasoning, thoughts), *plan[start:]]


@register("slow")
class Slow(Scenario):
    """Waiting for capacity, then one piece after the other."""

    between = CHUNK_SECONDS

    def revise(self, exchange: Exchange, plan: list[Step]) -> list[Step]:
        """Put waiting before and between."""
        waiting: list[Step] = [Comment("queued"), Pause(QUEUED_SECONDS)] * 3
        for step in plan:
            waiting.append(step)
            if isinstance(step, Text | Reasoning | FunctionCall):
                waiting.append(Pause(self.between))
        return waiting


@register("unhurried")
class Unhurried(Slow):
    """As slowly as one speaks: each piece can be seen."""

    between = 0.3


@register("silent")
class Silent(Scenario):
    """No headers until the client gives up."""

    def revise(self, exchange: Exchange, plan: list[Step]) -> list[Step]:
        """Wait instead."""
        return [Hang()]


@register("cut")
class Cut(Scenario):
    """The connection breaks in the middle of the answer."""

    def revise(self, exchange: Exchange, plan: list[Step]) -> list[Step]:
        """Break after half of the text."""
        return [*_beginning(plan, 2), Drop()]


@register("no_done")
class NoDone(Scenario):
    """The stream ends without finish reason and without end mark."""

    def revise(self, exchange: Exchange, plan: list[Step]) -> list[Step]:
        """Leave the end away."""
        return [step for step in plan if not isinstance(step, Finish | Usage | Done)]


@register("bad_chunk")
class BadChunk(Scenario):
    """One piece fails authentication; in clear, one line is broken JSON."""

    def revise(self, exchange: Exchange, plan: list[Step]) -> list[Step]:
        """Spoil the text's middle, or a call's arguments where there is no text."""
        texts = [place for place, step in enumerate(plan) if isinstance(step, Text)]
        if texts:
            place = texts[len(texts) // 2]
            return [*plan[:place], BadText(), *plan[place + 1 :]]
        return [
            FunctionCall(step.index, step.call_id, step.name, step.fragments, bad=True)
            if isinstance(step, FunctionCall)
            else step
            for step in plan
        ]


class _Failing(Scenario):
    """The generation fails after the first words."""

    failure: Failure

    def revise(self, exchange: Exchange, plan: list[Step]) -> list[Step]:
        """Put the error where the rest would be."""
        return [*_beginning(plan, 3), self.failure, Done()]


@register("timeout")
class Timeout(_Failing):
    """The service is too busy."""

    failure = Failure("timeout", "The request timed out.", legacy="timeout")


@register("rejected")
class Rejected(_Failing):
    """The service refuses because of high demand."""

    failure = Failure(
        "rejected",
        "Request was rejected due to high demand. Please try again later.",
        legacy="rejected",
    )


@register("stream_error")
class StreamError(_Failing):
    """The generation fails for no known reason."""

    failure = Failure("error", "Generation failed.")


@register("content_filter")
class ContentFilter(Scenario):
    """The service does not want to answer this."""

    def revise(self, exchange: Exchange, plan: list[Step]) -> list[Step]:
        """End early, with that reason."""
        comments = [step for step in plan if isinstance(step, Comment)]
        return [*comments, Finish("content_filter"), Usage(), Done()]


def _first(plan: list[Step], matches: Callable[[Step], bool]) -> int:
    return next((n for n, step in enumerate(plan) if matches(step)), len(plan))


def _beginning(plan: list[Step], part: int) -> list[Step]:
    """Return the plan up to a part of its texts; some words where it has none."""
    texts = [place for place, step in enumerate(plan) if isinstance(step, Text)]
    if texts:
        return plan[: texts[len(texts) // part] + (1 if len(texts) > 1 else 0)]
    comments = [step for step in plan if isinstance(step, Comment | Pause)]
    return [*comments, Text("One"), Text(" moment")]
