"""Run the tests: the quick ones, on the next release a sample, or what is asked for.

With `--long` also those that take longer, with `--browser` those in a browser and no
others. `--first` and `--next` choose one of the two releases. Any other argument goes to
pytest, and then only the first release is tested if `--next` does not choose the other.
"""

import argparse
from collections.abc import Sequence
from itertools import pairwise
import os
from pathlib import Path
import shutil
import subprocess
import sys
from time import time

REPOSITORY = Path(__file__).parent.parent
NEXT_PYTHON = REPOSITORY / ".venv-next" / "bin" / "python"

# What has to do with Home Assistant or its version of a library. The rest has been
# tested by then.
NEXT_TESTS = (
    "tests/abilities", "tests/agent", "tests/context", "tests/gate", "tests/integration",
    *(f"tests/lumo_client/test_{name}.py" for name in ("client", "client_faults", "credentials", "gateway", "session")),
    "tests/process/test_pipeline.py", "tests/redteam", "tests/voice",
)  # fmt: skip

# Of these, what the quick run tries there: what uses most of Home Assistant. The rest
# uses the same parts of it, only reads words, or signs in to servers.
_AGENT = "at_home history pictures selectors stored_options structured_turn toolbox turn turn_ends"
NEXT_SAMPLE = (
    "tests/abilities", *(f"tests/agent/test_{name}.py" for name in _AGENT.split()), "tests/context/test_home.py",
    *(f"tests/gate/test_{name}.py" for name in ("domains", "helpers", "intents", "reach", "verify")),
    "tests/integration", "tests/lumo_client/test_client.py", "tests/redteam/test_everyday_table.py",
)  # fmt: skip
NOT_IN_SAMPLE = tuple(
    f"tests/{room}/test_{name}.py"
    for room, names in {
        "abilities": "later many memory note_store plan_list planned planned_ways tell"
        " why",
        "integration": "config_flow_account config_flow_api_key config_flow_reconfigure"
        " config_flow_session conversation_ends conversation_honesty crash fault_table"
        " faults outages session_life subentry_tools translations",
    }.items()
    for name in names.split()
)

# Tests of one file share what they have started: they stay in one process. Many wait
# for a server or a process, so two cores have work for three.
# In the order of `tests/conftest.py`: the plugin's own would keep the slowest for the end.
PARALLEL = (
    *("-n", str((os.process_cpu_count() or 1) + 1), "--dist", "loadfile"),
    "--no-loadscope-reorder",
    # Where so many fail, each may wait for its limit of time.
    "--maxfail=40",
)

BROWSER_TESTS = "tests/browser"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def main(arguments: Sequence[str]) -> int:
    """Run pytest for each release that is asked for; return the first exit code that is not 0."""
    parser = argparse.ArgumentParser(prog="scripts/test", add_help=False)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--browser", action="store_true")
    parser.add_argument("--pictures", action="store_true")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--first", action="store_true")
    only.add_argument("--next", action="store_true")
    options, for_pytest = parser.parse_known_args(arguments)
    # What Python has compiled is kept: Home Assistant starts three times as fast.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

    named = any(item.startswith(BROWSER_TESTS) for item in for_pytest)
    if options.browser or named:
        return _in_browser(
            options, for_pytest if named else [BROWSER_TESTS, *for_pytest]
        )
    if options.pictures:
        parser.error("--pictures goes with --browser")
    if for_pytest:
        marked = any(item.startswith("-m") for item in for_pytest)
        marks = () if marked else _marks(options.long)
        files = _files_of(for_pytest)
        return _pytest([*_runner(options.next), *marks, *for_pytest, *files])
    # One release that fails does not hide the other.
    releases = [options.next] if options.first or options.next else [False, True]
    mixed = [f"--shuffle={int(time())}"] if options.long else []
    print(*mixed)
    codes = [_whole_release(release, options.long, mixed) for release in releases]
    return next(filter(None, codes), 0)


def _whole_release(following: bool, long: bool, more: Sequence[str]) -> int:
    suite = _whole_of_next(long) if following else _marks(long)
    return _pytest([*_runner(following), "-q", *PARALLEL, *suite, *more])


def _files_of(for_pytest: Sequence[str]) -> list[str]:
    """Return the files that can have the tests that one word after `-k` chooses.

    Pytest would load all files first, which takes some ten seconds.
    """
    given = dict(pairwise(for_pytest))
    word = given.get("-k", "").casefold()
    is_placed = any(
        (REPOSITORY / item.partition("::")[0]).exists() for item in for_pytest
    )
    if not word.isidentifier() or is_placed:
        return []
    texts = {
        path: path.read_text("utf-8").casefold()
        for path in (REPOSITORY / "tests").rglob("*.py")
        if path.parent.name != "browser"
    }
    tests = {path for path in texts if path.name.startswith("test_")}
    found = {path for path in texts if word in texts[path] or word in str(path)}
    # The names of tests may come from tables and fixtures beside them.
    for beside in found - tests:
        if beside.name == "conftest.py":
            found |= {path for path in tests if path.is_relative_to(beside.parent)}
        else:
            found |= {path for path in tests if beside.stem in texts[path]}
    return sorted(str(path.relative_to(REPOSITORY)) for path in found & tests)


def _runner(following: bool) -> list[str]:
    if not following:
        return [sys.executable, "-m", "pytest"]
    subprocess.run([REPOSITORY / "scripts" / "setup", "--next"], check=True)
    return [str(NEXT_PYTHON), "-m", "dev.run_next"]


def _marks(long: bool) -> tuple[str, ...]:
    return ("--hypothesis-profile=random",) if long else ("-m", "not long")


def _whole_of_next(long: bool) -> list[str]:
    # A property does not depend on the release; its search takes its time once.
    if long:
        return ["-m", "not hypothesis", *NEXT_TESTS]
    # What depends on the release shows in any case of a test.
    sample = ["-m", "not long and not hypothesis", "--cases", "1"]
    return [*sample, *(f"--ignore={path}" for path in NOT_IN_SAMPLE), *NEXT_SAMPLE]


def find_browser() -> str | None:
    """Return where a Chromium is: the one that $CHROMIUM names, or the system's."""
    names = (os.environ.get("CHROMIUM", ""), *BROWSERS)
    return next(filter(None, map(shutil.which, names)), None)


def _in_browser(options: argparse.Namespace, for_pytest: Sequence[str]) -> int:
    if find_browser() is None:
        print(
            "scripts/test: there is no Chromium. Install one (Debian: apt install"
            " chromium; Ubuntu: apt install chromium-browser), or name its program in"
            " the variable CHROMIUM.",
            file=sys.stderr,
        )
        return 2
    subprocess.run([REPOSITORY / "scripts" / "setup", "--browser"], check=True)
    if options.next:
        subprocess.run([REPOSITORY / "scripts" / "setup", "--next"], check=True)
    handed = [f"--{name}" for name in ("next", "pictures") if vars(options)[name]]
    patient = "--timeout=600"  # A page has more to do than a function.
    command = (sys.executable, "-m", "pytest", patient)
    return _pytest([*command, *handed, *for_pytest])


def _pytest(command: Sequence[str]) -> int:
    return subprocess.run(command, cwd=REPOSITORY, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
