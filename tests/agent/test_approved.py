"""What a yes is for, whose it is and for how long; what a turn leaves for the next."""

import asyncio
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util
import probatio
import pytest

from custom_components.lumo.abilities.plans import End, ScheduledTask
from custom_components.lumo.abilities.triggers import Trigger
from custom_components.lumo.agent import approved
from custom_components.lumo.agent.asking import Dialogue
from custom_components.lumo.agent.confirmation import may_confirm
from custom_components.lumo.agent.conversation_state import ConversationState, Question
from custom_components.lumo.agent.options import AgentOptions
from custom_components.lumo.agent.record import TurnRecord
from custom_components.lumo.agent.toolbox import Toolbox
from custom_components.lumo.agent.turn_tools import tools_for
from custom_components.lumo.const import (
    CONF_AUTONOMY,
    CONF_UNATTENDED,
    DEFAULT_OPTIONS,
    Autonomy,
)
from custom_components.lumo.gate.call_record import CallRecord
from custom_components.lumo.gate.consent import Reply
from custom_components.lumo.gate.judged_call import Ask
from custom_components.lumo.gate.speaker import Speaker
from custom_components.lumo.languages import EN

from .conftest import FakeTool
from .scripted import Scene
from .turns import COMMAND, LOOK, OFF

DOOR = "lock.front"


def planned(**more: Any) -> ScheduledTask:
    """Return what was planned in the hall just now."""
    now = dt_util.utcnow().timestamp()
    values: dict[str, Any] = {
        **dict.fromkeys(("agent", "language"), "en"),
        **dict.fromkeys(("user_id", "device_id")),
        "satellite_id": "assist_satellite.hall",
        "trigger": Trigger(at=now),
        "asks": [Ask("", {}, frozenset({DOOR}), "do_unlock", ("Door",))],
        "created": now,
    }
    return ScheduledTask(**values | more)


NO_YES = [Ask("", {}, frozenset(), "do_unlock", ("Door",))]


@pytest.mark.parametrize(
    ("hours", "more", "yes", "trusted"),
    [
        (23, {}, {DOOR}, True),
        (25, {}, set[str](), True),
        # Nobody said yes to what opens.
        (23, {"opens": True, "asks": NO_YES}, set[str](), True),
        (25, {"opens": True, "asks": NO_YES}, set[str](), False),
        (25, {"asks": NO_YES}, set[str](), True),
        (25, {"opens": True}, set[str](), True),
        (0, {"opens": True, "asks": NO_YES, "trigger": Trigger(entity_id="a.b")}, set[str](), False),
    ],
)  # fmt: skip
async def test_the_yes_of_a_plan_counts_for_a_day(
    hass: HomeAssistant,
    monkeypatch: pytest.MonkeyPatch,
    hours: int,
    more: Any,
    yes: set[str],
    trusted: bool,
) -> None:
    runs: list[tuple[list[Ask], AgentOptions]] = []

    async def run(
        _agent: Any, asks: list[Ask], *_: Any, options: AgentOptions, **_more: Any
    ) -> tuple[str, TurnRecord]:
        runs.append((asks, options))
        return "", TurnRecord()

    monkeypatch.setattr(approved, "_async_run", run)
    plan = planned(created=dt_util.utcnow().timestamp() - hours * 3600, **more)
    may_act = {**DEFAULT_OPTIONS, CONF_UNATTENDED: True, CONF_AUTONOMY: "trusted"}
    options = AgentOptions.from_subentry(may_act, encrypted=True)
    agent: Any = SimpleNamespace(hass=hass, options=options)
    await approved._async_carry_out(agent, plan)
    [([ask], used)] = runs
    assert ask.entities == yes
    assert not used.unattended
    assert (used.autonomy is Autonomy.TRUSTED) is trusted


