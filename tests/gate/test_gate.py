"""What runs a judged call: once, within its turn, and as it was judged."""

import asyncio
from dataclasses import fields, replace
from math import inf
from typing import Any, cast
from unittest.mock import patch

from homeassistant.core import Event, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent, llm
import probatio
import pytest

from custom_components.lumo.const import EVENT_TOOL_CALLED
from custom_components.lumo.gate import gate as policy, verify
from custom_components.lumo.gate.call_record import CallRecord, Journal
from custom_components.lumo.gate.consent import Reply
from custom_components.lumo.gate.effects import Effect
from custom_components.lumo.gate.gate import Gate, GatedTool
from custom_components.lumo.gate.judge import Judge
from custom_components.lumo.gate.judged_call import Ask, JudgedCall, Target, Verdict
from custom_components.lumo.gate.notes import NOTES, RefusedError
from custom_components.lumo.gate.own_tool import OwnTool
from custom_components.lumo.gate.reach import Reach
from custom_components.lumo.gate.speaker import Speaker
from tests.agent.conftest import FakeTool, LenientJudge

KIND = intent.IntentResponseTargetType.ENTITY
CONTEXT = llm.LLMContext("lumo", None, "en", "conversation", None)


@pytest.fixture
def gate() -> Gate:
    return Gate(judge=cast(Judge, LenientJudge()))


def tool(**annotations: bool) -> FakeTool:
    return FakeTool("server__Do", probatio.Schema({}), **annotations)


async def run(
    hass: HomeAssistant, gate: Gate, used: llm.Tool, **arguments: Any
) -> llm.ToolResult:
    call = llm.ToolInput(tool_name=used.name, tool_args=arguments)
    gate.allow(call.id)
    return cast(llm.ToolResult, await gate.async_run(used, hass, call, CONTEXT))


def judging(*verdicts: Verdict) -> Judge:
    """Return a judge that gives these verdicts, one after the other."""

    class Fixed(LenientJudge):
        left = list(verdicts)

        async def async_judge(self, case: JudgedCall, **_: Any) -> Verdict:
            return self.left.pop(0)

    return cast(Judge, Fixed())


class Ours(OwnTool):
    """A tool of ours that returns what it is told to."""

    name = "lumo__ours"
    parameters = probatio.Schema({})
    annotations = llm.ToolAnnotations()
    unshown = frozenset({"text"})
    tells: Any = {"done": ["Lamp"]}

    async def async_run(self, *_: Any) -> dict[str, Any]:
        return dict(self.tells)


async def test_a_call_runs_once_and_never_behind_its_turn(
    hass: HomeAssistant, gate: Gate
) -> None:
    """What was admitted and not run by then is refused."""
    used, records = tool(read_only=True), list[CallRecord]()
    for key in [
        "name",
        "title",
        "description",
        "parameters",
        "annotations",
        "integration",
    ]:
        assert getattr(GatedTool(used, gate), key) is getattr(used, key)
    gate.record = records.append
    calls = [llm.ToolInput(tool_name=used.name, tool_args={}) for _ in range(2)]
    gate.allow(calls[0].id, frozenset({"lock.front"}))
    gate.allow(calls[1].id)
    await gate.async_run(used, hass, calls[0], CONTEXT)
    with pytest.raises(HomeAssistantError, match="not allowed"):
        await gate.async_run(used, hass, calls[0], CONTEXT)
    gate.close()
    with pytest.raises(HomeAssistantError, match="not allowed"):
        await gate.async_run(used, hass, calls[1], CONTEXT)
    assert used.calls == [{}]
    assert [record.told for record in records] == ["{'success': True}", "", ""]
    # Who asks why hears that it was after a yes.
    assert [record.confirmed for record in records] == [True, False, False]
    assert [record.refusal for record in records] == ["", *[NOTES["not_allowed"]] * 2]


@pytest.mark.parametrize(
    ("annotations", "told"),
    [({"read_only": True}, "No entities matched"), ({}, NOTES["unknown"])],
)
async def test_only_a_trusted_tool_says_why_it_failed(
    hass: HomeAssistant, gate: Gate, annotations: dict[str, bool], told: str
) -> None:
    """People hear it in the tool's words."""
    records: list[CallRecord] = []
    gate.record = records.append
    with pytest.raises(HomeAssistantError):
        await run(hass, gate, tool(**annotations), name="nowhere")
    assert [(record.failure, record.complete) for record in records] == [(told, False)]


