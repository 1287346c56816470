"""A table of answers: which of them claim that something was done."""

from dataclasses import replace

import pytest

from custom_components.lumo.agent.claims import (
    Claim,
    ClaimRule,
    opening_is_complete,
    person_asks,
)
from custom_components.lumo.context.scorer import beginnings
from custom_components.lumo.languages import language_of

HOME = beginnings("Kitchen ceiling light; Küchenlicht; Kitchen; Küche; Woonkamerlamp")

CLAIMS = {
    "en": [
        "Done.",
        "Done, I turned off the lights.",
        "All done!",
        "It's done.",
        "I've turned off the kitchen lights.",
        "I have turned the kitchen lights off for you.",
        "I turned on the fan.",
        "I just locked the front door.",
        "Okay, I set the living room to 21 degrees.",
        "Sure! I've set the thermostat to 21 °C.",
        "The kitchen lights have been turned off.",
        "The front door has been locked.",
        "The front door was locked.",
        "The kitchen lights are now off.",
        "The kitchen light is off.",
        "The heating is now set to 21 degrees.",
        "Your garage door is closed now.",
        "The blinds are closed.",
        "Turning off the kitchen lights.",
        "Okay, turning off the kitchen lights now.",
        "Sure, opening the garage door.",
        "I'm turning off the lights in the kitchen.",
        "I added milk to your shopping list.",
        "Milk has been added to the list.",
        "The timer is set.",
        "You're all set.",
        "I ran the movie time script.",
        "I've successfully dimmed the bedroom lamp.",
        "The lights in the living room and kitchen are now both off.",
        "Alright, the music is paused.",
        "The vacuum has been started. Enjoy your clean home!",
        "No problem. I have switched off the coffee machine.",
        "I have unlocked the door.",
        "The alarm is armed.",
        "I’ve lowered the blinds.",
    ],
    "de": [
        "Erledigt.",
        "Erledigt, ich habe das Licht ausgeschaltet.",
        "Ich habe das Licht in der Küche ausgeschaltet.",
        "Ich hab das Licht ausgemacht.",
        "Das Licht in der Küche wurde ausgeschaltet.",
        "Die Lichter wurden ausgeschaltet.",
        "Das Küchenlicht ist jetzt aus.",
        "Das Licht ist nun ausgeschaltet.",
        "Das Wohnzimmer ist jetzt auf 21 Grad eingestellt.",
        "Die Heizung wurde auf 21 Grad gestellt.",
        "Ich schalte das Licht in der Küche aus.",
        "Okay, ich mache das Licht aus.",
        "Alles klar, die Haustür ist abgeschlossen.",
        "Ich habe die Haustür verriegelt.",
        "Gemacht!",
        "Milch wurde zur Einkaufsliste hinzugefügt.",
        "Ich habe Milch auf die Einkaufsliste gesetzt.",
        "Ich habe die Rollläden heruntergefahren.",
        "Der Staubsauger wurde gestartet.",
        "Das Garagentor ist jetzt offen.",
        "Ich habe die Lautstärke verringert.",
    ],
}

