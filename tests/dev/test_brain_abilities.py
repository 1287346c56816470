"""What the stand-in's model understands of the integration's own tools."""

from typing import Any

import pytest

from dev.brain.home import Entity, Home
from dev.brain.model import Meaning
from dev.brain.telling import tell

from .brain_demo import TOOLS, calls_for, tool

_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
_PLACES = dict.fromkeys(("name", "area", "floor", "kind", "except"), _TEXTS)
OURS = [
    tool(
        "history",
        dict.fromkeys(("question", "name", "area", "kind", "state", "period"), _TEXT),
        "question",
    ),
    tool("why", {"name": _TEXT}),
    tool("forecast", {"period": _TEXT, "by": _TEXT, "name": _TEXT}),
    tool("events", {"period": _TEXT, "text": _TEXT, "calendar": _TEXT}),
    tool(
        "many",
        {
            "action": _TEXT,
            "setting": _TEXT,
            "to": {"type": "number"},
            "by": _TEXT,
            **_PLACES,
        },
        "action",
    ),
    tool("set", dict.fromkeys(("name", "area", "setting", "to"), _TEXT), "to"),
    tool(
        "change_list",
        {"action": _TEXT, "items": _TEXTS, "list": _TEXT, "rename": _TEXT},
        "action",
    ),
    tool("create_event", {"title": _TEXT, "start": _TEXT}, "title", "start"),
    tool("compose", {"steps": {"type": "array"}}, "steps"),
    tool("look", {"name": _TEXT}),
    tool("memory", {"action": _TEXT, "text": _TEXT}, "action"),
]

# Language, sentence, tool, and what it is called with, among others.
ROWS: list[tuple[str, str, str, dict[str, Any]]] = [
    (
        "en",
        "When was the front door last opened?",
        "history",
        {"question": "last_change", "state": "open"},
    ),
    ("en", "Who is at the door?", "look", {}),
    ("de", "Wer steht vor der Haustür?", "look", {}),
    *(
        (
            language,
            sentence,
            "memory",
            {"action": action} | ({"text": text} if text else {}),
        )
        for language, sentence, action, text in (
            ("en", "Remember that Mia likes tea", "remember", "Mia likes tea"),
            ("en", "Don't forget that Mia likes tea.", "remember", "Mia likes tea"),
            ("en", "Mia likes tea, remember that", "remember", "Mia likes tea"),
            ("de", "Merk dir, dass Mia Tee mag", "remember", "Mia Tee mag"),
            ("en", "Forget that Mia likes tea", "forget", "Mia likes tea"),
            ("de", "Vergiss, dass Mia Tee mag", "forget", "Mia Tee mag"),
            ("en", "What do you know about me?", "list", ""),
            ("de", "Was weißt du über mich?", "list", ""),
        )
    ),
    (
        "en",
        "How often was the bedroom window opened yesterday?",
        "history",
        {"question": "count", "period": "yesterday"},
    ),
    ("en", "How cold was it outside yesterday?", "history", {"question": "min"}),
    (
        "de",
        "Wann wurde die Haustür zuletzt geöffnet?",
        "history",
        {"question": "last_change", "state": "open"},
    ),
    ("en", "Why did you turn off the lights?", "why", {}),
    ("en", "What did you do today?", "why", {}),
    ("de", "Was hast du heute gemacht?", "why", {}),
    ("en", "Will it rain tomorrow?", "forecast", {"period": "tomorrow"}),
    (
        "en",
        "What will the weather be like this weekend?",
        "forecast",
        {"period": "this_weekend"},
    ),
    ("en", "Do I need an umbrella today?", "forecast", {"period": "today"}),
    ("de", "Regnet es morgen?", "forecast", {"period": "tomorrow"}),
    ("en", "What's on my calendar tomorrow?", "events", {"period": "tomorrow"}),
    ("en", "When is the dentist appointment?", "events", {"text": "dentist"}),
    ("en", "Any appointments on Friday?", "events", {"period": "friday"}),
    ("de", "Was steht morgen im Kalender?", "events", {"period": "tomorrow"}),
    (
        "en",
        "Turn off all the lights except in the kitchen",
        "many",
        {"action": "off", "kind": ["light"], "except": ["Kitchen"]},
    ),
    (
        "en",
        "Turn on all the lights except in the kitchen",
        "many",
        {"action": "on", "kind": ["light"], "except": ["Kitchen"]},
    ),
    (
        "en",
        "How long was the hallway light on yesterday?",
        "history",
        {"question": "duration", "state": "on"},
    ),
    (
        "en",
        "Make it a bit warmer in the living room",
        "many",
        {"setting": "temperature", "by": "warmer", "area": ["Living Room"]},
    ),
    (
        "en",
        "Turn everything off except in the hallway",
        "many",
        {"action": "off", "except": ["Hallway"]},
    ),
    (
        "de",
        "Mach alle Lichter aus außer in der Küche",
        "many",
        {"action": "off", "kind": ["light"], "except": ["Kitchen"]},
    ),
    ("en", "Set the washing program to wool", "set", {"to": "wool"}),
    ("en", "Let the ceiling fan oscillate", "set", {"setting": "oscillation"}),
    ("en", "Set the watering time to 20 minutes", "set", {"to": "20"}),
    ("de", "Stell das Waschprogramm auf Wool", "set", {"to": "wool"}),
    (
        "en",
        "Rename milk to oat milk on the shopping list",
        "change_list",
        {"items": ["milk"], "rename": "oat milk"},
    ),
    (
        "en",
        "Tick off apples on the shopping list",
        "change_list",
        {"action": "done", "items": ["apples"]},
    ),
    ("en", "Clear the shopping list", "change_list", {"action": "clear_all"}),
    ("de", "Leere die Einkaufsliste", "change_list", {"action": "clear_all"}),
    (
        "en",
        "Put swimming in my calendar tomorrow at 5 pm",
        "create_event",
        {"title": "Swimming", "start": "tomorrow 17:00"},
    ),
    (
        "en",
        "Add lunch to the calendar on Friday at 12",
        "create_event",
        {"title": "Lunch", "start": "friday 12:00"},
    ),
    (
        "en",
        "Put chess to the calendar tomorrow at 20",
        "create_event",
        {"start": "tomorrow 20:00"},
    ),
    (
        "de",
        "Trag Zahnarzt morgen um 15 Uhr in den Kalender ein",
        "create_event",
        {"title": "Zahnarzt", "start": "tomorrow 15:00"},
    ),
    (
        "en",
        "Put the dentist into the calendar on Saturday at nine",
        "create_event",
        {"title": "Dentist", "start": "saturday 9:00"},
    ),
    ("de", "Alles aus", "many", {"action": "off"}),
    ("en", "Make it cosy in the living room", "compose", {}),
    ("en", "Get the bedroom ready for reading", "compose", {}),
    ("en", "Make the living room nice for a film", "compose", {}),
    ("de", "Mach es im Wohnzimmer gemütlich", "compose", {}),
]


