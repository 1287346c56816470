"""Where the servers are, what may be sent to them, and Lumo's public key.

All travels by TLS, except to a development server on this machine, and to a gateway in
the home's own network. Names are not resolved: what they resolve to can change.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
import ipaddress
from pathlib import Path
import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

from .encryption import PublicKeyInfo
from .errors import (
    ConfigurationError,
    GatewayUrlError,
    InsecureUrlError,
    UnconfirmedUrlError,
)

ENVIRONMENT_BASE_URL: Final = "LUMO_BASE_URL"
ENVIRONMENT_PUBLIC_KEY_FILE: Final = "LUMO_PUBLIC_KEY_FILE"

# Sent as `x-pm-appversion`; Proton refuses very old ones.
LUMO_APP_VERSION: Final = "web-lumo@2.0.2.2"
ACCOUNT_APP_VERSION: Final = "web-account@5.0.413.0"

# "Proton Lumo (Prod Key 0002)", as in Proton's web client; no server hands it out.
LUMO_PUBLIC_KEY: Final = (
    Path(__file__).with_name("lumo_public_key.asc").read_text("ascii")
)
# What `describe_public_key` says of it: no start needs the library for that.
LUMO_KEY_INFO: Final = PublicKeyInfo(
    fingerprint="F032A1169DDFF8EDA728E59A9A74C3EF61514A2A",
    created=datetime(2025, 4, 28, 11, 22, 21, tzinfo=UTC),
    expires=datetime(2029, 4, 27, 11, 22, 21, tzinfo=UTC),
)

_CHAT_PATH: Final = "/chat/completions"
_API_PATH: Final = "/ai/v1"
# Where the OpenAI-like interface of a gateway begins unless its URL says otherwise.
_GATEWAY_PATH: Final = "/v1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoints:
    """One set of servers. The URLs end in `/api`, without a slash."""

    lumo_url: str
    account_url: str
    public_key: str = field(repr=False)
    development: bool = False
    gateway_url: str | None = None

    def for_gateway(
        self, base_url: str, *, private_confirmed: bool = False
    ) -> Endpoints:
        """Return these endpoints with an OpenAI-compatible gateway in Lumo's place.

        Only an API key is ever sent there. Lumo's own URL changes nothing. A private
        address without TLS must be confirmed. Raises GatewayUrlError.
        """
        if (parts := split_url(base_url.strip())) is None:
            raise GatewayUrlError
        host = parts.hostname or ""
        if parts.scheme == "http" and not (is_loopback(host) or host == "localhost"):
            if not is_private(host):
                raise InsecureUrlError
            if not private_confirmed:
                raise UnconfirmedUrlError
        path = parts.path.rstrip("/").removesuffix(_CHAT_PATH).rstrip("/")
        url = f"{parts.scheme}://{parts.netloc.lower()}{path}"
        if f"{self.lumo_url}{_API_PATH}/".startswith(f"{url}/"):
            return self
        return replace(self, gateway_url=url if path else f"{url}{_GATEWAY_PATH}")

    @property
    def base_url(self) -> str:
        """Return the base URL as an OpenAI client would be given it."""
        return self.gateway_url or f"{self.lumo_url}{_API_PATH}"

    @property
    def realtime_url(self) -> str:
        """Return the URL of the socket for speech; raise ConfigurationError at a gateway."""
        if self.gateway_url or not is_confidential(self.lumo_url):
            raise ConfigurationError("There is no speech to text with a gateway")
        parts = urlsplit(self.lumo_url)
        host = re.sub(r"^lumo\.", "lumo-api.", parts.netloc)
        scheme = "wss" if parts.scheme == "https" else "ws"
        return f"{scheme}://{host}{parts.path}{_API_PATH}/realtime"

    @property
    def tells_limits(self) -> bool:
        """Return whether Lumo itself answers, perhaps at another address."""
        return self.base_url.endswith(f"/api{_API_PATH}")


PRODUCTION: Final = Endpoints(
    lumo_url="https://lumo.proton.me/api",
    account_url="https://account.proton.me/api",
    public_key=LUMO_PUBLIC_KEY,
)


def endpoints_from_environment(environ: Mapping[str, str]) -> Endpoints:
    """Return the servers to use: Proton's, or a development server on this machine.

    Two variables name the latter, and only with a literal loopback address: a stray one
    must not send a home's sentences elsewhere. Reads a file. Raises ConfigurationError.
    """
    base_url = environ.get(ENVIRONMENT_BASE_URL, "").strip()
    key_file = environ.get(ENVIRONMENT_PUBLIC_KEY_FILE, "").strip()
    if not base_url and not key_file:
        return PRODUCTION
    if not base_url or not key_file:
        raise ConfigurationError(
            f"{ENVIRONMENT_BASE_URL} and {ENVIRONMENT_PUBLIC_KEY_FILE} belong together"
        )
    parts = split_url(base_url)
    if parts is None or not is_loopback(parts.hostname or ""):
        raise ConfigurationError(
            f"{ENVIRONMENT_BASE_URL} needs a literal loopback address, like "
            "http://127.0.0.1:1234"
        )
    path = parts.path.rstrip("/").removesuffix("/ai/v1").removesuffix("/api")
    api_url = f"{parts.scheme}://{parts.netloc}{path.rstrip('/')}/api"
    try:
        public_key = Path(key_file).read_text(encoding="utf-8")
    except (OSError, ValueError) as err:
        raise ConfigurationError(
            f"The file that {ENVIRONMENT_PUBLIC_KEY_FILE} names cannot be read"
        ) from err
    return Endpoints(
        lumo_url=api_url, account_url=api_url, public_key=public_key, development=True
    )


def is_loopback(host: str) -> bool:
    """Return whether a host is a literal address of this machine."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return False


def is_private(host: str) -> bool:
    """Return whether a host is a literal address of the own network."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_private
    return False


def is_confidential(url: str) -> bool:
    """Return whether what is sent to a URL cannot be read on the way."""
    parts = split_url(url)
    if parts is None:
        return url.startswith("https://")
    return parts.scheme == "https" or is_loopback(parts.hostname or "")


def split_url(url: str) -> SplitResult | None:
    """Return the parts of a plain HTTP address, None for anything else."""
    try:
        parts = urlsplit(url)
        _ = parts.port  # Raises ValueError for a wrong one.
    except ValueError:
        return None
    is_plain = url.isascii() and url.isprintable() and set(" ?#").isdisjoint(url)
    is_web = parts.scheme in ("http", "https") and parts.hostname
    return parts if is_plain and is_web and "@" not in parts.netloc else None
