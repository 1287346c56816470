"""Where nobody can be asked, what would be asked is refused; and what owners may say."""

from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any

from homeassistant.const import CONF_LLM_HASS_API
from homeassistant.core import Context
from homeassistant.helpers import config_validation as cv, llm
from homeassistant.helpers.script import Script, async_validate_actions_config
import pytest

from custom_components.lumo.const import (
    CONF_AUTONOMY,
    CONF_UNATTENDED,
    Autonomy,
    Permission,
)
from custom_components.lumo.gate import speaker
from tests.sampling import some

from .house import SATELLITE
from .scripts import SAY
from .stage import (
    ANNA,
    AT_SATELLITE,
    AUTOMATION,
    CHAINED,
    CLAIMING,
    Call,
    Line,
    Stage,
    Who,
)

FRONT = Call("HassTurnOff", name="Front door")
LAMP = Call("HassTurnOff", name="Kitchen light")
UNLOCKED, DARK = "unlock lock.front_door", "turn_off light.kitchen"

NOBODY = {
    "automation": AUTOMATION,
    "automation that a user set off": CHAINED,
    "satellite that does not exist": CLAIMING,
    "satellite that is idle": replace(CHAINED, user=None, satellite=SATELLITE),
    "automation in the name of a satellite": replace(CHAINED, satellite=SATELLITE),
    "a device, and nobody": Who(user=None, device="kitchen_satellite"),
}


@pytest.mark.long
async def test_nobody_is_not_asked(stage: Stage, subtests: pytest.Subtests) -> None:
    """The call is refused, aloud, and the result is an error."""
    for name, who in some(NOBODY.items()):
        with subtests.test(name):
            stage.fresh()
            for call in (FRONT, Call("unlock_directly"), Call("OpenSesame")):
                heard = await stage.say("Make it cosy", call, "Done.", who=who)
                assert heard.effects == []
                assert heard.question is None
                assert heard.error
                assert not heard.is_open
                assert heard.text
                assert "Done." not in heard.text
                assert heard.events == []
            heard = await stage.say("Make it cosy", [LAMP, FRONT], "Done.", who=who)
            assert heard.effects == [DARK]
            assert heard.error


type Say = Callable[[Stage, Context, str], Coroutine[Any, Any, object]]


async def by_a_script(stage: Stage, context: Context, text: str) -> None:
    await stage.hass.services.async_call(
        "script", "say", {"text": text}, blocking=True, context=context
    )


async def by_a_sequence(stage: Stage, context: Context, text: str) -> None:
    """Say it as the developer tools do, which fire no event."""
    steps = await async_validate_actions_config(stage.hass, cv.SCRIPT_SCHEMA([SAY]))
    script = Script(stage.hass, steps, "Tried out", "test")
    await script.async_run({"text": text}, context=context)


async def by_a_model(stage: Stage, context: Context, text: str) -> None:
    """Say it as another agent's model does, whose tool is the script."""
    llm_context = llm.LLMContext("other", context, "en", "conversation", None)
    api = await llm.async_get_api(stage.hass, "assist", llm_context)
    await api.async_call_tool(llm.ToolInput("script__say", {"text": text}))


async def unlocks(stage: Stage, say: Say) -> bool:
    context = await stage._async_context(ANNA)
    for text in ("Make it cosy", "Yes"):
        stage.model.answers = [FRONT, "Done."]
        await say(stage, context, text)
        await stage.hass.async_block_till_done()
    return UNLOCKED in stage.house.effects


@pytest.mark.parametrize("say", [by_a_script, by_a_sequence, by_a_model])
async def test_a_script_that_a_person_started_is_nobody(stage: Stage, say: Say) -> None:
    """It cannot ask, nor answer what it was asked."""
    assert not await unlocks(stage, say)
    # It is heard as somebody where the contexts of scripts are not known.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(speaker, "contexts_of_running_scripts", lambda _: set())
        assert await unlocks(stage, say)