@pytest.mark.parametrize(
    ("sentence", "name", "arguments"), [row[1:] for row in ROWS], ids=str
)
def test_a_sentence_becomes_a_call_of_ours(
    sentence: str, name: str, arguments: dict[str, Any]
) -> None:
    """Where the tool is offered, and only there."""
    [(called, given)] = calls_for(sentence, tools=[*TOOLS, *OURS])
    assert called == name
    assert given == given | arguments
    ours = {item["function"]["name"] for item in OURS}
    assert not {called for called, _ in calls_for(sentence)} & ours


@pytest.mark.parametrize(
    ("data", "language", "said"),
    [
        ({"done": ["Kitchen lamp"]}, "en", "I turned off the kitchen lamp."),
        (
            {"done": [], "already_so": ["Kitchen lamp"]},
            "en",
            "Already so: Kitchen lamp.",
        ),
        ({"done": ["Stove 20"]}, "en", "I set Stove to 20 degrees."),
        ({"done": ["Program Wool"]}, "de", "Ich habe Program auf Wool gestellt."),
        (
            {"results": [{"name": "Door", "state": "open", "count": 1, "at": "12"}]},
            "en",
            "Door was open once.",
        ),
        (
            {"forecast": ["tomorrow, Monday 23 March: rainy, 6 to 9 °C"]},
            "de",
            "Morgen, Montag, 23. März: regnerisch, 6 bis 9 °C.",
        ),
    ],
)
def test_a_result_is_said_in_sentences(
    data: dict[str, Any], language: str, said: str
) -> None:
    """What is so already was not done."""
    things = {"Kitchen lamp": "light", "Stove": "climate", "Program": "select"}
    home = Home(tuple(Entity((name,), domain) for name, domain in things.items()))
    assert (
        tell(data, Meaning("our_many", {"action": "off"}, "", language), home) == said
    )


def test_one_lamp_of_many_is_called_by_what_they_share() -> None:
    """So that the person is asked which."""
    assert calls_for("Turn on the lamp") == [("HassTurnOn", {"name": "lamp"})]


@pytest.mark.parametrize(
    ("sentence", "given"),
    [
        ("Set the living room to 21 degrees", {"setting": "temperature", "to": 21}),
        ("open the blinds halfway", {"setting": "position", "to": 50}),
        ("set the TV volume to 20", {"setting": "volume", "to": 20}),
        ("louder", {"setting": "volume", "by": "louder"}),
    ],
)
def test_many_does_what_other_tools_would(sentence: str, given: dict[str, Any]) -> None:
    """Where they are not offered."""
    tools = [
        item for item in TOOLS if not item["function"]["name"].startswith("HassSet")
    ]
    tools = [
        item
        for item in tools
        if item["function"]["name"] != "HassClimateSetTemperature"
    ]
    [(called, arguments)] = calls_for(sentence, tools=[*tools, *OURS])
    assert called == "many"
    assert arguments == arguments | {"action": "set"} | given
