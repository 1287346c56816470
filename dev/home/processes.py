"""Child processes that never outlive this one, and ports nobody else takes."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
import contextlib
import ctypes
import os
from pathlib import Path
import signal
import socket
import sys
from typing import IO, Self

_PR_SET_PDEATHSIG = 1  # linux/prctl.h


class ReservedPort:
    """A port of the loopback interface, kept for a child until it is released.

    The socket is bound and does not listen: nobody is given the port by chance, and a
    server that allows reusing addresses, as asyncio's do, may still bind it.
    """

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._socket.bind(("127.0.0.1", 0))
        self.number: int = self._socket.getsockname()[1]

    def release(self) -> None:
        """Give the port back."""
        self._socket.close()


class Child:
    """A child process in a session of its own, so that Ctrl-C reaches only us."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(
        cls,
        arguments: Sequence[str],
        *,
        folder: Path,
        environment: Mapping[str, str],
        output: int | IO[bytes] | None,
        errors: int | IO[bytes] | None,
    ) -> Self:
        """Start a process that the kernel ends when this one ends, however it ends."""
        return cls(
            await asyncio.create_subprocess_exec(
                *arguments,
                cwd=folder,
                env=_environment(environment),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,
                preexec_fn=_die_with_parent() if sys.platform == "linux" else None,
            )
        )

    @property
    def returncode(self) -> int | None:
        """Return the exit code, None while the process runs."""
        return self._process.returncode

    def told(self, what: str) -> str:
        """Return what Linux tells of the process: its `status`, its `stat`."""
        return Path(f"/proc/{self._process.pid}/{what}").read_text(encoding="ascii")

    @property
    def stdout(self) -> asyncio.StreamReader:
        """Return what the process prints, if it was started with a pipe."""
        assert self._process.stdout is not None
        return self._process.stdout

    async def wait(self) -> int:
        """Wait for the end and return the exit code."""
        return await self._process.wait()

    async def stop(self, *, grace: float = 0) -> None:
        """End the process and its children: asked first if there is time for it."""
        if self._process.returncode is None and grace:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), grace)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()


def _environment(changes: Mapping[str, str]) -> dict[str, str]:
    """Return our environment with changes, for a process that starts quickly.

    Some machines forbid Python to keep what it has compiled. Home Assistant would
    compile itself at each start then, for longer than everything else takes.
    """
    environment = {**os.environ, **changes}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def _die_with_parent() -> Callable[[], None]:
    """Return what the child does first: ask the kernel to die when we do."""
    # Loaded here, before the fork: loading a library after it is not safe.
    libc = ctypes.CDLL(None)
    parent = os.getpid()

    def ask() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before we could ask
            os._exit(1)

    return ask
