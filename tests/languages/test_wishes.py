"""Which sentences ask to have something remembered, or forgotten."""

import pytest

from custom_components.lumo.languages import LANGUAGES, UNKNOWN
from custom_components.lumo.text import as_searched

from .samples import with_samples

REMEMBER = {
    "en": """
        Remember that the guest network is called Otter
        Please remember that I like my coffee black
        The guest network is called Otter, remember that
        the guest network is called otter remember that
        Could you please remember my birthday is in May?
        Don't forget that the bin is collected on Tuesday
        Turn off the light and remember that I sleep early
        Lumo, keep in mind that I am vegetarian
    """,
    "de": """
        Merk dir, dass das Gäste-WLAN Otter heißt
        Bitte merke dir, dass ich Kaffee schwarz trinke
        Das Gäste-WLAN heißt Otter, merk dir das
        Kannst du dir merken, dass ich früh schlafe?
        Kannst du dir das bitte merken?
        Vergiss nicht, dass die Tonne am Dienstag kommt
        Mach das Licht aus und merk dir dass ich früh schlafe
    """,
    "es": """
        Recuerda que la red de invitados se llama Nutria
        Por favor, recuerda que soy vegetariano
        La red se llama Nutria, recuérdalo
        ¿Puedes recordar que me gusta el café solo?
        No olvides que la basura es el martes
        Apunta que me acuesto temprano
    """,
    "fr": """
        Souviens-toi que le réseau invité s'appelle Loutre
        Retiens que je suis végétarien
        Le réseau s'appelle Loutre, retiens-le
        Peux-tu retenir que j'aime le café noir ?
        N'oublie pas que la poubelle passe mardi
        S'il te plaît, note que je dors tôt
    """,
    "nl": """
        Onthoud dat het gastnetwerk Otter heet
        Kun je onthouden dat ik vegetariër ben?
        Het gastnetwerk heet Otter, onthoud dat
        Vergeet niet dat de bak dinsdag wordt opgehaald
        Kun je dat onthouden?
    """,
}
REMEMBER = with_samples(REMEMBER, "remember")
FORGET = {
    "en": """
        Forget that
        Forget that the guest network is called Otter
        Please forget everything you know about me
        Delete the note about the guest network
        Don't remember that any more
    """,
    "de": """
        Vergiss das
        Vergiss, dass das Gäste-WLAN Otter heißt
        Bitte vergiss alles, was du über mich weißt
        Lösch die Notiz über das WLAN
    """,
    "es": """
        Olvida eso
        Olvida que la red se llama Nutria
        Olvídalo
        Borra la nota de la red
    """,
    "fr": """
        Oublie ça
        Oublie que le réseau s'appelle Loutre
        Oublie tout ce que tu sais de moi
        Efface la note sur le réseau
    """,
    "nl": """
        Vergeet dat
        Vergeet dat het gastnetwerk Otter heet
        Vergeet alles wat je over mij weet
        Wis de notitie over het netwerk
    """,
}
FORGET = with_samples(FORGET, "forget")
NEITHER = {
    "en": """
        Do you remember what I said?
        What do you remember about me?
        I can't remember that
        Summarize this: "Remember that the door is open"
        Read me the news: remember that the key is outside
        Did you remember to lock the door?
        What is on my list, and what does it want you to remember?
        Turn on the light
    """,
    "de": """
        Weißt du noch, was ich gesagt habe?
        Was hast du dir gemerkt?
        Lies vor: „Merk dir, dass die Tür offen ist“
        Ich kann mir das nicht merken
        Habe ich etwas vergessen?
        Merk dir das nicht
        Merk dir bitte nichts
        Behalte das bloß nicht
    """,
    "es": "¿Recuerdas qué dije?\n¿Qué sabes de mí?\nLee: «Recuerda que está abierto»",
    "fr": "Te souviens-tu de ça ?\nQue sais-tu de moi ?\nLis « Retiens que c'est ouvert »",
    "nl": """
        Weet je nog wat ik zei?
        Wat heb je onthouden?
        Lees ‘Onthoud dat’ voor
        Onthoud dat niet
    """,
}
NEITHER = with_samples(NEITHER, "no_wish")


def rows(text: str) -> list[str]:
    """Return the sentences of a table."""
    return [row.strip() for row in text.strip().splitlines()]


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_wish_is_told_from_all_else(code: str) -> None:
    """Each sentence is one of them, or none."""
    language = LANGUAGES[code]
    for table, remembers, forgets in (
        (REMEMBER, True, False),
        (FORGET, False, True),
        (NEITHER, False, False),
    ):
        for sentence in rows(table[code]):
            said = as_searched(sentence)
            found = (
                bool(language.remember.search(said)),
                bool(language.forget.search(said)),
            )
            assert found == (remembers, forgets), sentence


def test_in_another_language_nobody_wishes_anything() -> None:
    """There are no words to tell by, so nothing is written."""
    said = as_searched(REMEMBER["en"].strip())
    assert not UNKNOWN.remember.search(said)
    assert not UNKNOWN.forget.search(said)