ASK = Ask("server__Do", {}, frozenset({"lock.front"}), "do_unlock")


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        (Verdict(asks=(ASK,)), NOTES["waiting"]),
        (Verdict(ambiguity=(ASK, ASK)), NOTES["choosing"]),
        (Verdict(asks=(ASK,), refusal="This is refused."), None),
    ],
)
async def test_what_does_not_run_waits_or_is_refused(
    hass: HomeAssistant, gate: Gate, verdict: Verdict, told: object
) -> None:
    gate.judge, used = judging(verdict), tool()
    if told is None:
        with pytest.raises(RefusedError, match="This is refused."):
            await run(hass, gate, used)
    else:
        assert (await run(hass, gate, used)).data == told
    assert used.calls == []
    assert gate.must_ask is bool(verdict.asks or verdict.ambiguity)


async def test_why_something_was_refused_is_kept(
    hass: HomeAssistant, gate: Gate
) -> None:
    """In our words where there is a sentence; the first one ends the turn."""
    whys = ("no_code", "needs_person", None)
    gate.judge = judging(
        *(Verdict(refusal="Never.", sentence=x, refused=(ASK,)) for x in whys)
    )
    gate.record = (records := list[CallRecord]()).append
    for _ in whys:
        with pytest.raises(RefusedError):
            await run(hass, gate, tool())
    reasons = NOTES["reasons"]
    told = [reasons["no_code"], reasons["needs_person"], "Never."]
    assert (gate.sentence, [record.refusal for record in records]) == ("no_code", told)
    assert all(record.asked == (ASK,) for record in records)
    assert records[0].entities == {"lock.front"}


@pytest.mark.parametrize("at_home", [False, True])
@pytest.mark.parametrize("outside", [False, True])
async def test_the_judge_knows_what_was_read(
    hass: HomeAssistant, gate: Gate, at_home: bool, outside: bool
) -> None:
    """What Home Assistant understood of the person's words is theirs."""
    told = []

    class Noting(LenientJudge):
        async def async_judge(self, case: JudgedCall, **_: Any) -> Verdict:
            told.append(case.after_outside)
            return Verdict(runs=({},))

    gate.judge, gate.at_home = cast(Judge, Noting()), at_home
    gate.has_read_outside = lambda: outside
    await run(hass, gate, tool())
    assert told == [outside and not at_home]


@pytest.mark.parametrize(
    ("more", "told", "complete"),
    [
        ({}, {}, True),
        ({"asks": (ASK,)}, {"rest": NOTES["rest_waiting"]}, True),
        ({"refusal": "No."}, {"rest": NOTES["rest_refused"]}, False),
        ({"skipped": ("Door",)}, {"left_as_they_are": ["Door"]}, False),
        ({"spared": ("Door",)}, {}, True),
    ],
)
async def test_what_ran_is_told_with_what_did_not(
    hass: HomeAssistant, gate: Gate, more: Any, told: Any, complete: bool
) -> None:
    gate.judge = judging(Verdict(runs=({},), **more))
    assert (await run(hass, gate, tool())).data == {"success": True} | told
    assert (gate.has_acted, gate.outcomes[0].complete) == (True, complete)
    assert gate.outcomes[0].skipped == more.get("spared", ())


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        ({"speech_slots": {"canceled": 0}}, NOTES["no_timer"]),
        ({"speech_slots": {"canceled": 1}}, {"speech_slots": {"canceled": 1}}),
        (IndexError("secret"), r"The tool failed \(IndexError\)"),
        (llm.ToolResult({"a": 1}, error=True), {"a": 1}),
        ({"no json": object}, {"result": "<class 'dict'>"}),
        ({"text": "x" * 1_000_000}, {"result": '{"text":"' + "x" * 99_991}),
    ],
)
async def test_what_a_tool_returns_is_read(
    hass: HomeAssistant, gate: Gate, returned: Any, told: Any
) -> None:
    """Home Assistant's own timers fail with a number; a server may return anything."""

    class Plain(FakeTool):
        async def async_call(self, *_: Any) -> Any:
            if isinstance(returned, Exception):
                raise returned
            return returned

    used = Plain("server__Do", probatio.Schema({}))
    gate.judge = judging(Verdict(runs=({},), spared=("Door",)))
    if isinstance(told, str):
        with pytest.raises(HomeAssistantError, match=told):
            await run(hass, gate, used)
    else:
        assert (await run(hass, gate, used)).data == told
    has_failed = isinstance(told, str) or isinstance(returned, llm.ToolResult)
    call = gate.outcomes[0]
    assert gate.has_acted is call.success is bool(call.skipped) is not has_failed


