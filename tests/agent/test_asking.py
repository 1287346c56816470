"""The question of a turn, and the answer to that of the turn before."""

from dataclasses import replace
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant, State
import pytest

from custom_components.lumo.agent.asking import Dialogue
from custom_components.lumo.agent.conversation_state import ConversationState, Question
from custom_components.lumo.agent.options import OptionProblem
from custom_components.lumo.agent.phone import PhoneError, async_ask, async_check_phone
from custom_components.lumo.const import CONF_PHONE_FOR_DOORS, CONF_PHONE_PERSON
from custom_components.lumo.gate.consent import Reply
from custom_components.lumo.gate.judged_call import Ask
from custom_components.lumo.gate.speaker import Speaker

from .scripted import Scene
from .test_question import sentences

UNLOCK = Ask("tool", {}, frozenset({"lock.front"}), "do_unlock", ("Front door",))


def dialogue(
    hass: HomeAssistant, conversation_state: ConversationState, sentence: str
) -> Dialogue:
    """Return what a sentence means to the question before it."""
    context = Scene(hass, None, sentence, []).context
    context.conversation_state = conversation_state
    made = Dialogue(context)
    made.read()
    return made


async def test_time_to_answer_begins_when_the_question_was_spoken(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> None:
    """That is at the end of the turn that asked it, of no other one."""
    conversation_state = ConversationState()
    asking = dialogue(hass, conversation_state, "Open the front door")
    beside = dialogue(hass, conversation_state, "What time is it?")
    asking.ask([UNLOCK], "")
    freezer.tick(20)
    beside.end({})
    freezer.tick(20)
    assert dialogue(hass, conversation_state, "Yes").reply is None

    asking.ask([UNLOCK], "")
    freezer.tick(20)
    asking.end({})
    freezer.tick(20)
    answer = dialogue(hass, conversation_state, "Yes")
    assert answer.reply is Reply.YES
    answer.ask([UNLOCK], "")
    assert "sentence='Yes'" in str(conversation_state.question)


@pytest.mark.parametrize(
    ("said", "satellite", "language", "reply"),
    [
        ("Okay", None, "en", Reply.YES),
        # A television may have said it.
        ("Okay", "s.a", "en", Reply.AGAIN),
        ("Unlock it", "s.a", "en", Reply.YES),
        ("Unlock, maybe", None, "en", Reply.AGAIN),
        ("Okay timer", None, "en", Reply.OTHER),
        ("The list", None, "en", Reply.OTHER),
        ("Yes, the light", None, "en", Reply.OTHER),
        ("Okay turn on", None, "en", Reply.OTHER),
        ("The second", None, "en", Reply.SOME),
        # Nobody has signed the words for yes there.
        ("La seconda", None, "it", Reply.OTHER),
    ],
)
async def test_what_an_answer_is_to_the_question(
    hass: HomeAssistant, said: str, satellite: str | None, language: str, reply: Reply
) -> None:
    """What names something else is no unclear answer."""
    asks: tuple[Ask, ...] = (
        UNLOCK,
        replace(UNLOCK, arguments={"a": 1}, targets=("Back door",)),
    )
    asks = asks if "econd" in said else asks[:1]
    speaker = Speaker("anna", satellite, True, "Open", language)
    state = ConversationState(question=Question(asks, speaker, (), ""))
    options: dict[str, Any] = {"satellite": satellite, "language": language}
    scene = Scene(hass, None, said, [], conversation_state=state, **options)
    made = Dialogue(scene.context)
    made.read()
    assert made.reply is reply


async def test_of_two_questions_at_once_the_last_waits(hass: HomeAssistant) -> None:
    state = ConversationState()
    first, second = (dialogue(hass, state, "Open") for _ in range(2))
    first.ask([UNLOCK], "")
    second.ask([UNLOCK], "second")
    first.end({})
    assert state.question and state.question.done == "second"


@pytest.mark.parametrize(("said", "left"), [("Unlock it", ()), ("Hello", (UNLOCK,))])
async def test_what_got_a_no_may_be_wanted_after_all(
    hass: HomeAssistant, said: str, left: tuple[Ask, ...]
) -> None:
    state = ConversationState(declined_asks=(UNLOCK,))
    state.earlier.declined = (UNLOCK,)
    dialogue(hass, state, said)
    assert state.earlier.declined == left


async def test_a_yes_to_an_undo_undoes_what_was_asked_about(
    hass: HomeAssistant,
) -> None:
    """What was done meanwhile is undone by whoever asks for that."""
    asked, later = (State("light.a", "on"),), (State("light.b", "on"),)
    for sentence, changes in (("Yes", asked), ("What time is it?", later)):
        state = ConversationState(changes=asked)
        asking = dialogue(hass, state, "Undo that")
        asking.ask([UNLOCK], "")
        asking.end({})
        state.changes = later
        assert dialogue(hass, state, sentence).changes == changes


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({}, None),
        ({CONF_PHONE_PERSON: "person.gone"}, (CONF_PHONE_PERSON, "person.gone")),
        ({CONF_PHONE_PERSON: "person.ann"}, (CONF_PHONE_PERSON, "Ann")),
        ({CONF_PHONE_FOR_DOORS: True}, (CONF_PHONE_FOR_DOORS, "")),
    ],
)
async def test_who_is_asked_by_phone_has_one(
    hass: HomeAssistant, data: dict[str, Any], problem: tuple[str, str] | None
) -> None:
    hass.states.async_set("person.ann", "home", {"friendly_name": "Ann"})
    found = None
    try:
        await async_check_phone(hass, data)
    except OptionProblem as err:
        found = (err.option, str(err))
    assert found == problem


@pytest.mark.parametrize(
    ("satellite", "characters", "can"),
    [(None, 200, True), ("s.a", 200, False), ("s.a", 80, True)],
)
async def test_who_only_listens_hears_all_of_a_question(
    hass: HomeAssistant, satellite: str | None, characters: int, can: bool
) -> None:
    """A phone, too, shows no part of one."""
    context = Scene(hass, None, "Open", [], satellite=satellite).context
    context.sentences = sentences("en")
    ask = replace(UNLOCK, targets=("x" * characters,))
    assert Dialogue(context).can_ask([ask], ()) is can
    assert Dialogue(context).can_ask([], [(ask,)]) is can
    reason = "too_much_to_say" if characters > 80 else "phone_gone"
    given = (hass, "person.ann", [ask], context.speaker, context.sentences, "")
    with pytest.raises(PhoneError, match=reason):
        await async_ask(*given)
