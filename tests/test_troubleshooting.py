"""What the page for trouble says is heard, and what it says is logged, is so."""

import ast
import builtins
from collections.abc import Iterator
from functools import cache
import inspect
import json
from pathlib import Path
import re

from homeassistant.helpers import update_coordinator
import pytest

ROOT = Path(__file__).parent.parent
OURS = ROOT / "custom_components" / "lumo"
PAGE = ROOT / "docs" / "troubleshooting.md"
SAID = json.loads((OURS / "translations" / "en.json").read_text(encoding="utf-8"))[
    "exceptions"
]
LEVELS = ("debug", "info", "warning", "error", "exception")
LOGGED = re.compile(rf"(?:({'|'.join(LEVELS)})|\bor) `([^`]+)`")


def test_what_one_hears_is_said() -> None:
    """Word for word, so that it can be searched for; other symptoms have no quotes."""
    text = PAGE.read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\".*?\")(?:, then [^|]*)? \|", text, re.MULTILINE)
    quotes = re.findall(r"\"(?:\.\.\. )?([^\"]+)\"", " ".join(rows))
    assert len(quotes) >= len(rows) > 5
    for quote in quotes:
        assert any(quote in sentence["message"] for sentence in SAID.values()), (
            f'{PAGE.name}: nothing says "{quote}". Take a sentence of "exceptions" in'
            " translations/en.json, or describe it without quotation marks"
        )


@cache
def sources() -> tuple[ast.Module, ...]:
    """Return what the integration is made of, and Home Assistant's own poll."""
    ours = [path.read_text(encoding="utf-8") for path in OURS.rglob("*.py")]
    return tuple(map(ast.parse, [*ours, inspect.getsource(update_coordinator)]))


def texts(node: ast.expr) -> Iterator[str]:
    """Yield a text, or each of those that one is chosen from, with %s for holes."""
    match node:
        case ast.Constant(value=str(text)):
            yield re.sub(r"%[ds]", "%s", text)
        case ast.JoinedStr(values=parts):
            yield "".join(next(texts(part), "%s") for part in parts)
        case ast.IfExp(body=first, orelse=second):
            yield from texts(first)
            yield from texts(second)


@cache
def lines() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the level and the first line of everything that is logged."""
    found = []
    for module in sources():
        for node in ast.walk(module):
            if not isinstance(node, ast.Call) or not isinstance(
                node.func, ast.Attribute
            ):
                continue
            level = "debug" if node.func.attr == "decide" else node.func.attr
            if level not in LEVELS or not node.args:
                continue
            for text in texts(node.args[0]):
                first = text.split("\n")[0]
                if len(first.replace("%s", "")) > 8:
                    found.append((level, re.escape(first).replace("%s", "(.*)")))
    return tuple((level, re.compile(pattern)) for level, pattern in found)


@cache
def words() -> frozenset[str]:
    """Return what may stand in a hole: our own texts, codes, names of errors."""
    constants = (
        node.value
        for module in sources()
        for node in ast.walk(module)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return frozenset({"", *constants, *SAID, *vars(builtins)})


def is_logged(level: str, line: str) -> bool:
    return any(
        known in (level, "exception" if level == "error" else level)
        and (match := pattern.fullmatch(line))
        and words().issuperset(match.groups())
        for known, pattern in lines()
    )


def test_what_is_in_the_log_is_logged() -> None:
    tables = re.findall(r"^\|.*\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    found: list[tuple[str, str]] = []
    for row in tables:
        level = ""
        for match in LOGGED.finditer(row.rsplit("|", 2)[1]):
            level = match[1] or level
            found.append((level, match[2]))
    assert len(found) > 30
    for level, line in found:
        assert is_logged(level, line), (
            f"docs/troubleshooting.md: no code logs `{line}` as {level}. Copy a line of"
            " the code with its level, or write it without backticks"
        )


@pytest.mark.parametrize(
    ("level", "line"),
    [
        ("error", "the answer failed: quota"),
        ("debug", "the answer failed: quotas"),
        ("debug", "the answer has failed: quota"),
        ("warning", "Speech could not be heard: "),
        ("debug", "stopped, nobody knows why"),
    ],
)
def test_what_is_not_logged_is_seen(level: str, line: str) -> None:
    """Another level, another code, another text."""
    assert not is_logged(level, line)
