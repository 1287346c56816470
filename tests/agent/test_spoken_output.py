"""What is heard while an answer comes."""

import asyncio

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import pytest

from custom_components.lumo.agent.history import OwnSentence
from custom_components.lumo.agent.sentences import awaits_answer
from custom_components.lumo.agent.spoken_output import SpokenOutput
from custom_components.lumo.lumo_client.events import End, ReasoningDelta, TextDelta

from .scripted import Scene, Step
from .turns import COMMAND, OFF


@pytest.mark.timeout(10)
async def test_no_word_is_held_over_a_wait(hass: HomeAssistant) -> None:
    found = asyncio.Event()
    answer: list[Step] = [
        TextDelta("Let me **search**"),
        TextDelta(" for it."),
        ReasoningDelta("Hm."),
        found,
        TextDelta(" It rains."),
        End("stop"),
    ]
    scene = Scene(hass, None, "Does it rain?", [answer], satellite="s.a")
    turn = hass.async_create_task(scene.run())
    while scene.heard != "Let me search for it.":
        await asyncio.sleep(0)
    found.set()
    assert await turn == "Let me search for it. It rains."
    assert scene.turn and scene.turn.output.text == await turn


@pytest.mark.parametrize(
    ("verbatim", "said"), [(True, "<b>On</b>"), (False, "&lt;b>On&lt;/b>")]
)
async def test_a_program_gets_what_was_written(
    hass: HomeAssistant, verbatim: bool, said: str
) -> None:
    scene = Scene(hass, None, "Is it on?", ["<b>On</b>"])
    scene.context.verbatim = verbatim
    assert await scene.run() == said
    scene = Scene(hass, None, "Is it on?", ["I say the same thing again. " * 50])
    scene.context.verbatim = verbatim
    await scene.run()
    assert ("the text has no end" in scene.decisions) is not verbatim


@pytest.mark.parametrize(
    ("satellite", "text"),
    [(None, "It is off."), ("s.a", "Let me see if it is on.\nIt is off.")],
)
async def test_a_screen_shows_what_was_said_last(
    hass: HomeAssistant, api: llm.APIInstance, satellite: str | None, text: str
) -> None:
    answers = [f"Let me see if it is on.\n{OFF}", "It is off."]
    scene = Scene(hass, api, COMMAND, answers, satellite=satellite)
    await scene.run()
    assert scene.turn and scene.turn.output.text == text


async def test_a_host_that_nobody_named_is_shown(hass: HomeAssistant) -> None:
    links = "[this](https://a.example/x) or [that](https://b.example/x)"
    heard = await Scene(hass, None, "What does a.example say?", [links]).run()
    assert "[this](https://a.example/x)" in heard
    assert "or [that](https://b.example/x) (b.example)" in heard


async def test_an_entity_id_is_heard_as_a_name(hass: HomeAssistant) -> None:
    hass.states.async_set("light.a", "on", {"friendly_name": "Lamp"})
    said = "light.a is on."
    assert await Scene(hass, None, "Is it?", [said], satellite="s.a").run() == (
        "Lamp is on."
    )


@pytest.mark.parametrize(
    ("said", "after", "awaited"),
    [
        ("Which lamp?", [], True),
        ("Which lamp?", [OwnSentence(failed=False)], True),
        ("Which lamp?", [OwnSentence(failed=True)], False),
        ("It is on.", [OwnSentence(failed=False)], False),
        ("Which lamp?", [None], False),
        ("", [], False),
    ],
)
async def test_who_was_asked_can_answer(
    hass: HomeAssistant, said: str, after: list[OwnSentence | None], awaited: bool
) -> None:
    scene = Scene(hass, None, "Turn on the lamp", [])
    scene.log.content += [
        conversation.AssistantContent("a", content=text, native=native)
        for text, native in [(said, None), *(("It is late.", item) for item in after)]
    ]
    assert SpokenOutput(scene.context).awaits_answer is awaited


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Shall I?", True),
        ('He asked: "Shall I?"', True),
        ("**Which lamp?**", True),
        ("Which lamp? 🙂", True),
        ("（どのランプですか？）", True),
        ("Ποιο φως;", True),
        ("أي مصباح؟", True),
        ("Dois-je continuer\u202f?", True),
        ("Is it on? Yes.", False),
        ("It is on.", False),
    ],
)
def test_answer_that_ends_in_a_question_expects_one(text: str, expected: bool) -> None:
    assert awaits_answer(text) is expected
