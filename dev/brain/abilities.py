"""Understand what the integration's own tools are for, in English and German.

A row for each way to ask: which tool, how it is said (folded), and with which arguments
it is called. What is not offered is not understood here.
"""

from collections.abc import Callable
import re
from typing import Any, Final

from .clock import AT, digits, numerals, read_clock, read_day, read_days
from .fallback import read_fragment
from .model import Meaning
from .parts import is_talk
from .prompt import Prompt
from .questions import OUTSIDE, is_question
from .said import BUT, UNITS, Said, convert
from .target import EVERYTHING, Target, find_target
from .text import fold
from .tools import OURS, outside
from .vocabulary import Vocabulary
from .words import unexplained

type Arguments = dict[str, Any]
type Make = Callable[["Said"], Arguments | None]

_PERIODS: Final = {
    r"last night|(?:gestern|heute|letzte) nacht": "last_night",
    r"this morning|heute (?:morgen|fruh)": "today_morning",
    r"this afternoon|heute nachmittag": "today_afternoon",
    r"tonight|this evening|heute abend": "tonight",
    r"tomorrow (?:evening|night)|morgen abend": "tomorrow_evening",
    r"tomorrow morning|morgen (?:fruh|vormittag)": "tomorrow_morning",
    r"tomorrow afternoon|morgen nachmittag": "tomorrow_afternoon",
    r"yesterday evening|gestern abend": "yesterday_evening",
    r"yesterday|gestern": "yesterday",
    r"today|heute": "today",
    r"tomorrow|morgen(?! frueh)": "tomorrow",
    r"weekend|wochenende": "this_weekend",
    r"this week|diese woche": "this_week",
} | {
    rf"{words}\w*": words.split("|")[0]
    for words in (
        "monday|montag", "tuesday|dienstag", "wednesday|mittwoch", "thursday|donnerstag",
        "friday|freitag", "saturday|samstag", "sunday|sonntag",
    )
}  # fmt: skip
_STATES: Final = {
    r"opened|open|offen|geoffnet|auf|aufgemacht": "open",
    r"closed?|zu|geschlossen|zugemacht": "closed",
    r"locked|lock|abgeschlossen": "locked",
    r"left|leave|gegangen|\w*weggegangen|verlassen": "not_home",
    r"(?:come|came|get|got|been) (?:home|back)|\w*gekommen|zuruck": "home",
    r"finish\w*|done|fertig": "off", r"on|an|eingeschaltet": "on",
    r"off|aus|ausgeschaltet": "off", r"run|ran|running|lief|gelaufen": "on",
}  # fmt: skip
_ACTIONS: Final = {
    r"off|aus(?:mach\w*|schalt\w*)?": "off", r"on|an": "on",
    r"open|raise|up|hoch|auf|rauf|offne": "open",
    r"close|lower|down|runter|zu|schliess\w*": "close",
}  # fmt: skip
_READING: Final = ("history", "forecast", "look", "calculate", "events", "get_items")
_ACTING: Final = (
    "set", "create_event", "change_event", "HassListAddItem", "HassListRemoveItem",
    "HassTurnOn", "HassVacuumStart",
)  # fmt: skip
_INTENTS: Final = {"get_items": "list_items"}
_NO_PAST: Final = ("scene", "script")
_OF_STATES: Final = ("last_change", "count", "duration")


