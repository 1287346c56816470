"""What a question is about is read first; an answer that says otherwise is doubted."""

from dataclasses import replace
import re
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.homeassistant.llm import GetLiveContextTool
from homeassistant.exceptions import HomeAssistantError
import pytest

from custom_components.lumo.agent import reading_ahead
from custom_components.lumo.agent.reading_ahead import ReadAhead
from custom_components.lumo.const import Permission
from custom_components.lumo.context.home import async_get_home
from custom_components.lumo.context.titles import states_called
from custom_components.lumo.languages import EN, LANGUAGES
from custom_components.lumo.lumo_client.messages import ChatRequest
from tests.redteam.stage import Call, Line, Stage

# A question, what is read, an answer that is true, and one that is not.
QUESTIONS = [
    ("en", "Is the front door shut?", "Front door", "Yes, locked.", "It is unlocked."),
    ("en", "Which lights are on?", "Bedroom lamp", "All are on.", "They are off."),
    ("en", "Are any blinds open?", "Bedroom blinds", "Both are closed.", "Both are open."),
    ("en", "Which doors are unlocked?", "Back door", "None is unlocked.", "2 are."),
    ("en", "What is the temperature in the bedroom?", "Bedroom thermostat", "20 °C.", "27."),
    ("de", "Welche Lichter sind an?", "Bedroom lamp", "Alle sind an.", "Alle sind aus."),
    ("de", "Hab ich Licht angelassen?", "Bedroom lamp", "Ja, alle.", "27 Lampen."),
    ("de", "Läuft der Oven noch?", "Oven", "Nein, er ist aus.", "Ja, er ist an."),
]  # fmt: skip


@pytest.mark.parametrize(("language", "sentence", "read", "true", "false"), QUESTIONS)
async def test_questions(
    stage: Stage, language: str, sentence: str, read: str, true: str, false: str
) -> None:
    def answer(request: ChatRequest) -> str:
        assert f"names: {read}" in str(request.messages)
        return true

    said = f"^{re.escape(true)}$"
    line = Line(sentence, [answer], says=said, requests=1, language=language)
    await stage.play(line)
    await stage.play(replace(line, answers=[false, answer], requests=2, new=True))


READ = [
    ("Which lights are on?", {"domain": ["light"]}),
    ("Which lights are on in the kitchen?", {"area": "Kitchen", "domain": ["light"]}),
    ("Is the oven on?", {"name": "Oven"}),
    ("Are the oven and the coffee machine on?", {"domain": ["switch"]}),
    ("Is it cold in the office?", {"area": "Office"}),
    ("What is on the shopping list?", {"todo_list": "Shopping list"}),
    ("Which lights are on in the kitchen and in the office?", None),
    ("How are you?", None),
    ("How is the veranda weather?", None),
    ("What is in the family calendar?", None),
    ("What is open upstairs?", None),
]


def test_an_article_is_no_state() -> None:
    assert states_called(["Ein", "Aus"], LANGUAGES["de"]) == {"Aus"}


@pytest.mark.parametrize(("sentence", "arguments"), READ)
async def test_what_is_read(
    stage: Stage, sentence: str, arguments: dict[str, Any] | None
) -> None:
    name = {"friendly_name": "Veranda weather"}
    stage.hass.states.async_set("weather.veranda", "sunny", name)
    async_expose_entity(stage.hass, "conversation", "weather.veranda", True)
    home = await async_get_home(stage.hass, "en")
    ahead = ReadAhead.for_question(sentence, EN, home)
    assert (ahead and ahead.arguments) == arguments


# A sentence, and whether the weather is read for it.
WEATHER = [
    ("en", "Will it rain tomorrow?", True),
    ("en", "Are the outdoor lights on?", False),
    ("en", "Turn on the outdoor lights", False),
    ("de", "Brauche ich heute einen Regenschirm?", True),
    ("de", "Wie warm ist es draußen?", True),
    ("fr", "Quel temps fait-il dehors ?", True),
    ("it", "Che tempo fa domani?", True),
    ("es", "¿Qué tiempo hará mañana?", True),
    ("pt", "Vai chover amanhã?", True),
    ("nl", "Wat voor weer wordt het morgen?", True),
    ("sv", "Hur blir vädret i morgon?", True),
    ("da", "Bliver det regnvejr i morgen?", True),
    ("nb", "Hvordan blir været i morgen?", True),
    ("pl", "Czy jutro będzie padać?", True),
    ("cs", "Jaké bude zítra počasí?", True),
]  # fmt: skip


