"""The stand-in as a whole: its parts, its start, its end."""

import asyncio
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass
import functools
from pathlib import Path
import tempfile
from types import TracebackType
from typing import Any, Final, Self, cast
from weakref import WeakSet

from aiohttp import web

from . import auth, chat, control, human, info, realtime, sign_in
from .accounts import Accounts, Identity
from .answer import Brain
from .connection import connection_faults
from .errors import envelope
from .gate import Gate
from .human import Shown
from .key_pair import KeyPair
from .keys import SERVICE
from .quota import Quota
from .scenarios import Scenario, make_scenarios

HOST: Final = "127.0.0.1"
# Each serves some paths; a new part of the service is one more.
PARTS = (auth, sign_in, human, chat, realtime, info, control)
# More than the largest context window, in bytes.
MAX_BODY_BYTES: Final = 64 * 2**20
# How much is kept of what may be large.
KEPT: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How the service behaves, apart from its scenarios.

    Attributes:
        guest_quota: requests in each category for each guest.
        session_quota: requests for a signed-in user, by category.
        burst: refuse guests that send more than ten requests in twenty seconds.
        token_lifetime: seconds until an access token ends.
        slow_seconds: how long a refresh takes in the scenario `refresh_slow`: more
            than clients wait.
        connect_seconds: how long the first answer over a connection is late, as if its
            handshakes took so long.
        faults_everywhere: faults like `unauthorized` refuse limits and the account too,
            not the chat alone; without it a client can be set up before it meets them.

    """

    guest_quota: int = 20
    session_quota: int = 1000
    session_max_quota: int = 200
    image_quota: int = 50
    burst: bool = False
    token_lifetime: float = 86399
    slow_seconds: float = 45
    connect_seconds: float = 0
    faults_everywhere: bool = True


class Standin:
    """A running stand-in; also an asynchronous context manager that closes it."""

    def __init__(
        self,
        options: Options,
        scenario: Iterable[str],
        brain: Brain | None,
        key_file: Path | None,
    ) -> None:
        self._options = options
        self.key_pair = KeyPair()
        self.accounts_state = Accounts(options.token_lifetime)
        self.quota = Quota(
            options.guest_quota,
            {
                "lite": options.session_quota,
                "max": options.session_max_quota,
                "images": options.image_quota,
            },
            burst=options.burst,
        )
        self.requests: list[dict[str, Any]] = []
        self.speeches: list[dict[str, Any]] = []
        """What came over each socket for speech: who, in which language, the frames."""
        self.violations: list[str] = []
        self.bodies: deque[bytes] = deque(maxlen=KEPT)
        """The newest bodies of chat requests, as they came."""
        self.pictures: deque[bytes] = deque(maxlen=KEPT)
        """The newest pictures that were shown, opened."""
        self.counts: Counter[str] = Counter()
        self.connections = 0
        """How many connections there were."""
        self.connected: WeakSet[asyncio.Transport] = WeakSet()
        self.attempts = sign_in.Attempts()
        self.gate = Gate()
        self.closing = asyncio.Event()
        self.active: list[Scenario] = []
        self.scenarios = scenario
        self.base_url = ""
        self._brain = brain
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        if key_file is None:
            self._folder = tempfile.TemporaryDirectory(prefix="lumo-standin-")
            key_file = Path(self._folder.name) / "public_key.asc"
        key_file.write_text(self.key_pair.public_key, encoding="ascii")
        self.public_key_file = str(key_file.absolute())
        app = web.Application(
            middlewares=[connection_faults, envelope], client_max_size=MAX_BODY_BYTES
        )
        app[SERVICE] = self
        app.on_response_prepare.append(_set_cookies)
        for part in PARTS:
            part.add_routes(app)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=2)

    @property
    def options(self) -> Options:
        """Return how the service behaves."""
        return self._options

    @options.setter
    def options(self, options: Options) -> None:
        """Change it; what exists already stays as it is."""
        self._options = options
        self.accounts_state.lifetime = options.token_lifetime

    @property
    def accounts(self) -> list[dict[str, str]]:
        """Return what a tester needs to sign in; tokens are the newest."""
        return self.accounts_state.describe()

    @property
    def scenarios(self) -> tuple[str, ...]:
        """Return the names of the scenarios that hold."""
        return tuple(scenario.name for scenario in self.active)

    @scenarios.setter
    def scenarios(self, names: Iterable[str]) -> None:
        """Set the scenarios; raise ValueError for an unknown one."""
        self.active = make_scenarios(names)
        self.accounts_state.end_faults()
        for scenario in self.active:
            scenario.begin(self.accounts_state)

    @property
    def brain(self) -> Brain:
        """Return what decides what the model answers, made when first needed."""
        if self._brain is None:
            self._brain = default_brain()
        return self._brain

    def refuse_beside_chat(self, who: Identity) -> None:
        """Let the faults that hold for everything raise ApiError."""
        for scenario in self.active:
            if scenario.everywhere and self.options.faults_everywhere:
                scenario.admit(who, self.accounts_state)

    def admit_sign_in(self, name: str, request: web.Request) -> None:
        """Let faults refuse a step of a sign-in by raising ApiError."""
        for scenario in self._faults_beside_chat():
            scenario.admit_sign_in(name, Shown.of(request), self.accounts_state)

    def admit_refresh(self, uid: str, request: web.Request) -> None:
        """Let faults refuse a refresh by raising ApiError."""
        for scenario in self._faults_beside_chat():
            scenario.admit_refresh(uid, Shown.of(request), self.accounts_state)

    def _faults_beside_chat(self) -> list[Scenario]:
        everywhere = self.options.faults_everywhere
        return [item for item in self.active if everywhere or not item.everywhere]

    def report(self, violation: str) -> None:
        """Note what a good client does not do."""
        self.violations.append(violation)

    def describe(self) -> dict[str, Any]:
        """Return what a client must know."""
        return {
            "base_url": self.base_url,
            "public_key_file": self.public_key_file,
            "accounts": self.accounts,
        }

    async def start(self, port: int) -> None:
        """Listen on the loopback interface; port 0 takes a free one."""
        await self._runner.setup()
        await web.TCPSite(self._runner, HOST, port).start()
        self.base_url = f"http://{HOST}:{self._runner.addresses[0][1]}"

    async def close(self) -> None:
        """End all streams and stop listening."""
        self.closing.set()
        self.gate.release()
        await self._runner.cleanup()
        if self._folder is not None:
            self._folder.cleanup()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


@functools.cache
def default_brain() -> Brain:
    """Return the brain that understands sentences; it takes a second to load."""
    from dev.brain import Brain as SentenceBrain  # noqa: PLC0415

    return cast(Brain, SentenceBrain())


async def start(
    *,
    port: int = 0,
    scenario: Iterable[str] = (),
    brain: Brain | None = None,
    key_file: Path | None = None,
    options: Options | None = None,
) -> Standin:
    """Start a stand-in in this process and return it running."""
    standin = Standin(options or Options(), scenario, brain, key_file)
    await standin.start(port)
    return standin


async def _set_cookies(request: web.Request, response: web.StreamResponse) -> None:
    """Give a new guest the cookies by which its quota is counted.

    As headers: a response's own cookies have been written when this is called.
    """
    for name, value in request.get("new_cookies", ()):
        response.headers.add("Set-Cookie", f"{name}={value}; Path=/; HttpOnly")