# Of what there is more or less: the setting (else what the thing has), the way, its words.
_STEPS: Final = (
    ("temperature", "warmer", "warmer|(?:warm|heat)(?: .+)? up|chilly|kuhl|(?:too|zu) (?:cold|kalt)|it s cold in|ist es kalt|i m (?:cold|freezing)|mir ist (?:zu )?kalt"),
    ("temperature", "colder", "cooler|colder|cool(?: .+)? down|kalter|(?:too|zu) (?:warm|hot|heiss)|it s (?:warm|hot) in|ist es (?:warm|heiss)|i m (?:hot|warm)|mir ist (?:zu )?(?:heiss|warm)"),
    ("brightness", "brighter", "brighter|(?<!too )(?<!so )bright|heller|(?<!zu )(?<!so )hell|(?:too|zu) (?:dark|dunkel)"),
    ("brightness", "darker", "dim|dimmer|dimm\\w*|darker|dunkler|(?:too|zu|not so|nicht so) (?:bright|hell)"),
    ("fan speed", "higher", "faster|schneller"),
    ("fan speed", "lower", "slower|langsamer"),
    ("volume", "louder", "louder|lauter|(?:too|zu) (?:quiet|leise)"),
    ("volume", "quieter", "quieter|softer|leiser|(?:too|zu|(?:not |nicht )?so) (?:loud|laut)"),
    ("", "higher", "up|higher|hoch|hoch(?:dreh|stell)\\w+|hoher|rauf\\w*|more|mehr|increase|raise|erhoh\\w*|dreh\\w* .*auf$"),
    ("", "lower", "down|lower|runter\\w*|niedriger|kleiner|less|weniger|reduce|senk\\w*"),
)  # fmt: skip
_AMOUNT: Final = re.compile(r"\b(?:by|um) (\d+)|\b(\d+) (?:deg|grad|per|proz|%)")
_OTHER_LIST: Final = re.compile(
    r"\b(?!the|my|our|your|shopping|die|der|unserer?|meiner?)\w+ liste?\b"
)
_SETTINGS: Final = {
    "climate": "temperature", "light": "brightness", "media_player": "volume", "fan": "fan speed",
    "HassLightSet": "brightness", "HassSetVolume": "volume", "music": "volume",
}  # fmt: skip


def _history(question: str) -> Make:
    def make(said: Said) -> Arguments | None:
        state = said.word(_STATES) if question in _OF_STATES else None
        things = [x for x in said.target.entities if x.domain not in _NO_PAST]
        name = said.name if things else None
        if re.search(r"\b(?:ring|rung|geklingelt)\b", said.text):
            name = next((bell.name for bell in said.home.of("event")), "doorbell")
        if state in ("locked", "unlocked"):
            name = next((x.name for x in things if x.domain == "lock"), name)
        if OUTSIDE.search(said.text):
            name = outside(said.home).get("name")
        period = said.word(_PERIODS) or (question == "timeline" and "today")
        given = {"question": question, "name": name, "state": state, "period": period}
        is_bound = question not in ("min", "max", "energy", "cost")
        if is_bound and not name and not said.target.area:
            return None
        if not name and question != "energy":
            area = said.target.area
            given |= {"area": area, "name": not area and outside(said.home).get("name")}
        return given

    return make


def _step(said: Said) -> Arguments | None:
    """Make it more or less: what is named, else what was spoken of last."""
    found = [row[:2] for row in _STEPS if re.search(rf"\b(?:{row[2]})\b", said.text)]
    (setting, by), (tool, given) = found[0], said.last
    last = _SETTINGS.get(tool, str(given.get("setting") or ""))
    place: Arguments = {}
    keys = ("name", "area", "floor", "player")
    told = (given[key] for key in keys if key in given)
    for value in [said.before] if said.before else told:
        spoken = said.find(str(value[0] if isinstance(value, list) else value))
        place |= _place(spoken)
        last = last or next(iter(_settings(spoken)), "")
    wanted, target = _settings(said.target), said.target
    if wanted or target.area or target.everything:
        place = _place(target)
    else:
        known = {*_SETTINGS.values(), "position"}
        wanted = {last} & known or _settings(said.find(str(given)))
    it = re.search(r"\b(?:it|that|es|das)\b", said.text)
    if re.search(r"\b(?:degrees?|grad)\b", said.text):
        setting = "temperature"
    setting = setting or next(iter(wanted), "volume" if it else "")
    is_odd = setting in ("", "nothing") or bool(wanted - {setting})
    # "It is cold" may be said of the weather.
    is_odd |= (
        bool(re.search(r"(?:it s|ist es) (?!too|zu)", said.text)) and not target.area
    )
    to = re.search(r"\b(?:to|auf) (?:\w+ )?(\d+)", said.text)
    if is_odd or (to and setting != "volume"):
        return None
    if to:
        return {"action": "set", "setting": setting, "to": to[1], **place}
    if amount := _AMOUNT.search(said.text):
        by = f"{amount[1] or amount[2]} {by}"
    # Nobody said which lamps: those that are lit, here if that is known.
    kind = "light" if setting == "brightness" else None
    here = {} if place else {"area": said.home.area, "kind": kind}
    return {"action": "set", "setting": setting, "by": by, **place, **here}


