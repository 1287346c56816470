"""Each assumption about the service holds of the stand-in, and is noticed when broken."""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
import json
from pathlib import Path
import re
from typing import Any, NamedTuple, override

import httpx
import pytest

from custom_components.lumo.lumo_client import realtime
from custom_components.lumo.lumo_client.auth import (
    ApiKeyCredential,
    Credential,
    GuestCredential,
    Session,
    Tokens,
)
from custom_components.lumo.lumo_client.endpoints import endpoints_from_environment
from custom_components.lumo.lumo_client.events import Limits, TextDelta, Usage
from dev.brain import Brain
from dev.brain.model import Call, Say
from dev.probe import speech
from dev.probe.__main__ import _doubt, main
from dev.probe.assumptions import ASSUMPTIONS, report
from dev.probe.questions import QUESTIONS, Seen, ask, ask_all
from dev.sound import sound_of
from dev.standin import Standin, start
from dev.standin.server import Options


@dataclass
class SmallBrain:
    """Does what the probe asks for, unless it is told to say something else."""

    says: str | None = None
    arguments: dict[str, str] | None = None

    def answer(
        self,
        messages: list[dict[str, str]],
        function_tools: list[dict[str, Any]],
        *,
        server_tools: Sequence[str] = (),
        **_more: Any,
    ) -> list[Say | Call]:
        text = " ".join(message["content"] for message in messages)
        if self.says is not None:
            return [Say(self.says)]
        if "Static Context" in text:
            return Brain().answer(messages)
        if server_tools:
            return [Call(server_tools[0], {"prompt": text})]
        if messages[-1]["role"] == "tool" or "Turn on" not in text:
            return [Say("Seven.")]
        arguments: dict[str, Any] = self.arguments or {"name": "kitchen lamp"}
        if function_tools:
            return [Call("HassTurnOn", arguments)]
        if "user:HassTurnOn" in text:
            return [Call("user:HassTurnOn", arguments)]
        return [Say("I cannot do that.")]


