"""Nobody is asked a needless question, whatever was read before.

Each sentence is judged with the call that a model writes for it: half of them in the
quick tests after a list, a calendar or a page was read; all of them both ways else.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import async_mock_service

from custom_components.lumo.agent.options import AgentOptions
from custom_components.lumo.const import CONF_AT_HOME
from custom_components.lumo.gate.judge import Judge
from custom_components.lumo.gate.judged_call import JudgedCall
from custom_components.lumo.gate.speaker import Earlier, Speaker
from tests.abilities.large_home import add, async_prepare
from tests.agent.scripted import Scene

from .household import AREAS, HOMES, LANGUAGES, NAMES, ROWS, SCRIPTS, THINGS

DOMAINS = (
    *("light", "switch", "fan", "cover", "lock", "media_player", "climate"),
    *("vacuum", "todo", "input_boolean"),
)
ON: dict[str, Any] = {CONF_AT_HOME: True}
# What a template entity does when it is turned on or off.
ACT = {"action": "light.turn_on", "target": {"entity_id": "light.bulb"}}


async def build(hass: HomeAssistant, home: str, language: str) -> None:
    """Set up one of the homes, with its names in a language."""
    await async_prepare(hass)
    for domain in ("conversation", "intent", *DOMAINS):
        assert await async_setup_component(hass, domain, {})
    states = {"media_player": "playing", "cover": "open", "lock": "unlocked"}
    for key, (where, kind, area, features) in THINGS.items():
        if where == home:
            domain, _, device_class = kind.partition(":")
            attributes: dict[str, Any] = {"supported_features": features}
            if device_class:
                attributes["device_class"] = device_class
            add(
                hass,
                f"{domain}.{key}",
                states.get(domain, "on"),
                name=NAMES[key][language],
                area=AREAS[area][language] if area else None,
                **attributes,
            )
    if home == "helpers":
        await add_helpers(hass, language)
    for state in hass.states.async_all():
        async_expose_entity(hass, "conversation", state.entity_id, True)


async def add_helpers(hass: HomeAssistant, language: str) -> None:
    """Add forty scripts, and entities that are made of templates."""
    async_mock_service(hass, "notify", "notify")
    scripts: dict[str, dict[str, Any]] = {
        key: {"alias": NAMES[key][language], "sequence": list(steps)}
        for key, steps in SCRIPTS.items()
    }
    scripts["tell"]["fields"] = {"text": {"selector": {"text": {}}}}
    for number in range(40 - len(scripts)):
        steps = list(SCRIPTS.values())[number % len(SCRIPTS)]
        scripts[f"more_{number}"] = {"alias": f"More {number}", "sequence": steps}
    act: dict[str, Any] = {"turn_on": [ACT], "turn_off": [ACT]}
    template: list[dict[str, Any]] = [
        {
            "light": {
                "name": NAMES["evening"][language],
                "state": "on",
                **act,
                "set_level": [ACT],
            }
        },
        {
            "fan": {
                "name": NAMES["airing"][language],
                "state": "on",
                **act,
                "set_percentage": [ACT],
            }
        },
    ]
    configs: dict[str, Any] = {"script": scripts, "template": template}
    for domain, config in configs.items():
        assert await async_setup_component(hass, domain, {domain: config})
    await hass.async_block_till_done()


def quick_or_long(home: str, language: str) -> Any:
    """Return a home in a language; a few of them belong to the quick tests."""
    is_quick = LANGUAGES.index(language) % len(HOMES) == HOMES.index(home)
    marks = [] if is_quick and LANGUAGES.index(language) < 3 else [pytest.mark.long]
    return pytest.param(home, language, marks=marks, id=f"{home}-{language}")


@pytest.mark.parametrize(
    ("home", "language"),
    [quick_or_long(home, language) for home in HOMES for language in LANGUAGES],
)
async def test_no_needless_question(
    hass: HomeAssistant, home: str, language: str, subtests: pytest.Subtests
) -> None:
    """The call runs as a whole."""
    await build(hass, home, language)
    context = llm.LLMContext("lumo", Context(), language, "conversation", None)
    api = await llm.async_get_api(hass, llm.LLM_API_ASSIST, context)
    tools = {tool.name.rpartition("__")[2]: tool for tool in api.tools}
    tools |= {tool.name: tool for tool in api.tools}
    options = AgentOptions.from_subentry({}, encrypted=True)
    rows: Sequence[Any] = [row for row in ROWS if row.home == home]
    for row in rows:
        for after_outside in (False, True):
            sentence = row.said[language]
            with subtests.test(f"{sentence}, {'after' * after_outside}"):
                speaker = Speaker("anna", None, True, sentence, language)
                judge = Judge(hass, options, speaker, Earlier())
                case = JudgedCall(hass, tools[row.tool], row.call(language), context)
                case = replace(case, after_outside=after_outside)
                verdict = await judge.async_judge(case)
                assert [(ask.phrase, ask.targets) for ask in verdict.asks] == []
                assert verdict.refusal is None
                assert verdict.runs


# Of the sentences of each language at least so many need no request.
AT_HOME = {"en": 9, "de": 13, "fr": 14, "nl": 14, "es": 14}


@pytest.mark.parametrize(
    "language",
    [
        code if code == "en" else pytest.param(code, marks=pytest.mark.long)
        for code in LANGUAGES
    ],
)
async def test_what_is_done_at_home_is_what_is_meant(
    hass: HomeAssistant, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same things as with Lumo, with no request and no question more."""
    monkeypatch.setattr("custom_components.lumo.gate.verify.PATIENCE", 0)
    await build(hass, "usual", language)
    context = llm.LLMContext("lumo", Context(), language, "conversation", None)
    done: list[str] = []
    for row in (row for row in ROWS if row.home == "usual"):
        sentence = row.said[language]
        api = await llm.async_get_api(hass, llm.LLM_API_ASSIST, context)
        tools = {tool.name.rpartition("__")[2]: tool for tool in api.tools}
        meant = JudgedCall(hass, tools[row.tool], row.call(language), context)
        scene = Scene(hass, api, sentence, ["Fine."], language=language, **ON)
        await scene.run()
        assert scene.turn is not None
        assert not scene.record.questions, sentence
        if not scene.client.requests:
            [outcome] = scene.turn.outcomes
            targets = [target.entity_id for target in meant.targets]
            assert sorted(outcome.targets) == sorted(targets), sentence
            done.append(sentence)
    assert len(done) >= AT_HOME[language], done
