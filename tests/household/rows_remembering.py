"""What is to be remembered, told and forgotten, in five languages."""

from typing import Any, Final

from tests.redteam.stage import Answer, Call

from .row import Row


def remember(language: str, sentence: str, text: str) -> Row:
    """Return a row whose model has a note kept, which is said in full."""
    call = Call("memory", action="remember", text=text)
    return Row(sentence, language, [call], tells="remembered", says=text, requests=2)


def forget(language: str, sentence: str, text: str = "") -> Row:
    """Return a row whose model has the last note forgotten, or one that it names."""
    given: dict[str, Any] = {"action": "forget", **({"text": text} if text else {})}
    call = Call("memory", **given)
    return Row(sentence, language, [call], tells="forgotten", says=".", goes_on=True)


def known(language: str, sentence: str, tells: str, says: str) -> Row:
    """Return a row whose model looks up what there is, and says so."""
    calls: list[Answer] = [Call("memory", action="list"), says]
    return Row(
        sentence, language, calls, tells=tells, says=says, requests=2, goes_on=True
    )


REMEMBERING: Final = [
    remember(
        "en",
        "Remember that the guest network is called Otter",
        "The guest network is called Otter",
    ),
    known("en", "What do you know about me?", "Otter", "It is called Otter."),
    forget("en", "Forget that"),
    known("en", "What do you know about us?", "none", "Nothing."),
    remember(
        "en",
        "Our bin is collected on Tuesdays, remember that please",
        "The bin is collected on Tuesdays",
    ),
    remember("de", "Merk dir bitte, dass Oma keine Nüsse essen darf", "Oma darf keine Nüsse essen"),
    known("de", "Was weißt du über uns?", "Nüsse", "Oma isst keine Nüsse."),
    forget("de", "Vergiss das mit den Nüssen", "Nüsse"),
    remember("es", "Recuerda que Mia se acuesta a las ocho", "Mia se acuesta a las ocho"),
    known("es", "¿Qué sabes de mí?", "Mia", "Mia se acuesta a las ocho."),
    forget("es", "Olvida eso"),
]  # fmt: skip
