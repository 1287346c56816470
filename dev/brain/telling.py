"""Say in sentences, in English or German, what one of the integration's own tools tells."""

from collections.abc import Sequence
import re
from typing import Any, Final

from .home import Home
from .model import Meaning
from .text import find_words, fold, sentence
from .tools import OURS
from .words import Words, word_set, words_for

# What a finding or a whole result has to hold, and how it is said.
_FINDINGS: Final = (
    ("since", "{name} has been {state} since {since}", "{name} ist {state} seit {since}"),
    ("when", "{name} was last {state} {when}; it is {now} now", "{name} war zuletzt {state}: {when}; jetzt {now}"),
    ("never_since", "{name}: not once since {never_since}", "{name}: kein einziges Mal seit {never_since}"),
    ("count", "{name} was {state} {count} times", "{name} war {count}-mal {state}"),
    ("duration", "{name} was {state} for {duration}", "{name} war {duration} lang {state}"),
    ("min", "The lowest of {name} was {min} {unit}, {min_at}", "{name}: am wenigsten waren {min} {unit}, {min_at}"),
    ("max", "The highest of {name} was {max} {unit}, {max_at}", "{name}: am meisten waren {max} {unit}, {max_at}"),
    ("state", "{name} is {state} again", "{name} ist wieder {state}"),
    ("skipped", "No alarm {skipped}", "Kein Wecker {skipped}"),
    ("sunset", "The sun sets at {sunset} {day}", "Die Sonne geht {day} um {sunset} unter"),
    ("sunrise", "The sun rises at {sunrise} {day}", "Die Sonne geht {day} um {sunrise} auf"),
    ("changes", "{name}: {first}, {changes}", "{name}: {first}, {changes}"),
    ("first", "{name}: {first} all the time", "{name}: die ganze Zeit {first}"),
)  # fmt: skip
_PARTS: Final = {
    "failed": ("That did not work", "Das hat nicht geklappt"),
    "not_kept": ("Not kept", "Nicht übernommen"),
}
_UNITS: Final = {
    "light": "percent", "cover": "percent", "climate": "degrees",
    "media_player": "percent",
}  # fmt: skip
# What of a result is said alone, if it is there; and what is not.
_ALONE: Final = ("results", "restored", "events", "forecast", "sent")
_UNSAID: Final = word_set(
    "at seconds from to remembered_since start end left_as_they_are"
)
_DAYS: Final = (("weekend", "Saturday|Sunday"), ("night", "today"), ("week", "day"))
_FINE: Final = re.compile(r"\b[1-9]\d*\.\d{3,}")
_RISES: Final = re.compile(r"rise|\bup\b|light\b|hell\b|\b(?:auf\b|sonnenauf)")
_GERMAN: Final = {
    "today": "heute", "yesterday": "gestern", "tomorrow": "morgen", "Monday": "Montag",
    "Tuesday": "Dienstag", "Wednesday": "Mittwoch", "Thursday": "Donnerstag",
    "Friday": "Freitag", "Saturday": "Samstag", "Sunday": "Sonntag",
    "January": "Januar", "February": "Februar", "March": "März", "May": "Mai",
    "June": "Juni", "July": "Juli", "October": "Oktober", "December": "Dezember",
    "all day": "ganztägig", "rainy": "regnerisch", "cloudy": "bewölkt",
    "sunny": "sonnig", "you said": "du hast gesagt",
    "turn off": "ausgeschaltet", "turn on": "eingeschaltet", "is off": "ist aus", "when": "wenn", "is not there": "gibt es dort nicht", "is at its limit": "geht nicht weiter", "Item": "Der Eintrag",
    "is not available": "ist nicht verfügbar", "done": "erledigt",
    "has no phone with the app": "hat kein Telefon mit der App", "not found on list": "steht nicht auf der Liste",
    "Lumo did nothing with that": "Ich habe damit nichts getan", "Lumo did nothing": "Ich habe nichts getan",
}  # fmt: skip
_VERBS: Final = {
    "turn on": "einschalten", "turn off": "ausschalten", "open": "öffnen",
    "close": "schließen", "lock": "abschließen", "unlock": "aufschließen",
    "start": "starten", "set": "einstellen",
}  # fmt: skip
# Articles that do not depend on the case, by how German nouns end.
_ARTICLES: Final = (
    ("die", ("lampe", "jalousie", "tur", "heizung", "maschine", "kamera", "temperatur", "feuchtigkeit", "batterie")),
    ("das", ("licht", "thermostat", "radio", "garagentor", "fenster", "programm", "wetter")),
)  # fmt: skip
_ENGLISH: Final = re.compile(rf"\b({'|'.join(_GERMAN)})\b")


