"""The client against a real server: requests, retries, cancellation."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
import json
import logging
from typing import Any

from aiohttp import web
import httpx
import pytest

from custom_components.lumo.lumo_client.auth import (
    ApiKeyCredential,
    Credential,
    GuestCredential,
    SessionCredential,
)
from custom_components.lumo.lumo_client.client import LumoClient, Model
from custom_components.lumo.lumo_client.errors import (
    ApiKeyInvalidError,
    AppVersionError,
    BadRequestError,
    BusyError,
    ContextLengthError,
    EncryptionKeyError,
    ForbiddenError,
    ForeignPageError,
    HumanVerificationError,
    IntegrityError,
    LumoConnectionError,
    LumoError,
    LumoTimeoutError,
    ProtocolError,
    QuotaError,
    RateLimitError,
    ServerError,
    SessionExpiredError,
    StreamInterruptedError,
    UnauthorizedError,
)
from custom_components.lumo.lumo_client.events import (
    End,
    Event,
    FunctionCall,
    FunctionCallBegun,
    Limits,
    TextDelta,
    Usage,
)
from custom_components.lumo.lumo_client.messages import (
    ChatRequest,
    SystemMessage,
    ToolCallMessage,
    ToolResultMessage,
    UserMessage,
)
from custom_components.lumo.lumo_client.session import Session, Tokens
from custom_components.lumo.lumo_client.transport import RetryPolicy

from .loopback import ANSWER, Handler, LoopbackServer, delta, hang, reply, reset, stream
from .opening import open_messages, seal_answer

CHAT = ("POST", "ai/v1/chat/completions")
LIMITS = ("GET", "ai/v1/limits")
MODELS = ("GET", "ai/v1/models")
REFRESH = ("POST", "auth/v4/refresh")
HELLO = ChatRequest(messages=(SystemMessage("You."), UserMessage("secret wish")))
EVENTS = [
    TextDelta("It is "),
    TextDelta("on."),
    Usage(remaining=Limits(7, 2, None)),
    End("stop", None),
]
AT_ONCE = RetryPolicy(base=0)

type Connect = Callable[..., LumoClient]


@pytest.fixture
def connect(server: LoopbackServer, http: httpx.AsyncClient) -> Connect:
    """Return a function that makes a client, a guest's if nothing else is said."""

    def make(credential: Credential | None = None, **options: Any) -> LumoClient:
        return LumoClient(
            http,
            server.endpoints,
            credential or GuestCredential(http),
            **{"retries": AT_ONCE, **options},
        )

    return make


@pytest.fixture
def signed_in(server: LoopbackServer, http: httpx.AsyncClient) -> SessionCredential:
    """Return the credential of a session."""

    async def save(tokens: Tokens) -> None:
        await asyncio.sleep(0)

    tokens = Tokens("uid-1", "at-1", "rt-1")
    return SessionCredential(
        Session(http, server.endpoints, tokens, save, busy_wait=(0, 0))
    )


async def ask(
    client: LumoClient,
    request: ChatRequest = HELLO,
    *,
    into: list[Event] | None = None,
) -> list[Event]:
    """Return all events of an answer; `into` has them even if an error follows."""
    got = [] if into is None else into
    async with client.chat(request) as events:
        async for event in events:
            got.append(event)  # An error must not take them away.
    return got


async def test_a_guest_asks_and_is_answered(
    server: LoopbackServer, connect: Connect
) -> None:
    """Encrypted, without a session, with an app version."""
    server.on(*CHAT, stream(*ANSWER))
    assert await ask(connect()) == EVENTS
    (seen,) = server.seen
    assert open_messages(seen.body, server.request_key(seen.body)) == [
        ("system", "You."),
        ("user", "secret wish"),
        ("assistant", ""),
    ]
    assert seen.headers["x-pm-appversion"].startswith("web-lumo@")
    assert seen.headers["Content-Type"] == "application/json"
    assert "Authorization" not in seen.headers
    assert "x-pm-uid" not in seen.headers


async def test_each_request_has_a_key_of_its_own(
    server: LoopbackServer, connect: Connect
) -> None:
    """And so has each round of calls."""
    server.on(*CHAT, stream(*ANSWER))
    client = connect()
    await ask(client)
    await ask(client)
    first, second = (seen.body for seen in server.seen)
    assert server.request_key(first) != server.request_key(second)
    assert first["lumo"]["request_id"] != second["lumo"]["request_id"]


