"""A certificate that is not valid says why, over real TLS on loopback."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
import ssl

from aiohttp import web
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
import httpx
import pytest

from custom_components.lumo.lumo_client.auth import GuestCredential
from custom_components.lumo.lumo_client.client import LumoClient
from custom_components.lumo.lumo_client.endpoints import PRODUCTION
from custom_components.lumo.lumo_client.errors import (
    CertificateDateError,
    ForeignPageError,
    LumoError,
)
from custom_components.lumo.lumo_client.events import Limits

DAY = timedelta(days=1)
HERE = x509.IPAddress(ip_address("127.0.0.1"))
ELSEWHERE = x509.DNSName("filter.example")
NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Test")])

type Serve = Callable[
    [x509.GeneralName, timedelta], AbstractAsyncContextManager[tuple[int, str]]
]


@pytest.fixture
def serve(socket_enabled: None, tmp_path: Path) -> Serve:
    """Return what runs a server: its port, and the certificate to trust.

    Its own certificate is for a host, and valid for two days around another day.
    """

    @asynccontextmanager
    async def run(
        host: x509.GeneralName, day: timedelta
    ) -> AsyncIterator[tuple[int, str]]:
        key = ec.generate_private_key(ec.SECP256R1())
        now = datetime.now(UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(NAME)
            .issuer_name(NAME)
            .public_key(key.public_key())
            .serial_number(1)
            .not_valid_before(now + day - DAY)
            .not_valid_after(now + day + DAY)
            .add_extension(x509.SubjectAlternativeName([host]), critical=False)
            .sign(key, hashes.SHA256())
        )
        pem = certificate.public_bytes(serialization.Encoding.PEM)
        file = tmp_path / "server.pem"
        file.write_bytes(
            pem
            + key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)

        async def answer(_request: web.Request) -> web.Response:
            return web.json_response({"limits": {"lite": 7}})

        app = web.Application()
        app.router.add_get("/api/ai/v1/limits", answer)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
            yield runner.addresses[0][1], pem.decode()
        finally:
            await runner.cleanup()

    return run


async def ask(port: int, trusted: str | None) -> Limits:
    """Ask a server for its limits, trusting a certificate beside those of the world."""
    endpoints = replace(PRODUCTION, lumo_url=f"https://127.0.0.1:{port}/api")
    context = ssl.create_default_context(cadata=trusted)
    async with httpx.AsyncClient(verify=context) as http:
        client = LumoClient(http, endpoints, GuestCredential(http))
        return await client.limits()


@pytest.mark.parametrize(
    ("host", "day", "is_trusted", "expected"),
    [
        (HERE, -2 * DAY, True, CertificateDateError),
        (HERE, 2 * DAY, True, CertificateDateError),
        (ELSEWHERE, timedelta(), True, ForeignPageError),
        # As of a filter that reads along.
        (HERE, timedelta(), False, ForeignPageError),
        (HERE, timedelta(), True, None),
    ],
)
async def test_what_is_wrong_with_a_certificate_is_told(
    serve: Serve,
    host: x509.GeneralName,
    day: timedelta,
    is_trusted: bool,
    expected: type[LumoError] | None,
) -> None:
    """It ends the call at once: the next one would see the same."""
    async with serve(host, day) as (port, own):
        asked = ask(port, own if is_trusted else None)
        if expected is None:
            assert await asked == Limits(lite=7)
            return
        with pytest.raises(expected):
            await asked
