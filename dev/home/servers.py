"""The two servers of a home: Home Assistant and the stand-in for Lumo's."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
import json
from pathlib import Path
import sys
from typing import Any, Self

from .api import Api
from .errors import HomeError, SetupError
from .folder import REPOSITORY
from .processes import Child

START_TIMEOUT = 180  # seconds; a loaded machine is slow
_LOG_LINES = 15
# Written before the logger is configured: that our integrations are not core's.
_KNOWN = (" WARNING (MainThread) [homeassistant.bootstrap]", "[homeassistant.loader]")


@dataclass(frozen=True, slots=True, kw_only=True)
class LumoServer:
    """Where a Lumo server is, and who may use it."""

    base_url: str
    public_key_file: str
    accounts: Sequence[Mapping[str, Any]] = ()
    patience: int = 0
    """Seconds that a turn may take; 0: as at home. A server that is named in the form
    of the API key, and not by the environment, may be slow.
    """

    @classmethod
    def from_environment(cls, environ: Mapping[str, str]) -> Self | None:
        """Return the server that the environment names, if it names one.

        Who may use it can be there, too: `LUMO_SESSION` (UID, access token and refresh
        token with commas between them), `LUMO_API_KEY`, `LUMO_ACCOUNT` (user name and
        password with a colon between them) and `LUMO_TOTP_SECRET`.
        """
        base_url = environ.get("LUMO_BASE_URL")
        public_key_file = environ.get("LUMO_PUBLIC_KEY_FILE")
        if not base_url or not public_key_file:
            return None
        return cls(
            base_url=base_url,
            public_key_file=public_key_file,
            accounts=_accounts(environ),
        )

    def find(
        self, sign_in: str, user_name: str | None = None
    ) -> Mapping[str, Any] | None:
        """Return the first who can sign in so: "session", "api_key" or "account"."""
        needed = {"session": "refresh_token", "api_key": "api_key"}
        return next(
            (
                item
                for item in self.accounts
                if needed.get(sign_in, "password") in item
                and item.get("state", "valid") == "valid"
                and user_name in (None, item.get("user_name"))
            ),
            None,
        )

    @property
    def environment(self) -> dict[str, str]:
        """Return what the integration, or the demo home, reads from its environment."""
        if self.patience:
            return {"DEMO_HOME_PATIENCE": str(self.patience)}
        return {
            "LUMO_BASE_URL": self.base_url,
            "LUMO_PUBLIC_KEY_FILE": self.public_key_file,
        }


def _accounts(environ: Mapping[str, str]) -> list[dict[str, str]]:
    accounts = []
    if session := environ.get("LUMO_SESSION"):
        parts = [part.strip() for part in session.split(",")]
        if len(parts) != 3 or not all(parts):
            raise SetupError(
                "LUMO_SESSION is not UID, access token and refresh token"
                " with commas between them"
            )
        names = ("uid", "access_token", "refresh_token")
        accounts.append(dict(zip(names, parts, strict=True)))
    if key := environ.get("LUMO_API_KEY"):
        accounts.append({"api_key": key})
    if account := environ.get("LUMO_ACCOUNT"):
        name, _, password = account.partition(":")
        if not name or not password:
            raise SetupError(
                "LUMO_ACCOUNT is not user name and password with a colon between them"
            )
        accounts.append({"user_name": name, "password": password})
        if secret := environ.get("LUMO_TOTP_SECRET"):
            accounts[-1]["totp_secret"] = secret
    return accounts


@dataclass(slots=True)
class StandIn:
    """The stand-in, starting or running.

    Its address is known before it runs, so that Home Assistant can start beside it.
    """

    child: Child
    address: LumoServer
    _log: Path

    @classmethod
    async def start(cls, *, port: int, scenario: str | None, folder: Path) -> Self:
        """Start it; its key file and its log go to the folder."""
        key_file = folder / "standin_key.asc"
        log = folder / "standin.log"
        arguments = [sys.executable, "-m", "dev.standin"]
        arguments += ["--port", str(port), "--key-file", str(key_file)]
        if scenario:
            arguments += ["--scenario", scenario]
        with log.open("wb") as errors:
            child = await Child.start(
                arguments,
                folder=REPOSITORY,
                environment={},
                output=asyncio.subprocess.PIPE,
                errors=errors,
            )
        address = LumoServer(
            base_url=f"http://127.0.0.1:{port}", public_key_file=str(key_file)
        )
        return cls(child, address, log)

    async def running(self) -> LumoServer:
        """Wait until it runs, and return who may use it, as its first line says."""
        try:
            first = await asyncio.wait_for(self.child.stdout.readline(), START_TIMEOUT)
            return replace(self.address, accounts=json.loads(first)["accounts"])
        except (TimeoutError, ValueError, KeyError, TypeError) as err:
            raise SetupError(
                "The stand-in for Lumo's servers did not start.", last_lines(self._log)
            ) from err

    async def stop(self) -> None:
        """Stop it; asked, so that it can remove its key file."""
        await self.child.stop(grace=2)


@dataclass(slots=True)
class HomeAssistant:
    """Home Assistant, starting or running in a process of its own."""

    child: Child
    log: Path
    base_url: str

    @classmethod
    async def start(
        cls,
        folder: Path,
        *,
        python: str,
        port: int,
        lumo: LumoServer | None,
        verbose: bool,
    ) -> Self:
        """Start it on a folder that `folder.write_folder` has made."""
        environment = {
            "PYTHONPATH": str(REPOSITORY / "dev" / "stubs"),
            "PYTHONUNBUFFERED": "1",
            **(lumo.environment if lumo else {}),
        }
        log = folder / "process.log"
        with log.open("wb") as file:
            output = sys.stderr.buffer if verbose else file
            child = await Child.start(
                [
                    *(python, "-m", "homeassistant", "--config", str(folder)),
                    *("--skip-pip", "--log-no-color"),
                ],
                folder=folder,
                environment=environment,
                output=output,
                errors=output,
            )
        return cls(child, log, f"http://127.0.0.1:{port}")

    async def running(self, api: Api) -> None:
        """Wait until it runs; raise `SetupError` if it does not."""
        try:
            async with asyncio.timeout(START_TIMEOUT):
                while await api.state() != "RUNNING":
                    if self.child.returncode is not None:
                        raise SetupError(
                            f"Home Assistant ended with {self.child.returncode}.",
                            last_lines(self.log),
                        )
                    await asyncio.sleep(0.05)
        except TimeoutError as err:
            raise SetupError(
                f"Home Assistant did not start within {START_TIMEOUT} seconds.",
                last_lines(self.log),
            ) from err
        except HomeError as err:
            if isinstance(err, SetupError):
                raise
            raise SetupError(str(err), last_lines(self.log)) from err

    async def stop(self, *, grace: float = 0) -> None:
        """Stop it, with time to save what it has if there is anything to save."""
        await self.child.stop(grace=grace)


def last_lines(log: Path) -> str:
    """Return the end of a log: from its last error on, if there is one."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    lines = [line for line in lines if not any(known in line for known in _KNOWN)]
    errors = [number for number, line in enumerate(lines) if " ERROR " in line]
    if not errors:
        return "\n".join(lines[-_LOG_LINES:])
    first, *rest = lines[errors[-1] :]
    return "\n".join([first, *rest[-_LOG_LINES:]])