HARMLESS = {
    "en": [
        "Hello! How can I help you?",
        "Hi there, nice to hear from you.",
        "You're welcome.",
        "Good night, sleep well.",
        "I'm Lumo, the assistant of this home.",
        "Why did the scarecrow win a prize? Because he was outstanding in his field.",
        "I can't do that.",
        "I'm sorry, I couldn't turn off the lights.",
        "I was not able to lock the door.",
        "I have not turned anything off.",
        "Unfortunately the light could not be turned off.",
        "The kitchen light is already off.",
        "Would you like me to turn off the lights?",
        "Which light should I turn off?",
        "If the lights were turned off, you would save energy.",
        "There is no such device in this home.",
        "Paris is the capital of France.",
        "Berlin has about 3.7 million inhabitants.",
        "Once upon a time there was a house that could listen.",
        "To turn off the lights, say which room you mean.",
        "I can turn it off if you want.",
        "Let me know when I should start the vacuum.",
        "Shall I lock the door?",
        "The light failed to turn off.",
        "Nothing was turned off.",
        "Please tell me the name of the room.",
        "The sun is a star.",
        "Water boils at 100 degrees.",
        "I would have to unlock the door for that.",
        "I do not know what you mean.",
        "That did not work: no entities matched.",
        "Lumo cannot help with this.",
        "An LED lamp uses less energy than a bulb.",
        "Thank you, that is kind of you.",
    ],
    "de": [
        "Hallo! Wie kann ich helfen?",
        "Gern geschehen.",
        "Gute Nacht.",
        "Das kann ich leider nicht.",
        "Ich konnte das Licht nicht ausschalten.",
        "Ich habe nichts ausgeschaltet.",
        "Das Licht ist bereits aus.",
        "Welches Licht soll ich ausschalten?",
        "Möchtest du, dass ich das Licht ausschalte?",
        "Wenn das Licht ausgeschaltet ist, sparst du Strom.",
        "Es gibt hier kein solches Gerät.",
        "Paris ist die Hauptstadt von Frankreich.",
        "Ich bin Lumo, der Assistent dieses Zuhauses.",
        "Treffen sich zwei Jäger.",
        "Sag mir bitte, welchen Raum du meinst.",
        "Das hat nicht geklappt.",
        "Eine LED braucht weniger Strom als eine Glühbirne.",
        "Ich verstehe dich nicht.",
        "Es war einmal ein Haus, das zuhören konnte.",
        "Die Sonne ist ein Stern.",
    ],
}


def rule(language: str, sentence: str = "do it") -> ClaimRule:
    """Return the rule for a command."""
    found = ClaimRule.for_turn(sentence, language_of(language), HOME)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("language", "answer"),
    [(language, answer) for language, answers in CLAIMS.items() for answer in answers],
)
def test_claims_are_noticed(language: str, answer: str) -> None:
    """Each says that something was done."""
    assert rule(language).judge(answer) is Claim.DONE


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        (language, answer)
        for language, answers in HARMLESS.items()
        for answer in answers
    ],
)
def test_other_answers_are_left_alone(language: str, answer: str) -> None:
    """Small talk, refusals, questions, knowledge."""
    assert rule(language).judge(answer) is Claim.NONE


@pytest.mark.parametrize("language", ["en", "de", "fr", "nl", "es", "pt"])
def test_what_was_looked_at_is_not_doubted(language: str) -> None:
    """What the home is like may be told; what the model did is still a claim."""
    judged = replace(rule(language, "Check the kitchen light"), after_reading=True)
    for text in (
        "The kitchen light is on.",
        "It was turned off yesterday evening.",
        "Das Küchenlicht ist an.",
        "La lumière est allumée.",
        "Het licht is aan.",
        "La luz está apagada.",
    ):
        assert judged.judge(text) is Claim.NONE, text
    assert judged.judge("I've turned it off.") is Claim.DONE


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("nl", "brandt het licht in de gang"),
        ("nl", "staat de deur open"),
        ("nl", "doet de lamp het"),
        ("nl", "werkt de verwarming"),
        ("nl", "regent het"),
        ("nl", "heb ik iets op de lijst"),
        ("nl", "zijn de gordijnen dicht"),
        ("nl", "kan ik de was ophangen"),
        ("nl", "moet ik een paraplu meenemen"),
        ("nl", "draait de wasmachine nog"),
        ("en", "Is the front door locked?"),
        ("en", "is the front door locked"),
        ("en", "what is on"),
        ("en", "are any windows open"),
        ("en", "and which lights are on"),
        ("en-GB", "how warm is it in the kitchen"),
        ("de", "Ist die Haustür abgeschlossen?"),
        ("de", "ist das licht an"),
        ("de", "was ist an"),
        ("de-CH", "wie warm ist es in der küche"),
        ("fr", "Est-ce que la porte est fermée ?"),
        ("zh", "门锁了吗？"),
        ("fr", "est-ce que la porte est fermée"),
        ("fr", "quelle température fait-il"),
        ("es", "está cerrada la puerta"),
        ("es", "cuántas luces hay encendidas"),
        ("nl", "is de voordeur op slot"),
        ("nl", "hoe warm is het in de keuken"),
    ],
)
def test_questions_are_never_looked_at(language: str, sentence: str) -> None:
    """Nothing may be switched because of one."""
    assert person_asks(sentence, language_of(language))
    assert ClaimRule.for_turn(sentence, language_of(language), HOME) is None


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Turn off the kitchen lights"),
        ("en", "can you turn off the lights"),
        ("en", "dim the isolated lamp"),
        ("de", "Mach das Licht aus"),
        ("de", "kannst du das licht ausmachen"),
        ("de", "Schalte was im Flur ist aus"),
        ("nl", "Doe de lamp uit"),
        ("nl", "Zet de lamp uit"),
        ("nl", "Sluit de gordijnen"),
        ("nl", "Start de stofzuiger"),
        ("nl", "Laat de rolluiken zakken"),
        ("nl", "Dim het licht"),
        ("nl", "Kun je de lamp uitdoen"),
        ("es", "Que se apague la luz"),
        ("es", "Esta luz, apágala"),
        ("fr", "Éteins la lumière"),
        ("fr", "Quitte le mode nuit"),
    ],
)
def test_commands_are_no_questions(language: str, sentence: str) -> None:
    """Also those that are phrased politely."""
    assert not person_asks(sentence, language_of(language))


