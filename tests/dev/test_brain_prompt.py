"""What the brain reads out of the messages, in the many ways clients write them."""

import json
from typing import Any

from hypothesis import given, settings, strategies as st
import pytest

from dev.brain import Brain, Call, Offered, Say, read_prompt
from dev.brain.home import read_entities, read_home
from dev.brain.prompt import unwrap
from tests.dev.brain_demo import (
    BRAIN,
    TOOLS,
    api_prompt,
    call_turn,
    context,
    live,
    prefixed,
    result_turn,
    tool,
    user,
    wrapped,
)

SENTENCE = "Turn off the kitchen lights"
KITCHEN = {"area": "Kitchen", "domain": ["light"]}
TURN_OFF = tool("user:HassTurnOff", {"name": {"type": "string"}})
FLAT = {**TURN_OFF["function"]}


def listed(text: str) -> list[str]:
    """Return the names of the tools that a system prompt lists."""
    messages = [{"role": "system", "content": text}, user("hi")]
    return [item.name for item in read_prompt(messages).offered]


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(TURN_OFF),
        json.dumps(TURN_OFF, indent=2),
        json.dumps(FLAT),
        json.dumps([TURN_OFF]),
        json.dumps([FLAT], indent=4),
        json.dumps({"tools": [TURN_OFF]}),
        f"Tools:\n```json\n{json.dumps([TURN_OFF], indent=2)}\n```\nUse them.",
        f"- {json.dumps(FLAT)}\n- and nothing {{else}}",
        f"{{broken {json.dumps(TURN_OFF)}",
    ],
)
def test_a_definition_is_found_however_it_is_printed(text: str) -> None:
    """Nested or flat, on one line or pretty, alone or in a list."""
    assert listed(text) == ["user:HassTurnOff"]


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "user:example_tool", "arguments": {"param": "value"}}',
        '{"name": "Bob", "parameters": {"age": 3}}',
        '{"type": "function_call", "name": "x", "arguments": "{}"}',
        '{"summary": "Dentist", "name": 3}',
        "no JSON {at all",
    ],
)
def test_what_is_no_definition_is_no_tool(text: str) -> None:
    """An example of a call offers nothing."""
    assert listed(text) == []


@pytest.mark.parametrize(
    "prefix", ["user:", "", "home__", "assist__intent__", "mcp/", "ha."]
)
def test_calls_carry_the_name_as_it_was_offered(prefix: str) -> None:
    """Whatever stands in front of a name is written back."""
    answer = BRAIN.answer([user(wrapped(SENTENCE, prefix=prefix))])
    assert answer == [Call(f"{prefix}HassTurnOff", KITCHEN)]


@pytest.mark.parametrize("sentence", [SENTENCE, "is [this] right?\nyes", "a]\n\nb"])
def test_the_wrapper_is_taken_off_what_was_said(sentence: str) -> None:
    """The instructions end with a bracket and a blank line."""
    instructions = "Tools: [1, 2] \nand [more]"
    said = unwrap(f"[Project instructions: {instructions}]\n\n{sentence}")
    assert said == (f"[Project instructions: {instructions}", sentence)


def test_schemas_that_several_tools_share_are_looked_up() -> None:
    """As any reader of JSON Schema does."""
    lines = [
        {"$defs": {"kind": {"type": "array", "items": {"$ref": "#/$defs/word"}},
                   "word": {"enum": ["a", "b"]}}},
        {"name": "user:HassTurnOff",
         "parameters": {"properties": {"domain": {"$ref": "#/$defs/kind"}}}},
    ]  # fmt: skip
    text = "\n".join(json.dumps(line) for line in lines)
    [tool] = read_prompt([{"role": "system", "content": text}]).offered
    assert tool.properties["domain"] == {"type": "array", "items": {"enum": ["a", "b"]}}


