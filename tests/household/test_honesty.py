"""Turns of which the model tells more, or another thing, than was done: what is heard."""

from pathlib import Path
import re
import tomllib

import pytest

from custom_components.lumo.const import CONF_QUICK_CONFIRMATION, QuickConfirmation
from tests.redteam.stage import ANNA, Call, Stage

ROWS = tomllib.loads(Path(__file__).with_name("honesty.toml").read_text("utf-8"))
OPTIONS = {CONF_QUICK_CONFIRMATION: QuickConfirmation.NEVER.value}


@pytest.mark.parametrize("kind", ROWS)
async def test_what_is_heard_is_so(
    household: Stage, kind: str, subtests: pytest.Subtests
) -> None:
    """The model is always asked, and says the same again if it is doubted."""
    await household.change_agent(**OPTIONS)
    for row in ROWS[kind]:
        with subtests.test(row["said"]):
            household.fresh()
            calls = [Call(name, **arguments) for name, arguments in row["calls"]]
            answers = [row["answer"]] * (2 + row.get("doubts", 0))
            who = household.at_satellite if row.get("aloud") else ANNA
            language = row.get("language", "en")
            said = household.say(
                row["said"], *calls, *answers, who=who, language=language
            )
            heard = await said
            assert re.search(row.get("heard", re.escape(row["answer"])), heard.text), (
                heard
            )
            assert len(heard.requests) == row["requests"], heard
