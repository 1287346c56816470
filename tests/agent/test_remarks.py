"""What the words around a call say of it: it runs, waits for a yes, or is not meant."""

import json

import pytest

from custom_components.lumo.agent.calling_off import remarks_of
from custom_components.lumo.languages import language_of
from custom_components.lumo.tool_calling.detection.pieces import DetectedCall
from custom_components.lumo.tool_calling.detection.reader import CallReader
from custom_components.lumo.tool_calling.naming import ToolNames

NAMES = ToolNames(["HassTurnOff", "HassTurnOn"])


def write(tool: str, **arguments: str) -> str:
    """Return a call as a model writes it."""
    call = json.dumps({"name": f"user:{tool}", "arguments": arguments})
    return f"```json\n{call}\n```"


ALL = write("HassTurnOff", domain="light")
KITCHEN = write("HassTurnOff", domain="light", area="Kitchen")
HALL = write("HassTurnOff", domain="light", area="Hall")
ON = write("HassTurnOn", area="Hall")
BARE = ALL.removeprefix("```json\n").removesuffix("\n```")

ANSWERS = {
    # The text, how many run, how many wait for a yes.
    "nothing behind it": (ALL, 1, 0),
    "a claim": (f"{ALL}\nThe lights are off.", 1, 0),
    "a claim and an offer": (f"{ALL}\nThey are off. Shall I dim the others?", 1, 0),
    "a closing offer": (f"{ALL}\nIs there anything else I can do?", 1, 0),
    "a closing offer behind an and": (f"{ALL}\nAnd do you need anything else?", 1, 0),
    "a question": (f"{ALL}\nIs that right?", 0, 1),
    "a question in bold": (f"{ALL}\n\n**Which one?**", 0, 1),
    "a question about two": (f"{ALL}\n{ON}\nShall I do both?", 1, 1),
    "one of several options": (f"1. {KITCHEN}\n2. {HALL}\nWhich one?", 0, 0),
    "several options in words": (f"{KITCHEN}\nor\n{HALL}\nWhich one do you mean?", 0, 0),
    "struck through and taken back": (f"~~{ALL}~~ never mind.", 0, 0),
    "taken back": (f"{ALL}\nActually, forget that, I should ask first: which room?", 0, 0),
    "taken back and replaced": (f"{ALL}\nWait, only the kitchen:\n{KITCHEN}", 1, 0),
    "replaced by another": (f"{KITCHEN}\nSorry, scratch that.\n{HALL}", 1, 0),
    "a second one that waits": (f"{ALL}\nLet me ask first.\n{KITCHEN}\nOkay?", 0, 1),
    "no taking back": (f"{ALL}\nWait until they are all off.", 1, 0),
    "how to take it back": (f'{ALL}\nCancel it any time by saying "stop".', 1, 0),
    "no need": (f"I do not need to call anyone, turning them off now: {BARE}", 1, 0),
    "not made": (f"I will not run {BARE} because it is the whole house.", 0, 0),
    "not made, in a fence": (f"I won't run this:\n{ALL}", 0, 0),
    "on hold": (f"{ALL}\nHold on, which one do you mean?", 0, 0),
    "a change of mind": (f"{ALL}\nI take that back.", 0, 0),
    "taken back later": (f"{ALL}\nThey go off. Oops, wrong room.", 0, 0),
    "a question behind a sentence": (f"{ALL}\nThat is all of them. Is that okay?", 0, 1),
    "not made, in other words": (f"I refuse to call {BARE}", 0, 0),
    "no stop": (f"I stop the music now {BARE}", 1, 0),
    "a no in another sentence": (f"I can't see them. So I do this:\n{ALL}", 1, 0),
    "a no before a colon": (f"Not the others, only these: {BARE}", 1, 0),
}  # fmt: skip


def outcome(text: str, language: str) -> tuple[int, int]:
    """Return how many calls of an answer run, and how many wait; cuts change nothing."""
    counts = set()
    for size in (len(text), 7):
        reader = CallReader(NAMES, remarks=remarks_of(language_of(language)))
        cuts = (text[n : n + size] for n in range(0, len(text), size))
        pieces = [piece for cut in cuts for piece in reader.feed(cut)]
        calls = [p for p in [*pieces, *reader.finish()] if isinstance(p, DetectedCall)]
        asked = sum(call.is_asked for call in calls)
        counts.add((len(calls) - asked, asked))
    (found,) = counts
    return found


@pytest.mark.parametrize("what", ANSWERS)
def test_words_around_a_call_say_whether_it_is_meant(what: str) -> None:
    """A question behind it lets it wait, a withdrawal or a denial lets go of it."""
    text, runs, waits = ANSWERS[what]
    assert outcome(text, "en") == (runs, waits)


SAID = {
    # Three withdrawals, a question, a closing offer, a claim, and a refusal before it.
    "cs": "Ne, zapomeň na to.|Beru to zpět.|To byla chyba.|Je to tak?|Mohu ještě něco udělat?|" "Hotovo.|To neprovedu:",
    "da": "Nej, glem det.|Jeg tager det tilbage.|Det var en fejl.|Er det rigtigt?|Er der andet?|" "De er slukket.|Det kører jeg ikke:",
    "de": "Moment, doch nicht.|Ich nehme das zurück.|Nein, das wäre alles.|Stimmt das?|Noch etwas?|" "Schon erledigt.|Das führe ich nicht aus:",
    "es": "Espera, mejor no.|Lo retiro.|Eso fue un error.|¿Es correcto?|¿Algo más?|Ya está.|" "No voy a ejecutar esto:",
    "fr": "Attendez, oubliez ça.|Je retire ça.|C'était une erreur.|C'est bien ça ?|Autre chose ?|" "C'est fait.|Je n'exécute pas ceci :",
    "it": "Anzi, lascia stare.|Come non detto.|È stato un errore.|È giusto?|Altro?|Fatto.|" "Non lo eseguo:",
    "nb": "Nei, glem det.|Jeg tar det tilbake.|Det var feil.|Stemmer det?|Noe annet?|De er av.|" "Jeg kjører ikke dette:",
    "nl": "Nee, laat maar.|Ik neem het terug.|Dat was fout.|Klopt dat?|Nog iets?|Gedaan.|" "Dit voer ik niet uit:",
    "pl": "Nie, jednak nie.|Cofam to.|To był błąd.|Czy to się zgadza?|Coś jeszcze?|Gotowe.|" "Nie wykonam tego:",
    "pt": "Espera, melhor não.|Mudei de ideias.|Foi um erro.|Está certo?|Mais alguma coisa?|Feito.|" "Não vou executar isto:",
    "sv": "Nej, glöm det.|Jag ändrade mig.|Det var fel.|Stämmer det?|Något annat?|De är släckta.|" "Jag kör inte det här:",
}  # fmt: skip


@pytest.mark.parametrize("language", SAID)
def test_languages_know_a_withdrawal_and_a_closing_offer(language: str) -> None:
    *behind, before = SAID[language].split("|")
    found = [outcome(f"{ALL}\n{text}", language) for text in behind]
    assert found == [(0, 0), (0, 0), (0, 0), (0, 1), (1, 0), (1, 0)]
    assert outcome(f"{before}\n{ALL}", language) == (0, 0)
