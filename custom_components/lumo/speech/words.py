"""One word, as it is heard: without emphasis and emoji, with words for its signs."""

from collections.abc import Callable
from html import unescape
import re
from typing import Final, NamedTuple

from ..languages.form import Language
from .marks import show
from .numbers import Numbers, Spoken, is_range

_EMPHASIS: Final = re.compile(
    r"(?<!\d)\*\*+|\*\*+(?!\d)|~~|(?<!\w)[*_]+|[*_]+(?!\w)|(?<!\w)==|==(?!\w)"
    r"|(?<=[^\W\d_]{2})\*(?=[^\W\d_]{2})"
)
_PARTS: Final = re.compile(
    r"([\"'“”„«‹‘’(¿¡\[]*)(.*?)([.,;:!?…)\"'”“»›‘’\]]*)", re.DOTALL
)
_URL: Final = re.compile(
    r"(?:(?:https?|ftp)://|www\.(?=\w)|(?=(?:[\w-]+\.)+[a-z]{2,}/\S))"
    r"(?:[^\s/@]*@)?(?:www\.)?([^\s/?#:]+)\S*"
)
_ENTITY_ID: Final = re.compile(r"[a-z][a-z_]*\.[a-z0-9_]+")
EMOJI: Final = re.compile(
    "[\U0001f000-\U0001fbff\u2300-\u23ff\u2460-\u27bf\u2b00-\u2bff\u2500-\u25ff"
    "\u200d\u20e3\ufe0e\ufe0f\U000e0020-\U000e007f\u3030\u303d\u3297\u3299]+"
)
_ARROW: Final = re.compile("[-=]+>|>{2,}|[⇒➜➔➡⟶⟹→➝›▸]\ufe0f?")
# The same between words: "Settings>Devices".
_STEP: Final = re.compile(r"(?<=[^\W\d_])(?:[-=]*>+|[⇒➜➔➡⟶⟹→➝›])(?=[^\W\d_])")
# Marks that are an answer: the key of what is said for them.
_ANSWERS: Final = dict.fromkeys("✅✔☑✓👍", "yes") | dict.fromkeys("❌✖✗✘❎🚫👎⛔", "no")
_DASHES: Final = frozenset("-–−")
_PAUSES: Final = frozenset("-|•→/")
# What is left of a citation, and its number above the line.
_LEFT_OVER: Final = re.compile(r"\(\)|\[\]|(?<!\w)\^+|\^+(?!\w)")
_FOOTNOTE: Final = re.compile(r"(?:^|(?<=[^\W\d_]{3})|(?<=[^\W\d_][.,;:!?]))[¹²³⁰⁴-⁹]+")
# Left of a call, without what it closes.
_BRACES: Final = re.compile(
    r"\A([^{\[]*?)[\"'\]]*\}[}\]\"']*(?=[.,!?]*\Z)|\A\{+(?=[^{}]*\Z)"
)
_TOOL_NAME: Final = re.compile(
    r"(?:\w+:)?\b(?:[a-z]+__)*(?:(?:Hass|Get)[A-Z][a-z]\w+|lumo__\w+)"
)
_ALTERNATIVES: Final = re.compile(r"[^\W\d_]{2,}(?:/[^\W\d_]{2,})+")
_GOES_ON: Final = re.compile(r"[^\W\d_A-ZÀ-Þ]|\d")
_DIGITS: Final = re.compile(r"\d[\d.,:]*")
_STOPPED: Final = re.compile(r"[.!?]\s*\Z")


def title_of(name: str) -> str:
    """Return what a tool is called in a sentence: "turn on" for HassTurnOn."""
    last = re.split("__|:", name)[-1].removeprefix("Hass").replace("_", " ")
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", last).lower()


class Beside(NamedTuple):
    """What stands beside a word."""

    number: str
    """Before it, and a blank if its unit was said."""
    before: str
    """What was said last."""
    is_gap: bool
    """Something was left out since."""
    next_word: Callable[[], str]
    """May raise to be asked again."""


