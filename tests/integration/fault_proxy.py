"""A proxy on loopback that does to a connection what networks do."""

import asyncio
from contextlib import suppress
from typing import Literal, Self

type Mode = Literal["pass", "reset", "half_header", "silent"]

_HALF_HEADER = b"HTTP/1.1 200 OK\r\nContent-Ty"


class FaultProxy:
    """Hands bytes on to a server, until a fault is chosen; each holds at once."""

    def __init__(self, port: int) -> None:
        """Name the server's port."""
        self._upstream = port
        self._mode: Mode = "pass"
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        """Listen."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Stop, and break what is open."""
        assert self._server
        self._server.close()
        self._break()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def port(self) -> int:
        """Return the port to connect to."""
        assert self._server
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    @property
    def mode(self) -> Mode:
        """Return what happens to connections."""
        return self._mode

    @mode.setter
    def mode(self, mode: Mode) -> None:
        """Let it happen, to those that are open too."""
        self._mode = mode
        self._break()

    def _break(self) -> None:
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _accept(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._keep(writer)
        with suppress(ConnectionError):
            if self._mode == "pass":
                upstream = await asyncio.open_connection("127.0.0.1", self._upstream)
                self._keep(upstream[1])
                await asyncio.gather(
                    _hand_on(reader, upstream[1]), _hand_on(upstream[0], writer)
                )
                return
            await reader.readuntil(b"\r\n\r\n")
            match self._mode:
                case "reset":
                    writer.transport.abort()
                case "half_header":
                    writer.write(_HALF_HEADER)
                    await writer.drain()
                    writer.close()
                case "silent":
                    await reader.read()

    def _keep(self, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy bytes until the end."""
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()
