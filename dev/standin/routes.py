"""Paths as Proton's clients spell them: with and without `/api`, on one port."""

from collections.abc import Iterable
from typing import Final

from aiohttp import web

from .errors import Handler

# Below this the stand-in itself is asked, not the service.
CONTROL: Final = "/__standin__"


def add_route(
    app: web.Application, method: str, spellings: Iterable[str], handler: Handler
) -> None:
    """Serve every spelling of a call, below `/api` and below the root."""
    for spelling in spellings:
        for base in ("/api/", "/"):
            app.router.add_route(method, base + spelling, handler)


def auth_spellings(rest: str = "") -> tuple[str, ...]:
    """Return the spellings of an auth call that the clients use.

    The rest is what comes behind `auth`, like `refresh`.
    """
    tail = f"/{rest}" if rest else ""
    return tuple(base + tail for base in ("core/v4/auth", "auth/v4", "auth"))
