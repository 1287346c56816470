"""The key under which handlers find the stand-in."""

from typing import TYPE_CHECKING

from aiohttp import web

if TYPE_CHECKING:
    from .server import Standin

SERVICE: web.AppKey[Standin] = web.AppKey("service")