def test_instructions_that_were_not_sanitised_are_still_told_from_what_was_said() -> (
    None
):
    """A pretty list of tools ends with a bracket and a blank line too."""
    text = f"Tools:\n{json.dumps(TOOLS, indent=2)}\n\n{api_prompt()}"
    messages = [user(f"[Project instructions: {text}]\n\n{SENTENCE}")]
    prompt = read_prompt(messages)
    assert prompt.sentence == SENTENCE
    assert len(prompt.offered) == len(TOOLS)
    assert prompt.home.called("Front door")


def place_first() -> list[dict[str, str]]:
    """Return messages with the instructions in the first user turn."""
    return [
        user(wrapped("hello")),
        {"role": "assistant", "content": "Hello!"},
        user(SENTENCE),
    ]


def place_last() -> list[dict[str, str]]:
    """Return messages with the instructions in the last user turn."""
    return [
        user("hello"),
        {"role": "assistant", "content": "Hello!"},
        user(wrapped(SENTENCE)),
        {"role": "assistant", "content": ""},
    ]


def place_system() -> list[dict[str, str]]:
    """Return messages with the instructions in a system turn."""
    tools = "\n".join(json.dumps(item) for item in prefixed("user:", TOOLS))
    return [{"role": "system", "content": f"{api_prompt()}\n{tools}"}, user(SENTENCE)]


def place_split() -> list[dict[str, str]]:
    """Return messages with a part of the instructions at either end."""
    reminder = "[Project instructions: (Reminder: a json block.)]\n\n"
    return [
        user(wrapped("hello")),
        {"role": "assistant", "content": "Hello!"},
        user(f"{reminder}{SENTENCE}"),
    ]


def place_twice() -> list[dict[str, str]]:
    """Return messages with both parts in one turn, each wrapped."""
    return [user(wrapped(f"[Project instructions: (Reminder.)]\n\n{SENTENCE}"))]


@pytest.mark.parametrize(
    "messages",
    [
        place_first(),
        place_last(),
        place_system(),
        place_split(),
        place_twice(),
    ],
)
def test_instructions_may_stand_anywhere(messages: list[dict[str, str]]) -> None:
    """In the first or the last turn of a person, or in a system turn."""
    prompt = read_prompt(messages)
    assert prompt.sentence == SENTENCE
    assert prompt.form == "text"
    assert BRAIN.answer(messages) == [Call("user:HassTurnOff", KITCHEN)]


NATIVE = [{"role": "system", "content": api_prompt(prefix="")}, user(SENTENCE)]


def test_tools_beside_the_messages_are_called_natively() -> None:
    """Nothing is listed in the text then."""
    prompt = read_prompt(NATIVE, TOOLS)
    assert prompt.form == "native"
    assert prompt.offered[0] == Offered(
        "get_events", "", TOOLS[0]["function"]["parameters"]
    )
    assert BRAIN.answer(NATIVE, TOOLS) == [Call("HassTurnOff", KITCHEN)]


def test_tools_in_the_text_win_over_those_beside_it() -> None:
    """A client that lists them wants them printed."""
    prompt = read_prompt([user(wrapped(SENTENCE))], TOOLS)
    assert prompt.form == "text"


def native_round(result: str) -> list[dict[str, str]]:
    """Return messages after a native call has been answered."""
    call = {"id": "call_0", "name": "HassTurnOff", "arguments": KITCHEN}
    return [
        *NATIVE,
        {"role": "lumo_tool_call", "content": json.dumps(call)},
        {"role": "tool", "content": result},
        {"role": "assistant", "content": ""},
    ]


