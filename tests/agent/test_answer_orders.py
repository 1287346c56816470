"""Answers whose events come in rarer orders, all of which the protocol allows."""

from typing import Any

import pytest

from custom_components.lumo.agent.answer import AnswerReader
from custom_components.lumo.agent.claims import ClaimRule
from custom_components.lumo.agent.proton_channel import MisroutedCall
from custom_components.lumo.agent.record import TurnRecord
from custom_components.lumo.agent.toolbox import Toolbox
from custom_components.lumo.languages import EN
from custom_components.lumo.lumo_client.events import (
    Event,
    FunctionCall,
    FunctionCallBegun,
    ServerToolCall,
    ServerToolResult,
    TextDelta,
)

from .test_answer import (
    ANNOUNCED,
    APOLOGY,
    CALL,
    DISPATCHED,
    END,
    FAILED,
    KITCHEN,
    NEXT,
    OFF,
    read,
)

BEGUN = FunctionCallBegun("user:HassTurnOff")
HALL = {"area": "Hall"}
SUNNY = TextDelta("It is sunny.")


def function(call_id: str, arguments: dict[str, Any], name: str = "") -> FunctionCall:
    """Return a call on the function channel."""
    return FunctionCall(call_id, name or "user:HassTurnOff", arguments, "")


ORDERS: dict[str, tuple[list[Event], str, list[tuple[str, Any]]]] = {
    "the apology behind a misrouted function call is not spoken": (
        [BEGUN, APOLOGY, function("a", KITCHEN), END],
        "",
        [(OFF, KITCHEN)],
    ),
    "words before a function call are spoken": (
        [TextDelta("Sure."), BEGUN, APOLOGY, function("a", KITCHEN), END],
        "Sure.",
        [(OFF, KITCHEN)],
    ),
    "a stream with function calls to come is read to its end": (
        [
            TextDelta(f"{CALL}\n"),
            BEGUN,
            APOLOGY,
            function("a", KITCHEN),
            function("b", HALL),
            END,
        ],
        "",
        [(OFF, KITCHEN), (OFF, HALL)],
    ),
    "Proton's own tool on the function channel is not ours": (
        [
            FunctionCallBegun("web_search"),
            SUNNY,
            function("a", {"query": "x"}, "web_search"),
            END,
        ],
        SUNNY.text,
        [],
    ),
    "a tool of Proton's that is not known yet is not ours": (
        [
            ServerToolCall("c", "maps", None, ""),
            ServerToolCall("c", "maps", {"to": "x"}, '{"to":"x"}'),
            ServerToolResult("c", '{"km":3}', failed=False),
            SUNNY,
            END,
        ],
        SUNNY.text,
        [],
    ),
    "a call repeated without its arguments runs once": (
        [
            DISPATCHED,
            ServerToolCall("d", "HassTurnOff", {}, "{}"),
            FAILED,
            ServerToolResult("d", '{"error":true}', failed=True),
            APOLOGY,
            END,
        ],
        "",
        [(OFF, KITCHEN)],
    ),
    "next track misrouted twice is two": (
        [
            function("a", {}, "user:HassMediaNext"),
            function("b", {}, "user:HassMediaNext"),
            END,
        ],
        "",
        [(NEXT, {}), (NEXT, {})],
    ),
    "a web search, then a misrouted call": (
        [
            ServerToolCall("s", "web_search", {"query": "x"}, '{"query":"x"}'),
            ServerToolResult("s", "{}", failed=False),
            SUNNY,
            ANNOUNCED,
            DISPATCHED,
            FAILED,
            APOLOGY,
            END,
        ],
        SUNNY.text,
        [(OFF, KITCHEN)],
    ),
    "a misrouted call without any result": (
        [ANNOUNCED, DISPATCHED, APOLOGY, END],
        "",
        [(OFF, KITCHEN)],
    ),
    "a result before its announcement's dispatch": (
        [ANNOUNCED, FAILED, DISPATCHED, APOLOGY, END],
        "",
        [(OFF, KITCHEN)],
    ),
}


@pytest.mark.parametrize(("events", "text", "calls"), ORDERS.values(), ids=ORDERS)
def test_private_answer_in_any_order(
    toolbox: Toolbox,
    record: TurnRecord,
    events: list[Event],
    text: str,
    calls: list[tuple[str, Any]],
) -> None:
    """What is let out, and that nothing is left to bounce."""
    answer = AnswerReader(toolbox, record, native=False)
    assert read(answer, events) == (text, calls)
    assert answer.bounce is None


