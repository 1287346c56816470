"""Understand what the integration's own tools are for, in English and German.

A row for each way to ask: which tool, how it is said (folded), and with which arguments
it is called. What is not offered is not understood here.
"""

from collections.abc import Callable
import re
from typing import Any, Final

from .home import Home
from .model import Meaning
from .prompt import Prompt
from .target import Target, find_target
from .text import fold
from .tools import OURS, outside
from .vocabulary import Vocabulary

type Arguments = dict[str, Any]
type Make = Callable[["Said"], Arguments]

_PERIODS: Final = {
    r"yesterday|gestern": "yesterday",
    r"today|heute": "today",
    r"tomorrow|morgen(?! frueh)": "tomorrow",
    r"weekend|wochenende": "this_weekend",
    r"this week|diese woche": "this_week",
} | {
    words: words.split("|")[0]
    for words in (
        "monday|montag", "tuesday|dienstag", "wednesday|mittwoch", "thursday|donnerstag",
        "friday|freitag", "saturday|samstag", "sunday|sonntag",
    )
}  # fmt: skip
_HOURS: Final = (
    "one|eins", "two|zwei", "three|drei", "four|vier", "five|funf", "six|sechs",
    "seven|sieben", "eight|acht", "nine|neun", "ten|zehn", "eleven|elf", "twelve|zwolf",
)  # fmt: skip
_STATES: Final = {
    r"opened|open|offen|geoffnet|auf": "open",
    r"closed|zu|geschlossen": "closed",
    r"locked|abgeschlossen": "locked",
    r"on|an|eingeschaltet": "on",
    r"off|aus|ausgeschaltet": "off",
}
_ON_OFF: Final = {r"off|aus": "off", r"on|an": "on"}
_NO_PAST: Final = ("scene", "script")
_OF_STATES: Final = ("last_change", "count", "duration")
_BUT: Final = r"\b(?:except|but|ausser)\b"
_EXCEPT: Final = re.compile(rf"{_BUT}(?: for)?\b(.*)$")
_WORD_FOR_KIND: Final = re.compile(r"\b(lights?|lamps?|lichter|licht|lampen)\b")