@pytest.mark.parametrize(
    ("result", "reply"),
    [
        ('{"success": true}', "I turned off the lights in the kitchen."),
        ('{"response_type": "action_done", "data": {"success": []}}', "I turned off the lights in the kitchen."),
        ("done", "I turned off the lights in the kitchen."),
        ('{"error": "No entities matched"}', "That did not work: No entities matched."),
        ('{"error": "X", "error_text": "It is jammed"}', "That did not work: It is jammed."),
        ('{"error": true, "message": "Not allowed!"}', "That did not work: Not allowed!"),
        ('{"success": false, "error": "nope"}', "That did not work: nope."),
        ("ERROR: broken", "That did not work: ERROR: broken."),
    ],
)  # fmt: skip
def test_a_native_result_is_told(result: str, reply: str) -> None:
    """Done, or what went wrong in the tool's own words."""
    assert BRAIN.answer(native_round(result), TOOLS) == [Say(reply)]


def test_openai_call_turns_are_understood() -> None:
    """The form of plain requests."""
    call = {"name": "HassTurnOff", "arguments": json.dumps(KITCHEN)}
    messages: list[dict[str, Any]] = [
        *NATIVE,
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "a", "type": "function", "function": call}],
        },
        {"role": "tool", "content": "{}"},
    ]
    assert BRAIN.answer(messages, TOOLS) == [
        Say("I turned off the lights in the kitchen.")
    ]


QUESTION = "is the front door locked?"
LOOK = Call("user:GetLiveContext", {"name": "Front door"})
LIVE = live(name="Front door")

WRAPPERS: list[Any] = [
    LIVE,
    {"result": LIVE},
    {"tool": "user:GetLiveContext", "result": LIVE},
    {"tool_name": "GetLiveContext", "success": True, "data": LIVE},
    {"name": "user:GetLiveContext", "output": json.dumps(LIVE), "error": False},
    {
        "type": "function_call_output",
        "call_id": "GetLiveContext__0123456789abcdef01234567",
        "output": json.dumps(LIVE),
    },
    {"name": "user:GetLiveContext", "result": LIVE["result"], "error": None},
]


@pytest.mark.parametrize("wrapper", WRAPPERS)
@pytest.mark.parametrize(
    "frame",
    [
        "```json\n{}\n```",
        "{}",
        "Result of the tool:\n\n```json\n{}\n```\n\nGo on.",
        "~~~\n{}\n~~~",
        "```\n{}```",
        "Tool result: {}",
    ],
)
def test_a_printed_result_is_read_whatever_it_is_wrapped_in(
    wrapper: Any, frame: str
) -> None:
    """Schemas of wrappers differ; what a tool said is found in all of them."""
    body = json.dumps(wrapper, indent=2)
    messages = [
        user(wrapped(QUESTION)),
        call_turn(LOOK),
        user(frame.replace("{}", body)),
    ]
    assert BRAIN.answer(messages) == [Say("Yes, the front door is locked.")]


def test_known_clients_show_calls_without_a_fence() -> None:
    """Past calls as bare JSON, arguments as text."""
    call = {
        "type": "function_call",
        "call_id": "GetLiveContext__0123456789abcdef01234567",
        "name": "GetLiveContext",
        "arguments": json.dumps(LOOK.arguments),
    }
    messages = [
        user(wrapped(QUESTION)),
        {"role": "assistant", "content": json.dumps(call)},
        result_turn(LOOK, LIVE),
    ]
    assert BRAIN.answer(messages) == [Say("Yes, the front door is locked.")]


def test_results_in_another_order_are_joined_to_their_calls() -> None:
    """By the name they carry."""
    off, lock = (
        Call("user:HassTurnOff", KITCHEN),
        Call("user:HassTurnOn", {"name": "Front door"}),
    )
    messages = [
        user(wrapped("Turn off the kitchen lights and lock the front door")),
        call_turn(off),
        call_turn(lock),
        result_turn(lock, {"error": "It is jammed"}),
        result_turn(off, {"success": True}),
    ]
    assert BRAIN.answer(messages) == [
        Say("I turned off the lights in the kitchen. That did not work: It is jammed.")
    ]


