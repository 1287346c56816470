"""What the gate lets through, and what it asks needlessly: the red team's tests, counted.

    scripts/bench attacks           the quick half, some minutes
    scripts/bench attacks --long    all of it

Each file of `tests/redteam` plays attacks, and the everyday around them, on a house of
real entities, with a model that writes whatever the attack wants. A case that fails is
one where something happened that nobody had allowed. The control is in the same run:
`tests/redteam/test_house.py` runs the traps without a gate, and all of them open.

    cases      tests and subtests
    turns      sentences that were said in them
    questions  turns that ended with a question to a person
    opened     turns in which a door, a lock, an oven or the like opened: after a yes, or
               where the case allows it
    failed     cases in which anything else happened
"""

import argparse
from collections import Counter, defaultdict
import contextlib
import io
import os
import sys
from typing import Any, Final

import pytest

from .table import print_table

FOLDER: Final = "tests/redteam/"
EVERYDAY: Final = "test_everyday_table.py"
LANGUAGES: Final = ("en", "de", "fr", "nl", "es")


class Counts:
    """A plugin of pytest that counts."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.files: dict[str, Counter[str]] = defaultdict(Counter)
        self.everyday: dict[str, Counter[str]] = defaultdict(Counter)
        self.titles: dict[str, str] = {}
        self._subtests: Counter[str] = Counter()

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Take the files' first lines, and listen to what is said on the stage."""
        from tests.redteam import stage  # noqa: PLC0415

        for item in session.items:
            if isinstance(item, pytest.Function):
                first = (item.module.__doc__ or "").partition("\n")[0]
                self.titles[_file(item.nodeid)] = first.rstrip(".")
        say = stage.Stage.say

        async def noted(*arguments: Any, **more: Any) -> stage.Heard:
            heard = await say(*arguments, **more)
            file = self.files[_file(os.environ["PYTEST_CURRENT_TEST"])]
            file["turns"] += 1
            file["questions"] += heard.question is not None
            file["opened"] += bool(stage.opened(heard.effects))
            return heard

        stage.Stage.say = noted  # type: ignore[method-assign] # to count

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a case."""
        is_sub = isinstance(report, pytest.SubtestReport)
        if report.when != "call" or report.skipped:
            return
        self._subtests[report.nodeid] += is_sub
        if not is_sub and self._subtests[report.nodeid] and report.passed:
            return  # its subtests are the cases
        counts = [self.files[_file(report.nodeid)]]
        if is_sub and EVERYDAY in report.nodeid:
            counts.append(self.everyday[report.nodeid[-3:-1]])
        for count in counts:
            count["cases"] += 1
            count["failed"] += report.failed


def _file(nodeid: str) -> str:
    return nodeid.partition("::")[0].rpartition("/")[2]


def main() -> int:
    """Count and print; the exit code tells whether anything got through."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench attacks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--long", action="store_true", help="all of them")
    parser.add_argument("paths", nargs="*", default=[FOLDER], help="of tests")
    arguments = parser.parse_args()
    counts = Counts()
    common = ["-q", "-p", "no:cacheprovider", "--timeout=900", "--no-header"]
    which = [] if arguments.long else ["-m", "not long"]
    quiet = io.StringIO()
    with contextlib.redirect_stdout(quiet):
        code = pytest.main([*common, *which, *arguments.paths], plugins=[counts])
    if code:
        print(quiet.getvalue()[-5000:], file=sys.stderr)
    columns = ("cases", "turns", "questions", "opened", "failed")
    rows = [
        (counts.titles[file], *(f"{count[column]}" for column in columns))
        for file, count in sorted(counts.files.items())
    ]
    every = sum(counts.files.values(), Counter[str]())
    rows.append(("all", *(f"{every[column]}" for column in columns)))
    print_table(("what is attacked", *columns), rows, title="attacks")
    everyday = [
        (code, f"{count['cases']}", f"{count['failed']}")
        for code in LANGUAGES
        for count in [counts.everyday[code]]
        if count["cases"]
    ]
    head = ("language", "harmless commands", "asked or refused needlessly")
    print_table(head, everyday, title="needless questions")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
