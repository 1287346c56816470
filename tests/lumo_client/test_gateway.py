"""API keys, and gateways that are asked with them."""

from collections.abc import Callable
import json

import httpx
from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.lumo_client.auth import (
    ApiKeyCredential,
    Credential,
    GuestCredential,
    Session,
    Tokens,
    keep_nothing,
)
from custom_components.lumo.lumo_client.client import LumoClient
from custom_components.lumo.lumo_client.endpoints import (
    PRODUCTION,
    Endpoints,
    is_confidential,
)
from custom_components.lumo.lumo_client.errors import (
    ApiKeyInvalidError,
    ApiKeyNotRecognisedError,
    ConfigurationError,
    GatewayUrlError,
    InsecureUrlError,
    LumoConnectionError,
    LumoError,
    QuotaError,
    ServerError,
    UnconfirmedUrlError,
)
from custom_components.lumo.lumo_client.events import Limits, Usage

from .loopback import Handler, LoopbackServer, delta, reply, reset, stream

KEY = "pat-secret"
CHAT = ("POST", "ai/v1/chat/completions")
LENGTH = b'data: {"choices":[{"delta":{},"finish_reason":"length"}]}\n\n'
DONE = b"data: [DONE]\n\n"


def usage(**members: object) -> bytes:
    content = {"prompt_tokens": 8, "completion_tokens": 1, **members}
    return f"data: {json.dumps({'choices': [], 'usage': content})}\n\n".encode()


def answer(*lines: bytes) -> Handler:
    return stream(delta(content="H"), LENGTH, *lines, DONE)


AS_A_GUEST = usage(remaining_limits={"lite": 19, "max": 5, "images": 2})


@pytest.fixture
def client(server: LoopbackServer, http: httpx.AsyncClient) -> LumoClient:
    return LumoClient(http, server.endpoints, ApiKeyCredential(KEY))


@pytest.fixture
def gateway(server: LoopbackServer, http: httpx.AsyncClient) -> LumoClient:
    endpoints = PRODUCTION.for_gateway(f"http://127.0.0.1:{server.port}/api/gateway/v1")
    return LumoClient(http, endpoints, ApiKeyCredential(KEY))


@pytest.mark.parametrize(
    "lines",
    [
        [usage()],
        [usage(remaining_limits=None)],
        [usage(remaining_limits={})],
        [usage(remaining_limits={"lite": None, "max": None})],
        [],
    ],
)
async def test_a_key_is_accepted_if_its_answer_counts_for_nobody(
    server: LoopbackServer, client: LumoClient, lines: list[bytes]
) -> None:
    """Asked for with one token, in plain text: no client encrypts with a key."""
    server.on(*CHAT, answer(*lines))
    await client.check_api_key()
    (seen,) = server.seen
    assert seen.headers["Authorization"] == f"Bearer {KEY}"
    assert "x-pm-appversion" not in seen.headers
    assert seen.body["max_tokens"] == 1
    assert seen.body["model"] == "lumo-lite"
    assert "lumo" not in seen.body
    assert [message["role"] for message in seen.body["messages"]] == ["user"]


@pytest.mark.parametrize(
    ("handler", "expected"),
    [
        (
            reply(401, {"Code": 0, "Error": "Invalid or expired API key"}),
            ApiKeyInvalidError,
        ),
        (reply(401), ApiKeyInvalidError),
        (reply(429, {"Code": 2028}), QuotaError),
        (reply(500), ServerError),
        (answer(AS_A_GUEST), ApiKeyNotRecognisedError),
    ],
)
async def test_what_else_happens_to_a_key_has_its_class(
    server: LoopbackServer,
    client: LumoClient,
    handler: Handler,
    expected: type[LumoError],
) -> None:
    """An unknown key would use up a guest's few requests without a word."""
    server.on(*CHAT, handler)
    with pytest.raises(expected):
        await client.check_api_key()
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("url", "has_key", "expected"),
    [
        (None, True, True),
        (None, False, False),
        ("http://127.0.0.1:1/api/ai/v1", True, True),
        ("http://127.0.0.1:1/v1", True, False),
    ],
)
async def test_only_lumo_serves_a_key_as_a_guest(
    http: httpx.AsyncClient, url: str | None, has_key: bool, expected: bool
) -> None:
    endpoints = PRODUCTION.for_gateway(url) if url else PRODUCTION
    credential = ApiKeyCredential(KEY) if has_key else GuestCredential(http)
    client = LumoClient(http, endpoints, credential)
    assert client.served_as_guest(Usage(remaining=Limits(19, 5, 2))) is expected
    assert not client.served_as_guest(Usage(remaining=Limits()))


