"""Small helpers for comparing what people write."""

from functools import lru_cache
import re
import unicodedata

_NOT_WORD = re.compile(r"[^\w%°.]+|(?<!\d)\.|\.(?!\d)|_", re.UNICODE)
_APOSTROPHE = re.compile(r"['\u2019`\u00b4]")


@lru_cache(maxsize=16384)
def fold(text: str) -> str:
    """Reduce a text to lower-case words without accents or punctuation.

    A number keeps its decimal point, `%` and `°` stay. `fold("Küche, 20,5 °C!")`
    is `"kuche 20.5 °c"`.
    """
    text = re.sub(r"(?<=\d),(?=\d)", ".", text.casefold())
    text = "".join(
        character
        for character in unicodedata.normalize("NFKD", text)
        if not unicodedata.combining(character)
    )
    text = _APOSTROPHE.sub(" ", text)
    return " ".join(_NOT_WORD.sub(" ", text).split())


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """Cut the endings of plural and case, so that `lights` equals `light`.

    A rough tool for both languages: it only has to treat both sides alike.
    """
    for ending in ("en", "er", "es", "e", "n", "s"):
        if len(word) - len(ending) >= 3 and word.endswith(ending):
            return word[: -len(ending)]
    return word


def stems(text: str) -> tuple[str, ...]:
    """Split a text into the stems of its words."""
    return tuple(stem(word) for word in fold(text).split())


def find_words(needle: tuple[str, ...], words: tuple[str, ...]) -> int:
    """Return where a run of words starts within others, or -1."""
    if not needle:
        return -1
    for start in range(len(words) - len(needle) + 1):
        if words[start : start + len(needle)] == needle:
            return start
    return -1


def sentence(text: str) -> str:
    """Return a text that begins with a capital and ends with a full stop."""
    text = text.strip()
    if not text:
        return text
    if text[-1] not in ".!?":
        text += "."
    return text[0].upper() + text[1:]
