"""Who is asking: what a request shows of them, and what is done where that is refused."""

from collections.abc import Awaitable, Callable, Mapping
from typing import ClassVar

from .errors import ServerError, UnauthorizedError


class Credential:
    """What the client needs to know about who is asking.

    `encrypted` says whether requests are encrypted to Lumo; no client does that with
    an API key.
    """

    encrypted: ClassVar[bool] = True

    async def headers(self) -> dict[str, str]:
        """Return the headers to send now."""
        return {}

    async def renew(self, rejected: Mapping[str, str]) -> bool:
        """Act on a 401; `rejected` are the headers that were sent.

        Return whether trying once more makes sense. Raises a LumoAuthError if the
        credential is known to be dead, another LumoError if renewing failed.
        """
        return False


async def send_signed[T](
    credential: Credential, send: Callable[[dict[str, str]], Awaitable[T]]
) -> T:
    """Return what `send` returns for a credential's headers, renewed if need be.

    Headers that were just renewed may be refused at first, so they are sent twice.
    Raises ServerError if they still are: signing in again would not help.
    """
    headers = await credential.headers()
    try:
        return await send(headers)
    except UnauthorizedError:
        if not await credential.renew(headers):
            raise
    for is_last in (False, True):
        try:
            return await send(await credential.headers())
        except UnauthorizedError as err:
            # Also what Proton answers to an app version of the wrong product.
            if is_last:
                raise ServerError(**err.facts) from err
    raise AssertionError
