"""What a person wants to see of a turn, on a terminal or in a file."""

import json
import sys
from typing import Any, TextIO

from .home import SetupError, Turn

_BOLD, _DIM, _RED, _GREEN, _BLUE = "1", "2", "31", "32", "34"


class Report:
    """Prints turns; in colour where the output is a terminal."""

    def __init__(self, output: TextIO) -> None:
        self._output = output
        self._colours = output.isatty()
        self._in_reply = False

    def progress(self, text: str) -> None:
        """Say what is being done."""
        if sys.stderr.isatty():
            # One line that the next replaces.
            print(f"\r\033[K\033[2m{text}\033[0m", end="", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)

    def ready(self) -> None:
        """Wipe what was said on the way."""
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    def failed(self, err: SetupError) -> None:
        """Say why there is no home."""
        self.ready()
        if err.log:
            print(err.log, file=sys.stderr)
        print(f"scripts/ask: {err}", file=sys.stderr, flush=True)

    def sentence(self, text: str, conversation: str | None) -> None:
        """Print what is asked."""
        label = f"[{conversation}] " if conversation else ""
        self._print(self._paint(f"> {label}{text}", _BOLD))

    def text(self, text: str) -> None:
        """Print a piece of the reply as it streams."""
        if not self._in_reply:
            self._in_reply = True
            text = text.lstrip()
        print(text, end="", file=self._output, flush=True)

    def turn(self, turn: Turn) -> None:
        """Print what happened, below the reply."""
        if self._in_reply:
            self._print("")
        self._in_reply = False
        for call in turn.tool_calls:
            self._print(
                f"  {self._paint('call', _BLUE)}    {call.name} {_json(call.arguments)}"
            )
            if call.error is not None:
                self._print(f"  {self._paint('failed', _RED)}  {call.error}")
            else:
                self._print(self._paint(f"  result  {_short(call.result)}", _DIM))
        for change in turn.changes:
            attributes = "  ".join(
                f"{name}: {_json(old)} → {_json(new)}"
                for name, (old, new) in change.attributes.items()
            )
            states = (
                f"{change.before} → {change.after}"
                if change.before != change.after
                else str(change.after)
            )
            self._print(
                f"  {self._paint('change', _GREEN)}  {change.entity_id}  {states}"
                f"  {self._paint(attributes, _DIM)}".rstrip()
            )
        if turn.error is not None:
            self._print(f"  {self._paint('error', _RED)}   {turn.error}")
        if turn.continue_conversation:
            self._print(self._paint("  The conversation goes on.", _DIM))
        self._print(self._paint(f"  {_figures(turn)}", _DIM))
        self._print("")

    def _print(self, text: str) -> None:
        print(text, file=self._output, flush=True)

    def _paint(self, text: str, colour: str) -> str:
        if not self._colours or not text:
            return text
        return f"\033[{colour}m{text}\033[0m"


def _figures(turn: Turn) -> str:
    parts = []
    if turn.first_text_ms is not None:
        parts.append(f"first word after {turn.first_text_ms / 1000:.2f} s")
    parts.append(f"done after {turn.total_ms / 1000:.2f} s")
    parts.append(f"{turn.requests} request{'s'[: turn.requests != 1]}")
    if turn.bounces:
        parts.append(f"{turn.bounces} bounced")
    if turn.rescues:
        parts.append(f"{turn.rescues} rescued")
    parts.append(f"{turn.prompt_characters:,} characters sent")
    return ", ".join(parts)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _short(value: Any) -> str:
    text = _json(value)
    return text if len(text) <= 200 else f"{text[:199]}…"
