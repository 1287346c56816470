"""A model at its worst: calls and words without an end."""

import json
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import pytest

from custom_components.lumo.lumo_client.events import TextDelta

from .conftest import FakeTool
from .scripted import Scene
from .turns import COMMAND, END, NOWHERE, OFF


def calls(tool: str, *arguments: dict[str, str]) -> str:
    """Return calls of a tool, as a model writes them."""
    return "\n".join(
        f"```json\n{json.dumps({'name': f'user:{tool}', 'arguments': item})}\n```"
        for item in arguments
    )


@pytest.mark.parametrize(
    "row",
    [
        # Another one in each answer.
        ([calls("HassTurnOff", {"name": f"lamp {n}"}) for n in range(12)], "[too_many_rounds] [done_several]", 10, 10),
        (
            [calls("HassTurnOff", *({"name": f"lamp {n}"} for n in "abcdefghijklmno"))],
            "[too_many_rounds] [done_several]", 12, 1,
        ),
        (
            [calls("HassTurnOff", *({"name": "lamp", "area": str(n)} for n in range(9)))],
            "[too_many_rounds] [done_several]", 3, 1,
        ),
        ([OFF, OFF], "[quick_done]", 1, 2),
        ([NOWHERE, NOWHERE, "Sorry."], "[misrouted]", 1, 2),
    ],
)  # fmt: skip
async def test_calls_have_an_end(
    hass: HomeAssistant, api: llm.APIInstance, turn_off: FakeTool, row: Any
) -> None:
    """Nothing beyond it runs, and it is said how much was done."""
    answers, heard, ran, requests = row
    scene = Scene(hass, api, COMMAND, answers)
    assert await scene.run() == heard
    assert len(turn_off.calls) == ran
    assert len(scene.client.requests) == requests


@pytest.mark.parametrize(
    ("text", "satellite", "most"),
    [
        ("I say the same thing again. " * 50, None, 90),
        ("".join(f"This is sentence {n}. " for n in range(500)), "assist.x", 1_600),
        ("word " * 2_000, "assist.x", 90),
        ("".join(f"This is sentence {n}. " for n in range(500)), None, 20_000),
        ("| a | b |\n" + "|---|---|\n" + "--------------------------\n" * 9, None, 999),
    ],
)
async def test_words_have_an_end(
    hass: HomeAssistant, text: str, satellite: str | None, most: int
) -> None:
    """What repeats itself ends; to listen to, much less is enough."""
    pieces = [text[i : i + 7] for i in range(0, len(text), 7)]
    scene = Scene(
        hass,
        None,
        "Tell me something",
        [[*map(TextDelta, pieces), END]],
        satellite=satellite,
    )
    heard = await scene.run()
    assert min(len(text.strip()), most) * 0.5 < len(heard) <= most
    assert ("the text has no end" in scene.decisions) is (len(heard) < len(text) - 5)
