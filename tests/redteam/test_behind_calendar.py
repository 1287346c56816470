"""What people say behind a question for their calendar, in each language.

Somebody else may have written what stands in it, so only what a person's own sentence
asks for runs without a question: that, and nothing else.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from pathlib import Path
import tomllib
from typing import Any, Final

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import pytest

from custom_components.lumo.agent.options import AgentOptions
from custom_components.lumo.gate.judge import Judge
from custom_components.lumo.gate.judged_call import JudgedCall
from custom_components.lumo.gate.notes import NOTES
from custom_components.lumo.gate.speaker import Earlier, Speaker
from custom_components.lumo.languages import LANGUAGES
from tests.abilities.large_home import add, async_prepare
from tests.sampling import quick_in

SAID: Final = tomllib.loads(
    Path(__file__).with_name("behind_calendar.toml").read_text(encoding="utf-8")
)
# Key -> domain and class, area by its place in `areas`, tool, arguments.
THINGS: Final[Mapping[str, tuple[str, int | None, str, Mapping[str, Any]]]] = {
    "lamp": ("light", 0, "HassTurnOff", {}),
    "floor_lamp": ("light", 1, "HassTurnOn", {}),
    "bedside": ("light", 2, "HassLightSet", {"brightness": 30}),
    "coffee": ("switch", 0, "HassTurnOn", {}),
    "fountain": ("switch", 3, "HassTurnOff", {}),
    "dishwasher": ("switch", 0, "HassTurnOn", {}),
    "blanket": ("switch", 2, "HassTurnOff", {}),
    "guest": ("input_boolean", None, "HassTurnOn", {}),
    "movie": ("script", None, "script__movie", {}),
    "socket": ("switch", None, "HassTurnOff", {}),
    "tree": ("switch", 1, "HassTurnOff", {}),
    "blind": ("cover:blind", 1, "HassTurnOff", {}),
    "thermostat": ("climate", 2, "HassClimateSetTemperature", {"temperature": 21}),
    "radio": ("media_player", 0, "HassMediaPause", {}),
    "tv": ("media_player:tv", 1, "HassTurnOff", {}),
    "robot": ("vacuum", 1, "HassVacuumStart", {}),
    "list": ("todo", None, "HassListAddItem", {"item": "Tofu"}),
}
# What is of one kind; in some languages the tree is lit by a word for lamps.
KINDS: Final = ({"lights", "lamp", "floor_lamp", "bedside", "tree"}, {"radio", "tv"})
ROWS: Final = (*THINGS, "lights")
STATES: Final = {"media_player": "playing", "cover": "open"}


async def build(hass: HomeAssistant, words: Mapping[str, Any]) -> None:
    """Furnish the home, with its names in a language."""
    await async_prepare(hass)
    domains = {kind.partition(":")[0] for kind, *_ in THINGS.values()} - {"script"}
    for domain in ("conversation", "intent", *domains):
        assert await async_setup_component(hass, domain, {})
    for key, (kind, area, _, _) in {**THINGS, "other": THINGS["socket"]}.items():
        domain, _, device_class = kind.partition(":")
        if domain == "script":
            continue
        attributes: dict[str, Any] = {"supported_features": 0x1FFFF}
        if device_class:
            attributes["device_class"] = device_class
        add(
            hass,
            f"{domain}.{key}",
            STATES.get(domain, "on"),
            name=words[key][0]
            if key in words
            else words["socket"][0].replace("2", "1"),
            area=None if area is None else words["areas"][area],
            **attributes,
        )
    act = {"action": "light.turn_off", "target": {"entity_id": "light.lamp"}}
    script = {"movie": {"alias": words["movie"][0], "sequence": [act]}}
    assert await async_setup_component(hass, "script", {"script": script})
    await hass.async_block_till_done()
    async_expose_entity(hass, "conversation", "script.movie", True)


def arguments(key: str, words: Mapping[str, Any]) -> dict[str, Any]:
    if key == "lights":
        return {"area": words["areas"][1], "domain": ["light"]}
    _, _, tool, more = THINGS[key]
    return {**more} if tool.startswith("script__") else {"name": words[key][0], **more}


type Runs = Callable[[str, str], Awaitable[bool]]


@pytest.fixture
async def runs(hass: HomeAssistant, language: str) -> Runs:
    """Return what tells whether a call runs at once, behind a sentence."""
    words = SAID[language]
    await build(hass, words)
    context = llm.LLMContext("lumo", Context(), language, "conversation", None)
    api = await llm.async_get_api(hass, llm.LLM_API_ASSIST, context)
    tools = {tool.name.rpartition("__")[2]: tool for tool in api.tools}
    tools |= {tool.name: tool for tool in api.tools}
    options = AgentOptions.from_subentry({}, encrypted=True)

    async def runs(sentence: str, key: str) -> bool:
        tool = "HassTurnOn" if key == "lights" else THINGS[key][2]
        speaker = Speaker("anna", None, True, sentence, language)
        judge = Judge(hass, options, speaker, Earlier())
        case = JudgedCall(hass, tools[tool], arguments(key, words), context)
        verdict = await judge.async_judge(replace(case, after_outside=True))
        # What is asked about is refused in a language without a yes.
        is_answer = verdict.refusal in (None, NOTES["opposite"])
        assert verdict.sentence == (None if is_answer else "cannot_ask")
        return not (verdict.asks or verdict.refusal)

    return runs


# A word of a compound is no word of the name, so they are asked as ever.
ASKED: Final = {"Kaffee an", "Koffie aan", "Kaffe på"}


@pytest.mark.long
@pytest.mark.parametrize("language", quick_in(["en", "de", "fr"], SAID))
async def test_what_is_asked_for_runs_and_nothing_else(
    runs: Runs, language: str, subtests: pytest.Subtests
) -> None:
    """Twenty commands; beside what one is for, it frees lights or players at most."""
    words = SAID[language]
    for key in ROWS:
        kinds = [kind for kind in KINDS if key in kind]
        for sentence in words[key][1:]:
            with subtests.test(sentence):
                free = {other for other in ROWS if await runs(sentence, other)}
                assert (key in free) is (sentence not in ASKED)
                assert free <= {key}.union(*kinds)
    for sentence in words["idle"]:
        with subtests.test(sentence):
            assert not [key for key in ROWS if await runs(sentence, key)]


def test_every_language_is_there() -> None:
    assert SAID.keys() == LANGUAGES.keys()
    for words in SAID.values():
        assert words.keys() == {*ROWS, "areas", "idle"}
        assert sum(len(words[key]) - 1 for key in ROWS) == 20
