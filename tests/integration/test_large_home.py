"""A home of which a request describes only a part: what was left out can be reached."""

from typing import Any

from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.setup import async_setup_component
import pytest

from dev.brain.model import Call, Say
from dev.standin import Standin
from tests.abilities.large_home import add, async_prepare, fill

from .conftest import Script, make_entry, session_data
from .helpers import say
from .llm_apis import READS, ToyTool, register

BUDGET = "custom_components.lumo.agent.turn.BUDGET"

LAMP = "Zanzibar lamp"
TOOL = "brew_quince_jam"


async def test_what_was_left_out_is_found_and_used(
    home: HomeAssistant,
    standin: Standin,
    script: Script,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Things and tools, in the same turn; and all that is on is told."""
    assert await async_setup_component(home, "intent", {})
    await async_prepare(home)
    fill(home, 300)
    add(home, "light.zanzibar", "on", name=LAMP, area="Zanzibar")
    add(home, "light.orb", "on", name="Orb", area="Zanzibar")
    names = [f"task_{number}_of_the_day" for number in range(40)]
    register(
        home, "web", "Web", *(ToyTool(x, annotations=READS) for x in (*names, TOOL))
    )
    acted: list[Any] = []

    async def turn_off(call: ServiceCall) -> None:
        acted.extend(call.data["entity_id"])
        home.states.async_set(acted[0], "off", {"friendly_name": LAMP})

    home.services.async_register("light", "turn_off", turn_off)
    data = session_data(standin)
    monkeypatch.setattr(BUDGET, 12_000)
    entry = make_entry(data, llm_hass_api=["assist", "web"])
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    requests: list[str] = []
    calls: list[list[Call | Say]] = []

    def answer(messages: list[dict[str, str]]) -> list[Call | Say]:
        requests.append("\n".join(message["content"] for message in messages))
        return calls[len(requests) - 1]

    script.rule = answer
    calls[:] = [
        [Call("user:find_in_home", {"words": "lamp of Zanzibar"})],
        [Call("user:HassTurnOff", {"name": LAMP})],
        [Call("user:find_in_home", {"words": "quince jam"})],
        [Call("user:GetLiveContext", {})],
        [Say("There you are.")],
    ]
    assert await say(home, "Get it ready") == "There you are."
    first, found, _, tools, live = requests
    assert LAMP not in first
    described = f'{{"name":"user:{TOOL}","description"'
    assert described not in first
    assert f'{{"name": "{LAMP}", "area": "Zanzibar"' in found
    assert acted == ["light.zanzibar"]
    assert described in tools
    assert "Not at rest:" in live
    assert "light on: Orb" in live
    # In a home that is described whole there is nothing to search.
    requests.clear()
    calls[:] = [[Say("Hello.")]]
    monkeypatch.setattr(BUDGET, 10**9)
    monkeypatch.setattr("custom_components.lumo.context.choice.SMALL_HOME", 10**9)
    await say(home)
    assert LAMP in requests[0]
    assert "user:find_in_home" not in requests[0]
