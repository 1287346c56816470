"""Everyday sentences and the calls they mean, over a demo home."""

from typing import Any

import pytest

from tests.dev.brain_demo import TIMERS, TOOLS, calls_for, conversation

LAMP = {"name": "Bedroom lamp"}
DOOR = {"name": "Front door"}
KITCHEN = {"area": "Kitchen", "domain": ["light"]}
BLINDS = {"name": "Living Room blinds"}
TV = {"name": "Living Room TV"}
COFFEE = {"name": "Coffee machine"}
VACUUM = {"name": "Robot vacuum"}
GARAGE = {"name": "Garage door"}

THERMOSTAT = {"name": "Living Room thermostat"}

# sentence, tool, arguments
ENGLISH: list[tuple[str, str, dict[str, Any]]] = [
    ("Turn off the kitchen lights", "HassTurnOff", KITCHEN),
    ("Lights off in the kitchen", "HassTurnOff", KITCHEN),
    ("kill the lights in the kitchen", "HassTurnOff", KITCHEN),
    ("turn on the bedroom lamp", "HassTurnOn", LAMP),
    ("turn off all the lights", "HassTurnOff", {"domain": ["light"]}),
    (
        "turn everything off",
        "HassTurnOff",
        {"domain": ["light", "switch", "fan", "media_player"]},
    ),
    ("Could you please switch off the coffee machine for me?", "HassTurnOff", COFFEE),
    (
        "Please turn on the light in the office.",
        "HassTurnOn",
        {"area": "Office", "domain": ["light"]},
    ),
    (
        "turn on the lights upstairs",
        "HassTurnOn",
        {"floor": "Upstairs", "domain": ["light"]},
    ),
    ("dim the bedroom lamp to 30 percent", "HassLightSet", {**LAMP, "brightness": 30}),
    ("dim the bedroom lamp", "HassLightSet", {**LAMP, "brightness": 30}),
    ("make the bedroom lamp blue", "HassLightSet", {**LAMP, "color": "blue"}),
    (
        "it's too dark in the kitchen",
        "HassLightSet",
        {"area": "Kitchen", "brightness": 100},
    ),
    ("lock the front door", "HassTurnOn", DOOR),
    ("unlock the front door", "HassTurnOff", DOOR),
    ("open the garage door", "HassTurnOn", GARAGE),
    ("close the blinds", "HassTurnOff", BLINDS),
    ("open the blinds halfway", "HassSetPosition", {**BLINDS, "position": 50}),
    ("set the blinds to 50%", "HassSetPosition", {**BLINDS, "position": 50}),
    ("stop the blinds", "HassStopMoving", BLINDS),
    (
        "Set the living room to 21 degrees",
        "HassClimateSetTemperature",
        {"area": "Living Room", "temperature": 21},
    ),
    ("turn the heating up to 22", "HassClimateSetTemperature", {"temperature": 22}),
    (
        "set the living room thermostat to 20.5 degrees",
        "HassClimateSetTemperature",
        {**THERMOSTAT, "temperature": 20.5},
    ),
    ("pause the TV", "HassMediaPause", TV),
    ("mute the TV", "HassMediaPlayerMute", TV),
    ("set the TV volume to 20", "HassSetVolume", {**TV, "volume_level": 20}),
    ("louder", "HassSetVolumeRelative", {"volume_step": "up"}),
    ("start the vacuum", "HassVacuumStart", VACUUM),
    (
        "add milk to my shopping list",
        "HassListAddItem",
        {"item": "milk", "name": "Shopping list"},
    ),
    (
        "remove milk from my shopping list",
        "HassListRemoveItem",
        {"item": "milk", "name": "Shopping list"},
    ),
    ("what's on my shopping list?", "get_items", {"todo_list": "Shopping list"}),
    (
        "what's on my calendar today?",
        "get_events",
        {"calendar": "Family", "range": "today"},
    ),
    (
        "what's coming up in my calendar?",
        "get_events",
        {"calendar": "Family", "range": "week"},
    ),
    ("run good night", "good_night", {}),
    ("good night", "good_night", {}),
    ("start movie time with brightness 30", "movie_time", {"brightness": 30}),
    ("what time is it?", "GetDateTime", {}),
    ("what day is it today?", "GetDateTime", {}),
    ("What is on?", "GetLiveContext", {}),
    ("is the front door locked?", "GetLiveContext", DOOR),
    ("which lights are on?", "GetLiveContext", {"domain": ["light"]}),
    ("are any lights on in the kitchen?", "GetLiveContext", KITCHEN),
    ("is the TV on?", "GetLiveContext", TV),
    (
        "what's the temperature in the living room?",
        "GetLiveContext",
        {"area": "Living Room", "domain": ["climate"]},
    ),
    ("how warm is it outside?", "GetLiveContext", {"name": "Outdoor temperature"}),
    ("what's playing?", "GetLiveContext", {"domain": ["media_player"]}),
]