@pytest.mark.parametrize(
    "row",
    [
        (End.NOT_SO, {}, ["assist"], None, ""),
        (End.INTERRUPTED, {}, ["assist"], None, "I do not know whether it is done: "),
        (End.MISSED, {}, ["assist"], None, "is not done: unlock Door. Home Assistant"),
        (End.DUE, {"asks": [], "say": "Bins"}, [], None, "Bins"),
        (End.DUE, {"user_id": "gone"}, ["assist"], None, "no longer a user here"),
        (End.DUE, {"user_id": "idle"}, ["assist"], None, "no longer a user here"),
        (End.DUE, {}, [], None, "It is gone"),
        (End.DUE, {}, None, None, "It is gone"),
        (End.DUE, {"say": "x"}, ["assist"], TurnRecord(has_done_all=True), "unlock Door"),
        (End.DUE, {}, ["assist"], TurnRecord(has_done_all=True), "It is jammed."),
        (End.DUE, {}, ["assist"], TurnRecord(), "Not all of it has worked. It is jam"),
        (End.DUE, {}, ["assist"], TurnRecord(error="x"), "done: unlock Door. It is jam"),
        (End.DUE, {}, ["assist"], KeyError("secret"), "I do not know whether it is"),
    ],
)  # fmt: skip
async def test_what_becomes_of_a_plan_is_told(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch, row: Any
) -> None:
    end, more, apis, record, said = row
    told: list[str] = []

    async def run(*_: Any, **_more: Any) -> tuple[str, TurnRecord]:
        assert record is not None
        if isinstance(record, Exception):
            raise record
        return "" if "say" in more else "It is jammed.", record

    async def user(user_id: str) -> Any:
        return SimpleNamespace(is_active=False) if user_id == "idle" else None

    async def tell(_hass: HomeAssistant, _plan: ScheduledTask, text: str) -> None:
        told.append(text)

    monkeypatch.setattr(approved, "_async_run", run)
    monkeypatch.setattr(approved, "_async_tell", tell)
    monkeypatch.setattr(hass.auth, "async_get_user", user)
    options = AgentOptions.from_subentry(DEFAULT_OPTIONS, encrypted=True)
    agent: Any = SimpleNamespace(hass=hass, options=replace(options, llm_apis=apis))
    agent = None if apis is None else agent
    plans: Any = None
    await approved.async_end_plan(hass, planned(**more), end, agent, plans)
    assert len(told) == bool(said) and said in "".join(told)
    assert "secret" not in "".join(told)


@pytest.mark.parametrize(
    "row",
    [
        ("", "", "timer announced sent", True),
        ("timer", "", "timer announced sent", False),
        ("sent", "", "timer announced sent", False),
        ("timer announced", "timer", "timer", False),
        ("announced", "announced", "timer announced", False),
    ],
)
async def test_an_alarm_goes_on_until_somebody_is_awake(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch, row: Any
) -> None:
    """Where nothing of it works, a notification is left."""
    works, wakes, tried, is_left = row
    ways: list[str] = []

    def way(name: str) -> Any:
        async def act(*_: Any) -> None:
            ways.append(name)
            now = "listening" if name in wakes else "responding"
            hass.states.async_set("assist_satellite.hall", now)
            await hass.async_block_till_done()
            if name not in works:
                raise HomeAssistantError("not here")

        return act

    for function, name in (
        ("_async_start_timer", "timer"),
        ("async_announce", "announced"),
        ("_async_send", "sent"),
        ("_async_tell", "left timer announced sent"),
    ):
        monkeypatch.setattr(approved, function, way(name))
    monkeypatch.setattr(approved, "_PATIENCE", 0.01)
    awake = asyncio.Event()
    with suppress(HomeAssistantError):
        await approved._async_ring(hass, planned(say="Alarm"), None, awake)
    assert " ".join(ways) == f"{tried}{' left timer announced sent' * is_left}"
    assert awake.is_set() is bool(wakes)


async def test_a_yes_is_for_the_thing_that_was_named(
    hass: HomeAssistant, toolbox: Toolbox, turn_off: FakeTool
) -> None:
    """One that is called otherwise by now is another."""
    hass.states.async_set(DOOR, "locked", {"friendly_name": "Front door"})
    ask = Ask(turn_off.name, {}, frozenset({DOOR}), "", names=((DOOR, "Front door"),))
    assert len(approved.admit(hass, toolbox, [ask])) == 1
    assert not approved.admit(hass, toolbox, [replace(ask, tool="gone")])
    hass.states.async_set(DOOR, "locked", {"friendly_name": "Bank"})
    assert approved.admit(hass, toolbox, [ask]) == []


@pytest.mark.parametrize(
    ("user", "said", "reply", "declined"),
    [
        ("anna", "Yes", Reply.YES, set[str]()),
        ("ben", "Yes", Reply.OTHER, {DOOR}),
        ("anna", "No", Reply.NO, {DOOR}),
        ("anna", "Never mind", Reply.NO, {DOOR}),
    ],
)
async def test_an_answer_is_that_of_who_was_asked(
    hass: HomeAssistant, user: str, said: str, reply: Reply, declined: set[str]
) -> None:
    """What gets no yes is not asked about again at once."""
    ask = Ask("tool", {}, frozenset({DOOR}), "do_unlock", ("Front door",))
    asked = Speaker(user, None, True, "Unlock it", "en")
    state = ConversationState(question=Question((ask,), asked, (), ""))
    dialogue = Dialogue(Scene(hass, None, said, [], conversation_state=state).context)
    dialogue.read()
    assert dialogue.reply is reply
    assert {x for y in state.earlier.declined for x in y.entities} == declined


