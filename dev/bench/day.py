"""How many requests thirty sentences of a day take, and how many never leave the house.

Each is asked in a conversation of its own, in the demo home: typed, and at a satellite in
the kitchen, as the agent is by default; then typed, with plain commands and their
confirmation left to the model.
"""

import asyncio
from pathlib import Path
from typing import Final

from dev.home import Home, HomeOptions, open_home
from dev.home.turn import Turn

from .table import print_table

SENTENCES: Final = Path(__file__).with_suffix(".txt").read_text().splitlines()


async def _ask(home: Home, device_id: str | None = None) -> list[Turn]:
    return [await home.conversation(device_id).ask(text) for text in SENTENCES]


async def main() -> None:
    """Ask, and print what each took."""
    found: dict[str, list[Turn]] = {}
    async with open_home(HomeOptions()) as home:
        found["typed"] = await _ask(home)
    async with open_home(HomeOptions()) as home:
        found["at a satellite"] = await _ask(home, await home.satellite())
    async with open_home(HomeOptions()) as home:
        await home.change_agent(plain_commands=False, quick_confirmation="never")
        found["by the model"] = await _ask(home)
    print_table(
        ("sentence", *found),
        [
            (turns[0].text, *(str(turn.requests) for turn in turns))
            for turns in zip(*found.values(), strict=True)
        ],
    )
    table = []
    for name, turns in found.items():
        requests = [turn.requests for turn in turns]
        mean = f"{sum(requests) / len(requests):.2f}"
        table.append((name, str(requests.count(0)), str(sum(requests)), mean))
    print_table(("", "at home", "requests", "per sentence"), table, title="all")


if __name__ == "__main__":
    asyncio.run(main())
