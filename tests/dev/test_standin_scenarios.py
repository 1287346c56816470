"""The model's habits: how it calls, in both modes, in both ways, in both forms."""

import json
from typing import Any

import pytest

from dev.standin import SCENARIOS
from dev.standin.scenarios import make_scenarios, reads
from dev.standin.scenarios.printing import cut

from .conftest import Starter
from .small_brain import DONE, GREETING, OFF, PROMPT, TOOLS

CALL = {"name": "user:HassTurnOff", "arguments": OFF}
TEXT = json.dumps(CALL)
SENTENCE = PROMPT + "Turn off the kitchen lights"

# The names that people give on the command line.
NAMED = [
    "clean",
    "fenced",
    "raw",
    "prose",
    "several",
    "wrong_name",
    "broken_json",
    "cut_json",
    "misrouted",
    "misrouted_invalid",
    "duplicated",
    "legacy",
    "apology",
    "refusal",
    "claims_done",
    "web_search",
    "slow",
    "stalled",
    "cut",
    "quota",
    "unauthorized",
    "forbidden",
    "rate_limited",
    "server_error",
    "app_version",
    "bad_chunk",
    "loop",
    "token_expiry",
]


def test_every_scenario_is_there() -> None:
    """And any of them can hold together with any other."""
    assert set(NAMED) <= SCENARIOS.keys()
    assert {scenario.name for scenario in make_scenarios(SCENARIOS)} == SCENARIOS.keys()


def test_an_unknown_scenario_is_refused() -> None:
    """With a list of those there are."""
    with pytest.raises(ValueError, match=r"unknown scenario nonsense; .* apology, "):
        make_scenarios(["clean", "nonsense"])


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("clean", [f"```json\n{TEXT}\n```"]),
        (
            "fenced",
            [
                f"```tool_call\n{TEXT}\n```",
                f"```\n{TEXT}\n```",
                f"```JSON\n{TEXT}\n```",
                f"~~~json\n{TEXT}\n~~~",
                f"````json\n{TEXT}\n````",
            ],
        ),
        ("raw", [TEXT]),
        ("several", [f"```json\n[{TEXT}]\n```", f"```json\n{TEXT}\n```"]),
        ("raw,several", [f"[{TEXT}]"]),
        (
            "broken_json",
            [
                f"```json\n{TEXT[:-1]},}}\n```",
                f"```json\n{TEXT.replace('"', "'")}\n```",
            ],
        ),
        ("apology", ["I'm sorry, but I don't have access to that tool."]),
        ("refusal", ["I can't help with that."]),
        ("claims_done", ["Done, I turned off the lights."] * 2),
        ("reasoning", [f"```json\n{TEXT}\n```"]),
        ("framing", [f"```json\n{TEXT}\n```"] * 3),
        ("legacy", [f"```json\n{TEXT}\n```"]),
        ("legacy,framing,raw", [TEXT]),
    ],
)
@pytest.mark.parametrize("encrypted", [True, False], ids=["u2l", "plain"])
async def test_prompted_calls_are_printed_so(
    standin: Starter, name: str, texts: list[str], encrypted: bool
) -> None:
    """One answer after the other, in the forms that take turns."""
    _, client = await standin(*name.split(","), encrypted=encrypted)
    for text in texts:
        reply = await client.chat(SENTENCE)
        assert reply.text == text
        assert reply.done
        assert not reply.problems


async def test_prose_stands_around_the_call(standin: Starter) -> None:
    """In the language of the sentence."""
    _, client = await standin("prose")
    reply = await client.chat(SENTENCE)
    assert reply.text.startswith("Sure, ")
    assert f"\n\n```json\n{TEXT}\n```\n\nLet me know" in reply.text
    reply = await client.chat(PROMPT + "Schalte das Licht in der kitchen aus")
    assert reply.text.startswith("Gerne, ")


@pytest.mark.parametrize("name", ["fenced", "raw", "prose"])
async def test_in_native_mode_these_print_the_call(standin: Starter, name: str) -> None:
    """Under the name that was offered."""
    _, client = await standin(name)
    reply = await client.chat("kitchen", tools=TOOLS)
    assert reply.calls == []
    assert reply.finish == "stop"
    assert '{"name": "HassTurnOff", ' in reply.text


