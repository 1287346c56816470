"""Pictures as Lumo is shown them: any file at all, and nothing that is not seen."""

from collections.abc import Callable
from io import BytesIO
import logging
import os
from pathlib import Path
import struct
from typing import Any, cast
import zlib

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from hypothesis import given, strategies as st
from PIL import Image as PillowImage
import pytest

from custom_components.lumo.abilities.ability import Ability
from custom_components.lumo.agent import pictures
from custom_components.lumo.agent.asking import Dialogue
from custom_components.lumo.agent.model_texts import MODEL_TEXTS
from custom_components.lumo.agent.pictures import (
    MAX_PICTURES,
    MAX_SIDE,
    PictureError,
    async_draw,
    async_read,
    drawing_request,
)
from custom_components.lumo.agent.record import TurnRecord
from custom_components.lumo.agent.turn_tools import tools_for
from custom_components.lumo.gate.own_tool import unwrapped
from custom_components.lumo.lumo_client.errors import LumoConnectionError
from custom_components.lumo.lumo_client.events import ImageData, Limits, Usage
from custom_components.lumo.lumo_client.messages import Image
from dev.standin.pictures import sniff

from .scripted import Scene, ScriptedClient, Step
from .turns import END, LOOK, OFF

RED = (200, 30, 30)
BLUE = (30, 30, 200)


def encoded(kind: str, size: tuple[int, int] = (40, 20), **more: Any) -> bytes:
    """Return a picture whose left half is red, its right half blue."""
    picture = PillowImage.new("RGB", size, RED)
    picture.paste(BLUE, (size[0] // 2, 0, *size))
    return written(picture, kind, **more)


def written(picture: PillowImage.Image, kind: str, **more: Any) -> bytes:
    file = BytesIO()
    picture.save(file, kind, **more)
    return file.getvalue()


def moving() -> bytes:
    first, second = (PillowImage.new("RGB", (8, 8), color) for color in (RED, BLUE))
    return written(first, "GIF", save_all=True, append_images=[second])


def photograph() -> bytes:
    """Return one as phones take them: lying down, with the place, and a comment."""
    exif = PillowImage.Exif()
    exif[0x0112] = 6
    exif[0x010F] = "Phone maker"
    exif.get_ifd(0x8825)[29] = "2026:11:22"
    more: dict[str, Any] = {"exif": exif, "comment": b"by Anna"}
    return encoded("JPEG", **more)


def claimed(width: int, height: int) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    data = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(99_999)))
    return b"\x89PNG\r\n\x1a\n" + data + chunk(b"IEND", b"")


def opened(data: bytes) -> PillowImage.Image:
    return PillowImage.open(BytesIO(data), formats=["JPEG"]).convert("RGB")


def is_like(
    picture: PillowImage.Image, at: tuple[float, float], color: tuple[int, int, int]
) -> bool:
    """Return whether a place of a picture, in shares of its sides, has a color."""
    place = (int(picture.width * at[0]), int(picture.height * at[1]))
    found = picture.getpixel(place)
    assert isinstance(found, tuple)
    return all(abs(one - two) < 25 for one, two in zip(found, color, strict=True))


HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic"
HALF = len(encoded("JPEG", (300, 300))) // 2

GOOD = {
    "jpeg": encoded("JPEG"),
    "png": encoded("PNG"),
    "gif": encoded("GIF"),
    "moving": moving(),
    "webp": encoded("WEBP"),
    "few colors": written(PillowImage.open(BytesIO(encoded("PNG"))).convert("P"), "PNG"),
    "printed": written(PillowImage.new("CMYK", (9, 9)), "JPEG"),
    "gray": written(PillowImage.new("LA", (9, 9)), "PNG"),
    "photograph": photograph(),
}  # fmt: skip
BAD = {
    "empty": (b"", "not_a_picture"),
    "text": (b"Hello", "not_a_picture"),
    "pdf": (b"%PDF-1.7\n%", "not_a_picture"),
    "svg": (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "not_a_picture"),
    "tiff": (encoded("TIFF"), "not_a_picture"),
    "playlist": (b"#EXTM3U\n#EXT-X-VERSION:7\n", "not_a_picture"),
    "heic": (HEIC, "not_a_picture"),
    "avif": (encoded("AVIF"), "not_a_picture"),
    "sound": (b"RIFF\x24\0\0\0WAVEfmt ", "not_a_picture"),
    "beginning of jpeg": (b"\xff\xd8\xff\xe0", "not_a_picture"),
    "half a jpeg": (encoded("JPEG", (300, 300))[:HALF], "picture_damaged"),
    "half a png": (encoded("PNG")[:60], "picture_damaged"),
    "half a webp": (encoded("WEBP")[:-20], "picture_damaged"),
    "half a gif": (encoded("GIF")[:20], "not_a_picture"),
    "too many bytes": (encoded("JPEG") + bytes(20_000_000), "picture_too_large"),
    "many pixels": (claimed(6_000, 5_000), "picture_too_large"),
    "bomb": (claimed(60_000, 60_000), "picture_too_large"),
}


