"""A whole turn over scripted answers: what is sent, what is heard, what runs."""

from dataclasses import replace
from math import inf
from typing import Any

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import probatio
import pytest

from custom_components.lumo.agent import request as agent_request
from custom_components.lumo.agent.confirmation import Confirmation
from custom_components.lumo.agent.conversation_state import ConversationState, Question
from custom_components.lumo.gate.judged_call import Ask
from custom_components.lumo.gate.speaker import Speaker
from custom_components.lumo.lumo_client.errors import (
    ContextLengthError,
    QuotaError,
    ServerError,
)
from custom_components.lumo.lumo_client.events import (
    ReasoningDelta,
    ServerToolCall,
    TextDelta,
)

from .conftest import FakeTool
from .scripted import Answer, Scene
from .test_bounds import calls
from .test_turn_ladder import MISROUTED
from .turns import CLAIM, COMMAND, END, KITCHEN, OFF, invalid


@pytest.mark.parametrize("sentence", ["?", "👍", "5", "دفتر"])
async def test_short_sentence_is_a_sentence(
    hass: HomeAssistant, api: llm.APIInstance, sentence: str
) -> None:
    assert await Scene(hass, api, sentence, ["Hello."]).run() == "Hello."


async def test_several_refused_calls_of_one_answer_can_be_corrected(
    hass: HomeAssistant, api: llm.APIInstance, turn_off: FakeTool
) -> None:
    """Three lamps, one mistake: that is one refusal, not three."""
    wrong = "\n".join(
        f'{{"name": "user:HassTurnOff", "arguments": {{"lamp": "{lamp}"}}}}'
        for lamp in ("a", "b", "c")
    )
    scene = Scene(hass, api, COMMAND, [wrong, OFF, "It is off."])
    assert await scene.run() == "It is off."
    assert len(turn_off.calls) == 1


@pytest.mark.parametrize(
    "partial",
    [[TextDelta("Okay")], [TextDelta("`")], [ReasoningDelta("hm")], [invalid()]],
)
async def test_nothing_is_sent_again_once_an_answer_has_begun(
    hass: HomeAssistant, api: llm.APIInstance, partial: list[Any]
) -> None:
    scene = Scene(hass, api, COMMAND, [[*partial, ContextLengthError()], "Okay."])
    assert "[context_length]" in await scene.run()
    assert len(scene.client.requests) == 1


@pytest.mark.parametrize("budget", range(5_000, 10_000, 400))
async def test_the_second_turn_begins_like_the_first(
    hass: HomeAssistant,
    api: llm.APIInstance,
    monkeypatch: pytest.MonkeyPatch,
    budget: int,
) -> None:
    monkeypatch.setattr(agent_request, "BUDGET", budget)
    more = [FakeTool(f"task_{number}", probatio.Schema({})) for number in range(30)]
    api = replace(api, tools=[*api.tools, *more])
    before: list[conversation.Content] = []
    texts = []
    for _ in range(2):
        scene = Scene(hass, api, "Hello", ["Hi."], before=before)
        assert await scene.run() == "Hi."
        [sent] = scene.client.requests
        texts.append(getattr(sent.messages[0], "text", "").partition("]\n\n")[0])
        before = scene.log.content[1:]
    assert texts[0] == texts[1]


async def test_what_is_sent_again_is_less(
    hass: HomeAssistant, api: llm.APIInstance
) -> None:
    before = [
        content
        for number in range(8)
        for content in (
            conversation.UserContent(f"Question {number} {'x' * 400}"),
            conversation.AssistantContent("conversation.lumo", f"Answer {number}"),
        )
    ]
    answers: list[Answer] = [[ContextLengthError()], [ContextLengthError()]]
    scene = Scene(hass, api, "Hello", answers, before=before)
    assert "[context_length]" in await scene.run()
    first, second = [
        [getattr(message, "text", "") for message in request.messages]
        for request in scene.client.requests
    ]
    assert len(first) == 17 and 1 < len(second) <= 5
    assert first[-1] == second[-1]


RIGHT = ServerToolCall("c", "user:HassTurnOff", KITCHEN, "{}")
MANY = calls("HassTurnOff", *({"name": f"lamp {n}"} for n in range(13)))
KEPT, REST = "misrouted call not run as it is", "too many calls, the rest is not run"
TRACK = calls("HassMediaNext", {})
FOUND = "call detected in the text"
DOORS = [
    Ask("intent__HassTurnOff", {"area": area}, frozenset(), "do_unlock", (f"{area} door",))
    for area in ("Front", "Back")
]  # fmt: skip


