"""What a text from outside must not bring about by tools that name no entity."""

from collections.abc import Sequence
from typing import Any

from homeassistant.components import conversation
from homeassistant.const import CONF_LLM_HASS_API
from homeassistant.helpers import intent, llm
import pytest

from custom_components.lumo.const import Permission
from custom_components.lumo.gate.notes import NOTES, RefusedError
from custom_components.lumo.gate.own_tool import are_read
from custom_components.lumo.lumo_client.events import ServerToolCall, ServerToolResult
from tests.redteam.stage import AUTOMATION, Answer, Call, Line, Piece, Stage
from tests.sampling import some

from .test_permissions import intent_tool

LIST = Call("get_items", todo_list="Shopping list")
MILK = Call("change_list", action="done", items=["Milk"])
LAMP, DARK = Call("HassTurnOff", name="Office light"), "turn_off light.office"


@pytest.fixture(autouse=True)
async def server(stage: Stage) -> None:
    """Have a server whose tool for reading needs no question."""
    await stage.change_agent(**{CONF_LLM_HASS_API: ["assist", "outside"]})
    await stage.permit(Permission.ON, "read_news")


async def test_what_a_person_started_is_theirs(stage: Stage) -> None:
    stage.house.move_satellite("bedroom")
    who = stage.at_satellite
    song = Call("music", action="play", what="Evening song", player="Radio")
    radio = "media_player.radio"
    louder = Call("HassSetVolumeRelative", volume_step="up", name="Radio")
    softer = Call("HassSetVolumeRelative", volume_step=-10, name="Radio")
    for sentence, call, does in (
        ("Pause it", Call("HassMediaPause", name="Radio"), "media_pause"),
        ("Next song", Call("HassMediaNext", name="Radio"), "media_next_track"),
        ("Quieter", louder, "volume"),
        ("Softer", softer, "volume"),
        ("A bit", Call("HassSetVolume", volume_level=60, name="Radio"), "volume"),
        ("Stop", Call("HassTurnOff", name="Radio"), "turn_off"),
        ("Much", Call("HassSetVolume", volume_level=90, name="Radio"), ""),
        ("Turn it off", Call("HassTurnOff", name="Television"), ""),
    ):
        stage.fresh()
        await stage.play(
            Line(
                "Play evening songs on the radio in the kitchen",
                [song, "Playing."],
                does=[f"play_media {radio} library://track/1"],
                who=who,
            )
        )
        stage.hass.states.async_set(
            radio,
            "playing",
            {**stage.hass.states.get(radio).attributes, "volume_level": 0.4},  # type: ignore[union-attr] # it is there
        )
        heard = await stage.say(sentence, call, "Ok.", who=who)
        told = f"{sentence}: {heard.effects} {heard.question} {heard.results}"
        assert (heard.question is None) is bool(does), told


@pytest.mark.parametrize(("now", "is_free"), [("playing", True), ("paused", False)])
async def test_what_plays_here_is_theirs(stage: Stage, now: str, is_free: bool) -> None:
    stage.hass.states.async_set("media_player.radio", now, {"friendly_name": "Radio"})
    pause = Call("HassTurnOff", name="Radio")
    who = stage.at_satellite
    heard = await stage.say("Read me my day", LIST, pause, "Ok.", who=who)
    assert (heard.question is None) is is_free


async def test_the_question_says_what_a_lamp_is_set_to(stage: Stage) -> None:
    bright = Call("HassLightSet", name="Office light", brightness=80)
    red = Call("HassLightSet", name="Office light", color="red")
    none = Call("HassLightSet", name="Office light", color="warmish")
    await stage.play(
        Line(
            "Read the shopping list", [LIST, bright], asks="light to 80 percent bright"
        ),
        Line("No", requests=0),
        Line("Read it again", [LIST, red], asks="set the office light to red"),
        Line("Yes", ["Ok."], does=["turn_on light.office"]),
        # Home Assistant refuses what is no color.
        Line("Once more", [LIST, none, "No."], says="^No.$"),
    )