@pytest.mark.parametrize(
    ("sentence", "answer", "claim"),
    [
        ("Doe de woonkamerlamp uit", "Ik heb de lamp uitgezet.", Claim.DONE),
        ("Doe de woonkamerlampen uit", "Klaar!", Claim.DONE),
        ("Doe de woonkamerlampen uit", "De lampen gaan uit.", Claim.POSSIBLE),
        ("Doe de woonkamerlamp uit", "Ik heb de lamp niet uitgezet.", Claim.POSSIBLE),
        ("Doe de woonkamerlamp uit", "Welke lamp bedoel je?", Claim.NONE),
        ("Doe de woonkamerlamp uit", "Done, I turned off the lights.", Claim.DONE),
        ("Volgende", "Done, I skipped the track.", Claim.DONE),
        ("Doe de woonkamerlamp uit", "I could not do that. Sorry.", Claim.NONE),
        ("Dank je wel", "Graag gedaan.", Claim.NONE),
        (
            "Doe de woonkamerlamp uit",
            "Ik kan dat niet. Probeer iets anders.",
            Claim.NONE,
        ),
    ],
)
def test_other_languages_go_by_the_structure(
    sentence: str, answer: str, claim: Claim
) -> None:
    """A sentence about the home, one short sentence as the answer."""
    assert rule("nl", sentence).judge(answer) is claim


def test_a_claim_in_english_is_noticed_in_german_too() -> None:
    """Models fall into English."""
    assert rule("de").judge("Done, I turned off the lights.") is Claim.DONE
    assert rule("de").judge("I could not turn off the lights.") is Claim.NONE


def test_a_long_answer_claims_nothing_where_the_home_was_not_spoken_of() -> None:
    """A story may have doors that are closed; a report on the home is a report."""
    long = "The door was closed. " + "The wind went on. " * 30
    assert rule("en", "tell me a story").judge(long) is Claim.NONE
    assert rule("en", "all off in the kitchen").judge(long) is Claim.DONE
    assert rule("en", "tell me a story").judge(long[:40]) is Claim.DONE


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("", False),
        ("Okay, I", False),
        ("Okay.", False),
        ("Okay. I", True),
        ("Okay!\nI", True),
        ("x" * 60, True),
        ("The value is 2.5 and", False),
    ],
)
def test_opening(text: str, complete: bool) -> None:
    """The first sentence, or as much as Home Assistant waits for."""
    assert opening_is_complete(text) is complete