def tell(data: Any, meaning: Meaning, home: Home) -> str:
    """Return the sentences for a result."""
    words = words_for(meaning.language)
    if isinstance(data, list):
        # Of some nothing is known of a time, which is said only if it is all there is.
        known = [item for item in data if set(item) != {"name", "known"}]
        if data and not known:
            return words.replies["unknown_state"]
        return " ".join(filter(None, (tell(item, meaning, home) for item in known)))
    if not isinstance(data, dict):
        text = _FINE.sub(lambda number: f"{float(number[0]):.2f}", str(data))
        return sentence(translated(text, words.code))
    if said := next((data[key] for key in _ALONE if data.get(key)), None):
        if "forecast" in data:
            period = str(meaning.slots.get("period") or "")
            days = next((days for key, days in _DAYS if key in period), period[:5])
            said = [row for row in said if re.search(days, row, re.IGNORECASE)] or said
            said = said[: len(said) if days else 3]
        return tell(said, meaning, home)
    if "events" in data:
        return words.replies["no_events"]
    if "latest_first" in data:
        return tell(data["latest_first"][:3], meaning, home)
    if "sunset" in data:
        other = "sunset" if _RISES.search(fold(meaning.text)) else "sunrise"
        data = {key: value for key, value in data.items() if key != other}
        data["day"] = str(data.get("day")).partition(",")[0]
    if "when" in data and "now" not in data:
        data = {**data, "since": data["when"]}
    nothing: Any = (None, "", [], {})
    if found := next(
        (row for row in _FINDINGS if data.get(row[0]) not in nothing), None
    ):
        data = {
            "name": "",
            **data,
            "changes": _changes(data.get("changes") or (), words),
        }
        data["name"] = say_name(home.names(str(data["name"])), meaning, words)
        return _finding(data, found[1 + (words.code == "de")], words)
    if data.get("done") == [] and not data.get("failed"):
        return _already(data.get("already_so") or [], meaning, home, words)
    if (made := data.get("made_here")) is not None:
        rows = [f"{x.get('name', x['does'])}, {x.get('when')}" for x in made]
        return sentence("; ".join(rows) or words.replies["none"])
    if meaning.intent == f"{OURS}tell" and data.get("done"):
        return sentence(
            f"{words.replies['done'].strip('.')}: {', '.join(data['done'])}"
        )
    if isinstance(data.get("done"), str):
        return words.replies["done"]
    told = _done(data.get("done") or [], meaning, home, words)
    for key, value in data.items():
        if key in _PARTS:
            names = say_list([translated(item, words.code) for item in value], words)
            told.append(f"{_PARTS[key][words.code == 'de']}: {names}")
        elif key != "done" and key not in _UNSAID:
            told.append(tell(value, meaning, home))
    return " ".join(map(sentence, told))


def translated(text: str, code: str) -> str:
    """Return what a tool tells of days and states in a language."""
    text = text.replace("the person who asks", "you")
    if code != "de":
        return text
    text = _ENGLISH.sub(lambda match: _GERMAN[match[1]], text)
    text = re.sub(r"(?<=[\dg]) to (?=[\dA-Z])", " bis ", text)
    return re.sub(r"(tag|woch) (\d+) (?=[A-Z])", r"\1, \2. ", text)


