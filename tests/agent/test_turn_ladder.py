"""What becomes of an answer that claims, excuses itself or calls where nobody hears."""

from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.homeassistant.llm import DYNAMIC_CONTEXT_PROMPT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import pytest

from custom_components.lumo.lumo_client.events import TextDelta
from custom_components.lumo.lumo_client.messages import AssistantMessage, UserMessage

from .conftest import FakeTool
from .scripted import Answer, Scene, Step
from .turns import (
    APOLOGY,
    CLAIM,
    COMMAND,
    END,
    EXCUSE,
    LOOK,
    NOWHERE,
    OFF,
    failed,
    invalid,
)

MISROUTED: list[Step] = [invalid(), failed(), APOLOGY, END]
LADDER: dict[str, tuple[list[Answer], str, int]] = {
    # The last answer is what is heard, unless it is ours; how many calls ran.
    "a claim after the doubt led to a look around only": ([CLAIM, LOOK, CLAIM], "[nothing_changed]", 0),
    "a doubted model misroutes, is bounced, and calls": ([CLAIM, MISROUTED, OFF, "It is off."], "It is off.", 1),
    "a doubted model misroutes, is bounced, and gives up": ([CLAIM, MISROUTED, "I cannot."], "I cannot.", 0),
    "a bounced model claims, is doubted, and calls": ([MISROUTED, CLAIM, OFF, "It is off."], "It is off.", 1),
    "misrouted twice": ([MISROUTED, MISROUTED], "[misrouted]", 0),
    "a claim before a misrouted call is not heard": ([[TextDelta(CLAIM), *MISROUTED], OFF, "It is off."], "It is off.", 1),
    "nothing is said behind a question": ([CLAIM, "Which one?"], "Which one?", 0),
    "a claim behind a call that failed is doubted": ([NOWHERE, CLAIM, "I could not find it."], "I could not find it.", 1),
    "an honest word behind a call that failed is not": ([NOWHERE, "I could not find it."], "I could not find it.", 1),
    "what was read is told": ([LOOK, "The kitchen light is already off."], "The kitchen light is already off.", 0),
    "a claim behind a look around is doubted": ([LOOK, CLAIM, OFF, "It is off."], "It is off.", 1),
    "an excuse is not heard": ([EXCUSE, OFF, "It is off."], "It is off.", 1),
    "an excuse is not heard twice": ([EXCUSE, EXCUSE], "[misrouted]", 0),
    "an honest word behind an excuse is heard": ([EXCUSE, "There is no such light here."], "There is no such light here.", 0),
    "an excuse, then a claim": ([EXCUSE, CLAIM], "[nothing_changed]", 0),
    "a blank for a value": (["It is {state}.", "It is [state]."], "[no_answer]", 0),
    "no words at all": ([[END]], "[no_answer]", 0),
}  # fmt: skip


@pytest.mark.parametrize(("answers", "heard", "ran"), LADDER.values(), ids=LADDER)
async def test_ladder_in_english(
    hass: HomeAssistant,
    api: llm.APIInstance,
    turn_off: FakeTool,
    answers: list[Answer],
    heard: str,
    ran: int,
) -> None:
    scene = Scene(hass, api, COMMAND, answers)
    assert await scene.run() == heard
    assert len(turn_off.calls) == ran
    assert len(scene.client.requests) == len(answers)
    assert scene.record.failed is (heard == "[no_answer]")
    if answers[0] in (CLAIM, EXCUSE):
        # The model reads what it said, and what is wrong with it.
        *_, said, doubt = scene.client.requests[1].messages
        assert said == AssistantMessage(str(answers[0]))
        assert isinstance(doubt, UserMessage)
    assert isinstance(scene.log.content[-1], conversation.AssistantContent)
    assert scene.log.content[-1].content


async def list_home(hass: HomeAssistant, api: llm.APIInstance) -> None:
    """Have a lamp in the kitchen, and an API of the home."""
    assert await async_setup_component(hass, "homeassistant", {})
    hass.states.async_set("light.a", "on", {"friendly_name": "Keukenlamp"})
    async_expose_entity(hass, "conversation", "light.a", True)
    api.api_prompt = DYNAMIC_CONTEXT_PROMPT


@pytest.mark.parametrize(
    ("answers", "heard"),
    [
        (["Klaar!", "De lamp reageert niet."], "De lamp reageert niet."),
        (["Klaar!", "De lamp was al uit."], "[nothing_changed]"),
        (["Klaar!", LOOK, "Klaar!"], "[nothing_changed]"),
        (["Uit.", LOOK, "Uit."], "[nothing_changed]"),
        (["Uit.", MISROUTED, "Uit."], "[nothing_changed]"),
    ],
)
async def test_ladder_in_other_languages(
    hass: HomeAssistant, api: llm.APIInstance, answers: list[Answer], heard: str
) -> None:
    """A claim that is repeated is denied; where no words are known, it is spoken."""
    await list_home(hass, api)
    scene = Scene(hass, api, "Doe de keukenlamp uit", answers, language="nl")
    assert await scene.run() == heard
    scene = Scene(
        hass, api, "Sammuta Keukenlamp", ["Valmis.", "Sammui."], language="fi"
    )
    assert await scene.run() == "Sammui."


@pytest.mark.parametrize("said", ["It is off.", "It is already off."])
@pytest.mark.parametrize("state", ["on", "off"])
async def test_what_is_so_already_may_be_said(
    hass: HomeAssistant, api: llm.APIInstance, state: str, said: str
) -> None:
    await list_home(hass, api)
    hass.states.async_set("light.a", state, {"friendly_name": "Kitchen light"})
    scene = Scene(hass, api, COMMAND, [said, said])
    assert await scene.run() == (said if state == "off" else "[nothing_changed]")
    assert len(scene.client.requests) == (1 if state == "off" else 2)


async def test_what_is_said_behind_a_failed_call_is_no_possible_claim(
    hass: HomeAssistant, api: llm.APIInstance
) -> None:
    """Something was called: the structure of the turn suggests nothing any more."""
    await list_home(hass, api)
    call = '{"name": "user:HassTurnOff", "arguments": {"name": "nowhere"}}'
    scene = Scene(hass, api, "Doe de keukenlamp uit", [call, "Mislukt."], language="nl")
    assert await scene.run() == "Mislukt."
    assert len(scene.client.requests) == 2


async def test_a_question_after_a_correction_keeps_the_conversation_open(
    hass: HomeAssistant, api: llm.APIInstance
) -> None:
    """The sentence of ours must not hide that the model asks something."""
    scene = Scene(hass, api, COMMAND, [CLAIM, "Which light do you mean?"])
    await scene.run()
    assert scene.log.continue_conversation
