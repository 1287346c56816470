"""What things are called in a question."""

from dataclasses import replace
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, entity_registry as er, llm
import probatio
import pytest

from custom_components.lumo.abilities.later import Later
from custom_components.lumo.agent import approved
from custom_components.lumo.agent.confirmation import Confirmation
from custom_components.lumo.agent.question import worded
from custom_components.lumo.gate.call_record import CallRecord
from custom_components.lumo.gate.effects import RING, Effect
from custom_components.lumo.gate.gate import Gate
from custom_components.lumo.gate.judged_call import Ask
from custom_components.lumo.languages import LANGUAGES

from .conftest import FakeTool
from .scripted import Scene
from .test_approved import planned
from .test_question import sentences


@pytest.mark.parametrize(
    ("language", "name", "sentence", "called"),
    [
        ("en", "Front Door", "unlock the front door please", "the front door"),
        ("en", "Front Door", "make it cosy", "the front door"),
        ("en", "Front Door", "let the cat in, open the hatch", "the hatch"),
        ("en", "Anna's lamp", "light", "Anna's lamp"),
        ("en", "Kitchen TV", "turn on the TV", "the kitchen TV"),
        ("en", "The Gate", "open up", "The Gate"),
        ("de", "Haustür", "schließ die Haustür auf", "die Haustür"),
        ("de", "Fernseher", "an damit", "den Fernseher"),
        ("de", "Küchentemperatur", "auf", "Küchentemperatur"),
        ("fr", "Porte d'entrée", "ouvre la porte d’entrée", "la porte d'entrée"),
        ("fr", "Alarme", "coupe", "l'alarme"),
        ("es", "Puerta principal", "abre", "la puerta principal"),
        ("it", "Scaldabagno", "apri", "lo scaldabagno"),
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


ABBA = {"media": {"metadata": {"title": "Abba"}}}
LIGHTS = [f"light.{n}" for n in range(4)]


def off(*entity_ids: str, **more: Any) -> tuple[list[Effect], dict[str, Any]]:
    return [Effect(item, "turn_off") for item in entity_ids], more


def dim(*values: int) -> tuple[list[Effect], dict[str, Any]]:
    pairs = zip(LIGHTS, values, strict=False)
    return [Effect(x, "turn_on", {"brightness_pct": n}) for x, n in pairs], {}


@pytest.mark.parametrize(
    ("calls", "told"),
    [
        ([off("light.0")], "I turned off the lamp 0."),
        ([off(*LIGHTS[:3])], "I turned off the lamp 0, the lamp 1 and the lamp 2."),
        ([off(*LIGHTS)], "I turned off 4 lights (Kitchen)."),
        ([off(*LIGHTS, "light.hall")], "I turned off 5 lights."),
        ([off("light.hall", *LIGHTS)], "I turned off 5 lights."),
        ([off(*LIGHTS, "light.nowhere")], "I turned off 5 lights."),
        ([off(*LIGHTS, "switch.a")], "I turned off 5 devices."),
        ([off("light.0", "light.0")], "I turned off the lamp 0."),
        ([dim(20, 20)], "I set the lamp 0 and the lamp 1 to 20 percent."),
        ([dim(20, 30, 40)], "I set the lamp 0 to 20 percent. I set the lamp 1 to 30 percent. I set the lamp 2 to 40 percent."),
        ([dim(20, 30, 40, 50)], "I have set 4 lights (Kitchen)."),
        ([([Effect("media_player.a", "volume_mute")], {})], "Done."),
        ([([], {})], "Done."),
        # It has planned nothing.
        ([([], {"name": Later.name})], "Done."),
        ([off("light.0"), ([], {})], "I turned off the lamp 0. The rest is done too."),
        ([off("light.0"), ([], {"name": Later.name})], "I turned off the lamp 0. Planned: unlock Door, at ten."),
        ([off("light.0", skipped=["Oven"])], "I turned off the lamp 0. Not touched: Oven."),
        ([off("light.quiet")], ""),
        ([off("light.0", success=False)], ""),
        ([off("light.0", is_private=True)], ""),
        ([off("light.0", annotations=llm.ToolAnnotations(read_only=True))], ""),
    ],
)  # fmt: skip
async def test_what_was_done_is_told_by_name_or_number(
    hass: HomeAssistant,
    monkeypatch: pytest.MonkeyPatch,
    calls: list[tuple[list[Effect], dict[str, Any]]],
    told: str,
) -> None:
    """Not what is not known to be done, or nobody may hear."""
    entities, areas = er.async_get(hass), ar.async_get(hass)
    kitchen, hall = (areas.async_create(name).id for name in ("Kitchen", "Hall"))
    for item in (*LIGHTS, "light.hall", "light.quiet", "light.nowhere"):
        name = item.partition(".")[2]
        entities.async_get_or_create("light", "test", name, suggested_object_id=name)
        area = {"hall": hall, "nowhere": None}.get(name, kitchen)
        entities.async_update_entity(item, area_id=area)
        hass.states.async_set(item, "off", {"friendly_name": f"lamp {name}"})
    context = Scene(hass, None, "Make it dark", []).context
    context.sentences = sentences("en")
    tool = FakeTool("tool", probatio.Schema({}))
    given = [{"success": True, **more, "effects": some} for some, more in calls]
    gate = Gate(silent={"lamp quiet": Effect("light.quiet", "turn_off")})
    records = (replace(CallRecord.of(tool), **more) for more in given)
    plans: Any = [planned(id="other"), planned(id="p")]
    context.plans = plans
    monkeypatch.setattr(approved, "spoken_when", lambda *_: "at ten")
    made = ["p"] if "Planned" in told else []
    assert Confirmation(context, gate, made).text(records) == told


@pytest.mark.parametrize(
    ("entity_id", "service", "data", "did"),
    [
        # It was not heard.
        ("person.emma", RING, {}, ("did_send", "")),
        ("light.a", "turn_on", {"brightness_pct": 20}, ("did_percent", "20")),
        ("cover.a", "set_cover_position", {"position": 20}, ("did_percent", "20")),
        ("fan.a", "set_percentage", {"percentage": 20}, ("did_percent", "20")),
        ("climate.a", "set_temperature", {"temperature": 20}, ("did_degrees", "20")),
        ("select.a", "select_option", {"option": "Eco"}, ("did_set_value", "Eco")),
        ("media_player.a", "play_media", ABBA, ("did_play", "Abba")),
        ("media_player.a", "media_next_track", {}, ("did_set", "")),
    ],
)
async def test_what_was_done_has_words_of_its_own(
    hass: HomeAssistant, entity_id: str, service: str, data: Any, did: tuple[str, str]
) -> None:
    context = Scene(hass, None, "-", []).context
    context.sentences = sentences("en")
    told = Confirmation(context, Gate(), ())._did(Effect(entity_id, service, data))
    assert told == did
