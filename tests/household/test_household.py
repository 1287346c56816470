"""What a household says: right ends, right words, and no request too many."""

import json
import re

import pytest

from tests.redteam.stage import Stage

from .row import Row
from .rows_asking import ASKING
from .rows_doing import DOING
from .rows_later import LATER
from .rows_remembering import REMEMBERING
from .rows_talking import TALKING

ROWS = [*DOING, *ASKING, *TALKING, *REMEMBERING, *LATER]
# So many of them are played in the quick tests.
_EVERY = 6


def conversations(rows: list[Row]) -> list[list[Row]]:
    """Return the rows, those of one conversation together."""
    found: list[list[Row]] = []
    for row in rows:
        if row.goes_on:
            found[-1].append(row)
        else:
            found.append([row])
    return found


async def play(stage: Stage, row: Row) -> None:
    """Say a row's sentence, and check what comes of it."""
    heard = await stage.say(row.sentence, *row.calls, language=row.language)
    told = json.dumps(
        [result.result.data or str(result.result.error) for result in heard.results],
        ensure_ascii=False,
        default=str,
    )
    seen = f"heard {heard.text!r}, did {heard.effects}, was told {told}"
    assert sorted(heard.effects) == sorted(row.does), seen
    assert not heard.error, seen
    assert re.search(row.says, heard.text, re.IGNORECASE), seen
    assert re.search(row.tells, told, re.IGNORECASE), seen
    if row.asks:
        assert heard.is_open, seen
        assert re.search(row.asks, heard.messages[-1], re.IGNORECASE), seen
    else:
        assert heard.question is None, seen
    assert len(heard.requests) <= row.requests, seen


async def play_all(
    stage: Stage, dialogues: list[list[Row]], subtests: pytest.Subtests
) -> None:
    """Play conversations, each in a house that is as it was."""
    for dialogue in dialogues:
        stage.fresh()
        for row in dialogue:
            with subtests.test(f"{row.language}: {row.sentence}"):
                await play(stage, row)


async def test_a_sample_of_what_a_household_says(
    household: Stage, subtests: pytest.Subtests
) -> None:
    """Every few rows; the whole table is a long test."""
    await play_all(household, conversations(ROWS)[::_EVERY], subtests)


@pytest.mark.long
async def test_what_a_household_says(
    household: Stage, subtests: pytest.Subtests
) -> None:
    """The whole table, in both modes."""
    await play_all(household, conversations(ROWS), subtests)