async def test_an_encrypted_answer_is_opened(
    server: LoopbackServer, connect: Connect
) -> None:
    """Text and the arguments of a call, and the results of the next round."""

    async def answer(request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        key, request_id = server.request_key(body), body["lumo"]["request_id"]
        chunks = [
            delta(content=seal_answer(request_id, key, "Sure"), encrypted=True),
            delta(
                tool_calls=[
                    {
                        "index": 0,
                        "id": "a",
                        "function": {
                            "name": "On",
                            "arguments": seal_answer(
                                request_id, key, '{"name":"lamp"}'
                            ),
                        },
                    }
                ]
            ),
            b"data: [DONE]\n\n",
        ]
        return await stream(*chunks)(request)

    server.on(*CHAT, answer, stream(*ANSWER))
    client = connect()
    call = FunctionCall("a", "On", {"name": "lamp"}, '{"name":"lamp"}')
    assert await ask(client) == [
        TextDelta("Sure"),
        FunctionCallBegun("On"),
        call,
        End(None, None),
    ]
    await ask(
        client,
        ChatRequest(
            messages=(
                UserMessage("On"),
                ToolCallMessage("a", "On", {"name": "lamp"}),
                ToolResultMessage("a", "done"),
            )
        ),
    )
    body = server.seen[1].body
    assert open_messages(body, server.request_key(body)) == [
        ("user", "On"),
        ("lumo_tool_call", '{"id":"a","name":"On","arguments":{"name":"lamp"}}'),
        ("tool", "done"),
        ("assistant", ""),
    ]


async def test_an_answer_for_another_request_is_refused(
    server: LoopbackServer, connect: Connect
) -> None:
    """After what could be read of it."""
    server.on(
        *CHAT,
        stream(
            delta(content="a"),
            delta(content=seal_answer("id", bytes(32), "b"), encrypted=True),
            delta(content="c"),
            then="hang",
        ),
    )
    seen: list[Event] = []
    with pytest.raises(IntegrityError):
        await ask(connect(), into=seen)
    assert seen == [TextDelta("a")]
    await server.hung_up.wait()


async def test_a_key_asks_in_plain_form(
    server: LoopbackServer, connect: Connect
) -> None:
    """With nothing of Proton's own."""
    server.on(*CHAT, stream(*ANSWER))
    assert await ask(connect(ApiKeyCredential(" key \n"))) == EVENTS
    (seen,) = server.seen
    assert seen.headers["Authorization"] == "Bearer key"
    assert "x-pm-appversion" not in seen.headers
    assert "lumo" not in seen.body
    assert seen.body["messages"][1] == {"role": "user", "content": "secret wish"}


async def test_wrapping_the_key_runs_where_it_is_told_to(
    server: LoopbackServer, connect: Connect
) -> None:
    """Home Assistant gives its executor."""
    server.on(*CHAT, stream(*ANSWER))
    ran = []

    async def run(function: Callable[..., Any], *args: Any) -> Any:
        ran.append(function)
        return await asyncio.to_thread(function, *args)

    await ask(connect(run_blocking=run))
    await ask(connect(ApiKeyCredential("key"), run_blocking=run))
    assert len(ran) == 1


async def test_a_public_key_that_is_none_stops_the_request(
    server: LoopbackServer, http: httpx.AsyncClient
) -> None:
    """Nothing is sent in clear instead."""
    server.on(*CHAT, stream(*ANSWER))
    endpoints = server.endpoints
    object.__setattr__(endpoints, "public_key", "nonsense")
    client = LumoClient(http, endpoints, GuestCredential(http))
    with pytest.raises(EncryptionKeyError):
        await ask(client)
    assert server.seen == []


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
    """With the same body, two times at most."""
    server.on(*CHAT, fault, fault, stream(*ANSWER))
    assert await ask(connect()) == EVENTS
    assert len(server.seen) == 3
    assert server.seen[0].body == server.seen[2].body


@pytest.mark.parametrize(
    ("fault", "expected"), [(reply(503), BusyError), (reset(), LumoConnectionError)]
)
async def test_a_lasting_fault_is_reported_in_the_end(
    server: LoopbackServer,
    connect: Connect,
    fault: Handler,
    expected: type[LumoError],
) -> None:
    """After three attempts."""
    server.on(*CHAT, fault)
    with pytest.raises(expected):
        await ask(connect())
    assert len(server.seen) == 3


async def test_a_server_that_is_not_there_cannot_be_connected_to(
    server: LoopbackServer, connect: Connect
) -> None:
    """Nor a name that does not exist."""
    client = connect()
    await server.__aexit__()
    with pytest.raises(LumoConnectionError) as error:
        await client.limits()
    assert not isinstance(error.value, LumoTimeoutError)


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (reply(429, {"Code": 2028}), QuotaError),
        (reply(429, None, {"Retry-After": "1"}), RateLimitError),
        (reply(503, None, {"Retry-After": "60"}), BusyError),
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
    server: LoopbackServer,
    connect: Connect,
    fault: Handler,
    expected: type[LumoError],
) -> None:
    """Trying again would not help, or cost the quota."""
    server.on(*CHAT, fault)
    with pytest.raises(expected):
        await ask(connect())
    assert len(server.seen) == 1


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
            client = LumoClient(http, endpoints, GuestCredential(http), retries=AT_ONCE)
            with pytest.raises(ForeignPageError):
                await ask(client)
    assert len(asked) == 1


