"""Sentences through the real Assist pipeline, over Lumo's protocol, to a lamp.

One Home Assistant and one stand-in serve the whole file. The house keeps its state
from test to test, so each test first puts what it is about into the state it needs.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
import contextlib
from typing import Any

import aiohttp
import pytest
import pytest_asyncio
import pytest_socket

from dev.home import Home, HomeOptions, SetupError, Turn, open_home, turn as turn_module
from dev.home.lumo import SignIn, add_lumo, entry_state, find_agent, remove_lumo

pytestmark = [pytest.mark.process, pytest.mark.asyncio(loop_scope="module")]

KITCHEN = ("light.kitchen_ceiling_light", "light.kitchen_counter_light")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running() -> AsyncGenerator[Home]:
    pytest_socket.enable_socket()
    with pytest.MonkeyPatch.context() as patch:
        # What changes in these tests changes before the turn is over.
        patch.setattr(turn_module, "QUIET", 0.3)
        async with open_home(HomeOptions()) as home:
            yield home


@pytest.fixture(
    scope="module", params=["private", pytest.param("native", marks=pytest.mark.long)]
)
def mode(request: pytest.FixtureRequest) -> str:
    value: str = request.param
    return value


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def home(running: Home, mode: str) -> Home:
    pytest_socket.enable_socket()
    await running.change_agent(
        tool_calling=mode, plain_commands=False, quick_confirmation="never"
    )
    return running


async def standin(home: Home, method: str, path: str, body: object = None) -> Any:
    url = f"{home.lumo.base_url}/__standin__/{path}"
    async with (
        aiohttp.ClientSession() as http,
        http.request(method, url, json=body) as response,
    ):
        return await response.json()


@contextlib.asynccontextmanager
async def scenario(home: Home, name: str) -> AsyncIterator[None]:
    """Give the stand-in other habits for a while."""
    await standin(home, "POST", "scenario", {"scenario": name})
    try:
        yield
    finally:
        await standin(home, "POST", "scenario", {"scenario": "clean"})


async def act(home: Home, action: str, *entities: str) -> None:
    """Do something in the house without Lumo."""
    domain, service = action.split(".")
    await home.api.command(
        "call_service",
        domain=domain,
        service=service,
        target={"entity_id": list(entities)},
    )


def transitions(turn: Turn) -> set[tuple[str, str | None, str | None]]:
    return {
        (change.entity_id, change.before, change.after)
        for change in turn.changes
        if change.before != change.after
    }


def names(turn: Turn) -> list[str]:
    return [call.name.rpartition("__")[2] for call in turn.tool_calls]


async def test_a_sentence_turns_the_kitchen_lights_off(home: Home) -> None:
    """Nothing else in the house changes, and the reply is streamed."""
    await act(home, "light.turn_on", *KITCHEN)
    turn = await home.conversation().ask("Turn off the kitchen lights")
    assert transitions(turn) == {(light, "on", "off") for light in KITCHEN}
    assert len(turn.changes) == len(KITCHEN)
    assert names(turn) == ["HassTurnOff"]
    assert turn.tool_calls[0].result is not None
    assert (turn.error, turn.requests, turn.bounces, turn.rescues) == (None, 2, 0, 0)
    assert turn.reply
    assert turn.first_text_ms is not None
    assert turn.first_text_ms <= turn.total_ms
    assert turn.prompt_characters > 0


async def test_the_mode_decides_where_the_tools_are_written(
    home: Home, mode: str
) -> None:
    await standin(home, "DELETE", "requests")
    turn = await home.conversation().ask("Is the front door locked?")
    sent = await standin(home, "GET", "requests")
    assert len(sent) == turn.requests
    texts = [message["content"] for message in sent[0]["messages"]]
    described = any("user:HassTurnOff" in text for text in texts)
    offered = any(
        tool["function"]["name"] == "HassTurnOff" for tool in sent[0]["tools"]
    )
    assert (described, offered) == (mode == "private", mode == "native")


@pytest.mark.parametrize(("action", "yes"), [("lock", True), ("unlock", False)])
async def test_a_question_is_answered_with_the_true_state(
    home: Home, action: str, yes: bool
) -> None:
    """The answer comes from the live context, and nothing is switched."""
    await act(home, f"lock.{action}", "lock.front_door")
    turn = await home.conversation().ask("Is the front door locked?")
    assert turn.reply.startswith("Yes" if yes else "No")
    assert names(turn) == ["GetLiveContext"]
    assert not turn.changes
    await act(home, "lock.lock", "lock.front_door")


@pytest.mark.long
async def test_a_misrouted_call_is_rescued_and_its_apology_never_heard(
    home: Home,
) -> None:
    """It costs no more requests than a call in the right place."""
    await act(home, "light.turn_on", *KITCHEN)
    async with scenario(home, "misrouted"):
        turn = await home.conversation().ask("Turn off the kitchen lights")
    assert transitions(turn) == {(light, "on", "off") for light in KITCHEN}
    assert (turn.error, turn.requests, turn.bounces) == (None, 2, 0)
    assert turn.rescues == 1
    assert "sorry" not in turn.reply.lower()


@pytest.mark.long
async def test_a_conversation_has_a_memory(home: Home) -> None:
    """What was spoken of before is "it"; another conversation knows nothing of it."""
    await act(home, "light.turn_off", "light.bedroom_lamp")
    conversation = home.conversation()
    first = await conversation.ask("Turn on the bedroom lamp")
    assert transitions(first) == {("light.bedroom_lamp", "off", "on")}
    second = await conversation.ask("Turn it off")
    assert transitions(second) == {("light.bedroom_lamp", "on", "off")}
    third = await conversation.ask("Is the bedroom lamp on?")
    assert third.reply.startswith("No")
    stranger = await home.conversation().ask("Turn it off")
    assert not stranger.changes


@pytest.mark.long
async def test_german_is_spoken_too(home: Home) -> None:
    """The pipeline's language reaches the model, and its answer is spoken in it."""
    await act(home, "light.turn_on", *KITCHEN)
    await home.change_language("de")
    try:
        conversation = home.conversation()
        turn = await conversation.ask("Schalte das Licht in der Küche aus")
        assert transitions(turn) == {(light, "on", "off") for light in KITCHEN}
        assert "Küche" in turn.reply
        turn = await conversation.ask("Ist die Haustür abgeschlossen?")
        assert turn.reply.startswith("Ja")
    finally:
        await home.change_language("en")