def test_several_results_may_share_a_turn() -> None:
    """Two blocks, or a list of two."""
    off, lock = (
        Call("user:HassTurnOff", KITCHEN),
        Call("user:HassTurnOn", {"name": "Front door"}),
    )
    sentence = "Turn off the kitchen lights and lock the front door"
    results = [{"tool": call.name, "result": {}} for call in (off, lock)]
    blocks = "\n".join(f"```json\n{json.dumps(item)}\n```" for item in results)
    said = [Say("I turned off the lights in the kitchen. I locked the front door.")]
    for body in (blocks, json.dumps(results)):
        turns = [user(wrapped(sentence)), call_turn(off), call_turn(lock), user(body)]
        assert BRAIN.answer(turns) == said


def test_a_call_that_was_answered_is_never_made_again() -> None:
    """Not even after an error."""
    call = Call("user:HassTurnOff", KITCHEN)
    messages = [
        user(wrapped(SENTENCE)),
        call_turn(call),
        result_turn(call, {"error": "no"}),
    ]
    assert all(isinstance(item, Say) for item in BRAIN.answer(messages))


def test_the_result_of_the_sentence_before_is_not_taken_for_this_one() -> None:
    """Each sentence starts afresh."""
    messages = [
        user(wrapped(QUESTION)),
        call_turn(LOOK),
        result_turn(LOOK, LIVE),
        {"role": "assistant", "content": "Yes, the front door is locked."},
        user(QUESTION),
    ]
    assert BRAIN.answer(messages) == [LOOK]


BOUNCE = (
    "That went to a channel on which nobody listens. The tools of this home want plain"
    " JSON in a code block:\n\n```json\n{}\n```"
)


@pytest.mark.parametrize(
    "name", ["user:HassTurnOff", "HassTurnOff", "intent__HassTurnOff"]
)
@pytest.mark.parametrize("key", ["arguments", "parameters"])
def test_a_bounced_call_is_printed_under_its_offered_name(name: str, key: str) -> None:
    """Exactly the call that is shown."""
    body = json.dumps({"name": name, key: KITCHEN}, indent=2)
    messages = [
        user(wrapped("do something in the kitchen")),
        {"role": "assistant", "content": "I cannot do that."},
        user(BOUNCE.replace("{}", body)),
    ]
    assert BRAIN.answer(messages) == [Call("user:HassTurnOff", KITCHEN)]


@pytest.mark.parametrize(
    "arguments", [{}, {"brightness": "very"}, {"lamp": 1, "brightness": 3}]
)
def test_a_bounced_call_that_cannot_work_is_made_right(
    arguments: dict[str, Any],
) -> None:
    """The sentence still says what was meant."""
    body = json.dumps(
        {"name": "user:HassClimateSetTemperature", "arguments": arguments}
    )
    messages = [
        user(wrapped("set the living room to 21 degrees")),
        user(BOUNCE.replace("{}", body)),
    ]
    assert BRAIN.answer(messages) == [
        Call(
            "user:HassClimateSetTemperature", {"area": "Living Room", "temperature": 21}
        )
    ]


def test_after_a_bounce_the_result_is_told() -> None:
    """The bounce is no sentence of a person."""
    call = Call("user:HassTurnOff", KITCHEN)
    bounce = BOUNCE.replace("{}", json.dumps({"name": call.name, "arguments": KITCHEN}))
    messages = [
        user(wrapped(SENTENCE)),
        {"role": "assistant", "content": ""},
        user(bounce),
        call_turn(call),
        result_turn(call, {"success": True}),
    ]
    assert BRAIN.answer(messages) == [Say("I turned off the lights in the kitchen.")]


# The home.


def test_the_static_context_is_read() -> None:
    """Names with aliases, domains, areas with aliases."""
    home = read_home(api_prompt("Kitchen"))
    (door,) = home.called("haustür")
    assert door.names == ("Front door", "Haustür")
    assert door.domain == "lock"
    assert door.areas == ("Hallway", "Flur")
    assert (home.area, home.floor) == ("Kitchen", "Ground Floor")
    assert ("Kitchen", "Küche") in home.area_groups


