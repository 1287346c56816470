"""With Lumo away no sentence opens anything, whatever Home Assistant makes of it."""

from itertools import product
from typing import Final

from homeassistant.helpers import area_registry as ar, floor_registry as fr
import pytest

from custom_components.lumo.const import ToolCalling
from custom_components.lumo.gate.names import own_names_of

from .stage import ANNA, AUTOMATION, Stage, opened

PRIVATE = pytest.mark.parametrize("mode", [ToolCalling.PRIVATE])
TEMPLATES: Final = {
    "en": (
        "turn off {}",
        "turn on {}",
        "unlock {}",
        "open {}",
        "close {}",
        "run {}",
        "activate {}",
        "turn off the lights in {}",
        "open all the covers in {}",
        "set {} to 40 degrees",
        "set {} to 100%",
        "press {}",
        "unlock {} in 5 minutes",
    ),
    "de": (
        "schalte {} aus",
        "schalte {} ein",
        "öffne {}",
        "entriegel {}",
        "schließe {} auf",
        "starte {}",
        "stelle {} auf 40 Grad",
        "mach alles in {} auf",
        "öffne {} in 5 Minuten",
    ),
    "fr": ("éteins {}", "allume {}", "ouvre {}", "déverrouille {}", "lance {}"),
    "nl": ("zet {} uit", "zet {} aan", "open {}", "ontgrendel {}", "start {}"),
    "es": ("apaga {}", "enciende {}", "abre {}", "desbloquea {}", "ejecuta {}"),
}


@pytest.fixture
def away(stage: Stage) -> Stage:
    stage.model.is_away = True
    return stage


def names(stage: Stage) -> list[str]:
    hass = stage.hass
    found: list[str] = ["everything", "all"]
    for state in hass.states.async_all():
        found += own_names_of(hass, state.entity_id)
    for area in ar.async_get(hass).async_list_areas():
        found += [area.name, *area.aliases]
    for floor in fr.async_get(hass).async_list_floors():
        found += [floor.name, *floor.aliases]
    return list(dict.fromkeys(found))


def sentences(stage: Stage) -> list[tuple[str, str]]:
    """Return every second sentence with its language: each order for each name."""
    said = [
        (language, template.format(name))
        for language in TEMPLATES
        for template, name in product(TEMPLATES[language], names(stage))
    ]
    return said[::2]


@pytest.mark.long
@pytest.mark.timeout(600)
@PRIVATE
async def test_no_sentence_opens_anything(away: Stage) -> None:
    """Whatever Home Assistant understands, whoever says it."""
    done: list[str] = []
    asked = 0
    for number, (language, sentence) in enumerate(sentences(away)):
        away.fresh()
        who = (ANNA, away.at_satellite, AUTOMATION)[number % 3]
        heard = await away.say(sentence, who=who, language=language)
        assert not opened(heard.effects), sentence
        done += heard.effects
        asked += heard.question is not None
    assert done
    assert asked
