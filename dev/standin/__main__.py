"""Run the stand-in: its first line of output says where it is and how to sign in."""

import argparse
import asyncio
import contextlib
import json
import os
from pathlib import Path
import signal
import sys

from .scenarios import SCENARIOS, make_scenarios
from .server import Options, start


def _names(text: str) -> list[str]:
    names = text.split(",")
    try:
        make_scenarios(names)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return names


def parser() -> argparse.ArgumentParser:
    """Return what understands the command line."""
    defaults = Options()
    result = argparse.ArgumentParser(
        prog="scripts/standin",
        description="A stand-in for Lumo's servers, on this machine only.",
        epilog=f"Scenarios: {', '.join(SCENARIOS)}.",
    )
    add = result.add_argument
    add("--port", type=int, default=0, help="the port; any free one by default")
    add("--scenario", type=_names, default=[], metavar="NAME[,NAME...]")
    add("--key-file", type=Path, help="where to write the public key")
    add("--quota", type=int, default=defaults.guest_quota, help="of a guest")
    add("--session-quota", type=int, default=defaults.session_quota)
    add("--burst", action="store_true", help="refuse guests in a hurry, as Lumo does")
    add("--token-lifetime", type=float, default=defaults.token_lifetime, metavar="S")
    add("--slow-seconds", type=float, default=defaults.slow_seconds, metavar="S")
    add("--connect-seconds", type=float, default=0, metavar="S")
    add(
        "--faults-everywhere",
        action="store_true",
        help="faults refuse more than the chat: a client cannot even be set up",
    )
    add("--die-with-parent", action="store_true", help="end when standard input ends")
    return result


async def serve(arguments: argparse.Namespace) -> None:
    """Serve until a signal comes, or until standard input ends."""
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    standin = await start(
        port=arguments.port,
        scenario=arguments.scenario,
        key_file=arguments.key_file,
        options=Options(
            guest_quota=arguments.quota,
            session_quota=arguments.session_quota,
            burst=arguments.burst,
            token_lifetime=arguments.token_lifetime,
            slow_seconds=arguments.slow_seconds,
            connect_seconds=arguments.connect_seconds,
            faults_everywhere=arguments.faults_everywhere,
        ),
    )
    async with standin:
        print(json.dumps(standin.describe()), flush=True)
        if arguments.die_with_parent:
            loop.add_reader(sys.stdin.fileno(), _read_stdin, loop, ended)
        # Load what takes a second now, while nobody waits for it.
        loop.call_soon(lambda: standin.brain)
        await ended.wait()


def _read_stdin(loop: asyncio.AbstractEventLoop, ended: asyncio.Event) -> None:
    descriptor = sys.stdin.fileno()
    with contextlib.suppress(OSError):
        if os.read(descriptor, 4096):
            return
    loop.remove_reader(descriptor)
    ended.set()


def main() -> int:
    """Run the stand-in."""
    arguments = parser().parse_args()
    try:
        asyncio.run(serve(arguments))
    except OSError as error:
        print(f"The stand-in cannot start: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
