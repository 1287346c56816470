"""Understand what the integration's own tools are for, in English and German.

A row for each way to ask: which tool, how it is said (folded), and with which arguments
it is called. What is not offered is not understood here.
"""

from collections.abc import Callable
import re
from typing import Any, Final

from .clock import read_clock, read_days
from .fallback import read_fragment
from .home import Home
from .model import Meaning
from .parts import is_talk
from .prompt import Prompt
from .questions import is_question
from .target import Target, find_target
from .text import fold
from .tools import OURS, outside
from .vocabulary import Vocabulary
from .words import unexplained

type Arguments = dict[str, Any]
type Make = Callable[["Said"], Arguments | None]

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
_STATES: Final = {
    r"opened|open|offen|geoffnet|auf": "open",
    r"closed|zu|geschlossen": "closed",
    r"locked|abgeschlossen": "locked",
    r"on|an|eingeschaltet": "on",
    r"off|aus|ausgeschaltet": "off",
}
_ACTIONS: Final = {
    r"off|aus": "off", r"on|an": "on", r"open|hoch|auf|offne": "open",
    r"close|runter|zu|schliess\w*": "close",
}  # fmt: skip
_READING: Final = ("history", "forecast", "look", "calculate", "events")
_NO_PAST: Final = ("scene", "script")
_OF_STATES: Final = ("last_change", "count", "duration")
_BUT: Final = r"\b(?:except|but|ausser)\b"
_EXCEPT: Final = re.compile(rf"{_BUT}(?: for)?\b(.*)$")


class Said:
    """A sentence, and what it speaks of."""

    def __init__(
        self, match: re.Match[str], vocabulary: Vocabulary, spoken: str
    ) -> None:
        self.match, self.spoken, self.code = match, spoken, vocabulary.words.code
        self._vocabulary = vocabulary
        self.text, exception = match.string, _EXCEPT.search(match.string)
        if exception:
            self.text = self.text[: exception.start()]
        self.target = self._find(self.text)
        self._left = self._find(exception[1]) if exception else Target()
        self._but = (
            re.sub(r"^ *(?:the|de[nrm]|die|das) ", "", exception[1])
            if exception
            else ""
        )

    def _find(self, text: str) -> Target:
        return find_target(text, self._vocabulary)

    @property
    def home(self) -> Home:
        """The home."""
        return self._vocabulary.home

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
    def make(said: Said) -> Arguments | None:
        target, name = said.target, None
        kinds = {target.domain, *(thing.domain for thing in target.entities)} - {None}
        if not kinds <= {"climate" if setting == "temperature" else "media_player"}:
            return None
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


def _why(said: Said) -> Arguments | None:
    named = said.name or re.search(r"\b(?:you|du|that|das)\b", said.text)
    return {"name": said.name} if named else None