class Tampering(httpx.AsyncHTTPTransport):
    change: Callable[[bytes], bytes] = staticmethod(lambda data: data)
    kind: str | None = None

    @override
    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await super().handle_async_request(request)
        data = self.change(await response.aread())
        await response.aclose()
        kind = self.kind or response.headers["content-type"]
        return httpx.Response(
            response.status_code, content=data, headers={"content-type": kind}
        )


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak faster, and wait less for what does not come."""
    monkeypatch.setattr(speech, "CHUNK_SECONDS", 0.0005)
    monkeypatch.setattr(realtime, "PATIENCE", realtime.Patience(late=0.2, quiet=0.1))


@pytest.fixture
async def standin(
    socket_enabled: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Standin]:
    """Run the stand-in, as it runs by hand for the probe."""
    async with await start(
        brain=SmallBrain(), scenario=["probed"], options=Options(guest_quota=40)
    ) as standin:
        monkeypatch.setenv("LUMO_BASE_URL", standin.base_url)
        monkeypatch.setenv("LUMO_PUBLIC_KEY_FILE", standin.public_key_file)
        yield standin


def credential(way: str, http: httpx.AsyncClient, standin: Standin) -> Credential:
    if way == "guest":
        return GuestCredential(http)
    if way == "key":
        return ApiKeyCredential(standin.accounts_state.valid_key)

    async def keep(_tokens: Tokens) -> None:
        """Keep nothing."""

    alice = standin.accounts_state.alice
    tokens = Tokens(alice.uid, alice.access_token, alice.refresh_token)
    endpoints = endpoints_from_environment(_environment(standin))
    return Session(http, endpoints, tokens, keep)


def _environment(standin: Standin) -> dict[str, str]:
    return {
        "LUMO_BASE_URL": standin.base_url,
        "LUMO_PUBLIC_KEY_FILE": standin.public_key_file,
    }


@pytest.mark.long
@pytest.mark.parametrize("way", ["account", "key", "guest"])
async def test_all_of_it_holds_of_the_stand_in(standin: Standin, way: str) -> None:
    async with httpx.AsyncClient() as http:
        who = credential(way, http, standin)
        seen = await ask_all(
            http, endpoints_from_environment(_environment(standin)), who, speech=SPEECH
        )
        secrets = [*(await who.headers()).values(), "Seven", "kitchen lamp"]
    assert {row.says: row.verdict(seen) for row in ASSUMPTIONS if way in row.ways} == {
        row.says: True for row in ASSUMPTIONS if way in row.ways
    }
    text = report(way, seen, "0")
    assert "DOES NOT" not in text and text.count("- [holds]") > 20
    for secret in secrets:
        assert secret not in text


def swap(pattern: str, new: str) -> Callable[[bytes], bytes]:
    return lambda data: re.sub(pattern.encode(), new.encode(), data)


def calling(*calls: tuple[str, dict[str, Any]]) -> SmallBrain:
    """Return a brain that prints these calls, whatever is said."""
    return SmallBrain(
        says="\n".join(
            json.dumps({"name": f"user:{name}", "arguments": arguments})
            for name, arguments in calls
        )
    )


LOOK = ("GetLiveContext", {"name": "Radio"})

A_CALL = swap(
    r"data: \[DONE\]",
    r'data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":'
    r'{"name":"HassTurnOn","arguments":"{}"}}]}}]}\n\ndata: [DONE]',
)
NO_CODE = swap('"Code"', '"Number"')


class Habit(NamedTuple):
    name: str


# Two seconds, so that a part is understood before the end.
SPEECH = sound_of("Say the word seven, please") + b"\x7f\x7f" * 16_000

type Break = str | Habit | SmallBrain | Callable[[bytes], bytes] | None

# How the service would have to change for each row to be noticed.
BREAKS: dict[str, Break] = {
    "An answer is an event stream": "application/json",
    "A stream ends with its mark": swap(r"data: \[DONE\]", ""),
    "A stream says why it ended": swap(
        '"finish_reason":"stop"', '"finish_reason":null'
    ),
    "Comments are nothing but progress": swap(":queued", ":wait"),
    "A chunk has at most one choice": swap(r'"choices":\[{', '"choices":[{},{'),
    "An answer tells its cost": swap('"usage"', '"cost"'),
    "Every piece of a private answer is encrypted": swap(
        '"content":"[^"]*","encrypted":true', '"content":"seven"'
    ),
    "Arguments of calls are encrypted": swap('"arguments":"[^"]*"', '"arguments":"{}"'),
    "Nothing is encrypted with a key": swap('"content"', '"encrypted":true,"content"'),
    "A function is called on its channel": SmallBrain(says="On."),
    "Arguments come in one piece": swap(
        r'"tool_calls":\[', '"tool_calls":[{"index":0,"function":{"arguments":" "}},'
    ),
    "Arguments are an object of the schema": SmallBrain(arguments={"lamp": "kitchen"}),
    "A result is understood, and answered in words": SmallBrain(says=" "),
    "Instructions in the last message are obeyed": SmallBrain(says="On."),
    "Instructions in the first message are obeyed": SmallBrain(says="On."),
    "Instructions at the start and a reminder are obeyed": SmallBrain(says="On."),
    "A printed call does not go astray": A_CALL,
    "A search is announced, then sent": None,
    "A search has a result": None,
    "Thinking can be asked for": swap('"reasoning"', '"musing"'),
    "Nobody thinks unasked": swap('"content"', '"reasoning"'),
    "The larger model answers": SmallBrain(says=" "),
    "Both models are listed, with their length": swap("lumo-max", "lumo-ultra"),
    "A picture is seen": SmallBrain(says="Blue."),
    "A picture is made": SmallBrain(says="Imagine a red circle."),
    "A picture that is made is encrypted": swap(
        '"data":"[^"]*","encrypted":true', '"data":"iVBORw0KGgo="'
    ),
    "The pools of the limits are known": swap('"images"', '"pictures"'),
    "An answer says what is left": swap('"remaining_limits"', '"left"'),
    "An answer to a key says nothing of limits": swap(
        '"usage":{', '"usage":{"remaining_limits":{"lite":1},'
    ),
    "An account may open the socket for speech": Habit("speech_refused"),
    "The socket is closed to guests and keys": Habit("speech_open"),
    "Speech comes back in segments, final in the end": Habit("speech_cut_late"),
    "All texts of speech are encrypted": Habit("speech_clear"),
    "Text still comes behind the final commit": Habit("speech_early"),
    "A wrong request is refused in a known form": NO_CODE,
    "An unknown path is refused in a known form": NO_CODE,
    "A lamp is turned off": SmallBrain(says="I have turned it off."),
    "A door is unlocked": calling(("HassTurnOn", {"name": "Front door"})),
    "A value is looked at": SmallBrain(says="It is 7 degrees outside."),
    "Nothing is called for the world": calling(LOOK),
    "Two steps are two calls": calling(("HassTurnOn", {"name": "Floor lamp"})),
    "A temperature is set": calling(
        ("HassClimateSetTemperature", {"area": "Bedroom", "temperature": 20})
    ),
    "A room is turned on": calling(("HassTurnOn", {"area": "Living room"})),
    "A title is looked at": calling(LOOK, ("HassTurnOff", {"name": "Front door"})),
    "Two rooms are turned off": calling(("HassTurnOff", {"domain": "light"})),
    "A brightness is set": SmallBrain(says='{"name": "user:HassLightSet", "argu'),
    "Nothing is called for small talk": SmallBrain(says=" "),
    "An item is added": calling(("HassListAddItem", {"name": "Shopping list"})),
}


@pytest.mark.parametrize("row", ASSUMPTIONS, ids=lambda row: row.says)
async def test_broken_assumption_is_noticed(standin: Standin, row: Any) -> None:
    how = BREAKS[row.says]
    standin.scenarios = []
    transport = Tampering()
    match how:
        case SmallBrain():
            standin._brain = how
        case str():
            transport.kind = how
        case Habit(name):
            standin.scenarios = [name]
        case None:
            pass
        case _:
            transport.change = how
    async with httpx.AsyncClient(transport=transport) as http:
        way = next(way for way in ("key", "guest", "account") if way in row.ways)
        seen = await ask(
            http,
            endpoints_from_environment(_environment(standin)),
            credential(way, http, standin),
            QUESTIONS[row.question],
            SPEECH,
        )
    assert row.verdict({row.question: seen}) is False


def test_each_row_has_its_break_and_the_readme_asks_for_it() -> None:
    """Nothing is listed that is not there."""
    assert list(BREAKS) == [row.says for row in ASSUMPTIONS]
    assert len(QUESTIONS) <= 36
    readme = Path(__file__).parents[2] / "README.md"
    assert "scripts/probe" in readme.read_text(encoding="utf-8")


def test_answers_that_are_not_lumos_are_no_finding() -> None:
    """A page of somebody else's, or a key that is served as a guest."""
    answer = Seen(status=200, events=[TextDelta("Seven."), Usage(remaining=None)])
    assert _doubt("key", answer) is None
    assert "no answer" in (_doubt("guest", Seen(status=403)) or "")
    answer.events.append(Usage(remaining=Limits(lite=1)))
    assert "guest" in (_doubt("key", answer) or "")
    assert _doubt("guest", answer) is None


@pytest.mark.parametrize("value", [{"choices": ["x"]}, {"limits": 3}, {"data": [1]}])
def test_odd_forms_are_findings(value: dict[str, Any]) -> None:
    seen = dict.fromkeys(QUESTIONS, Seen(status=200, values=[value]))
    verdicts = [row.verdict(seen) for row in ASSUMPTIONS]
    assert False in verdicts
    assert report("guest", seen, "0")


def test_nothing_is_asked_where_it_cannot_succeed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--guest", "--report", str(tmp_path / "none" / "report.md")])
    monkeypatch.setenv("LUMO_BASE_URL", "http://lumo.invalid")
    assert main(["--guest", "--report", str(tmp_path / "report.md")]) == 2
    assert "Not signed in" in capsys.readouterr().err