@pytest.mark.parametrize(
    ("names", "reply"),
    [
        (("Front door", "Back door"), Reply.SOME),
        # Nobody knows which of them was spoken first.
        (("Door", "Door"), Reply.AGAIN),
        (("Front door", ""), Reply.AGAIN),
    ],
)
async def test_the_second_is_one_of_several_that_were_told_apart(
    hass: HomeAssistant, names: tuple[str, str], reply: Reply
) -> None:
    asks = [
        Ask("tool", {}, frozenset({f"lock.{place}"}), "do_unlock", (name,) * bool(name))
        for place, name in enumerate(names)
    ]
    asked = Speaker("anna", None, True, "Unlock them", "en")
    state = ConversationState(question=Question((*asks,), asked, (), ""))
    scene = Scene(hass, None, "The second", [], conversation_state=state)
    dialogue = Dialogue(scene.context)
    dialogue.read()
    assert dialogue.reply is reply


async def test_nothing_starts_behind_a_turn(
    hass: HomeAssistant, api: llm.APIInstance, turn_off: FakeTool
) -> None:
    """What was admitted and has not begun by then is refused."""
    late = llm.ToolInput(tool_name=turn_off.name, tool_args={})
    scene = Scene(hass, api, COMMAND, [OFF, "Done."])
    gates: list[Any] = []

    async def act() -> dict[str, Any]:
        assert scene.log.llm_api
        gated: Any = scene.log.llm_api.tools[0]
        gated._gate.allow(late.id)
        gates.append(gated._gate)
        return {"success": True}

    turn_off.does = act
    await scene.run()
    with pytest.raises(HomeAssistantError, match="not allowed"):
        await gates[0].async_run(turn_off, hass, late, api.llm_context)


@pytest.mark.parametrize(
    ("tool", "arguments", "heard", "is_done"),
    [
        ("intent__HassTurnOff", {"area": "Hall"}, "", True),
        ("intent__HassTurnOff", {"name": "nowhere"}, "", False),
        ("gone", {}, "[approved_gone]", False),
    ],
)
async def test_it_is_known_whether_what_was_approved_is_done(
    hass: HomeAssistant,
    api: llm.APIInstance,
    tool: str,
    arguments: Any,
    heard: str,
    is_done: bool,
) -> None:
    """Lumo is not asked."""
    scene = Scene(hass, api, "", [])
    scene.context.approved = [Ask(tool, arguments, frozenset(), "do_turn_off")]
    assert await scene.run() == heard
    assert scene.record.has_done_all is is_done
    assert (scene.record.first_word is None) is (not heard)
    assert scene.decisions[0] == "a person has approved it before"
    assert not scene.client.requests


@pytest.mark.parametrize("open_world", [True, False])
def test_what_reaches_outside_is_for_the_model_to_tell(open_world: bool) -> None:
    used = FakeTool("order", probatio.Schema({}), open_world=open_world)
    outcome = CallRecord.of(used)
    outcome.success = outcome.complete = True
    assert may_confirm("Order milk", EN, [outcome], 1) is not open_world


@pytest.mark.parametrize(("integration", "outside"), [("mcp", True), ("test", False)])
async def test_what_a_server_says_of_its_tools_is_from_outside(
    hass: HomeAssistant,
    api: llm.APIInstance,
    turn_off: FakeTool,
    integration: str,
    outside: bool,
) -> None:
    turn_off.integration = integration
    context = Scene(hass, api, COMMAND, []).context
    gate = tools_for(context, Dialogue(context)).toolbox.gate
    assert gate.has_read_outside() is outside


@pytest.mark.parametrize("text", [OFF, ""])
async def test_what_was_read_is_known_in_the_next_turn(
    hass: HomeAssistant, api: llm.APIInstance, live_context: FakeTool, text: str
) -> None:
    """The tool that was read may be gone by then; and a call in it is none."""

    async def read() -> dict[str, Any]:
        return {"news": text}

    live_context.does = read
    scene = Scene(hass, api, "What is new?", [LOOK, OFF, "Not much."])
    await scene.run()
    told = "call refused: it stands in a tool's result"
    assert (told in scene.decisions) is bool(text)
    assert scene.context.conversation_state.earlier.read_outside is bool(text)
