"""Home Assistant's REST and websocket interfaces, as far as the harness needs them."""

import asyncio
from collections.abc import Callable
import contextlib
from types import TracebackType
from typing import Any, Self

import aiohttp

from .errors import HomeError

type EventHandler = Callable[[Any], None]


class Api:
    """A connection to a running Home Assistant, as its owner.

    Commands raise `HomeError` when Home Assistant refuses them or goes away.
    """

    def __init__(self, base_url: str, access_token: str) -> None:
        self.base_url = base_url
        self.access_token = access_token
        self._http = aiohttp.ClientSession(
            headers={"Authorization": f"Bearer {access_token}"}
        )
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._reader: asyncio.Task[None] | None = None
        self._last_id = 0
        self._pending: dict[int, asyncio.Future[Any]] = {}
        self._handlers: dict[int, EventHandler] = {}
        self.closed = asyncio.Event()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._reader is not None:
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader
        if self._socket is not None:
            await self._socket.close()
        await self._http.close()

    async def state(self) -> str | None:
        """Return whether Home Assistant is RUNNING, STARTING ...; None: not there."""
        try:
            async with self._http.get(f"{self.base_url}/api/core/state") as response:
                if response.status == 401:
                    raise HomeError("another Home Assistant answers on this port")
                if response.status != 200:
                    return None
                state: str = (await response.json())["state"]
                return state
        except aiohttp.ClientError, TimeoutError:
            return None

    async def request(self, method: str, path: str, body: object = None) -> Any:
        """Send a REST request and return the JSON of the answer."""
        try:
            async with self._http.request(
                method, f"{self.base_url}/api/{path}", json=body
            ) as response:
                text = await response.text()
                if response.status >= 400:
                    raise HomeError(f"{path}: {response.status} {text[:500]}")
                return await response.json()
        except (aiohttp.ClientError, TimeoutError) as err:
            raise HomeError(f"{path}: {err}") from err

    async def connect(self) -> None:
        """Open the websocket."""
        try:
            self._socket = await self._http.ws_connect(
                f"{self.base_url}/api/websocket", max_msg_size=0
            )
            await self._socket.receive_json()  # auth_required
            await self._socket.send_json(
                {"type": "auth", "access_token": self.access_token}
            )
            answer = await self._socket.receive_json()
        except (aiohttp.ClientError, TypeError, TimeoutError) as err:
            raise HomeError(f"websocket: {err}") from err
        if answer["type"] != "auth_ok":
            raise HomeError(f"websocket: {answer.get('message', answer['type'])}")
        self._reader = asyncio.create_task(self._read(self._socket))

    async def command(self, kind: str, /, **fields: Any) -> Any:
        """Send a websocket command and return its result."""
        return await (await self._send(kind, fields, None))

    async def subscribe(
        self, kind: str, handler: EventHandler, /, **fields: Any
    ) -> int:
        """Send a command whose events go to `handler`; return its id."""
        future = await self._send(kind, fields, handler)
        number = self._last_id
        try:
            await future
        except HomeError:
            self._handlers.pop(number, None)
            raise
        return number

    def forget(self, subscription: int) -> None:
        """Ignore the events of a subscription from now on."""
        self._handlers.pop(subscription, None)

    async def _send(
        self, kind: str, fields: dict[str, Any], handler: EventHandler | None
    ) -> asyncio.Future[Any]:
        if self._socket is None or self.closed.is_set():
            raise HomeError("Home Assistant is gone")
        self._last_id += 1
        future = asyncio.get_running_loop().create_future()
        self._pending[self._last_id] = future
        if handler is not None:
            self._handlers[self._last_id] = handler
        try:
            await self._socket.send_json({"id": self._last_id, "type": kind, **fields})
        except (aiohttp.ClientError, ConnectionError) as err:
            raise HomeError(f"websocket: {err}") from err
        return future

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        try:
            async for message in socket:
                if message.type is aiohttp.WSMsgType.TEXT:
                    content = message.json()
                    # Several messages may come in one frame.
                    for part in content if isinstance(content, list) else [content]:
                        self._handle(part)
        finally:
            self.closed.set()
            for future in self._pending.values():
                if not future.done():
                    future.set_exception(HomeError("Home Assistant is gone"))
                    future.exception()  # seen, even if nobody waits for it any more
            self._pending.clear()

    def _handle(self, message: dict[str, Any]) -> None:
        number = message["id"]
        if message["type"] == "event":
            if handler := self._handlers.get(number):
                handler(message["event"])
            return
        future = self._pending.pop(number, None)
        if future is None or future.done():
            return
        if message.get("success", True):
            future.set_result(message.get("result"))
        else:
            error = message["error"]
            future.set_exception(HomeError(error["message"], code=error["code"]))