def asked(*choice: Ask) -> dict[str, Any]:
    """Return the state of a conversation in which a question waits."""
    by, choices = Speaker("anna", None, True, "Open", "en"), (choice,) * bool(choice)
    question = Question((DOORS[0],), by, (), "", inf, ambiguities=choices)
    return {"conversation_state": ConversationState(question=question)}


WAYS: list[tuple[str, list[Answer], dict[str, Any], str]] = [
    ("Never mind", [], {}, "no request: called_off"),
    # Speech-to-text makes full stops of silence.
    *((silence, [], {}, "no request: nothing_heard") for silence in ("", " \n", ".", "... ")),
    ("Turn off the", [], {"satellite": "s.a"}, "no request: not_all_heard"),
    ("Hello", [[ServerError()]], {}, "the answer failed: server_error"),
    ("Hello", [[ContextLengthError()], "Hi."], {}, "too long for the model, sent with less"),
    ("Hello", [[QuotaError()], "Hi."], {"model": "max"}, "no requests are left with Max, Lite answers"),
    (COMMAND, [OFF], {"quick_confirmation": "always"}, f"{FOUND}|confirmed without asking the model"),
    (COMMAND, [MISROUTED] * 2, {}, f"{KEPT}|misrouted call bounced|{KEPT}|misrouted call given up"),
    (COMMAND, [[RIGHT, *MISROUTED[1:]], "Off."], {}, "misrouted call rescued (server channel)|the rest is not read"),
    (COMMAND, [f"{OFF}\n{OFF}", "Off."], {}, f"{FOUND}|{FOUND}|call said twice, run once"),
    (COMMAND, [OFF, OFF], {}, f"{FOUND}|{FOUND}|call not made again|stopped, the same call again"),
    ("Skip two", [TRACK, TRACK, "Ok."], {}, f"{FOUND}|{FOUND}"),
    ("Skip three", [TRACK] * 3, {}, f"{FOUND}|" * 3 + "call not made again|stopped, the same call again"),
    (COMMAND, [[END]], {}, "the answer was empty"),
    (COMMAND, [OFF[:-30], "I could not."], {}, "broken call refused (incomplete)|call refused"),
    (COMMAND, [calls("HassTurnOff", {"where": x}) for x in "xyz"], {}, f"{FOUND}|call refused|" * 3 + "stopped, calls were refused too often"),
    (COMMAND, [MANY], {}, f"{FOUND}|" * 13 + f"{REST}|stopped, too many calls in an answer"),
    (COMMAND, [OFF, "It is {state}."], {}, f"{FOUND}|told by us (placeholder)"),
    (COMMAND, [CLAIM, OFF, "Off."], {}, f"doubted (done), asked again|{FOUND}"),
    (COMMAND, [OFF, [QuotaError()]], {}, f"{FOUND}|no requests are left, but all was done"),
    ("No", [], asked(), "a person said no"),
    ("Yes", [], asked(), "a person said yes"),
    ("Yes or no", [], asked(), "a person was asked again"),
    ("Tell me a joke", [], asked(), "a person was asked and did not answer"),
    ("The second", [], asked(*DOORS), "a person chose|a person is asked first"),
    ("Is the light on?", [OFF, "I cannot see."], {}, f"{FOUND}|call refused: it was not asked for|call refused"),
]  # fmt: skip


@pytest.mark.parametrize("row", WAYS)
async def test_the_trace_tells_the_way_of_a_turn(
    hass: HomeAssistant, api: llm.APIInstance, row: Any
) -> None:
    sentence, answers, options, way = row
    scene = Scene(hass, api, sentence, answers, **options)
    await scene.run()
    assert scene.record.as_trace()["decisions"] == way.split("|")
    assert scene.record.questions == way.count("asked first")
    waits = ("asked first", "asked again", "not_all_heard")
    assert scene.record.asked is way.endswith(waits)


@pytest.mark.parametrize("is_talk", [True, False])
async def test_a_person_hears_what_was_done_instead(
    hass: HomeAssistant, api: llm.APIInstance, monkeypatch: Any, is_talk: bool
) -> None:
    monkeypatch.setattr(Confirmation, "unlike", lambda *_: "It is on.")
    scene = Scene(hass, api, COMMAND, [OFF, "Off."])
    scene.context.verbatim = not is_talk
    assert await scene.run() == ("It is on." if is_talk else "Off.")
    told = "what was done is not what was said" in scene.decisions
    assert told is is_talk
