"""A session that exists already, read from whatever a person pastes.

    browser   cookies `AUTH-<uid>` (access token) and `REFRESH-<uid>` (URL-encoded JSON
              with the refresh token): as a Cookie header, a copied request, lines, rows
              of the browser's tools, cookies.txt, or the JSON of an export
    rclone    a section of its configuration with a `protondrive` remote
    by hand   UID, access token and refresh token, with their names or one by one

The text is first turned into groups of names and values, whatever its shape; then the
groups are searched, for cookies first. How the session is renewed depends on where it
comes from, so that is found out on the way.

Nothing of the text ever gets into an error.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
import re
from typing import Any, Final

from .errors import ImportedSessionError
from .session import RefreshVariant, Tokens, read_refresh_cookie
from .transport import is_header_value
from .wire_json import parse_json, parse_object, text_of

# A recorded page load of a browser is large; more than this is no paste any more.
_LONGEST_TEXT: Final = 8 * 1024 * 1024

# A cookie's name, then `=` or what stands between the columns of a table, then a value:
# quoted, JSON that a browser's tools have decoded, or what a cookie may hold.
_COOKIE: Final = re.compile(
    r"""(?<![\w-])(?P<name>(?:AUTH|REFRESH)-[A-Za-z0-9_-]+|ps-[0-9]+)["']?"""
    r"""(?:[ \t]*[=:][ \t]*|[ \t]+)"""
    r"""(?!(?:AUTH|REFRESH)-)"""
    r"""(?P<value>"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'|\{[^{}\r\n]*\}|[^\s;,"'{}]+)"""
)
_COOKIE_NAME: Final = re.compile(r"(AUTH|REFRESH)-([A-Za-z0-9_-]+)")
# What the web client keeps of an account's session in the browser's local storage.
_STORED_SESSION: Final = re.compile(r"ps-[0-9]+")

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

type _Group = list[tuple[str, str]]


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
    groups = _groups(text[:_LONGEST_TEXT])
    return _browser_sessions(groups) or _named_sessions(groups)


def session_from_fields(
    uid: str, access_token: str, refresh_token: str, *, from_browser: bool = False
) -> ImportedSession:
    """Return the session of three values that were entered one by one.

    Each may also be the cookie it comes from, name and all; that, or `from_browser`,
    makes it a browser's session. Raises ImportedSessionError unless all can be sent.
    """
    uid, access_token, refresh_token = (
        value.strip() for value in (uid, access_token, refresh_token)
    )
    if cookie := _COOKIE_NAME.fullmatch(uid):
        uid = cookie[2]
    values = {"uid": uid}
    for field, value in (
        ("access_token", access_token),
        ("refresh_token", refresh_token),
    ):
        name, _, rest = value.partition("=")
        if cookie := _COOKIE_NAME.fullmatch(name.strip()):
            value = rest.strip()
            values["uid"] = values["uid"] or cookie[2]
            from_browser = True
        values[field] = value
    if decoded := read_refresh_cookie(values["refresh_token"]):
        values["refresh_token"] = decoded
        from_browser = True
    if (session := _session(values, "cookie" if from_browser else "json")) is None:
        raise ImportedSessionError
    return session


def _groups(text: str) -> list[_Group]:
    try:
        value = parse_json(text)
    except ValueError:
        value = None
    if isinstance(value, dict | list):
        return list(_json_groups(value))
    return [
        [
            (match["name"], _unquoted(match["value"]))
            for match in _COOKIE.finditer(text)
        ],
        *_sections(text),
    ]


def _json_groups(root: Any) -> Iterator[_Group]:
    """Yield the names and values of each object in parsed JSON, in its order.

    The usual exports have `name` and `value`, or the name as a key with the value
    behind it or in an object; a recorded request has a whole header as one value.
    """
    left = [root]
    while left:
        value = left.pop()
        if isinstance(value, list):
            left.extend(reversed(value))
            continue
        if isinstance(value, str):
            if found := _COOKIE.findall(value):
                yield [(name, _unquoted(content)) for name, content in found]
            continue
        if not isinstance(value, dict):
            continue
        group = []
        for name, item in value.items():
            if isinstance(item, dict) and isinstance(item.get("value"), str):
                item = item["value"]
            if isinstance(item, str):
                group.append((name, item))
        name, content = value.get("name"), value.get("value")
        if isinstance(name, str) and isinstance(content, str):
            group.append((name, content))
        yield group
        left.extend(reversed(value.values()))


def _sections(text: str) -> Iterator[_Group]:
    group: _Group = []
    for line in text.splitlines():
        line = line.strip()
        if _SECTION.fullmatch(line):
            yield group
            group = []
        elif (match := _LINE.fullmatch(line)) and not _COOKIE.match(line):
            group.append((match["name"], _unquoted(match["value"].strip())))
    yield group


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "\"'":
        if value[0] == '"' and "\\" in value:
            try:
                return str(parse_json(value))
            except ValueError:
                pass
        return value[1:-1]
    return value


def _browser_sessions(groups: Iterable[_Group]) -> list[ImportedSession]:
    """Return the sessions in cookies; raise if there are only halves."""
    access_tokens: dict[str, str] = {}
    refresh_tokens: dict[str, str] = {}
    stored: set[str] = set()
    seen = False
    for name, value in chain.from_iterable(groups):
        if cookie := _COOKIE_NAME.fullmatch(name):
            seen = True
            kind, uid = cookie.groups()
            if kind == "REFRESH":
                if token := read_refresh_cookie(value):
                    refresh_tokens.setdefault(uid, token)
            elif is_header_value(value):
                access_tokens.setdefault(uid, value)
        elif _STORED_SESSION.fullmatch(name):
            stored.add(text_of((parse_object(value) or {}).get("UID")))
    whole = [uid for uid in access_tokens if uid in refresh_tokens]
    if seen and not whole:
        raise ImportedSessionError
    whole.sort(key=lambda uid: uid not in stored)
    return [
        ImportedSession(Tokens(uid, access_tokens[uid], refresh_tokens[uid], "cookie"))
        for uid in whole
    ]


def _named_sessions(groups: Iterable[_Group]) -> list[ImportedSession]:
    found = []
    for group in groups:
        values: dict[str, str] = {}
        for name, value in group:
            if field := _FIELDS.get(re.sub(r"[\W_]", "", name).lower()):
                values.setdefault(field, value)
        found.append(values)
    found.sort(key=lambda values: values.get("type") != _RCLONE_TYPE)
    sessions = [whole for values in found if (whole := _session(values, "json"))]
    if not sessions:
        raise ImportedSessionError
    return sessions


def _session(
    values: Mapping[str, str], variant: RefreshVariant
) -> ImportedSession | None:
    found: dict[str, str] = {}
    for field in _TOKEN_FIELDS:
        value = values.get(field, "").strip()
        if field == "access_token":
            value = re.sub(r"(?i)^bearer\s+", "", value)
        if is_header_value(value):
            found[field] = value
    if len(found) < len(_TOKEN_FIELDS):
        return None
    return ImportedSession(
        Tokens(**found, variant=variant), values.get("user_name") or None
    )
