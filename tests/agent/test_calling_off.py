"""What ends a turn without a request, and what must not."""

from typing import Any

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er, llm
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
from hypothesis import assume, given, strategies as st
import pytest

from custom_components.lumo.agent.calling_off import (
    answer_without_request,
    calls_off,
    is_fragment,
    stops,
)
from custom_components.lumo.agent.conversation_state import ConversationState
from custom_components.lumo.languages import LANGUAGES, UNKNOWN
from tests.languages.samples import with_samples

from .conftest import FakeTool
from .scripted import Scene
from .test_approved import planned

OFF = '{"name": "user:HassTurnOff", "arguments": {"name": "Kitchen light"}}'
CALLED_OFF = {
    "en": """
        Nevermind. | Oh, never mind! | never mind, Lumo | Forget about it, thanks.
        scratch that | Thank you very much. | Thanks, that’s all for now | nothing
        No, that's all. | nah, I'm good | sorry, never mind | actually forget it
        no that's all then, cheers mate | that's all i need thank you lumo
    """,
    "de": """
        Ach, vergiss es einfach | schon gut | nicht so wichtig, danke | danke das wars
        hat sich erledigt | Danke schön! | vielen dank das war alles | nein, nichts mehr
        okay danke Lumo | sonst nichts | ach, doch nicht | nee, passt schon | ach egal
        Entschuldigung, vergiss es | lass gut sein | das war's dann, tschüss
    """,
    "fr": """
        laisse tomber | Oubliez cela, merci | c'est pas grave | Merci beaucoup ! | tant pis
        c’est tout pour le moment, merci | rien d'autre | finalement non | Ça ira, merci
    """,
    "nl": """
        laat maar zitten | vergeet het maar | dank je wel, dat was alles | nee bedankt
        niets | oké bedankt hoor | hoeft niet meer | toch maar niet | nee, niets meer
    """,
    "es": """
        olvidalo | olvídalo, gracias | déjalo | gracias, eso es todo | no importa
        nada más, gracias | no pasa nada | mejor no | gracias por todo | Listo, gracias
    """,
}
CALLED_OFF = with_samples(CALLED_OFF, "called_off")
STOPS = {
    "en": "Stop! | stop it | cancel | please stop | stop, Lumo",
    "de": "stopp | Stop. | halt | hör auf | abbrechen | bitte aufhören",
    "fr": "arrête | arrêtez s'il vous plaît | annule",
    "nl": "stop | hou op | annuleer | stop maar",
    "es": "para | alto | detente | cancela | basta ya",
}
STOPS = with_samples(STOPS, "stops")
# Full sentences, answers, and what only begins like one of those.
SENT = {
    "en": """
        never mind the kitchen, turn off the bedroom | forget it and turn off the lights
        never mind? | thanks for turning on the light | stop it and open the blinds
        thank you note on my shopping list | cancel the timer | that's all the milk we have
        nothing is playing | is that all? | no | yes thanks | turn it off, thanks
        forget my birthday | play nevermind | scratch that, make it 20 | that's enough light
    """,
    "de": """
        vergiss es nicht | danke für das Licht | doch nicht das Schlafzimmer | ja danke
        alles gut gelaufen? | das war alles meine Idee | stopp die Musik | egal welche
        halt die Rollläden an | nein | ist das alles? | nichts läuft | gut, danke | egal
        nein danke, mach es aus | doch nichts ausschalten | alles aus | lass das Licht an
    """,
    "fr": """
        laisse tomber la neige | merci d'allumer la lampe | arrête la musique | oui merci
        c'est tout ? | non | rien ne marche | non merci, éteins-la | laisse la lumière
    """,
    "nl": """
        laat maar zien | bedankt en nu de slaapkamer | stop de muziek | is dat alles? | nee
        ja dank je | niets werkt | laat maar aan | super, bedankt | het hoeft niet zo hard
    """,
    "es": """
        olvida la lista | gracias por encender la luz | para la música | ¿eso es todo? | no
        sí gracias | nada funciona | para mañana | déjalo encendido | no importa cuál
    """,
}
SENT = with_samples(SENT, "sent")
FRAGMENTS = {
    "en": "turn off the | um | uh hmm | and the | because | Well... | what is the",
    "de": "schalte das Licht im | äh | hm | und | stell die Heizung im | weil",
    "fr": "allume la lampe du | euh | éteins la lampe et | mets de la musique dans",
    "nl": "doe de | eh | zet de lamp in de | en | uh uhm",
    "es": "enciende la luz del | eh | apaga los | sube la persiana en | pues",
}
FRAGMENTS = with_samples(FRAGMENTS, "fragments")
WHOLE = {
    "en": """
        turn the light on | who is that for | vitamin a | the end | louder | yes | 21
        what is it made of | it is on, or | do you spell it their or the?
    """,
    "de": "mach das Licht an | noch einen | na und? | und ob | das Licht ist aus, oder",
    "fr": "éteins-la | allume la | plus fort | c'est où | encore un | je suis pour",
    "nl": "doe het | nog een | zet de lamp aan | harder | waar is dat voor",
    "es": "dame una | más alto | enciende la luz | apágala | dímelo a mí | para él",
}
WHOLE = with_samples(WHOLE, "whole")


