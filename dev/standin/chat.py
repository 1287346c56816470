"""The chat endpoint: `ai/v1/chat/completions`."""

from dataclasses import dataclass
import hashlib
from typing import Any

from aiohttp import web

from .answer import ask, plan_answer, plan_extra
from .chat_request import ChatRequest, read_request
from .errors import ApiError, json_body
from .forms import CurrentForm, LegacyForm
from .keys import SERVICE
from .pictures import describe, in_clear
from .plan import FunctionCall, ImageData, Reasoning, Step, Text, Usage
from .routes import add_route
from .scenarios import Exchange
from .stream import Delivery, completion, plain_framing, wild_framing


@dataclass(frozen=True, slots=True)
class Answer:
    """A plan, and what is told beside it."""

    plan: list[Step]
    model: str
    usage: dict[str, Any]


def add_routes(app: web.Application) -> None:
    """Serve the endpoint; its retired predecessor is an unknown path."""
    add_route(app, "POST", ("ai/v1/chat/completions",), chat)


async def chat(request: web.Request) -> web.StreamResponse:
    """Answer a chat request, streamed or whole."""
    service = request.app[SERVICE]
    service.counts["chat"] += 1
    body = await json_body(request)
    record: dict[str, Any] = {"finished": False, "status": 200}
    try:
        who = service.accounts_state.identify(request)
        record["auth"] = who.kind
        request["new_cookies"] = who.new_cookies
        service.bodies.append(raw := await request.read())
        asked = read_request(body, service.key_pair, service.report)
        if asked.channel and in_clear(raw):
            service.report("a picture in clear in the body of an encrypted request")
        record |= _describe(asked)
        service.requests.append(record)
        service.pictures += [
            image for message in asked.messages for image in message.get("images", ())
        ]
        exchange = Exchange(
            asked,
            lambda messages: ask(service.brain, messages, asked),
            may_draw=service.quota.has_images(who),
        )
        for scenario in service.active:
            scenario.admit(who, service.accounts_state)
        category = "max" if asked.model == "lumo-max" else "lite"
        if asked.target == "message":
            service.quota.take(who, category, request.remote or "")
            decisions = exchange.ask_brain(asked.conversation)
            plan = plan_answer(exchange, decisions, service.active)
        else:
            plan = plan_extra(exchange)
    except ApiError as error:
        record["status"] = error.status
        raise
    images = sum(isinstance(step, ImageData) for step in plan)
    service.quota.take_images(who, images if exchange.may_draw else None)
    answer = Answer(
        plan,
        _model(asked, who.kind == "api_key"),
        {
            # Only Proton's own clients send the `lumo` object.
            **_tokens(asked, plan, full=who.kind == "api_key" or "lumo" not in body),
            **service.quota.usage(who, category, images=bool(images)),
        },
    )
    if asked.stream:
        response, record["finished"] = await _stream(request, asked, answer)
        return response
    await Delivery(request).wait_for_object(plan)
    record["finished"] = True
    whole = completion(plan, asked.channel, answer.model, answer.usage)
    return web.json_response(whole, status=500 if "error" in whole else 200)


async def _stream(
    request: web.Request, asked: ChatRequest, answer: Answer
) -> tuple[web.StreamResponse, bool]:
    service = request.app[SERVICE]
    form = LegacyForm if "legacy" in service.scenarios else CurrentForm
    framing = wild_framing() if "framing" in service.scenarios else plain_framing
    plan = answer.plan
    if not asked.include_usage:
        plan = [step for step in plan if not isinstance(step, Usage)]
    return await Delivery(request).stream(
        plan, form(asked.channel, answer.model, asked.target, answer.usage), framing
    )


def _describe(asked: ChatRequest) -> dict[str, Any]:
    """Return what a test may want to know of a request, opened."""
    return {
        "model": asked.model,
        "messages": [
            message | {"images": [describe(image) for image in message["images"]]}
            if "images" in message
            else message
            for message in asked.messages
        ],
        "aspect_ratio": asked.aspect_ratio,
        "tools": asked.function_tools,
        "server_tools": asked.server_tools,
        "tool_choice": asked.tool_choice,
        "encrypted": asked.channel is not None,
        "stream": asked.stream,
        "reasoning": asked.reasoning,
        "target": asked.target,
    }


def _tokens(asked: ChatRequest, plan: list[Step], *, full: bool) -> dict[str, int]:
    answered = sum(isinstance(step, Text | Reasoning | FunctionCall) for step in plan)
    if not full:
        return {"completion_tokens": answered}
    read = sum(len(message["content"]) for message in asked.messages) // 4 + 1
    return {
        "prompt_tokens": read,
        "completion_tokens": answered,
        "total_tokens": read + answered,
    }


def _model(asked: ChatRequest, with_key: bool) -> str:
    """Return the model's name as it is echoed.

    With a key it is always the same; beside encryption it is a short hash.
    """
    served = "lumo-max" if asked.model == "lumo-max" else "lumo-lite"
    if asked.channel is not None:
        return hashlib.sha256(served.encode()).hexdigest()[:8]
    return "lumo-lite" if with_key else served
