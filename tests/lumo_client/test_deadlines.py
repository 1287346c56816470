"""Every answer ends in time, however the server behaves; against a real server.

Time is that of a clock which stands still while the machine is busy.
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
import json
import math

from aiohttp import web
import httpx
import pytest

from custom_components.lumo.lumo_client import client as lumo
from custom_components.lumo.lumo_client.auth import ApiKeyCredential
from custom_components.lumo.lumo_client.client import LumoClient
from custom_components.lumo.lumo_client.deadlines import ON_SCREEN, Deadlines
from custom_components.lumo.lumo_client.errors import (
    AnswerTooLongError,
    LumoError,
    LumoTimeoutError,
    ProtocolError,
    TurnOverError,
)
from custom_components.lumo.lumo_client.events import (
    End,
    Event,
    FunctionCallBegun,
    TextDelta,
)
from custom_components.lumo.lumo_client.messages import ChatRequest, UserMessage
from custom_components.lumo.lumo_client.stream import StreamParser

from .loopback import Handler, LoopbackServer, delta, hang, stream

pytestmark = pytest.mark.usefixtures("idle_clock")

CHAT = ("POST", "ai/v1/chat/completions")
HELLO = ChatRequest((UserMessage("Hello"),))
LIMIT = "custom_components.lumo.lumo_client.stream.ANSWER_CHARACTERS"
SHORT = Deadlines(first=0.05, gap=0.05)
DONE = b"data: [DONE]\n\n"


def every(seconds: float, chunk: Callable[[int], bytes], times: float) -> Handler:
    """Return a handler that sends chunks, one after the other, and then the end."""

    async def handle(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        number = 0
        while number < times:
            await response.write(chunk(number))
            await asyncio.sleep(seconds)
            number += 1
        await response.write(DONE)
        return response

    return handle


def fragment(number: int) -> bytes:
    function = {"arguments": f'{{"a":"{number}' if number == 0 else "x"}
    if number == 0:
        function["name"] = "Write"
    return delta(tool_calls=[{"index": 0, "function": function}])


def piece(target: str, content: str) -> bytes:
    value = {"type": "token_data", "target": target, "content": content}
    return b"data: " + json.dumps(value).encode() + b"\n"


def dripped(number: int) -> bytes:
    """Return the bytes of an event, one by one."""
    return delta(content="never")[number : number + 1]


KEEP_ALIVE = [b": keep-alive\n\n", b":\n", b"\n", b"event: ping\n\n", delta(content="")]

ENDLESS: dict[str, tuple[Handler, Deadlines, type[LumoError]]] = {
    "no headers": (hang(), SHORT, LumoTimeoutError),
    "nothing": (stream(then="hang"), SHORT, LumoTimeoutError),
    "text, then nothing": (stream(delta(content="a"), then="hang"), SHORT, LumoTimeoutError),
    "progress, then nothing": (stream(b":queued\n", then="hang"), SHORT, LumoTimeoutError),
    **{
        f"only {chunk!r}": (
            every(0.01, lambda _, chunk=chunk: chunk, math.inf),  # type: ignore[misc]
            SHORT,
            LumoTimeoutError,
        )
        for chunk in KEEP_ALIVE
    },
    "a byte at a time": (every(0.01, dripped, math.inf), SHORT, LumoTimeoutError),
    "usage only": (
        every(0.01, lambda _: b'data: {"usage":{"total_tokens":1}}\n', math.inf),
        replace(SHORT, until=0.2),
        TurnOverError,
    ),
    "queued for ever": (
        every(0.01, lambda _: b":queued\n", math.inf),
        replace(SHORT, until=0.2),
        TurnOverError,
    ),
    "thoughts for ever": (
        every(0.01, lambda _: delta(reasoning="hm "), math.inf),
        replace(SHORT, until=0.2),
        TurnOverError,
    ),
    "text for ever": (
        every(0, lambda _: delta(content="la "), math.inf),
        SHORT,
        AnswerTooLongError,
    ),
    "text for ever, slowly": (
        every(0.01, lambda _: delta(content="la "), math.inf),
        replace(SHORT, until=0.2),
        TurnOverError,
    ),
    "a call for ever": (every(0.01, fragment, math.inf), replace(SHORT, until=0.2), TurnOverError),
    "one event of five megabytes": (
        stream(delta(content="x" * 5_000_000)),
        ON_SCREEN,
        ProtocolError,
    ),
}  # fmt: skip

IN_TIME: dict[str, Handler] = {
    "queued for longer than the first event may take": every(
        0.02, lambda number: b":queued\n" if number < 6 else delta(content="a"), 7
    ),
    "thoughts": every(
        0.02, lambda n: delta(reasoning="hm ") if n < 6 else delta(content="a"), 7
    ),
    "pieces of text": every(0.02, lambda _: delta(content="a"), 6),
    "pieces of a call": every(0.02, fragment, 6),
    "pieces of an old-style call": every(
        0.02, lambda n: piece("tool_call", "x") if n < 6 else delta(content="a"), 7
    ),
}


@pytest.fixture
def client(server: LoopbackServer, http: httpx.AsyncClient) -> LumoClient:
    """Return a client that asks once."""
    return LumoClient(http, server.endpoints, ApiKeyCredential("key"))


async def ask(client: LumoClient, deadlines: Deadlines, got: list[Event]) -> None:
    if deadlines.until < math.inf:
        now = asyncio.get_running_loop().time()
        deadlines = replace(deadlines, until=now + deadlines.until)
    async with client.chat(HELLO, deadlines) as events:
        async for event in events:
            got.append(event)  # noqa: PERF401 # an error must not take them away


@pytest.mark.parametrize("name", ENDLESS)
async def test_answer_without_an_end_is_ended(
    server: LoopbackServer,
    client: LumoClient,
    name: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LIMIT, 1000)
    handler, deadlines, expected = ENDLESS[name]
    server.on(*CHAT, handler)
    got: list[Event] = []
    async with asyncio.timeout(5):
        with pytest.raises(LumoError) as error:
            await ask(client, deadlines, got)
    assert type(error.value) is expected
    assert len(server.seen) == 1
    if expected is AnswerTooLongError:
        texts = [event.text for event in got if isinstance(event, TextDelta)]
        assert len("".join(texts)) == 1000


@pytest.mark.parametrize("name", IN_TIME)
async def test_answer_that_goes_on_is_waited_for(
    server: LoopbackServer, client: LumoClient, name: str
) -> None:
    server.on(*CHAT, IN_TIME[name])
    got: list[Event] = []
    await ask(client, SHORT, got)
    assert isinstance(got[-1], End)


async def test_listener_may_take_its_time(
    server: LoopbackServer, client: LumoClient
) -> None:
    server.on(*CHAT, every(0.01, lambda _: delta(content="a"), 4))
    async with client.chat(HELLO, SHORT) as events:
        assert isinstance(await anext(events), TextDelta)
        await asyncio.sleep(0.1)
        assert [event async for event in events][-1] == End(None)


def test_text_is_cut_where_it_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """What came before is not lost, and no call of the answer is told."""
    monkeypatch.setattr(LIMIT, 5)
    parser = StreamParser()
    call = {"index": 0, "function": {"name": "On", "arguments": "{}"}}
    said = delta(content="abc"), delta(tool_calls=[call]), delta(content="defg")
    events = parser.feed(b"".join(said) + DONE)
    first = [TextDelta("abc"), FunctionCallBegun("On"), TextDelta("de")]
    assert [next(events) for _ in first] == first
    with pytest.raises(AnswerTooLongError):
        next(events)


async def test_bytes_are_counted_and_the_loop_has_its_turn(
    server: LoopbackServer, client: LumoClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What says nothing is bounded as well, and is parsed in little pieces."""
    monkeypatch.setattr(lumo, "ANSWER_BYTES", 1_000_000)
    server.on(*CHAT, stream(*[b":\n" * 30_000] * 100))
    longest = 0
    feed = StreamParser.feed

    def measured(self: StreamParser, data: bytes) -> Iterator[Event]:
        nonlocal longest
        longest = max(longest, len(data))
        return feed(self, data)

    monkeypatch.setattr(StreamParser, "feed", measured)
    with pytest.raises(AnswerTooLongError):
        await ask(client, ON_SCREEN, [])
    assert longest <= 4096
