"""A sentence through the agent, over the encrypted protocol, to a service call."""

from collections.abc import Callable
import re
from typing import Any

from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from dev.brain.model import Call, Say
from dev.standin import Standin
from dev.standin.scenarios.misrouting import SHAPES

from .conftest import Script, make_entry, session_data
from .conversing import AGENT, OFF, lumo_trace, say, speech


async def test_command_is_carried_out_and_confirmed(
    home: HomeAssistant,
    standin: Standin,
    turned_off: list[ServiceCall],
    entry: MockConfigEntry,
    script: Script,
) -> None:
    """Two requests: one that calls, one that answers."""
    script.plans = [[OFF], [Say("The kitchen light is off.")]]
    result = await say(home, "Turn off the kitchen light")
    assert speech(result) == "The kitchen light is off."
    assert [call.data["entity_id"] for call in turned_off] == [["light.kitchen"]]
    found = lumo_trace()
    assert (found["requests"], found["bounces"], found["rescues"]) == (2, 0, 0)
    assert found["error"] is None
    assert found["prompt_characters"] > 1000
    # Nothing of the home travels in clear.
    assert all(request["encrypted"] for request in standin.requests)
    assert all(not request["tools"] for request in standin.requests)
    assert standin.violations == []


async def test_no_apology_is_heard_however_a_call_is_misrouted(
    home: HomeAssistant,
    standin: Standin,
    turned_off: list[ServiceCall],
    entry: MockConfigEntry,
    script: Script,
) -> None:
    """The stand-in takes another form with each call; every call runs once."""
    standin.scenarios = ["misrouted"]

    def answer(messages: list[dict[str, str]]) -> list[Say | Call]:
        done = any("Result of" in message["content"] for message in messages)
        return [Say("It is off.")] if done else [OFF]

    script.rule = answer
    for number in range(1, len(SHAPES) + 1):
        spoken: list[str] = []
        await say(home, "Turn off the kitchen light", spoken=spoken)
        assert "".join(spoken) == "It is off."
        assert len(turned_off) == number
        assert (lumo_trace()["rescues"], lumo_trace()["requests"]) == (1, 2)


@pytest.mark.parametrize("mode", ["private", "native"])
async def test_a_conversation_begins_with_the_same_in_every_turn(
    home: HomeAssistant,
    standin: Standin,
    turned_off: list[ServiceCall],
    script: Script,
    mode: str,
) -> None:
    prompt = "You are Ada.\n{{ range(10**5) | random }} is the number."
    options = {"llm_hass_api": ["assist"], "tool_calling": mode, "prompt": prompt}
    entry = make_entry(session_data(standin), **options)
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    name = OFF.name if mode == "private" else OFF.name.removeprefix("user:")
    script.plans = [[Call(name, OFF.arguments)], [Say("It is off.")]]
    conversation_id = None
    for number in range(4):
        result = await say(
            home,
            f"Sentence {number}: turn off the lamp",
            conversation_id,
            extra_system_prompt=f"Remark {number // 2}.",
        )
        conversation_id = result.conversation_id
    assert len(turned_off) == 1
    requests = standin.requests
    firsts = [request["messages"][0]["content"] for request in requests]
    fixed = firsts[0][: firsts[0].index("]\n\n")] if mode == "private" else firsts[0]
    assert all(text.startswith(fixed) for text in firsts)
    assert "You are Ada." in fixed and "Kitchen light" in fixed
    assert not re.search("is the number|Remark|ask the user to specify", fixed)
    if mode == "private":
        assert "HassTurnOff" in fixed and "undo" not in fixed
    count = len(requests[0]["tools"])
    assert all(item["tools"][:count] == requests[0]["tools"] for item in requests)
    last = next(
        message["content"]
        for message in reversed(requests[-1]["messages"])
        if "Sentence 3" in message["content"]
    )
    for moving in ("is the number", "Remark 1.", "ask the user to specify"):
        assert last.count(moving) == 1
    assert ("undo" in last) == (mode == "private")


async def test_answer_is_streamed(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    script: Script,
    hass_ws_client: Callable[..., Any],
) -> None:
    """The pipeline gets the answer in pieces, before it is complete."""
    assert await async_setup_component(home, "assist_pipeline", {})
    client = await hass_ws_client(home)
    await client.send_json_auto_id({"type": "assist_pipeline/pipeline/list"})
    pipelines = (await client.receive_json())["result"]
    pipeline = pipelines["pipelines"][0]
    pipeline |= {
        "pipeline_id": pipeline.pop("id"),
        "conversation_engine": AGENT,
        "conversation_language": "*",
    }
    await client.send_json_auto_id(
        {"type": "assist_pipeline/pipeline/update", **pipeline}
    )
    assert (await client.receive_json())["success"]
    names = ("house", "lamp", "door", "kettle")
    text = "".join(f"Once upon a time a {name} could listen to us. " for name in names)
    script.plans = [[Say(text)]]
    await client.send_json_auto_id(
        {
            "type": "assist_pipeline/run",
            "start_stage": "intent",
            "end_stage": "intent",
            "input": {"text": "tell me a story"},
        }
    )
    pieces: list[str] = []
    while True:
        message = await client.receive_json()
        if message["type"] != "event":
            continue
        event = message["event"]
        if event["type"] == "intent-progress":
            delta = event["data"].get("chat_log_delta") or {}
            if delta.get("content"):
                pieces.append(delta["content"])
        if event["type"] == "run-end":
            break
    assert "".join(pieces) == text
    # The opening may be held for a moment, the rest comes as it comes.
    assert len(pieces) > 5
    assert len(pieces[0]) < len(text) / 2