async def test_what_a_question_names_is_not_to_be_acted_on(stage: Stage) -> None:
    """A text that was read may ask for it; a request in the form of a question may."""
    stage.house.entity("todo.shopping").put("Milk")
    await stage.play(
        Line("Read the shopping list", [LIST, "Milk."]),
        Line("Is the office light on?", [LAMP, LAMP], asks="Office light"),
        Line("No", requests=0),
        Line("Can you turn off the office light?", [LAMP, "Ok."], does=[DARK]),
        # The item was said; "done" is a word of the tool.
        Line("No milk please", [MILK, "Ok."], does=["update_item todo.shopping Milk"]),
    )


def timer(tool: str, **arguments: Any) -> Call:
    return Call(tool, name="eggs", **arguments)


UNDOING = {
    "HassCancelTimer": timer("HassCancelTimer"),
    "HassDecreaseTimer": timer("HassDecreaseTimer", minutes=9),
    "HassPauseTimer": timer("HassPauseTimer"),
}
SPOKEN = {
    "en": "Read the list, and no timers please",
    "de": "Lies die Liste vor und weg mit dem Küchentimer",
    "fr": "Lis la liste, et plus de minuteur",
    "nl": "Lees de lijst en weg met de kookwekkers",
    "es": "Lee la lista y quita los temporizadores",
}


async def started(stage: Stage) -> None:
    """Start a timer in a new conversation, the only one."""
    stage.fresh()
    device_id = stage.house.satellite_device
    await intent.async_handle(
        stage.hass, "test", intent.INTENT_CANCEL_ALL_TIMERS, device_id=device_id
    )
    start = Call("HassStartTimer", minutes=10, name="eggs")
    await stage.say("Ten minutes for the eggs", start, "Ok.", who=stage.at_satellite)
    stage.house.timers.clear()


async def test_timers_are_undone_only_if_the_person_speaks_of_them(
    stage: Stage, subtests: pytest.Subtests
) -> None:
    who = stage.at_satellite
    for name, call in some(UNDOING.items()):
        with subtests.test(name):
            await started(stage)
            await stage.play(
                Line("Read the shopping list", [LIST, call], asks="imer", who=who)
            )
            assert stage.house.timers == []
            await stage.say("Yes", "Ok.", who=who)
            assert len(stage.house.timers) == 1
    sentences = SPOKEN | {"en-GB": "Read the list, and forget about the eggs"}
    for language, sentence in some(sentences.items()):
        with subtests.test(language):
            await started(stage)
            call = UNDOING["HassCancelTimer"]
            heard = await stage.say(
                sentence, LIST, call, "Ok.", who=who, language=language
            )
            assert heard.question is None
            assert len(stage.house.timers) == 1
    with subtests.test("longer"):
        await started(stage)
        longer = timer("HassIncreaseTimer", minutes=5)
        await stage.play(Line("Read the list", [LIST, longer, "Milk."], who=who))
        assert len(stage.house.timers) == 1


SERVER_CALL: Sequence[Piece] = [
    ServerToolCall("s1", "web_search", {"query": "news"}, "{}"),
    "Not much.",
]
SERVER_RESULT: Sequence[Piece] = [
    ServerToolCall("s1", "weather", {}, "{}"),
    ServerToolResult("s1", "Rain", failed=False),
    "It rains.",
]


@pytest.mark.parametrize("answer", [SERVER_CALL, SERVER_RESULT], ids=["call", "result"])
async def test_protons_own_tools_read_strangers_texts(
    stage: Stage, answer: Answer
) -> None:
    await stage.play(
        Line("What's new?", [answer]),
        Line("Good to know", ["You are welcome."]),
        Line("Good morning", [LAMP], asks="Office light"),
        # The control.
        Line("Good morning", [LAMP, "Hello."], does=[DARK], new=True),
    )


OURS = {"error": RefusedError.__name__, "error_text": "This is not allowed."}


