"""What is tried again, what is given up, and what is left behind."""

import asyncio
from dataclasses import replace

from aiohttp import web
import httpx
import pytest

from custom_components.lumo.lumo_client import client as lumo
from custom_components.lumo.lumo_client.auth import ApiKeyCredential, GuestCredential
from custom_components.lumo.lumo_client.client import LumoClient
from custom_components.lumo.lumo_client.deadlines import Deadlines
from custom_components.lumo.lumo_client.errors import (
    AppVersionError,
    BadRequestError,
    BusyError,
    ContextLengthError,
    ForbiddenError,
    ForeignPageError,
    HumanVerificationError,
    LumoConnectionError,
    LumoError,
    LumoTimeoutError,
    ProtocolError,
    QuotaError,
    RateLimitError,
    ServerError,
    StreamInterruptedError,
    UnauthorizedError,
)
from custom_components.lumo.lumo_client.events import End, Event

from .asking import CHAT, EVENTS, HELLO, LIMITS, Connect, ask
from .loopback import ANSWER, Handler, LoopbackServer, delta, hang, reply, reset, stream

# Retries


@pytest.mark.parametrize(
    "fault",
    [
        reply(408),
        reply(502),
        reply(503),
        reply(504),
        reply(503, None, {"Retry-After": "0"}),
        reset(),
        stream(then="break"),
        stream(b": keep alive\n\n", then="break"),
    ],
)
async def test_a_fault_before_the_first_event_is_tried_again(
    server: LoopbackServer, connect: Connect, fault: Handler
) -> None:
    server.on(*CHAT, fault, fault, stream(*ANSWER))
    assert await ask(connect()) == EVENTS
    assert len(server.seen) == 3
    assert server.seen[0].body == server.seen[2].body


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (reply(429, {"Code": 2028}), QuotaError),
        (reply(429, None, {"Retry-After": "11"}), RateLimitError),
        (reply(503, None, {"Retry-After": "11"}), BusyError),
        (reply(500), ServerError),
        (reply(403, {"Code": 9100}), ForbiddenError),
        (reply(422, {"Code": 5003}), AppVersionError),
        (reply(422, {"Code": 9001, "Details": {}}), HumanVerificationError),
        (reply(400, {"Code": 2000}), BadRequestError),
        (
            reply(400, {"error": {"code": "context_length_exceeded"}}),
            ContextLengthError,
        ),
        (reply(401), UnauthorizedError),
        (reply(302, None, {"Location": "http://127.0.0.1:1/"}), ProtocolError),
        (stream(b'data: {"error":{"code":"rejected"}}\n\n'), BusyError),
        (stream(b'{"Code": 2028, "Error": "x"}'), QuotaError),
    ],
)
async def test_other_failures_are_reported_at_once(
    server: LoopbackServer, connect: Connect, fault: Handler, expected: type[LumoError]
) -> None:
    """Trying again would not help, or cost the quota."""
    server.on(*CHAT, fault)
    with pytest.raises(expected):
        await ask(connect())
    assert len(server.seen) == 1


@pytest.mark.parametrize("status", [429, 503, 500])
async def test_a_wait_that_the_service_asks_for_is_kept(
    server: LoopbackServer, connect: Connect, status: int
) -> None:
    busy = reply(status, None, {"Retry-After": "0"})
    server.on(*CHAT, busy, busy, stream(*ANSWER), busy)
    assert await ask(connect()) == EVENTS
    with pytest.raises(RateLimitError if status == 429 else ServerError):
        await ask(connect())
    assert len(server.seen) == 6


@pytest.mark.parametrize("attempts", [3, 2])
@pytest.mark.parametrize(
    ("fault", "expected"), [(reply(503), BusyError), (reset(), LumoConnectionError)]
)
async def test_a_lasting_fault_is_reported_in_the_end(
    server: LoopbackServer,
    connect: Connect,
    fault: Handler,
    expected: type[LumoError],
    attempts: int,
) -> None:
    server.on(*CHAT, fault)
    with pytest.raises(expected):
        async with connect().chat(HELLO, Deadlines(attempts=attempts)):
            pass
    assert len(server.seen) == attempts


async def test_where_nobody_is_the_connection_has_failed(
    server: LoopbackServer, connect: Connect, http: httpx.AsyncClient
) -> None:
    """An answer that breaks off, no server, and a client that was closed meanwhile."""
    client = connect()
    server.on(*LIMITS, stream(b'{"limits":', then="break"))
    for end in (asyncio.sleep(0), server.__aexit__(), http.aclose()):
        await end
        with pytest.raises(LumoConnectionError) as error:
            await client.limits()
        assert error.value.code == "cannot_connect"


