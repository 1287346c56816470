"""Faults in the life of a session: revoking, humans, connections."""

from typing import ClassVar

from aiohttp import web

from ..accounts import Accounts, Identity
from ..connection import hang_up, reset, send_half_header
from ..errors import unauthorized
from .base import Scenario, register


@register("revoked")
class Revoked(Scenario):
    """Everybody was signed out elsewhere; who signs in again is in again."""

    everywhere = True

    def __init__(self) -> None:
        super().__init__()
        self._done = False

    def admit(self, who: Identity, accounts: Accounts) -> None:
        """End all sessions at the first request."""
        if self._done:
            return
        self._done = True
        accounts.revoke_all()
        if who.session is not None:
            raise unauthorized()


@register("human_verification")
class InUse(Scenario):
    """A session must solve a captcha before it can chat on."""

    in_headers: ClassVar[bool] = False

    def admit(self, who: Identity, accounts: Accounts) -> None:
        """Refuse until then."""
        accounts.humans.demand(who.bucket, who.shown, in_headers=self.in_headers)


@register("reset")
class Reset(Scenario):
    """Connections break before anything is answered."""

    everywhere = True

    async def connect(self, request: web.Request) -> None:
        """Break it."""
        raise reset(request)


@register("half_header")
class HalfHeader(Scenario):
    """Connections end within the header of the answer."""

    everywhere = True

    async def connect(self, request: web.Request) -> None:
        """Send half and close."""
        # What is not read before a close makes a reset of it.
        await request.read()
        send_half_header(request)
        raise hang_up(request)
