"""Whether calls that were meant are run, exactly once, however the model writes them.

    scripts/bench calls                      a sample, about two minutes
    scripts/bench calls --all                every sentence in every scenario
    scripts/bench calls --mode native --scenario cut_json --language en,de --limit 60
    scripts/bench calls --satellite --scenario clean    said to a satellite, where plain
                                                        commands are confirmed by us

Each recorded sentence is said to the agent, in a home of real entities, against the
stand-in. The model knows what is meant (`--brain real`: it must understand it itself);
how it writes the call, or spoils it, is the scenario. What should happen is found by
calling the tool directly, and checked against what was recorded with the sentence. The
columns:

    right     exactly that happened, once, and its outcome was said; in scenarios where no
              call can run (cut_json, apology, refusal, claims_done): nothing happened
    wrong     something happened that was not meant
    untrue    nothing happened, and the last words heard claim that it did
    missed    nothing happened though something should, or its outcome was not said
    requests  mean per command, most per command, mean per question
    asked     commands that were done after a question and a yes
"""

import argparse
import asyncio
from collections import Counter, defaultdict
import logging
import os
from statistics import mean
import sys
import time
from typing import TYPE_CHECKING, Any

from dev.standin import SCENARIOS, Options, Standin, start
from tests.material import load_json, load_jsonl

from .calls_oracle import Oracle
from .table import print_table

if TYPE_CHECKING:
    # Home Assistant must be imported before anything imports httpx.
    from .calls_home import CallsHome, Row
    from .calls_judge import Cell, Meant

type Key = tuple[str, str, str]

MODES = ("private", "native")
FORMS = ("current", "legacy")
# Those that change how calls, or what stands for them, arrive. Faults of the service
# are no matter of calls.
RELEVANT = (
    "clean",
    "fenced",
    "raw",
    "prose",
    "several",
    "wrong_name",
    "broken_json",
    "duplicated",
    "misrouted",
    "misrouted_invalid",
    "cut_json",
    "claims_done",
    "apology",
    "refusal",
    "web_search",
    "reasoning",
    "framing",
)
SATELLITE = "assist_satellite.bench"
SAMPLE = 24
SHOWN = 20


def main() -> int:
    """Measure and print; the exit code tells whether anything wrong happened."""
    arguments = _arguments()
    rows = load_jsonl("sentences.jsonl")
    if not rows:
        print("The recorded sentences are not here.", file=sys.stderr)
        return 2
    rows = [row for row in rows if row["lang"] in arguments.language]
    if not arguments.all:
        rows = sample(rows, arguments.limit)
    logging.disable(logging.WARNING)
    return asyncio.run(Bench(arguments).run(rows))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="scripts/bench calls",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )

    def several(choices: tuple[str, ...]) -> dict[str, Any]:
        def read(text: str) -> list[str]:
            names = text.split(",")
            if unknown := sorted(set(names) - set(choices)):
                raise argparse.ArgumentTypeError(f"not {unknown}; {list(choices)}")
            return names

        return {"type": read, "default": list(choices)}

    parser.add_argument("--limit", type=int, default=SAMPLE, help="sentences")
    parser.add_argument("--all", action="store_true", help="all sentences")
    parser.add_argument("--language", **several(("en", "de", "fr", "nl", "es")))
    parser.add_argument("--mode", **several(MODES))
    parser.add_argument("--form", **several(FORMS), help="of the stream")
    scenarios = several(tuple(sorted(SCENARIOS)))
    parser.add_argument("--scenario", **(scenarios | {"default": list(RELEVANT)}))
    parser.add_argument("--brain", choices=("oracle", "real"), default="oracle")
    parser.add_argument("--satellite", action="store_true", help="says it to one")
    return parser.parse_args()