BOUNCED: dict[str, tuple[list[Event], MisroutedCall]] = {
    "only announced": (
        [ANNOUNCED, FAILED, APOLOGY, END],
        MisroutedCall(OFF, None),
    ),
    "an unknown tool that failed": (
        [
            ServerToolCall("c", "TurnTheLightOff", {"a": 1}, '{"a":1}'),
            FAILED,
            APOLOGY,
            END,
        ],
        MisroutedCall("TurnTheLightOff", {"a": 1}),
    ),
    "an unknown tool without a result": (
        [ServerToolCall("c", "Unheard", {"a": 1}, '{"a":1}'), APOLOGY, END],
        MisroutedCall("Unheard", {"a": 1}),
    ),
    "an unknown tool and nothing more": (
        [ServerToolCall("c", "Unheard", {"a": 1}, '{"a":1}')],
        MisroutedCall("Unheard", {"a": 1}),
    ),
    "invalid, and again without arguments": (
        [
            ServerToolCall("c", "user:HassTurnOff", {"where": "x"}, '{"where":"x"}'),
            ServerToolCall("d", "user:HassTurnOff", {}, "{}"),
            FAILED,
            ServerToolResult("d", '{"error":true}', failed=True),
            APOLOGY,
            END,
        ],
        MisroutedCall(OFF, {"where": "x"}),
    ),
}


@pytest.mark.parametrize(("events", "bounce"), BOUNCED.values(), ids=BOUNCED)
def test_what_cannot_run_is_kept_for_the_bounce(
    toolbox: Toolbox, record: TurnRecord, events: list[Event], bounce: MisroutedCall
) -> None:
    """And nothing is spoken or run."""
    answer = AnswerReader(toolbox, record, native=False)
    assert read(answer, events) == ("", [])
    assert answer.bounce == bounce


def test_native_stream_is_read_to_its_end(toolbox: Toolbox, record: TurnRecord) -> None:
    """A call may surface on Proton's channel first; others come at the end."""
    answer = AnswerReader(toolbox, record, native=True)
    events: list[Event] = [
        DISPATCHED,
        TextDelta("Turning it off."),
        function("a", KITCHEN, "HassTurnOff"),
        function("b", HALL, "HassTurnOff"),
        END,
    ]
    assert read(answer, events) == ("", [(OFF, KITCHEN), (OFF, HALL)])


def test_what_was_said_is_known_once(toolbox: Toolbox, record: TurnRecord) -> None:
    """The opening that the end lets out does not count twice."""
    rule = ClaimRule.for_turn("Turn off the light", EN, None)
    answer = AnswerReader(toolbox, record, native=False, rule=rule)
    assert read(answer, [TextDelta("No"), END]) == ("No", [])
    assert (answer.said, answer.held) == ("No", "")


def test_a_claim_before_a_misrouted_call_is_held(
    toolbox: Toolbox, record: TurnRecord
) -> None:
    """Other words before it are spoken."""
    rule = ClaimRule.for_turn("Turn off the light", EN, None)
    wrong = ServerToolCall("c", "user:HassTurnOff", {"x": 1}, '{"x":1}')
    for said, heard in (("Done, I turned it off.", ""), ("Not yet.", "Not yet.")):
        answer = AnswerReader(toolbox, record, native=False, rule=rule)
        assert read(answer, [TextDelta(said), wrong, FAILED, END]) == (heard, [])


def test_a_long_claim_is_judged_only_at_its_beginning(
    toolbox: Toolbox, record: TurnRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The cost of an answer does not grow with the square of its length."""
    judged = 0
    judge = ClaimRule.judge

    def count(self: ClaimRule, answer: str, **options: bool) -> Any:
        nonlocal judged
        judged += len(answer)
        return judge(self, answer, **options)

    monkeypatch.setattr(ClaimRule, "judge", count)
    rule = ClaimRule.for_turn("Turn off the kitchen light", EN, None)
    answer = AnswerReader(toolbox, record, native=False, rule=rule)
    text = "I don't have access to that tool. " + "And there is more to tell. " * 400
    events: list[Event] = [TextDelta(text[i : i + 4]) for i in range(0, len(text), 4)]
    assert read(answer, [*events, END]) == ("", [])
    assert judged < 100_000
