"""The process is killed: renewing its session, or carrying out a plan, at each step.

A real process with Home Assistant's own store, killed from outside by what the service
sees of it: there is nothing in it that knows of the test.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
import json
import os
from pathlib import Path
import signal
from subprocess import PIPE, Popen
import sys
from typing import Any

import pytest

from dev.standin import Standin, start
from dev.standin.errors import ApiError

from .conftest import session_data
from .helpers import count_refreshes, expire_access_tokens

pytestmark = pytest.mark.process
ROOT = Path(__file__).parent.parent.parent


class Home:
    """Runs the process, and kills it when it is told to."""

    def __init__(self, folder: Path, standin: Standin, server: Popen[bytes]) -> None:
        self.folder = folder
        self._server = server
        self._process = 0
        environment = {
            "LUMO_BASE_URL": standin.base_url,
            "LUMO_PUBLIC_KEY_FILE": standin.public_key_file,
        }
        (folder / "environment.json").write_text(json.dumps(environment))
        (folder / "entry.json").write_text(json.dumps(session_data(standin)))

    async def run(self) -> dict[str, Any] | None:
        """Run it to its end: what it says, or None if it was killed."""
        assert self._server.stdin
        self._server.stdin.write(f"{self.folder}\n".encode())
        self._process = int(await self._line())
        answer: dict[str, Any] | None = json.loads(await self._line())
        return answer

    async def _line(self) -> bytes:
        """Wait for a line; the stand-in goes on meanwhile."""
        assert self._server.stdout
        there = asyncio.Event()
        loop = asyncio.get_running_loop()
        loop.add_reader(self._server.stdout, there.set)
        await there.wait()
        loop.remove_reader(self._server.stdout)
        return self._server.stdout.readline()

    def kill(self) -> None:
        """End it as a power cut does: at once, nothing is asked."""
        os.kill(self._process, signal.SIGKILL)

    @property
    def stored(self) -> dict[str, str]:
        text = (self.folder / ".storage" / "lumo.account").read_text()
        data: dict[str, str] = json.loads(text)["data"]
        return data


@pytest.fixture(scope="module")
def server() -> Generator[Popen[bytes]]:
    """Return what begins processes: what they need takes it seconds to load."""
    command = (sys.executable, "-m", "tests.integration.crash_child")
    with Popen(command, cwd=ROOT, stdin=PIPE, stdout=PIPE, bufsize=0) as server:
        yield server


@pytest.fixture
async def standin(socket_enabled: None) -> AsyncGenerator[Standin]:
    """Run the stand-in; nothing is ever said to its model."""
    async with await start() as standin:
        yield standin


@pytest.fixture
async def home(tmp_path: Path, standin: Standin, server: Popen[bytes]) -> Home:
    """Return a home whose access token has ended."""
    expire_access_tokens(standin)
    return Home(tmp_path, standin, server)


def before_the_request(home: Home, standin: Standin) -> None:
    session_of = standin.accounts_state.session_of

    def kill(*args: Any, **kwargs: Any) -> Any:
        try:
            return session_of(*args, **kwargs)
        except ApiError:
            home.kill()
            raise

    standin.accounts_state.session_of = kill  # type: ignore[method-assign]


def before_the_save(home: Home, standin: Standin) -> None:
    """Kill it when its refresh token is used up, and the answer on its way."""
    refresh = standin.accounts_state.refresh

    def kill(uid: str, token: str) -> Any:
        try:
            return refresh(uid, token)
        finally:
            home.kill()

    standin.accounts_state.refresh = kill  # type: ignore[method-assign]


def after_the_save(home: Home, standin: Standin) -> None:
    session_of = standin.accounts_state.session_of

    def kill(*args: Any, **kwargs: Any) -> Any:
        session = session_of(*args, **kwargs)
        home.kill()
        return session

    standin.accounts_state.session_of = kill  # type: ignore[method-assign]


@pytest.mark.parametrize(
    ("arm", "refreshes"), [(before_the_request, 1), (after_the_save, 0)]
)
async def test_crash_costs_nothing(
    home: Home, standin: Standin, arm: Callable[[Home, Standin], None], refreshes: int
) -> None:
    """What is on disk is what Proton knows: the next start goes on with it."""
    session_of = standin.accounts_state.session_of
    arm(home, standin)
    assert await home.run() is None
    standin.accounts_state.session_of = session_of  # type: ignore[method-assign]
    assert home.stored["refresh_token"] == standin.accounts_state.alice.refresh_token
    used = count_refreshes(standin)
    assert await home.run() == {"lite": 1000}
    assert len(used) == refreshes


async def test_crash_between_answer_and_save_asks_to_sign_in(
    home: Home, standin: Standin
) -> None:
    """The one pair that is on disk is used up: it is said, and tried no further."""
    refresh = standin.accounts_state.refresh
    before_the_save(home, standin)
    assert await home.run() is None
    standin.accounts_state.refresh = refresh  # type: ignore[method-assign]
    assert home.stored["refresh_token"] != standin.accounts_state.alice.refresh_token
    used = count_refreshes(standin)
    assert await home.run() == {"error": "session_expired"}
    assert len(used) == 1


async def test_crash_between_answer_and_save_while_the_old_token_lives(
    home: Home, standin: Standin
) -> None:
    """What is on disk is used as long as it works."""
    refresh = standin.accounts_state.refresh
    before_the_save(home, standin)
    assert await home.run() is None
    standin.accounts_state.refresh = refresh  # type: ignore[method-assign]
    session = standin.accounts_state.alice
    session.access_tokens[home.stored["access_token"]] = float("inf")
    used = count_refreshes(standin)
    assert await home.run() == {"lite": 1000}
    assert used == []


# The step; how often it was done before and is after; what comes of it at the next start.
STEPS: list[tuple[str, int, int, list[str]]] = [
    ("before save 1", 0, 0, []),
    ("after save 1", 0, 1, ["DUE"]),
    ("before save 2", 0, 1, ["DUE"]),
    ("after save 2", 0, 0, ["INTERRUPTED"]),
    ("before it is done", 0, 0, ["INTERRUPTED"]),
    ("after it is done", 1, 1, ["INTERRUPTED"]),
    ("before save 3", 1, 1, ["INTERRUPTED"]),
    ("after save 3", 1, 1, []),
]


def run_plans(server: Popen[bytes], folder: Path, kill_at: str) -> Any:
    """Run a process to its end: what it says, or None if it was killed."""
    (folder / "plans.json").write_text(json.dumps({"kill_at": kill_at}))
    assert server.stdin and server.stdout
    server.stdin.write(f"{folder}\n".encode())
    server.stdout.readline()
    return json.loads(server.stdout.readline())


@pytest.mark.parametrize(("step", "before", "after", "ends"), STEPS)
def test_killed_at_a_step_of_a_plan(
    server: Popen[bytes],
    tmp_path: Path,
    step: str,
    before: int,
    after: int,
    ends: list[str],
) -> None:
    """It is done once, or told of."""

    def done() -> int:
        file = tmp_path / "done"
        return len(file.read_text()) if file.exists() else 0

    assert run_plans(server, tmp_path, step) is None
    assert done() == before
    assert run_plans(server, tmp_path, "") == {"ends": ends, "left": 0}
    assert done() == after
    assert run_plans(server, tmp_path, "") == {"ends": [], "left": 0}