def sentences(texts: str) -> list[str]:
    texts = texts.replace("|", "\n")
    return [text.strip() for text in texts.splitlines() if text.strip()]


@pytest.mark.parametrize("code", CALLED_OFF)
def test_what_a_short_sentence_is(code: str) -> None:
    """Called off, stopped, or only begun; a full sentence is none of them."""
    language = LANGUAGES[code]
    for texts, kind in (
        (CALLED_OFF, (True, False, False)),
        (STOPS, (False, True, False)),
        (FRAGMENTS, (False, False, True)),
        (SENT, (False, False, False)),
        (WHOLE, (False, False, False)),
    ):
        for sentence in sentences(texts[code]):
            found = [f(sentence, language) for f in (calls_off, stops, is_fragment)]
            assert tuple(found) == kind, sentence
    for sentence in sentences(CALLED_OFF[code]):
        assert calls_off(sentence.upper(), language), sentence


@given(data=st.data(), word=st.text("abcdefghijklmnopqrstuvwxyzäéñ", min_size=5))
@pytest.mark.parametrize("code", LANGUAGES)
def test_one_more_word_makes_it_a_sentence(
    code: str, data: st.DataObject, word: str
) -> None:
    language = LANGUAGES[code]
    said = data.draw(st.sampled_from(sentences(CALLED_OFF[code])))
    assume(not calls_off(word, language) and not stops(word, language))
    known = " ".join([*CALLED_OFF.values(), *STOPS.values(), language.polite])
    assume(word not in known.casefold())
    for sentence in (f"{said} {word}", f"{word} {said}"):
        assert not calls_off(sentence, language)
        assert not stops(sentence, language)


def test_unknown_language_has_no_such_words() -> None:
    """Everything is sent."""
    for sentence in ("stop", "thanks", "the"):
        assert not calls_off(sentence, UNKNOWN)
        assert not stops(sentence, UNKNOWN)
        assert not is_fragment(sentence, UNKNOWN)


@pytest.mark.parametrize(
    ("sentence", "heard"),
    [
        ("Never mind", "[called_off]"),
        ("Thanks, that's all", "[called_off]"),
        ("Stop", "[called_off]"),
        ("Turn off the", "[not_all_heard]"),
        ("Stop the music", "I cannot."),
    ],
)
async def test_turn_ends_without_a_request(
    hass: HomeAssistant, api: llm.APIInstance, sentence: str, heard: str
) -> None:
    """What it says is no failure; only half a sentence is waited for."""
    scene = Scene(
        hass, api, sentence, ["I cannot."], satellite="assist_satellite.kitchen"
    )
    assert await scene.run() == heard
    assert len(scene.client.requests) == (heard == "I cannot.")
    assert not scene.record.failed
    assert scene.record.asked is (heard == "[not_all_heard]")


async def test_fragment_is_sent_where_it_was_typed(
    hass: HomeAssistant, api: llm.APIInstance
) -> None:
    """Somebody looks at what they write."""
    assert await Scene(hass, api, "Turn off the", ["?"]).run() == "?"


