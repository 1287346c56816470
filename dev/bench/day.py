"""How many requests thirty sentences of a day take, and how many never leave the house.

Each is asked in a conversation of its own, in the demo home, typed: first as the agent is
by default, then with plain commands and their confirmation left to the model.
"""

import asyncio
from pathlib import Path
from typing import Final

from dev.home import Home, HomeOptions, open_home
from dev.home.turn import Turn

from .table import print_table

SENTENCES: Final = Path(__file__).with_suffix(".txt").read_text().splitlines()


async def _ask(home: Home) -> list[Turn]:
    return [await home.conversation().ask(sentence) for sentence in SENTENCES]


async def main() -> None:
    """Ask, and print what each took."""
    async with open_home(HomeOptions()) as home:
        found = await _ask(home)
    async with open_home(HomeOptions()) as home:
        await home.change_agent(plain_commands=False, quick_confirmation="never")
        others = await _ask(home)
    pairs = zip(found, others, strict=True)
    rows = [(one.text, str(one.requests), str(two.requests)) for one, two in pairs]
    print_table(("sentence", "requests", "by the model"), rows)
    table = []
    for name, turns in (("by default", found), ("by the model", others)):
        requests = [turn.requests for turn in turns]
        mean = f"{sum(requests) / len(requests):.2f}"
        table.append((name, str(requests.count(0)), str(sum(requests)), mean))
    print_table(("", "at home", "requests", "per sentence"), table, title="all")


if __name__ == "__main__":
    asyncio.run(main())