def test_the_live_context_is_read() -> None:
    """States are text, even those that YAML takes for something else."""
    entities = {item.name: item for item in read_entities(live()["result"])}
    assert entities["Kitchen ceiling light"].state == "on"
    assert (
        entities["Living Room thermostat"].attributes["current_temperature"] == "19.5"
    )
    assert entities["Outdoor temperature"].device_class == "temperature"


@pytest.mark.parametrize(
    "mangle",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("- names: Front door, Haustür", "- names: 'Front door, Haustür'"),
        lambda text: text.replace("- names: Front door, Haustür", "- names: Front door,\n    Haustür"),
        lambda text: text.replace("]\n", "] \n"),
    ],
)  # fmt: skip
def test_a_context_survives_what_clients_do_to_texts(mangle: Any) -> None:
    """Other line ends, other quoting, folded lines."""
    (entity,) = [
        item
        for item in read_entities(mangle(context("Static")))
        if item.domain == "lock"
    ]
    assert entity.names == ("Front door", "Haustür")


def test_lists_of_several_apis_are_read_as_one_prompt() -> None:
    """Full names with the name of the API in front."""
    tools = [
        {**item, "function": {**item["function"], "name": f"assist__intent__{item['function']['name']}"}}
        for item in TOOLS
    ]  # fmt: skip
    answer = BRAIN.answer([user(wrapped(SENTENCE, tools=tools, prefix=""))])
    assert answer == [Call("assist__intent__HassTurnOff", KITCHEN)]


def test_nothing_is_called_where_nothing_is_offered() -> None:
    """Without tools there are only words."""
    answer = BRAIN.answer([user(SENTENCE)])
    assert answer == [
        Say(
            "I cannot see any devices. Expose them to your voice assistant in Home Assistant first."
        )
    ]
    assert BRAIN.answer([]) == [
        Say("I'm here to help with your home. What would you like me to do?")
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["name", "arguments", "parameters", "result", "output", "error", "function",
             "data", "type", "tool", "success", "content", "call_id", "description"]
        ),
        inner,
        max_size=4,
    ),
    max_leaves=8,
)  # fmt: skip
CONTENT = st.one_of(
    st.text(max_size=60),
    JSON.map(json.dumps),
    JSON.map(lambda value: f"```json\n{json.dumps(value)}\n```"),
    st.sampled_from([SENTENCE, wrapped(SENTENCE), BOUNCE, json.dumps(TURN_OFF), "[Project instructions: x"]),
)  # fmt: skip
ROLES = st.sampled_from(
    ["system", "user", "assistant", "tool", "lumo_tool_call", "odd"]
)


# Each is a prompt that is read from its beginning.
@settings(max_examples=30)
@given(st.lists(st.fixed_dictionaries({"role": ROLES, "content": CONTENT}), max_size=6))
def test_any_messages_are_answered(messages: list[dict[str, str]]) -> None:
    """Never an exception, never nothing, only offered tools."""
    names = {item.name for item in read_prompt(messages).offered}
    answer = BRAIN.answer(messages)
    assert answer
    for item in answer:
        assert isinstance(item, Say) or item.name in names


@given(st.text(max_size=80))
def test_a_sentence_that_is_wrapped_comes_out_again(sentence: str) -> None:
    """Blanks at the ends aside."""
    if not sentence.strip() or '"parameters"' in sentence:
        return
    assert unwrap(f"[Project instructions: do]\n\n{sentence}")[1] == sentence.strip()


def test_two_brains_answer_alike() -> None:
    """Nothing is remembered between requests."""
    messages = [user(wrapped(SENTENCE))]
    BRAIN.answer([user(wrapped("turn on the bedroom lamp"))])
    assert Brain().answer(messages) == BRAIN.answer(messages)
