"""Whether what a sentence needs is in its request, in homes of several sizes.

    scripts/bench context                            everything, a quarter of an hour
    scripts/bench context --size 500 --language de,ja --misses 40
    scripts/bench context --strangers                a minute

In each home people say some sixty things, as they are and misheard: with an edit in
half of the words, and in each. Each sentence goes through the whole agent; its first
request is read as the model reads it. A sentence that names something needs it by its
name, in its area; one that names only an area, a floor or nothing needs the row that
says how many of that kind are there; all need a tool that acts on it.

Strangers say 120 sentences in homes whose names they do not know: no word of a sentence
is in the name of what it means.

The homes have floors, areas, aliases, scripts and the tools of two servers, and names
in the language of their people. Japanese is a language without texts of ours, and
without spaces.
"""

import argparse
import asyncio
from collections import Counter, defaultdict
from dataclasses import dataclass, field
import logging
import os
from statistics import mean
import sys
import time
from typing import TYPE_CHECKING, Any, Final

from dev.standin import start

from .table import print_table

if TYPE_CHECKING:
    # Home Assistant must be imported before anything imports httpx.
    from .context_home import Asked, LargeHome
    from .context_homes import Wish

LANGUAGES: Final = ("en", "de", "fr", "nl", "es", "it", "pl", "sv", "ja")
SIZES: Final = (100, 500, 1000, 2000)
# Name: the share of the words that are damaged, and the recall that is wanted.
NOISES: Final = {"clean": (0.0, 99.5), "half": (0.5, 98.5), "each": (1.0, 98.5)}
# The recall that is wanted of sentences that share no word with the names.
STRANGERS: Final = {"clean": 97.0, "half": 96.0}
MOST_CHARACTERS: Final = 20_000
MODES: Final = ("private", "native")
# Native requests, and those with everything, are made for each so many sentences.
_SOME: Final = 12
_SWITCHES: Final = ("HassTurnOn", "HassTurnOff")
# A switch or a scene that no integration has made may do anything: it is asked about.
_FORESEEN: Final = ("light.", "cover.")
# Who carries commands out: confirmed by us, by the model, and told of everything.
_CARRIERS: Final = ("private", "unconfirmed private", "unconfirmed everything private")


