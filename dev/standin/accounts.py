"""Who may use the service: users, sessions and their tokens, API keys, guests."""

from collections.abc import Callable
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
import json
import secrets
import time
from typing import Any, Literal
from urllib.parse import quote, unquote

from aiohttp import web

from .errors import REFRESH_TOKEN_INVALID, ApiError, missing_scope, unauthorized
from .human import NOTHING_SHOWN, HumanVerification, Shown
from .users import User, make_users

type Kind = Literal["guest", "anonymous", "session", "api_key"]

# What a session from a password sign-in carries: `lumo` is missing, so that the
# conversation storage is refused, as it is by the real service.
SCOPES = ("full", "self", "user", "loggedin", "nondelinquent", "verified")
# What it carries until the second factor is given.
SCOPES_HALFWAY = ("full", "self", "twofactor")


@dataclass(slots=True)
class Session:
    """A session: its access tokens with their ends, its one refresh token."""

    uid: str
    user: User | None  # None: anonymous
    refresh_token: str = ""
    access_tokens: dict[str, float] = field(default_factory=dict)
    spent: set[str] = field(default_factory=set)  # refresh tokens used up
    halfway: bool = False  # the second factor is missing

    @property
    def access_token(self) -> str:
        """Return the newest access token."""
        return next(reversed(self.access_tokens))

    @property
    def scopes(self) -> tuple[str, ...]:
        """Return what the session may do."""
        if self.halfway:
            return SCOPES_HALFWAY
        return SCOPES if self.user else ()


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a request comes from, and under which name its quota is counted."""

    kind: Kind
    bucket: str
    session: Session | None = None
    new_cookies: tuple[tuple[str, str], ...] = ()
    shown: Shown = NOTHING_SHOWN


class Accounts:
    """Everything the service knows about who is who."""

    def __init__(
        self, token_lifetime: float, clock: Callable[[], float] = time.time
    ) -> None:
        self.lifetime = token_lifetime
        self._clock = clock
        self.humans = HumanVerification()
        self.users = make_users()
        self.sessions: dict[str, Session] = {}
        self.api_keys: dict[str, bool] = {}  # key: still valid
        self.alice = self.create_session(self.users[0])
        self.valid_key = self.create_api_key("pat-standin-valid-key-0123456789")
        self.revoked_key = self.create_api_key(
            "pat-standin-revoked-key-0123456789", valid=False
        )

    def describe(self) -> list[dict[str, str]]:
        """Return what a tester needs to sign in."""
        described = [
            {
                "kind": "session",
                "uid": session.uid,
                "access_token": session.access_token,
                "refresh_token": session.refresh_token,
                "user_name": session.user.name,
                "user_id": session.user.user_id,
            }
            for session in self.sessions.values()
            if session.user and not session.halfway
        ]
        described += [
            {"kind": "api_key", "api_key": key, "state": "valid" if ok else "revoked"}
            for key, ok in self.api_keys.items()
        ]
        described += [user.describe() for user in self.users]
        return described

    def end_faults(self) -> None:
        """Be as without scenarios."""
        self.humans.composite_only = False

    def now(self) -> float:
        """Return the time as the service's clock has it."""
        return self._clock()

    @property
    def expires_in(self) -> int:
        """Return the seconds that new access tokens live."""
        return int(self.lifetime)

    def revoke_all(self) -> None:
        """End every session."""
        self.sessions.clear()

    def find_user(self, name: str) -> User | None:
        """Return the account with this user name, or with this address."""
        local, _, domain = name.strip().lower().partition("@")
        if domain not in ("", "proton.me", "protonmail.com", "pm.me"):
            return None
        return next((user for user in self.users if user.name == local), None)

    def create_session(self, user: User | None = None) -> Session:
        """Begin a session, of nobody in particular without a user."""
        session = Session(uid=secrets.token_hex(16), user=user)
        self.sessions[session.uid] = session
        self._new_tokens(session)
        return session

    def create_api_key(self, key: str = "", *, valid: bool = True) -> str:
        """Issue an API key; its form is unknown, clients may not look into it."""
        key = key or f"pat-{secrets.token_urlsafe(32)}"
        self.api_keys[key] = valid
        return key

    def _new_tokens(self, session: Session) -> None:
        """Issue a pair: the old refresh token dies, old access tokens live on."""
        if session.refresh_token:
            session.spent.add(session.refresh_token)
        session.refresh_token = secrets.token_hex(16)
        token = secrets.token_hex(16)
        session.access_tokens[token] = self.now() + self.lifetime

    def sign_in(self, user: User, anonymous: Session | None) -> Session:
        """Return a user's new session; an anonymous one becomes it, under its UID."""
        if anonymous is None or anonymous.user is not None:
            session = self.create_session(user)
        else:
            session = anonymous
            session.user = user
            session.access_tokens.clear()
            self._new_tokens(session)
        session.halfway = bool(user.second_factors)
        return session

    def refresh(self, uid: str, token: str) -> Session:
        """Exchange a refresh token for a new pair, or raise ApiError (10013)."""
        session = self.sessions.get(uid)
        if session is None or not secrets.compare_digest(
            session.refresh_token.encode(), token.encode()
        ):
            raise ApiError(422, REFRESH_TOKEN_INVALID, "Invalid refresh token")
        self._new_tokens(session)
        return session

    def revoke(self, session: Session) -> None:
        """End a session."""
        self.sessions.pop(session.uid, None)

    def expire_access_tokens(self, session: Session) -> None:
        """Let every access token of the session end now."""
        session.access_tokens = dict.fromkeys(session.access_tokens, 0.0)

    def session_of(self, request: web.Request, *, halfway: bool = False) -> Session:
        """Return the session that a request proves to hold; raise ApiError (401, 403).

        It is shown by `x-pm-uid` and a bearer token or the browser's `AUTH-<uid>` cookie.
        `halfway`: its second factor may be missing.
        """
        uid = request.headers.get("x-pm-uid", "")
        token = bearer(request) or request.cookies.get(f"AUTH-{uid}", "")
        session = self.sessions.get(uid)
        if session is None or self.now() >= session.access_tokens.get(token, 0.0):
            raise unauthorized()
        if session.halfway and not halfway:
            raise missing_scope("loggedin")
        return session

    def identify(self, request: web.Request) -> Identity:
        """Say who asks; raise ApiError for dead tokens and dead keys.

        An unknown bearer string without a session is no error: it is served as a
        guest, as the real service does.
        """
        shown = Shown.of(request)
        if request.headers.get("x-pm-uid"):
            session = self.session_of(request)
            kind: Kind = "session" if session.user else "anonymous"
            return Identity(kind, session.uid, session, shown=shown)
        key = bearer(request)
        if (valid := self.api_keys.get(key)) is not None:
            if not valid:
                raise ApiError(401, 0, "Invalid or expired API key")
            return Identity("api_key", key, shown=shown)
        if known := request.cookies.get("Session-Id"):
            return Identity("guest", known, shown=shown)
        new = secrets.token_urlsafe(20)
        cookies = (("Session-Id", new), ("Tag", "default"))
        return Identity("guest", new, new_cookies=cookies, shown=shown)


