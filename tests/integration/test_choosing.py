"""What requests say of the home: ours for Home Assistant's list, right in every turn."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.const import DEFAULT_OPTIONS
from custom_components.lumo.diagnostics import async_get_config_entry_diagnostics
from dev.brain.model import Call, Say
from dev.standin import Standin

from .conftest import Plan, Script, make_entry, session_data
from .conversing import lumo_trace, say
from .llm_apis import register

OURS = "Static Context: the floors and areas of this home"
FIND = Call("user:find_in_home", {"words": "lamp 77"})


def add(hass: HomeAssistant, *names: str) -> None:
    for name in names:
        entity_id = f"light.{name.lower().replace(' ', '_')}"
        hass.states.async_set(entity_id, "on", {"friendly_name": name})
        async_expose_entity(hass, "conversation", entity_id, True)


class Reader:
    """A model that says what it is told, and notes what it was sent."""

    def __init__(self, *plans: Plan) -> None:
        self._plans = list(plans)
        self.texts: list[str] = []

    def __call__(self, messages: list[dict[str, str]]) -> Plan:
        self.texts.append("\n".join(item["content"] for item in messages))
        return self._plans.pop(0) if self._plans else [Say("Fine.")]


@pytest.fixture
async def lamps(home: HomeAssistant) -> HomeAssistant:
    """Return a home with two lamps, and what can be done with them."""
    for domain in ("intent", "light"):
        assert await async_setup_component(home, domain, {})
    add(home, "Desk lamp", "Bed lamp")
    return home


async def set_up(hass: HomeAssistant, standin: Standin, **options: Any) -> str:
    """Set the agent up; return the id of its subentry."""
    entry = make_entry(session_data(standin), **{**DEFAULT_OPTIONS, **options})
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return next(iter(entry.subentries))


async def test_ours_stands_for_home_assistants_list_and_is_right_in_every_turn(
    lamps: HomeAssistant, entry: MockConfigEntry, script: Script
) -> None:
    """Also in a conversation whose prompt Home Assistant 2026.11 keeps."""
    script.rule = reader = Reader()
    result = await say(lamps, "Hello")
    add(lamps, "New lamp")
    async_expose_entity(lamps, "conversation", "light.desk_lamp", False)
    await say(lamps, "Hello again", result.conversation_id)
    first, second = reader.texts
    for text in reader.texts:
        assert "- names:" not in text
        assert text.count(OURS) == 1
    assert "  light: Bed lamp; Desk lamp" in first
    assert "  light: Bed lamp; New lamp" in second
    assert "Desk lamp" not in second


async def test_what_is_exposed_first_in_a_conversation_is_described(
    home: HomeAssistant, entry: MockConfigEntry, script: Script
) -> None:
    """Home Assistant had said that nothing is."""
    for domain in ("intent", "light"):
        assert await async_setup_component(home, domain, {})
    script.rule = reader = Reader()
    result = await say(home, "Hello")
    add(home, "New lamp")
    await say(home, "Hello again", result.conversation_id)
    first, second = reader.texts
    assert "tell them to expose entities" in first
    assert OURS not in first
    assert "tell them to expose entities" not in second
    assert "  light: New lamp" in second


async def test_a_list_in_another_form_stays_alone(
    lamps: HomeAssistant, standin: Standin, script: Script
) -> None:
    api = register(lamps, "other", "Other")
    api.prompt = "Static Context: your home has\n* a Desk lamp"
    await set_up(lamps, standin, llm_hass_api=["other"])
    script.rule = reader = Reader()
    await say(lamps, "Hello")
    assert reader.texts[0].count("Static Context") == 1


async def test_an_agent_without_the_home_is_told_nothing_of_it(
    lamps: HomeAssistant, standin: Standin, script: Script
) -> None:
    """Its APIs are what it may see."""
    register(lamps, "other", "Other")
    await set_up(lamps, standin, llm_hass_api=["other"])
    script.rule = reader = Reader()
    await say(lamps, "Turn on the desk lamp")
    assert OURS not in reader.texts[0]
    assert "  light:" not in reader.texts[0]
    assert "find_in_home" not in reader.texts[0]


async def test_a_large_home_is_described_in_part_and_can_be_searched(
    lamps: HomeAssistant, entry: MockConfigEntry, script: Script
) -> None:
    """The trace says what was described; diagnostics have only sizes."""
    add(lamps, *(f"Ceiling {number}" for number in range(70)), "Lamp 77")
    script.rule = reader = Reader([FIND])
    await say(lamps, "Turn off the ceiling 42")
    assert "Ceiling 42" in reader.texts[0]
    assert "light 73" in reader.texts[0]
    assert "user:find_in_home(" in reader.texts[0]
    assert "Lamp 77" in reader.texts[1]
    assert all(len(text) < 20_000 for text in reader.texts)
    found = lumo_trace()
    assert found["things"][0] == "Ceiling 42"
    assert found["sizes"]["things_left_out"] > 0
    told = str(await async_get_config_entry_diagnostics(lamps, entry))
    assert "things_left_out" in told
    assert "Ceiling" not in told