def _all(said: Said) -> Arguments | None:
    if (action := said.word(_ACTIONS)) is None:
        return None
    return {
        "action": action,
        "kind": said.target.device_class or said.target.domain,
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


def _event(said: Said) -> Arguments | None:
    days, title = read_days(said.spoken, said.code)[0], said.match["title"]
    repeat = days and f"FREQ=WEEKLY;BYDAY={','.join(day[:2].upper() for day in days)}"
    if " " not in (start := _start(said, said.spoken, "tomorrow")):
        return None
    return {"title": title.strip().capitalize(), "start": start, "repeat": repeat}


def _start(said: Said, text: str, day: str) -> str:
    ahead, _, at = read_clock(text, said.code).at.rpartition(" ")
    if "" < at < "07:00" and not re.search(r"\d ?am\b|morning|früh", text):
        # An appointment at four is in the afternoon.
        at = f"{int(at[:2]) + 12}{at[2:]}"
    return f"{ahead or day} {at}".strip()


def _change(action: str) -> Make:
    def make(said: Said) -> Arguments | None:
        title, start = said.match["title"].replace("zahnarzt", "dentist"), None
        if action == "change":
            when = re.split(r" (?:to|auf) ", said.spoken)[-1]
            start = _start(said, when, said.word(_PERIODS, fold(when)) or "")
        is_named = not re.fullmatch(r"ihn|es|das|it|that|this|them", title)
        return {"action": action, "event": title, "start": start} if is_named else None

    return make


def _signs(text: str) -> str:
    for word, sign in ("plus", "+"), ("minus", "-"), ("times", "*"), ("mal", "*"):
        text = text.replace(word, sign)
    return text.replace("x", "*")


def _where(said: Said) -> str | None:
    players = (item.name for item in said.target.entities)
    return said.target.area or next(players, None)


def _play(said: Said) -> Arguments | None:
    places = "|".join(fold(name) for group in said.home.area_groups for name in group)
    where = rf"^(?:in|im|on|auf) (?:der |dem |the )?(?:{places}) "
    what = re.sub(where, "", said.match["what"])
    known = what and not re.search(r"\b(?:the same|dasselbe|again|wieder)\b", what)
    return {"action": "play", "what": what, "player": _where(said)} if known else None


def _when(said: Said) -> Arguments:
    return {"period": said.word(_PERIODS)}


def _seen(said: Said) -> Arguments:
    cameras = [thing.name for thing in said.home.of("camera")]
    named = (thing.name for thing in said.target.entities if thing.name in cameras)
    return {"name": next(named, cameras[0] if len(cameras) == 1 else None)}


_HEAT: Final = r"(?:heat|heating|thermostat|radiator|heizung)"
_DOORS: Final = "door|doorbell|tur|haustur"
_DAY: Final = rf"(?:{'|'.join(_PERIODS)})"
_ROWS: Final[tuple[tuple[str, str, Make], ...]] = (
    # Reading.
    ("history", r"^when (?:did|was|were|is|has|have)\b.*\blast\b|^wann .*\bzuletzt\b", _history("last_change")),
    ("history", r"\b(?:energy|electricity|power|strom|energie)\b.*\b(?:use|used|consumed?|verbrauch\w*)\b", _history("energy")),
    ("history", r"^what (?:has |s |is |was )?(?:been )?(?:happen|going on)|^was (?:war|ist|hat) .*(?:\blos|passiert|geschehen)$", _history("timeline")),
    ("history", r"^how (often|many times)\b|^wie oft\b", _history("count")),
    ("history", r"^how long (was|were)\b|^wie lange war\b", _history("duration")),
    ("history", r"^how (cold|low) (was|did)\b|^how cold .*(yesterday|last)", _history("min")),
    ("history", r"^how (warm|hot|high) (was|did)\b|^wie (?:warm|heiss) war\b", _history("max")),
    ("why", r"^(why|warum|wieso)\b|^what (did|have) you\b|^was hast du\b(?:.* gemacht| getan)?", _why),
    ("forecast", rf"\b(rain|weather|regnet|wetter)\b.*{_DAY}|{_DAY}\b.* regnen$|^(?:how|wie) (?:cold|warm|hot|kalt|heiss) (?:will|wird)\b", _when),
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
    ("set", r"\b(?:wash\w* )?program(?:m)? (?:to|auf) (\w+)$", _set("option")),
    ("set", r"\btime (?:to|for) (\d+)(?: minutes)?$", _set("value")),
    ("change_list", r"^(clear|empty|leere)\b", lambda said: {"action": "clear_all", "list": said.name}),
    ("change_list", r"^(?:rename|change) (?P<old>.+) to (?P<new>.+?)(?: on .*)?$", lambda said: {"action": "change", "items": [said.match["old"]], "rename": said.match["new"]}),
    ("change_list", r"^(?:tick off|check off|hake?|(?:take|cross|strike)(?=.* off )) (?P<old>.+?)(?: ab| off? .*| on .*)?$", lambda said: {"action": "done", "items": [said.match["old"]]}),
    ("create_event", r"^(?:put|add) (?:the )?(?P<title>.+?) (?:in(?:to)?|to|on) \w+ calendar\b", _event),
    ("create_event", rf"^(?:put|add) (?:the )?(?P<title>.+?) (?:on \w+day|every \w+day|{_DAY}).* (?:in(?:to)?|to|on) \w+ calendar", _event),
    ("create_event", rf"^trag (?!jeden)(?:den |die |das )?(?P<title>.+?) (?:am |jeden |nachsten )?{_DAY} um ", _event),
    ("create_event", rf"^trag jeden {_DAY} um \S+ (?:uhr )?(?P<title>.+?)(?: in den kalender.*| ein)$", _event),
    ("change_event", r"^(?:cancel|delete|sag|losche?) (?:the |my |den |die |das )?(?P<title>dentist|zahnarzt|football training)(?: appointment|termin)?(?: ab)?$", _change("delete")),
    ("change_event", rf"^(?:move|verschieb(?:e)?) (?:the |my |den |die |das )?(?P<title>(?!.*\b(?:musi[ck]|alarm|wecker|reminder|erinnerung)).+?)(?: (?:from|on|von|vom|am) {_DAY})? (?:to|auf) (?:next |nachsten? )?{_DAY}(?: (?:at|um) .*)?$", _change("change")),
    ("music", r"^(?:play|spiele?) (?:(?:some|something|etwas|was)\b )?(?:(?:by|from|von den|von)\b )?(?P<what>(?!.*\b(?:music|musik)\b).+?)(?: (?:in|on|im|auf|in der) .+)?$", _play),
    ("calculate", r"^(?:what is|wie ?viel ist|was ist) (?P<sum>[\d ().,]+(?:(?:[-+*/x]|plus|minus|times|mal) ?[\d ().,]+)+)\??$", lambda said: {"sum": _signs(said.match["sum"])}),
    ("calculate", r"\b(?:sun (?:rise|set)|sunrise|sunset|sonne (?:auf|unter)|sonnen(?:auf|unter)gang)", lambda said: {"sun": said.word(_PERIODS) or "today"}),
    ("set", r"\b(cosy|cozy|gemutlich)\b|\bfor (reading|a film)\b", _cosy),
    ("events", rf"\b(?:what s (?:on|planned)|was steht (?!auf))\b.*\b{_DAY}\b", _when),
    ("events", r"^when is .*\b(appointment|dentist)|^wann ist .*\b(termin|zahnarzt)", lambda said: {"text": "dentist"}),
    ("events", r"^(?!take|remove|add|put|nimm|streich|trag).*\b(calendar|kalender|appointments?|termine)\b(?=.*\?|)", _when),
)  # fmt: skip


def read_ability(text: str, prompt: Prompt, vocabulary: Vocabulary) -> Meaning | None:
    """Return what a sentence asks of a tool of the integration's own, if of any."""
    folded, asks = fold(text), is_question(text, vocabulary)
    for tool, pattern, make in _ROWS:
        match = re.search(pattern, folded)
        if match is None or not prompt.tool(tool):
            continue
        said = Said(match, vocabulary, text)
        if (given := make(said)) is None:
            continue
        slots = {key: value for key, value in given.items() if value}
        if (asks and tool in _READING) or _covers(pattern, slots, text, vocabulary):
            return Meaning(OURS + tool, slots, text, vocabulary.words.code)
    return None


def _covers(pattern: str, slots: Arguments, text: str, vocabulary: Vocabulary) -> bool:
    """Return whether nothing was said but what was understood, and talk."""
    clauses = re.split(r"[,;.!?]+\s+", text)
    for clause in clauses if len(clauses) > 1 else ():
        if re.search(pattern, fold(clause)):
            others = [read_fragment(x, vocabulary) for x in clauses if x != clause]
            text = clause if all(map(is_talk, others)) else text
    if "start" in slots:
        text = read_clock(text, vocabulary.words.code).rest
    left = find_target(text, vocabulary).left
    known = (pattern, *_PERIODS, *vocabulary.words.properties, fold(str(slots)))
    return not unexplained(left, vocabulary.words.code, *known)