@pytest.mark.parametrize(
    ("name", "data", "outside"),
    [
        # Of tools that the agent no longer has.
        ("read_news", {"content": "Nothing"}, True),
        ("light__HassLightSet", {"speech": {}}, True),
        ("homeassistant__render_template", {"result": "x"}, True),
        # Home Assistant's own that only read the home, under whatever name.
        ("homeassistant__GetLiveContext", {"result": "Lamp: on"}, False),
        ("assist__homeassistant__GetLiveContext", {"result": "Lamp: on"}, False),
        ("llm__GetDateTime", {"time": "12:00"}, False),
        # What Home Assistant has done by itself, before the agent was asked.
        ("HassTurnOn", {"speech": {"plain": {"speech": "Turned on"}}}, False),
        ("trigger_sentence", {"response": "Somebody's mail"}, True),
        # What did not run says nothing but what we say.
        ("read_news", OURS, False),
        ("read_news", dict(NOTES["waiting"]), False),
        ("read_news", {**OURS, "error": "HomeAssistantError"}, True),
        # Whatever other agents put there.
        ("read_news", ["Nothing"], True),
        ("llm__GetDateTime", None, False),
    ],
)
def test_what_may_be_a_strangers_text(name: str, data: Any, outside: bool) -> None:
    """Told by the name alone, where the tool cannot be looked at."""
    content = conversation.ToolResultContent(
        "conversation.lumo",
        "1",
        name,
        llm.ToolResult(data, error="error" in (data or ())),
    )
    assert are_read([content], {}) is outside


@pytest.mark.parametrize("integration", ["intent_script", "light"])
def test_only_an_intent_script_may_read_a_text_aloud(integration: str) -> None:
    tool = intent_tool("light__HassLightSet", integration)
    told = llm.ToolResult({"speech": {"plain": {"speech": "Somebody's mail"}}})
    content = conversation.ToolResultContent("lumo", "1", tool.name, told)
    assert are_read([content], {tool.name: tool}) is (integration != "light")


async def test_a_tool_that_is_only_switched_off_is_known(stage: Stage) -> None:
    """What it returned was nobody's text, and still is not."""
    await stage.play(Line("Good to know", [Call("TellJoke"), "Ok."]))
    stage.fresh()
    off = Call("HassTurnOff", name="Office light")
    await stage.play(Line("Office light off", [off, "Ok."], does=[DARK]))
    await stage.permit(Permission.OFF, "HassTurnOff")
    on = Call("HassTurnOn", name="Coffee machine")
    await stage.play(Line("Hello", [on, "Ok."], does=["turn_on switch.coffee"]))


async def test_an_automations_sentence_names_nothing(stage: Stage) -> None:
    """Its words may be a template's. A person's are not."""
    sentence = "Read the shopping list and turn off the office light"
    heard = await stage.say(sentence, LIST, LAMP, "Done.", who=AUTOMATION)
    assert heard.effects == []
    assert heard.error
    await stage.play(Line(sentence, [LIST, LAMP, "Done."], does=[DARK], new=True))


async def test_what_another_model_wrote_is_a_strangers_text(stage: Stage) -> None:
    """A script may have asked it."""
    await stage.play(
        Line("Think about it", [Call("think"), LAMP], asks="Office light"),
        # The control.
        Line("Think about it", [LAMP, "Well."], does=[DARK], new=True),
    )


UNDO = Call("undo")
KITCHEN = Call("HassTurnOff", name="Kitchen light")


async def test_undo_is_for_what_the_person_speaks_of(stage: Stage) -> None:
    """A text that asks for it undoes nothing."""
    dark, bright = "turn_off light.kitchen", "turn_on light.kitchen"
    done: list[Answer] = [LIST, KITCHEN, "Done."]
    await stage.play(
        Line("Read the list and turn off the kitchen light", done, does=[dark]),
        Line("Undo that", [UNDO, "Done."], does=[bright]),
    )
    stage.fresh()
    await stage.play(
        Line("Kitchen light off", [KITCHEN, "Done."], does=[dark]),
        Line("Read me the shopping list", [LIST, UNDO], asks="Kitchen light"),
        Line("No", requests=0),
    )