def said_as_done(text: str, code: str) -> str:
    """Return "turn on X" in a language."""
    if told := re.match(
        r"(?:announce|send) (.*?satellite?|\S+) (.+)", text, re.IGNORECASE
    ):
        return f"{told[1]}: {told[2]}"
    if told := re.match(r"set \w+ (.+) (\d\S*)$", text):
        return told.expand(r"\1 auf \2 stellen" if code == "de" else r"set \1 to \2")
    verb = next((verb for verb in _VERBS if text.startswith(verb)), "")
    if code != "de" or not verb:
        return text
    return f"{text.removeprefix(verb).strip()} {_VERBS[verb]}"


def _finding(data: dict[str, Any], form: str, words: Words) -> str:
    said = {
        key: words.state_words.get(str(value), translated(str(value), words.code))
        for key, value in ({"state": "", "now": "", "unit": ""} | data).items()
    }
    once = form.format(**said).replace(" 1 times", " once").replace(" 1-mal", " einmal")
    return sentence(" ".join(once.split()))


def _done(done: list[str], meaning: Meaning, home: Home, words: Words) -> list[str]:
    own = [name for thing in home.entities for name in thing.names]
    names, told = [], []
    for item in done:
        name = max((name for name in own if item.startswith(name)), key=len, default="")
        if not name or name == item:
            names.append(say_name(home.names(item), meaning, words))
            continue
        value = item.removeprefix(name).strip()
        unit = _UNITS.get(home.called(name)[0].domain)
        if unit and value.replace(".", "").isdigit():
            value = f"{value} {words.replies[unit]}"
        form = words.replies["set"]
        target = say_name(home.names(name), meaning, words)
        told.append(form.format(target=target, value=value))
    action = str(meaning.slots.get("action"))
    form = words.replies["done"].strip(".") + ": {target}."
    if action in ("on", "off", "open", "close"):
        form = words.replies[action]
    return told + ([form.format(target=say_list(names, words))] if names else [])


def _changes(changes: Sequence[str], words: Words) -> str:
    """Return "16:43 closed", with its date where there are several days."""
    told = []
    for change in changes:
        day, _, rest = change.partition(" ")
        at, _, state = rest.partition(" ")
        date = "" if all(item.startswith(day) for item in changes) else f"{day} "
        told.append(f"{date}{at} {words.state_words.get(state, state)}")
    return ", ".join(told)


def _already(names: Sequence[str], meaning: Meaning, home: Home, words: Words) -> str:
    """Say that things were so before, which is why nothing was done."""
    action = str(meaning.slots.get("action"))
    state = {"close": "closed"}.get(action, action)
    told = [say_name(home.names(name), meaning, words) for name in names]
    form = words.replies["already" if len(told) == 1 else "all_already"]
    if not told:
        return words.replies["nothing"]
    return sentence(
        form.format(
            target=say_list(told, words), state=words.state_words.get(state, state)
        )
    )


def say_list(items: Sequence[str], words: Words) -> str:
    """Write items one after the other, the last with an `and`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {words.replies['and']} {items[-1]}"


def own_name(names: Sequence[str], meaning: Meaning, words: Words) -> str:
    """Return the name that the person used, else the first.

    In German it is the first of one word, as German compounds are.
    """
    spoken = tuple(fold(meaning.text).split())
    used = (
        name for name in names if find_words(tuple(fold(name).split()), spoken) >= 0
    )
    german = (name for name in names if words.code == "de" and " " not in name)
    return next(used, next(german, names[0]))


def say_name(names: Sequence[str], meaning: Meaning, words: Words) -> str:
    """Return a thing within a sentence, with its article where that is known."""
    name = own_name(names, meaning, words)
    if words.code == "de":
        noun = re.split(r" (?:im|in|des) ", fold(name))[0]
        found = (said for said, ends in _ARTICLES if noun.endswith(ends))
        return f"{next(found, '')} {name}".strip()
    if words.code != "en" or " " not in name:
        return name
    parts = name.split()
    lowered = [part if part[1:] != part[1:].lower() else part.lower() for part in parts]
    return "the " + " ".join(lowered)
