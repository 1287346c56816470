"""With Lumo away: Home Assistant understands the sentence, and the gate still judges.

The whole table of attacks, each call as if Home Assistant had recognised it in what a
person said; and everything that its own matcher makes of the names in the house.
"""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, Final
from unittest.mock import patch

from hassil.intents import Intent, IntentData
from hassil.models import MatchEntity
from hassil.recognize import RecognizeResult
from homeassistant.components import conversation
from homeassistant.helpers import area_registry as ar, floor_registry as fr
import pytest

from custom_components.lumo.const import ToolCalling
from custom_components.lumo.gate.names import own_names_of

from .attacks import SCRIPT_NAMES, TARGETS, Attack
from .stage import ANNA, AUTOMATION, CHAINED, Call, Line, Stage, Who, opened

PRIVATE = pytest.mark.parametrize("mode", [ToolCalling.PRIVATE])
# What the whole table is too many of for the quick run.
SAMPLE: Final = 12
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
    """Return the house when Lumo cannot be reached."""
    stage.model.is_away = True
    return stage


def recognizing(call: Call) -> Any:
    """Let Home Assistant recognise a call in the next sentence."""
    result = RecognizeResult(
        intent=Intent(call.tool),
        intent_data=IntentData(sentence_texts=[]),
        entities={
            key: MatchEntity(name=key, value=value, text=str(value))
            for key, value in call.arguments.items()
        },
    )

    async def handle(*_: Any, intent_filter: Callable[[RecognizeResult], bool]) -> None:
        assert intent_filter(result)

    return patch.object(conversation, "async_handle_intents", handle)


def attacks() -> list[Any]:
    """Return all attacks by one intent, some of them for the quick run."""
    found = {
        trick: attack
        for trick, attack in (TARGETS | SCRIPT_NAMES).items()
        if len(attack.calls) == 1 and attack.calls[0].tool.startswith("Hass")
    }
    assert len(found) > 80
    return [
        pytest.param(dict(list(found.items())[::SAMPLE]), id="some"),
        pytest.param(found, id="all", marks=pytest.mark.long),
    ]


@PRIVATE
@pytest.mark.parametrize("table", attacks())
async def test_nothing_opens_without_a_yes(
    away: Stage, table: dict[str, Attack], subtests: pytest.Subtests
) -> None:
    """Nor does more than with Lumo; and a yes opens what was asked about, once."""
    for trick, attack in table.items():
        with subtests.test(trick):
            away.fresh()
            with recognizing(attack.calls[0]):
                line = Line("Do it", asks=attack.asks or None, does=attack.does)
                await away.play(line)
            if attack.opens:
                await away.play(
                    Line("Yes please", does=attack.opens), Line("Yes please")
                )


@PRIVATE
@pytest.mark.parametrize("who", [AUTOMATION, CHAINED])
@pytest.mark.parametrize("table", attacks())
async def test_nothing_opens_where_nobody_can_be_asked(
    away: Stage, table: dict[str, Attack], who: Who, subtests: pytest.Subtests
) -> None:
    """Automations speak to the agent too."""
    for trick, attack in table.items():
        with subtests.test(trick):
            away.fresh()
            with recognizing(attack.calls[0]):
                heard = await away.say("Do it", who=who)
            assert not opened(heard.effects)
            assert not heard.is_open


def names(stage: Stage) -> list[str]:
    """Return what anything in the house is called."""
    hass = stage.hass
    found: list[str] = ["everything", "all"]
    for state in hass.states.async_all():
        found += own_names_of(hass, state.entity_id)
    for area in ar.async_get(hass).async_list_areas():
        found += [area.name, *area.aliases]
    for floor in fr.async_get(hass).async_list_floors():
        found += [floor.name, *floor.aliases]
    return list(dict.fromkeys(found))


def sentences(
    stage: Stage, languages: Iterable[str], every: int
) -> list[tuple[str, str]]:
    """Return sentences with their languages: each order for each name, or some."""
    said = [
        (language, template.format(name))
        for language in languages
        for template, name in product(TEMPLATES[language], names(stage))
    ]
    return said[::every]


@pytest.mark.timeout(600)
@PRIVATE
@pytest.mark.parametrize(
    ("languages", "every"),
    [(["en"], 19), pytest.param(list(TEMPLATES), 2, marks=pytest.mark.long)],
)
async def test_no_sentence_opens_anything(
    away: Stage, languages: list[str], every: int
) -> None:
    """Whatever Home Assistant understands, whoever says it."""
    done: list[str] = []
    asked = 0
    for number, (language, sentence) in enumerate(sentences(away, languages, every)):
        away.fresh()
        who = (ANNA, away.at_satellite, AUTOMATION)[number % 3]
        heard = await away.say(sentence, who=who, language=language)
        assert not opened(heard.effects), sentence
        done += heard.effects
        asked += heard.question is not None
    assert done
    assert asked