def _move(said: Said) -> Arguments | None:
    """Move a blind a little."""
    by = {"open": "+20", "close": "-20"}.get(said.word(_ACTIONS) or "")
    place = {"kind": "cover", **_place(said.target)}
    return {"action": "set", "setting": "position", "by": by, **place} if by else None


def _settings(target: Target) -> set[str]:
    """Return what can be set of what is spoken of; other things have nothing."""
    kinds = {target.domain, *(thing.domain for thing in target.entities)}
    kinds -= {None, "person"}
    return {_SETTINGS.get(str(kind), "nothing") for kind in kinds}


def _place(target: Target) -> Arguments:
    named = target.entities and not target.area
    return {"name": target.entities[0].name} if named else {"area": target.area}


def _why(said: Said) -> Arguments | None:
    named = said.name or re.search(r"\b(?:you|du|that|das)\b", said.text)
    return {"name": said.name} if named else None


def _all(said: Said) -> Arguments | None:
    if (action := said.word(_ACTIONS)) is None:
        return None
    target, left_out = said.target, said.left_out
    kind = target.device_class or target.domain
    place = {"area": target.area, "floor": target.floor}
    return {"action": action, "kind": kind, **place, "except": left_out}


def _set(setting: str, to: str | int = 1) -> Make:
    def make(said: Said) -> Arguments:
        value = said.match[to].strip() if isinstance(to, int) else to
        name = said.target.entities[0].name if said.target.entities else None
        return {"name": name, "setting": setting, "to": value}

    return make


def _mood(called: str) -> Make:
    def make(said: Said) -> Arguments | None:
        """Return the scene or script for a mood, where nobody said which room."""
        ways = [*said.home.of("scene"), *said.home.of("script")]
        names = (x.name for x in ways if re.search(called, fold(" ".join(x.names))))
        name = next(names, None) if said.target.empty and not said.home.area else None
        return {"name": name} if name else None

    return make


def _event(said: Said) -> Arguments | None:
    days, rest = read_days(said.spoken, said.code)
    repeat = days and f"FREQ=WEEKLY;BYDAY={','.join(day[:2].upper() for day in days)}"
    title = read_day(read_clock(rest, said.code).rest, said.code)[1]
    for phrase in _AROUND:
        title = re.sub(phrase, " ", title, flags=re.IGNORECASE).strip(" .!,")
    day = read_day(rest, said.code)[0]
    start = _start(said, said.spoken, day or "tomorrow")
    if not title or not (day or " " in start):
        return None
    return {"title": title[0].upper() + title[1:], "start": start, "repeat": repeat}


def _start(said: Said, text: str, day: str) -> str:
    ahead, _, at = read_clock(text, said.code).at.rpartition(" ")
    late = "12:00" if re.search(_EVENING, text.casefold()) else "07:00"
    if "" < at < late and not re.search(r"\d ?am\b|morning|früh", text):
        # An appointment at four is in the afternoon, dinner at seven in the evening.
        at = f"{int(at[:2]) + 12}{at[2:]}"
    return f"{ahead or day} {at}".strip()