async def test_a_poll_that_breaks_off_says_that_nobody_is_there(
    server: LoopbackServer, connect: Connect
) -> None:
    """Only an answer in words can break off."""
    server.on(*LIMITS, stream(b'{"limits":', then="break"))
    with pytest.raises(LumoConnectionError) as caught:
        await connect().limits()
    assert caught.value.code == "cannot_connect"


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
    ("policy", "error", "attempt", "least", "most"),
    [
        (RetryPolicy(), LumoConnectionError(), 1, 0.25, 0.5),
        (RetryPolicy(), LumoConnectionError(), 2, 0.5, 1),
        (RetryPolicy(), LumoConnectionError(), 3, None, None),
        (RetryPolicy(), LumoTimeoutError(), 1, None, None),
        (RetryPolicy(), BusyError(status=503, retry_after=4), 1, 4, 4),
        (RetryPolicy(), BusyError(status=503, retry_after=10), 1, None, None),
        (RetryPolicy(), BusyError(), 1, None, None),
        (RetryPolicy(), QuotaError(status=429), 1, None, None),
    ],
)
def test_the_wait_before_another_attempt(
    policy: RetryPolicy,
    error: LumoError,
    attempt: int,
    least: float | None,
    most: float | None,
) -> None:
    """It grows, varies, and follows the service if that is short."""
    for _ in range(50):
        delay = policy.delay(error, attempt)
        if least is None or most is None:
            assert delay is None
        else:
            assert delay is not None
            assert least <= delay <= most


# Time-outs and cancellation


async def test_client_that_was_closed_is_a_connection_that_failed(
    server: LoopbackServer, connect: Connect, http: httpx.AsyncClient
) -> None:
    """The account is loaded anew in the middle of a turn."""
    client = connect()
    await http.aclose()
    with pytest.raises(LumoConnectionError):
        await ask(client)


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
    """Before the headers, before the first event, and in the middle."""
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


async def test_an_error_of_the_caller_closes_the_answer_too(
    server: LoopbackServer, connect: Connect
) -> None:
    """And is not changed."""
    server.on(*CHAT, stream(delta(content="a"), then="hang"))

    async def turn() -> None:
        async with connect().chat(HELLO) as events:
            async for _ in events:
                raise KeyError

    with pytest.raises(KeyError):
        await turn()
    await server.hung_up.wait()


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


async def test_answers_at_the_same_time_do_not_mix(
    server: LoopbackServer, connect: Connect
) -> None:
    """Each has its own key and its own stream."""

    async def echo(request: web.Request) -> web.StreamResponse:
        body = json.loads(await request.read())
        key, request_id = server.request_key(body), body["lumo"]["request_id"]
        text = open_messages(body, key)[0][1]
        chunks = [
            delta(content=seal_answer(request_id, key, char), encrypted=True)
            for char in text
        ]
        return await stream(*chunks, b"data: [DONE]\n\n")(request)

    server.on(*CHAT, echo)
    client = connect()
    texts = [f"wish number {number}" for number in range(10)]
    answers = await asyncio.gather(
        *(ask(client, ChatRequest(messages=(UserMessage(text),))) for text in texts)
    )
    assert [
        "".join(event.text for event in events if isinstance(event, TextDelta))
        for events in answers
    ] == texts


# Who is asking


