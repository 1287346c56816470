"""Ask the real service whether what the integration assumes of it still holds.

    scripts/probe --guest
    scripts/probe --key         (asks for it, or takes LUMO_API_KEY)
    scripts/probe --account     (asks for name, password and code)
    scripts/probe --account --speech FILE.wav   (16 kHz, 16 bits, mono: what you say in it
                                                is only listened to, not written down)

Some thirty small requests, one for a picture, the last dozen sentences about a written
home (a guest may have too few for all); they count against the quota. Nothing
secret is shown or written: the report holds which assumptions hold and the form of the
answers, no text.
Exit code 0: nothing is known to have changed; 1: something does not hold; 2: no sign-in,
or no answer at all.
"""

import argparse
import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from getpass import getpass
import json
import os
from pathlib import Path
import sys

import httpx

from custom_components.lumo.lumo_client.auth import (
    ApiKeyCredential,
    Credential,
    GuestCredential,
    Session,
    Tokens,
)
from custom_components.lumo.lumo_client.endpoints import (
    Endpoints,
    endpoints_from_environment,
)
from custom_components.lumo.lumo_client.errors import HumanVerificationError, LumoError
from custom_components.lumo.lumo_client.events import Usage
from custom_components.lumo.lumo_client.password_sign_in import AccountSignIn, Outcome

from .assumptions import ASSUMPTIONS, mark, report
from .questions import Seen, ask_all

_MANIFEST = Path(__file__).parents[2] / "custom_components" / "lumo" / "manifest.json"
# A guest is refused after some ten requests in twenty seconds.
_PAUSE = 8.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    ways = parser.add_mutually_exclusive_group(required=True)
    for way in ("guest", "key", "account"):
        ways.add_argument(f"--{way}", dest="way", action="store_const", const=way)
    parser.add_argument("--report", type=Path, default=Path("lumo-probe.md"))
    parser.add_argument("--speech", type=Path, help="a recording of a sentence")
    parser.add_argument("--pause", type=float, default=_PAUSE, help="seconds between")
    options = parser.parse_args(arguments)
    try:
        # Before anything is asked: that counts against the quota.
        options.report.touch()
        speech = options.speech.read_bytes() if options.speech else b""
    except OSError as err:
        parser.error(f"{err.filename} cannot be used: {err.strerror}")
    try:
        return asyncio.run(_run(options.way, options.report, options.pause, speech))
    except EOFError, KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return 2


async def _run(way: str, path: Path, pause: float, speech: bytes) -> int:
    async with httpx.AsyncClient() as http:
        try:
            endpoints = endpoints_from_environment(os.environ)
            credential = await _credential(way, http, endpoints)
        except LumoError as err:
            print(f"Not signed in: {err}", file=sys.stderr)
            return 2
        try:
            seen = await ask_all(
                http, endpoints, credential, speech=speech, pause=pause,
                tell=lambda name: print(f"asking: {name}", file=sys.stderr),
            )  # fmt: skip
        finally:
            if isinstance(credential, Session):
                try:
                    await credential.revoke()
                except LumoError as err:
                    print(f"The session was not ended: {err}", file=sys.stderr)
    _write(path, way, seen)
    verdicts = [(row.says, row.verdict(seen)) for row in ASSUMPTIONS if way in row.ways]
    for says, verdict in verdicts:
        print(f"{mark(verdict):>14}  {says}")
    if doubt := _doubt(way, seen["hello"]):
        print(f"\n{doubt}: this report says nothing about Lumo.", file=sys.stderr)
        return 2
    print(f"\nThe report is in {path}; please attach it to an issue.")
    return 1 if any(verdict is False for _, verdict in verdicts) else 0


def _doubt(way: str, hello: Seen) -> str | None:
    """Return why the answers are not those of Lumo to who asked, None if they are."""
    if not hello.events:
        return f"There was no answer to a plain question (HTTP {hello.status})"
    if way == "key" and any(usage.remaining for usage in hello.of(Usage)):
        return "The key was not recognised, and served as a guest"
    return None


def _write(path: Path, way: str, seen: Mapping[str, Seen]) -> None:
    version = json.loads(_MANIFEST.read_text(encoding="utf-8"))["version"]
    path.write_text(report(way, seen, version), encoding="utf-8")


async def _credential(
    way: str, http: httpx.AsyncClient, endpoints: Endpoints
) -> Credential:
    if way == "guest":
        return GuestCredential(http)
    if way == "key":
        return ApiKeyCredential(os.environ.get("LUMO_API_KEY") or getpass("API key: "))

    async def keep(_tokens: Tokens) -> None:
        """Keep nothing: the session ends with this program."""

    attempt = AccountSignIn(http, endpoints)
    try:
        name = await asyncio.to_thread(input, "User name: ")
        password = getpass("Password: ")
        outcome = await _with_human(attempt, attempt.start(name, password))
        if outcome is None:
            code = getpass("Two-factor code: ")
            outcome = await _with_human(attempt, attempt.second_factor(code))
    finally:
        await attempt.abandon()
    assert isinstance(outcome, Tokens)
    return Session(http, endpoints, outcome, keep)


async def _with_human(attempt: AccountSignIn, step: Awaitable[Outcome]) -> Outcome:
    """Return what a step returns, once a human was seen where Proton asks for one."""
    try:
        return await step
    except HumanVerificationError as err:
        await asyncio.to_thread(
            input, f"Open {err.web_url} , finish the check there, then press Enter: "
        )
        return await attempt.verify_human()


if __name__ == "__main__":
    sys.exit(main())
