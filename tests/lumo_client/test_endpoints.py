"""Where the client goes."""

from pathlib import Path

import pytest

from custom_components.lumo.lumo_client.endpoints import (
    LUMO_PUBLIC_KEY,
    PRODUCTION,
    endpoints_from_environment,
)
from custom_components.lumo.lumo_client.errors import ConfigurationError


@pytest.fixture
def key_file(tmp_path: Path) -> str:
    path = tmp_path / "key.asc"
    path.write_text(LUMO_PUBLIC_KEY)
    return str(path)


def test_without_variables_it_is_proton() -> None:
    assert endpoints_from_environment({}) is PRODUCTION
    empty = {"LUMO_BASE_URL": "", "LUMO_PUBLIC_KEY_FILE": " "}
    assert endpoints_from_environment(empty) is PRODUCTION
    assert PRODUCTION.base_url == "https://lumo.proton.me/api/ai/v1"
    assert not PRODUCTION.development


@pytest.mark.parametrize(
    ("url", "api"),
    [
        ("http://127.0.0.1:1234", "http://127.0.0.1:1234/api"),
        ("http://127.0.0.1:1234/api", "http://127.0.0.1:1234/api"),
        ("http://127.0.0.1:1234/api/ai/v1/", "http://127.0.0.1:1234/api"),
        ("https://127.8.9.1", "https://127.8.9.1/api"),
        (" http://[::1]:99 ", "http://[::1]:99/api"),
        ("http://[::ffff:127.0.0.1]", "http://[::ffff:127.0.0.1]/api"),
        ("http://127.0.0.1:1/lumo/api", "http://127.0.0.1:1/lumo/api"),
    ],
)
def test_a_development_server_may_be_written_in_many_ways(
    url: str, api: str, key_file: str
) -> None:
    """Bare or with the path of the API."""
    endpoints = endpoints_from_environment(
        {"LUMO_BASE_URL": url, "LUMO_PUBLIC_KEY_FILE": key_file}
    )
    assert endpoints.lumo_url == endpoints.account_url == api
    assert endpoints.development
    assert endpoints.public_key == LUMO_PUBLIC_KEY


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:1234",
        "http://192.168.1.2",
        "https://lumo.proton.me",
        "http://127.0.0.1.example.com",
        "http://127.0.0.1@example.com",
        "http://user:secret@127.0.0.1",
        "http://127.1",
        "http://0.0.0.0",
        "http://[::1",
        "http://127.0.0.1:99999",
        "http://127.0.0.1/?a=b",
        "ftp://127.0.0.1",
        "127.0.0.1:1234",
        "nonsense",
    ],
)
def test_any_other_address_is_refused(url: str, key_file: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        endpoints_from_environment(
            {"LUMO_BASE_URL": url, "LUMO_PUBLIC_KEY_FILE": key_file}
        )
    assert "secret" not in str(error.value)


def test_one_variable_alone_is_refused(key_file: str) -> None:
    """A stray key must not apply to Proton, nor Proton's key to a test server."""
    for environ in (
        {"LUMO_BASE_URL": "http://127.0.0.1:1"},
        {"LUMO_PUBLIC_KEY_FILE": key_file},
    ):
        with pytest.raises(ConfigurationError):
            endpoints_from_environment(environ)


@pytest.mark.parametrize("content", [None, b"\xff\xfe"])
def test_a_key_file_that_cannot_be_read_is_refused(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "key.asc"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigurationError):
        endpoints_from_environment(
            {"LUMO_BASE_URL": "http://127.0.0.1:1", "LUMO_PUBLIC_KEY_FILE": str(path)}
        )
