"""What things are called in a question."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
import pytest

from custom_components.lumo.agent.confirmation import _did
from custom_components.lumo.agent.question import worded
from custom_components.lumo.gate.effects import RING, Effect
from custom_components.lumo.gate.judged_call import Ask
from custom_components.lumo.languages import LANGUAGES


@pytest.mark.parametrize(
    ("language", "name", "sentence", "called"),
    [
        ("en", "Front Door", "unlock the front door please", "the front door"),
        ("en", "Front Door", "Unlock my front door", "the front door"),
        ("en", "Front Door", "make it cosy", "the front door"),
        ("en", "Front Door", "let the cat in, open the hatch", "the hatch"),
        ("en", "Anna's lamp", "light", "Anna's lamp"),
        ("en", "Kitchen TV", "turn on the TV", "the kitchen TV"),
        ("en", "The Gate", "open up", "The Gate"),
        ("en", "Robby", "clean up", "Robby"),
        ("de", "Haustür", "schließ die Haustür auf", "die Haustür"),
        ("de", "Haustür", "mach auf", "die Haustür"),
        ("de", "Fernseher", "an damit", "den Fernseher"),
        ("de", "Garagentor", "auf", "das Garagentor"),
        ("de", "Deckenventilator", "aus", "den Deckenventilator"),
        ("de", "Küchentemperatur", "auf", "Küchentemperatur"),
        ("fr", "Porte d'entrée", "ouvre la porte d’entrée", "la porte d'entrée"),
        ("fr", "Porte d'entrée", "ouvre", "la porte d'entrée"),
        ("fr", "Alarme", "coupe", "l'alarme"),
        ("nl", "Voordeur", "doe open", "de voordeur"),
        ("nl", "Rolluik", "omlaag", "het rolluik"),
        ("es", "Puerta principal", "abre", "la puerta principal"),
        ("es", "Garaje", "abre", "el garaje"),
        ("it", "Scaldabagno", "apri", "lo scaldabagno"),
        ("it", "Sensore porta", "apri", "il sensore porta"),
        ("pt", "Sensor da porta", "abre", "o sensor da porta"),
    ],
)
async def test_a_thing_is_called_as_the_person_did(
    hass: HomeAssistant, language: str, name: str, sentence: str, called: str
) -> None:
    er.async_get(hass).async_get_or_create(
        "lock", "test", "1", suggested_object_id="one"
    )
    er.async_get(hass).async_update_entity("lock.one", aliases=["hatch"])
    hass.states.async_set("lock.one", "locked", {"friendly_name": name})
    ask = Ask("tool", {}, frozenset({"lock.one"}), "do_unlock", (name, "?.(["))
    [found] = worded(hass, [ask], sentence, LANGUAGES[language])
    assert found.targets == (called, "?.([")


@pytest.mark.parametrize(
    ("language", "names", "called"),
    [
        ("de", ("Front Door", "Haustür"), "die Haustür"),
        ("en", ("Front Door", "Haustür"), "the front door"),
        ("en", ("Haustür", "hatch", "front door"), "the front door"),
        ("nl", ("Front Door", "Haustür"), "Front Door"),
        ("de", ("Robby", "Staubsauger"), "Robby"),
        ("de", ("Deckenlampe", "Licht"), "die Deckenlampe"),
    ],
)
async def test_an_alias_in_the_language_is_rather_understood(
    hass: HomeAssistant, language: str, names: tuple[str, ...], called: str
) -> None:
    name, *aliases = names
    entities = er.async_get(hass)
    entities.async_get_or_create("lock", "test", "1", suggested_object_id="one")
    entities.async_update_entity("lock.one", aliases=[*aliases])
    hass.states.async_set("lock.one", "locked", {"friendly_name": name})
    ask = Ask("tool", {}, frozenset({"lock.one"}), "do_unlock", (name,))
    [found] = worded(hass, [ask], "", LANGUAGES[language])
    assert found.targets == (called,)


async def test_a_phone_was_not_heard(hass: HomeAssistant) -> None:
    assert _did(hass, Effect("person.emma", RING)) == ("did_send", "")
