"""Pictures that the model makes: out of the stream, whole or with a clear error."""

import asyncio
import base64
from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest

from custom_components.lumo.lumo_client.encryption import RequestCipher
from custom_components.lumo.lumo_client.errors import (
    ImageError,
    IntegrityError,
    LumoError,
    ProtocolError,
)
from custom_components.lumo.lumo_client.events import End, Event, ImageData
from custom_components.lumo.lumo_client.messages import ChatRequest, Image, UserMessage
from custom_components.lumo.lumo_client.stream import (
    MAX_IMAGE_LINE_BYTES,
    MAX_LINE_BYTES,
    StreamParser,
)

from .asking import CHAT, Connect, ask
from .loopback import LoopbackServer, stream
from .opening import seal_answer
from .streams import KEY, REQUEST_ID, delta, lines, sealed

CIPHER = RequestCipher(KEY, REQUEST_ID, b"")
PNG = b"\x89PNG\r\n\x1a\n and so on"
CLEAR = base64.b64encode(PNG).decode()
SEALED = seal_answer(REQUEST_ID, KEY, PNG)


def current(data: Any, **members: Any) -> dict[str, Any]:
    image = {"id": "i", "data": data, "seed": 7, **members}
    return {"object": "lumo.image_data", "image": image}


def old(data: Any, **members: Any) -> dict[str, Any]:
    """Return the message of before."""
    return {"type": "image_data", "image_id": "i", "data": data, **members}


def parse(
    data: bytes, *, encrypted: bool = True, images: bool = True
) -> tuple[list[Event], type[LumoError] | None]:
    """Return the events of a stream and the error after them."""
    parser = StreamParser(CIPHER.decrypt if encrypted else None, images=images)
    events: list[Event] = []
    try:
        events.extend(chain(parser.feed(data), parser.finish()))
    except LumoError as err:
        return events, type(err)
    return events, None


def pictures(events: list[Event]) -> list[ImageData]:
    return [event for event in events if isinstance(event, ImageData)]


@pytest.mark.parametrize("form", [current, old])
@pytest.mark.parametrize("flag", [True, False])
@pytest.mark.parametrize("encrypted", [True, False])
def test_a_picture_comes_as_the_bytes_of_its_file(
    form: Any, flag: bool, encrypted: bool
) -> None:
    """Sealed or not; what should have been sealed and is not is marked."""
    value = form(SEALED, encrypted=True) if flag else form(CLEAR)
    events, error = parse(lines(value), encrypted=encrypted)
    if flag and not encrypted:
        assert (events, error) == ([], IntegrityError)
        return
    image, end = events
    assert (image, error) == (ImageData(PNG), None)
    assert isinstance(end, End)
    assert isinstance(image, ImageData)
    assert image.in_clear is (encrypted and not flag)
    assert "PNG" not in repr(image)


@pytest.mark.parametrize("form", [current, old])
@pytest.mark.parametrize(
    ("data", "members", "error"),
    [
        (CLEAR[:-3], {}, ImageError),
        ("no base64!", {}, ImageError),
        ("data:image/png;base64,é", {}, ImageError),
        (CLEAR, {"encrypted": True}, IntegrityError),
        (sealed("x")[:-5], {"encrypted": True}, IntegrityError),
        ("é", {"encrypted": True}, IntegrityError),
    ],
)
def test_a_damaged_picture_is_an_error(
    form: Any, data: str, members: dict[str, Any], error: type[LumoError]
) -> None:
    assert parse(lines(form(data, **members))) == ([], error)


@pytest.mark.parametrize(
    "value",
    [
        old(CLEAR, is_final=False),
        old(None),
        old(""),
        current(None),
        current(7),
        {"object": "lumo.image_data"},
        {"object": "lumo.image_data", "image": [CLEAR]},
    ],
)
def test_previews_and_announcements_are_no_pictures(value: dict[str, Any]) -> None:
    events, error = parse(lines(value))
    assert (pictures(events), error) == ([], None)


def test_a_line_may_be_as_long_as_a_picture() -> None:
    large = base64.b64encode(PNG * 100_000).decode()
    assert len(large) > 4 * MAX_LINE_BYTES
    data = lines(current(large))
    (image,) = pictures(parse(data)[0])
    assert image.data == PNG * 100_000
    assert parse(data, images=False) == ([], ProtocolError)
    assert parse(lines(current("A" * MAX_IMAGE_LINE_BYTES))) == ([], ImageError)


async def test_a_large_picture_is_read_beside_the_event_loop(
    server: LoopbackServer, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = []
    in_thread = asyncio.to_thread

    async def run(function: Callable[..., Any], *args: Any) -> Any:
        ran.append(function.__name__)
        return await in_thread(function, *args)

    monkeypatch.setattr(asyncio, "to_thread", run)
    large = PNG * 40_000
    server.on(
        *CHAT,
        stream(
            lines(
                delta(content="Look:"),
                current(base64.b64encode(large).decode()),
                current(CLEAR),
                delta(reason="stop"),
            )
        ),
    )
    shown = UserMessage("Redraw", (Image(PNG, "image/png"),))
    request = ChatRequest((shown,), server_tools=("edit_image",))
    events = await ask(connect(), request)
    assert [image.data for image in pictures(events)] == [large, PNG]
    assert ran == ["create", "build_body", "next"]
