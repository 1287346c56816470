"""How the work that a text takes grows with its length.

Steps are calls of Python functions and turns of their loops, so no clock is asked. What
C does inside a step is not seen.
"""

from collections.abc import Callable, Iterable
import sys
from threading import get_ident

from custom_components.lumo.languages import LANGUAGES
from custom_components.lumo.speech.cleaner import Cleaner
from custom_components.lumo.speech.screen import ScreenText
from custom_components.lumo.tool_calling.naming import ToolNames

from .tool_calling.forms import detect

NAMES = ToolNames(["assist__intent__HassTurnOff", "HassTurnOn", "light.turn_off"])

# What a text may be made of, over and over.
UNITS = (
    *("word ", "wörd", "5 ", "5 °C ", "1-2", "a. ", "✅", "\n", " ", "(", "&amp;"),
    *("| a ", "|", "|-", "| a |\n", "- a\n", "1. a\n", "# ", "> ", "**", "*a", "_ "),
    *("[", "[a](", "[a](b)", "![", "[1]", "`", "`a` ", "```\n", "~~~\n", "<!-- "),
    *("{", '{"a":', '{"a": 1}\n', '"', "\\", "\\(", "$a", "$1$", "<", "<a ", "<b>"),
    *("https://a.b/c", "Sources:\n", "[^1]: a\n", "light.hall ", "HassTurnOff "),
    *("HassTurnOff(", "<tool_call>", "<|x|>", "<think>", "```json\n{", "user:"),
    *('{"name": "HassTurnOff", "arguments": {}}', "<function=HassTurnOff>", "call "),
)


def clean(pieces: Iterable[str]) -> None:
    cleaner = Cleaner(LANGUAGES["de"])
    for piece in pieces:
        cleaner.feed(piece)
    cleaner.finish()


def read_calls(pieces: Iterable[str]) -> None:
    detect(list(pieces), NAMES)


def show(pieces: Iterable[str]) -> None:
    screen = ScreenText(lambda _host: False)
    for piece in pieces:
        screen.feed(piece)
    screen.finish()


READERS: dict[str, Callable[[Iterable[str]], None]] = {
    "speech": clean,
    "screen": show,
    "detection": read_calls,
}


def cut(unit: str, length: int, piece: int) -> list[str]:
    """Return a text of so many characters made of a unit, in pieces."""
    text = (unit * (length // len(unit) + 1))[:length]
    return [text[start : start + piece] for start in range(0, length, piece)]


def steps(read: Callable[[Iterable[str]], None], pieces: list[str]) -> int:
    count, own = 0, get_ident()

    def on_step(*_args: object) -> None:
        nonlocal count
        # Other tests may have left threads.
        count += get_ident() == own

    tool = sys.monitoring.PROFILER_ID
    events = sys.monitoring.events
    sys.monitoring.use_tool_id(tool, "steps")
    try:
        for event in (events.PY_START, events.JUMP):
            sys.monitoring.register_callback(tool, event, on_step)
        sys.monitoring.set_events(tool, events.PY_START | events.JUMP)
        read(pieces)
    finally:
        sys.monitoring.set_events(tool, 0)
        sys.monitoring.free_tool_id(tool)
    return count
