"""The chat log as turns, odd logs included."""

from itertools import pairwise
from typing import Any, Final

from homeassistant.components.conversation import (
    AssistantContent,
    Content,
    SystemContent,
    ToolResultContent,
    UserContent,
)
from homeassistant.helpers import llm
from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.agent.history import OwnSentence, to_messages
from custom_components.lumo.agent.model_texts import MODEL_TEXTS
from custom_components.lumo.lumo_client.messages import (
    AssistantMessage,
    ChatRequest,
    Image,
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
    return UserContent(content=text)


def answered(text: str | None, *calls: llm.ToolInput, native: Any = None) -> Content:
    return AssistantContent(
        agent_id=AGENT, content=text, tool_calls=list(calls) or None, native=native
    )


def call(call_id: str, name: str = "intent__HassTurnOff") -> llm.ToolInput:
    return llm.ToolInput(tool_name=name, tool_args={"area": "Kitchen"}, id=call_id)


def result(
    call_id: str, name: str = "intent__HassTurnOff", *, long: int = 0
) -> Content:
    """Return its result, with so many lines."""
    data: dict[str, Any] = {"done": True}
    if long:
        data["lines"] = [f"line {number}" for number in range(long)]
    return ToolResultContent(
        agent_id=AGENT,
        tool_call_id=call_id,
        tool_name=name,
        result=llm.ToolResult(data=data),
    )


def turns(
    *contents: Content, native: bool = False, **kwargs: Any
) -> tuple[Message, ...]:
    return to_messages(
        [SYSTEM, *contents],
        names=NAMES,
        native=native,
        instructions=kwargs.pop("instructions", ""),
        **kwargs,
    )


TALK: Final = [
    *(said("one"), answered("1"), said("two")),
    *(answered(None, call("a")), result("a")),
]


def test_instructions_go_into_the_first_turn_that_a_person_spoke() -> None:
    """What is of this sentence into the last, and not into a tool result behind it."""
    converted = turns(*TALK, instructions="Be brief.", last_part="It is late.")
    spoken = [turn for turn in converted if isinstance(turn, UserMessage)]
    assert spoken[0].text == "[Project instructions: Be brief.]\n\none"
    assert spoken[1].text == "[Project instructions: It is late.]\n\ntwo"
    assert "It is late." not in spoken[2].text


@pytest.mark.parametrize("native", [False, True])
def test_pictures_stand_with_the_last_sentence(native: bool) -> None:
    picture = Image(b"...", "image/jpeg")
    converted = turns(*TALK, last_part="It is late.", native=native, pictures=[picture])
    shown = [turn for turn in converted if getattr(turn, "images", ())]
    assert shown == [UserMessage(text(shown[0]), (picture,))]
    assert text(shown[0]).endswith("two") and "It is late." in text(shown[0])


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
        AssistantMessage(MODEL_TEXTS["no_answer"]),
        UserMessage("Hello"),
    )


def test_call_without_a_result_has_none_before_what_follows() -> None:
    converted = turns(
        said("off"), answered(None, call("a")), answered("Done"), native=True
    )
    *_, told, last = converted
    assert isinstance(told, ToolResultMessage) and MODEL_TEXTS["no_result"] in told.text
    assert last == AssistantMessage("Done")


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
        assert isinstance(converted[2], ToolResultMessage)
        assert converted[3:] == (AssistantMessage("Done"), UserMessage("hi"))


def exchange(number: int, *, long: int = 0) -> list[Content]:
    """Return a sentence, a call, its result and the answer."""
    call_id = f"call{number}"
    return [
        said(f"Sentence {number}."),
        answered(None, call(call_id)),
        result(call_id, long=long),
        answered(f"Answer {number}."),
    ]


def text(message: Message) -> str:
    return getattr(message, "text", "")


def size(messages: tuple[Message, ...]) -> int:
    return ChatRequest(messages=messages).characters


@pytest.mark.parametrize("native", [False, True])
def test_results_shrink_before_anything_goes(native: bool) -> None:
    """The oldest first, and no more than needed."""
    log = [*exchange(1, long=800), *exchange(2, long=800), *exchange(3, long=800)]
    whole = turns(*log, native=native)
    cut = turns(*log, native=native, budget=size(whole) - 2_000)
    assert len(cut) == len(whole)
    assert size(cut) <= size(whole) - 2_000
    texts, before = [
        [text(message) for message in messages] for messages in (cut, whole)
    ]
    [shrunk] = [one for one, two in zip(texts, before, strict=True) if one != two]
    assert "more" in shrunk and shrunk == texts[2]


@pytest.mark.parametrize("native", [False, True])
def test_what_does_not_fit_then_goes_whole(native: bool) -> None:
    """Sentence, call, result and answer together."""
    log = [*exchange(1), *exchange(2), *exchange(3)]
    budget = size(turns(*log[4:], native=native))
    assert turns(*log, native=native, budget=budget) == turns(*log[4:], native=native)
    assert turns(*log, native=native, budget=budget - 1) == turns(
        *log[8:], native=native
    )


@pytest.mark.parametrize("native", [False, True])
def test_results_of_this_turn_shrink_as_far_as_needed(native: bool) -> None:
    """The newest of them last; what the person said stays."""
    log = [said("What is on?"), answered(None, call("a")), result("a", long=1500)]
    log += [answered(None, call("b")), result("b", long=1500)]
    cut = turns(*log, native=native, budget=30_000)
    results = [len(text(item)) for item in cut if "line 0" in text(item)]
    assert size(cut) <= 30_000 and results[0] < results[1]
    least = turns(*log, native=native, budget=1)
    assert len(least) == len(cut) and size(least) < 2_500
    assert UserMessage("What is on?") in least


_CONTENTS = st.one_of(
    st.builds(said, st.text(max_size=300)),
    st.builds(answered, st.text(max_size=300)),
    st.integers(0, 60).flatmap(
        lambda long: st.sampled_from(
            [
                [answered("Wait.", call("a")), result("a", long=long)],
                [
                    answered(None, call("a"), call("b")),
                    result("b"),
                    result("a", long=long),
                ],
                [answered(None, call("a"))],
            ]
        )
    ),
)


@given(
    parts=st.lists(_CONTENTS, max_size=12),
    budget=st.integers(0, 5_000),
    native=st.booleans(),
)
def test_any_history_is_cut_between_exchanges(
    parts: list[Any], budget: int, native: bool
) -> None:
    log: list[Content] = []
    for part in parts:
        log += part if isinstance(part, list) else [part]
    log.append(said("The last one."))
    cut = turns(*log, native=native, budget=budget)
    assert cut[-1] == UserMessage("The last one.")
    spoken = sum(isinstance(message, UserMessage) for message in cut)
    assert size(cut) <= budget or spoken == 1
    for before, message in pairwise((None, *cut, None)):
        is_call = isinstance(before, ToolCallMessage)
        assert is_call == isinstance(message, ToolResultMessage)
    if len(cut) > 1 and len(cut) < len(turns(*log, native=native)):
        assert isinstance(cut[0], UserMessage) and "tool_result" not in cut[0].text


def test_log_with_only_a_system_prompt() -> None:
    """Nothing to send is nothing, not an error."""
    assert turns(instructions="Be brief.") == ()
    assert turns(answered("Hi."), said("Hello")) == (
        AssistantMessage("Hi."),
        UserMessage("Hello"),
    )