GERMAN: list[tuple[str, str, dict[str, Any]]] = [
    ("Mach das Licht in der Küche aus", "HassTurnOff", KITCHEN),
    ("Kannst du das Licht in der Küche ausmachen?", "HassTurnOff", KITCHEN),
    ("Mach die Schlafzimmerlampe an", "HassTurnOn", LAMP),
    ("Schalte bitte die Kaffeemaschine aus", "HassTurnOff", COFFEE),
    ("Kaffeemaschine an", "HassTurnOn", COFFEE),
    ("Licht im Büro an", "HassTurnOn", {"area": "Office", "domain": ["light"]}),
    ("Mach alle Lichter aus", "HassTurnOff", {"domain": ["light"]}),
    (
        "Mach alles aus",
        "HassTurnOff",
        {"domain": ["light", "switch", "fan", "media_player"]},
    ),
    (
        "Dimme die Schlafzimmerlampe auf 30 Prozent",
        "HassLightSet",
        {**LAMP, "brightness": 30},
    ),
    ("Mach die Schlafzimmerlampe blau", "HassLightSet", {**LAMP, "color": "blue"}),
    (
        "Es ist zu dunkel in der Küche",
        "HassLightSet",
        {"area": "Kitchen", "brightness": 100},
    ),
    ("Schließ die Haustür ab", "HassTurnOn", DOOR),
    ("Schließ die Haustür auf", "HassTurnOff", DOOR),
    ("Öffne das Garagentor", "HassTurnOn", GARAGE),
    (
        "Stelle das Wohnzimmer auf 21 Grad",
        "HassClimateSetTemperature",
        {"area": "Living Room", "temperature": 21},
    ),
    (
        "Stell die Heizung auf 22,5 Grad",
        "HassClimateSetTemperature",
        {"temperature": 22.5},
    ),
    ("Fernseher pausieren", "HassMediaPause", TV),
    (
        "Stell die Lautstärke vom Fernseher auf 20",
        "HassSetVolume",
        {**TV, "volume_level": 20},
    ),
    ("lauter", "HassSetVolumeRelative", {"volume_step": "up"}),
    ("Starte den Saugroboter", "HassVacuumStart", VACUUM),
    ("Schick den Saugroboter zur Ladestation", "HassVacuumReturnToBase", VACUUM),
    (
        "Setze Milch auf die Einkaufsliste",
        "HassListAddItem",
        {"item": "Milch", "name": "Shopping list"},
    ),
    ("Was steht auf der Einkaufsliste?", "get_items", {"todo_list": "Shopping list"}),
    (
        "Was steht heute im Kalender?",
        "get_events",
        {"calendar": "Family", "range": "today"},
    ),
    ("Gute Nacht", "good_night", {}),
    ("Starte Filmabend mit Helligkeit 30", "movie_time", {"brightness": 30}),
    ("Wie spät ist es?", "GetDateTime", {}),
    ("Welcher Tag ist heute?", "GetDateTime", {}),
    ("Was ist an?", "GetLiveContext", {}),
    ("Ist die Haustür abgeschlossen?", "GetLiveContext", DOOR),
    ("Welche Lichter sind an?", "GetLiveContext", {"domain": ["light"]}),
    ("Brennt in der Küche noch Licht?", "GetLiveContext", KITCHEN),
    (
        "Wie warm ist es im Wohnzimmer?",
        "GetLiveContext",
        {"area": "Living Room", "domain": ["climate"]},
    ),
    ("Wie warm ist es draußen?", "GetLiveContext", {"name": "Outdoor temperature"}),
    ("Läuft der Fernseher?", "GetLiveContext", TV),
    ("Was läuft gerade?", "GetLiveContext", {"domain": ["media_player"]}),
]


