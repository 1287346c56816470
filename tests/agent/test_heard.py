"""What is heard while an answer comes."""

import asyncio

from homeassistant.core import HomeAssistant
import pytest

from custom_components.lumo.lumo_client.events import End, ReasoningDelta, TextDelta

from .scripted import Scene, Step


@pytest.mark.timeout(10)
async def test_no_word_is_held_over_a_wait(hass: HomeAssistant) -> None:
    """Also the last one before a search, behind which no blank stands."""
    found = asyncio.Event()
    answer: list[Step] = [
        TextDelta("Let me **search**"),
        TextDelta(" for it."),
        ReasoningDelta("Hm."),
        found,
        TextDelta(" It rains."),
        End("stop", None),
    ]
    scene = Scene(hass, None, "Does it rain?", [answer], satellite="s.a")
    turn = hass.async_create_task(scene.run())
    while scene.heard != "Let me search for it.":
        await asyncio.sleep(0)
    found.set()
    assert await turn == scene.turn.heard.text == "Let me search for it. It rains."
