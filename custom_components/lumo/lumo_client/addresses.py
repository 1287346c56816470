"""Over which addresses a secret may travel, and how a gateway's address is written.

Everything is encrypted by TLS, with two exceptions: a development server on this
machine, and an OpenAI-compatible gateway in the home's own network, which only ever
gets an API key. Names are not resolved to find out whether an address is private: what
they resolve to can change, and somebody in the network may be the one who answers.
"""

import ipaddress
from typing import Final
from urllib.parse import SplitResult, urlsplit

from .errors import GatewayUrlError, InsecureUrlError, UnconfirmedUrlError

type _Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# RFC 1918, RFC 3927, RFC 4193, RFC 4291. Narrower than `is_private` of the standard
# library, which also has reserved and shared networks.
_NETWORKS: Final = (
    "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 fc00::/7 fe80::/10"
)
_PRIVATE: Final = tuple(map(ipaddress.ip_network, _NETWORKS.split()))

_CHAT_PATH: Final = "/chat/completions"


def is_loopback(host: str) -> bool:
    """Return whether a host is a literal address of this machine."""
    address = _address(host)
    return address is not None and address.is_loopback


def is_private(host: str) -> bool:
    """Return whether a host is a literal address of the own network."""
    address = _address(host)
    return address is not None and any(
        address.version == network.version and address in network
        for network in _PRIVATE
    )


def is_confidential(url: str) -> bool:
    """Return whether what is sent to a URL cannot be read on the way."""
    parts = split_url(url)
    if parts is None:
        return url.startswith("https://")
    return parts.scheme == "https" or is_loopback(parts.hostname or "")


def split_url(url: str) -> SplitResult | None:
    """Return the parts of an address of HTTP, None for anything more or else."""
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

    `text` is what a person entered; `private_confirmed` is whether they accept that an
    API key goes through their own network in plain text. Raises GatewayUrlError.
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


def _address(host: str) -> _Address | None:
    """Return a literal address, unwrapped if it is an IPv4 one in IPv6 form."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address
