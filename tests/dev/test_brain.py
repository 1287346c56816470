"""What the stand-in's model does with a request: it reads, calls and tells."""

from io import BytesIO
import json
from typing import Any

from PIL import Image
import pytest

from dev.brain import Brain, Call, Say

from .brain_demo import (
    TOOLS,
    api_prompt,
    brain,
    call_turn,
    calls_for,
    context,
    conversation,
    live,
    result_turn,
    tool,
    user,
    wrapped,
)

LAMP = {"name": "Bedroom lamp"}
DOOR = {"name": "Front door"}
KITCHEN = {"area": "Kitchen", "domain": ["light"]}
BLINDS = {"name": "Living Room blinds"}
LIST = {"name": "Shopping list"}

type Calls = list[tuple[str, dict[str, Any]]]

# What is said, and what is called then, with exactly these arguments.
SENTENCES: list[tuple[str, Calls]] = [
    ("Turn off the kitchen lights", [("HassTurnOff", KITCHEN)]),
    ("Could you please turn on the bedroom lamp for me?", [("HassTurnOn", LAMP)]),
    ("unlock the front door", [("HassTurnOff", DOOR)]),
    ("set the blinds to 50%", [("HassSetPosition", {**BLINDS, "position": 50})]),
    ("make the bedroom lamp blue", [("HassLightSet", {**LAMP, "color": "blue"})]),
    (
        "Set the living room to 21 degrees",
        [("HassClimateSetTemperature", {"area": "Living Room", "temperature": 21})],
    ),
    ("good night", [("good_night", {})]),
    ("start movie time with brightness 30", [("movie_time", {"brightness": 30})]),
    ("what time is it?", [("GetDateTime", {})]),
    ("which lights are on?", [("GetLiveContext", {"domain": ["light"]})]),
    ("Next song", [("HassMediaNext", {})]),
    ("Pausiere die Musik", [("HassMediaPause", {})]),
    ("Mach die Rollos zu", [("HassTurnOff", BLINDS)]),
    ("Mach das Licht in der Küche aus", [("HassTurnOff", KITCHEN)]),
    ("Schließ die Haustür auf", [("HassTurnOff", DOOR)]),
    ("Dimme die Schlafzimmerlampe auf 30 Prozent", [("HassLightSet", {**LAMP, "brightness": 30})]),
    ("Ist die Haustür abgeschlossen?", [("GetLiveContext", DOOR)]),
    (
        "mach das Licht in der Küche aus und schließ die Haustür ab",
        [("HassTurnOff", KITCHEN), ("HassTurnOn", DOOR)],
    ),
    (
        "add milk and eggs to the shopping list",
        [("HassListAddItem", {"item": item, **LIST}) for item in ("milk", "eggs")],
    ),
    # One lamp of many is called by what they share, so that the person is asked which.
    ("Turn on the lamp", [("HassTurnOn", {"name": "lamp"})]),
    # What the schema does not allow, what is negated, what no tool does.
    ("set the blinds to 150%", []),
    ("please do not unlock the front door", []),
    ("set a timer for 5 minutes", []),
    ("tell me a joke", []),
    ("", []),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "calls"), SENTENCES)
def test_a_sentence_becomes_its_calls(sentence: str, calls: Calls) -> None:
    assert calls_for(sentence) == calls


ANSWERS = [
    ("is the front door locked?", "Yes, the front door is locked."),
    ("Ist die Haustür abgeschlossen?", "Ja, die Haustür ist abgeschlossen."),
    ("how many lights are on?", "2: Kitchen ceiling light and Kitchen counter light."),
    ("how warm is it outside?", "The outdoor temperature: 12.3 °C."),
    ("what's on my shopping list?", "On Shopping list: milk and bread."),
    ("Turn off the kitchen lights", "I turned off the lights in the kitchen."),
    ("Schließ die Haustür auf", "Ich habe die Haustür aufgeschlossen."),
    ("do I have lights in the bedroom?", "The bedroom lamp is off."),
    ("What day is it tomorrow?", "Tomorrow: Sunday 22 November 2026."),
    ("Welcher Tag war vorgestern?", "Vorgestern: Donnerstag, 19. November 2026."),
    ("Gute Nacht", "Ich habe Gute Nacht ausgeführt."),
    ("Welche Lichter sind an?", "Küchenlicht und Thekenlicht: an."),
    (
        "Stell einen Timer auf zehn Minuten",
        "Timer kann ich hier nicht stellen: Dieses Gerät hat keine.",
    ),
]


