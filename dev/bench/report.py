"""All figures in one page: docs/numbers.md, from docs/numbers.json.

    scripts/bench report                         measures everything, about half an hour
    scripts/bench report --only context,speech   measures these, the others stay
    scripts/bench report --render                measures nothing

What is measured, and what the page says of it, stands in `report.toml`. The JSON file has
the tables as the benchmarks print them. A figure in another page can be marked:

    <!--n:context; recall by language; 500 all; each-->99.1<!--/n-->

(benchmark; table; what the row begins with; column): rendering writes it anew.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
import importlib.metadata
import json
import os
from pathlib import Path
import platform
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from typing import Any, Final

from .table import TABLES

REPOSITORY: Final = Path(__file__).parents[2]
DATA: Final = REPOSITORY / "docs" / "numbers.json"
PAGE: Final = REPOSITORY / "docs" / "numbers.md"
PLAN: Final = Path(__file__).with_suffix(".toml")
_MANIFEST: Final = REPOSITORY / "custom_components" / "lumo" / "manifest.json"
# A list of texts without brackets, and a break in it, which is in none of them.
_ROW: Final = re.compile(r"\[\s+[^\[\]{}]*\]")
_BREAK: Final = re.compile(r"\n *")
_MARK: Final = re.compile(r"(<!--n:([^>]+)-->)(.*?)(<!--/n-->)", re.DOTALL)
_ASPECTS: Final = {
    "measures": "Measured",
    "on": "On",
    "against": "Against",
    "weakness": "Weakness",
}

type Data = Mapping[str, Any]


def main() -> int:
    """Measure, write, and return whether every benchmark came to its end."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench report",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", help="names of benchmarks, with commas between them")
    parser.add_argument("--render", action="store_true", help="measure nothing")
    arguments = parser.parse_args()
    plan = read_plan()
    data = read_data()
    names = arguments.only.split(",") if arguments.only else list(plan["benches"])
    if unknown := set(names) - set(plan["benches"]):
        parser.error(
            f"{', '.join(sorted(unknown))}: one of {', '.join(plan['benches'])}"
        )
    failed = []
    for name in () if arguments.render else names:
        measured = measure(name, **plan["benches"][name])
        data = read_data()  # of others meanwhile, too
        if measured["tables"]:
            data["benches"][name] = measured
            data["versions"] = versions()
        else:
            failed.append(name)
        DATA.write_text(written(data), encoding="utf-8")
    PAGE.write_text(render(plan, data), encoding="utf-8")
    for path in marked_pages():
        text = path.read_text(encoding="utf-8")
        if (new := fill(text, data)) != text:
            path.write_text(new, encoding="utf-8")
    if failed:
        print(f"Not measured: {', '.join(failed)}", file=sys.stderr)
    return int(bool(failed))


def read_plan() -> dict[str, Any]:
    """Return which benchmarks there are, and what the page says of each."""
    return tomllib.loads(PLAN.read_text(encoding="utf-8"))


def read_data() -> dict[str, Any]:
    """Return what was measured last."""
    if not DATA.exists():
        return {"versions": {}, "benches": {}}
    data: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))
    return data


def written(data: Data) -> str:
    """Return it as JSON, with a row of a table on a line."""
    text = json.dumps(data, ensure_ascii=False, indent=1)
    return _ROW.sub(lambda row: _BREAK.sub(" ", row[0]), text) + "\n"


def marked_pages() -> list[Path]:
    """Return the pages that may quote figures."""
    pages = sorted((REPOSITORY / "docs").glob("*.md"))
    return [REPOSITORY / "README.md", *(page for page in pages if page != PAGE)]


def versions() -> dict[str, str]:
    """Return what was measured, and on what kind of machine."""
    manifest = json.loads(_MANIFEST.read_text(encoding="utf-8"))
    return {
        "Lumo for Home Assistant": manifest["version"],
        "Home Assistant": importlib.metadata.version("homeassistant"),
        "Python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
    }


