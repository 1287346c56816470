"""Signing in with a password, against a server that checks the proofs."""

import gc
import logging
from types import FunctionType, ModuleType
from typing import Any

import httpx
import pytest

from custom_components.lumo.lumo_client import password_sign_in
from custom_components.lumo.lumo_client.auth import Tokens
from custom_components.lumo.lumo_client.errors import (
    AccountDisabledError,
    AppVersionError,
    ConfigurationError,
    DeviceVerificationError,
    ForeignPageError,
    HumanVerificationError,
    LumoConnectionError,
    LumoError,
    PasswordVersionError,
    ProtocolError,
    RateLimitError,
    ServerError,
    ServerProofError,
    SessionExpiredError,
    SingleSignOnError,
    VerificationTokenError,
    WrongPasswordError,
)
from custom_components.lumo.lumo_client.password_sign_in import AccountSignIn
from custom_components.lumo.lumo_client.srp import Proofs

from .loopback import Handler, LoopbackServer, page, reply, reset
from .srp_server import PASSWORD, TOTP, SrpServer
from .srp_vectors import vectors

TOKENS = Tokens("uid-1", "at-1", "rt-1")
WITH_TOTP = {"Enabled": 1, "TOTP": 1, "FIDO2": None}


@pytest.fixture
def proton(server: LoopbackServer) -> SrpServer:
    return SrpServer(server)


@pytest.fixture
def sign_in(
    proton: SrpServer, server: LoopbackServer, http: httpx.AsyncClient
) -> AccountSignIn:
    return AccountSignIn(http, server.endpoints)


async def start(sign_in: AccountSignIn, password: str = PASSWORD) -> object:
    return await sign_in.start("alice@proton.me", password)


async def test_a_right_password_signs_in(
    proton: SrpServer, sign_in: AccountSignIn, server: LoopbackServer
) -> None:
    """With the calls that Proton's clients make, in their order."""
    assert await sign_in.start(" alice@proton.me ", PASSWORD) == TOKENS
    assert server.paths() == ["sessions", "info", "v4"]
    assert proton.bodies("info") == [
        {"Username": "alice@proton.me", "Intent": "Proton"}
    ]
    (proof,) = proton.bodies("auth/v4")
    assert proof.keys() == {"Username", "ClientEphemeral", "ClientProof", "SRPSession"}
    for seen in server.seen:
        assert seen.headers["x-pm-appversion"].startswith("web-account@")
        assert seen.headers["Accept"] == "application/vnd.protonmail.v1+json"
        assert PASSWORD not in str(seen.body)


@pytest.mark.parametrize(("name", "password"), [("", PASSWORD), (" ", "x"), ("a", "")])
async def test_nothing_is_asked_without_name_and_password(
    sign_in: AccountSignIn, server: LoopbackServer, name: str, password: str
) -> None:
    """An empty password is refused before anybody hears of it."""
    with pytest.raises(WrongPasswordError):
        await sign_in.start(name, password)
    assert server.seen == []


@pytest.mark.parametrize(
    ("info", "expected"),
    [
        ({"Modulus": vectors.M1.replace("y6Ttuf", "y6Ttug")}, ServerProofError),
        ({"ServerEphemeral": "A" * 340 + "AA=="}, ServerProofError),
        ({"ServerEphemeral": "*"}, ServerProofError),
        ({"Salt": "a"}, ServerProofError),
        ({"Version": 2}, PasswordVersionError),
        ({"Version": "4"}, ProtocolError),
        ({"SRPSession": None}, ProtocolError),
        ({"Modulus": None}, ProtocolError),
    ],
)
async def test_a_challenge_that_is_not_protons_is_not_answered(
    proton: SrpServer,
    sign_in: AccountSignIn,
    server: LoopbackServer,
    info: dict[str, Any],
    expected: type[LumoError],
) -> None:
    """No proof leaves this machine."""
    proton.info = info
    with pytest.raises(expected) as error:
        await start(sign_in)
    assert type(error.value) is expected
    assert server.paths() == ["sessions", "info"]


@pytest.mark.parametrize("proof", [vectors.PROOF_SERVER, "", None, 7])
async def test_a_server_that_cannot_prove_itself_is_refused(
    proton: SrpServer, sign_in: AccountSignIn, proof: object
) -> None:
    """The session it gave is ended and forgotten."""
    proton.auth = {"ServerProof": proof}
    with pytest.raises(ServerProofError):
        await start(sign_in)
    assert proton.revoked == ["Bearer at-1"]
    with pytest.raises(SessionExpiredError):
        await sign_in.second_factor(TOTP)


