"""A sentence that asks for one of the integration's own tools, and what it speaks of."""

import re
from typing import Any, Final

from .home import Home
from .model import short_name
from .prompt import Prompt
from .target import Target, find_target
from .text import fold
from .vocabulary import Vocabulary

BUT: Final = r"\b(?:except|but|ausser)\b"
UNITS: Final = {
    r"miles?|meilen?": "mi", r"kilomet\w+|km": "km", "fahrenheit": "°F", "celsius": "°C",
    r"pounds?|pfund": "lb", r"kilo(?:gram\w*)?s?|kg": "kg", r"inch\w*|zoll": "in",
    r"[cz]entimet\w+|cm": "cm", "feet|foot|fuss": "ft", r"met(?:er|re)s?": "m",
    "ounces?|unzen?": "oz", r"gram\w*": "g", r"lit(?:er|re)s?": "L", "gallons?": "gal",
}  # fmt: skip
_EXCEPT: Final = re.compile(rf"{BUT}(?: for)?\b(.*)$")


class Said:
    """A sentence, and what it speaks of."""

    def __init__(
        self, match: re.Match[str], vocabulary: Vocabulary, spoken: str, prompt: Prompt
    ) -> None:
        self.match, self.spoken, self.code = match, spoken, vocabulary.words.code
        self.vocabulary, self._prompt = vocabulary, prompt
        self.text, exception = match.string, _EXCEPT.search(match.string)
        but = exception[1] if exception else ""
        self.text = self.text[: exception.start()] if exception else self.text
        self.target, self._left = self.find(self.text), self.find(but)
        self._but = re.sub(r"^ *(?:the|de[nrm]|die|das) ", "", but)

    def find(self, text: str) -> Target:
        """Find what a text speaks of."""
        return find_target(text, self.vocabulary)

    @property
    def home(self) -> Home:
        """The home."""
        return self.vocabulary.home

    def word(self, table: dict[str, str], text: str = "") -> str | None:
        """Return what the first word of a table that was said stands for."""
        found = (
            value
            for pattern, value in table.items()
            if re.search(rf"\b(?:{pattern})\b", text or self.text)
        )
        return next(found, None)

    @property
    def name(self) -> str | None:
        """The thing that was named; a door's sensor, not its lock."""
        if not self.target.entities:
            return None
        name = self.target.entities[0].name
        sensors = (
            thing.name
            for thing in self.home.of("binary_sensor")
            if fold(thing.name).startswith(fold(name))
        )
        return next(sensors, name)

    @property
    def item(self) -> str:
        """What the match calls an item, as it was written."""
        written, words = self.spoken.strip(" .!?").split(), self.match.string.split()
        start = len(self.match.string[: self.match.start("item")].split())
        found = written[start : start + len(self.match["item"].split())]
        same = len(written) == len(words)
        return " ".join(found).strip(",") if same else self.match["item"]

    @property
    def before(self) -> str:
        """The sentence before, if it was carried out without a call that is known."""
        last = self._prompt.history[-1:]
        return last[0].sentence if last and not last[0].calls else ""

    @property
    def last(self) -> tuple[str, dict[str, Any]]:
        """Return the tool that was called last, and with what."""
        history = [] if self.before else reversed(self._prompt.history)
        calls = next((item.calls for item in history if item.calls), [])
        return (short_name(calls[-1].name), calls[-1].arguments) if calls else ("", {})

    @property
    def left_out(self) -> list[str]:
        """Names and areas that were left out."""
        names = [thing.name for thing in self._left.entities]
        return names or [x for x in (self._left.area or self._but.strip(),) if x]


def convert(said: Said) -> dict[str, Any] | None:
    """Return what is to be converted, if two units are said."""
    units = [(found.start(), unit) for words, unit in UNITS.items()
             for found in re.finditer(rf"\b(?:{words})\b", said.text)]  # fmt: skip
    if len(units) != 2:
        return None
    start = said.match.start("n")
    near = min((at - start, unit) for at, unit in units if at > start)[1]
    other = next(unit for _, unit in units if unit != near)
    count = said.match["n"] if said.match["n"][0].isdigit() else "1"
    return {"sum": count, "unit": near, "to": other}
