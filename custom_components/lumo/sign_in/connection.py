"""Where an entry's requests go, and with what it signs in."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
import functools
import os
from typing import Any, Final

import aiohttp
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant
from homeassistant.helpers.aiohttp_client import async_create_clientsession
from homeassistant.helpers.httpx_client import create_async_httpx_client
import httpx

from ..const import CONF_ALLOW_UNENCRYPTED, CONF_BASE_URL, CONF_PUBLIC_KEY
from ..internals import async_close
from ..lumo_client.auth import GuestCredential
from ..lumo_client.client import LumoClient
from ..lumo_client.encryption import describe_public_key
from ..lumo_client.endpoints import Endpoints, endpoints_from_environment
from ..lumo_client.errors import BadRequestError, LumoAuthError, ProtocolError
from ..lumo_client.events import Limits
from ..lumo_client.realtime import SpeechSocket, refuse_all_but_sockets

_LARGEST_MESSAGE: Final = 1024 * 1024
# A person waits for what was said before the socket was closed.
_CLOSE_SECONDS: Final = 0.03


@asynccontextmanager
async def async_websocket(
    hass: HomeAssistant, url: str, headers: Mapping[str, str]
) -> AsyncGenerator[aiohttp.ClientWebSocketResponse]:
    """Open a socket without cookies; a `Connect` of the client."""
    session = async_create_clientsession(
        hass,
        auto_cleanup=False,
        cookie_jar=aiohttp.DummyCookieJar(),
        middlewares=(refuse_all_but_sockets,),
    )
    try:
        async with session.ws_connect(
            url,
            headers=headers,
            max_msg_size=_LARGEST_MESSAGE,
            timeout=aiohttp.ClientWSTimeout(ws_close=_CLOSE_SECONDS),
        ) as socket:
            yield socket
    finally:
        session.detach()


@asynccontextmanager
async def async_http_client(hass: HomeAssistant) -> AsyncGenerator[httpx.AsyncClient]:
    """Open an HTTP client for one attempt, with its own cookie jar."""
    http = create_async_httpx_client(hass, auto_cleanup=False)
    try:
        yield http
    finally:
        await async_close(http)


async def async_endpoints(
    hass: HomeAssistant, data: Mapping[str, Any] | None = None
) -> Endpoints:
    """Return an entry's servers and public key. Raises ConfigurationError."""
    return await hass.async_add_executor_job(_endpoints, data or {})


def _endpoints(data: Mapping[str, Any]) -> Endpoints:
    endpoints = endpoints_from_environment(os.environ)
    if key := data.get(CONF_PUBLIC_KEY):
        # An update of this integration may bring a newer one than a person has added.
        built_in = describe_public_key(endpoints.public_key)
        if describe_public_key(key).created >= built_in.created:
            endpoints = replace(endpoints, public_key=key)
    if base_url := data.get(CONF_BASE_URL):
        endpoints = endpoints.for_gateway(
            base_url, private_confirmed=data.get(CONF_ALLOW_UNENCRYPTED, False)
        )
    return endpoints


async def async_probe(client: LumoClient) -> Limits | None:
    """Return the limits, None if the service does not tell; raise LumoError.

    A refusal means nothing for a guest: whether one may ask is not known.
    """
    try:
        return await client.limits()
    except ProtocolError, BadRequestError:
        return None
    except LumoAuthError:
        if not isinstance(client.credential, GuestCredential):
            raise
        return None


def async_speech_socket(hass: HomeAssistant, entry: ConfigEntry[Any]) -> SpeechSocket:
    """Return the socket of an account; raises ConfigurationError with a gateway."""
    return SpeechSocket(
        entry.runtime_data.endpoints,
        entry.runtime_data.client.credential,
        functools.partial(async_websocket, hass),
    )
