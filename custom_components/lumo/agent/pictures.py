"""Pictures as Lumo is shown them: read, looked at, made small, and nothing else.

Each is drawn anew as a JPEG of moderate size. So what a phone or a camera wrote beside
it (where and when it was taken, with what, a preview) does not leave the house, and what
Lumo gets is a picture, whatever the file was called.
"""

from collections.abc import Iterable
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
from ..lumo_client.messages import Image

# The models that Lumo runs look at no more pixels of a side.
MAX_SIDE: Final = 1568
# Of a file: cameras of phones stay below both. Some hundred bytes can stand for any
# number of pixels, each of which takes up to nine bytes of memory.
MAX_BYTES: Final = 20_000_000
MAX_PIXELS: Final = 64_000_000
MAX_DECODED: Final = 25_000_000
# Proton's web client reckons 2,000 tokens for each.
MAX_PICTURES: Final = 8
_QUALITY: Final = 85

# Home Assistant's Pillow reads no HEIF, unless an integration has taught it.
_FORMATS: Final[tuple[str, ...]] = ("JPEG", "PNG", "GIF", "WEBP", "HEIF")


class PictureError(HomeAssistantError):
    """Lumo cannot be shown a picture; a translated sentence says why."""

    def __init__(self, reason: str, **placeholders: str) -> None:
        super().__init__(
            translation_domain=DOMAIN,
            translation_key=reason,
            translation_placeholders=placeholders,
        )
        self.reason, self.placeholders = reason, placeholders


def opened(data: bytes) -> PillowImage.Image:
    """Return a picture whose pixels are not read yet.

    Pillow is asked for the formats of cameras and screens only. Raises what it raises:
    UnidentifiedImageError for what is no picture, anything for a damaged one.
    """
    PillowImage.init()
    known = [name for name in _FORMATS if name in PillowImage.OPEN]
    return PillowImage.open(BytesIO(data), formats=known)


async def async_read(
    hass: HomeAssistant, source: Path | bytes, name: str = ""
) -> Image:
    """Return a file, or the bytes of one, as Lumo is shown it.

    `name` is what a person calls it. Raises PictureError for what is no picture, cannot
    be read, or is too large.
    """
    if not name and isinstance(source, Path):
        name = source.name
    return await hass.async_add_executor_job(_read, source, spoken(name))


async def async_read_attachments(
    hass: HomeAssistant, attachments: Iterable[conversation.Attachment]
) -> list[Image]:
    """Return what a person attached to a sentence; raise PictureError.

    Their given types are not looked at: they are those of streams, of suffixes, or
    whatever a caller wrote.
    """
    files = list(attachments)
    if len(files) > MAX_PICTURES:
        raise PictureError("too_many_pictures", limit=str(MAX_PICTURES))
    # One after the other: each may take much memory while it is made small.
    return [
        await async_read(hass, item.path, item.media_content_id.rpartition("/")[2])
        for item in files
    ]


def _read(source: Path | bytes, name: str) -> Image:
    data = source if isinstance(source, bytes) else _content(source, name)
    if len(data) > MAX_BYTES:
        raise PictureError("picture_too_large", name=name)
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
        if not S_ISREG(path.stat().st_mode):
            # A pipe would keep us waiting.
            raise PictureError("picture_unreadable", name=name)
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as err:
        raise PictureError("picture_unreadable", name=name) from err


def _drawn_anew(data: bytes) -> bytes:
    """Return a picture upright and small, of a moving one the first."""
    with opened(data) as picture:
        pixels = picture.width * picture.height
        # A JPEG is decoded at about the size that is needed.
        picture.draft("RGB", (MAX_SIDE, MAX_SIDE))
        if pixels > MAX_PIXELS or picture.width * picture.height > MAX_DECODED:
            raise PillowImage.DecompressionBombError
        if picture.mode.startswith("I"):
            # With 16 bits for each pixel, of which only the first eight are shown.
            picture = picture.convert("I").point(lambda value: value / 256).convert("L")
        elif picture.mode == "P":
            # Between colors by number there are no others.
            picture = picture.convert("RGBA")
        picture.thumbnail((MAX_SIDE, MAX_SIDE))
        picture = ImageOps.exif_transpose(picture).convert("RGBA")
    drawn = PillowImage.new("RGB", picture.size, "white")
    drawn.paste(picture, mask=picture)
    written = BytesIO()
    drawn.save(written, "JPEG", quality=_QUALITY)
    return written.getvalue()