async def test_a_harmless_read_is_asked_for_twice(standin: Starter) -> None:
    """Both in one block, or as two calls whose arguments come in pieces."""
    _, client = await standin("several", encrypted=False)
    read = '{"name": "user:GetLiveContext", "arguments": {}}'
    reply = await client.chat(PROMPT + "What is on?")
    assert reply.text == f"```json\n[{read}, {read}]\n```"
    reply = await client.chat(PROMPT + "What is on?")
    assert reply.text == f"```json\n{read}\n{read}\n```"
    reply = await client.chat("What is on?", tools=TOOLS)
    assert reply.calls == [("GetLiveContext", "{}")] * 2
    deltas = [
        event["choices"][0]["delta"]["tool_calls"][0]
        for event in reply.events
        if event["choices"] and event["choices"][0]["delta"].get("tool_calls")
    ]
    assert [delta["index"] for delta in deltas] == [0, 0, 1, 1]
    assert ["id" in delta for delta in deltas] == [True, False, True, False]


async def test_names_are_spelled_in_seven_ways(standin: Starter) -> None:
    """In either mode; the arguments are right."""
    _, client = await standin("wrong_name")
    names = []
    for _ in range(7):
        reply = await client.chat("kitchen", tools=TOOLS)
        names.append(reply.calls[0][0])
        assert json.loads(reply.calls[0][1]) == OFF
    assert len(set(names)) == 6
    assert {"hassturnoff", "intent__HassTurnOff", "HASSTURNOFF"} <= set(names)
    names = [
        json.loads((await client.chat(SENTENCE)).text[8:-4])["name"] for _ in "1234567"
    ]
    assert len(set(names)) == 7
    assert "HassTurnOff" in names


async def test_broken_arguments_are_broken_in_native_mode_too(standin: Starter) -> None:
    """Python's literals among them."""
    _, client = await standin("broken_json", encrypted=False)
    broken = [(await client.chat("alles", tools=TOOLS)).calls[1][1] for _ in range(5)]
    for text in broken:
        with pytest.raises(ValueError):
            json.loads(text)
    assert any("True" in text for text in broken)
    assert any("//" in text for text in broken)


@pytest.mark.parametrize("native", [True, False])
async def test_a_cut_call_is_never_complete(standin: Starter, native: bool) -> None:
    """Whatever is appended, the last string stays open."""
    _, client = await standin("cut_json", encrypted=False)
    for _ in range(6):
        reply = await client.chat(
            "kitchen" if native else SENTENCE, **({"tools": TOOLS} if native else {})
        )
        assert reply.finish == "length"
        printed = reply.calls[0][1] if native else reply.text
        printed = printed.removeprefix("```json\n").removesuffix("\n```")
        assert printed.count('"') % 2 == 1
        assert (json.dumps(OFF) if native else TEXT).startswith(printed)


@pytest.mark.parametrize("text", ["{}", '{"a": 1}', '{"a": "b\\"c", "d": {}}'])
def test_cutting_leaves_no_value(text: str) -> None:
    """Also where there is no string to cut."""
    for place in range(4):
        with pytest.raises(ValueError):
            json.loads(cut(text, place))


async def test_misrouted_calls_take_every_form(standin: Starter) -> None:
    """Announced and dispatched, an error, then an apology, never in the text."""
    _, client = await standin("misrouted", encrypted=False)
    seen: list[Any] = []
    for _ in range(6):
        reply = await client.chat(SENTENCE)
        assert reply.text.startswith("I'm sorry")
        if reply.calls:
            assert reply.calls == [("user:HassTurnOff", json.dumps(OFF))]
            seen.append("function")
            continue
        dispatch = reply.server[-2] if "name" in reply.server[-2] else reply.server[0]
        seen.append(dispatch.get("arguments", dispatch.get("parameters")))
        assert reply.server[-1]["content"] == '{"error":true}'
        assert dispatch["name"] in ("HassTurnOff", "user:HassTurnOff")
    assert seen[3] == json.dumps({"arguments": None, "name": None, "parameters": OFF})
    assert "function" in seen
    assert len({str(form) for form in seen}) >= 4


