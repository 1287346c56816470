"""Pictures that Lumo is shown, and a picture that Lumo makes.

What Lumo is shown is drawn anew: the time and place in a file do not leave the house.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from stat import S_ISREG
from typing import Final

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from PIL import Image as PillowImage, ImageOps, UnidentifiedImageError

from ..const import DOMAIN
from ..gate.names import spoken
from ..lumo_client.deadlines import ON_SCREEN, TURN_SECONDS
from ..lumo_client.errors import LumoConnectionError, LumoError
from ..lumo_client.events import ImageData, Usage
from ..lumo_client.messages import ChatRequest, Image, UserMessage
from .model_texts import MODEL_TEXTS
from .record import TurnRecord
from .turn_context import Service

# Proton's web client reckons 2,000 tokens for each.
MAX_PICTURES: Final = 8
# The models that Lumo runs look at no more pixels of a side.
MAX_SIDE: Final = 1568
# Of a file: cameras of phones stay below both. A few hundred bytes can stand for any
# number of pixels, and each takes up to nine bytes of memory.
_MAX_BYTES: Final = 20_000_000
_MAX_PIXELS: Final = 64_000_000
_MAX_DECODED: Final = 25_000_000
_QUALITY: Final = 85
# Home Assistant's Pillow reads HEIF only if an integration has taught it.
_FORMATS: Final[tuple[str, ...]] = ("JPEG", "PNG", "GIF", "WEBP", "HEIF")

# All that Proton's tool knows; the first is its own choice.
ASPECT_RATIOS: Final = ("1:1", "2:3", "3:2", "9:16", "16:9")
# Seconds without an event; another client of the service waits as long.
_WAIT: Final = 120.0


class PictureError(HomeAssistantError):
    """Lumo cannot be shown a picture; `reason` is the key of the sentence about it."""

    def __init__(self, reason: str, **placeholders: str) -> None:
        super().__init__(
            translation_domain=DOMAIN,
            translation_key=reason,
            translation_placeholders=placeholders,
        )
        self.reason, self.placeholders = reason, placeholders


async def async_read(
    hass: HomeAssistant, source: Path | bytes, name: str = ""
) -> Image:
    """Return a file, or the bytes of one, as Lumo is shown it; raises PictureError."""
    return await hass.async_add_executor_job(_read, source, spoken(name))


async def async_read_attachments(
    hass: HomeAssistant, attachments: Iterable[conversation.Attachment]
) -> list[Image]:
    """Return what a person attached to a sentence; raises PictureError.

    Anybody may have written the type that an attachment gives: it is not read.
    """
    files = list(attachments)
    if len(files) > MAX_PICTURES:
        raise PictureError("too_many_pictures", limit=str(MAX_PICTURES))
    # One after the other: each may take much memory.
    return [
        await async_read(hass, item.path, item.media_content_id.rpartition("/")[2])
        for item in files
    ]


def _read(source: Path | bytes, name: str) -> Image:
    data = source if isinstance(source, bytes) else _content(source, name)
    try:
        return Image(_drawn_anew(data), "image/jpeg")
    except UnidentifiedImageError as err:
        raise PictureError("not_a_picture", name=name) from err
    except PillowImage.DecompressionBombError as err:
        raise PictureError("picture_too_large", name=name) from err
    except Exception as err:
        # Each format fails in its own ways where bytes are wrong or missing.
        raise PictureError("picture_damaged", name=name) from err


def _content(path: Path, name: str) -> bytes:
    try:
        # A pipe would block.
        if S_ISREG(path.stat().st_mode):
            with path.open("rb") as file:
                return file.read(_MAX_BYTES + 1)
    except OSError as err:
        raise PictureError("picture_unreadable", name=name) from err
    raise PictureError("picture_unreadable", name=name)


def _opened(data: bytes) -> PillowImage.Image:
    """Return a picture of a usual format; its pixels are not read yet."""
    PillowImage.init()
    known = [name for name in _FORMATS if name in PillowImage.OPEN]
    return PillowImage.open(BytesIO(data), formats=known)


def _drawn_anew(data: bytes) -> bytes:
    """Return a picture upright and small; of a moving one the first frame."""
    if len(data) > _MAX_BYTES:
        raise PillowImage.DecompressionBombError
    with _opened(data) as picture:
        pixels = picture.width * picture.height
        # A JPEG is decoded at about the size that is needed.
        picture.draft("RGB", (MAX_SIDE, MAX_SIDE))
        if pixels > _MAX_PIXELS or picture.width * picture.height > _MAX_DECODED:
            raise PillowImage.DecompressionBombError
        if picture.mode.startswith("I"):
            # Only the first eight of its 16 bits are shown.
            picture = picture.convert("I").point(lambda value: value / 256).convert("L")
        elif picture.mode == "P":
            # A palette has no colors between its own.
            picture = picture.convert("RGBA")
        picture.thumbnail((MAX_SIDE, MAX_SIDE))
        picture = ImageOps.exif_transpose(picture).convert("RGBA")
    drawn = PillowImage.new("RGB", picture.size, "white")
    drawn.paste(picture, mask=picture)
    written = BytesIO()
    drawn.save(written, "JPEG", quality=_QUALITY)
    return written.getvalue()


# A picture that Lumo made: its bytes, media type, width and height in pixels.
type Drawing = tuple[bytes, str, int, int]


def drawing_request(
    instructions: str, images: Sequence[Image], *, model: str, aspect_ratio: str
) -> ChatRequest:
    """Return a request for one picture, made from others if there are any."""
    text = (MODEL_TEXTS["draw_from"] if images else MODEL_TEXTS["draw"]).format(
        instructions=instructions
    )
    return ChatRequest(
        messages=(UserMessage(text, tuple(images)),),
        model=model,
        server_tools=("generate_image", *(("edit_image",) if images else ())),
        image_aspect_ratio=aspect_ratio,
    )


async def async_draw(
    hass: HomeAssistant, client: Service, request: ChatRequest, record: TurnRecord
) -> Drawing:
    """Return the picture that Lumo makes; the record has what that took.

    Raises HomeAssistantError with a sentence of ours: errors of automations are logged.
    """
    record.requests, record.pictures = 1, len(request.images)
    record.prompt_characters = request.characters
    try:
        data = await _async_ask(hass, client, request, record)
    except LumoError as err:
        record.failure, failure = err, err.code
    else:
        if data is not None:
            try:
                return await hass.async_add_executor_job(_drawing_of, data)
            except Exception:  # noqa: BLE001 # each format fails in its own ways
                failure = "image"
        else:
            remaining = record.usage.remaining if record.usage else None
            is_empty = remaining is not None and remaining.images == 0
            failure = "no_pictures_left" if is_empty else "no_picture"
    record.error = failure
    raise HomeAssistantError(translation_domain=DOMAIN, translation_key=failure)


async def _async_ask(
    hass: HomeAssistant, client: Service, request: ChatRequest, record: TurnRecord
) -> bytes | None:
    data: bytes | None = None
    until = hass.loop.time() + TURN_SECONDS
    deadlines = replace(ON_SCREEN, first=_WAIT, gap=_WAIT, until=until)
    try:
        async with client.chat(request, deadlines) as events:
            async for event in events:
                if isinstance(event, ImageData):
                    data = event.data
                elif isinstance(event, Usage):
                    record.take(event)
    except LumoConnectionError:
        # Behind a picture only words were to come.
        if data is None:
            raise
    return data


def _drawing_of(data: bytes) -> Drawing:
    with _opened(data) as picture:
        if picture.width * picture.height > _MAX_DECODED:
            raise PillowImage.DecompressionBombError
        picture.load()
        return data, PillowImage.MIME[picture.format or ""], *picture.size
