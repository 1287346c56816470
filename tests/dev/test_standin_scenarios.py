"""The model's habits: how it calls, in both modes, in both ways, in both forms."""

import contextlib
import json
from typing import Any

import httpx
import pytest

from dev.standin import SCENARIOS, Options
from dev.standin.scenarios import make_scenarios

from .conftest import Starter
from .small_brain import OFF, PROMPT, TOOLS

CALL = {"name": "user:HassTurnOff", "arguments": OFF}
TEXT = json.dumps(CALL)
SENTENCE = PROMPT + "Turn off the kitchen lights"


async def test_each_scenario_answers(standin: Starter) -> None:
    running, client = await standin(options=Options(slow_seconds=0.1))
    client.encrypted = False
    client.http.timeout = httpx.Timeout(0.3)
    requests: list[tuple[str, dict[str, Any]]] = [
        (SENTENCE, {}),
        ("kitchen", {"tools": TOOLS}),
        ("Hello", {}),
    ]
    for name in SCENARIOS:
        running.scenarios = [name]
        for text, members in requests:
            with contextlib.suppress(httpx.TransportError):
                reply = await client.chat(text, **members)
                assert reply.status == 200 or reply.body, name


def test_an_unknown_scenario_is_refused() -> None:
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


@pytest.mark.parametrize("native", [True, False])
async def test_a_cut_call_is_never_complete(standin: Starter, native: bool) -> None:
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
