"""Over which addresses a secret may travel, and how a gateway's address is written.

All travels by TLS, except to a development server on this machine, and to a gateway in
the home's own network, which only gets an API key. Names are not resolved: what they
resolve to can change.
"""

from contextlib import suppress
import ipaddress
from typing import Final
from urllib.parse import SplitResult, urlsplit

from .errors import GatewayUrlError, InsecureUrlError, UnconfirmedUrlError

_CHAT_PATH: Final = "/chat/completions"


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
        _ = parts.port  # Raises ValueError when it is none.
    except ValueError:
        return None
    is_plain = url.isascii() and url.isprintable() and set(" ?#").isdisjoint(url)
    is_web = parts.scheme in ("http", "https") and parts.hostname
    return parts if is_plain and is_web and "@" not in parts.netloc else None


def gateway_base_url(text: str, *, private_confirmed: bool) -> str:
    """Return the base URL of an OpenAI-compatible gateway, without a slash at its end.

    `private_confirmed`: a person accepts that an API key goes through their own network
    unencrypted. Raises GatewayUrlError.
    """
    if (parts := split_url(text.strip())) is None:
        raise GatewayUrlError
    host = parts.hostname or ""
    if parts.scheme == "http" and not (is_loopback(host) or host == "localhost"):
        if not is_private(host):
            raise InsecureUrlError
        if not private_confirmed:
            raise UnconfirmedUrlError
    path = parts.path.rstrip("/").removesuffix(_CHAT_PATH).rstrip("/")
    return f"{parts.scheme}://{parts.netloc.lower()}{path}"
