"""Ask the demo home something, through a real Home Assistant and its Assist pipeline.

Each run makes the same fresh home on its own free ports and leaves nothing behind.
Exit code 0: every turn ended with an answer, a question or a polite refusal; 1: a turn
ended in an error; 2: wrong usage, or the home could not be made ready.
"""

import argparse
import asyncio
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
import json
import os
from pathlib import Path
import re
import signal
import sys
from typing import Any

from .home import (
    REPOSITORY,
    SIGN_INS,
    Conversation,
    HomeOptions,
    SetupError,
    Turn,
    open_home,
)
from .model import NAME, agree_and_fetch, open_model
from .report import Report

EXIT_ANSWERED = 0
EXIT_TURN_FAILED = 1
EXIT_NOT_READY = 2

# Not the service's: something broke in the integration or in Home Assistant.
_OUR_FAULT = {"home_assistant", "intent-failed", "timeout", "unknown"}

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, and the label of its conversation."""

    text: str
    conversation: str | None = None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    lines = [Line(text) for text in options.sentences]
    if options.file is not None:
        try:
            lines += _read_lines(options.file)
        except (OSError, ValueError) as err:
            parser.error(f"{options.file}: {err}")
    if not lines:
        parser.error("nothing to ask: give a sentence, or a file of them")
    try:
        if options.model and not agree_and_fetch(yes=False):
            return EXIT_NOT_READY
    except SetupError as err:
        Report(sys.stdout).failed(err)
        return EXIT_NOT_READY
    # A polite end is an end like Ctrl-C: everything we started goes with us.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return asyncio.run(_ask(options, lines))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone; there is nobody to tell.
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123
        return EXIT_TURN_FAILED


async def _ask(options: argparse.Namespace, lines: Sequence[Line]) -> int:
    report = Report(sys.stderr if options.json else sys.stdout)
    try:
        home_options = _home_options(options)
        async with AsyncExitStack() as stack:
            if options.model:
                report.progress(f"Starting {NAME}, a small model in Lumo's place ...")
                model = await stack.enter_async_context(open_model())
                home_options = replace(home_options, lumo=model.lumo, sign_in="api_key")
            home = await stack.enter_async_context(
                open_home(home_options, report.progress)
            )
            report.ready()
            failed = False
            conversations: dict[str | None, Conversation] = {}
            for line in lines:
                conversation = conversations.get(line.conversation)
                if conversation is None:
                    conversation = home.conversation()
                    conversations[line.conversation] = conversation
                if options.json:
                    turn = await conversation.ask(line.text)
                    _print_json(turn)
                else:
                    report.sentence(line.text, line.conversation)
                    turn = await conversation.ask(line.text, report.text)
                    report.turn(turn)
                failed = failed or turn.error is not None
                if turn.error in _OUR_FAULT:
                    print(home.last_log_lines(), file=sys.stderr, flush=True)
            return EXIT_TURN_FAILED if failed else EXIT_ANSWERED
    except SetupError as err:
        report.failed(err)
        return EXIT_NOT_READY


def _home_options(options: argparse.Namespace) -> HomeOptions:
    python = sys.executable
    if options.ha == "next":
        python = str(REPOSITORY / ".venv-next" / "bin" / "python")
        if not Path(python).exists():
            raise SetupError("The next release is not here: scripts/setup --next")
    return HomeOptions(
        home=options.home,
        language=options.language,
        scenario=options.scenario,
        sign_in=options.sign_in,
        user_name=options.user,
        tool_calling=options.tool_calling,
        memory=options.memory,
        python=python,
        verbose=options.verbose,
    )


def _print_json(turn: Turn) -> None:
    print(json.dumps(turn.as_json(), ensure_ascii=False), flush=True)


def _read_lines(name: str) -> list[Line]:
    """Read JSON lines of sentences; `-` is the standard input.

    Raises ValueError for a line that is none.
    """
    if name == "-":
        content = sys.stdin.read()
    else:
        content = Path(name).read_text(encoding="utf-8-sig")
    return [
        _read_line(number, line)
        for number, line in enumerate(content.split("\n"), 1)
        if line.strip()
    ]


def _read_line(number: int, line: str) -> Line:
    try:
        value: Any = json.loads(line)
    except ValueError as err:
        raise ValueError(f"line {number} is not JSON: {err}") from err
    match value:
        case {"text": str(text)}:
            label = value.get("conversation")
            return Line(text, None if label is None else str(label))
    raise ValueError(f'line {number} is not {{"text": ..., "conversation": ...}}')


def _language(value: str) -> str:
    if not _LANGUAGE.fullmatch(value):
        raise argparse.ArgumentTypeError(f"{value!r} is not a language code")
    return value


_OPTIONS: dict[str, dict[str, Any]] = {
    "sentences": {"nargs": "*", "metavar": "SENTENCE", "help": "several are turns of one conversation"},
    "--json": {"action": "store_true", "help": "print one JSON object per turn"},
    "--language": {"type": _language, "default": "en", "metavar": "CODE", "help": "language of the pipeline (default: en)"},
    "--model": {"action": "store_true", "help": "a small real model answers in Lumo's place (1.2 GB, a minute a sentence)"},
    "--home": {"choices": ("demo", "empty"), "default": "demo"},
    "--scenario": {"metavar": "NAME[,NAME...]", "help": "habits of the stand-in for Lumo's servers, all at once"},
    "--sign-in": {"choices": SIGN_INS, "help": "default: session"},
    "--user": {"metavar": "NAME", "help": "which account, with --sign-in account"},
    "--tool-calling": {"choices": ("automatic", "private", "native"), "default": "automatic"},
    "--memory": {"choices": ("off", "on", "in_clear"), "default": "off", "help": "whether the agent keeps notes of what it is asked to remember"},
    "--file": {"metavar": "FILE", "help": 'JSON lines of {"text": ..., "conversation": optional label}; - is stdin'},
    "--ha": {"choices": ("current", "next"), "default": "current", "help": "which Home Assistant release (next: see scripts/setup --next)"},
    "--verbose": {"action": "store_true", "help": "show Home Assistant's log"},
}  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/ask",
        description="Ask the demo home something, through Home Assistant and Lumo.",
    )
    for name, more in _OPTIONS.items():
        parser.add_argument(name, **more)
    return parser


if __name__ == "__main__":
    sys.exit(main())