def measure(name: str, module: str, arguments: Sequence[str] = ()) -> dict[str, Any]:
    """Run a benchmark and return its tables; it may say that something is not right."""
    print(f"{name} ...", file=sys.stderr, flush=True)
    load = os.getloadavg()[0]
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tables"
        file.touch()
        done = subprocess.run(
            [sys.executable, "-m", f"dev.bench.{module}", *arguments],
            cwd=REPOSITORY,
            env={**os.environ, TABLES: str(file)},
            check=False,
        )
        tables = list(map(json.loads, file.read_text(encoding="utf-8").splitlines()))
    return {
        "command": " ".join(("scripts/bench", module, *arguments)),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "seconds": round(time.monotonic() - begun),
        "load": round(load, 1),
        "code": done.returncode,
        "tables": tables,
    }


def render(plan: Mapping[str, Any], data: Data) -> str:
    """Return the page."""
    parts = [plan["page"]["head"].strip()]
    if data["versions"]:
        told = (f"{name} {version}" for name, version in data["versions"].items())
        parts.append("; ".join(told).replace("machine ", "") + ".")
    for section in plan["section"]:
        parts.append(f"## {section['title']}")
        aspects = (
            f"- *{title}:* {' '.join(section[key].split())}"
            for key, title in _ASPECTS.items()
            if key in section
        )
        parts.append("\n".join(aspects))
        parts += _tables(section, data)
    return "\n\n".join(parts) + "\n"


def _tables(section: Mapping[str, Any], data: Data) -> Iterator[str]:
    """Yield the tables of a section, and how each came to be."""
    told: dict[str, str] = {}
    for wanted in section["table"]:
        table = find_table(data, wanted["bench"], wanted["title"])
        if caption := wanted.get("caption"):
            yield f"{caption}:"
        if table is None:
            yield "Not measured."
            continue
        yield _markdown(table, wanted.get("columns"), wanted.get("rows"))
        made = data["benches"][wanted["bench"]]
        told[wanted["bench"]] = (
            f"`{made['command']}`, {made['date']}, {made['seconds']} s, load"
            f" {made['load']} at its start"
            + (" (not all was as it should be)" if made["code"] else "")
        )
    if told:
        yield "Made by " + "; ".join(told.values()) + "."


def find_table(data: Data, bench: str, title: str) -> dict[str, Any] | None:
    """Return a table of a benchmark, None where it was not measured."""
    tables = data["benches"].get(bench, {}).get("tables", ())
    return next((table for table in tables if table["title"] == title), None)


def _markdown(
    table: Mapping[str, Any],
    columns: Mapping[str, str] | None,
    rows: Sequence[str] | None,
) -> str:
    """Return a table, or some of its columns under other names, and some of its rows."""
    head: Sequence[str] = table["head"]
    columns = columns or dict(zip(head, head, strict=True))
    places = [head.index(column) for column in columns]
    lines = [
        [row[place] for place in places]
        for row in table["rows"]
        if rows is None or any(part in rows for part in row)
    ]
    rule = ["---", *["--:"] * (len(places) - 1)]
    every = [list(columns.values()), rule, *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in every)


def fill(text: str, data: Data) -> str:
    """Return a text whose marked figures are those that were measured.

    Raises KeyError where a mark names what was not.
    """
    return _MARK.sub(lambda mark: mark[1] + figure(mark[2], data) + mark[4], text)


def figure(key: str, data: Data) -> str:
    """Return one figure: `benchmark; table; what the row begins with; column`."""
    bench, title, begins, column = map(str.strip, key.split(";"))
    table = find_table(data, bench, title)
    if table and column in table["head"]:
        for row in table["rows"]:
            if " ".join(row).startswith(f"{begins} "):
                cell: str = row[table["head"].index(column)]
                return cell
    raise KeyError(f"{key}: not measured")


if __name__ == "__main__":
    sys.exit(main())
