"""Sessions: anonymous ones, refresh in both variants, revoking."""

from typing import Any

from aiohttp import web

from .accounts import Session, refresh_cookie, session_cookies
from .errors import REFRESH_TOKEN_INVALID, ApiError, json_body
from .keys import SERVICE
from .routes import add_route, auth_spellings


def add_routes(app: web.Application) -> None:
    """Serve the session calls."""
    sessions = ("auth/v4/sessions", "auth/sessions", "core/v4/auth/sessions")
    add_route(app, "POST", sessions, create_anonymous)
    add_route(app, "GET", sessions, list_sessions)
    add_route(app, "POST", auth_spellings("refresh"), refresh)
    add_route(app, "POST", auth_spellings("cookies"), to_cookies)
    add_route(app, "GET", auth_spellings("scopes"), scopes)
    add_route(app, "DELETE", auth_spellings(), revoke)


def token_answer(session: Session, expires_in: int) -> dict[str, Any]:
    """Return the tokens of a session as the calls that create them do."""
    answer = {
        "Code": 1000,
        "UID": session.uid,
        "AccessToken": session.access_token,
        "RefreshToken": session.refresh_token,
        "TokenType": "Bearer",
        "ExpiresIn": expires_in,
        "Scope": " ".join(session.scopes),
        "Scopes": list(session.scopes),
        "LocalID": 0,
    }
    if session.user:
        answer["UserID"] = session.user.user_id
    return answer


async def create_anonymous(request: web.Request) -> web.Response:
    """Begin a session of nobody in particular."""
    service = request.app[SERVICE]
    service.counts["sessions"] += 1
    await json_body(request)
    session = service.accounts_state.create_session()
    return web.json_response(token_answer(session, service.accounts_state.expires_in))


async def list_sessions(request: web.Request) -> web.Response:
    """Return the sessions of this session's user."""
    accounts = request.app[SERVICE].accounts_state
    own = accounts.session_of(request)
    return web.json_response(
        {
            "Code": 1000,
            "Sessions": [
                {"UID": session.uid, "ClientID": "WebLumo"}
                for session in accounts.sessions.values()
                if session is own or (own.user and session.user is own.user)
            ],
        }
    )


async def refresh(request: web.Request) -> web.Response:
    """Exchange a refresh token, given in the body or in the browser's cookie."""
    service = request.app[SERVICE]
    service.counts["refresh"] += 1
    await service.gate.pass_by(request, "refresh", "before")
    body = await json_body(request)
    by_cookie = "RefreshToken" not in body
    if by_cookie:
        body = refresh_cookie(request) or {}
    uid = request.headers.get("x-pm-uid") or body.get("UID")
    token = body.get("RefreshToken")
    if not isinstance(uid, str) or not isinstance(token, str):
        raise ApiError(422, REFRESH_TOKEN_INVALID, "Invalid refresh token")
    service.admit_refresh(uid, request)
    session = service.accounts_state.refresh(uid, token)
    service.counts["refreshed"] += 1
    expires_in = service.accounts_state.expires_in
    if by_cookie:
        body = {"Code": 1000, "UID": session.uid, "ExpiresIn": expires_in}
        response = _with_cookies(body, session)
    else:
        response = web.json_response(token_answer(session, expires_in))
    await service.gate.pass_by(request, "refresh", "after")
    return response


async def to_cookies(request: web.Request) -> web.Response:
    """Turn tokens into the browser's cookies."""
    service = request.app[SERVICE]
    session = service.accounts_state.session_of(request)
    body = await json_body(request)
    service.accounts_state.refresh(session.uid, str(body.get("RefreshToken")))
    return _with_cookies({"Code": 1000, "UID": session.uid, "LocalID": 0}, session)


async def scopes(request: web.Request) -> web.Response:
    """Return what the session may do."""
    accounts = request.app[SERVICE].accounts_state
    session = accounts.session_of(request, halfway=True)
    return web.json_response({"Code": 1000, "Scopes": list(session.scopes)})


async def revoke(request: web.Request) -> web.Response:
    """End this session."""
    service = request.app[SERVICE]
    service.counts["revoke"] += 1
    accounts = service.accounts_state
    accounts.revoke(accounts.session_of(request, halfway=True))
    return web.json_response({"Code": 1000})


def _with_cookies(body: dict[str, Any], session: Session) -> web.Response:
    response = web.json_response(body)
    for cookie in session_cookies(session):
        response.headers.add("Set-Cookie", cookie)
    return response
