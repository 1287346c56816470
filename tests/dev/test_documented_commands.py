"""The commands that README and docs show exist, and take the arguments shown."""

import argparse
import asyncio
from collections.abc import Iterator
from importlib import import_module
import inspect
from itertools import pairwise
from pathlib import Path
import re
import shlex
import sys
from types import ModuleType
from typing import Any

import pytest

from dev import parse
from dev.run_tests import NEXT_SAMPLE, NEXT_TESTS, NOT_IN_SAMPLE
from tests.pages import PAGES, ROOT, fenced

# Each of the scripts, and where it is run.
RUN_IN = {
    "ask": "tests/process/test_ask.py",
    "bench": "tests/context/test_recall.py",
    "debian_python": "scripts/setup",
    "develop": "tests/home/test_develop.py",
    "lint": ".github/workflows/test.yml",
    "lock": "requirements/dev.in",
    "parse": "tests/dev/test_documented_commands.py",
    "probe": "tests/dev/test_probe.py",
    "setup": ".github/workflows/nightly.yml",
    "soak": "tests/dev/test_soak.py",
    "standin": "tests/dev/test_standin_process.py",
    "test": ".github/workflows/test.yml",
}
# What stands for something in a line that says how a command is used.
MEANT = {
    "CODE": "de",
    "FILE": "README.md",
    "FILE.wav": "README.md",
    "FOLDER": "config",
    "TURNS": "300",
    "N": "8123",
    "NAME": "quota",
    "SENTENCE": "Hello",
}
MODULE = ".venv/bin/python -m dev."
OURS = rf"(?:scripts/|{re.escape(MODULE)})"
# A line of its own, four blanks deep or deeper, and lines that go on with it.
INDENTED = re.compile(rf"^( {{4,}})({OURS}.*(?:\n\1 +\S.*)*)$", re.MULTILINE)


def commands() -> Iterator[tuple[str, str, bool]]:
    """Yield where each stands, what it is, and whether it is there to be typed.

    It begins as a command of ours does; those of other programs are their business.
    """
    for place, block in fenced("sh", "bash", "shell", "console"):
        for line in block.replace("\\\n", " ").splitlines():
            command = " ".join(shlex.split(line, comments=True, posix=False))
            if re.match(OURS, command := command.removeprefix("$ ")):
                yield place, command, True
    for page in PAGES:
        place, text = str(page.relative_to(ROOT)), page.read_text("utf-8")
        without = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        for _, line in INDENTED.findall(without):
            yield place, " ".join(line.partition(" #")[0].split()), True
        for code in re.findall(rf"`({OURS}[^`]+)`", without):
            yield place, " ".join(code.split()), " " in code


ALL = sorted({*commands()})


def words(command: str) -> list[str]:
    """Return the words of a command, an example of each that stands for others."""
    command = command.replace("scripts/bench NAME", "scripts/bench gate")
    text = re.sub(r"\[,[A-Z]+\.\.\.\]|\.\.\.(?=\])", "", command)
    found = shlex.split(re.sub(r"[\[\]]", " ", text))
    return [MEANT.get(word, word) for word in (item.split("|")[0] for item in found)]


class Taken(Exception):
    """The arguments were taken; what is left of them."""


@pytest.fixture
def only_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let programs read their arguments and do nothing more."""
    read = argparse.ArgumentParser.parse_known_args

    def reading(self: argparse.ArgumentParser, *given: Any) -> Any:
        raise Taken(*read(self, *given)[1])

    monkeypatch.setattr(argparse.ArgumentParser, "parse_known_args", reading)
    monkeypatch.setattr(sys, "argv", ["a program"])


def module_of(name: str) -> ModuleType | None:
    """Return the program that a script starts, None if it is the script itself."""
    folder = ROOT / "dev" / name
    if (folder / "__main__.py").is_file():
        return import_module(f"dev.{name}.__main__".replace("/", "."))
    if folder.with_suffix(".py").is_file():
        return import_module(f"dev.{name}".replace("/", "."))
    return None


def give(program: ModuleType, arguments: list[str]) -> Any:
    """Give arguments to a program; return those that it left for others."""
    if "ArgumentParser" not in inspect.getsource(program):
        return arguments
    sys.argv[1:] = arguments
    main = program.main
    try:
        if inspect.iscoroutinefunction(main):
            asyncio.run(main())
        else:
            main(*([arguments] if inspect.signature(main).parameters else []))
    except Taken as taken:
        return taken.args
    raise AssertionError("it did not read its arguments")


@pytest.mark.usefixtures("only_read")
@pytest.mark.parametrize(("place", "command", "typed"), ALL)
def test_commands_take_what_is_shown(place: str, command: str, typed: bool) -> None:
    """Read by the program itself where it is one of ours."""
    path, *arguments = words(command.replace(MODULE, "scripts/"))
    script = ROOT / path
    known = script.name in RUN_IN or command.startswith(MODULE)
    assert known, f"{place}: `{command}` is no command of this repository"
    name = {"test": "run_tests"}.get(script.name, script.name)
    if script.name == "bench" and arguments:
        name = f"bench/{arguments.pop(0)}"
    program = module_of(name)
    assert program or script.is_file() and "/" not in name, f"{place}: no {path}"
    if program is None:
        left = [item for item in arguments if item not in script.read_text("utf-8")]
    elif typed:
        left = give(program, arguments)
    else:
        return
    if name == "run_tests":
        # The rest is for pytest: files, and names of tests.
        left = [
            item
            for before, item in pairwise(["", *left])
            if "-k" not in (before, item) and not (ROOT / item).exists()
        ]
    assert not left, f"{place}: `{command}`: {path} does not take {left}"


def test_each_script_is_run_somewhere() -> None:
    """A new one is named here, with where."""
    assert len(ALL) > 30
    assert sorted(RUN_IN) == sorted(path.name for path in (ROOT / "scripts").iterdir())
    for path in RUN_IN.values():
        assert (ROOT / path).is_file(), path


def test_files_of_the_next_release_exist() -> None:
    """Pytest would run nothing for the sake of one that does not, and not say which."""
    named = {*NEXT_TESTS, *NEXT_SAMPLE, *NOT_IN_SAMPLE}
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_parse_shows_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The text as it is, and what would be run; no such file is an error."""
    file = tmp_path / "answer.txt"
    monkeypatch.setattr(sys, "argv", ["parse", str(file)])
    assert parse.main() == 1
    file.write_text('Well. {"name": "user:HassTurnOff", "arguments": {"name": "Lamp"}}')
    assert parse.main() == 0
    printed = capsys.readouterr().out
    assert 'text    "Well. "' in printed
    assert 'call    intent__HassTurnOff {"name": "Lamp"}' in printed
