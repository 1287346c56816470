"""From a request to the plan of its answer."""

from collections.abc import Callable
from itertools import groupby
from typing import Any, Protocol

from .chat_request import ChatRequest
from .pictures import TOOLS, draw
from .plan import (
    Call,
    Comment,
    Decision,
    Done,
    Draw,
    Finish,
    FunctionCall,
    ImageData,
    Json,
    Reasoning,
    Say,
    ServerCall,
    ServerResult,
    Step,
    Text,
    Usage,
    dump,
    in_pieces,
    new_call_id,
)
from .scenarios import Exchange, Scenario


class Brain(Protocol):
    """What decides what the model answers; `dev.brain` has the real one."""

    @property
    def answer(self) -> Callable[..., list[Any]]:
        """Return what to say (`text`) and to call (`name`, `arguments`), in order.

        It takes messages and function tools. `server_tools`, those that make pictures,
        are only given where there are any; a call of one makes a picture.
        """


def ask(brain: Brain, messages: list[Json], request: ChatRequest) -> list[Decision]:
    """Return the brain's decisions; an empty answer is no answer."""
    tools = request.function_tools if request.tool_choice != "none" else []
    more: Json = {}
    if tools_that_draw := [name for name in TOOLS if name in request.server_tools]:
        more["server_tools"] = tools_that_draw
    return [
        _decision(item, request) for item in brain.answer(messages, tools, **more)
    ] or [Say("Okay.")]


def _decision(item: Any, request: ChatRequest) -> Decision:
    if hasattr(item, "text"):
        return Say(item.text)
    if item.name in TOOLS and item.name in request.server_tools:
        return Draw(item.name, str(item.arguments.get("prompt", "")))
    return Call(item.name, item.arguments)


def plan_answer(
    exchange: Exchange, decisions: list[Decision], scenarios: list[Scenario]
) -> list[Step]:
    """Return the plan of a message, as the scenarios want it."""
    for scenario in scenarios:
        decisions = scenario.decide(exchange, decisions)
    for scenario in scenarios:
        scenario.style(exchange, exchange.writing)
    body: list[Step] = []
    for kind, group in groupby(decisions, type):
        if kind is Call:
            exchange.called = True
            calls = [item for item in group if isinstance(item, Call)]
            steps = _write(exchange, calls)
            for scenario in scenarios:
                steps = scenario.route(exchange, calls, steps)
        elif kind is Draw:
            drawings = [item for item in group if isinstance(item, Draw)]
            steps = [step for item in drawings for step in _draw(exchange, item)]
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
    writing = exchange.writing
    if not exchange.native or writing.as_text:
        return [writing.print_calls(calls)]
    return writing.native_calls(calls)


def _draw(exchange: Exchange, drawing: Draw) -> list[Step]:
    call_id, image_id = new_call_id(), new_call_id().replace("call", "image")
    arguments = dump({"prompt": drawing.prompt})
    called: list[Step] = [
        ServerCall(call_id, drawing.tool),
        ServerCall(call_id, drawing.tool, {"arguments": arguments}),
    ]
    if not exchange.may_draw:
        sorry = "I'm sorry, I can't make any more pictures for now."
        return [*called, ServerResult(call_id, '{"error":true}'), Text(sorry)]
    data = draw(drawing.prompt, exchange.request.aspect_ratio)
    result = ServerResult(call_id, dump({"image_id": image_id}))
    return [*called, ImageData(image_id, data), result, Text("Here is your picture.")]


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