def _change(action: str) -> Make:
    def make(said: Said) -> Arguments | None:
        title, start = said.match["title"], None
        if action == "change":
            when = re.split(r" (?:to|auf) ", said.spoken)[-1]
            when = when if said.word(_PERIODS, fold(when)) else f"{AT[said.code]}{when}"
            start = _start(said, when, said.word(_PERIODS, fold(when)) or "")
        elif not said.target.empty:
            return None
        day = action == "delete" and said.word(_PERIODS)
        if re.fullmatch(r"ihn|es|das|it|that|this|them|wieder|(?:that )?one", title):
            known = (said.last[1].get(key) for key in ("event", "title", "text"))
            title = next(filter(None, known), "")
        if not title:
            return None
        title = "" if day and title in ("termin", "appointment") else title
        return {"action": action, "event": title, "start": start, "day": day}

    return make


def _item(said: Said) -> Arguments | None:
    """Return what is to be bought, not what the home has."""
    found = said.target
    others = [thing for thing in found.entities if thing.domain != "todo"]
    return None if others or found.area or found.domain else {"item": said.item}


def _read_list(said: Said) -> Arguments | None:
    if _OTHER_LIST.search(said.text):
        return None
    lists = [item.name for item in said.home.of("todo")]
    named = [item.name for item in said.target.entities if item.name in lists]
    return {"name": (named or lists)[0]} if lists else None


def _off(said: Said) -> Arguments | None:
    is_list = re.search(_FROM_LIST, said.text + said.last[0])
    is_all = re.search("liste?$", said.match["item"])
    return _item(said) if is_list and not is_all else None


def _asked(said: Said) -> Arguments | None:
    """Ask for an event by what it is called."""
    return {"text": said.match["title"]} if said.target.empty else None


def _signs(text: str) -> str:
    for word, sign in (
        ("plus", "+"), ("minus", "-"), ("times", "*"), ("mal", "*"), ("divided by", "/"),
        ("geteilt durch", "/"), ("durch", "/"),
    ):  # fmt: skip
        text = text.replace(word, sign)
    return text.replace("x", "*")


def _play(said: Said) -> Arguments | None:
    places = "|".join(fold(name) for group in said.home.area_groups for name in group)
    where = rf"^(?:in|im|on|auf) (?:der |dem |the )?(?:{places}) "
    what = re.sub(where, "", said.match["what"])
    found = said.find(what)
    # "Play the music" goes on with what was on; "some music" is to be found.
    old = r"\b(?:the same|dasselbe|again|wieder)\b|^(?:the |die )(?:music|musik)$"
    is_put = said.text.startswith(("put", "mach")) or not found.left
    is_other = found.domain not in (None, "media_player")
    area = said.target.area
    is_here = not area or any(thing.is_in(area) for thing in found.entities)
    if (found.entities and is_put and is_here) or is_other or re.search(old, what):
        return None
    what = re.sub("^(?:some|etwas|(?:ein )?bisschen|a bit of) ", "", what)
    players = (item.name for item in said.target.entities)
    player = said.target.area or next(players, None)
    return {"action": "play", "what": what, "player": player}


def _when(said: Said) -> Arguments | None:
    period = said.word(_PERIODS)
    if "yesterday" in str(period) and re.search(r"rain|regn|weather|wetter", said.text):
        return None  # Nobody has kept it.
    return {"period": "tonight" if period == "last_night" else period}


def _seen(said: Said) -> Arguments:
    cameras = [thing.name for thing in said.home.of("camera")]
    named = (thing.name for thing in said.target.entities if thing.name in cameras)
    return {"name": next(named, cameras[0] if len(cameras) == 1 else None)}