@pytest.mark.parametrize(
    ("sentence", "said", "requests"),
    [
        ("Okay, thanks", "It is on.", 0),
        ("Okay, thanks", "Shall I turn it off as well?", 1),
        ("Stop", "Shall I turn it off as well?", 0),
        ("Well", "It is on.", 0),
        ("Well", "Shall I turn it off as well?", 1),
    ],
)
async def test_answer_to_a_question_of_the_model(
    hass: HomeAssistant, api: llm.APIInstance, sentence: str, said: str, requests: int
) -> None:
    """An okay is one; a stop is not, whatever goes on."""
    assert await async_setup_component(hass, "homeassistant", {})
    before: list[conversation.Content] = [
        conversation.UserContent(content="Play something"),
        conversation.AssistantContent(agent_id="conversation.lumo", content=said),
    ]
    hass.states.async_set("media_player.kitchen", "playing")
    scene = Scene(
        hass,
        api,
        sentence,
        ["Yes."],
        before=before,
        conversation_state=ConversationState(has_acted=said.endswith("?")),
        satellite="assist_satellite.kitchen",
    )
    await scene.run()
    assert len(scene.client.requests) == requests


@pytest.mark.parametrize(
    "row", [(False, "paused", 0), (False, "playing", 1), (True, "paused", 1)]
)
async def test_stop_is_sent_where_there_is_something_to_stop(
    hass: HomeAssistant, api: llm.APIInstance, row: Any
) -> None:
    """What this conversation did, or music; "never mind" ends the turn all the same."""
    has_acted, state, requests = row
    assert await async_setup_component(hass, "homeassistant", {})
    hass.states.async_set("media_player.kitchen", state)
    kept = ConversationState(has_acted=has_acted)
    for sentence, language, sent in (
        ("Stop", "en", requests),
        ("Stopp", "de", requests),
        ("Never mind", "en", 0),
    ):
        scene = Scene(
            hass, api, sentence, ["Yes."], conversation_state=kept, language=language
        )
        await scene.run()
        assert len(scene.client.requests) == sent
    # That means the note.
    kept.noted = "Tea at five"
    scene = Scene(hass, api, "Forget it", ["Yes."], conversation_state=kept)
    await scene.run()
    assert scene.client.requests


@pytest.mark.parametrize(("place", "requests"), [("Hall", 0), ("Kitchen", 1)])
async def test_stop_means_the_music_that_is_heard(
    hass: HomeAssistant, api: llm.APIInstance, place: str, requests: int
) -> None:
    assert await async_setup_component(hass, "homeassistant", {})
    areas, entities = ar.async_get(hass), er.async_get(hass)
    for domain, area in (("media_player", "Kitchen"), ("assist_satellite", place)):
        made = entities.async_get_or_create(domain, "x", "1", suggested_object_id="a")
        area_id = areas.async_get_or_create(area).id
        entities.async_update_entity(made.entity_id, area_id=area_id)
        hass.states.async_set(made.entity_id, "playing")
    scene = Scene(hass, api, "Stop", ["Yes."], satellite="assist_satellite.a")
    await scene.run()
    assert len(scene.client.requests) == requests


@pytest.mark.parametrize(
    ("who", "ago", "is_sent"), [("anna", 0, True), ("ben", 0, False), ("anna", 4_000, False)]
)  # fmt: skip
async def test_stop_may_mean_what_one_has_just_planned(
    hass: HomeAssistant, who: str, ago: float, is_sent: bool
) -> None:
    context = Scene(hass, None, "Stop", []).context
    created = dt_util.utcnow().timestamp() - ago
    plans: Any = [planned(user_id=who, satellite_id=None, created=created)]
    context.plans = plans
    assert (answer_without_request(context) is None) is is_sent


async def test_what_a_call_began_is_kept(
    hass: HomeAssistant, api: llm.APIInstance, turn_off: FakeTool
) -> None:
    """It may still be at it."""
    kept = ConversationState()
    await Scene(hass, api, "Go", [OFF, "Done."], conversation_state=kept).run()
    assert turn_off.calls
    scene = Scene(hass, api, "Stop", ["Stopped."], conversation_state=kept)
    assert await scene.run() == "Stopped."