@pytest.mark.parametrize("status", [400, 404, 422])
async def test_a_server_without_anonymous_sessions_is_no_obstacle(
    sign_in: AccountSignIn, server: LoopbackServer, status: int
) -> None:
    """Other clients of Proton sign in without one."""
    server.on("POST", "auth/v4/sessions", reply(status))
    server.on("POST", "auth/v4/info", reply(422, {"Code": 8002}))
    with pytest.raises(WrongPasswordError):
        await start(sign_in)
    assert "x-pm-uid" not in server.seen[-1].headers


@pytest.mark.parametrize("path", ["auth/v4/info", "auth/v4"])
@pytest.mark.parametrize(
    ("handler", "expected"),
    [
        (reply(422, {"Code": 8002}), WrongPasswordError),
        (reply(401, {"Code": 8002}), WrongPasswordError),
        (reply(422, {"Code": 8100}), SingleSignOnError),
        (reply(422, {"Code": 8101}), SingleSignOnError),
        (reply(422, {"Code": 10003}), AccountDisabledError),
        (reply(422, {"Code": 12100}), AccountDisabledError),
        (reply(422, {"Code": 9002}), DeviceVerificationError),
        (reply(400, {"Code": 5003}), AppVersionError),
        (reply(429, {"Code": 2028}, {"Retry-After": "30"}), RateLimitError),
        (reply(503), ServerError),
        (reset(), LumoConnectionError),
        (reply(200, {"Code": 8002}), WrongPasswordError),
        (reply(200, "text"), ForeignPageError),
        (page(), ForeignPageError),
        (page(403), ForeignPageError),
    ],
)
async def test_each_refusal_has_its_class(
    sign_in: AccountSignIn,
    server: LoopbackServer,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    handler: Handler,
    expected: type[LumoError],
) -> None:
    def proofs(*_: object) -> Proofs:
        return Proofs("A", "M", b"S")

    monkeypatch.setattr(password_sign_in, "answer_challenge", proofs)
    server.on("POST", path, handler)
    with pytest.raises(expected):
        await start(sign_in)
    assert server.paths().count(path.rsplit("/", 1)[-1]) == 1
    with pytest.raises(SessionExpiredError):
        await sign_in.verify_human()


async def test_an_organisations_own_sign_in_is_recognised(
    sign_in: AccountSignIn, server: LoopbackServer
) -> None:
    server.on("POST", "auth/v4/info", reply(200, {"SSOChallengeToken": "x"}))
    with pytest.raises(ForeignPageError):
        await start(sign_in)
    server.on(
        "POST", "auth/v4/info", reply(200, {"Code": 1000, "SSOChallengeToken": "x"})
    )
    with pytest.raises(SingleSignOnError):
        await start(sign_in)


@pytest.mark.parametrize("path", ["sessions", "info", "v4", "2fa"])
async def test_after_a_human_was_seen_the_same_step_goes_on(
    proton: SrpServer, sign_in: AccountSignIn, server: LoopbackServer, path: str
) -> None:
    """Unchanged, with the token that was given; nothing before it is repeated."""
    order = ["sessions", "info", "v4"]
    proton.human = frozenset({path})
    if path == "2fa":
        proton.factors = WITH_TOTP
        order.append("2fa")
        await start(sign_in)
    asked = sign_in.second_factor(TOTP) if path == "2fa" else start(sign_in)
    with pytest.raises(HumanVerificationError) as error:
        await asked
    assert error.value.web_url == "https://verify.proton.me/?token=challenge-1"
    assert await sign_in.verify_human() == TOKENS
    position = order.index(path)
    assert server.paths() == order[: position + 1] + order[position:]
    first, second = (
        seen for seen in server.seen if seen.path.rsplit("/", 1)[-1] == path
    )
    assert first.body == second.body
    assert second.headers["x-pm-human-verification-token"] == "challenge-1"
    assert second.headers["x-pm-human-verification-token-type"] == "captcha"
    for seen in server.seen:
        if seen is not second:
            assert "x-pm-human-verification-token" not in seen.headers