@pytest.mark.long
async def test_two_at_once_do_not_disturb_each_other(home: Home) -> None:
    await act(home, "light.turn_off", "light.office_light", "light.hallway_light")
    office, hallway = await asyncio.gather(
        home.conversation().ask("Turn on the office light"),
        home.conversation().ask("Turn on the hallway light"),
    )
    assert "office" in office.reply.lower()
    assert "hallway" in hallway.reply.lower()
    assert [call.arguments for call in office.tool_calls] != [
        call.arguments for call in hallway.tool_calls
    ]
    assert (office.error, hallway.error) == (None, None)


async def test_a_failure_of_the_service_is_spoken(home: Home) -> None:
    """The turn ends with a sentence and a code, and the next one works again."""
    async with scenario(home, "server_error"):
        turn = await home.conversation().ask("Make up a poem about lights")
        assert turn.error == "server_error"
        assert turn.reply
        turn = await home.conversation().ask("Turn off the kitchen lights")
        assert turn.error is None
        assert turn.reply.startswith("Without Lumo: ")
    turn = await home.conversation().ask("Is the front door locked?")
    assert turn.error is None


@pytest.mark.parametrize(
    ("sign_in", "name"),
    [
        ("account", "carol"),  # a code
        *(
            pytest.param(*way, marks=pytest.mark.long)
            for way in (
                ("account", "bob"),
                ("account", "frank"),  # a captcha
                ("api_key", None),
                ("guest", None),
            )
        ),
    ],
)
async def test_every_way_in_leads_to_an_answer(
    running: Home, sign_in: SignIn, name: str | None
) -> None:
    pytest_socket.enable_socket()
    entry_id = await add_lumo(running.api, running.lumo, sign_in, name)
    try:
        agent = await find_agent(running.api, entry_id)
        said = {"text": "Hello", "agent_id": agent}
        answer = await running.api.request("POST", "conversation/process", said)
        assert answer["response"]["response_type"] == "action_done"
    finally:
        await remove_lumo(running.api, entry_id)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "scenarios"),
    [
        ("dave", "clean"),  # a security key only
        ("nobody", "clean"),
        ("bob", "wrong_server_proof"),
        ("bob", "forged_modulus"),
    ],
)
async def test_a_sign_in_that_is_refused_says_why(
    running: Home, name: str, scenarios: str
) -> None:
    """The reason is told, the password is not."""
    pytest_socket.enable_socket()
    async with scenario(running, scenarios):
        with pytest.raises(SetupError) as refused:
            await add_lumo(running.api, running.lumo, "account", name)
    assert "password is" not in str(refused.value)


@pytest.mark.long
async def test_options_hold_once_the_change_has_returned(running: Home) -> None:
    pytest_socket.enable_socket()
    await standin(running, "POST", "options", {"faults_everywhere": True})
    try:
        async with scenario(running, "server_error"):
            await running.change_agent(thinking=True)
            assert await entry_state(running.api, running.entry_id) == "loaded"
    finally:
        await standin(running, "POST", "options", {"faults_everywhere": False})


async def test_nothing_was_sent_that_lumo_would_not_expect(home: Home) -> None:
    """The stand-in notes what a good client does not do."""
    assert await standin(home, "GET", "violations") == []
