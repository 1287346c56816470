"""From a request to the plan of its answer."""

from itertools import groupby
from typing import Any, Protocol

from .plan import (
    Call,
    Comment,
    Decision,
    Done,
    Finish,
    FunctionCall,
    Json,
    Reasoning,
    Say,
    Step,
    Text,
    Usage,
    in_pieces,
)
from .scenarios import Exchange, Scenario


class Brain(Protocol):
    """What decides what the model answers; `dev.brain` has the real one."""

    def answer(
        self, messages: list[dict[str, str]], function_tools: list[Json]
    ) -> list[Any]:
        """Return what to say (`text`) and to call (`name`, `arguments`), in order."""


def ask(
    brain: Brain, messages: list[dict[str, str]], tools: list[Json]
) -> list[Decision]:
    """Return the brain's decisions; an empty answer is no answer."""
    decisions: list[Decision] = [
        Say(item.text) if hasattr(item, "text") else Call(item.name, item.arguments)
        for item in brain.answer(messages, tools)
    ]
    return decisions or [Say("Okay.")]


def plan_answer(
    exchange: Exchange, decisions: list[Decision], scenarios: list[Scenario]
) -> list[Step]:
    """Return the plan of a message, as the scenarios want it."""
    for scenario in scenarios:
        decisions = scenario.decide(exchange, decisions)
    for scenario in scenarios:
        scenario.style(exchange, exchange.writing)
    body: list[Step] = []
    for are_calls, group in groupby(decisions, lambda item: isinstance(item, Call)):
        if are_calls:
            exchange.called = True
            calls = [item for item in group if isinstance(item, Call)]
            steps = _write(exchange, calls)
            for scenario in scenarios:
                steps = scenario.route(exchange, calls, steps)
        else:
            steps = [Text(item.text) for item in group if isinstance(item, Say)]
        if body and isinstance(body[-1], Text) and isinstance(steps[0], Text):
            body.append(Text("\n\n"))
        body += steps
    if exchange.request.reasoning:
        body = [Reasoning("Let me"), Reasoning(" see."), *body]
    plan = _wrap(body)
    if exchange.request.max_tokens is not None:
        plan = _shorten(plan, exchange.request.max_tokens)
    for scenario in scenarios:
        plan = scenario.revise(exchange, plan)
    return plan


def plan_extra(exchange: Exchange) -> list[Step]:
    """Return the plan of a title or of suggested questions."""
    if exchange.request.target == "title":
        words = exchange.last_sentence.split()[:6]
        return _wrap([Text(" ".join(words).strip(".!?") or "New chat")])
    return _wrap([Text("What else is on?\nIs the front door locked?\nHow warm is it?")])


def _write(exchange: Exchange, calls: list[Call]) -> list[Step]:
    """Write calls that belong together: as functions if offered as such."""
    writing = exchange.writing
    if not exchange.native or writing.as_text:
        return [writing.print_calls(calls)]
    return writing.native_calls(calls)


def _wrap(body: list[Step]) -> list[Step]:
    called = any(isinstance(step, FunctionCall) for step in body)
    return [
        Comment("queued"),
        Comment("ingesting"),
        *in_pieces(body),
        Finish("tool_calls" if called else "stop"),
        Usage(),
        Done(),
    ]


def _shorten(plan: list[Step], max_tokens: int) -> list[Step]:
    """End a plan after so many pieces of text."""
    kept: list[Step] = []
    for step in plan:
        if isinstance(step, Text):
            max_tokens -= 1
            if max_tokens < 0:
                continue
        if isinstance(step, Finish) and max_tokens < 0:
            step = Finish("length")
        kept.append(step)
    return kept