@pytest.mark.parametrize(("sentence", "name", "arguments"), ENGLISH + GERMAN)
def test_a_sentence_becomes_the_call_it_means(
    sentence: str, name: str, arguments: dict[str, Any]
) -> None:
    """One sentence, one call, with exactly these arguments."""
    assert calls_for(sentence) == [(name, arguments)]


SEVERAL: list[tuple[str, list[tuple[str, dict[str, Any]]]]] = [
    (
        "Turn off the kitchen lights and lock the front door",
        [("HassTurnOff", KITCHEN), ("HassTurnOn", DOOR)],
    ),
    (
        "mach das Licht in der Küche aus und schließ die Haustür ab",
        [("HassTurnOff", KITCHEN), ("HassTurnOn", DOOR)],
    ),
    (
        "turn on the bedroom lamp and the fan",
        [("HassTurnOn", LAMP), ("HassTurnOn", {"name": "Ceiling fan"})],
    ),
    (
        "Mach das Licht in der Küche und den Deckenventilator aus",
        [("HassTurnOff", KITCHEN), ("HassTurnOff", {"name": "Ceiling fan"})],
    ),
    (
        "Mach das Licht in der Küche und im Bad aus",
        [
            ("HassTurnOff", KITCHEN),
            ("HassTurnOff", {"area": "Bathroom", "domain": ["light"]}),
        ],
    ),
    (
        "turn on the coffee machine, close the blinds and start the vacuum",
        [("HassTurnOn", COFFEE), ("HassTurnOff", BLINDS), ("HassVacuumStart", VACUUM)],
    ),
    (
        "add milk and eggs to the shopping list",
        [
            ("HassListAddItem", {"item": "milk", "name": "Shopping list"}),
            ("HassListAddItem", {"item": "eggs", "name": "Shopping list"}),
        ],
    ),
    (
        "turn on the bedroom lamp and dim it to 20%",
        [("HassTurnOn", LAMP), ("HassLightSet", {**LAMP, "brightness": 20})],
    ),
    (
        "lock the front door and tell me if the garage door is open",
        [("HassTurnOn", DOOR), ("GetLiveContext", GARAGE)],
    ),
]