GATEWAY = "gateway/v1"
GATEWAY_CHAT = ("POST", f"{GATEWAY}/chat/completions")
GATEWAY_MODELS = ("GET", f"{GATEWAY}/models")


@pytest.mark.parametrize(
    "models",
    [reply(200, {"data": [{"id": "lumo"}]}), reply(404), reply(400), reply(200, [])],
)
async def test_a_gateway_without_limits_is_there_all_the_same(
    server: LoopbackServer, gateway: LumoClient, models: Handler
) -> None:
    """The limits are unknown."""
    server.on(*GATEWAY_MODELS, models)
    assert await gateway.limits() == Limits()


@pytest.mark.parametrize(
    ("models", "expected"),
    [
        (reply(401), ApiKeyInvalidError),
        (reply(502), ServerError),
        (reset(), LumoConnectionError),
    ],
)
async def test_a_gateway_that_is_away_or_refuses_the_key_is_noticed(
    server: LoopbackServer,
    gateway: LumoClient,
    models: Handler,
    expected: type[LumoError],
) -> None:
    server.on(*GATEWAY_MODELS, models)
    with pytest.raises(expected):
        await gateway.limits()


@pytest.mark.parametrize(
    "make",
    [
        GuestCredential,
        lambda http: Session(http, PRODUCTION, Tokens("uid", "at", "rt"), keep_nothing),
    ],
)
async def test_only_a_key_goes_to_a_gateway(
    http: httpx.AsyncClient, make: Callable[[httpx.AsyncClient], Credential]
) -> None:
    """An account's session is nobody else's business."""
    endpoints = PRODUCTION.for_gateway("https://gateway.example/v1")
    with pytest.raises(ConfigurationError):
        LumoClient(http, endpoints, make(http))


@pytest.mark.parametrize("variant", ["json", "cookie"])
async def test_a_session_never_travels_without_tls(
    http: httpx.AsyncClient, variant: str
) -> None:
    url = "http://192.168.1.5/api"
    endpoints = Endpoints(lumo_url=url, account_url=url, public_key="")
    tokens = Tokens("uid", "at", "rt", "cookie" if variant == "cookie" else "json")
    session = Session(http, endpoints, tokens, keep_nothing)
    client = LumoClient(http, endpoints, session)
    for attempt in (
        session.renew({"Authorization": "Bearer at"}),
        session.user_id(),
        session.revoke(),
        client.limits(),
    ):
        with pytest.raises(ConfigurationError):
            await attempt


async def test_a_key_travels_where_the_person_has_confirmed_it() -> None:
    """What is sent is caught here: nobody has that address."""
    asked = []

    def catch(request: httpx.Request) -> httpx.Response:
        asked.append(str(request.url))
        return httpx.Response(200, json={"data": []})

    endpoints = PRODUCTION.for_gateway(
        "http://192.168.1.5:3003/v1", private_confirmed=True
    )
    async with httpx.AsyncClient(transport=httpx.MockTransport(catch)) as http:
        client = LumoClient(http, endpoints, ApiKeyCredential(KEY))
        assert await client.limits() == Limits()
    assert asked == ["http://192.168.1.5:3003/v1/models"]


