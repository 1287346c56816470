"""Questions: what a model looks up, and what it is told."""

from typing import Final

from .row import Row, ask


def past(language: str, sentence: str, tells: str, **arguments: str) -> Row:
    """Return a row whose model looks up what was."""
    return ask(language, sentence, "history", arguments, tells)


THEIRS: Final = [
    ask("en", "Is the front door locked?", "GetLiveContext", {"name": "Front door"}, "locked"),
    ask(
        "de",
        "Was steht auf der Einkaufsliste?",
        "get_items",
        {"todo_list": "Shopping list"},
        "Milk",
    ),
    ask("nl", "Hoe warm is het in de woonkamer?", "GetLiveContext", {"area": "Living room"}, "19"),
    ask("fr", "Quelle heure est-il ?", "GetDateTime", {}, "time"),
]  # fmt: skip

WEATHER: Final = [
    ask(
        "en",
        "Will it rain tomorrow?",
        "forecast",
        {"period": "tomorrow"},
        "tomorrow.*rainy.*90 %",
    ),
    ask(
        "en",
        "When will it stop raining tomorrow?",
        "forecast",
        {"period": "tomorrow", "by": "hour"},
        "00:00: rainy",
    ),
]

CALENDARS: Final = [
    ask("en", "What's on tomorrow?", "events", {"period": "tomorrow"}, "10:00 to 11:00: Choir"),
    ask("en", "When is choir?", "events", {"text": "choir"}, "Choir"),
    ask(
        "de",
        "Was steht morgen im Chorkalender?",
        "events",
        {"period": "tomorrow", "calendar": "Choir calendar"},
        '"count": 1',
    ),
    ask("en", "When did I last see the dentist?", "events", {"text": "opera"}, '"count": 0'),
]  # fmt: skip

PAST: Final = [
    past(
        "en",
        "When was the front door last opened?",
        "17:00",
        question="last_change",
        name="Front door contact",
        state="open",
    ),
    past(
        "en",
        "How often was the front door opened yesterday?",
        r"\b2\b",
        question="count",
        name="Front door contact",
        state="open",
        period="yesterday",
    ),
    past(
        "en",
        "How long was the bedroom window open yesterday?",
        "2 h 30 min",
        question="duration",
        name="Bedroom window ",
        state="Open",
        period="Yesterday",
    ),
    past(
        "en",
        "How cold did it get yesterday?",
        '"min": 2.0',
        question="min",
        name="Outdoor temperature",
        period="yesterday",
    ),
    past(
        "fr",
        "Quand la porte a-t-elle été ouverte pour la dernière fois ?",
        "17:",
        question="last_change",
        name="Front door contact",
        state="ouvert",
    ),
    past(
        "en",
        "Who opened the front door yesterday?",
        "logbook of Home Assistant is off",
        question="who",
        name="Front door contact",
        state="open",
        period="yesterday",
    ),
    past(
        "en",
        "When was the pool heater on?",
        "is called Pool heater",
        question="last_change",
        name="Pool heater",
        state="on",
    ),
]

ASKING: Final[list[Row]] = [*THEIRS, *WEATHER, *CALENDARS, *PAST]
