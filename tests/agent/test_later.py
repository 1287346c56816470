"""Whom a plan, an alarm or a draft reaches, and what happens where somebody is missing."""

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

from homeassistant.components import persistent_notification
from homeassistant.core import HomeAssistant, ServiceCall, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er, intent, llm
from homeassistant.util import dt as dt_util
import pytest

from custom_components.lumo.abilities import tell
from custom_components.lumo.abilities.plans import End
from custom_components.lumo.agent import approved
from custom_components.lumo.agent.phone import PhoneError
from custom_components.lumo.gate.call_record import CallRecord
from custom_components.lumo.gate.effects import Effect
from custom_components.lumo.gate.judged_call import Ask
from custom_components.lumo.gate.places import Places
from custom_components.lumo.gate.speaker import Speaker

from .scripted import Scene
from .test_approved import DOOR, planned
from .test_question import sentences
from .turns import COMMAND, OFF

HALL = "assist_satellite.hall"
UNLOCK = Ask("tool", {}, frozenset({DOOR}), "do_unlock", ("Front door",))


@pytest.mark.parametrize(
    "row",
    [
        ("anna", "person.mia", True, "idle", {"anna", "mia"}, {"hall"}),
        ("anna", None, False, "unavailable", {"anna"}, {"anna"}),
        (None, "person.mia", True, None, {"mia"}, set()),
        (None, None, False, "idle", set(), {"hall"}),
        ("ben", "person.ben", False, None, set(), set()),
    ],
)
async def test_who_can_be_reached_hears_of_a_plan(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch, row: Any
) -> None:
    """On all their phones; else at the satellite, and where nobody is, on the screen."""
    user, owner, rings, state, reached, told = row
    sent: dict[str, Any] = {}

    async def note(call: ServiceCall) -> None:
        sent[call.service if call.domain == "notify" else "hall"] = call.data

    hass.services.async_register("assist_satellite", "announce", note)
    for name in ("anna", "mia"):
        hass.states.async_set(f"person.{name}", "home", {"user_id": name})
        hass.services.async_register("notify", name, note)

    def phones(_hass: HomeAssistant, who: State) -> dict[str, str]:
        return {who.object_id: ""}

    for module in (approved, tell):
        monkeypatch.setattr(module, "phones_of", phones)
    if state:
        hass.states.async_set(HALL, state)
    plan, text = planned(user_id=user, rings=rings), "\\<b> [a](b) *now*"
    works = await approved._async_works(approved._async_send(hass, plan, text, owner))
    assert works is bool(reached) and sent.keys() == reached
    for data in sent.values():
        assert data == {"message": text, **({"data": tell.LOUD} if rings else {})}
    sent.clear()
    await approved._async_tell(hass, plan, text)
    assert sent.keys() == told
    left = persistent_notification._async_get_or_create_notifications(hass).values()
    shown = [] if told else [r"\\&lt;b\> \[a\](b) \*now\*"]
    assert [item["message"] for item in left] == shown
    assert all(item["title"] == "Lumo" for item in left)


@pytest.mark.parametrize(
    ("platform", "rings"), [("esphome", True), ("wyoming", True), ("voip", False)]
)
async def test_a_timer_rings_where_it_has_a_sound(
    hass: HomeAssistant, platform: str, rings: bool
) -> None:
    started: list[intent.Intent] = []

    class Timer(intent.IntentHandler):
        intent_type = intent.INTENT_START_TIMER

        async def async_handle(self, intent_obj: intent.Intent) -> Any:
            started.append(intent_obj)
            return intent_obj.create_response()

    intent.async_register(hass, Timer())
    er.async_get(hass).async_get_or_create(
        "assist_satellite", platform, "1", suggested_object_id="hall"
    )
    plan = planned(say="Alarm")
    works = await approved._async_works(approved._async_start_timer(hass, plan))
    assert works is rings
    values = [{key: x["value"] for key, x in item.slots.items()} for item in started]
    assert values == [{"seconds": 1, "name": "Alarm"}] * rings