@pytest.mark.parametrize(("sentence", "reply"), ANSWERS)
def test_an_answer_tells_what_the_tools_said(sentence: str, reply: str) -> None:
    assert conversation(sentence)[0][1] == reply


@pytest.mark.parametrize(
    "turns",
    [
        [
            ("turn on the bedroom lamp", [("HassTurnOn", LAMP)]),
            ("turn it off again", [("HassTurnOff", LAMP)]),
            ("is it on?", [("GetLiveContext", LAMP)]),
        ],
        [("Mach das Licht aus", []), ("in der Küche", [("HassTurnOff", KITCHEN)])],
        [
            ("Add milk to my shopping list", [("HassListAddItem", {"item": "milk", **LIST})]),
            ("and bread", [("HassListAddItem", {"item": "bread", **LIST})]),
        ],
    ],
)  # fmt: skip
def test_a_sentence_may_lean_on_the_ones_before(turns: list[tuple[str, Calls]]) -> None:
    """It takes what it lacks from them."""
    told = conversation(*(sentence for sentence, _ in turns))
    made = [
        [(call.name.removeprefix("user:"), call.arguments) for call in calls]
        for calls, _ in told
    ]
    assert made == [calls for _, calls in turns]


SENTENCE = "Turn off the kitchen lights"
SAID = user(wrapped(SENTENCE))
OFF = Call("user:HassTurnOff", KITCHEN)
HELLO = {"role": "assistant", "content": "Hello!"}
BOUNCE = f"Print it:\n```json\n{json.dumps({'name': 'HassTurnOff', 'arguments': KITCHEN})}\n```"


@pytest.mark.parametrize(
    "messages",
    [
        [SAID],
        [user(wrapped("hello")), HELLO, user(SENTENCE)],
        [user("hello"), HELLO, SAID, {"role": "assistant", "content": ""}],
        [
            {"role": "system", "content": wrapped("").removesuffix("]\n\n")},
            user(SENTENCE),
        ],
        [user(wrapped("hello")), HELLO, user(f"[Project instructions: (Reminder.)]\n\n{SENTENCE}")],
        [user(wrapped("do something in the kitchen")), HELLO, user(BOUNCE)],
    ],
    ids=["alone", "first", "last", "system", "reminded", "bounced"],
)  # fmt: skip
def test_instructions_may_stand_anywhere(messages: list[dict[str, str]]) -> None:
    """The call carries the name that was offered."""
    assert brain().answer(messages) == [OFF]


DONE = Say("I turned off the lights in the kitchen.")


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ('{"success": true}', DONE.text),
        ("done", DONE.text),
        (
            '{"error": "X", "error_text": "It is jammed"}',
            "That did not work: It is jammed.",
        ),
        ("ERROR: broken", "That did not work: ERROR: broken."),
    ],
)
def test_tools_beside_the_messages_are_called_natively(result: str, said: str) -> None:
    home = {"role": "system", "content": api_prompt(prefix="")}
    turns = [home, user(SENTENCE)]
    assert brain().answer(turns, TOOLS) == [Call("HassTurnOff", KITCHEN)]
    shown = {"id": "call_0", "name": "HassTurnOff", "arguments": KITCHEN}
    turns += [
        {"role": "lumo_tool_call", "content": json.dumps(shown)},
        {"role": "tool", "content": result},
    ]
    assert brain().answer(turns, TOOLS) == [Say(said)]


@pytest.mark.parametrize(
    "shown",
    [
        '```json\n{"tool": "GetLiveContext", "result": {}}\n```',
        'Tool result: {"tool_name": "GetLiveContext", "success": true, "data": {}}',
        '{"type": "function_call_output", "call_id": "GetLiveContext__0", "output": {}}',
    ],
)
def test_a_printed_result_is_read_whatever_it_is_wrapped_in(shown: str) -> None:
    """It belongs to the call before, and only to the sentence before."""
    question = "is the front door locked?"
    look = Call("user:GetLiveContext", DOOR)
    result = user(shown.replace("{}", json.dumps(live(**DOOR))))
    turns = [user(wrapped(question)), call_turn(look), result]
    assert brain().answer(turns) == [Say("Yes, the front door is locked.")]
    assert brain().answer([*turns, HELLO, user(question)]) == [look]


