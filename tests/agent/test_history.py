"""The chat log as turns, odd logs included."""

from typing import Any

from homeassistant.components.conversation import (
    AssistantContent,
    Content,
    SystemContent,
    ToolResultContent,
    UserContent,
)
from homeassistant.helpers import llm
import pytest

from custom_components.lumo.agent.history import OwnSentence, to_messages
from custom_components.lumo.agent.model_texts import NO_ANSWER
from custom_components.lumo.lumo_client.messages import (
    AssistantMessage,
    Message,
    SystemMessage,
    ToolCallMessage,
    ToolResultMessage,
    UserMessage,
)
from custom_components.lumo.tool_calling.naming import ToolNames

NAMES = ToolNames(["intent__HassTurnOff", "homeassistant__GetLiveContext"])
AGENT = "conversation.lumo"
SYSTEM = SystemContent(content="ignored here")


def said(text: str) -> UserContent:
    """A person says."""
    return UserContent(content=text)


def answered(text: str | None, *calls: llm.ToolInput, native: Any = None) -> Content:
    """The agent says and calls."""
    return AssistantContent(
        agent_id=AGENT, content=text, tool_calls=list(calls) or None, native=native
    )


def call(call_id: str, name: str = "intent__HassTurnOff") -> llm.ToolInput:
    """Return a call."""
    return llm.ToolInput(tool_name=name, tool_args={"area": "Kitchen"}, id=call_id)


def result(call_id: str, name: str = "intent__HassTurnOff") -> Content:
    """Return its result."""
    return ToolResultContent(
        agent_id=AGENT,
        tool_call_id=call_id,
        tool_name=name,
        result=llm.ToolResult(data={"done": True}),
    )


def turns(
    *contents: Content, native: bool = False, **kwargs: Any
) -> tuple[Message, ...]:
    """Convert a log."""
    return to_messages(
        [SYSTEM, *contents],
        names=NAMES,
        native=native,
        instructions=kwargs.pop("instructions", ""),
        **kwargs,
    )


def test_instructions_go_into_the_last_turn_that_a_person_spoke() -> None:
    """Not into a tool result behind it."""
    converted = turns(
        said("one"),
        answered("1"),
        said("two"),
        answered(None, call("a")),
        result("a"),
        instructions="Be brief.",
    )
    spoken = [turn for turn in converted if isinstance(turn, UserMessage)]
    assert spoken[0].text == "one"
    assert spoken[1].text == "[Project instructions: Be brief.]\n\ntwo"
    assert "Be brief." not in spoken[2].text


def test_native_mode_has_a_system_turn() -> None:
    """What the person said stays as it was."""
    assert turns(said("hi"), native=True, instructions="Be brief.") == (
        SystemMessage("Be brief."),
        UserMessage("hi"),
    )


def test_private_calls_are_shown_in_the_form_that_is_asked_for() -> None:
    """The model learns from its own history."""
    converted = turns(said("off"), answered("Sure.", call("a")), result("a"))
    assert converted[1] == AssistantMessage(
        "Sure.\n\n```json\n"
        '{"name": "user:HassTurnOff", "arguments": {"area": "Kitchen"}}\n```'
    )
    assert isinstance(converted[2], UserMessage)
    assert '"tool_result": "user:HassTurnOff"' in converted[2].text


def test_private_results_of_one_answer_share_a_turn() -> None:
    """Two calls, two results, one turn of results."""
    converted = turns(
        said("off"), answered(None, call("a"), call("b")), result("a"), result("b")
    )
    assert len(converted) == 3
    assert isinstance(converted[2], UserMessage)
    assert converted[2].text.count("tool_result") == 2


def test_native_calls_are_followed_by_their_results() -> None:
    """Each call directly before its result, by its offered name."""
    converted = turns(
        said("off"),
        answered("Sure.", call("a"), call("b")),
        result("a"),
        result("b"),
        native=True,
    )
    assert [type(turn) for turn in converted] == [
        UserMessage,
        AssistantMessage,
        ToolCallMessage,
        ToolResultMessage,
        ToolCallMessage,
        ToolResultMessage,
    ]
    assert converted[2] == ToolCallMessage("a", "HassTurnOff", {"area": "Kitchen"})


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize(
    "nothing",
    [
        [],
        [answered("Error: it broke")],
        [answered("(no response)")],
        [answered(None)],
        [answered("I cannot reach Lumo.", native=OwnSentence(failed=True))],
    ],
)
def test_turn_that_failed_is_marked_as_unanswered(
    nothing: list[Content], native: bool
) -> None:
    """An old sentence must not look like a new one."""
    converted = turns(said("Unlock the door"), *nothing, said("Hello"), native=native)
    assert converted == (
        UserMessage("Unlock the door"),
        AssistantMessage(NO_ANSWER),
        UserMessage("Hello"),
    )


def test_call_without_a_result_gets_one() -> None:
    """A conversation that was cut off is still well-formed."""
    converted = turns(said("off"), answered(None, call("a")), said("hi"), native=True)
    assert [type(turn) for turn in converted] == [
        UserMessage,
        ToolCallMessage,
        ToolResultMessage,
        UserMessage,
    ]


def test_conversation_that_the_assistant_began() -> None:
    """A satellite may speak first."""
    converted = turns(answered("The washing is done."), said("Thanks"))
    assert converted == (
        AssistantMessage("The washing is done."),
        UserMessage("Thanks"),
    )


def test_call_of_the_built_in_agent() -> None:
    """Its names have no namespace, and tools may be unknown here."""
    for name in ("HassTurnOff", "trigger_sentence"):
        converted = turns(
            said("off"),
            answered(None, call("a", name)),
            result("a", name),
            answered("Done"),
            said("hi"),
            native=True,
        )
        assert converted[1] == ToolCallMessage("a", name, {"area": "Kitchen"})


def test_old_exchanges_are_dropped_whole() -> None:
    """The last one always stays, however long."""
    log = [
        said("a" * 50),
        answered(None, call("x")),
        result("x"),
        answered("b" * 50),
        said("c" * 500),
    ]
    assert turns(*log, native=True, budget=100) == (UserMessage("c" * 500),)
    assert len(turns(*log, native=True, budget=5000)) == 5


def test_log_with_only_a_system_prompt() -> None:
    """Nothing to send is nothing, not an error."""
    assert turns(instructions="Be brief.") == ()