async def test_an_expired_session_is_renewed_and_the_request_repeated(
    server: LoopbackServer, connect: Connect, signed_in: SessionCredential
) -> None:
    """Without the person noticing."""
    server.on(*CHAT, reply(401, {"Code": 401}), stream(*ANSWER))
    server.on(*REFRESH, reply(200, {"AccessToken": "at-2", "RefreshToken": "rt-2"}))
    assert await ask(connect(signed_in)) == EVENTS
    assert server.paths() == ["completions", "refresh", "completions"]
    assert server.seen[0].headers["Authorization"] == "Bearer at-1"
    assert server.seen[2].headers["Authorization"] == "Bearer at-2"
    assert server.seen[2].headers["x-pm-uid"] == "uid-1"


@pytest.mark.long
async def test_a_hundred_turns_renew_the_session_once(
    server: LoopbackServer, connect: Connect, signed_in: SessionCredential
) -> None:
    """All of them get their answer."""

    async def answer(request: web.Request) -> web.StreamResponse:
        if request.headers["Authorization"] == "Bearer at-1":
            return await reply(401)(request)
        return await stream(*ANSWER)(request)

    server.on(*CHAT, answer)
    server.on(
        *REFRESH,
        reply(200, {"AccessToken": "at-2", "RefreshToken": "rt-2"}),
        reply(422, {"Code": 10013}),
    )
    client = connect(signed_in)
    answers = await asyncio.gather(*(ask(client) for _ in range(100)))
    assert answers == [EVENTS] * 100
    assert server.paths().count("refresh") == 1


async def test_a_session_refused_after_it_was_renewed_is_over(
    server: LoopbackServer, connect: Connect, signed_in: SessionCredential
) -> None:
    """It is not renewed again and again."""
    server.on(*CHAT, reply(401))
    server.on(*REFRESH, reply(200, {"AccessToken": "at-2", "RefreshToken": "rt-2"}))
    with pytest.raises(SessionExpiredError):
        await ask(connect(signed_in))
    assert server.paths() == ["completions", "refresh", "completions"]


async def test_a_session_that_cannot_be_renewed_is_over(
    server: LoopbackServer, connect: Connect, signed_in: SessionCredential
) -> None:
    """The person must sign in."""
    server.on(*CHAT, reply(401))
    server.on(*REFRESH, reply(422, {"Code": 10013}))
    with pytest.raises(SessionExpiredError):
        await ask(connect(signed_in))


async def test_a_dead_key_is_named(server: LoopbackServer, connect: Connect) -> None:
    """With the answer that Lumo gives."""
    server.on(*CHAT, reply(401, {"Code": 0, "Error": "Invalid or expired API key"}))
    with pytest.raises(ApiKeyInvalidError):
        await ask(connect(ApiKeyCredential("key")))
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    "key", ["", "  ", "two words", "line\nbreak", "ключ", "a\x00b"]
)
def test_a_key_that_cannot_be_sent_is_refused(key: str) -> None:
    """Before the HTTP library could quote it."""
    with pytest.raises(ApiKeyInvalidError) as error:
        ApiKeyCredential(key)
    assert not key.strip() or key not in repr(error.value) + str(error.value)


async def test_a_guest_keeps_its_cookie_over_a_restart(
    server: LoopbackServer,
) -> None:
    """So that it is counted as one guest."""
    server.on(
        *LIMITS,
        reply(200, {"limits": {}}, {"Set-Cookie": "Session-Id=abc; Path=/; HttpOnly"}),
        reply(200, {"limits": {}}, {"Set-Cookie": "Other=x"}),
        reply(200, {"limits": {}}),
    )
    async with httpx.AsyncClient(verify=False) as http:
        guest = GuestCredential(http)
        assert guest.cookies == {}
        client = LumoClient(http, server.endpoints, guest)
        await client.limits()
        await client.limits()
        saved = json.loads(json.dumps(guest.cookies))
    assert list(saved) == ["Session-Id"]
    async with httpx.AsyncClient(verify=False) as http:
        guest = GuestCredential(http, saved)
        assert guest.cookies == saved
        await LumoClient(http, server.endpoints, guest).limits()
    assert [seen.headers.get("Cookie") for seen in server.seen][-1] == "Session-Id=abc"


async def test_cookies_that_cannot_be_read_are_left_out(
    http: httpx.AsyncClient,
) -> None:
    """Nor does a file bring cookies that are none of a guest's."""
    good = '{"value":"a","domain":"lumo.proton.me","path":"/"}'
    guest = GuestCredential(
        http,
        {
            "Session-Id": "nonsense",
            "Tag": '{"value":"a b","domain":"x","path":"/"}',
            "AUTH-1": good,
        },
    )
    assert guest.cookies == {}
    assert list(GuestCredential(http, {"Tag": good}).cookies) == ["Tag"]