@pytest.mark.parametrize(
    ("tells", "begins", "success", "complete"),
    [
        ({"done": ["Lamp"]}, False, True, True),
        ({"done": ["Lamp"], "failed": ["Door"]}, False, True, False),
        ({"done": [], "failed": ["Door"]}, False, False, False),
        ({"text": "x"}, True, True, False),
    ],
)
async def test_a_tool_of_ours_says_what_it_has_done(
    hass: HomeAssistant, gate: Gate, tells: Any, begins: bool, success: bool, complete: bool
) -> None:  # fmt: skip
    """What only begins has not ended."""
    vars(ours := Ours()).update(tells=tells, begins=begins)
    for more in ({}, {"already_so": [], "left_as_they_are": ["Door"]}):
        ours.tells = tells | more
        await run(hass, gate, ours)
        call = gate.outcomes[-1]
        assert (call.success, call.complete, call.is_so) == (success, complete, False)
        assert list(call.skipped) == (["Door"] if more else [])
    ours.tells = {"done": ["Lamp"], "already_so": ["Lamp"]}
    await run(hass, gate, ours)
    assert gate.outcomes[-1].is_so


async def test_who_does_not_answer_is_kept_for_later(
    hass: HomeAssistant, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With what it was before, and the result that is put right when it does."""
    monkeypatch.setattr(verify, "PATIENCE", 0.05)
    hass.states.async_set("light.a", "off", {"friendly_name": "Lamp"})
    ids = ["light.b", "light.a", "button.a"]
    for item in (ids[0], ids[2]):
        hass.states.async_set(item, "on")
    several = tuple(Target(x, x, Reach(hass, [Effect(x, "turn_on")])) for x in ids)
    all_of = [Verdict(runs=({},), targets=several[:count]) for count in (1, 3)]
    gate.judge = judging(*all_of)
    await run(hass, gate, Ours())
    assert (gate.silent, gate.late, gate.outcomes[0].complete) == ({}, [], True)
    result = await run(hass, gate, Ours())
    assert result.data["no_answer_yet"] == [*gate.silent] == ["Lamp"]
    assert gate.late == [(result.data, frozenset({"light.a"}))]
    call = gate.outcomes[1]
    assert (*call.silent, call.success, call.complete) == ("light.a", True, False)
    assert call.targets == [*gate.acted_on] == ids
    assert gate.is_silent(hass)
    before = {"light.a": "off", "light.b": "on"}
    assert {key: state.state for key, state in gate.before.items()} == before
    hass.states.async_set("light.a", "on")
    assert not gate.is_silent(hass)


@pytest.mark.parametrize(
    ("used", "is_private", "shown"),
    [(Ours, False, {"text": ""}), (Ours, True, {}), (tool, False, {"text": "secret"})],
)
@pytest.mark.parametrize("more", [{}, {"at_home": True}])
async def test_an_event_tells_what_is_called(
    hass: HomeAssistant, gate: Gate, used: Any, is_private: bool, shown: Any, more: Any
) -> None:
    """Before it runs; not what a person wrote, or said in private."""
    events: list[Event[Any]] = []
    hass.bus.async_listen(EVENT_TOOL_CALLED, events.append)
    vars(called := used())["is_private"] = is_private
    gate.at_home, gate.cause = bool(more), {"agent": "lumo"}
    await run(hass, gate, called, text="secret")
    await hass.async_block_till_done()
    told = {"agent": "lumo", "tool": called.name, "title": called.name, **more}
    told |= {"arguments": shown, "entity_ids": [], "confirmed": False}
    assert [event.data for event in events] == [told]


def test_the_journal_keeps_what_acted_or_failed() -> None:
    journal, person = Journal(), Speaker("anna", None, True, "Hello", "en")
    reads, acts = (
        CallRecord.of(tool(read_only=True), person),
        CallRecord.of(Ours(), person),
    )
    for call in (reads, acts, replace(reads, failure="x"), replace(reads, refusal="x")):
        journal.add(call)
    assert [call.name for call in journal.records] == [acts.name, *[reads.name] * 2]
    for _ in range(50):
        journal.add(acts)
    assert {call.name for call in journal.records} == {acts.name}
    assert len(journal.records) == 50
    assert reads.speaker == person
    vars(private := Ours()).update(is_private=True, title="Diary")
    call = CallRecord.of(private, person)
    assert (call.is_private, call.title) == (True, "Diary")
    assert call.speaker == replace(person, sentence="")


def test_what_a_person_said_is_noted_with_what_was_asked() -> None:
    """An answer that was none leaves it open; the same words may be another question."""
    record, journal = CallRecord.of(tool()), Journal()
    known = {"name", "title", "annotations", "at"}
    # It has not run yet.
    assert not any(
        getattr(record, x.name) for x in fields(record) if x.name not in known
    )
    record.asked = (ASK,)
    journal.add(record)
    journal.answered([ASK], Reply.AGAIN)
    journal.answered([replace(ASK)], Reply.YES)
    assert record.reply is None
    journal.answered([ASK], Reply.NO)
    assert record.reply is Reply.NO


@pytest.mark.parametrize("kind", ["acts", "reads", "mcp"])
@pytest.mark.parametrize(("patience", "left"), [(0.01, inf), (60.0, 0.01)])
async def test_a_tool_is_not_waited_for_beyond_its_turn(
    hass: HomeAssistant, gate: Gate, patience: float, left: float, kind: str
) -> None:
    """A script may run for hours. Of what reads there is nothing to tell then."""
    used, reads = tool(read_only=kind == "reads"), kind != "acts"
    release, finished = asyncio.Event(), asyncio.Event()
    used.integration = kind

    async def act() -> dict[str, Any]:
        await release.wait()
        finished.set()
        return {}

    used.does = act
    gate.until = hass.loop.time() + left
    which = "RESULT_PATIENCE" if reads else "ACTION_PATIENCE"
    with patch.object(policy, which, patience):
        if reads:
            with pytest.raises(HomeAssistantError, match="in time"):
                await run(hass, gate, used)
        else:
            result = await run(hass, gate, used)
            assert result.data == NOTES["still_running"]
            assert gate.outcomes[0].is_running
    release.set()
    await hass.async_block_till_done()
    assert finished.is_set()


async def test_a_call_that_would_be_another_by_now_does_not_run(
    hass: HomeAssistant, gate: Gate
) -> None:
    used = tool()
    gate.judge = judging(*(Verdict(runs=({"name": name},)) for name in "ab"))
    hass.bus.async_listen(EVENT_TOOL_CALLED, lambda _event: None)
    with pytest.raises(HomeAssistantError, match="not allowed"):
        await run(hass, gate, used)
    assert used.calls == []


async def test_no_call_overtakes_another(hass: HomeAssistant, gate: Gate) -> None:
    """Others have their turn while it is judged, but no other call of the turn."""
    waits, used = {"first": 2, "second": 0}, tool()

    class Slow(LenientJudge):
        async def async_judge(self, case: JudgedCall, **_: Any) -> Verdict:
            for _turn in range(waits[case.arguments["name"]]):
                await asyncio.sleep(0)
            return Verdict(runs=(case.arguments,))

    gate.judge = cast(Judge, Slow())
    await asyncio.gather(*(run(hass, gate, used, name=name) for name in waits))
    assert [call["name"] for call in used.calls] == [*waits]


async def test_a_judge_that_fails_refuses(hass: HomeAssistant, gate: Gate) -> None:
    """Nothing runs, and the log does not quote the home."""

    class Failing(LenientJudge):
        async def async_judge(self, case: JudgedCall, **_: Any) -> Verdict:
            raise KeyError("lock.front")

    gate.judge, used = cast(Judge, Failing()), tool()
    with pytest.raises(RefusedError, match="not allowed"):
        await run(hass, gate, used)
    assert used.calls == []


@pytest.mark.parametrize(
    ("fails", "told"), [(KeyError("secret"), "KeyError"), (None, "in time")]
)
async def test_a_tool_of_ours_that_cannot_be_prepared_fails(
    hass: HomeAssistant, gate: Gate, fails: Exception | None, told: str
) -> None:
    class Unprepared(Ours):
        async def async_prepare(self, *_: Any) -> None:
            await asyncio.sleep(0 if fails else 3600)
            raise fails or AssertionError

    gate.until = hass.loop.time() + (60 if fails else 0.01)
    with (
        patch.object(policy, "ACTION_PATIENCE", 3600),
        pytest.raises(HomeAssistantError, match=told) as error,
    ):
        await run(hass, gate, Unprepared())
    assert "secret" not in str(error.value)


async def test_a_call_for_several_is_one_result(hass: HomeAssistant) -> None:
    """It names what was done, or has what each returned, and what failed."""

    each = Verdict(runs=({"name": "a"}, {"name": "nowhere"}, {"name": "b"}))
    gate, used, names = Gate(judge=judging(each, each)), tool(), iter("ab")

    async def respond() -> Any:
        response = intent.IntentResponse("en")
        target = intent.IntentResponseTarget(next(names), KIND)
        response.async_set_results([target], [intent.IntentResponseTarget("c", KIND)])
        return llm.IntentResponseDict(response)

    assert (await run(hass, gate, used)).data["results"] == [{"success": True}] * 2
    used.does = respond
    data: Any = (await run(hass, gate, used)).data
    for key, found in (("success", ["a", "b"]), ("failed", ["c", "c"])):
        assert [item["name"] for item in data["data"][key]] == found
    assert data["errors"] == ["No entities matched"]


async def test_a_call_that_was_stopped_fails() -> None:
    """Whoever waits for its result is not stopped with it."""
    with pytest.raises(HomeAssistantError, match="stopped"):
        policy._merged([asyncio.CancelledError()])
    (task := asyncio.create_task(asyncio.Event().wait())).cancel()
    await asyncio.wait([task])
    policy._log_failure(task)