class Said:
    """A sentence, and what it speaks of."""

    def __init__(self, match: re.Match[str], vocabulary: Vocabulary) -> None:
        self.match = match
        self._vocabulary = vocabulary
        self.text, exception = match.string, _EXCEPT.search(match.string)
        if exception:
            self.text = self.text[: exception.start()]
        self.target = self._find(self.text)
        self._left = self._find(exception[1]) if exception else Target()
        self._but = (
            re.sub(r"^ *(?:the|den|die|das) ", "", exception[1]) if exception else ""
        )

    def _find(self, text: str) -> Target:
        return find_target(text, self._vocabulary)

    @property
    def home(self) -> Home:
        """The home."""
        return self._vocabulary.home

    def word(self, table: dict[str, str]) -> str | None:
        """Return what the first word of a table that was said stands for."""
        found = (
            value
            for pattern, value in table.items()
            if re.search(rf"\b(?:{pattern})\b", self.text)
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
    def left_out(self) -> list[str]:
        """Names and areas that were left out."""
        names = [thing.name for thing in self._left.entities]
        return names or [x for x in (self._left.area or self._but.strip(),) if x]


def _history(question: str) -> Make:
    def make(said: Said) -> Arguments:
        state = said.word(_STATES) if question in _OF_STATES else None
        things = [x for x in said.target.entities if x.domain not in _NO_PAST]
        name = said.name if things else None
        if re.search(r"\b(?:ring|rung|geklingelt)\b", said.text):
            name = next((bell.name for bell in said.home.of("event")), "doorbell")
        period = said.word(_PERIODS) or (question == "timeline" and "today")
        given = {"question": question, "name": name, "state": state, "period": period}
        if not name and question != "energy":
            area = said.target.area
            given |= {"area": area, "name": not area and outside(said.home).get("name")}
        return given

    return make


def _step(by: str, setting: str) -> Make:
    def make(said: Said) -> Arguments:
        target, name = said.target, None
        if target.entities and not target.area:
            name = target.entities[0].name
        return {
            "action": "set",
            "setting": setting,
            "by": by,
            "name": name,
            "area": target.area or (None if name else said.home.area),
        }

    return make


def _all(said: Said) -> Arguments:
    kind = "light" if _WORD_FOR_KIND.search(said.text) else None
    return {
        "action": said.word(_ON_OFF) or "off",
        "kind": kind,
        "area": said.target.area,
        "floor": said.target.floor,
        "except": said.left_out,
    }


def _set(setting: str, to: str | int = 1) -> Make:
    def make(said: Said) -> Arguments:
        value = said.match[to].strip() if isinstance(to, int) else to
        name = said.target.entities[0].name if said.target.entities else None
        return {"name": name, "setting": setting, "to": value}

    return make


def _cosy(said: Said) -> Arguments:
    area = said.target.area or said.home.area or "Living Room"
    return {"area": area, "kind": "light", "setting": "brightness", "to": "20"}


def _event(said: Said) -> Arguments:
    match = said.match
    day, hour = said.word(_PERIODS) or "tomorrow", _hour(match)
    weekly = re.search(rf"\b(?:every|each|jeden) ({_DAY})", match.string)
    start = {"title": match["title"].strip().capitalize(), "start": f"{day} {hour}:00"}
    return start | (
        {"repeat": f"FREQ=WEEKLY;BYDAY={day[:2].upper()}"} if weekly else {}
    )


def _hour(match: re.Match[str]) -> int:
    spoken, half = match["hour"], match["half"]
    words = (at for at, word in enumerate(_HOURS, 1) if spoken in word.split("|"))
    hour = next(words, 0) or int(spoken)
    # An appointment at four is in the afternoon.
    return hour + 12 if half == "pm" or (not half and hour < 7) else hour


def _change(action: str) -> Make:
    def make(said: Said) -> Arguments:
        start = said.word(_PERIODS) if action == "change" else None
        if start and said.match["hour"]:
            start = f"{start} {_hour(said.match)}:00"
        title = said.match["title"].replace("zahnarzt", "dentist")
        return {"action": action, "event": title, "start": start}

    return make


def _signs(text: str) -> str:
    for word, sign in ("plus", "+"), ("minus", "-"), ("times", "*"), ("mal", "*"):
        text = text.replace(word, sign)
    return text.replace("x", "*")


def _where(said: Said) -> str | None:
    players = (item.name for item in said.target.entities)
    return said.target.area or next(players, None)


def _when(said: Said) -> Arguments:
    return {"period": said.word(_PERIODS)}


def _seen(said: Said) -> Arguments:
    cameras = [thing.name for thing in said.home.of("camera")]
    named = (thing.name for thing in said.target.entities if thing.name in cameras)
    return {"name": next(named, cameras[0] if len(cameras) == 1 else None)}


_HEAT: Final = r"(?:heat|heating|thermostat|radiator|heizung)"
_DOORS: Final = "door|doorbell|tur|haustur"
_HOUR: Final = rf"(?P<hour>\d+|{'|'.join(_HOURS)})"
_IN_TIME: Final = rf".*?at {_HOUR} ?(?P<half>[ap]m)?"
_DAY: Final = rf"(?:{'|'.join(_PERIODS)})"
_ROWS: Final[tuple[tuple[str, str, Make], ...]] = (
    # Reading.
    ("history", r"^when .*\blast\b|^wann .*\bzuletzt\b", _history("last_change")),
    ("history", r"\b(?:energy|electricity|power|strom|energie)\b.*\b(?:use|used|consumed?|verbrauch\w*)\b", _history("energy")),
    ("history", r"^what (?:has |s |is |was )?(?:been )?(?:happen|going on)|^was (?:war|ist|hat) .*(?:\blos|passiert|geschehen)$", _history("timeline")),
    ("history", r"^how (often|many times)\b|^wie oft\b", _history("count")),
    ("history", r"^how long (was|were)\b|^wie lange war\b", _history("duration")),
    ("history", r"^how (cold|low) (was|did)\b|^how cold .*(yesterday|last)", _history("min")),
    ("history", r"^how (warm|hot|high) (was|did)\b", _history("max")),
    ("why", r"^(why|warum|wieso)\b|^what (did|have) you\b|^was hast du\b", lambda said: {"name": said.name}),
    ("forecast", rf"\b(rain|weather|regnet|wetter)\b.*{_DAY}|{_DAY}\b.* regnen$", _when),
    ("forecast", r"\b(umbrella|schirm|regenschirm|forecast|wettervorhersage)\b", _when),
    ("look", rf"^(who|wer)\b(?!.*(?:last|zuletzt|open|clos|lock|offnet|schloss)).*\b({_DOORS})\b|\b(camera|kamera)\b", _seen),
    # Doing.
    ("set", rf"\b(all|everything|alle|alles)\b.*{_BUT}", _all),
    ("set", r"\beverything\b.*\boff\b|\boff everything\b|\balles aus\b", _all),
    ("set", r"\b(?:too cold|zu kalt|warmer|i m (?:cold|freezing)|mir ist kalt)\b", _step("warmer", "temperature")),
    ("set", r"\b(?:too warm|zu warm|cooler|colder|kalter|i m (?:hot|warm)|mir ist (?:heiss|warm))\b", _step("colder", "temperature")),
    ("set", rf"\bdown\b.*\b{_HEAT}$|\b{_HEAT}.* (?:down|runter|niedriger|kleiner)\b", _step("colder", "temperature")),
    ("set", rf"\bup\b.*\b{_HEAT}$|\b{_HEAT}.* (?:up|hoch|rauf|hoher)\b", _step("warmer", "temperature")),
    ("set", r"\b(louder|lauter)\b", _step("louder", "volume")),
    ("set", r"\b(quieter|softer|leiser)\b", _step("quieter", "volume")),
    ("undo", r"^undo\b|^take (that|it) back|\bruckgangig\b", lambda said: {}),
    ("set", r"\b(reverse|ruckwarts)\b", _set("direction", "reverse")),
    ("set", r"\boscillate\b|\bschwenken\b", _set("oscillation", "on")),
    ("set", r"program(?:m)? (?:to|auf) (\w+)$", _set("option")),
    ("set", r"\btime (?:to|for) (\d+)(?: minutes)?$", _set("value")),
    ("change_list", r"^(clear|empty|leere)\b", lambda said: {"action": "clear_all", "list": said.name}),
    ("change_list", r"^(?:rename|change) (?P<old>.+) to (?P<new>.+?)(?: on .*)?$", lambda said: {"action": "change", "items": [said.match["old"]], "rename": said.match["new"]}),
    ("change_list", r"^(?:tick off|check off|hake?|(?:take|cross|strike)(?=.* off )) (?P<old>.+?)(?: ab| off? .*| on .*)?$", lambda said: {"action": "done", "items": [said.match["old"]]}),
    ("create_event", rf"^(?:put|add) (?:the )?(?P<title>.+?) (?:in(?:to)?|to|on) \w+ calendar {_IN_TIME}", _event),
    ("create_event", rf"^(?:put|add) (?:the )?(?P<title>.+?)(?= on \w+day| every \w+day| tomorrow| today){_IN_TIME} (?:in(?:to)?|to|on) \w+ calendar", _event),
    ("create_event", rf"^trag (?!jeden)(?:den |die |das )?(?P<title>.+?) (?:am |jeden )?{_DAY} um {_HOUR}(?P<half>)", _event),
    ("create_event", rf"^trag jeden {_DAY} um {_HOUR}(?P<half>) (?:uhr )?(?P<title>.+?)(?: in den kalender.*| ein)$", _event),
    ("change_event", r"^(?:cancel|delete|sag|losche?) (?:the |my |den |die |das )?(?P<title>dentist|zahnarzt|football training)(?: appointment|termin)?(?: ab)?$", _change("delete")),
    ("change_event", rf"^(?:move|verschieb(?:e)?) (?:the |my |den |die |das )?(?P<title>.+?) (?:to|auf) {_DAY}(?: (?:at|um) {_HOUR} ?(?P<half>[ap]m)?)?$", _change("change")),
    ("music", r"^(?:play|spiele?) (?P<what>(?!.*\b(?:music|musik)\b).+?)(?: (?:in|on|im|auf|in der) .+)?$", lambda said: {"action": "play", "what": said.match["what"], "player": _where(said)}),
    ("calculate", r"^(?:what is|wie ?viel ist|was ist) (?P<sum>[\d ().,]+(?:(?:[-+*/x]|plus|minus|times|mal) ?[\d ().,]+)+)\??$", lambda said: {"sum": _signs(said.match["sum"])}),
    ("calculate", r"\b(?:sun (?:rise|set)|sunrise|sunset|sonne (?:auf|unter)|sonnen(?:auf|unter)gang)", lambda said: {"sun": said.word(_PERIODS) or "today"}),
    ("set", r"\b(cosy|cozy|gemutlich)\b|\bfor (reading|a film)\b", _cosy),
    ("events", r"^when is .*\b(appointment|dentist)|^wann ist .*\b(termin|zahnarzt)", lambda said: {"text": "dentist"}),
    ("events", r"^(?!take|remove|add|put|nimm|streich|trag).*\b(calendar|kalender|appointments?|termine)\b(?=.*\?|)", _when),
)  # fmt: skip


def read_ability(text: str, prompt: Prompt, vocabulary: Vocabulary) -> Meaning | None:
    """Return what a sentence asks of a tool of the integration's own, if of any."""
    folded = fold(text)
    for tool, pattern, make in _ROWS:
        match = re.search(pattern, folded)
        if match and prompt.tool(tool):
            given = make(Said(match, vocabulary))
            slots = {key: value for key, value in given.items() if value}
            return Meaning(OURS + tool, slots, text, vocabulary.words.code)
    return None