async def test_a_person_who_is_too_quick_may_try_again(
    proton: SrpServer, sign_in: AccountSignIn, server: LoopbackServer
) -> None:
    """The challenge stays the same: a solved verification belongs to it."""
    proton.human = frozenset({"v4"})
    proton.proof_of_human = "solved"
    with pytest.raises(HumanVerificationError):
        await start(sign_in)
    for _ in range(2):
        with pytest.raises(VerificationTokenError):
            await sign_in.verify_human()
    with pytest.raises(VerificationTokenError):
        await sign_in.verify_human("not\na token")
    assert await sign_in.verify_human("solved") == TOKENS
    assert server.paths() == ["sessions", "info", "v4", "v4", "v4", "v4"]
    assert len({str(body) for body in proton.bodies("auth/v4")}) == 1
    assert server.seen[-1].headers["x-pm-human-verification-token"] == "solved"


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (reset(), LumoConnectionError),
        (reply(503), ServerError),
        (reply(429), RateLimitError),
        (page(401), ForeignPageError),
    ],
)
async def test_a_fault_at_the_code_does_not_end_the_attempt(
    proton: SrpServer,
    sign_in: AccountSignIn,
    server: LoopbackServer,
    fault: Handler,
    expected: type[LumoError],
) -> None:
    """Another code may follow."""
    proton.factors = WITH_TOTP
    await start(sign_in)
    handler = server._handlers["POST", "/api/auth/v4/2fa"][0]
    server.on("POST", "auth/v4/2fa", fault, handler)
    with pytest.raises(expected):
        await sign_in.second_factor(TOTP)
    assert await sign_in.second_factor(TOTP) == TOKENS


async def test_a_password_never_travels_without_tls(
    server: LoopbackServer, http: httpx.AsyncClient
) -> None:
    url = "http://192.0.2.1/api"
    endpoints = type(server.endpoints)(
        lumo_url=url, account_url=url, public_key=server.endpoints.public_key
    )
    with pytest.raises(ConfigurationError):
        await AccountSignIn(http, endpoints).start("alice", PASSWORD)


SECRETS = (PASSWORD, "at-1", "rt-1", "at-anonymous", "rt-anonymous", TOTP)


async def test_no_secret_is_shown_or_logged(
    proton: SrpServer, sign_in: AccountSignIn, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    proton.factors = WITH_TOTP
    proton.human = frozenset({"v4"})
    shown = []
    for attempt in (start(sign_in), sign_in.verify_human()):
        try:
            shown.append(repr(await attempt))
        except LumoError as err:
            shown += [str(err), repr(err), repr(err.__cause__), repr(err.__context__)]
    shown += [repr(sign_in), repr(await sign_in.second_factor(TOTP))]
    with pytest.raises(WrongPasswordError) as error:
        await start(sign_in, f"{PASSWORD}!")
    shown += [str(error.value), repr(error.value)]
    text = "\n".join([*shown, caplog.text])
    assert "uid-1" in text
    for secret in SECRETS:
        assert secret not in text


async def test_the_password_is_forgotten_once_the_proofs_are_computed(
    proton: SrpServer, sign_in: AccountSignIn
) -> None:
    password = f"{PASSWORD} of this test"
    proton.human = frozenset({"v4"})
    with pytest.raises(HumanVerificationError):
        await sign_in.start("alice", password)
    assert not reaches(sign_in, password)
    proton.human = frozenset({"info"})
    with pytest.raises(HumanVerificationError):
        await sign_in.start("alice", password)
    assert reaches(sign_in, password), "it is still needed"
    await sign_in.abandon()
    assert not reaches(sign_in, password)


def reaches(root: object, wanted: object) -> bool:
    """Return whether an object holds another, over however many steps."""
    seen = {id(root): root}
    left = [root]
    while left:
        item = left.pop()
        if item is wanted:
            return True
        if isinstance(item, FunctionType):
            inside = [cell.cell_contents for cell in item.__closure__ or ()]
        elif isinstance(item, type | ModuleType | httpx.AsyncClient):
            continue
        else:
            inside = gc.get_referents(item)
        for part in inside:
            if id(part) not in seen:
                seen[id(part)] = part
                left.append(part)
    return False


async def test_what_the_answer_leaves_out_is_that_of_the_anonymous_session(
    proton: SrpServer, sign_in: AccountSignIn
) -> None:
    """Signing in upgrades it."""
    proton.left_out = frozenset({"UID", "RefreshToken"})
    assert await start(sign_in) == Tokens("uid-anonymous", "at-1", "rt-anonymous")
