"""The client against a real server: requests, retries, cancellation."""

import json
import logging

from aiohttp import web
import httpx
import pytest

from custom_components.lumo.lumo_client.auth import GuestCredential, Session
from custom_components.lumo.lumo_client.client import LumoClient
from custom_components.lumo.lumo_client.errors import (
    EncryptionKeyError,
    ForeignPageError,
    LumoError,
    ProtocolError,
)
from custom_components.lumo.lumo_client.events import (
    End,
    FunctionCall,
    FunctionCallBegun,
    Limits,
    TextDelta,
)

from .asking import CHAT, EVENTS, LIMITS, REFRESH, Connect, ask
from .loopback import ANSWER, LoopbackServer, delta, reply, stream
from .opening import open_messages, seal_answer


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
    # A small answer stays small, and nobody learns the version of Home Assistant.
    assert seen.headers["Accept-Encoding"] == "identity"
    assert seen.headers["User-Agent"] == "LumoForHomeAssistant"


async def test_an_encrypted_answer_is_opened(
    server: LoopbackServer, connect: Connect
) -> None:
    """Text and the arguments of a call."""

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

    server.on(*CHAT, answer)
    client = connect()
    call = FunctionCall("a", "On", {"name": "lamp"}, '{"name":"lamp"}')
    assert await ask(client) == [
        TextDelta("Sure"),
        FunctionCallBegun("On"),
        call,
        End(None),
    ]


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
    server.on(*LIMITS, reply(200, body))
    with pytest.raises(expected):
        await connect().limits()
    server.on(*LIMITS, reply(200, {"Code": 10003, "Error": "Disabled"}))
    with pytest.raises(LumoError) as error:
        await connect().limits()
    assert error.value.code == "account_disabled"


async def test_limits_renew_the_session_and_are_tried_again(
    server: LoopbackServer, connect: Connect, signed_in: Session
) -> None:
    server.on(*LIMITS, reply(503), reply(401), reply(200, {"limits": {"lite": 1}}))
    server.on(*REFRESH, reply(200, {"AccessToken": "at-2"}))
    assert await connect(signed_in).limits() == Limits(1)
    assert server.paths() == ["limits", "limits", "refresh", "limits"]


# Secrets


async def test_no_secret_and_no_prompt_is_logged_or_raised(
    server: LoopbackServer,
    connect: Connect,
    signed_in: Session,
    caplog: pytest.LogCaptureFixture,
) -> None:
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