@pytest.mark.parametrize("data", GOOD.values(), ids=GOOD)
async def test_what_is_a_picture_is_drawn_anew(
    hass: HomeAssistant, tmp_path: Path, data: bytes
) -> None:
    path = tmp_path / "playlist.m3u8"
    path.write_bytes(data)
    image = await async_read(hass, path)
    assert image == await async_read(hass, data)
    assert image.media_type == sniff(image.data) == "image/jpeg"
    assert (
        opened(image.data).size
        == PillowImage.open(BytesIO(data)).size[
            :: -1 if data == GOOD["photograph"] else 1
        ]
    )


@pytest.mark.parametrize(("data", "reason"), BAD.values(), ids=BAD)
async def test_what_is_no_picture_is_said(
    hass: HomeAssistant, tmp_path: Path, data: bytes, reason: str
) -> None:
    path = tmp_path / "door.jpg"
    path.write_bytes(data)
    with pytest.raises(PictureError) as caught:
        await async_read(hass, path, "door.jpg")
    assert caught.value.reason == caught.value.translation_key == reason
    assert caught.value.placeholders == {"name": "door.jpg"}


def locked(path: Path) -> None:
    """Make a file that nobody may read."""
    path.write_bytes(GOOD["jpeg"])
    path.chmod(0)


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: None, "picture_unreadable"),
        (Path.mkdir, "picture_unreadable"),
        (os.mkfifo, "picture_unreadable"),
        (lambda path: path.symlink_to(path), "picture_unreadable"),
        pytest.param(locked, "picture_unreadable", marks=pytest.mark.skipif(os.geteuid() == 0, reason="root may read it")),
    ],
)  # fmt: skip
async def test_what_cannot_be_read_is_said(
    hass: HomeAssistant, tmp_path: Path, make: Callable[[Path], None], reason: str
) -> None:
    """It is looked for when it is needed, and nothing is waited for."""
    make(tmp_path / "door.jpg")
    with pytest.raises(PictureError) as caught:
        await async_read(hass, tmp_path / "door.jpg")
    assert caught.value.reason == reason


async def test_nothing_but_what_is_seen_leaves_the_house(hass: HomeAssistant) -> None:
    """Upright, as it says beside it, and without where it was taken."""
    before = photograph()
    assert b"Phone maker" in before and b"by Anna" in before
    image = await async_read(hass, before)
    shown = opened(image.data)
    assert is_like(shown, (0.5, 0.2), RED) and is_like(shown, (0.5, 0.8), BLUE)
    plain = PillowImage.open(BytesIO(image.data))
    assert not plain.getexif() and "comment" not in plain.info
    assert b"Phone" not in image.data and b"Exif" not in image.data