@pytest.mark.parametrize(("sentence", "calls"), SEVERAL)
def test_several_commands_in_one_sentence_become_several_calls(
    sentence: str, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    """Verbs and kinds of things carry over from one part to the next."""
    assert calls_for(sentence) == calls


ANSWERS = [
    ("is the front door locked?", "Yes, the front door is locked."),
    ("Ist die Haustür abgeschlossen?", "Ja, Haustür ist abgeschlossen."),
    ("is the garage door open?", "No, the garage door is closed."),
    ("Ist das Garagentor offen?", "Nein, Garagentor ist geschlossen."),
    (
        "What is on?",
        "On: Kitchen ceiling light, Kitchen counter light and Living Room TV.",
    ),
    (
        "Was ist an?",
        "Eingeschaltet: Kitchen ceiling light, Kitchen counter light und Living Room TV.",
    ),
    ("which lights are on?", "Kitchen ceiling light and Kitchen counter light: on."),
    ("how many lights are on?", "2: Kitchen ceiling light and Kitchen counter light."),
    ("are any lights on in the bedroom?", "No."),
    (
        "what's the temperature in the living room?",
        "The living room thermostat: 19.5 °C.",
    ),
    ("Wie warm ist es im Wohnzimmer?", "Living Room thermostat: 19.5 °C."),
    ("how warm is it outside?", "The outdoor temperature: 12.3 °C."),
    ("what's playing?", "The living room TV is playing (The Third Man)."),
    ("what time is it?", "It is 07:05."),
    ("Welcher Tag ist heute?", "Heute ist Samstag, 2026-11-21."),
    ("what's on my shopping list?", "On Shopping list: milk and bread."),
    ("Was steht heute im Kalender?", "Es steht an: Dentist (21.11. 10:30)."),
    ("Turn off the kitchen lights", "I turned off the lights in the kitchen."),
    (
        "Mach das Licht in der Küche aus",
        "Ich habe die Lichter im Bereich Küche ausgeschaltet.",
    ),
    ("lock the front door", "I locked the front door."),
    ("Schließ die Haustür auf", "Ich habe Haustür aufgeschlossen."),
    ("do I have lights in the bedroom?", "The bedroom lamp is off."),
]


@pytest.mark.parametrize(("sentence", "reply"), ANSWERS)
def test_an_answer_tells_what_the_tools_said(sentence: str, reply: str) -> None:
    """The reply comes from the results, in the language of the sentence."""
    assert conversation(sentence)[0][1] == reply


QUESTIONS = [
    "is the front door unlocked?",
    "Is the bedroom lamp on?",
    "did you turn off the kitchen lights?",
    "are the blinds open?",
    "ist das Garagentor zu?",
    "Ist die Kaffeemaschine aus?",
    "Sind die Jalousien offen?",
    "what would happen if the blinds were open?",
    "how about the bedroom lamp?",
]


@pytest.mark.parametrize("sentence", QUESTIONS)
@pytest.mark.parametrize("before", [None, "turn on the bedroom lamp"])
def test_a_question_never_acts(sentence: str, before: str | None) -> None:
    """Questions only read, whatever was said before."""
    told = conversation(*([before] if before else []), sentence)
    assert {call.name for call in told[-1][0]} <= {"user:GetLiveContext"}


CONVERSATIONS: list[list[tuple[str, list[tuple[str, dict[str, Any]]]]]] = [
    [
        ("turn on the bedroom lamp", [("HassTurnOn", LAMP)]),
        ("turn it off again", [("HassTurnOff", LAMP)]),
        ("and the coffee machine?", [("HassTurnOff", COFFEE)]),
    ],
    [
        ("turn off the kitchen lights", [("HassTurnOff", KITCHEN)]),
        ("turn them back on", [("HassTurnOn", KITCHEN)]),
        (
            "and in the bathroom",
            [("HassTurnOn", {"area": "Bathroom", "domain": ["light"]})],
        ),
    ],
    [
        ("is the front door locked?", [("GetLiveContext", DOOR)]),
        ("and the garage door?", [("GetLiveContext", GARAGE)]),
        ("open it", [("HassTurnOn", GARAGE)]),
    ],
    [
        ("Mach das Licht aus", []),
        ("in der Küche", [("HassTurnOff", KITCHEN)]),
    ],
    [
        ("Mach die Schlafzimmerlampe an", [("HassTurnOn", LAMP)]),
        ("mach sie wieder aus", [("HassTurnOff", LAMP)]),
        ("und im Büro?", [("HassTurnOff", {"area": "Office", "domain": ["light"]})]),
    ],
    [
        (
            "set the living room to 21 degrees",
            [("HassClimateSetTemperature", {"area": "Living Room", "temperature": 21})],
        ),
        (
            "make it 23",
            [("HassClimateSetTemperature", {"area": "Living Room", "temperature": 23})],
        ),
    ],
    [("start movie time", []), ("30", [("movie_time", {"brightness": 30})])],
    [
        (
            "Add milk to my shopping list",
            [("HassListAddItem", {"item": "milk", "name": "Shopping list"})],
        ),
        (
            "and bread",
            [("HassListAddItem", {"item": "bread", "name": "Shopping list"})],
        ),
        ("what's on it?", [("get_items", {"todo_list": "Shopping list"})]),
        ("and the bedroom lamp?", [("GetLiveContext", LAMP)]),
    ],
]


@pytest.mark.parametrize("turns", CONVERSATIONS)
def test_a_sentence_may_lean_on_the_ones_before(
    turns: list[tuple[str, list[tuple[str, dict[str, Any]]]]],
) -> None:
    """Follow-ups take what they lack from the conversation."""
    told = conversation(*(sentence for sentence, _ in turns))
    made = [
        [(call.name.removeprefix("user:"), call.arguments) for call in calls]
        for calls, _ in told
    ]
    assert made == [calls for _, calls in turns]


@pytest.mark.parametrize(
    "sentence",
    [
        "don't turn on the bedroom lamp",
        "please do not open the garage door",
        "Schließ die Haustür nicht auf",
        "Mach bitte nicht das Licht in der Küche aus",
    ],
)
def test_what_is_not_to_be_done_is_not_done(sentence: str) -> None:
    """A negated command is no command."""
    assert calls_for(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "start"),
    [
        ("hello", "Hello"),
        ("Hallo", "Hallo"),
        ("thanks!", "You're welcome"),
        ("Danke!", "Gern"),
        ("who are you?", "I'm Lumo"),
        ("Wer bist du?", "Ich bin Lumo"),
        ("tell me a joke", "Why did"),
        ("Erzähl mir einen Witz", "Warum"),
        ("turn off the flux capacitor", "Sorry"),
        ("Blubb das mal weg", "Das habe ich"),
        ("", "I'm here"),
    ],
)
def test_small_talk_and_riddles_are_answered_in_words(
    sentence: str, start: str
) -> None:
    """No tool is called for them."""
    ((calls, reply),) = conversation(sentence)
    assert not calls
    assert reply.startswith(start)