@pytest.mark.parametrize("name", ["misrouted", "misrouted_invalid"])
@pytest.mark.parametrize("said", [None, "", "Let me see."])
async def test_a_bounced_call_is_printed(
    standin: Starter, name: str, said: str | None
) -> None:
    """With the right arguments, even where the bounce shows the wrong ones."""
    _, client = await standin(name)
    reply = await client.chat(SENTENCE)
    assert reply.server
    turns = [{"role": "user", "content": SENTENCE}]
    if said is not None:
        turns.append({"role": "assistant", "content": said})
    shown = {"name": "user:HassTurnOff", "arguments": {"wrong": 1}}
    bounce = f"Print it as JSON instead:\n```json\n{json.dumps(shown, indent=2)}\n```"
    turns.append({"role": "user", "content": bounce})
    reply = await client.chat(turns)
    assert reply.text == f"```json\n{TEXT}\n```"
    assert reply.server == []


async def test_invalid_arguments_are_invalid_for_every_schema(standin: Starter) -> None:
    """No member keeps both its name and its value."""
    _, client = await standin("misrouted_invalid", encrypted=False)
    for _ in range(3):
        reply = await client.chat(SENTENCE)
        arguments = reply.server[-2].get(
            "arguments", reply.server[-2].get("parameters")
        )
        if isinstance(arguments, str):
            arguments = json.loads(arguments)
        if isinstance(arguments, dict):
            assert all(arguments.get(key) != value for key, value in OFF.items())
            assert arguments


async def test_a_misrouted_answer_in_the_old_form_is_joined_json(
    standin: Starter,
) -> None:
    """Several objects without anything between, in pieces."""
    _, client = await standin("misrouted", "legacy")
    for _ in range(6):
        reply = await client.chat(SENTENCE)
    joined = "".join(piece.get("tool_call", "") for piece in reply.server)
    call = json.dumps({"name": "HassTurnOff", "parameters": OFF})
    assert joined == call + '{"name": "HassTurnOff"}'
    results = "".join(piece.get("tool_result", "") for piece in reply.server)
    assert results == '{"error":true}' * 2


async def test_a_duplicated_call_is_on_both_channels(standin: Starter) -> None:
    """Printed and as a function; printed and on the service's channel."""
    _, client = await standin("duplicated")
    reply = await client.chat(SENTENCE)
    assert TEXT in reply.text
    assert [name for name, _ in reply.calls] == ["user:HassTurnOff"]
    reply = await client.chat(SENTENCE)
    assert TEXT in reply.text
    assert [call.get("arguments") for call in reply.server] == [None, json.dumps(OFF)]
    reply = await client.chat("kitchen", tools=TOOLS)
    assert "```json" in reply.text
    assert [name for name, _ in reply.calls] == ["HassTurnOff"]


async def test_claims_do_not_replace_a_question(standin: Starter) -> None:
    """Reading stays reading."""
    _, client = await standin("claims_done")
    assert "GetLiveContext" in (await client.chat(PROMPT + "What is on?")).text
    assert (await client.chat("alles aus bitte")).text.startswith("Erledigt")


async def test_the_web_is_searched_before_the_answer(standin: Starter) -> None:
    """Announcement, dispatch, result; not again after a tool's result."""
    _, client = await standin("web_search")
    reply = await client.chat("Hello")
    assert [call.get("name") for call in reply.server] == ["web_search"] * 2 + [None]
    assert json.loads(reply.server[1]["arguments"]) == {"query": "Hello"}
    assert json.loads(reply.server[2]["content"])["results"]
    assert reply.text == GREETING
    turns = [
        {"role": "user", "content": SENTENCE},
        {"role": "assistant", "content": TEXT},
        {"role": "user", "content": '{"output": 1}'},
    ]
    reply = await client.chat(turns)
    assert (reply.text, reply.server) == (DONE, [])


async def test_a_loop_reads_for_ever(standin: Starter) -> None:
    """In both modes, also after the result."""
    _, client = await standin("loop")
    turns = [{"role": "user", "content": SENTENCE}]
    for _ in range(3):
        reply = await client.chat(turns)
        assert "user:GetLiveContext" in reply.text
        turns += [
            {"role": "assistant", "content": reply.text},
            {"role": "user", "content": '{"output": 1}'},
        ]
    reply = await client.chat("kitchen", tools=TOOLS)
    assert [name for name, _ in reply.calls] == ["GetLiveContext"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("GetLiveContext", True),
        ("user:GetDateTime", True),
        ("homeassistant__GetLiveContext", True),
        ("todo_get_items", True),
        ("HassGetState", True),
        ("HassTurnOff", False),
        ("HassTargetTemperature", False),
        ("widget_on", False),
    ],
)
def test_reading_tools_are_known_by_their_names(name: str, expected: bool) -> None:
    """Nothing that acts is taken for reading."""
    assert reads(name) is expected