class Words:
    """How words are heard in one language."""

    def __init__(
        self, language: Language, name_of: Callable[[str], str | None]
    ) -> None:
        self._language = language
        self._numbers = Numbers(language)
        self._signs = self._numbers.signs
        self._name_of = name_of
        self.is_month = self._numbers.is_month
        self.emoji = ""
        """The first that was left out of this message."""

    def hear(self, word: str, beside: Beside) -> Spoken:
        """Return what is heard of a word, nothing for one that is left out."""
        number, before, is_gap, next_word = beside
        if _ARROW.fullmatch(word):
            word = "→"
        if is_gap:
            word = _LEFT_OVER.sub("", word)
        if not word.isascii() and not number:
            word = _FOOTNOTE.sub("", word)
        word = _TOOL_NAME.sub(lambda x: title_of(x[0]), _BRACES.sub(r"\1", word))
        if word in self._signs or word in _PAUSES or word in ("*", "≈"):
            return Spoken(self._sign(word, beside))
        bare = _STEP.sub(", " if self._signs else r"\g<0>", _EMPHASIS.sub("", word))
        if not bare.isascii():
            bare = self._without_emoji(bare, beside)
        if "&" in bare and ";" in bare:
            bare = unescape(bare)
        parts = _PARTS.fullmatch(bare)
        assert parts is not None
        lead, core, trail = parts.groups()
        if core.count("(") > core.count(")") and trail[:1] == ")":
            core, trail = f"{core})", trail[1:]
        if not core:
            # What was left out needs no comma, nor a full stop behind another one.
            is_late = is_gap and (not before[-1:].strip() or _STOPPED.search(before))
            return Spoken("" if is_late else bare)
        is_open = number[-1:].isnumeric()
        if is_open and not lead and (unit := self._numbers.unit(core, number)):
            # "5 min. later" is one sentence.
            goes_on = trail == "." and _GOES_ON.match(next_word())
            return Spoken(
                unit if goes_on else unit + trail, "" if trail else f"{number} "
            )
        said = self._core(core, trail, beside)
        number = "" if trail else said.number
        return Spoken(f"{lead}{said.text}{trail}", number, said.took)

    def _core(self, core: str, trail: str, beside: Beside) -> Spoken:
        if url := _URL.match(core):
            return Spoken(url[1])
        if name := _ENTITY_ID.fullmatch(show(core)) and self._name_of(show(core)):
            return Spoken(name)
        if core[0] == "#" and core[1:].isalnum():
            number = core[1:].isdecimal() and self._signs.get("#")
            return Spoken(f"{number} {core[1:]}" if number else core[1:])
        if (
            self._signs
            and any(map(str.isnumeric, core))
            and beside.before.rstrip()[-1:] != "§"
        ):
            wants_next = trail in ("", ".") and self._numbers.wants_next(core)
            following = beside.next_word() if wants_next else trail[1:]
            last = beside.before.split()[-1:] or [""]
            return self._numbers.say(core, last[0], following, dot=trail[:1] == ".")
        return Spoken(core.replace("/", " ") if _ALTERNATIVES.fullmatch(core) else core)

    def _without_emoji(self, text: str, beside: Beside) -> str:
        emoji = EMOJI.search(text)
        if not emoji:
            return text
        rest = EMOJI.sub("", text)
        if any(map(str.isalnum, rest)):
            return rest
        key = _ANSWERS.get(emoji[0][0])
        if key and beside.before.rstrip().endswith(":") and not beside.next_word():
            return self._language.said[key] + rest
        self.emoji = self.emoji or emoji[0][0]
        return rest

    def alone(self, word: str | None) -> str:
        """Return what is heard of a message that was nothing but emoji."""
        if not self.emoji or word == "":
            return ""
        is_no = _ANSWERS.get(self.emoji) == "no"
        return (
            self._language.said["no"] if is_no else word or self._language.said["done"]
        )

    def _sign(self, sign: str, beside: Beside) -> str:
        """Return what is said for a sign that is a word of its own."""
        number, before, _, next_word = beside
        if sign in _DASHES and number and (following := next_word())[:1].isdigit():
            high = _DIGITS.match(following)
            if sign != "−" and high and is_range(number.strip(), high[0].strip(".,:")):
                return self._signs.get("–", sign)
            is_minus = sign == "−" or (sign == "-" and number[-1] != " ")
            return self._signs.get("−", sign) if is_minus else "–"
        if sign in _PAUSES:
            return self._signs.get(sign, "–") if number else "–"
        if sign == "*":
            is_factor = number and next_word()[:1].isdigit()
            return self._signs.get("×", sign) if is_factor else ""
        if sign in "<>" and not number and not next_word()[:1].isdigit():
            # The steps of a path: "Settings > Devices".
            return "," if self._signs else sign
        if sign == "–" or (sign == "#" and before[-1:] != ":"):
            return sign.strip("#")
        return self._signs.get("~" if sign == "≈" else sign, sign)