# What stands around the title of an event.
_AROUND: Final = (
    r"^(?:please )?(?:put|add|enter|schedule|book|trag\w*|schreib\w*|setz\w*|pack\w*)\b",
    r"\b(?:in|into|to|on|auf|für|for)? ?(?:the|my|our|den|unseren|meinen|the \w+)? ?(?:family |familien)?(?:calendar|diary|kalender)\b",
    r"\b(?:ein|rein|hinein)$", r"(?:(?:\s|^)(?:for|on|at|für|am|um|in|im))+$",
    r"^(?:mal |bitte |doch )*(?:(?:for|on|für|am) )?(?:the|an?|den|die|das|einen|eine)\b", r"^(?:for|für|am|on)\b",
)  # fmt: skip
_DOORS: Final = "door|doorbell|tur|haustur"
_DAY: Final = rf"(?:{'|'.join(_PERIODS)})"
_HOUR: Final = rf"(?:\d\d?|{'|'.join(fold(word) for code in ('en', 'de') for word in [*numerals(code)][:12])})"
_MONEY: Final = r"(?<=\d) (?:dollars?|euros?|francs?|franken|cents?)\b"
_FROM_LIST: Final = r"List|items|list|zettel|^(?:remove|cross|strike|streich)|^nimm .*(?:runter|raus)|^take .* off$"
_BIT: Final = "bit|little|slightly|bisschen|stuck|wenig|etwas"
_EVENING: Final = r"dinner|supper|party|cinema|movie|concert|theat|drinks|barbecue|\bessen|kino|konzert|feier|grillen|abend"
_COSY: Final = "cosy|cozy|gemutlich"
# What is going on in the house, and what a scene or script for it is called.
_MOODS: Final = (
    (rf"\b(?:{_COSY})\b", rf"relax|entspann|chill|{_COSY}"),
    (r"^(?:i m|we re|let s|i|we|ich|wir|time|zeit)\b.*\b(?:watch\w*|schau\w*|guck\w*|seh\w*|for|fur)\b.*\b(?:film|movie)\b", "movie|film|kino"),
    (r"^(?:i m|we re|i|we|ich|wir)\b.*\b(?:(?:to|in|into) (?:the )?bed|to sleep|ins bett|schlafen)$", "good night|bed ?time|gute nacht"),
)  # fmt: skip
_ROWS: Final[tuple[tuple[str, str, Make], ...]] = (
    # Reading.
    ("history", r"^when (?:did|was|were|is|has|have)\b.*\blast\b|^wann .*\bzuletzt\b", _history("last_change")),
    ("history", r"\b(?:energy|electricity|power|strom|energie)\b.*\b(?:use|used|consumed?|verbrauch\w*)\b", _history("energy")),
    ("history", r"^what (?:has |s |is |was )?(?:been )?(?:happen|going on)|^was (?:war|ist|hat) .*(?:\blos|passiert|geschehen)$", _history("timeline")),
    ("history", r"^how (often|many times)\b|^wie oft\b", _history("count")),
    ("history", r"^how long (was|were|did)\b|^wie lange (?:war|waren|lief|liefen)\b", _history("duration")),
    ("history", r"^how (cold|low) (was|did)\b|^wie kalt war\b|^how cold .*(yesterday|last)", _history("min")),
    ("history", r"^how (warm|hot|high) (was|did)\b|^wie (?:warm|heiss) war\b", _history("max")),
    ("history", r"\b(?:lowest|coldest|tiefste\w*|niedrigste\w*|kalteste\w*)\b", _history("min")),
    ("history", r"\b(?:highest|warmest|hottest|hochste\w*|warmste\w*)\b", _history("max")),
    ("why", r"^(why|warum|wieso)\b|^what (did|have) you\b|^was hast du\b(?:.* gemacht| getan)?", _why),
    ("forecast", rf"\b(rain|weather|regnet|wetter)\b.*{_DAY}|\bgoing to (?:rain|snow|be)\b|^(?:how s|wie sieht) (?:the|das) (?:weather|wetter)\b|^(?:will it|wird es)\b|{_DAY}\b.* (?:regnen|weather|wetter)$|^(?:how|wie) (?:cold|warm|hot|kalt|heiss) (?:will|wird)\b", _when),
    ("forecast", r"\b(umbrella|coat|jacket|jacke|mantel|schirm|regenschirm|forecast|wettervorhersage)\b", _when),
    ("look", rf"^(who|wer)\b(?!.*\b(?:last|zuletzt|hat|has|did|was|war|opened|closed|\w*locked)\b).*\b({_DOORS})\b|\b(camera|kamera)\b", _seen),
    ("history", r"^(?:how long (?:has|have)|since when|seit wann|wie lange (?:ist|sind|lauft|steht|brennt)(?!.*\bnoch\b))\b", _history("last_change")),
    ("history", r"^(?:when|what time) (?:did|was|were)\b|^(?:wann|um wie ?viel uhr) (?:ist|sind|hat|war|wurde|ging|gingen)\b", _history("last_change")),
    ("history", r"^(?:who|wer) (?:turned|switched|opened|closed|locked|unlocked|left|set|hat)\b", _history("who")),
    ("history", rf"^(?:did|has|was|were|war|waren|hat|haben|lief)\b.*\b{_DAY}\b|^(?:did|hat)\b.* (?:finish|fertig)\b", _history("timeline")),
    ("get_items", r"^(?:read|show|do|is|are|have|what|was|welche|steh\w*|ist|sind|hab\w*|lies|zeig|wie ?viel\w*|how (?:much|many))\b.*\b(?:list|\w*liste)\b|^was fehlt\b(?: uns| noch| denn)*$|^(?:what|was|do|mussen|sollen|brauchen) .*\b(?:buy|kaufen|einkaufen|(?:shop|store|supermarket|laden|supermarkt)s?)$", _read_list),
    # Doing.
    ("HassListAddItem", r"^(?:(?:we|i)(?: ve| have| re| are)? (?:run out of|out of|(?:still |also )?need)(?: to buy| some| more| any)*|(?:wir|ich) brauchen?(?: noch| auch)*|schreib(?=.* auf\b)) (?P<item>(?!to |you |auf )(?:(?! auf )[^?])+?)(?: auf(?: die \w*liste)?)?$", _item),
    ("HassListAddItem", r"^(?:the|der|die|das) (?P<item>\w+) ?(?:is|s|are|has|have|ist|sind)? (?:all gone|gone|run out|used up|alle|leer)$", _item),
    ("HassListAddItem", r"^(?:add|(?:put|write)(?=.* on (?:it|there)$)|(?:schreib|setz|pack)(?=.* (?:dazu|drauf)$)) (?P<item>(?!.*\b(?:to|at|in|for|on(?! (?:it|there)$))\b).+?)(?: on (?:it|there)| dazu| drauf)?$", _item),
    ("change_list", r"^(?=.*\b(?:bought|gekauft)\b)(?:i|we|ich|wir) (?:have |ve |just |hab\w* |bought |schon |the |some |die |den |das )*(?P<old>.+?)(?: schon| gekauft)*$", lambda said: {"action": "done", "items": [said.match["old"]]}),
    ("HassListRemoveItem", r"^(?:and |und )?(?:you can )?(?:take|remove|scratch|cross|strike|delete|streich\w*|nimm|losch\w*) (?:off |out )?(?:the |die |den |das )?(?P<item>.+?)(?: (?:off|out|from|weg|runter|raus|wieder|von))*(?: (?:the|der|of the) .*list\w*)?$", _off),
    ("HassListRemoveItem", r"^(?:und )?(?:die|den|das) (?P<item>.+?) (?:kannst du|bitte|wieder|ist schon|haben wir)\b.*\b(?:streichen|runternehmen|loschen|gekauft|schon)$", _off),
    ("set", rf"\b(all|everything|alle|alles)\b.*{BUT}", _all),
    ("set", r"\beverything\b.*\boff\b|\boff everything\b|\balles aus(?:mach\w*|schalt\w*)?\b", _all),
    ("set", rf"^(?=.*\b(?:{_BIT})\b).*\b(?:blinds?|shades?|shutters?|curtains?|jalousien?|rollos?|\w*lad\w*|vorhang\w*)\b", _move),
    ("set", rf"\b(?:{'|'.join(row[2] for row in _STEPS)})\b", _step),
    ("undo", r"^undo\b|^take (that|it) back|\bruckgangig\b", lambda said: {}),
    ("HassVacuumStart", r"^(?:start )?(?:clean|vacuum|hoover|mop|saug|putz|wisch)\w*", lambda said: {"name": said.home.of("vacuum")[0].name} if len(said.home.of("vacuum")) == 1 else None),
    ("set", r"\b(reverse|ruckwarts)\b", _set("direction", "reverse")),
    ("set", r"\boscillate\b|\bschwenken\b", _set("oscillation", "on")),
    ("set", r"\b(?:wash\w* )?program(?:m)? (?:to|auf) (\w+)$", _set("option")),
    ("set", r"\btime (?:to|for) (\d+)(?: minutes)?$", _set("value")),
    ("change_list", r"^(clear|empty|leere)\b|^(?:losch\w*|delete) .*\b\w*list[e]?$", lambda said: {"action": "clear_all", "list": said.name}),
    ("change_list", r"^(?:rename|change) (?P<old>.+) to (?P<new>.+?)(?: on .*)?$", lambda said: {"action": "change", "items": [said.match["old"]], "rename": said.match["new"]}),
    ("change_list", r"^(?:(?:tick|check|cross|strike) off|hake?|(?:take|cross|tick|check|strike)(?=.* off )) (?:the |die |den |das )?(?P<old>.+?)(?: ab| off? .*| on .*)?$", lambda said: {"action": "done", "items": [said.match["old"]]}),
    ("create_event", r"^(?:put|add|enter)\b.*\b(?:calendar|diary|in for|down for)\b|^(?:schedule|book) |^add\b.*\b(?:today|tomorrow|\w+day) at |^trag\b.* ein\b|^(?:schreib|setz|pack)\b.*\bkalender\b", _event),
    ("change_event", rf"^(?:cancel|delete|sag(?=.* ab$)|losche?) (?:the |my |our |den |die |das |meinen )?(?P<title>(?!.*\blists?\b).+?)(?: appointment|termin)?(?: (?:on|am) {_DAY})?(?: ab)?$", _change("delete")),
    ("change_event", rf"^(?:move|postpone|reschedule|bring|push|verschieb(?:e)?|verleg\w*|leg) (?:the |my |our |den |die |das )?(?P<title>(?!.*\b(?:musi[ck]|alarm|wecker|reminder|erinnerung)).+?)(?: (?:from|on|von|vom|am) {_DAY})? (?:to|auf) (?:(?:next |nachsten? )?{_DAY}(?: (?:at|um) .*)?|[\w:. ]*{_HOUR}(?: uhr| ?[ap]m| o clock)?)$", _change("change")),
    ("music", r"^(?:play|spiele?|(?:put on|put(?=.* on\b)|mach(?=.* an$))(?= some| etwas| (?:ein )?bisschen| \w+musik)) (?:(?:something|was)\b )?(?:(?:by|from|von den|von)\b )?(?P<what>.+?)(?: on| an)?(?: (?:in|on|im|auf|in der) .+)?$", _play),
    ("calculate", r"^(?:what (?:is|s)|how much is|wie ?viel (?:ist|sind)|was (?:ist|sind)) (?P<sum>[\d ().,]+(?:(?:[-+*/x]|plus|minus|times|mal|divided by|(?:geteilt )?durch) ?[\d ().,]+)+)\??$", lambda said: {"sum": _signs(said.match["sum"])}),
    ("calculate", r"\b(?P<n>\d[\d.,]*) ?(?:percent|per cent|%|prozent) (?:of|von) (?P<of>[\d.,]+)", lambda said: {"sum": f"{said.match['of']}*{said.match['n']}/100"}),
    ("calculate", r"\b(?:half|halfte) (?:of|von) (?P<of>[\d.,]+)", lambda said: {"sum": f"{said.match['of']}/2"}),
    ("calculate", rf"\b(?P<n>\d[\d.,]*|an?|one|eine?) ?(?:degrees? |grad )?(?:{'|'.join(UNITS)})\b", convert),
    ("calculate", r"\b(?:(?:when|what time) (?:does|will|is) it .*\b(?:dark|light)\b|wann wird es .*\b(?:dunkel|hell)\b|sun (?:rise|set|go\w* down|come\w* up)|sunrise|sunset|sonne (?:auf|unter)|sonnen(?:auf|unter)gang)", lambda said: {"sun": said.word(_PERIODS) or "today"}),
    *(("HassTurnOn", said, _mood(called)) for said, called in _MOODS),
    ("set", rf"\b({_COSY})\b|\bfor (reading|a film)\b", lambda said: {"area": said.target.area or said.home.area, "kind": "light", "setting": "brightness", "to": "20", "_unplaced": said.target.empty}),
    ("events", rf"^(?:what|do|have|is|am|are|any\w*|was|hab\w*|gibt|ist|steht)\b(?=.*\b{_DAY}).*\b(?:on|planned|plans?|happening|got|anything|something|an|vor|los|was|time|free|zeit|frei)\b", lambda said: _when(said) if said.target.empty or " time " in said.text else None),
    ("events", r"^(?:when (?:is|s|are)|wann (?:ist|sind|hab\w* (?:ich|wir))) (?:(?:the|my|our|next|der|die|das|den|mein\w*|unser\w*|nachste\w*) )*+(?P<title>(?!(?:next |nachste\w* )?(?:appointment|termin)).+?)(?: appointment|termin)?$", _asked),
    ("events", r"^(?!take|remove|add|put|nimm|streich|trag).*\b(calendar|kalender|appointments?|termine|schedule|agenda|terminplan)\b(?=.*\?|)", _when),
)  # fmt: skip


