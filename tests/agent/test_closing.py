"""Questions that only offer more, and questions that do not."""

from itertools import pairwise

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.agent.closing import WithoutClosing, is_closing
from custom_components.lumo.agent.history import OwnSentence
from custom_components.lumo.agent.model_texts import NO_CLOSING
from custom_components.lumo.agent.options import AgentOptions
from custom_components.lumo.const import DEFAULT_OPTIONS
from custom_components.lumo.languages import LANGUAGES, language_of
from tests.languages.samples import with_samples

from .scripted import Scene

CLOSINGS = {
    "en": """
        Anything else?
        Is there anything else I can help you with?
        **Is there something else I can do for you?**
        Do you need anything else?
        Would you like me to change anything else?
        Can I help you with anything else today?
        What else can I do for you?
        How can I help you further?
        And is there anything more I can do?
    """,
    "de": """
        Sonst noch etwas?
        Kann ich sonst noch etwas für dich tun?
        Möchtest du noch etwas anderes?
        Brauchen Sie noch etwas?
        Kann ich Ihnen noch weiterhelfen?
        Gibt es sonst noch was?
        Womit kann ich noch helfen?
        Soll ich noch etwas einstellen?
    """,
    "fr": """
        Autre chose ?
        Avez-vous besoin d'autre chose ?
        Puis-je faire autre chose pour vous ?
        Souhaitez-vous autre chose ?
        Puis-je vous aider avec autre chose ?
        Y a-t-il quelque chose d'autre ?
        Comment puis-je vous aider encore ?
    """,
    "nl": """
        Nog iets?
        Verder nog iets?
        Kan ik nog iets voor je doen?
        Is er nog iets anders?
        Wil je nog iets?
        Kan ik je verder nog ergens mee helpen?
        Waarmee kan ik je nog helpen?
    """,
    "es": """
        ¿Algo más?
        ¿Necesitas algo más?
        ¿Hay algo más que pueda hacer por ti?
        ¿Puedo ayudarte en algo más?
        ¿Quieres que haga algo más?
        ¿En qué más puedo ayudarte?
        ¿Qué más necesitas?
    """,
}
CLOSINGS = with_samples(CLOSINGS, "closings")
QUESTIONS = {
    "en": """
        Which lamp do you mean?
        Do you mean the lamp or something else?
        Shall I turn on the light in the hall as well?
        Should I set it to 21 degrees?
        Is it anything that you know?
    """,
    "de": """
        Welche Lampe meinst du?
        Möchtest du noch etwas mehr Licht?
        Soll ich das Licht im Flur auch einschalten?
        Meinst du die Lampe oder noch etwas anderes?
    """,
    "fr": """
        Quelle lampe ?
        Voulez-vous la lampe ou autre chose ?
        Dois-je aussi allumer le couloir ?
    """,
    "nl": """
        Welke lamp bedoel je?
        Bedoel je de lamp of iets anders?
        Zal ik het licht in de gang ook aandoen?
    """,
    "es": """
        ¿Qué lámpara?
        ¿La lámpara o algo más grande?
        ¿Enciendo también la luz del pasillo?
    """,
}
QUESTIONS = with_samples(QUESTIONS, "questions")


def lines(text: str) -> list[str]:
    """Return the sentences of a table."""
    return [line.strip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_only_offers_more(code: str) -> None:
    """In the words that models use; nothing that asks what must be known."""
    language = LANGUAGES[code]
    for sentence in lines(CLOSINGS[code]):
        assert is_closing(sentence, language), sentence
        assert not is_closing(sentence.replace("?", "."), language), sentence
    for sentence in lines(QUESTIONS[code]):
        assert not is_closing(sentence, language), sentence


def passed(text: str, cuts: list[int]) -> str:
    """Return what is said of an answer that comes in pieces."""
    closing = WithoutClosing(language_of("en"), allowed=False)
    places = [0, *sorted({cut % (len(text) + 1) for cut in cuts}), len(text)]
    said = [closing.feed(text[a:b]) for a, b in pairwise(places)]
    return "".join((*said, closing.end()))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("It is off. Anything else?", "It is off."),
        ("It is off.\n\nIs there anything else I can do? ", "It is off."),
        ("Done! **Anything else?**", "Done!"),
        # All there is, and what is not the last.
        ("Anything else?", "Anything else?"),
        (
            "Off. Anything else? I mean the lamp.",
            "Off. Anything else? I mean the lamp.",
        ),
        ("It is 3.5 degrees. Which room?", "It is 3.5 degrees. Which room?"),
    ],
)
def test_it_is_left_out_however_the_answer_is_cut(text: str, said: str) -> None:
    """At every place, and character by character."""
    for cut in range(len(text) + 1):
        assert passed(text, [cut]).rstrip() == said
    assert passed(text, list(range(len(text)))).rstrip() == said


@given(st.text(alphabet="ab .?!\n*", max_size=60), st.lists(st.integers(0, 60)))
def test_nothing_else_is_lost(text: str, cuts: list[int]) -> None:
    """Whatever is said."""
    assert passed(text, cuts) == text


def test_the_first_sentence_is_not_held() -> None:
    """What is said first is heard first; a later sentence when the next begins."""
    closing = WithoutClosing(language_of("en"), allowed=False)
    fed = [
        closing.feed(piece) for piece in ("It ", "is off.", " The door", " is. ", "S")
    ]
    assert fed == ["It ", "is off.", "", "", " The door is. "]


@pytest.mark.parametrize("allowed", [True, False])
async def test_an_owner_may_forbid_them(hass: HomeAssistant, allowed: bool) -> None:
    """Then what the model says all the same is not heard."""
    scene = Scene(
        hass,
        None,
        "Hello",
        ["Hello there. Anything else?"],
        closing_questions=allowed,
    )
    heard = await scene.run()
    assert heard == ("Hello there. Anything else?" if allowed else "Hello there.")


@pytest.mark.parametrize("prompt", ["Be brief.", " "])
def test_the_model_is_told(prompt: str) -> None:
    """Behind the owner's instructions, or Home Assistant's."""
    options = {**DEFAULT_OPTIONS, "prompt": prompt, "closing_questions": False}
    told = AgentOptions.from_subentry(options, encrypted=True).prompt
    first = prompt if prompt.strip() else DEFAULT_OPTIONS["prompt"]
    assert told == f"{first}\n{NO_CLOSING}"


@pytest.mark.parametrize(
    ("said", "after", "awaited"),
    [
        ("Which lamp?", [], True),
        ("Which lamp?", [OwnSentence(failed=False)], True),
        ("Which lamp?", [OwnSentence(failed=True)], False),
        ("It is on.", [OwnSentence(failed=False)], False),
        ("Which lamp?", [None], False),
        ("", [], False),
    ],
)
async def test_who_was_asked_can_answer(
    hass: HomeAssistant, said: str, after: list[OwnSentence | None], awaited: bool
) -> None:
    """Whatever we remark behind the question; not behind a failure."""
    scene = Scene(hass, None, "Turn on the lamp", [])
    scene.log.content += [
        conversation.AssistantContent("a", content=text, native=native)
        for text, native in [(said, None), *(("It is late.", item) for item in after)]
    ]
    assert scene.turn.heard.awaits_answer is awaited
