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
from PIL import Image as PillowImage, ImageOps

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

_BEGINNINGS: Final = {
    b"\xff\xd8\xff": "image/jpeg",
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}
# The brands of ISO 23008-12 for pictures in HEVC, and for any.
_BRANDS: Final = {
    **dict.fromkeys(
        (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"),
        "image/heic",
    ),
    **dict.fromkeys((b"mif1", b"msf1"), "image/heif"),
}


class PictureError(HomeAssistantError):
    """Lumo cannot be shown a picture; a translated sentence says why."""

    def __init__(self, reason: str, **placeholders: str) -> None:
        super().__init__(
            translation_domain=DOMAIN,
            translation_key=reason,
            translation_placeholders=placeholders,
        )
        self.reason = reason
        self.placeholders = placeholders


def sniff(data: bytes) -> str | None:
    """Return the media type of a picture by its first bytes, None for all else."""
    for beginning, media_type in _BEGINNINGS.items():
        if data.startswith(beginning):
            return media_type
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return _BRANDS.get(data[8:12]) if data[4:8] == b"ftyp" else None


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
    media_type = sniff(data)
    # Home Assistant's Pillow reads no HEIC, unless an integration has taught it.
    known = (media_type or "").removeprefix("image/").upper()
    known = "HEIF" if known == "HEIC" else known
    PillowImage.init()
    if known not in PillowImage.OPEN:
        raise PictureError("not_a_picture", name=name)
    try:
        return Image(_drawn_anew(data, known), "image/jpeg")
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
    except FileNotFoundError as err:
        raise PictureError("picture_missing", name=name) from err
    except OSError as err:
        raise PictureError("picture_unreadable", name=name) from err


def _drawn_anew(data: bytes, known: str) -> bytes:
    """Return a picture upright and small, of a moving one the first."""
    with PillowImage.open(BytesIO(data), formats=[known]) as opened:
        pixels = opened.width * opened.height
        # A JPEG is decoded at about the size that is needed.
        opened.draft("RGB", (MAX_SIDE, MAX_SIDE))
        if pixels > MAX_PIXELS or opened.width * opened.height > MAX_DECODED:
            raise PillowImage.DecompressionBombError
        picture: PillowImage.Image = opened
        if opened.mode == "P":
            # Between colors by number there are no others.
            picture = opened.convert("RGBA" if opened.has_transparency_data else "RGB")
        elif opened.mode.startswith("I"):
            # With 16 bits for each pixel, of which only the first eight are shown.
            picture = opened.convert("I").point(lambda value: value / 256).convert("L")
        picture.thumbnail((MAX_SIDE, MAX_SIDE))
        upright = ImageOps.exif_transpose(picture)
        picture = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
    drawn = PillowImage.new("RGB", picture.size, "white")
    drawn.paste(picture, mask=picture if picture.mode == "RGBA" else None)
    written = BytesIO()
    drawn.save(written, "JPEG", quality=_QUALITY)
    return written.getvalue()