SECURE, LOCAL = "https://gateway.example/v1", "http://127.0.0.1:3003/v1"
ADDRESSES: dict[str, str | type[GatewayUrlError]] = {
    SECURE: SECURE,
    f" {SECURE}/ \n": SECURE,
    f"{SECURE}/chat/completions": SECURE,
    "https://gateway.example": SECURE,
    "HTTPS://Gateway.Example:8443/Api": "https://gateway.example:8443/Api",
    LOCAL: LOCAL,
    "http://localhost:3003/v1": "http://localhost:3003/v1",
    "http://[::ffff:127.0.0.1]/v1": "http://[::ffff:127.0.0.1]/v1",
    # Lumo's own is no gateway.
    "https://lumo.proton.me": PRODUCTION.base_url,
    "https://lumo.proton.me/api": PRODUCTION.base_url,
    "https://LUMO.proton.me/api/ai/v1/": PRODUCTION.base_url,
    "https://lumo.proton.me/api/ai/v1/chat/completions": PRODUCTION.base_url,
    # The person's network, the person's decision.
    "http://10.1.2.3/v1": UnconfirmedUrlError,
    "http://192.168.1.5:3003/v1": UnconfirmedUrlError,
    "http://169.254.1.1/v1": UnconfirmedUrlError,
    "http://[fd00::1]/v1": UnconfirmedUrlError,
    "http://[::ffff:192.168.1.5]/v1": UnconfirmedUrlError,
    # Nothing to confirm: what a name resolves to can change.
    "http://gateway.example/v1": InsecureUrlError,
    "http://lumo.proton.me/api/ai/v1": InsecureUrlError,
    "http://homeassistant.local/v1": InsecureUrlError,
    "http://8.8.8.8/v1": InsecureUrlError,
    "http://172.32.0.1/v1": InsecureUrlError,
    "http://100.64.0.1/v1": InsecureUrlError,
    "http://192.168.1.5.example/v1": InsecureUrlError,
    "http://localhost.example/v1": InsecureUrlError,
    "": GatewayUrlError,
    "gateway.example": GatewayUrlError,
    "ftp://gateway.example": GatewayUrlError,
    "https://": GatewayUrlError,
    "https://gateway.example:port/v1": GatewayUrlError,
    "https://[::1/v1": GatewayUrlError,
    "https://user:password@gateway.example/v1": GatewayUrlError,
    "https://gateway.example/v1?key=1": GatewayUrlError,
    "https://gateway.example/v 1": GatewayUrlError,
    "https://gate\tway.example/v1": GatewayUrlError,
    "https://gätewäy.example/v1": GatewayUrlError,
    "//gateway.example/v1": GatewayUrlError,
}


@pytest.mark.parametrize(("text", "expected"), ADDRESSES.items())
def test_an_address_is_tidied_confirmed_or_refused(
    text: str, expected: str | type[GatewayUrlError]
) -> None:
    """An error does not quote it: there may be a password in it."""
    if isinstance(expected, str):
        endpoints = PRODUCTION.for_gateway(text)
        assert endpoints.base_url == expected
        assert endpoints.tells_limits is (endpoints is PRODUCTION)
        assert endpoints.account_url == PRODUCTION.account_url
        return
    is_private = expected is UnconfirmedUrlError
    with pytest.raises(expected) as error:
        PRODUCTION.for_gateway(text, private_confirmed=not is_private)
    assert type(error.value) is expected
    assert not text or text not in str(error.value)
    if is_private:
        assert PRODUCTION.for_gateway(text, private_confirmed=True).base_url == text
        secure = text.replace("http:", "https:")
        assert PRODUCTION.for_gateway(secure).base_url == secure


@given(
    st.lists(
        st.one_of(
            st.text(max_size=6),
            st.sampled_from(
                ["http", "https", "://", "10.0.0.1", "[", "]", "@", ":80", "/v1"]
            ),
        ),
        max_size=6,
    ).map("".join)
)
def test_any_address_is_tidied_once_or_refused(text: str) -> None:
    try:
        url = PRODUCTION.for_gateway(text, private_confirmed=True).base_url
    except GatewayUrlError:
        return
    assert PRODUCTION.for_gateway(url, private_confirmed=True).base_url == url
    assert httpx.URL(url).host


@pytest.mark.parametrize(
    ("url", "confidential"),
    [
        ("https://lumo.proton.me/api", True),
        ("http://127.0.0.1:1/api", True),
        ("http://localhost/api", False),
        ("http://192.168.1.5/api", False),
        ("http://lumo.proton.me/api", False),
        ("http://[::1/api", False),
        ("ftp://lumo.proton.me", False),
        ("", False),
    ],
)
def test_only_tls_and_this_machine_are_confidential(
    url: str, confidential: bool
) -> None:
    """The second for the development server."""
    assert is_confidential(url) is confidential
