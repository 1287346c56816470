"""A home, and a judge for each sentence that is said there."""

from typing import Any

from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr, llm
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.agent.options import AgentOptions
from custom_components.lumo.gate.judge import Judge
from custom_components.lumo.gate.judged_call import JudgedCall, Verdict
from custom_components.lumo.gate.speaker import Earlier, Speaker
from tests.abilities.large_home import add, async_prepare

OFF, ON = "intent__HassTurnOff", "intent__HassTurnOn"
ADD = "todo__HassListAddItem"
LIVE = "homeassistant__GetLiveContext"
# Whoever says so means them too.
DOORS_TOO = "Everything, and the doors too"
THINGS = [
    ("light.hall", "Hall light", "Hall"),
    ("lock.front", "Front door", "Hall"),
    ("light.front", "Front door", "Kitchen"),
    ("light.kitchen", "Kitchen light", "Kitchen"),
    ("climate.hall", "Heating", "Hall"),
    ("todo.chores", "Chores", "Kitchen"),
]


class Home:
    """A home, and a judge for each sentence."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.satellite: str | None = None
        self.earlier = Earlier()
        self.person = True
        self.behind: Speaker | None = None
        self.language = "en"
        self.options: dict[str, Any] = {}

    async def open(
        self, tool: str | llm.Tool, sentence: str = "Do it"
    ) -> tuple[Judge, llm.Tool, llm.LLMContext]:
        """Return the judge of a turn, and a tool, perhaps looked up by its name."""
        context = llm.LLMContext(
            "lumo", Context(user_id="anna"), "en", "conversation", self.satellite
        )
        api = await llm.async_get_api(self.hass, llm.LLM_API_ASSIST, context)
        judge = Judge(
            self.hass,
            AgentOptions.from_subentry(self.options, encrypted=True),
            Speaker(
                *("anna", None, self.person, sentence, self.language),
                device_id=self.satellite,
                behind=self.behind,
            ),
            self.earlier,
        )
        found = next((item for item in api.tools if item.name == tool), tool)
        assert isinstance(found, llm.Tool)
        return judge, found, context

    async def judge(
        self,
        tool: str | llm.Tool,
        /,
        sentence: str = "Do it",
        *,
        approved: Any = (),
        **more: Any,
    ) -> Verdict:
        flags = {x: more.pop(x, False) for x in ("after_outside", "must_ask")}
        judge, found, context = await self.open(tool, sentence)
        case = JudgedCall(self.hass, found, more, context, frozenset(approved), **flags)
        return await judge.async_judge(case)


@pytest.fixture
async def home(hass: HomeAssistant) -> Home:
    entry = MockConfigEntry()
    entry.add_to_hass(hass)
    for domain in (
        *("homeassistant", "conversation", "intent"),
        *("light", "lock", "climate", "todo", "media_player"),
    ):
        assert await async_setup_component(hass, domain, {})
    # Their intents come with files that may not have been read yet.
    await hass.async_block_till_done()
    await async_prepare(hass)
    for entity_id, name, area in THINGS:
        add(hass, entity_id, "on", name=name, area=area, supported_features=1)
    home = Home(hass)
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "satellite")}
    )
    kitchen = ar.async_get(hass).async_get_area_by_name("Kitchen")
    assert kitchen
    dr.async_get(hass).async_update_device(device.id, area_id=kitchen.id)
    home.satellite = device.id
    return home


def asked(verdict: Verdict) -> list[tuple[str, tuple[str, ...], str]]:
    return [(ask.phrase, ask.targets, ask.value) for ask in verdict.asks]