def read_ability(text: str, prompt: Prompt, vocabulary: Vocabulary) -> Meaning | None:
    """Return what a sentence asks of a tool of the integration's own, if of any."""
    asks = is_question(text, vocabulary)
    folded = re.sub(r"(?<=\w{4})termin\b", "", fold(text))
    counted = re.sub(_MONEY, "", digits(folded, vocabulary.words.code))
    for tool, pattern, make in _ROWS:
        match = re.search(pattern, counted if tool in ("calculate", "set") else folded)
        is_wrong = tool in _ACTING if asks else tool == "history"
        if match is None or not prompt.tool(tool) or is_wrong:
            continue
        said = Said(match, vocabulary, text, prompt)
        if (given := make(said)) is None:
            continue
        slots = {key: value for key, value in given.items() if value}
        is_read = tool in _READING and (asks or tool == "get_items")
        if is_read or _covers(pattern, slots, text, vocabulary):
            intent = _INTENTS.get(
                tool, tool if tool.startswith("Hass") else OURS + tool
            )
            return Meaning(intent, slots, text, vocabulary.words.code)
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
    text = digits(fold(text), vocabulary.words.code)
    left = find_target(text, vocabulary).left
    is_now = "action" in slots and not {"start", "day"} & {*slots}
    periods = () if is_now else _PERIODS
    words = vocabulary.words
    known = (pattern, words.here, *periods, *words.properties)
    more = (EVERYTHING.pattern, fold(str(slots)))
    return not unexplained(left, words.code, *known, *more)
