"""A session that exists already, read from whatever a person pastes.

    browser   cookies `AUTH-<uid>` (access token) and `REFRESH-<uid>` (URL-encoded JSON
              with the refresh token): as a Cookie header, a copied request, lines, rows
              of the browser's tools, cookies.txt, or the JSON of an export
    rclone    a section of its configuration with a `protondrive` remote
    by hand   UID, access token and refresh token, with their names

No error holds anything of the text.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
import re
from typing import Any, Final

from .auth import RefreshVariant, Tokens, read_refresh_cookie
from .errors import ImportedSessionError
from .transport import is_header_value
from .wire_json import dump_json, parse_json

# A recorded page load of a browser is large.
_LONGEST_TEXT: Final = 8 * 1024 * 1024

# A cookie's name, then `=` or what stands between the columns of a table, then a value:
# quoted, JSON that a browser's tools have decoded, or what a cookie may hold.
_COOKIE: Final = re.compile(
    r"""(?<![\w-])(?P<kind>AUTH|REFRESH)-(?P<uid>[A-Za-z0-9_-]+)["']?"""
    r"""(?:[ \t]*[=:][ \t]*|[ \t]+)"""
    r"""(?!(?:AUTH|REFRESH)-)"""
    r"""(?P<value>"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'|\{[^{}\r\n]*\}|[^\s;,"'{}]+)"""
)

_SECTION: Final = re.compile(r"\[[^\]]*\]")
_LINE: Final = re.compile(r"(?P<name>[A-Za-z][\w \t-]{0,40}?)[ \t]*[=:\t](?P<value>.*)")

# Names without their punctuation. The last two of each are rclone's and a header's;
# `from_browser` is "True" where a person says that bare tokens are those of cookies.
_TOKEN: Final = ("accesstoken", "clientaccesstoken", "authorization")
_FIELDS: Final = {
    **dict.fromkeys(("uid", "sessionid", "clientuid", "xpmuid"), "uid"),
    **dict.fromkeys(_TOKEN, "access_token"),
    **dict.fromkeys(("refreshtoken", "clientrefreshtoken"), "refresh_token"),
    "frombrowser": "from_browser",
}


def parse_imported_sessions(text: str) -> list[Tokens]:
    """Return all whole sessions in a text, untried, else raise ImportedSessionError."""
    text = text[:_LONGEST_TEXT]
    with suppress(ValueError):
        text = "\n".join(_json_lines(parse_json(text)))
    return _browser_sessions(text) or _named_sessions(text)


def _json_lines(root: Any) -> Iterator[str]:
    """Yield a line for each name and value in parsed JSON, an object as a section."""
    left = [root]
    while left:
        value = left.pop()
        if isinstance(value, str):
            # A recorded request has a whole header as one value.
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


def _browser_sessions(text: str) -> list[Tokens]:
    access_tokens: dict[str, str] = {}
    refresh_tokens: dict[str, str] = {}
    for found in _COOKIE.finditer(text):
        value = _unquoted(found["value"])
        if found["kind"] == "REFRESH":
            refresh_tokens.setdefault(found["uid"], read_refresh_cookie(value) or "")
        elif is_header_value(value):
            access_tokens.setdefault(found["uid"], value)
    whole = [uid for uid in access_tokens if refresh_tokens.get(uid)]
    if not whole and (access_tokens or refresh_tokens):
        raise ImportedSessionError
    return [
        Tokens(uid, access_tokens[uid], refresh_tokens[uid], "cookie") for uid in whole
    ]


def _named_sessions(text: str) -> list[Tokens]:
    sections: list[dict[str, str]] = [{}]
    for line in map(str.strip, text.splitlines()):
        if _SECTION.fullmatch(line):
            sections.append({})
        elif (match := _LINE.fullmatch(line)) and (
            field := _FIELDS.get(re.sub(r"[\W_]", "", match["name"]).lower())
        ):
            sections[-1].setdefault(field, _unquoted(match["value"].strip()))
    sessions = [tokens for values in sections if (tokens := _tokens(values))]
    if not sessions:
        raise ImportedSessionError
    return sessions


def _tokens(values: Mapping[str, str]) -> Tokens | None:
    given = values.get("refresh_token", "")
    decoded = read_refresh_cookie(given)
    uid = re.sub(r"^(AUTH|REFRESH)-", "", values.get("uid", ""))
    access_token = re.sub(r"(?i)^bearer\s+", "", values.get("access_token", ""))
    refresh_token = decoded or given
    if not all(map(is_header_value, (uid, access_token, refresh_token))):
        return None
    is_cookie = decoded or values.get("from_browser") == "True"
    variant: RefreshVariant = "cookie" if is_cookie else "json"
    return Tokens(uid, access_token, refresh_token, variant)