async def test_an_add_on_is_nobody(stage: Stage) -> None:
    """Its user was made by Home Assistant."""
    made = await stage.hass.auth.async_create_system_user("Supervisor")
    stage._users["supervisor"] = made.id
    for who in (Who("supervisor"), Who("supervisor", satellite=SATELLITE)):
        heard = await stage.say("Make it cosy", FRONT, "Done.", who=who)
        assert heard.effects == []
        assert heard.question is None
        assert heard.error


async def test_the_owner_may_let_automations_act(stage: Stage) -> None:
    """They are not asked then; people are."""
    await stage.change_agent(**{CONF_UNATTENDED: True})
    await stage.play(
        Line("Make it cosy", [FRONT, "Done."], does=[UNLOCKED], who=AUTOMATION),
        Line("Make it cosy", [FRONT], asks="Front door", who=ANNA, new=True),
        Line("Make it cosy", [FRONT], asks="Front door", who=AT_SATELLITE, new=True),
    )


@pytest.mark.parametrize("script", ["say", "ask_lumo"])
async def test_a_script_of_a_turn_asks_for_nothing_that_automations_may(
    stage: Stage, script: str
) -> None:
    """Somebody is there: who started the turn."""
    await stage.change_agent(**{CONF_UNATTENDED: True})
    given: dict[str, Any] = {"text": "Unlock it"} if script == "say" else {}
    ask = Call(script, **given)
    await stage.play(
        Line("Make it cosy", [ask], asks=script.replace("_", " ")),
        Line("Yes", [FRONT, "Done.", "Done."]),
    )
    # By an automation, in a conversation of its own, the same is done.
    stage.model.answers = [FRONT, "Done."]
    given = {"text": "x", "talk": "other"}
    await stage.hass.services.async_call("script", script, given, blocking=True)
    assert UNLOCKED in stage.house.effects


async def test_an_agent_that_is_trusted_asks_only_about_tools(stage: Stage) -> None:
    """Doors it opens by itself."""
    await stage.change_agent(
        **{CONF_AUTONOMY: Autonomy.TRUSTED, CONF_LLM_HASS_API: ["assist", "outside"]}
    )
    await stage.play(
        Line("Unlock the front door", [FRONT, "Done."], does=[UNLOCKED]),
        Line("Make it cosy", [Call("send_mail", query="Hello")], asks="Hello"),
        Line("Yes", ["Done."], does=["call mcp__send_mail"]),
    )


OUTSIDE = {CONF_LLM_HASS_API: ["assist", "outside"]}


@pytest.mark.long
async def test_tools_of_servers_ask_first(
    stage: Stage, subtests: pytest.Subtests
) -> None:
    await stage.change_agent(**OUTSIDE)
    for tool in ("open_gate", "send_mail", "read_news"):
        with subtests.test(tool):
            stage.fresh()
            does = [] if tool == "read_news" else [f"call mcp__{tool}"]
            title = tool.replace("_", " ").capitalize()
            call = Call(tool, query="the garden")
            await stage.play(
                Line("Make it cosy", [call], asks=[title, "the garden"], requests=1),
                Line("Yes", ["Done."], does=does),
                Line("Make it cosy", [call], asks=title),
                Line("No", requests=0),
                Line("How are you?", [call, "Well."]),
            )
            stage.fresh()
            heard = await stage.say("Make it cosy", call, "Done.", who=AUTOMATION)
            assert heard.effects == []
            assert heard.error


async def test_a_tool_that_asks_first_does_harmless_things_after_a_yes(
    stage: Stage,
) -> None:
    """It asks, and does what was called."""
    await stage.permit(Permission.ASK, "HassTurnOff", "good_night")
    await stage.play(
        Line("Make it cosy", [LAMP], asks="Kitchen light"),
        Line("Yes", ["Done."], does=[DARK]),
        Line("Make it cosy", [FRONT], asks="Front door", new=True),
        Line("Yes", ["Done."], does=[UNLOCKED]),
        Line("Good night", [Call("good_night")], asks="Good night", new=True),
    )
    assert "lock lock.front_door" in (await stage.say("Yes", "Good night.")).effects