def bearer(request: web.Request) -> str:
    """Return the bearer token of a request, empty without one."""
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def refresh_cookie(request: web.Request) -> dict[str, Any] | None:
    """Return the content of the browser's `REFRESH-<uid>` cookie.

    Its value is URL-encoded JSON. With several, the one of `x-pm-uid` counts.
    """
    uid = request.headers.get("x-pm-uid", "")
    for name, value in request.cookies.items():
        if name == f"REFRESH-{uid}" or (not uid and name.startswith("REFRESH-")):
            try:
                content = json.loads(unquote(value))
            except ValueError:
                return None
            if isinstance(content, dict):
                return {"UID": name.removeprefix("REFRESH-"), **content}
    return None


def session_cookies(session: Session) -> list[str]:
    """Return the Set-Cookie values of a browser's session."""
    content = {
        "ResponseType": "token",
        "ClientID": "WebLumo",
        "GrantType": "refresh_token",
        "RefreshToken": session.refresh_token,
        "UID": session.uid,
    }
    cookies: SimpleCookie = SimpleCookie()
    cookies[f"AUTH-{session.uid}"] = session.access_token
    cookies[f"AUTH-{session.uid}"]["path"] = "/api/"
    cookies[f"REFRESH-{session.uid}"] = quote(
        json.dumps(content, separators=(",", ":")), safe=""
    )
    cookies[f"REFRESH-{session.uid}"]["path"] = "/api/auth/refresh"
    for morsel in cookies.values():
        morsel["httponly"] = True
        morsel["samesite"] = "None"
    return [morsel.OutputString() for morsel in cookies.values()]