async def test_large_pictures_are_made_small(hass: HomeAssistant) -> None:
    """Small ones stay; photographs, which are decoded small, may have more pixels."""
    image = await async_read(hass, encoded("JPEG", (4000, 1000)))
    assert opened(image.data).size == (MAX_SIDE, MAX_SIDE // 4)
    assert is_like(opened(image.data), (0.2, 0.5), RED)
    large = written(PillowImage.new("L", (8_000, 6_000)), "JPEG")
    assert opened((await async_read(hass, large)).data).size == (MAX_SIDE, 1176)
    larger = written(PillowImage.new("L", (8_100, 8_000)), "JPEG")
    with pytest.raises(PictureError):
        await async_read(hass, larger)


@pytest.mark.parametrize(
    ("data", "color"),
    [
        # As heat and depth cameras write them.
        (written(PillowImage.new("I;16", (9, 9), 0x8000), "PNG"), (128, 128, 128)),
        # The first of a moving one.
        (moving(), RED),
        # What is transparent is white.
        (written(PillowImage.new("RGBA", (8, 8)), "PNG"), (255, 255, 255)),
    ],
)
async def test_rare_pictures_are_shown(
    hass: HomeAssistant, data: bytes, color: tuple[int, int, int]
) -> None:
    image = await async_read(hass, data)
    assert is_like(opened(image.data), (0.5, 0.5), color)


@given(
    place=st.integers(0, 400), byte=st.integers(0, 255), kind=st.sampled_from([*GOOD])
)
def test_damage_anywhere_is_a_picture_or_an_error_of_ours(
    place: int, byte: int, kind: str
) -> None:
    data = bytearray(GOOD[kind])
    data[place % len(data)] = byte
    try:
        image = pictures._read(bytes(data), "door")
    except PictureError:
        return
    assert sniff(image.data) == "image/jpeg"


def attached(path: Path, media_id: str = "") -> conversation.Attachment:
    """Return an attachment of a type that is not its own."""
    return conversation.Attachment(
        media_content_id=media_id or f"media-source://media_source/local/{path.name}",
        mime_type="application/vnd.apple.mpegurl",
        path=path,
    )


def with_files(
    hass: HomeAssistant, api: llm.APIInstance, *paths: Path, call: str = LOOK
) -> Scene:
    """Return a turn with attachments that calls a tool, and then says something."""
    scene = Scene(hass, api, "Describe this.", [call, "A door."])
    scene.log.content[-1] = conversation.UserContent(
        content="Describe this.", attachments=[attached(path) for path in paths]
    )
    return scene


async def test_attachments_are_shown_in_each_request_of_their_turn(
    hass: HomeAssistant,
    api: llm.APIInstance,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """They are read once; the next turn has none, and no record of them."""
    caplog.set_level(logging.DEBUG, "custom_components.lumo")
    path = tmp_path / "door.jpg"
    path.write_bytes(GOOD["jpeg"])
    scene = with_files(hass, api, path, path)
    shown = await async_read(hass, path)
    assert await scene.run() == "A door."
    first, second = scene.client.requests
    for request in (first, second):
        images = [getattr(item, "images", ()) for item in request.messages]
        assert [item for item in images if item] == [(shown, shown)]
    assert scene.record.pictures == 2
    path.unlink()
    following = Scene(hass, api, "And?", ["Well."], before=scene.log.content[1:])
    assert await following.run() == "Well."
    [request] = following.client.requests
    assert not any(getattr(item, "images", ()) for item in request.messages)
    for place in (caplog.text, str(scene.record.as_trace()), repr(scene.context)):
        assert str(shown.data[:8]) not in place and "door.jpg" not in place.replace(
            str(scene.log), ""
        )


async def test_what_a_picture_says_is_a_text_from_outside(
    hass: HomeAssistant, api: llm.APIInstance, tmp_path: Path
) -> None:
    """Somebody may hold a note up to the camera."""
    path = tmp_path / "note.png"
    path.write_bytes(GOOD["png"])
    assert await with_files(hass, api, path, call=OFF).run() == "[question]"


async def test_a_tool_shows_pictures_up_to_a_limit(
    hass: HomeAssistant, api: llm.APIInstance
) -> None:
    """One that cannot be shown does not count."""
    scene = Scene(hass, api, "Who is there?", [])
    tools = tools_for(scene.context, Dialogue(scene.context)).toolbox.tools
    ours = [
        tool for tool in map(unwrapped, tools.values()) if isinstance(tool, Ability)
    ]
    show = ours[0].context.show
    assert show
    assert await show(b"%PDF-1.7", "manual.pdf") == 0
    assert scene.decisions == ["a picture cannot be shown: not_a_picture"]
    counts = [await show(GOOD["png"], "door.png") for _ in range(MAX_PICTURES)]
    assert counts == [*range(1, MAX_PICTURES + 1)]
    with pytest.raises(HomeAssistantError, match="as many pictures as you may"):
        await show(GOOD["png"], "door.png")


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ([ImageData(GOOD["png"]), LumoConnectionError()], None),
        ([LumoConnectionError()], "cannot_connect"),
        ([END], "no_picture"),
        ([Usage(1, 1, "lite", Limits(images=0)), END], "no_pictures_left"),
        ([ImageData(claimed(6_000, 5_000)), END], "image"),
        ([ImageData(b"%PDF-1.7"), END], "image"),
    ],
)
async def test_drawing_is_there_or_why_not(
    hass: HomeAssistant, answer: list[Step], error: str | None
) -> None:
    """Behind a picture only words were to come."""
    record, client = TurnRecord(), cast(Any, ScriptedClient([answer]))
    images = [Image(GOOD["png"], "image/png")] if error else []
    request = drawing_request("A cat", images, model="m", aspect_ratio="1:1")
    tools = ["generate_image", *["edit_image"] * bool(images)]
    assert [*request.server_tools] == tools and [*request.images] == images
    [message] = request.messages
    text = (MODEL_TEXTS["draw_from"] if images else MODEL_TEXTS["draw"]).format(
        instructions="A cat"
    )
    assert getattr(message, "text", "") == text
    drawing = async_draw(hass, client, request, record)
    if error is None:
        assert await drawing
        return
    with pytest.raises(HomeAssistantError) as raised:
        await drawing
    assert raised.value.translation_key == record.error == error


@pytest.mark.parametrize(
    "row",
    [
        (b"%PDF-1.7", 1, "not_a_picture"),
        (None, 1, "picture_unreadable"),
        (GOOD["png"], MAX_PICTURES + 1, "too_many_pictures"),
    ],
)
async def test_attachment_that_cannot_be_shown_ends_the_turn_with_a_sentence(
    hass: HomeAssistant, api: llm.APIInstance, tmp_path: Path, row: Any
) -> None:
    content, count, error = row
    path = tmp_path / "manual.pdf"
    if content:
        path.write_bytes(content)
    scene = with_files(hass, api, *[path] * count)
    assert await scene.run() == f"[{error}]"
    assert scene.record.error == error
    assert scene.decisions == [f"a picture cannot be shown: {error}"]
    assert not scene.client.requests
