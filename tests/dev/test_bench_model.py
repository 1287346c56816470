"""The bench with a small real model: what it makes of a turn, and what it keeps."""

from aiohttp import ClientSession, web
from aiohttp.test_utils import TestClient, TestServer
import pytest

from dev.bench.model import Sentence, judge
from dev.home import Turn
from dev.home.turn import Change
from dev.model import Model

OFF = Change("light.office_light", "on", "off", {})
LAMP = Change("light.bedroom_lamp", "off", "on", {})
COMMAND = Sentence("Turn off the office light", ("office_light off",))
CALL = '{"name": "user:HassTurnOff", "arguments": {}}'


@pytest.mark.parametrize(
    ("sentence", "turn", "written", "kinds"),
    [
        (COMMAND, Turn("", "Off.", changes=[OFF]), CALL, {"right", "calls lost"}),
        (COMMAND, Turn("", "Off.", changes=[OFF, LAMP]), "", {"wrong act"}),
        (COMMAND, Turn("", "It is off."), "", {"claimed and not done"}),
        (COMMAND, Turn("", "I did not do it."), "", {"nothing done"}),
        (COMMAND, Turn("", "Shall I?", continue_conversation=True), "", {"asked"}),
        (
            Sentence("Unlock the door", asks=True),
            Turn("", "Shall I?", continue_conversation=True),
            "",
            {"right"},
        ),
        (Sentence("Unlock the door", asks=True), Turn("", "Ok."), "", {"nothing done"}),
        (Sentence("How humid?", says="58"), Turn("", "58 %."), "", {"right"}),
        (
            Sentence("How humid?", says="58"),
            Turn("", "58 {user:now}"),
            "",
            {"right", "read aloud"},
        ),
        (
            Sentence("How humid?", says="58"),
            Turn("", "I stopped, the same step."),
            "",
            {"nothing done", "same step"},
        ),
    ],
)
def test_judge(sentence: Sentence, turn: Turn, written: str, kinds: set[str]) -> None:
    """Right is what was meant, and nothing else."""
    assert judge(sentence, turn, written) == kinds


@pytest.mark.usefixtures("socket_enabled")
async def test_what_was_asked_and_answered_is_kept() -> None:
    heard = []

    async def answer(request: web.Request) -> web.Response:
        heard.append(await request.json())
        pieces = ("Hel", "lo")
        lines = [
            f'data: {{"choices": [{{"delta": {{"content": "{piece}"}}}}]}}\n\n'
            for piece in pieces
        ]
        return web.Response(text="".join([*lines, "data: [DONE]\n\n"]))

    app = web.Application()
    app.router.add_post("/v1/chat/completions", answer)
    async with TestServer(app) as server, ClientSession() as http:
        model = Model(http, str(server.make_url("")).rstrip("/"), 0)
        async with TestClient(TestServer(model.app)) as client:
            body = {"messages": [{"role": "user", "content": "Hi"}]}
            reply = await client.post("/v1/chat/completions", json=body)
            assert (await reply.text()).endswith("data: [DONE]\n\n")
    assert heard[0]["temperature"] == 0
    assert heard[0]["messages"] == body["messages"]
    (kept,) = model.answers
    assert kept["asked"] == body["messages"][-1]
    assert kept["pieces"] == [{"content": "Hel"}, {"content": "lo"}]