def sample(rows: list[Row], limit: int) -> list[Row]:
    """Return some rows, always the same: kinds take turns, and languages in each."""
    kinds: dict[Any, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        kinds[row["outcome"], row["tool"]][row["lang"]].append(row)
    dealt: list[Row] = []
    count: Counter[str] = Counter()
    while kinds and len(dealt) < limit:
        for kind, languages in list(kinds.items()):
            language = min(languages, key=lambda item: count[item])
            count[language] += 1
            dealt.append(languages[language].pop(0))
            if not languages[language]:
                del languages[language]
            if not languages:
                del kinds[kind]
    return dealt[:limit]


class Bench:
    """One run."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        """Take what is to be measured."""
        self._arguments = arguments
        self._cells: dict[Key, Cell] = {}
        self._oracle = Oracle()
        self._notable: list[str] = []
        self._unlike: list[str] = []

    async def run(self, rows: list[Row]) -> int:
        """Measure, print, and return the exit code."""
        begun = time.monotonic()
        brain: Any = self._oracle
        if self._arguments.brain == "real":
            from dev.brain import Brain  # noqa: PLC0415

            brain = Brain()
        options = Options(session_quota=10**9)
        async with await start(brain=brain, options=options) as standin:
            os.environ["LUMO_BASE_URL"] = standin.base_url
            os.environ["LUMO_PUBLIC_KEY_FILE"] = standin.public_key_file
            await self._homes(standin, rows)
        self._print(len(rows))
        print(f"{time.monotonic() - begun:.0f} s", file=sys.stderr)
        from .calls_judge import Verdict  # noqa: PLC0415

        return int(any(cell.verdicts[Verdict.WRONG] for cell in self._cells.values()))

    async def _homes(self, standin: Standin, rows: list[Row]) -> None:
        from .calls_home import CallsHome  # noqa: PLC0415

        session = next(item for item in standin.accounts if item["kind"] == "session")
        account = {
            "sign_in": "session",
            "sign_in_id": "bench",
            **{key: session[key] for key in ("uid", "access_token", "refresh_token")},
        }
        homes = load_json("homes.json")["homes"]
        for name in dict.fromkeys(row["home"] for row in rows):
            here = [row for row in rows if row["home"] == name]
            print(f"{name}: {len(here)} sentences", file=sys.stderr)
            async with CallsHome(homes[name], account) as home:
                home.satellite = SATELLITE if self._arguments.satellite else None
                await self._home(standin, home, here)

    async def _home(self, standin: Standin, home: CallsHome, rows: list[Row]) -> None:
        from .calls_judge import Cell, as_recorded  # noqa: PLC0415

        meant = [await _meaning(home, row) for row in rows]
        self._unlike += [
            row["id"]
            for row, one in zip(rows, meant, strict=True)
            if not as_recorded(row, one)
        ]
        for scenario in self._arguments.scenario:
            for mode in self._arguments.mode:
                for form in self._arguments.form:
                    key = (scenario, mode, form)
                    cell = self._cells.setdefault(key, Cell())
                    names = [scenario] if form == "current" else [scenario, form]
                    standin.scenarios = names
                    for row, one in zip(rows, meant, strict=True):
                        await self._sentence(standin, home, key, cell, row, one)

    async def _sentence(
        self,
        standin: Standin,
        home: CallsHome,
        key: Key,
        cell: Cell,
        row: Row,
        meant: Meant,
    ) -> None:
        from .calls_judge import Verdict, judge  # noqa: PLC0415

        scenario, mode, _form = key
        await home.prepare(row)
        errors: list[str] = []
        if meant.result is not None and meant.result.error:
            errors = [str(value) for value in meant.result.data.values()]
        self._oracle.ask_about(row, errors)
        standin.requests.clear()
        turn = await home.say(row, mode)
        real = self._arguments.brain == "real"
        words = None if real else self._oracle.words
        verdict = judge(scenario, row, meant, turn, words)
        cell.add(row, verdict, len(standin.requests), turn)
        if verdict is not Verdict.RIGHT:
            self._notable.append(
                f"{verdict}: {' '.join(key)}: {row['id']} {row['sentence']!r}"
                f" -> {turn.speech.strip()!r}; {'; '.join(turn.trace['decisions'])}"
            )

    def _print(self, count: int) -> None:
        from .calls_judge import Verdict  # noqa: PLC0415

        head = (
            *("scenario", "mode", "stream", "sentences", *Verdict),
            *("requests", "most", "question", "bounces", "rescues", "doubts", "asked"),
        )
        lines: list[tuple[str, ...]] = []
        for key, cell in self._cells.items():
            counts = [cell.verdicts[verdict] for verdict in Verdict]
            requests = (
                f"{mean(cell.commands):.2f}" if cell.commands else "-",
                str(max(cell.commands, default=0)),
                f"{mean(cell.questions):.2f}" if cell.questions else "-",
            )
            counters = (cell.bounces, cell.rescues, cell.doubts, cell.asked)
            numbers = (sum(counts), *counts)
            line = (*map(str, numbers), *requests, *map(str, counters))
            before = lines[-1] if lines else ()
            if (*before[:2], *before[3:]) == (*key[:2], *line):
                lines[-1] = (*key[:2], "both", *line)
            else:
                lines.append((*key, *line))
        print_table(head, lines, title="calls")
        if done := [item for cell in self._cells.values() for item in cell.carried_out]:
            print(
                f"\n{len(done)} commands were done, with {mean(done):.2f} requests each"
            )
        print(f"\n{count} sentences, {count - len(self._unlike)} of them as recorded")
        for note in self._notable[:SHOWN]:
            print(note)
        if len(self._notable) > SHOWN:
            print(f"and {len(self._notable) - SHOWN} more")


async def _meaning(home: CallsHome, row: Row) -> Meant:
    """Find what should come of a row by calling its tool directly."""
    from .calls_judge import Meant  # noqa: PLC0415

    await home.prepare(row)
    quiet = home.effects()
    if row["tool"] is None:
        return Meant(quiet, quiet, None)
    effects, result = await home.call(row)
    return Meant(quiet, effects, result)


if __name__ == "__main__":
    sys.exit(main())