async def test_an_alarm_that_is_due_rings_for_whom_it_is(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for the owner of the satellite; one that was missed is told of."""
    heard: list[Any] = []

    async def ring(*given: Any) -> None:
        heard.append(given[2:])

    async def say(_hass: HomeAssistant, _plan: Any, text: str) -> None:
        heard.append(text)

    monkeypatch.setattr(approved, "_async_ring", ring)
    monkeypatch.setattr(approved, "_async_tell", say)
    plan, awake = planned(asks=[], say="Alarm", rings=True), asyncio.Event()
    rule = {"name": "Hall", "satellites": [HALL], "owner": "person.mia"}
    options = SimpleNamespace(places=Places.from_options({"places": [rule]}))
    agent: Any = SimpleNamespace(hass=hass, options=options)
    plans: Any = SimpleNamespace(rung={plan.id: (plan, awake)})
    for one, end in ((agent, End.DUE), (None, End.DUE), (agent, End.MISSED)):
        await approved.async_end_plan(hass, plan, end, one, plans)
    assert heard[:2] == [("person.mia", awake), (None, awake)]
    assert f"Alarm, {dt_util.as_local(plan.next_at):%H:%M}" in heard[2]


async def test_what_was_approved_for_tools_that_are_gone_is_not_done(
    hass: HomeAssistant,
) -> None:
    agent: Any = SimpleNamespace(hass=hass)
    speaker = Speaker(None, HALL, False, "", "en")
    context = llm.LLMContext("lumo", None, "en", "conversation", None)
    said, record = await approved._async_run(agent, [], speaker, ["gone"], context)
    assert record.failed and said.startswith("It is gone")


@pytest.mark.parametrize(
    "row",
    [
        (True, True, True, None, ["Done."]),
        (True, True, True, HomeAssistantError(), ["That was not done."]),
        (True, True, False, None, []),
        (True, False, True, None, []),
        (False, True, True, None, []),
        (True, True, True, PhoneError("phone_busy"), []),
    ],
)  # fmt: skip
async def test_an_administrator_approves_a_draft_by_phone(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch, row: Any
) -> None:
    """Only what still waits, and only with a yes; it is said there what came of it."""
    is_admin, is_yes, waits, error, heard = row
    does = {"does": [UNLOCK], "sentence": "Unlock", "user_id": None, "satellite_id": ""}
    draft: Any = SimpleNamespace(**does)
    drafts = {"a": draft}

    async def answered() -> bool:
        if not waits:
            drafts.clear()
        return bool(is_yes)

    question, approve = AsyncMock(), AsyncMock(side_effect=error)
    question.async_answered = answered
    asks = AsyncMock(return_value=question)
    if isinstance(error, PhoneError):
        asks.side_effect = error
    phones = AsyncMock(return_value=SimpleNamespace(is_admin=is_admin))
    monkeypatch.setattr(approved, "async_ask", asks)
    monkeypatch.setattr(approved, "async_phones_of", phones)
    options = SimpleNamespace(phone_person="person.anna")
    agent: Any = SimpleNamespace(hass=hass, entity_id="", options=options)
    routines: Any = SimpleNamespace(drafts=drafts, async_put=approve)
    await approved.async_ask_administrator(agent, routines, "a", draft)
    assert [call.args[1:3] for call in asks.await_args_list] == [
        ("person.anna", [UNLOCK])
    ] * is_admin
    approved_ids = [call.args for call in approve.await_args_list]
    assert approved_ids == [("a", draft)] * bool(heard)
    assert [call.args for call in question.async_tell.await_args_list] == [
        (text,) for text in heard
    ]


DRAFTED = "Unlock the front door. An administrator has to approve"
LAMP = {"Lamp": Effect("light.gone", "turn_off")}
QUIET, OVEN = "No answer from Lamp yet.", "Not touched: Oven."


@pytest.mark.parametrize(
    "row",
    [
        ({"sentence": "routine_draft"}, "", DRAFTED, "an administrator is asked"),
        ({"silent": LAMP}, "Off.", f"Done. | {QUIET}", "a device did not answer"),
        ({"silent": LAMP}, "The lamp did not answer.", "The lamp did not answer.", ""),
        ({"left": ["Oven"]}, "Off.", f"Off. | {OVEN}", ""),
        ({"left": ["Oven"]}, "All but the oven are off.", f"All but the oven are off. | {OVEN}", ""),
        ({"left": ["Oven"]}, "The oven is not off.", "The oven is not off.", ""),
    ],
)  # fmt: skip
async def test_what_a_call_leaves_is_said(
    hass: HomeAssistant, api: llm.APIInstance, turn_off: Any, row: Any
) -> None:
    """The own drafts; what did not answer or stays, unless the answer says so."""
    more, answer, heard, decided = row
    scene = Scene(hass, api, COMMAND, [OFF, answer])
    lock, said = replace(UNLOCK, phrase="do_lock"), {"sentence": COMMAND}
    own = SimpleNamespace(does=[UNLOCK], user_id=scene.context.speaker.user_id, **said)
    drafts = {"a": own, "b": SimpleNamespace(does=[lock], user_id="other", **said)}
    scene.context.sentences = sentences("en")

    def leave(call: CallRecord) -> None:
        call.skipped = more.get("left", ())

    async def act() -> dict[str, Any]:
        assert scene.log.llm_api
        routines: Any = SimpleNamespace(drafts=drafts)
        scene.context.routines = routines
        gated: Any = scene.log.llm_api.tools[0]
        gated._gate.silent |= more.get("silent", {})
        gated._gate.sentence = more.get("sentence")
        gated._gate.record = leave
        return {}

    turn_off.does = act
    assert (await scene.run()).startswith(heard)
    assert len(scene.client.requests) == 1 + bool(answer) and not scene.record.failed
    assert bool(decided) is (decided in scene.decisions)
