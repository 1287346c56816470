"""What a person pastes of a session, in the shapes it really has."""

from contextlib import suppress
import json
from urllib.parse import quote

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.lumo_client.auth import Tokens
from custom_components.lumo.lumo_client.errors import ImportedSessionError
from custom_components.lumo.lumo_client.imported import parse_imported_sessions
from custom_components.lumo.lumo_client.transport import is_header_value

UID = "qk3w7hxj2mzd4vbn5rft6ycp8sgl9aeu"
ACCESS = "a1b2c3d4e5f6"
REFRESH = "f6e5d4c3b2a1"
CONTENT = {
    "ResponseType": "token",
    "ClientID": "WebLumo",
    "GrantType": "refresh_token",
    "RefreshToken": REFRESH,
    "UID": UID,
}
PLAIN = json.dumps(CONTENT, separators=(",", ":"))
ENCODED = quote(PLAIN, safe="")
COOKIE = Tokens(UID, ACCESS, REFRESH, "cookie")
JSON = Tokens(UID, ACCESS, REFRESH, "json")
ROW_END = "\tlumo.proton.me\t/api/\t2027-01-01T00:00:00.000Z\t70\t✓\t✓\tNone\t\tMedium"

FROM_A_BROWSER = {
    "cookie header": f"Cookie: AUTH-{UID}={ACCESS}; Tag=default; "
    f"REFRESH-{UID}={ENCODED}; Session-Id=x",
    "header without its name": f"Session-Id=x; REFRESH-{UID}={ENCODED}; " f"AUTH-{UID}={ACCESS}",
    "lines": f"AUTH-{UID}={ACCESS}\nREFRESH-{UID}={ENCODED}\n",
    "lines, decoded": f"AUTH-{UID}={ACCESS}\nREFRESH-{UID}={PLAIN}",
    "lines, decoded and quoted": f"AUTH-{UID}='{ACCESS}'\nREFRESH-{UID}='{PLAIN}'",
    "lines, quoted as json": f"AUTH-{UID}={ACCESS}\nREFRESH-{UID}={json.dumps(PLAIN)}",
    "encoded twice": f"AUTH-{UID}={ACCESS}\nREFRESH-{UID}={quote(ENCODED)}",
    "rows of chrome": f"Session-Id\tx{ROW_END}\nAUTH-{UID}\t{ACCESS}{ROW_END}\n"
    f"REFRESH-{UID}\t{ENCODED}{ROW_END}\n",
    "rows of chrome, decoded": f"AUTH-{UID}\t{ACCESS}{ROW_END}\n"
    f"REFRESH-{UID}\t{PLAIN}{ROW_END}\n",
    "rows of firefox": f'AUTH-{UID}:"{ACCESS}"\nCreated:"x"\nREFRESH-{UID}:"{ENCODED}"',
    "by hand": f"uid={UID}\naccess_token={ACCESS}\nrefresh_token={REFRESH}\n" "from_browser=True",
    "curl": f"curl 'https://lumo.proton.me/api/auth/refresh' \\\n  -H 'x-pm-uid: {UID}' "
    f"\\\n  -b 'AUTH-{UID}={ACCESS}; REFRESH-{UID}={ENCODED}' \\\n  --data-raw ''",
    "cookies.txt": "# Netscape HTTP Cookie File\n"
    f"#HttpOnly_lumo.proton.me\tFALSE\t/api/\tTRUE\t0\tAUTH-{UID}\t{ACCESS}\n"
    f"#HttpOnly_lumo.proton.me\tFALSE\t/api/\tTRUE\t0\tREFRESH-{UID}\t{ENCODED}",
    "export as a list": json.dumps(
        [
            {"domain": "lumo.proton.me", "name": f"AUTH-{UID}", "value": ACCESS},
            {"name": f"REFRESH-{UID}", "value": ENCODED, "httpOnly": True},
        ],
        indent=2,
    ),
    "export as an object": json.dumps({f"AUTH-{UID}": ACCESS, f"REFRESH-{UID}": ENCODED}),
    "export with objects": json.dumps(
        {
            "Request Cookies": {
                f"AUTH-{UID}": {"value": ACCESS, "path": "/api/"},
                f"REFRESH-{UID}": {"value": PLAIN},
            }
        }
    ),
    "recorded request": json.dumps(
        {
            "log": {
                "entries": [
                    {
                        "request": {
                            "headers": [
                                {
                                    "name": "Cookie",
                                    "value": f"AUTH-{UID}={ACCESS}; " f"REFRESH-{UID}={ENCODED}",
                                }
                            ]
                        }
                    }
                ]
            }
        }
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", FROM_A_BROWSER.values(), ids=FROM_A_BROWSER)
def test_a_browsers_session_is_found_in_every_shape(text: str) -> None:
    assert parse_imported_sessions(text)[0] == COOKIE


REMOTE = f"""
[proton]
type = protondrive
username = alice
password = 3dHJ
client_uid = {UID}
client_access_token = {ACCESS}
client_refresh_token = {REFRESH}
client_salted_key_pass = a2V5
"""
OTHERS = f"""
[onedrive]
type = onedrive
token = {{"access_token":"no","refresh_token":"no"}}

[s3]
type = s3
access_key_id = no
{REMOTE}
[second]
type = protondrive
client_uid = other
client_access_token = other
client_refresh_token = other
"""
NEVER_USED = "[empty]\ntype = protondrive\nusername = bob\n"

BY_NAME = {
    "rclone": REMOTE,
    "rclone, without its head": REMOTE.replace("[proton]", ""),
    "rclone, several remotes": OTHERS,
    "rclone, the first was never used": NEVER_USED + REMOTE,
    "rclone, as json": json.dumps(
        {
            "s3": {"type": "s3"},
            "proton": {
                "type": "protondrive",
                "username": "alice",
                "client_uid": UID,
                "client_access_token": ACCESS,
                "client_refresh_token": REFRESH,
            },
        }
    ),
    "api": json.dumps({"Code": 1000, "UID": UID, "AccessToken": ACCESS, "RefreshToken": REFRESH}),
    "lines": f"UID: {UID}\nAccess token: {ACCESS}\nRefresh token: {REFRESH}",
    "headers": f"x-pm-uid: {UID}\nAuthorization: Bearer {ACCESS}\n" f"RefreshToken: {REFRESH}",
    "columns": f"UID\t{UID}\nAccessToken\t{ACCESS}\nRefreshToken\t{REFRESH}",
}  # fmt: skip


@pytest.mark.parametrize("text", BY_NAME.values(), ids=BY_NAME)
def test_a_session_is_found_by_the_names_of_its_parts(text: str) -> None:
    assert parse_imported_sessions(text)[0] == JSON


def cookies(uid: str, *, auth: bool = True, refresh: bool = True) -> str:
    content = quote(json.dumps({"RefreshToken": f"r-{uid}", "UID": uid}))
    lines = [f"AUTH-{uid}=a-{uid}"] * auth + [f"REFRESH-{uid}={content}"] * refresh
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("text", "uids"),
    [
        (cookies("one") + cookies("two"), ["one", "two"]),
        (cookies("one", refresh=False) + cookies("two"), ["two"]),
        (cookies("one", auth=False) + cookies("two"), ["two"]),
        (cookies("two") + cookies("one") + cookies("two"), ["two", "one"]),
    ],
)
def test_of_several_sessions_the_whole_ones_are_found(
    text: str, uids: list[str]
) -> None:
    assert parse_imported_sessions(text) == [
        Tokens(uid, f"a-{uid}", f"r-{uid}", "cookie") for uid in uids
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "{}",
        "[1, null, [[]]]",
        "RCLONE_ENCRYPT_V0:\nabc",
        "[s3]\ntype = s3",
        f"AUTH-{UID}={ACCESS}",
        f"REFRESH-{UID}={ENCODED}",
        f"AUTH-a={ACCESS}; REFRESH-b={ENCODED}",
        f"AUTH-{UID}={ACCESS}\nREFRESH-{UID}={ENCODED[:60]}",
        f"AUTH-{UID}={ACCESS}\nREFRESH-{UID}={{}}",
        f"AUTH-{UID}=\nREFRESH-{UID}={ENCODED}",
        f"REFRESH-{UID}=%7B",
        f"AUTH-{UID}\nREFRESH-{UID}",
        f"UID: {UID}",
        f"UID: {UID}\nAccessToken: {ACCESS}",
        f"UID: {UID}\nAccessToken: a b\nRefreshToken: {REFRESH}",
        f"UID: {UID}\nAccessToken: {ACCESS}\nRefreshToken: ☕",
        NEVER_USED,
        REMOTE.replace("client_refresh_token", "x") + "[s]\nclient_uid = 1",
    ],
)
def test_what_is_no_whole_session_is_refused(text: str) -> None:
    """Halves are of no use: the sentence of the form says what to copy."""
    with pytest.raises(ImportedSessionError):
        parse_imported_sessions(text)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((UID, ACCESS, REFRESH), JSON),
        ((f" {UID}\n", f"\t{ACCESS} ", f"{REFRESH}\n"), JSON),
        ((UID, f"Bearer {ACCESS}", REFRESH), JSON),
        ((UID, ACCESS, "{}"), Tokens(UID, ACCESS, "{}")),
        ((f"AUTH-{UID}", ACCESS, ENCODED), COOKIE),
        ((UID, ACCESS, PLAIN), COOKIE),
        ((UID, f"AUTH-{UID}={ACCESS}", f"REFRESH-{UID}={ENCODED}"), COOKIE),
        (("", f"AUTH-{UID}={ACCESS}", f"REFRESH-{UID} = {ENCODED}"), COOKIE),
    ],
)
def test_three_values_are_read_one_by_one(
    values: tuple[str, str, str], expected: Tokens
) -> None:
    uid, access_token, refresh_token = values
    text = f"uid={uid}\naccess_token={access_token}\nrefresh_token={refresh_token}"
    assert parse_imported_sessions(f"{text}\nfrom_browser=False") == [expected]


PIECES = st.lists(
    st.one_of(
        st.text(max_size=8),
        st.sampled_from(
            [
                *"=:;,'\"{}[]\\ \t\r\n%",
                "AUTH-",
                "REFRESH-",
                "AUTH-a",
                "REFRESH-a",
                "ps-0",
                "RefreshToken",
                "UID",
                "access_token",
                "type",
                "protondrive",
                PLAIN,
                ENCODED,
                ENCODED[:40],
                "\ud800",
                "\x00",
            ]
        ),
    ),
    max_size=20,
).map("".join)


def check(text: str) -> None:
    """Parse; there is a session that can be sent, or the one error."""
    with suppress(ImportedSessionError):
        for tokens in parse_imported_sessions(text):
            assert is_header_value(tokens.uid)
            assert is_header_value(tokens.access_token)
            assert tokens.refresh_token


@given(PIECES)
def test_any_text_is_read_or_refused(text: str) -> None:
    check(text)


def test_deep_json_is_refused() -> None:
    check("[" * 100_000)
    check("[" * 900 + "]" * 900)


def test_a_session_does_not_show_its_secrets() -> None:
    text = repr(parse_imported_sessions(REMOTE)[0])
    assert UID in text
    assert ACCESS not in text
    assert REFRESH not in text
