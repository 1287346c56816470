"""What breaks the silence on a satellite, and what it leaves alone."""

import asyncio
from collections.abc import Sequence
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import pytest

from custom_components.lumo.agent import spoken_output as output
from custom_components.lumo.lumo_client.events import (
    End,
    Progress,
    ReasoningDelta,
    ServerToolCall,
    TextDelta,
)

from .scripted import Answer, Scene, Step

END = End("stop")
CALL = '```json\n{"name": "user:HassTurnOff", "arguments": {"name": "Lamp"}}\n```'
SOON = 0.01
NEVER = 1000.0
PHRASES = ("[one_moment]", "[still_on_it]", "[takes_longer]", "[bear_with_me]")
LONG = "It is a long answer, longer than what speech waits for before it begins."


class Heard(Scene):
    """A turn at a satellite; it waits in its answers until a phrase was heard."""

    def __init__(
        self, hass: HomeAssistant, api: Any, answers: Sequence[Answer], **options: Any
    ) -> None:
        self.phrase = asyncio.Event()
        self.first = 0
        super().__init__(
            hass, api, "Turn off the lamp", answers, **{"satellite": "s.a", **options}
        )

    def _note(self, log: Any, delta: dict[str, Any]) -> None:
        super()._note(log, delta)
        self.first = self.first or len(delta.get("content") or "")
        if any(phrase in (delta.get("content") or "") for phrase in PHRASES):
            self.phrase.set()

    @property
    def words(self) -> str:
        """Return what was heard, without the pauses."""
        return " ".join("".join(self.spoken).split())


@pytest.fixture(autouse=True)
def seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the first phrase come soon, and no other."""
    monkeypatch.setattr(output, "FIRST_SECONDS", SOON)
    monkeypatch.setattr(output, "_LOOK_SECONDS", SOON)
    monkeypatch.setattr(output, "GAP_SECONDS", NEVER)


async def test_a_screen_shows_no_phrase(hass: HomeAssistant) -> None:
    later = asyncio.Event()
    hass.loop.call_later(10 * SOON, later.set)
    answer: list[Step] = [Progress("queued"), later, TextDelta("Yes."), END]
    assert await Heard(hass, None, [answer], satellite=None).run() == "Yes."


def until(event: asyncio.Event, *steps: Step) -> list[Step]:
    """Return an answer that waits for an event behind some steps."""
    return [*steps, event, TextDelta("It is off."), END]


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(Progress("queued"), id="progress"),
        pytest.param(ReasoningDelta("Hm"), id="thoughts"),
        pytest.param(ServerToolCall("1", "web_search", {}, ""), id="a search"),
    ],
)
async def test_one_phrase_where_a_wait_is_likely(
    hass: HomeAssistant, event: Step
) -> None:
    """It is spoken at once, before there is an answer; the log holds the answer alone."""
    answer: list[Step] = []
    scene = Heard(hass, None, [answer])
    answer += until(scene.phrase, event)
    await scene.run()
    assert scene.words == "[one_moment] It is off."
    assert scene.first > output._SPOKEN_BEYOND
    contents = [content.as_dict().get("content") for content in scene.log.content]
    assert contents == ["You are the home.", "Turn off the lamp", "It is off."]
    assert "the silence was broken" in scene.decisions


async def test_a_slow_tool_is_a_wait(
    hass: HomeAssistant, api: llm.APIInstance, turn_off: Any
) -> None:
    scene = Heard(hass, api, [CALL, "It is off."], quick_confirmation="never")

    async def slow() -> Any:
        await scene.phrase.wait()
        return {}

    turn_off.does = slow
    await scene.run()
    assert scene.words == "[one_moment] It is off."
    assert len(scene.client.requests) == 2
    assert "one_moment" not in str(scene.client.requests[1])


async def test_words_before_a_slow_tool_are_heard(
    hass: HomeAssistant,
    api: llm.APIInstance,
    turn_off: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The pipeline speaks them with the call: from then on the longer gap counts."""
    monkeypatch.setattr(output, "FIRST_SECONDS", 20 * SOON)
    scene = Heard(hass, api, [f"Let me see if it is on.\n{CALL}", "It is off."])
    turn_off.does = lambda: asyncio.sleep(30 * SOON, {})
    assert await scene.run() == "Let me see if it is on. | It is off."


async def test_a_bounce_is_a_wait(hass: HomeAssistant, api: llm.APIInstance) -> None:
    again: list[Step] = []
    scene = Heard(hass, api, ["I have turned off the lamp.", again])
    again += [scene.phrase, TextDelta(CALL), END]
    heard = await scene.run()
    assert heard.startswith("[one_moment]")
    assert heard.count("[one_moment]") == 1


async def test_no_phrase_while_text_arrives(
    hass: HomeAssistant, api: llm.APIInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The request has its time, whatever else the machine does.
    monkeypatch.setattr(output, "FIRST_SECONDS", 20 * SOON)
    looked = asyncio.Event()
    look = output.SpokenOutput._look

    def note(self: output.SpokenOutput) -> None:
        look(self)
        looked.set()

    monkeypatch.setattr(output.SpokenOutput, "_look", note)
    answer: list[Step] = [Progress("queued"), TextDelta("No"), looked, END]
    scene = Heard(hass, api, [answer])
    assert await scene.run() == "No"


async def test_not_even_that_is_waited_for_too_long(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "GAP_SECONDS", 3 * SOON)
    answer: list[Step] = []
    scene = Heard(hass, None, [answer])
    answer += until(scene.phrase)
    assert (await scene.run()).startswith("[one_moment]")


async def test_a_gap_in_an_answer_is_filled_each_time(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "GAP_SECONDS", SOON)
    answer: list[Step] = []
    scene = Heard(hass, None, [answer])

    class Third(asyncio.Event):
        async def wait(self) -> bool:  # type: ignore[override]
            while not all(phrase in scene.heard for phrase in PHRASES[1:]):
                scene.phrase.clear()
                await scene.phrase.wait()
            return True

    monkeypatch.setattr(output, "FIRST_SECONDS", NEVER)
    answer += [TextDelta(f"{LONG} "), Third(), TextDelta("The end."), END]
    await scene.run()
    assert scene.words.startswith(f"{LONG} [one_moment] [still_on_it]")
    assert scene.words.count("[one_moment]") == 1
    assert "] The end." in scene.words
    assert scene.log.content[-1].as_dict()["content"] == f"{LONG} The end."


@pytest.mark.parametrize("satellite", [None, "s.a"])
async def test_who_listened_is_put_back(
    hass: HomeAssistant, satellite: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "FIRST_SECONDS", NEVER)
    scene = Heard(hass, None, ["Yes."], satellite=satellite)
    listener = scene.log.delta_listener
    assert await scene.run() == "Yes."
    assert scene.log.delta_listener == listener