async def test_a_proxy_that_refuses_is_somebody_else(server: LoopbackServer) -> None:
    """It is asked once, and says nothing about the session."""
    asked = []

    async def refuse(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    endpoints = replace(server.endpoints, lumo_url="https://lumo.invalid/api")
    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as proxy:
        port = proxy.sockets[0].getsockname()[1]
        async with httpx.AsyncClient(proxy=f"http://127.0.0.1:{port}") as http:
            client = LumoClient(http, endpoints, GuestCredential(http))
            with pytest.raises(ForeignPageError):
                await ask(client)
    assert len(asked) == 1


@pytest.mark.parametrize("first", [b": queued\n\n", delta(content="On")])
async def test_nothing_is_tried_again_after_the_first_event(
    server: LoopbackServer, connect: Connect, first: bytes
) -> None:
    """A second answer could act a second time."""
    server.on(*CHAT, stream(first, then="break"), stream(*ANSWER))
    seen: list[Event] = []
    with pytest.raises(StreamInterruptedError):
        await ask(connect(), into=seen)
    assert len(seen) == 1
    assert len(server.seen) == 1


async def test_a_whole_answer_survives_a_broken_connection(
    server: LoopbackServer, connect: Connect
) -> None:
    """The reason to finish was there, only [DONE] was not."""
    server.on(*CHAT, stream(*ANSWER[:-1], then="break"))
    assert await ask(connect()) == EVENTS


@pytest.mark.parametrize(
    ("error", "attempt", "expected"),
    [
        (LumoConnectionError(), 1, (0.25, 0.5)),
        (LumoConnectionError(), 2, (0.5, 1)),
        (LumoTimeoutError(), 1, None),
        (BusyError(status=503, retry_after=1), 1, (1, 1)),
        (BusyError(status=503, retry_after=10), 1, None),
        (RateLimitError(status=429, retry_after=1), 1, (1, 1)),
        (RateLimitError(status=429), 1, None),
        (BusyError(), 1, None),
        (QuotaError(status=429), 1, None),
    ],
)
def test_the_wait_before_another_attempt(
    monkeypatch: pytest.MonkeyPatch,
    error: LumoError,
    attempt: int,
    expected: tuple[float, float] | None,
) -> None:
    """It grows, varies, and follows the service if that is short."""
    monkeypatch.setattr(lumo, "RETRY_SECONDS", 0.5)
    for _ in range(50):
        delay = lumo._retry_delay(error, attempt, 9)
        assert (delay is None) == (expected is None)
        assert not delay or not expected or expected[0] <= delay <= expected[1]


# Time-outs and cancellation


async def test_leaving_early_hangs_up_at_once(
    server: LoopbackServer, connect: Connect
) -> None:
    """The server sees it."""
    server.on(*CHAT, stream(delta(content="a"), then="hang"))
    async with connect().chat(HELLO) as events:
        async for _ in events:
            break
        assert not server.hung_up.is_set()
    await server.hung_up.wait()


@pytest.mark.parametrize(
    "handler", [hang(), stream(then="hang"), stream(delta(content="a"), then="hang")]
)
async def test_cancelling_hangs_up_at_once(
    server: LoopbackServer, connect: Connect, handler: Handler
) -> None:
    server.on(*CHAT, handler)
    task = asyncio.create_task(ask(connect()))
    while not server.seen:
        await asyncio.sleep(0)
    await asyncio.sleep(0.02)  # Let the answer begin, where there is one.
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await server.hung_up.wait()


async def test_a_cancellation_while_connecting_is_never_lost(
    server: LoopbackServer, connect: Connect
) -> None:
    """At whatever moment: the HTTP library forgets some, just as it connects."""
    server.on(*CHAT, hang())
    steps = 0
    while len(server.seen) < 3:
        task = asyncio.create_task(ask(connect(ApiKeyCredential("key"))))
        for _ in range(steps):
            await asyncio.sleep(0)
        steps += 1
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_an_answer_that_was_read_leaves_the_connection_open(
    server: LoopbackServer, connect: Connect
) -> None:
    """The next round of a turn saves the time to connect."""
    ports = set()

    async def answer(request: web.Request) -> web.StreamResponse:
        assert request.transport
        ports.add(request.transport.get_extra_info("peername")[1])
        return await stream(*ANSWER)(request)

    server.on(*CHAT, answer)
    client = connect(ApiKeyCredential("key"))
    for _ in range(4):
        async with client.chat(HELLO) as events:
            async for event in events:
                if isinstance(event, End):
                    break
    assert len(ports) == 1
