"""Pictures: those that come with a message, and those that the model makes.

What comes is opened and looked at, so that what a good client does not send is told: a
picture in clear beside a request's key, one that is none, one of another type than said.
"""

import base64
import binascii
from collections.abc import Callable
import hashlib
import io
import math
import re
from typing import Any, Final

from PIL import Image, ImageDraw

from .encryption import Channel, DecryptError
from .errors import INVALID_VALUE, ApiError

type Json = dict[str, Any]
type Report = Callable[[str], None]

# The service's own tools that make pictures.
TOOLS: Final = ("generate_image", "edit_image")
# Of the picture's sides, by the aspect ratios that there are.
SIZES: Final = {
    "1:1": (320, 320),
    "2:3": (240, 360),
    "3:2": (360, 240),
    "9:16": (225, 400),
    "16:9": (400, 225),
}
# Eight pixels each way, as small as their makers write them.
JPEG: Final = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAP////////////////////////////////////////////////"
    "//////////////////////////////////////wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAA"
    "AP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z"
)
WEBP: Final = base64.b64decode(
    "UklGRiQAAABXRUJQVlA4IBgAAABQAQCdASoIAAgADMDOJaQABHQAAAAAAAA="
)

_DATA_URI: Final = re.compile(r"data:([\w.+-]+/[\w.+-]+);base64,", re.IGNORECASE)
_SEALED_TYPE: Final = "application/octet-stream"
# How the base64 of a picture begins, behind the comma of a data URI or as a JSON text.
_CLEAR: Final = re.compile(rb'[",](?:/9j/|\\/9j\\/|R0lGOD|UklGR)|iVBORw0KGgo')


def sniff(data: bytes) -> str | None:
    """Return the media type of a picture, None if it is none that models see."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    if data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"mif1", b"heif"):
        return "image/heic"
    for start, media_type in (
        (b"\xff\xd8\xff", "image/jpeg"),
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"GIF8", "image/gif"),
        (b"BM", "image/bmp"),
    ):
        if data.startswith(start):
            return media_type
    return None


def read_picture(image: Json, channel: Channel | None, report: Report) -> bytes:
    """Return the bytes of an `image_url`; raise ApiError for what cannot be read."""
    url = str(image.get("url", ""))
    encrypted = image.get("encrypted") is True
    if channel and not encrypted:
        report("a picture in clear beside a request_key")
    if (head := _DATA_URI.match(url)) is None:
        report("a picture that is no data URI with base64")
        return b""
    told, content = head[1].lower(), url[head.end() :]
    if encrypted:
        if channel is None:
            raise ApiError(422, INVALID_VALUE, "Encrypted image without request_key")
        if told != _SEALED_TYPE:
            report(f"an encrypted picture that says it is {told}")
        try:
            data = channel.open(content)
        except DecryptError as error:
            raise ApiError(
                422, INVALID_VALUE, f"Image could not be decrypted: {error}"
            ) from error
    else:
        try:
            data = base64.b64decode(content, validate=True)
        except binascii.Error as error:
            raise ApiError(422, INVALID_VALUE, "Image is not base64") from error
    found = sniff(data)
    if found is None:
        report("what is shown is no picture")
    elif not encrypted and told not in (found, found.replace("heic", "heif")):
        report(f"a picture that says {told} and is {found}")
    return data


def in_clear(raw: bytes) -> bool:
    """Return whether the body of a request holds a picture in clear."""
    return _CLEAR.search(raw) is not None


def describe(data: bytes) -> Json:
    """Return what may be kept of a picture."""
    return {
        "media_type": sniff(data),
        "bytes": len(data),
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def draw(prompt: str, aspect_ratio: str | None) -> bytes:
    """Return a PNG of hills under a sun, the same for the same words."""
    width, height = SIZES.get(aspect_ratio or "1:1", SIZES["1:1"])
    red, green, blue, place, *hills = hashlib.sha256(prompt.encode()).digest()[:7]
    sky = (160 + red // 4, 180 + green // 5, 200 + blue // 5)
    picture = Image.new("RGB", (width, height), sky)
    canvas = ImageDraw.Draw(picture)
    sun = (width * (64 + place // 2) // 256, height // 3)
    canvas.circle(sun, height // 9, "#ffd75e")
    for number, hill in enumerate(hills, 2):
        edge = [
            (x, height * (number + 2 + math.sin(6 * x / width + hill)) / 7)
            for x in range(width)
        ]
        land = (red // number, 60 + green // number, blue // number)
        canvas.polygon([(0, height), *edge, (width, height)], land)
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()
