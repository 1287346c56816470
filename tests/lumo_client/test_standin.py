"""The client and the stand-in, each written from the protocol."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from custom_components.lumo.lumo_client.auth import (
    ApiKeyCredential,
    Credential,
    GuestCredential,
)
from custom_components.lumo.lumo_client.client import LumoClient
from custom_components.lumo.lumo_client.endpoints import Endpoints
from custom_components.lumo.lumo_client.events import ImageData, TextDelta
from custom_components.lumo.lumo_client.messages import (
    ChatRequest,
    Image,
    ResponseFormat,
    UserMessage,
)
from custom_components.lumo.lumo_client.session import Session, Tokens
from dev.standin import Standin, start
from dev.standin.pictures import JPEG, draw

from .asking import ask

HELLO = ChatRequest(messages=(UserMessage("Hello"),))


@dataclass
class Said:
    """What the model says."""

    text: str


@dataclass
class Drawn:
    """What the model draws."""

    name: str
    arguments: dict[str, Any]


class Brain:
    """Tells what it sees, and draws what it is told to."""

    def answer(
        self, messages: list[dict[str, Any]], _tools: object, **more: Any
    ) -> list[Said | Drawn]:
        """Return words or a picture."""
        last = messages[-1]
        if tools := more.get("server_tools"):
            return [Drawn(tools[0], {"prompt": last["content"]})]
        images = [len(image) for image in last.get("images", ())]
        return [Said(f"{images} {more.get('response_format')}")]


type Connected = Callable[..., Awaitable[tuple[Standin, LumoClient]]]


@pytest.fixture
async def connected(
    socket_enabled: None, http: httpx.AsyncClient
) -> AsyncIterator[Connected]:
    """Return what starts a stand-in and connects a client, as who is wanted."""
    standins = []

    async def make(who: str = "guest", *scenario: str) -> tuple[Standin, LumoClient]:
        standin = await start(scenario=scenario, brain=Brain())
        standins.append(standin)
        url = f"{standin.base_url}/api"
        endpoints = Endpoints(
            lumo_url=url,
            account_url=url,
            public_key=standin.key_pair.public_key,
            development=True,
        )
        credential: Credential = GuestCredential(http)
        if who == "key":
            credential = ApiKeyCredential(standin.accounts_state.valid_key)
        elif who == "session":
            session = standin.accounts_state.create_session(
                standin.accounts_state.users[0]
            )
            tokens = Tokens(session.uid, session.access_token, session.refresh_token)
            credential = Session(http, endpoints, tokens, _keep)
        return standin, LumoClient(http, endpoints, credential)

    yield make
    for standin in standins:
        await standin.close()


async def _keep(_tokens: Tokens) -> None:
    """Keep nothing."""


@pytest.mark.parametrize("scenario", ["clean", "legacy", "framing"])
@pytest.mark.parametrize("who", ["guest", "key"])
async def test_a_picture_is_drawn(
    connected: Connected, who: str, scenario: str
) -> None:
    """Encrypted and not, in every form of a stream."""
    standin, client = await connected(who, scenario)
    request = ChatRequest(
        messages=(UserMessage("A cat"),),
        server_tools=("generate_image",),
        image_aspect_ratio="16:9",
    )
    events = await ask(client, request)
    (image,) = [event for event in events if isinstance(event, ImageData)]
    assert image.data == draw("A cat", "16:9")
    assert (image.in_clear, standin.violations) == (False, [])


@pytest.mark.parametrize("who", ["guest", "key"])
async def test_pictures_and_forms_are_understood(
    connected: Connected, who: str
) -> None:
    """The form only where everything travels in clear; never the picture."""
    standin, client = await connected(who)
    shown = UserMessage("Look", (Image(JPEG, "image/jpeg"),))
    request = ChatRequest(messages=(shown,), response_format=ResponseFormat("a", {}))
    events = await ask(client, request)
    text = "".join(event.text for event in events if isinstance(event, TextDelta))
    form = {"name": "a", "schema": {}} if who == "key" else None
    assert text == f"[{len(JPEG)}] {form}"
    assert (list(standin.pictures), standin.violations) == ([JPEG], [])