@pytest.mark.parametrize(("language", "sentence", "is_read"), WEATHER)
async def test_the_weather_is_read(
    stage: Stage, language: str, sentence: str, is_read: bool
) -> None:
    """With the sensors that are called so, and what is expected."""
    called = {"friendly_name": "Outdoor sensor Außentemperatur"}
    for entity_id, state in (("weather.home", "sunny"), ("sensor.outdoor", "8.5")):
        stage.hass.states.async_set(entity_id, state, called)
        async_expose_entity(stage.hass, "conversation", entity_id, True)

    def answer(request: ChatRequest) -> str:
        assert (str(request.messages).count("Außentemperatur") > 1) is is_read
        return "I do not know."

    await stage.play(Line(sentence, [answer, answer], language=language))


@pytest.mark.parametrize(
    ("question", "answer", "agrees"),
    [
        ("Is the front door locked?", "Yes.", True),
        ("Is the front door locked?", "No.", False),
        ("Is the front door locked?", "No, it is unlocked.", False),
        ("Is the front door unlocked?", "No.", True),
        ("Is the front door unlocked?", "Yes.", False),
        ("Is the front door unlocked?", "It is locked.", True),
        ("Which lights are on?", "None is on.", True),
        ("Which lights are on?", "All are off.", False),
        ("Which lights are on?", "There are 10 lights.", True),
        ("Which lights are on?", "There are 42 lights.", False),
        ("Which lights are on?", "The kitchen light.", True),
        ("Which lights are on?", "The moon.", False),
        ("Is the bedroom thermostat warm?", "About 20.4 degrees.", True),
        ("Is the bedroom thermostat warm?", "About 21 degrees.", False),
        ("Is the bedroom thermostat warm?", "Yes, it is.", True),
    ],
)
async def test_an_answer_agrees_with_what_was_read(
    stage: Stage, question: str, answer: str, agrees: bool
) -> None:
    """About as warm, so many, or one of the names; a denial tells no state."""
    home = await async_get_home(stage.hass, "en")
    ahead = ReadAhead.for_question(question, EN, home)
    turn: Any = SimpleNamespace(hass=stage.hass, sentence=question, language=EN)
    turn.speaker = SimpleNamespace(language="en")
    told = "- names: Kitchen light\n  current_temperature: 20"
    assert ahead
    assert (await ahead.async_states(turn, told)).agree(answer) is agrees


async def test_what_is_too_much_is_left_to_the_model(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = await async_get_home(stage.hass, "en")
    monkeypatch.setattr(reading_ahead, "_MOST_THINGS", 9)
    assert ReadAhead.for_question("Which lights are on?", EN, home) is None


async def test_a_tool_that_asks_first_is_left_to_the_model(stage: Stage) -> None:
    await stage.permit(Permission.ASK, "GetLiveContext")

    def answer(request: ChatRequest) -> str:
        assert "names: Bedroom lamp" not in str(request.messages)
        return "I cannot see that."

    await stage.play(Line("Which lights are on?", [answer, answer]))


async def test_what_the_model_could_not_look_up_it_may_say(stage: Stage) -> None:
    """What was read ahead says nothing of the past."""
    past = Call("history", question="who", name="Front door")
    said = "The logbook is off."
    await stage.play(Line("Who has locked the front door?", [past, said], says=said))


async def test_what_cannot_be_read_is_left_to_the_model(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = AsyncMock(side_effect=HomeAssistantError("broken"))
    monkeypatch.setattr(GetLiveContextTool, "async_call", broken)
    line = Line("Which lights are on?", ["All are on.", "I cannot see."], requests=2)
    await stage.play(replace(line, unsaid="All"))