def test_a_call_that_was_answered_is_never_made_again() -> None:
    turns = [SAID, call_turn(OFF), result_turn(OFF, {"error": "no"})]
    said = "That did not work: no."
    assert brain().answer(turns) == [Say(said)]
    # The integration doubts it; nobody spoke again.
    turns += [{"role": "assistant", "content": said}, user("No call has done that.")]
    assert brain().answer(turns) == [Say(said)]
    for odd in (
        [],
        [user("[Project instructions: x")],
        [{"role": "odd", "content": ""}],
    ):
        assert all(isinstance(item, Say) for item in brain().answer(odd))


_TEXT = {"type": "string"}
_TEXTS = {"type": "array", "items": _TEXT}
OWN = [
    tool("history", dict.fromkeys(("question", "name", "state", "period"), _TEXT)),
    tool("why", {"name": _TEXT}),
    tool("forecast", {"period": _TEXT, "by": _TEXT, "name": _TEXT}),
    tool("events", {"period": _TEXT, "text": _TEXT, "calendar": _TEXT}),
    tool(
        "set",
        {
            **dict.fromkeys(("action", "setting", "to", "by"), _TEXT),
            **dict.fromkeys(("name", "area", "floor", "kind", "except"), _TEXTS),
        },
    ),
    tool("change_list", {"action": _TEXT, "items": _TEXTS, "list": _TEXT, "rename": _TEXT}),
    tool("create_event", dict.fromkeys(("title", "start", "repeat"), _TEXT)),
    tool("look", {"name": _TEXT}),
    tool("change_event", dict.fromkeys(("action", "event", "start"), _TEXT)),
    tool("memory", {"action": _TEXT, "text": _TEXT}),
    tool(
        "later",
        {
            "arguments": {"type": "object"},
            **dict.fromkeys(("tool", "say", "at", "entity", "becomes", "for", "cancel"), _TEXT),
            "only_if": {"type": "object"},
        },
    ),
    tool("routine", {"name": _TEXT, "edit": _TEXT, **{key: {"type": "array"} for key in ("when", "only_if", "do")}}),
    tool("alarm_clock", {"at": _TEXT, "edit": _TEXT, "days": _TEXTS}),
    tool("tell", dict.fromkeys(("message", "to", "find_phone"), _TEXT)),
    tool("music", dict.fromkeys(("action", "what", "player", "to"), _TEXT)),
    tool("calculate", dict.fromkeys(("sum", "unit", "to", "sun"), _TEXT)),
]  # fmt: skip
# Language, sentence, tool, and what it is called with, among others.
ROWS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("en", "Who is at the door?", "look", {}),
    ("en", "Remember that Mia likes tea", "memory", {"text": "Mia likes tea"}),
    ("de", "Was weißt du über mich?", "memory", {"action": "list"}),
    ("en", "How cold was it outside yesterday?", "history", {"question": "min"}),
    ("de", "Wann wurde die Haustür zuletzt geöffnet?", "history", {"state": "open"}),
    ("en", "What did you do today?", "why", {}),
    ("en", "How much energy did we use yesterday?", "history", {"question": "energy", "period": "yesterday"}),
    ("de", "Was war heute an der Haustür los?", "history", {"question": "timeline", "name": "Front door"}),
    ("en", "Turn the living room up two degrees", "set", {"by": "2 higher", "setting": "temperature"}),
    ("en", "When does the sun go down?", "calculate", {"sun": "today"}),
    ("de", "Steht morgen Abend was im Kalender?", "events", {"period": "tomorrow_evening"}),
    ("en", "Turn off all the lights except in the kitchen", "set", {"action": "off", "kind": ["light"], "except": ["Kitchen"]}),
    ("en", "Close the living room blinds a bit", "set", {"setting": "position", "by": "-20"}),
    ("de", "Leere die Einkaufsliste", "change_list", {"action": "clear_all"}),
    ("en", "Put swimming in my calendar tomorrow at 5 pm", "create_event", {"title": "Swimming", "start": "tomorrow 17:00"}),
    ("de", "Mach es im Wohnzimmer gemütlich", "set", {"to": "20"}),
    ("en", "Move the dentist from Thursday to Friday at four", "change_event", {"event": "dentist", "start": "friday 16:00"}),
    ("de", "Spiel in der Küche Radio Paradise", "music", {"what": "radio paradise", "player": "Kitchen"}),
    ("de", "Trag für Donnerstag um drei den Zahnarzt ein", "create_event", {"title": "Zahnarzt", "start": "thursday 15:00"}),
    ("en", "How long has the front door been locked?", "history", {"question": "last_change", "state": "locked"}),
    ("de", "Etwas dunkler bitte", "set", {"by": "darker", "kind": ["light"]}),
    ("en", "We're out of milk", "HassListAddItem", {"item": "milk"}),
]  # fmt: skip
LATER: list[tuple[str, str, str, dict[str, Any]]] = [
    ("en", "Turn off the kitchen light in ten minutes", "later", {"at": "in 10 minutes"}),
    ("de", "Schalte um sieben das Küchenlicht ein", "later", {"at": "07:00"}),
    ("en", "Remind me to call Anna in 20 minutes", "later", {"say": "Call Anna."}),
    ("de", "Erinnere mich um acht an den Müll", "later", {"say": "Denk an den Müll."}),
    ("en", "When the front door is locked, turn off the kitchen light", "later", {"becomes": "locked"}),
    ("en", "Cancel that", "later", {"cancel": "last"}),
    ("en", "Turn on the kitchen lights at sunrise", "later", {"at": "sunrise"}),
    ("de", "Mach das Licht in der Küche in einer halben Stunde aus", "later", {"at": "in 0.5 hours"}),
    ("en", "Turn off the kitchen lights at ten tonight", "later", {"at": "22:00"}),
    ("de", "Mach das Küchenlicht um zehn heute Abend aus", "later", {"at": "22:00"}),
    ("en", "If nobody is home at six, turn the heating down", "later", {"at": "06:00", "only_if": {"entity": "nobody", "is": "home"}}),
    ("de", "Wenn um sechs niemand zu Hause ist, dreh die Heizung runter", "later", {"at": "06:00", "only_if": {"entity": "nobody", "is": "home"}}),
    ("en", "Turn the heating down when the last one leaves", "later", {"entity": "nobody", "becomes": "home"}),
    ("en", "Lock the front door at ten", "later", {"at": "22:00"}),
    ("de", "Schließ um zehn die Haustür ab, falls sie noch offen ist", "later", {"only_if": {"entity": "Front door", "is": "unlocked"}}),
    ("en", "Remind Emma to feed the cat at six", "later", {"at": "18:00", "arguments": {"message": "Feed the cat.", "to": "Emma"}}),
]  # fmt: skip
_WEEKDAYS = ["mon", "tue", "wed", "thu", "fri"]
WEEK: list[tuple[str, str, str, dict[str, Any]]] = [
    ("en", "Lock the front door every night at ten", "routine", {"when": [{"at": "22:00"}]}),
    ("de", "Schließ jeden Abend um zehn die Haustür ab", "routine", {"when": [{"at": "22:00"}]}),
    ("en", "Every Thursday at seven remind me of the bins", "routine", {"when": [{"at": "07:00", "days": ["thu"]}], "do": [{"say": "Remember the bins."}]}),
    ("de", "Erinnere mich jeden Donnerstag um sieben an den Müll", "routine", {"do": [{"say": "Denk an den Müll."}]}),
    ("en", "When I leave, turn off the kitchen lights", "routine", {"when": [{"entity": "I", "becomes": "not home"}]}),
    ("en", "At sunset turn on the kitchen lights, but only if somebody is home", "routine", {"when": [{"sun": "sunset"}], "only_if": [{"entity": "somebody", "is": "home"}]}),
    ("de", "Welche Routinen gibt es?", "routine", {}),
    ("en", "Turn the bins reminder off", "routine", {"edit": "off", "name": "bins"}),
    ("en", "Remind me on Friday at five to call grandma", "later", {"say": "Call grandma.", "at": "friday 17:00"}),
    ("de", "Erinnere mich am Freitag um acht an die Tonne", "later", {"say": "Denk an die Tonne.", "at": "friday 08:00"}),
    ("en", "Tell Emma dinner is ready", "tell", {"message": "Dinner is ready.", "to": "Emma"}),
    ("en", "Wake me at half past six on weekdays", "alarm_clock", {"at": "06:30", "days": _WEEKDAYS}),
    ("de", "Weck mich werktags um halb sieben", "alarm_clock", {"at": "06:30", "days": _WEEKDAYS}),
    ("en", "Skip the alarm tomorrow", "alarm_clock", {"edit": "skip", "at": "tomorrow"}),
    ("en", "Snooze", "alarm_clock", {"edit": "snooze"}),
    ("de", "Morgen nicht wecken", "alarm_clock", {"edit": "skip", "at": "tomorrow"}),
    ("en", "Wake me at ten past six tomorrow", "alarm_clock", {"at": "tomorrow 06:10"}),
    ("en", "Turn off all my alarms", "later", {"cancel": "all alarm"}),
    ("en", "Cancel all reminders", "later", {"cancel": "all reminder"}),
    ("de", "Schließ jede Nacht um elf die Haustür ab", "routine", {"when": [{"at": "23:00"}]}),
    ("en", "Unlock the front door every day at noon", "routine", {"when": [{"at": "12:00"}]}),
    ("de", "Wenn die Haustür zehn Minuten offen ist, sag mir Bescheid", "later", {"becomes": "open", "for": "00:10"}),
    ("en", "Let Ben know I'll be late", "tell", {"to": "Ben", "message": "I'll be late."}),
    ("en", "Send Emma a message: don't forget your keys", "tell", {"to": "Emma"}),
    ("en", "Tell Emma to come downstairs", "tell", {"to": "Emma", "message": "Come downstairs."}),
    ("de", "Schick Ben eine Nachricht, dass die Milch alle ist", "tell", {"to": "Ben", "message": "Die Milch ist alle."}),
    ("de", "Sag oben Bescheid, dass das Essen fertig ist", "tell", {"to": "Upstairs", "message": "Das Essen ist fertig."}),
    ("en", "Find my phone", "tell", {"find_phone": "me"}),
    ("de", "Trag jeden Dienstag um 18 Uhr Yoga in den Kalender ein", "create_event", {"title": "Yoga", "repeat": "FREQ=WEEKLY;BYDAY=TU"}),
    ("en", "Play the same in the bathroom too", "music", {"action": "join", "to": "bathroom"}),
    ("de", "Wie viel sind siebzehn Prozent von zweihundertvierzig?", "calculate", {"sum": "240*17/100"}),
    ("en", "How many kilometers are 26 miles?", "calculate", {"unit": "mi", "to": "km"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "name", "arguments"),
    [row[1:] for row in (*ROWS, *LATER, *WEEK)],
    ids=str,
)
def test_a_sentence_becomes_a_call_of_the_integrations_own_tools(
    sentence: str, name: str, arguments: dict[str, Any]
) -> None:
    [(called, given)] = calls_for(sentence, tools=[*TOOLS, *OWN])
    assert called == name
    assert given == given | arguments
    own = {item["function"]["name"] for item in OWN}
    assert not {called for called, _ in calls_for(sentence)} & own


@pytest.mark.parametrize(
    ("sentence", "name", "result", "said"),
    [
        ("Turn off everything in the bedroom", "set", {"done": [], "already_so": ["Bedroom lamp", "Desk lamp"]}, "The bedroom lamp and the desk lamp are already off."),
        ("Mach im Schlafzimmer alles aus", "set", {"done": [], "already_so": ["Bedroom lamp"]}, "Die Schlafzimmerlampe ist schon aus."),
        ("When does the sun set?", "calculate", {"day": "today, Monday 23 November", "sunrise": "07:44", "sunset": "16:58"}, "The sun sets at 16:58 today."),
        ("Was war heute an der Haustür los?", "history", {"results": [{"name": "Front door", "first": "verschlossen", "changes": []}]}, "Die Haustür: die ganze Zeit verschlossen."),
        ("What happened at the front door yesterday?", "history", {"results": [{"name": "Front door", "known": "nothing of that time"}]}, "I could not find that out."),
        ("Lass Emmas Handy klingeln", "tell", {"error": "Emma: has no phone with the app"}, "Das hat nicht geklappt: Emma: hat kein Telefon mit der App."),
        ("Finde mein Handy", "tell", {"error": "Nothing was done. Ask who the person is."}, "Wessen Handy?"),
        ("When I leave, turn off the kitchen lights", "routine", {"error": "Ask the person who or which one."}, "Who is speaking?"),
        ("Wie viel Strom haben wir heute verbraucht?", "history", {"error": "There is no dashboard."}, "Das konnte ich nicht herausfinden."),
    ],
)  # fmt: skip
def test_a_result_is_said_in_the_language_of_the_sentence(
    sentence: str, name: str, result: dict[str, Any], said: str
) -> None:
    turns = [user(wrapped(sentence, tools=[*TOOLS, *OWN]))]
    [call] = brain().answer(turns)
    assert isinstance(call, Call) and call.name == f"user:{name}"
    turns += [call_turn(call), result_turn(call, result)]
    assert brain().answer(turns) == [Say(said)]


@pytest.mark.parametrize(
    ("turns", "calls"),
    [
        (["Wake me at seven", "actually, make it quarter to nine"], [("later", {"cancel": "last"}), ("alarm_clock", {"at": "08:45"})]),
        (["Weck mich morgen um sieben", "Stell den Wecker eine halbe Stunde früher"], [("later", {"cancel": "last"}), ("alarm_clock", {"at": "tomorrow 06:30"})]),
        (["Remind me to call the plumber at eleven", "forget the plumber one"], [("later", {"cancel": "plumber"})]),
        (["Turn the kitchen lights on for twenty minutes"], [("HassTurnOn", KITCHEN), ("later", {"tool": "user:HassTurnOff", "arguments": KITCHEN, "at": "in 20 minutes"})]),
    ],
)  # fmt: skip
def test_a_plan_is_changed_and_what_lasts_has_an_end(
    turns: list[str], calls: Calls
) -> None:
    made = conversation(*turns, tools=[*TOOLS, *OWN])[-1][0]
    assert [(call.name.removeprefix("user:"), call.arguments) for call in made] == calls


def test_what_is_for_another_time_is_not_done_now() -> None:
    for text in (
        "Turn the attic lights on every other evening",
        "When it gets warmer than 25 degrees, turn on the fan",
        "At ten, if the kitchen light is on, turn it off",
        "Wenn es kalt wird, mach die Heizung an",
        "Was anybody home yesterday afternoon?",
        "Stop the music next week",
        "Make the kitchen lights half an hour later",
        "Lights off in Max's room in twenty minutes",
        "Turn off the bedroom lamp an hour after I leave",
        "Dann fahr eine Viertelstunde vorher die Rollos runter",
        "Verschieb den Elternabend auf nächsten Montag, gleiche Uhrzeit",
        "Mach die Küche so hell wie gestern",
        "Heute ist es so dunkel",
        "Mach das Küchenlicht aus, wenn sie fertig ist",
        "When the last one of us leaves the house, turn off the bedroom lamp and lock both doors",
        "Don't let me forget the pizza, ten minutes",
    ):
        assert not calls_for(text, tools=[*TOOLS, *OWN]), text


def test_a_call_is_made_for_the_person_who_is_named_then() -> None:
    home = {
        "role": "system",
        "content": context("Static", [("Emma", "person", "", "", {})]),
    }
    turns = [home, user(wrapped("Wo ist mein Handy?", tools=OWN))]
    [call] = brain().answer(turns)
    assert isinstance(call, Call)
    refused = {"error": "The person did not ask for that to be changed."}
    turns += [call_turn(call), result_turn(call, refused)]
    assert brain().answer(turns) == [Say("Wessen Handy?")]
    turns += [{"role": "assistant", "content": "Wessen Handy?"}, user("Ich bin Emma")]
    assert brain().answer(turns) == [Call(call.name, {"find_phone": "Emma"})]


@pytest.mark.parametrize(
    ("asked", "color", "said"),
    [
        ("Count the cars, will you?", "red", "mostly red"),
        ("Wer ist an der Tür?", "#18c030", "vor allem grün"),
    ],
)
def test_a_picture_is_seen(asked: str, color: str, said: str) -> None:
    file = BytesIO()
    Image.new("RGB", (32, 18), color).save(file, "JPEG")
    turn = {"role": "user", "content": asked}
    [answer] = Brain().answer([turn | {"images": [file.getvalue()]}])
    assert isinstance(answer, Say) and said in answer.text
    [answer] = Brain().answer([turn])
    assert isinstance(answer, Say) and said not in answer.text
