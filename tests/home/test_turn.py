"""What the harness reads from the events of a pipeline run."""

from collections.abc import Callable
from typing import Any

import pytest

from dev.home.turn import Change, Turn, _Run

type Reader = Callable[..., Turn]


@pytest.fixture
def read() -> Reader:
    def reader(*events: tuple[str, dict[str, Any]]) -> Turn:
        turn = Turn("Hello")
        run = _Run(turn, None)
        for kind, data in events:
            run.on_event({"type": kind, "data": data})
        return turn

    return reader


def delta(**fields: Any) -> tuple[str, dict[str, Any]]:
    return "intent-progress", {"chat_log_delta": fields}


def call(call_id: str, **fields: Any) -> dict[str, Any]:
    arguments = {"name": "Lamp"}
    return {"tool_name": "t", "tool_args": arguments, "id": call_id, **fields}


def result(call_id: str, data: dict[str, Any], *, error: bool) -> dict[str, Any]:
    return {
        "role": "tool_result",
        "tool_call_id": call_id,
        "tool_name": "t",
        "result": {"data": data, "error": error},
    }


def end(kind: str = "action_done", speech: str = "", **fields: Any) -> Any:
    response = {
        "response_type": kind,
        "speech": {"plain": {"speech": speech}},
        "data": fields,
    }
    output = {"response": response, "conversation_id": "c"}
    return "intent-end", {"intent_output": output}


@pytest.mark.parametrize(
    ("deltas", "reply"),
    [
        pytest.param([], "", id="nothing"),
        pytest.param([{"content": "Hel"}, {"content": "lo"}], "Hello", id="pieces"),
        pytest.param(
            [
                {"role": "assistant", "content": "One."},
                {"role": "assistant"},
                {"content": "Two."},
            ],
            "One. Two.",
            id="a space between messages",
        ),
        pytest.param(
            [{"content": "One.\n"}, {"role": "assistant", "content": "Two."}],
            "One.\nTwo.",
            id="no second space",
        ),
        pytest.param(
            [{"thinking_content": "Hm"}, {"content": "Yes."}], "Yes.", id="thoughts"
        ),
        pytest.param(
            [
                {"content": "On."},
                result("1", {"a": 1}, error=False),
                {"role": "assistant", "content": "Done."},
            ],
            "On. Done.",
            id="results are not spoken",
        ),
    ],
)
def test_the_reply_is_what_is_heard(
    read: Reader, deltas: list[dict[str, Any]], reply: str
) -> None:
    """Assistant text only, as the pipeline gives it to the speech engine."""
    assert read(*(delta(**item) for item in deltas)).reply == reply


def test_the_speech_of_the_result_counts_only_if_nothing_was_streamed(
    read: Reader,
) -> None:
    turn = read(delta(content="Streamed."), end(speech="Streamed."))
    assert turn.reply == "Streamed."
    turn = read(end("error", "Broken.", code="unknown"))
    assert (turn.reply, turn.error) == ("Broken.", "unknown")
    assert turn.first_text_ms is None


def test_calls_and_their_results_find_each_other(read: Reader) -> None:
    turn = read(
        delta(role="assistant", tool_calls=[call("1"), call("2")]),
        delta(**result("2", {"error": "E", "error_text": "No lamp"}, error=True)),
        delta(**result("1", {"done": True}, error=False)),
        delta(**result("3", {"whose": "?"}, error=False)),
    )
    first, second = turn.tool_calls
    assert (first.result, first.error) == ({"done": True}, None)
    assert (second.result, second.error) == (None, "No lamp")


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (("on", {"b": 1}), ("off", {"b": None}), ("on", "off", {"b": [1, None]})),
        (("on", {"b": 1}), ("on", {"b": 2}), ("on", "on", {"b": [1, 2]})),
        (("on", {}), ("on", {"c": 3}), ("on", "on", {"c": [None, 3]})),
        (("on", {"b": 1}), ("on", {"b": 1}), None),
        (None, ("on", {}), (None, "on", {})),
        (("on", {}), None, ("on", None, {})),
    ],
)
def test_a_change_is_a_transition_of_state_or_attributes(
    old: tuple[str, dict[str, Any]] | None,
    new: tuple[str, dict[str, Any]] | None,
    expected: tuple[str | None, str | None, dict[str, Any]] | None,
) -> None:
    """Nothing else is one."""

    def state(value: tuple[str, dict[str, Any]] | None) -> dict[str, Any] | None:
        return value and {"state": value[0], "attributes": value[1]}

    change = Change.from_event(
        {"entity_id": "light.a", "old_state": state(old), "new_state": state(new)}
    )
    found = change and (change.before, change.after, change.attributes)
    assert found == expected
