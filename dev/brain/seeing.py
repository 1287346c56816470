"""What the brain sees of pictures: how large they are, and their colours.

No more is claimed than that. A colour is the nearest of a few by its hue; black, grey and
white are what has too little of any.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any, Final

from PIL import Image

# Names in English and German, by the last degree of the hue.
_HUES: Final = (
    (20, ("red", "rot")), (42, ("orange", "orange")), (70, ("yellow", "gelb")),
    (165, ("green", "grün")), (260, ("blue", "blau")), (335, ("purple", "lila")),
    (360, ("red", "rot")),
)  # fmt: skip
_BLACK: Final = ("black", "schwarz")
_GREY: Final = ("grey", "grau")
_WHITE: Final = ("white", "weiß")
_LANGUAGES: Final = ("en", "de")
# One picture, what else is in it, and several.
_SENTENCES: Final = {
    "en": ("I see a picture of {size}: mostly {main}", ", with some {other}", "pixels"),
    "de": ("Ich sehe ein Bild von {size}: vor allem {main}", ", etwas {other}", "Pixeln"),
}  # fmt: skip
# A share of a picture below this is nothing to speak of.
_LEAST: Final = 0.02


def pictures_of(messages: Sequence[Mapping[str, Any]]) -> list[bytes]:
    """Return the pictures of the newest message that has any."""
    shown = [item["images"] for item in messages if item.get("images")]
    return list(shown[-1]) if shown else []


def describe(pictures: Sequence[bytes], language: str) -> str:
    """Say what is seen, one sentence for each picture."""
    return " ".join(_describe(data, language) for data in pictures)


def _describe(data: bytes, language: str) -> str:
    language = language if language in _LANGUAGES else "en"
    which = _LANGUAGES.index(language)
    with Image.open(BytesIO(data)) as picture:
        width, height = picture.size
        small = picture.convert("HSV").resize((48, 48), Image.Resampling.NEAREST)
    counted = Counter(
        _colour(small.getpixel((x, y))) for x in range(48) for y in range(48)
    )
    (main, _), *others = counted.most_common()
    bright = [
        colour
        for colour, count in others
        if colour not in (_BLACK, _GREY, _WHITE) and count >= _LEAST * counted.total()
    ]
    seen, more, pixels = _SENTENCES[language]
    text = seen.format(size=f"{width} × {height} {pixels}", main=main[which])
    return text + "".join(more.format(other=item[which]) for item in bright[:1]) + "."


def _colour(pixel: Any) -> tuple[str, ...]:
    hue, saturation, value = pixel
    if value < 50:
        return _BLACK
    if saturation < 60:
        return _WHITE if value > 200 else _GREY
    degrees = hue * 360 / 255
    return next(names for last, names in _HUES if degrees <= last)