def main() -> int:
    """Measure and print; the exit code tells whether all is as it should be."""
    parser = argparse.ArgumentParser(
        prog="scripts/bench context",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--size", default=",".join(map(str, SIZES)))
    parser.add_argument("--language", default=",".join(LANGUAGES))
    parser.add_argument("--strangers", action="store_true", help="only what they say")
    parser.add_argument("--misses", type=int, default=20, help="how many to print")
    logging.disable(logging.WARNING)
    return asyncio.run(Bench(parser.parse_args()).run())


@dataclass(slots=True)
class Figures:
    """What was measured in the homes of one size."""

    characters: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Of first requests, by agent."""
    offered: list[int] = field(default_factory=list)
    """Tools in a request."""
    tools: list[int] = field(default_factory=list)
    """Tools there are."""
    searched: Counter[str] = field(default_factory=Counter)
    requests: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """Of commands that were carried out, by agent."""


class Bench:
    """One run."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        sizes = [int(size) for size in arguments.size.split(",")]
        self._sizes = [] if arguments.strangers else sizes
        self._languages = arguments.language.split(",")
        self._shown = arguments.misses
        # (size, language, kind, noise): right, and all
        self._counts: dict[tuple[int, str, str, str], list[int]] = {}
        self._figures: dict[int, Figures] = {}
        self._misses: list[str] = []

    async def run(self) -> int:
        """Measure, print, and return the exit code."""
        async with await start() as standin:
            os.environ["LUMO_BASE_URL"] = standin.base_url
            os.environ["LUMO_PUBLIC_KEY_FILE"] = standin.public_key_file
            right = await self._strangers()
            await self._homes()
        return int(not (self._print() if self._sizes else right) or not right)

    async def _strangers(self) -> bool:
        """Print how much of other people's words is found; return whether enough."""
        from .context_home import LargeHome  # noqa: PLC0415
        from .context_homes import misheard, strangers  # noqa: PLC0415

        found: dict[str, list[bool]] = {noise: [] for noise in STRANGERS}
        rows: list[tuple[str, ...]] = []
        for home, wishes in strangers():
            async with LargeHome(home) as large:
                cells = []
                for noise, own in found.items():
                    missed = []
                    for wish in wishes:
                        said = wish.sentence
                        if share := NOISES[noise][0]:
                            said = misheard(said, share, wish.key)
                        asked = await large.ask(wish, sentence=said)
                        if large.missing(wish, asked.told):
                            missed.append(f"{said!r} lacks {wish.key}")
                    own += [True] * (len(wishes) - len(missed)) + [False] * len(missed)
                    cells.append(f"{100 - 100 * len(missed) / len(wishes):.1f}")
                    self._misses += [f"{noise}: {miss}" for miss in missed]
                size = f"{len(home.entities)}"
                rows.append((size, home.language, f"{len(wishes)}", *cells))
        shares = {noise: 100 * mean(own) for noise, own in found.items()}
        every = f"{sum(int(row[2]) for row in rows)}"
        rows.append(("all", "", every, *(f"{share:.1f}" for share in shares.values())))
        head = ("entities", "language", "sentences", *STRANGERS)
        print_table(head, rows, title="recall of other people's words")
        for miss in self._misses:
            print(miss)
        self._misses.clear()
        return all(shares[noise] >= STRANGERS[noise] for noise in STRANGERS)

    async def _homes(self) -> None:
        from .context_home import LargeHome  # noqa: PLC0415
        from .context_homes import make_home, wishes_of  # noqa: PLC0415

        for size in self._sizes:
            for language in self._languages:
                begun = time.monotonic()
                home = make_home(language, size)
                wishes = wishes_of(home)
                async with LargeHome(home) as large:
                    await self._home(large, size, wishes)
                taken = time.monotonic() - begun
                print(f"{size} {language}: {taken:.0f} s", file=sys.stderr)

    async def _home(self, home: LargeHome, size: int, wishes: list[Wish]) -> None:
        from .context_homes import misheard  # noqa: PLC0415

        figures = self._figures.setdefault(size, Figures())
        figures.tools.append(await home.tool_count())
        for noise in NOISES:
            share, _wanted = NOISES[noise]
            for wish in wishes:
                sentence = wish.sentence
                if share:  # what was said before is heard well, or it is asked about
                    sentence = misheard(sentence, share, wish.key)
                asked = await home.ask(wish, sentence=sentence)
                self._count(home, size, noise, wish, sentence, asked)
                characters = asked.request.characters
                if not wish.before:  # what was said before comes on top
                    figures.characters["private"].append(characters)
                if not wish.before and characters > MOST_CHARACTERS:
                    self._misses.append(
                        f"{size} {home.home.language} {noise} {wish.key}:"
                        f" {characters:,} characters"
                    )
                if not share:
                    figures.offered.append(len(asked.told.tools))
        for wish in [wish for wish in wishes if not wish.before][::_SOME]:
            for agent in ("native", "everything private", "everything native"):
                asked = await home.ask(wish, agent)
                figures.characters[agent].append(asked.request.characters)
        for wish in wishes:
            if wish.kind == "named" and not wish.before:
                await self._carry_out(home, figures, wish)
        for wish in wishes:
            if wish.things:
                await self._look_up(home, figures, wish)

    def _count(
        self,
        home: LargeHome,
        size: int,
        noise: str,
        wish: Wish,
        sentence: str,
        asked: Asked,
    ) -> None:
        missing = home.missing(wish, asked.told)
        key = (size, home.home.language, wish.kind, noise)
        counts = self._counts.setdefault(key, [0, 0])
        counts[0] += not missing
        counts[1] += 1
        if missing:
            named = missing == ["a tool"] and any(
                asked.told.mentions_tool(tool) for tool in wish.tools
            )
            self._misses.append(
                f"{size} {home.home.language} {noise} {wish.key}: {sentence!r}"
                f" lacks {', '.join(missing)}{' (but names it)' * named}"
            )

    async def _look_up(self, home: LargeHome, figures: Figures, wish: Wish) -> None:
        """Search with the sentence's own words, where nothing useful was chosen."""
        words = f"{wish.before[0]} {wish.sentence}" if wish.before else wish.sentence
        search = {"words": words} | ({"area": wish.here} if wish.here else {})
        asked = await home.ask(wish, search=search, sabotaged=True)
        lacking = home.left_out(wish, asked.told)
        figures.searched["all"] += bool(lacking)
        found = "\n".join(asked.results)
        absent = [name for _area, name in lacking if name not in found]
        figures.searched["found"] += bool(lacking) and not absent
        if absent:
            self._misses.append(
                f"{home.home.language} {wish.key}: a search for {search}"
                f" does not find {absent}"
            )

    async def _carry_out(self, home: LargeHome, figures: Figures, wish: Wish) -> None:
        """Count the requests of a command, where what is left out is searched first."""
        tool = next((tool for tool in wish.tools if tool in _SWITCHES), None)
        if tool is None or not wish.things[0].startswith(_FORESEEN):
            return
        _area, name = home.place(wish.things[0])
        call = {"tool": tool, "arguments": {"name": name}}
        for agent in _CARRIERS:
            first = await home.ask(wish, agent)
            search = (
                {"words": wish.sentence} if home.left_out(wish, first.told) else None
            )
            asked = await home.ask(wish, agent, search=search, call=call)
            figures.requests[agent].append(1 + len(asked.results))

    def _print(self) -> bool:
        """Print the tables; return whether all is as it should be."""
        right = True
        for title, position in (("language", 1), ("kind", 2)):
            rows: list[tuple[str, ...]] = []
            names = dict.fromkeys(str(key[position]) for key in self._counts)
            for size in self._sizes:
                for name in (*names, "all"):
                    cells = [
                        self._share(size, noise, position, name) for noise in NOISES
                    ]
                    rows.append((f"{size}", name, *cells))
            head = ("entities", title, *NOISES)
            print_table(head, rows, title=f"recall by {title}")
        for noise in NOISES:
            counts = [item for key, item in self._counts.items() if key[3] == noise]
            found, every = (sum(column) for column in zip(*counts, strict=True))
            wanted = NOISES[noise][1]
            right &= 100 * found >= wanted * every
            print(
                f"{noise}: {100 * found / every:.2f} % of {every:,} sentences"
                f" (wanted {wanted} %)"
            )
        self._print_figures()
        most = [
            max(item.characters[mode])
            for item in self._figures.values()
            for mode in MODES
        ]
        for miss in self._misses[: self._shown]:
            print(miss)
        if len(self._misses) > self._shown:
            print(f"and {len(self._misses) - self._shown} more")
        return right and max(most) <= MOST_CHARACTERS

    def _share(self, size: int, noise: str, position: int, name: str) -> str:
        counts = [
            item
            for key, item in self._counts.items()
            if key[0] == size and key[3] == noise and name in ("all", key[position])
        ]
        found, every = (sum(column) for column in zip(*counts, strict=True))
        return f"{100 * found / every:.1f}"

    def _print_figures(self) -> None:
        rows: list[tuple[str, ...]] = []
        for size, figures in self._figures.items():
            searched = figures.searched
            row: list[Any] = [size]
            for mode in MODES:
                ours = figures.characters[mode]
                every = mean(figures.characters[f"everything {mode}"])
                row += [f"{mean(ours):,.0f}", f"{max(ours):,}"]
                row += [f"{100 * mean(ours) / every:.0f} %"]
            row += [f"{mean(figures.offered):.0f} of {mean(figures.tools):.0f}"]
            row.append(f"{searched['found']} of {searched['all']}")
            rows.append(tuple(map(str, row)))
        print_table(
            (
                *("entities", "private", "most", "share", "native", "most", "share"),
                *("tools", "left out on purpose, found"),
            ),
            rows,
            title="requests",
        )
        commands = [
            (f"{size}", f"{len(each[0])}", *(f"{mean(item):.2f}" for item in each))
            for size, figures in self._figures.items()
            for each in [[figures.requests[agent] for agent in _CARRIERS]]
            if each[0]
        ]
        head = ("entities", "commands", "confirmed by us", "by the model", "everything")
        print_table(head, commands, title="requests per command")


if __name__ == "__main__":
    sys.exit(main())
