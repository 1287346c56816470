"""The page of numbers is what the benchmarks measured, and so is what others quote."""

import json
from pathlib import Path
from typing import Any

import pytest

from dev.bench import report
from dev.bench.table import TABLES, print_table

PLAN: dict[str, Any] = {
    "page": {"head": "# Numbers\n"},
    "benches": {"kettle": {"module": "kettle"}, "absent": {"module": "absent"}},
    "section": [
        {
            "title": "Boiling",
            "measures": "how long\nit takes",
            "weakness": "one kettle",
            "table": [
                {
                    "bench": "kettle",
                    "title": "boiled",
                    "columns": {"litres": "water", "s": "seconds"},
                    "rows": ["1"],
                },
                {"bench": "absent", "title": "boiled", "caption": "On a stove"},
                {"bench": "kettle", "title": "another"},
            ],
        }
    ],
}
DATA: dict[str, Any] = {
    "versions": {"Kettle": "2", "machine": "Linux, 2 cores"},
    "benches": {
        "kettle": {
            "command": "scripts/bench kettle --full",
            "date": "2026-01-02",
            "seconds": 7,
            "load": 0.1,
            "code": 1,
            "tables": [
                {
                    "title": "boiled",
                    "head": ["litres", "lid", "s"],
                    "rows": [["1", "on", "90"], ["1", "off", "99"], ["2", "on", "170"]],
                }
            ],
        }
    },
}
PAGE = """\
# Numbers

Kettle 2; Linux, 2 cores.

## Boiling

- *Measured:* how long it takes
- *Weakness:* one kettle

| water | seconds |
| --- | --: |
| 1 | 90 |
| 1 | 99 |

On a stove:

Not measured.

Not measured.

Made by `scripts/bench kettle --full`, 2026-01-02, 7 s, load 0.1 at its start (not all was as it should be).
"""


def test_a_page_is_rendered_from_data() -> None:
    """What was not measured says so, and a benchmark that complained too."""
    assert report.render(PLAN, DATA) == PAGE


def test_data_has_a_row_on_a_line() -> None:
    """And is the same when it is read again."""
    text = report.written(DATA)
    assert '[ "1", "on", "90" ],\n' in text
    assert json.loads(text) == DATA


def test_a_quoted_figure_is_the_measured_one() -> None:
    """The row is the first that begins so."""
    mark = "<!--n:kettle; boiled; {}; s-->{}<!--/n-->"
    for begins, seconds in (("1", "90"), ("1 off", "99"), ("2", "170")):
        old, new = mark.format(begins, "12"), mark.format(begins, seconds)
        assert report.fill(f"It takes {old} s.", DATA) == f"It takes {new} s."


@pytest.mark.parametrize(
    "key",
    [
        "absent; boiled; 1; s",
        "kettle; raw; 1; s",
        "kettle; boiled; 3; s",
        "kettle; boiled; 1; m",
    ],
)
def test_a_figure_that_was_not_measured_is_named(key: str) -> None:
    """Nothing is invented."""
    with pytest.raises(KeyError, match=key):
        report.fill(f"<!--n:{key}-->1<!--/n-->", DATA)


def test_a_table_is_kept_for_who_collects_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As it is printed."""
    file = tmp_path / "tables"
    monkeypatch.setenv(TABLES, str(file))
    for title in ("one", "two"):
        print_table(("a", "b"), [("é", "2")], title=title)
    tables = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [table["title"] for table in tables] == ["one", "two"]
    assert tables[0] == {"title": "one", "head": ["a", "b"], "rows": [["é", "2"]]}
    assert capsys.readouterr().out.splitlines()[:4] == ["", "one", "a  b", "é  2"]


def test_the_page_is_what_was_measured() -> None:
    """`scripts/bench report --render` writes it."""
    plan, data = report.read_plan(), report.read_data()
    assert report.PAGE.read_text("utf-8") == report.render(plan, data)
    assert report.DATA.read_text("utf-8") == report.written(data)


def test_every_table_of_the_page_is_of_a_benchmark() -> None:
    """And each benchmark is there, and each that is collected is shown."""
    plan = report.read_plan()
    shown = {table["bench"] for part in plan["section"] for table in part["table"]}
    assert shown == set(plan["benches"])
    for bench in plan["benches"].values():
        assert (Path(report.__file__).parent / f"{bench['module']}.py").exists()


def test_other_pages_quote_what_was_measured() -> None:
    """Wherever a figure is marked."""
    data = report.read_data()
    for page in report.marked_pages():
        text = page.read_text("utf-8")
        assert report.fill(text, data) == text, page.name
