"""A session that exists already, read from whatever a person pastes.

    browser   cookies `AUTH-<uid>` (access token) and `REFRESH-<uid>` (URL-encoded JSON
              with the refresh token): as a Cookie header, a copied request, lines, rows
              of the browser's tools, cookies.txt, or the JSON of an export
    rclone    a section of its configuration with a `protondrive` remote
    by hand   UID, access token and refresh token, with their names or one by one

JSON is first turned into lines; then the lines are searched, for cookies first. How the
session is renewed depends on where it comes from, so that is found out on the way.

Nothing of the text ever gets into an error.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
import re
from typing import Any, Final

from .errors import ImportedSessionError
from .session import RefreshVariant, Tokens, read_refresh_cookie
from .transport import is_header_value
from .wire_json import dump_json, parse_json, parse_object, text_of

# A recorded page load of a browser is large; more than this is no paste any more.
_LONGEST_TEXT: Final = 8 * 1024 * 1024

# A cookie's name, or that of an account's session in the browser's local storage (ps-0),
# then `=` or what stands between the columns of a table, then a value: quoted, JSON that
# a browser's tools have decoded, or what a cookie may hold.
_COOKIE: Final = re.compile(
    r"""(?<![\w-])(?P<name>(?:AUTH|REFRESH)-[A-Za-z0-9_-]+|ps-[0-9]+)["']?"""
    r"""(?:[ \t]*[=:][ \t]*|[ \t]+)"""
    r"""(?!(?:AUTH|REFRESH)-)"""
    r"""(?P<value>"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'|\{[^{}\r\n]*\}|[^\s;,"'{}]+)"""
)
_COOKIE_NAME: Final = re.compile(r"(AUTH|REFRESH)-([A-Za-z0-9_-]+)")

_SECTION: Final = re.compile(r"\[[^\]]*\]")
_LINE: Final = re.compile(r"(?P<name>[A-Za-z][\w \t-]{0,40}?)[ \t]*[=:\t](?P<value>.*)")

# Names without their punctuation. The last two of each are rclone's and a header's.
_FIELDS: Final = {
    "uid": "uid",
    "sessionid": "uid",
    "clientuid": "uid",
    "xpmuid": "uid",
    "accesstoken": "access_token",
    "clientaccesstoken": "access_token",
    "authorization": "access_token",
    "refreshtoken": "refresh_token",
    "clientrefreshtoken": "refresh_token",
    "type": "type",
    "username": "user_name",
}
_TOKEN_FIELDS: Final = ("uid", "access_token", "refresh_token")
_RCLONE_TYPE: Final = "protondrive"


@dataclass(frozen=True, slots=True)
class ImportedSession:
    """A session as it was pasted; nobody has tried it yet.

    `user_name` is what its source calls the account, None if it does not say.
    """

    tokens: Tokens
    user_name: str | None = None


def parse_imported_sessions(text: str) -> list[ImportedSession]:
    """Return all whole sessions in a text, the likeliest one first.

    A browser has a session of each account and perhaps one of a guest, which look the
    same. Raises ImportedSessionError if there is none.
    """
    text = text[:_LONGEST_TEXT]
    with suppress(ValueError):
        text = "\n".join(_json_lines(parse_json(text)))
    return _browser_sessions(text) or _named_sessions(text)


def session_from_fields(
    uid: str, access_token: str, refresh_token: str, *, from_browser: bool = False
) -> ImportedSession:
    """Return the session of three values that were entered one by one.

    Each may also be the cookie it comes from, name and all; that, or `from_browser`,
    makes it a browser's session. Raises ImportedSessionError unless all can be sent.
    """
    values = {"uid": uid, "access_token": access_token, "refresh_token": refresh_token}
    for field, value in values.items():
        written, _, rest = value.strip().partition("=")
        values[field] = value.strip()
        if cookie := _COOKIE_NAME.fullmatch(written.strip()):
            values["uid"] = values["uid"] or cookie[2]
            values[field] = rest.strip() or cookie[2]
            from_browser = from_browser or bool(rest)
    if decoded := read_refresh_cookie(values["refresh_token"]):
        values["refresh_token"] = decoded
        from_browser = True
    if (session := _session(values, "cookie" if from_browser else "json")) is None:
        raise ImportedSessionError
    return session


def _json_lines(root: Any) -> Iterator[str]:
    """Yield a line for each name and value in parsed JSON, an object as a section.

    The usual exports have `name` and `value`, or the name as a key with the value
    behind it or in an object; a recorded request has a whole header as one value.
    """
    left = [root]
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            left.extend(reversed(value))
        elif isinstance(value, dict):
            yield "[]"
            named = {str(value.get("name")): value.get("value")}
            for name, item in [*value.items(), *named.items()]:
                content = item.get("value") if isinstance(item, dict) else item
                if isinstance(content, str):
                    yield f"{name}={dump_json(content)}"
            left.extend(reversed(value.values()))


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        if value[0] == '"' and "\\" in value:
            try:
                return str(parse_json(value))
            except ValueError:
                pass
        return value[1:-1]
    return value


def _browser_sessions(text: str) -> list[ImportedSession]:
    """Return the sessions in cookies; raise if there are only halves."""
    access_tokens: dict[str, str] = {}
    refresh_tokens: dict[str, str] = {}
    stored: set[str] = set()
    for found in _COOKIE.finditer(text):
        value = _unquoted(found["value"])
        kind, _, uid = found["name"].partition("-")
        if kind == "ps":
            stored.add(text_of((parse_object(value) or {}).get("UID")))
        elif kind == "REFRESH":
            refresh_tokens.setdefault(uid, read_refresh_cookie(value) or "")
        elif is_header_value(value):
            access_tokens.setdefault(uid, value)
    whole = [uid for uid in access_tokens if refresh_tokens.get(uid)]
    if not whole and (access_tokens or refresh_tokens):
        raise ImportedSessionError
    whole.sort(key=lambda uid: uid not in stored)
    return [
        ImportedSession(Tokens(uid, access_tokens[uid], refresh_tokens[uid], "cookie"))
        for uid in whole
    ]


def _named_sessions(text: str) -> list[ImportedSession]:
    sections: list[dict[str, str]] = [{}]
    for line in map(str.strip, text.splitlines()):
        if _SECTION.fullmatch(line):
            sections.append({})
        elif (match := _LINE.fullmatch(line)) and (
            field := _FIELDS.get(re.sub(r"[\W_]", "", match["name"]).lower())
        ):
            sections[-1].setdefault(field, _unquoted(match["value"].strip()))
    sections.sort(key=lambda values: values.get("type") != _RCLONE_TYPE)
    sessions = [whole for values in sections if (whole := _session(values, "json"))]
    if not sessions:
        raise ImportedSessionError
    return sessions


def _session(
    values: Mapping[str, str], variant: RefreshVariant
) -> ImportedSession | None:
    found = {field: values.get(field, "").strip() for field in _TOKEN_FIELDS}
    found["access_token"] = re.sub(r"(?i)^bearer\s+", "", found["access_token"])
    if not all(map(is_header_value, found.values())):
        return None
    tokens = Tokens(**found, variant=variant)
    return ImportedSession(tokens, values.get("user_name") or None)