async def test_a_cookie_is_only_sent_where_it_came_from(
    server: LoopbackServer, http: httpx.AsyncClient
) -> None:
    """Proton's are not for a development server."""
    server.on(*LIMITS, reply(200, {"limits": {}}))
    guest = GuestCredential(
        http, {"Tag": '{"value":"a","domain":"lumo.proton.me","path":"/"}'}
    )
    await LumoClient(http, server.endpoints, guest).limits()
    assert "Cookie" not in server.seen[0].headers


# Limits and models


@pytest.mark.parametrize(
    ("body", "limits"),
    [
        ({"limits": {"lite": 99, "max": 20, "images": 19}}, Limits(99, 20, 19)),
        ({"Code": 1000, "limits": {"lite": 0, "max": None}}, Limits(0, None, None)),
        ({"limits": {"lite": "many", "max": True, "images": 2.0}}, Limits(images=2)),
        ({"limits": {}}, Limits()),
    ],
)
async def test_limits_are_read(
    server: LoopbackServer, connect: Connect, body: object, limits: Limits
) -> None:
    """What is missing is unknown."""
    server.on(*LIMITS, reply(200, body))
    assert await connect().limits() == limits


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({}, ForeignPageError),
        ([], ForeignPageError),
        ("text", ForeignPageError),
        ({"blocked": True}, ForeignPageError),
        ({"limits": 7}, ProtocolError),
        (None, ProtocolError),
    ],
)
async def test_limits_that_are_none_are_an_error(
    server: LoopbackServer, connect: Connect, body: object, expected: type[LumoError]
) -> None:
    """And so is a failure with a status of success."""
    server.on(*LIMITS, reply(200, body))
    with pytest.raises(expected):
        await connect().limits()
    server.on(*LIMITS, reply(200, {"Code": 10003, "Error": "Disabled"}))
    with pytest.raises(LumoError) as error:
        await connect().limits()
    assert error.value.code == "account_disabled"


async def test_limits_renew_the_session_and_are_tried_again(
    server: LoopbackServer, connect: Connect, signed_in: SessionCredential
) -> None:
    """As the chat call is."""
    server.on(*LIMITS, reply(503), reply(401), reply(200, {"limits": {"lite": 1}}))
    server.on(*REFRESH, reply(200, {"AccessToken": "at-2"}))
    assert await connect(signed_in).limits() == Limits(1)
    assert server.paths() == ["limits", "limits", "refresh", "limits"]


async def test_models_are_read(server: LoopbackServer, connect: Connect) -> None:
    """Without those that are archived."""
    server.on(
        *MODELS,
        reply(
            200,
            {
                "object": "list",
                "data": [
                    {
                        "id": "lumo-lite",
                        "max_context_length": 262144,
                        "name": "Lite",
                        "aliases": ["auto", 1],
                    },
                    {"id": "old", "archived": True},
                    {"id": "lumo-max", "name": ""},
                    {"id": 7},
                    "text",
                ],
            },
        ),
    )
    assert await connect().models() == [
        Model("lumo-lite", "Lite", 262144, ("auto",)),
        Model("lumo-max"),
    ]
    server.on(*MODELS, reply(200))
    with pytest.raises(ProtocolError):
        await connect().models()


# Secrets


async def test_no_secret_and_no_prompt_is_logged_or_raised(
    server: LoopbackServer,
    connect: Connect,
    signed_in: SessionCredential,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """On good and on bad days."""
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.INFO, "httpcore")  # The HTTP library's own trace.
    faults = [
        reply(401),
        reply(400, {"Code": 2000, "Error": "secret wish"}),
        reply(200, {"error": {"message": "secret wish"}}),
        stream(delta(content="secret answer"), then="break"),
        stream(delta(content="secret answer", encrypted=True)),
    ]
    texts = []
    for fault in faults:
        server.on(*CHAT, fault)
        server.on(*REFRESH, reply(422, {"Code": 10013, "Error": "rt-1 at-1"}))
        with pytest.raises(LumoError) as error:
            await ask(connect(signed_in))
        texts += [str(error.value), repr(error.value)]
    for text in (*texts, caplog.text, repr(signed_in), repr(server.endpoints)):
        for secret in ("secret", "at-1", "rt-1", "BEGIN PGP"):
            assert secret not in text