def test_generic_commands_concern_the_area_of_the_satellite() -> None:
    """`The lights` are those of the room one speaks in."""
    lights = {"area": "Bedroom", "domain": ["light"]}
    assert calls_for("turn on the lights", area="Bedroom") == [("HassTurnOn", lights)]
    assert calls_for("Mach das Licht an", area="Bedroom") == [("HassTurnOn", lights)]


def test_without_an_area_the_prompts_wish_to_ask_is_heeded() -> None:
    """Nothing happens until somebody says where."""
    ((calls, reply),) = conversation("turn off the lights")
    assert not calls
    assert reply == "In which area should I do that?"


def test_a_tool_that_is_not_offered_is_not_called() -> None:
    """Timers exist only where a satellite has them."""
    assert calls_for("set a timer for 5 minutes") == []
    assert calls_for("set a timer for 5 minutes", tools=TOOLS + TIMERS) == [
        ("HassStartTimer", {"minutes": 5})
    ]
    assert calls_for("Stell einen Timer auf 5 Minuten", tools=TOOLS + TIMERS) == [
        ("HassStartTimer", {"minutes": 5})
    ]
    without = [item for item in TOOLS if item["function"]["name"] != "HassTurnOff"]
    ((_, reply),) = conversation("Turn off the kitchen lights", tools=without)
    assert reply == "I cannot do that with the tools I have here."


def test_a_value_the_schema_does_not_allow_is_not_sent() -> None:
    """A percentage ends at a hundred."""
    assert calls_for("set the blinds to 150%") == []
