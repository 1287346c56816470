"""What is asked about a call, in words of a home."""

from dataclasses import replace
from pathlib import Path
import tomllib

import pytest

from .stage import ANNA, Call, Stage

ROWS = tomllib.loads(Path(__file__).with_name("questions.toml").read_text())["rows"]


async def test_each_tool_is_asked_about_in_plain_words(
    stage: Stage, subtests: pytest.Subtests
) -> None:
    """As long as there are words for it, no name of a tool or of an argument."""
    who = replace(ANNA, device=stage.house.satellite_device)
    await stage.say("Call mum at noon", Call("later", say="Call mum", at="12:00"), "Ok")
    await stage.say("Bed lamp off", Call("HassTurnOff", name="Bedroom lamp"), "Ok")
    for row in ROWS:
        call = Call(row["tool"], **row.get("arguments", {}))
        with subtests.test(row["asks"]):
            heard = await stage.say("Cosy, please", ["Right?", call], who=who)
            assert heard.question == f"Shall I {row['asks']}?"
        await stage.say("No", who=who)