@pytest.mark.parametrize(
    ("language", "answer", "claim"),
    [
        ("en", "The kitchen light is off.", Claim.NONE),
        ("en", "The kitchen light is off and the door is locked.", Claim.NONE),
        ("en", "The kitchen light is now off.", Claim.DONE),
        ("en", "The kitchen light is off. I turned it off.", Claim.DONE),
        ("en", "Done, the kitchen light is off.", Claim.DONE),
        ("de", "Das Küchenlicht ist ausgeschaltet.", Claim.NONE),
        ("de", "Das Küchenlicht ist jetzt aus.", Claim.DONE),
        ("de", "Ich habe das Küchenlicht ausgeschaltet.", Claim.DONE),
        ("nl", "De woonkamerlamp is uit.", Claim.NONE),
        ("fr", "C'est éteint.", Claim.NONE),
        ("es", "Está apagada.", Claim.NONE),
        ("es", "No la he cerrado.", Claim.NONE),
        ("es", "Hecho.", Claim.DONE),
        ("es", "Ya la he cerrado.", Claim.DONE),
        ("fr", "C’est fait !", Claim.DONE),
        ("fr", "J'ai éteint la lampe.", Claim.DONE),
        ("fr", "Je n'ai pas éteint la lampe.", Claim.NONE),
        ("nl", "Klaar.", Claim.DONE),
        ("nl", "Graag gedaan.", Claim.NONE),
        ("sv", "Nu är lampan tänd.", Claim.DONE),
        ("sv", "Jag släckte lampan.", Claim.DONE),
        ("sv", "Klart väder imorgon.", Claim.NONE),
        ("sv", "Det är nu 20 grader i sovrummet.", Claim.NONE),
        ("da", "Nu er lampen tændt.", Claim.DONE),
        ("da", "Jeg slukkede lampen.", Claim.DONE),
        ("da", "Der er nu 20 grader i soveværelset.", Claim.NONE),
        ("nb", "Nå er lampa tent.", Claim.DONE),
        ("nb", "Jeg skrudde av lampa.", Claim.DONE),
        ("nb", "Det er nå 20 grader på soverommet.", Claim.NONE),
        ("nb", "Det er nå på tide å sove.", Claim.NONE),
    ],
)
def test_what_was_read_may_be_told(language: str, answer: str, claim: Claim) -> None:
    """After a call that only read; that it was done is a claim all the same."""
    judged = replace(
        rule(language, "de woonkamerlamp, the kitchen light"), after_reading=True
    )
    assert judged.judge(answer) is claim


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("en", "I don't have access to that tool."),
        ("en", "I'm unable to use that tool right now."),
        ("de", "Ich habe keinen Zugriff auf deine Smart-Home-Geräte."),
        ("de", "Ich kann keine Geräte in deinem Zuhause steuern."),
        ("fr", "Désolé, je n’ai pas accès à vos appareils."),
        ("en", "I'm sorry, but I can't control your smart home devices."),
        ("en", "As an AI, I cannot do that."),
        ("de", "Ich habe leider keinen Zugriff auf dieses Tool."),
        ("de", "Mir fehlt dafür die Funktion: Ich kann Geräte nicht steuern, ohne Tool."),
        ("fr", "Je n'ai pas accès à cet outil."),
        ("nl", "Ik heb geen toegang tot die tool."),
        ("es", "No tengo acceso a esa herramienta."),
        ("fr", "I don't have access to that tool."),
        ("sv", "Tyvärr kan jag inte styra dina lampor."),
        ("da", "Jeg har ikke mulighed for at styre dine lamper."),
        ("nb", "Jeg kan dessverre ikke slå på lyset."),
    ],
)  # fmt: skip
def test_excuses_are_noticed(language: str, answer: str) -> None:
    """Models fall into English here, too."""
    assert rule(language).judge(answer) is Claim.EXCUSE


@pytest.mark.parametrize(
    ("language", "answer"),
    [
        ("en", "There is no such light in the kitchen."),
        ("en", "I could not find the fan."),
        ("en", "I don't have a tool for stopping it. Shall I send it home?"),
        ("de", "Diese Lampe gibt es hier nicht."),
        ("fr", "Cette lampe n'existe pas."),
        ("nl", "Die lamp is er niet."),
        ("es", "Esa lámpara no existe."),
        ("sv", "Jag kan inte låsa upp dörren utan ditt ja."),
        ("da", "Jeg finder ingen lampe med det navn."),
        ("nb", "Døra er ikke låst."),
    ],
)
def test_honest_words_are_no_excuses(language: str, answer: str) -> None:
    """They say what is not there, and it is no tool."""
    assert rule(language).judge(answer) is not Claim.EXCUSE
