"""What runs a judged call: once, within its turn, and as it was judged."""

import asyncio
from dataclasses import replace
from math import inf
from typing import Any, cast
from unittest.mock import patch

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent, llm
import probatio
import pytest

from custom_components.lumo.const import EVENT_TOOL_CALLED
from custom_components.lumo.gate import gate as policy
from custom_components.lumo.gate.call_record import CallRecord, Journal
from custom_components.lumo.gate.consent import Reply
from custom_components.lumo.gate.gate import Gate, GatedTool
from custom_components.lumo.gate.judge import Judge
from custom_components.lumo.gate.judged_call import Ask, JudgedCall, Verdict
from custom_components.lumo.gate.notes import NOTES, RefusedError
from custom_components.lumo.gate.own_tool import OwnTool
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


async def test_a_call_runs_once_and_never_behind_its_turn(
    hass: HomeAssistant, gate: Gate
) -> None:
    """What was admitted and not run by then is refused."""
    used, records = tool(read_only=True), list[CallRecord]()
    assert GatedTool(used, gate).annotations.read_only
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
    class Fixed(LenientJudge):
        async def async_judge(self, case: JudgedCall, **_: Any) -> Verdict:
            return verdict

    gate.judge, used = cast(Judge, Fixed()), tool()
    if told is None:
        with pytest.raises(RefusedError, match="This is refused."):
            await run(hass, gate, used)
    else:
        assert (await run(hass, gate, used)).data == told
    assert used.calls == []


def test_what_a_person_said_is_noted_with_what_was_asked() -> None:
    """An answer that was none leaves it open; the same words may be another question."""
    record, journal = CallRecord.of(tool()), Journal()
    record.asked = (ASK,)
    journal.add(record)
    journal.answered([ASK], Reply.AGAIN)
    journal.answered([replace(ASK)], Reply.YES)
    assert record.reply is None
    journal.answered([ASK], Reply.NO)
    assert record.reply is Reply.NO


@pytest.mark.parametrize("reads", [False, True])
@pytest.mark.parametrize(("patience", "left"), [(0.01, inf), (60.0, 0.01)])
async def test_a_tool_is_not_waited_for_beyond_its_turn(
    hass: HomeAssistant, gate: Gate, patience: float, left: float, reads: bool
) -> None:
    """A script may run for hours. Of what reads there is nothing to tell then."""
    used, release, finished = tool(read_only=reads), asyncio.Event(), asyncio.Event()

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

    class Changing(LenientJudge):
        times = 0

        async def async_judge(self, case: JudgedCall, **_: Any) -> Verdict:
            self.times += 1
            return Verdict(runs=({"name": f"lock {self.times}"},))

    gate.judge = cast(Judge, Changing())
    hass.bus.async_listen(EVENT_TOOL_CALLED, lambda _event: None)
    with pytest.raises(HomeAssistantError, match="not allowed"):
        await run(hass, gate, used)
    assert used.calls == []


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
    ("fails", "told"), [(KeyError("secret"), "KeyError"), (TimeoutError(), "in time")]
)
async def test_a_tool_of_ours_that_cannot_be_prepared_fails(
    hass: HomeAssistant, gate: Gate, fails: Exception, told: str
) -> None:
    class Ours(OwnTool):
        name = "lumo__ours"
        parameters = probatio.Schema({})

        async def async_prepare(self, *_: Any) -> None:
            raise fails

        async def async_run(self, *_: Any) -> dict[str, Any]:
            raise AssertionError

    with pytest.raises(HomeAssistantError, match=told) as error:
        await run(hass, gate, Ours())
    assert "secret" not in str(error.value)


async def test_a_call_for_several_is_one_result(hass: HomeAssistant) -> None:
    """It names what was done, or has what each returned, and what failed."""

    class Each(LenientJudge):
        async def async_judge(self, case: JudgedCall, **_: Any) -> Verdict:
            return Verdict(runs=({"name": "a"}, {"name": "nowhere"}, {"name": "b"}))

    gate, used, names = Gate(judge=cast(Judge, Each())), tool(), iter("ab")

    async def respond() -> Any:
        response = intent.IntentResponse("en")
        target = intent.IntentResponseTarget(next(names), KIND)
        response.async_set_results([target], [])
        return llm.IntentResponseDict(response)

    assert (await run(hass, gate, used)).data["results"] == [{"success": True}] * 2
    used.does = respond
    data: Any = (await run(hass, gate, used)).data
    assert [item["name"] for item in data["data"]["success"]] == ["a", "b"]
    assert data["errors"] == ["No entities matched"]


def test_a_call_that_was_stopped_fails() -> None:
    """Whoever waits for its result is not stopped with it."""
    with pytest.raises(HomeAssistantError, match="stopped"):
        policy._merged([asyncio.CancelledError()])


async def test_what_a_server_returns_is_bounded(
    hass: HomeAssistant, gate: Gate
) -> None:
    used = tool()

    async def tell() -> Any:
        return {"text": "x" * 1_000_000}

    used.does = tell
    assert 1_000 < len(str((await run(hass, gate, used)).data)) < 200_000
