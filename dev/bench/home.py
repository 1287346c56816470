"""One of the homes that the sentences speak of, in this process, with two agents.

    row -> prepare -> say (or call, the reference) -> Effects

The home is made of real entities, registries and services of Home Assistant; before
each sentence it is put into a state in which what should happen can be seen.
"""

from collections import Counter
from collections.abc import Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, field
import json
import tempfile
from typing import Any, Self

from homeassistant import loader
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.components import conversation
from homeassistant.components.cover import CoverEntityFeature
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.intent.timers import (
    TimerEventType,
    TimerInfo,
    async_register_timer_handler,
)
from homeassistant.components.light import ColorMode
from homeassistant.const import EVENT_CALL_SERVICE
from homeassistant.core import Context, Event, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
    floor_registry as fr,
    frame,
    intent,
    llm,
)
from homeassistant.helpers.entity_component import EntityComponent
from homeassistant.setup import async_setup_component
import probatio
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_test_home_assistant,
)

from custom_components.lumo.const import (
    CONF_AT_HOME,
    CONF_TOOL_CALLING,
    DEFAULT_OPTIONS,
    DOMAIN,
)
from dev.demo_home.entities import KINDS, DemoEntity

type Row = dict[str, Any]

AGENTS = {mode: {CONF_TOOL_CALLING: mode} for mode in ("private", "native")}
# Those that take commands, beside scripts; of all others there is only a state.
_ACTING = (
    *("climate", "cover", "fan", "light", "lock", "media_player", "scene", "switch"),
    *("todo", "vacuum", "valve"),
)
# What beside their names and states differs from the demo home's.
_START: dict[str, dict[str, Any]] = {
    "climate": {"min_temp": 0, "max_temp": 100},
    "cover": {"supported_features": CoverEntityFeature.OPEN | CoverEntityFeature.CLOSE | CoverEntityFeature.STOP | CoverEntityFeature.SET_POSITION},
    "light": {"supported_color_modes": {ColorMode.HS}, "color_mode": ColorMode.HS},
}  # fmt: skip
_OPPOSITES = {
    "on": "off", "off": "on", "open": "closed", "closed": "open", "locked": "unlocked",
    "unlocked": "locked", "paused": "playing", "playing": "paused",
    "cleaning": "docked", "returning": "cleaning",
}  # fmt: skip
# What a person says to a question about a lock or a door.
_YES = {"en": "yes", "de": "ja", "fr": "oui", "nl": "ja", "es": "sí"}


@dataclass(slots=True)
class Effects:
    """What was done in the home: actions with their data, and timers."""

    services: Counter[str] = field(default_factory=Counter)
    timers: list[tuple[str, int, str | None]] = field(default_factory=list)


@dataclass(slots=True)
class Turn:
    """A sentence and what came of it."""

    effects: Effects
    speech: str
    failed: bool


async def async_begin(stack: AsyncExitStack) -> HomeAssistant:
    """Start Home Assistant for as long as the stack is open."""
    folder = stack.enter_context(tempfile.TemporaryDirectory())
    hass = await stack.enter_async_context(async_test_home_assistant(config_dir=folder))
    stack.push_async_callback(hass.async_stop, force=True)
    hass.data.pop(loader.DATA_CUSTOM_COMPONENTS, None)
    frame.async_setup(hass)
    for domain in ("homeassistant", "conversation", "intent"):
        assert await async_setup_component(hass, domain, {})
    return hass


async def async_add_lumo(
    hass: HomeAssistant,
    account: Mapping[str, Any],
    agents: Mapping[str, Mapping[str, Any]],
) -> MockConfigEntry:
    """Set an account up with these agents: their names, and options of theirs."""
    entry = MockConfigEntry(
        domain=DOMAIN,
        minor_version=2,
        title="Lumo",
        data=account,
        subentries_data=[
            {
                "data": {**DEFAULT_OPTIONS, CONF_AT_HOME: False, **options},
                "subentry_type": "conversation",
                "title": name,
                "unique_id": None,
            }
            for name, options in agents.items()
        ],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return entry


class BenchHome:
    """A home whose agents are Lumo, one in each mode."""

    hass: HomeAssistant

    def __init__(
        self,
        description: dict[str, Any],
        account: dict[str, Any],
        options: Mapping[str, Mapping[str, Any]] | None = None,
    ) -> None:
        self._description = description
        self._account = account
        self._options = options or AGENTS
        self._stack = AsyncExitStack()
        self._things: dict[str, DemoEntity] = {}
        self._starts = {item["id"]: item["state"] for item in description["entities"]}
        self._device_id = ""
        self._agents: dict[str, str] = {}
        self._services: Counter[str] = Counter()
        self._timers: list[tuple[str, int, str | None]] = []

    async def __aenter__(self) -> Self:
        """Start Home Assistant, furnish it, and set Lumo up."""
        self.hass = await async_begin(self._stack)
        await self._async_furnish()
        await self._async_add_agents()
        self.hass.bus.async_listen(EVENT_CALL_SERVICE, self._note_service)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def _async_furnish(self) -> None:
        """Make floors, areas and entities, expose everything, and a timer's device."""
        floors, areas = fr.async_get(self.hass), ar.async_get(self.hass)
        floor_ids, area_ids = {}, {}
        for item in self._description["floors"]:
            floor = floors.async_create(item["name"], aliases=set(item["aliases"]))
            floor_ids[item["id"]] = floor.floor_id
        for item in self._description["areas"]:
            area = areas.async_create(
                item["name"],
                aliases=set(item["aliases"]),
                floor_id=floor_ids.get(item.get("floor")),
            )
            area_ids[item["id"]] = area.id
        by_domain: dict[str, list[dict[str, Any]]] = {}
        for item in self._description["entities"]:
            by_domain.setdefault(item["id"].partition(".")[0], []).append(item)
        for domain, items in by_domain.items():
            await self._async_make(domain, items)
        registry = er.async_get(self.hass)
        for item in self._description["entities"]:
            registry.async_update_entity(
                item["id"],
                aliases=[er.COMPUTED_NAME, *item["aliases"]],
                area_id=area_ids.get(item.get("area")),
            )
            async_expose_entity(self.hass, "conversation", item["id"], True)
        owner = MockConfigEntry(domain="test")
        owner.add_to_hass(self.hass)
        device = dr.async_get(self.hass).async_get_or_create(
            config_entry_id=owner.entry_id, identifiers={("test", "satellite")}
        )
        self._device_id = device.id
        async_register_timer_handler(self.hass, device.id, self._note_timer)

    async def _async_make(self, domain: str, items: list[dict[str, Any]]) -> None:
        """Make the entities of a domain: real ones, or only states that are read."""
        if domain in _ACTING:
            things = {item["id"]: _made(domain, item) for item in items}
            self._things |= things
            assert await async_setup_component(self.hass, domain, {})
            component: EntityComponent[DemoEntity] = self.hass.data[domain]
            await component.async_add_entities(things.values())
        elif domain == "script":
            scripts = {
                item["id"].partition(".")[2]: {
                    "alias": item["name"],
                    "description": item.get("description", ""),
                    "fields": item.get("fields", {}),
                    "sequence": [{"variables": {"ran": True}}],
                }
                for item in items
            }
            assert await async_setup_component(self.hass, domain, {domain: scripts})
        else:
            assert await async_setup_component(self.hass, domain, {})
            registry = er.async_get(self.hass)
            for item in items:
                entry = registry.async_get_or_create(
                    domain,
                    "test",
                    item["id"],
                    suggested_object_id=item["id"].partition(".")[2],
                )
                registry.async_update_entity(entry.entity_id, name=item["name"])
                attributes = item.get("attributes") or {}
                self.hass.states.async_set(
                    item["id"],
                    item["state"],
                    {"friendly_name": item["name"], **attributes},
                )
        await self.hass.async_block_till_done()

    async def _async_add_agents(self) -> None:
        user = await self.hass.auth.async_create_user(
            "Bench", group_ids=[GROUP_ID_ADMIN]
        )
        self._user_id = user.id
        entry = await async_add_lumo(self.hass, self._account, self._options)
        found = er.async_entries_for_config_entry(
            er.async_get(self.hass), entry.entry_id
        )
        for item in found:
            if item.domain == "conversation" and item.config_subentry_id:
                title = entry.subentries[item.config_subentry_id].title
                self._agents[title] = item.entity_id

    def _note_service(self, event: Event) -> None:
        data = event.data
        if data["domain"] not in ("test", "system_log"):
            # 30 and 30.0 are the same to a service.
            same = {
                key: int(value)
                if isinstance(value, float) and value % 1 == 0
                else value
                for key, value in data["service_data"].items()
            }
            told = json.dumps(same, sort_keys=True, default=str)
            self._services[f"{data['domain']}.{data['service']} {told}"] += 1

    def _note_timer(self, kind: TimerEventType, timer: TimerInfo) -> None:
        self._timers.append((kind.value, timer.created_seconds, timer.name))

    async def prepare(self, row: Row) -> None:
        """Put the home into a state in which the row changes something."""
        expected = row.get("expect_changes") or {}
        for entity_id, thing in self._things.items():
            state = self._starts[entity_id]
            change = expected.get(entity_id, {})
            if "state" in change and not entity_id.startswith("todo."):
                state = _OPPOSITES[change["state"]]
            elif {"media_track", "volume_level"} & change.keys():
                state = "playing"
            thing.take_state(state)
            if row["tool"] == "todo__HassListCompleteItem":
                thing.take(items=[row["arguments"]["item"]])
            thing.async_write_ha_state()
        await intent.async_handle(
            self.hass,
            DOMAIN,
            intent.INTENT_CANCEL_ALL_TIMERS,
            device_id=self._device_id,
        )
        await self.hass.async_block_till_done()
        self._services.clear()
        self._timers.clear()

    def effects(self) -> Effects:
        """Return what has been done since the home was prepared."""
        return Effects(Counter(self._services), list(self._timers))

    async def call(self, row: Row) -> Effects:
        """Call the row's tool without any model: what should come of it."""
        api = await llm.async_get_api(
            self.hass,
            llm.LLM_API_ASSIST,
            llm.LLMContext(
                platform=DOMAIN,
                context=Context(),
                language=row["lang"],
                assistant="conversation",
                device_id=self._device(row),
            ),
        )
        with suppress(HomeAssistantError, probatio.Invalid):
            await api.async_call_tool(
                llm.ToolInput(tool_name=row["tool"], tool_args=row["arguments"])
            )
        await self.hass.async_block_till_done()
        return self.effects()

    async def say(self, row: Row, mode: str) -> Turn:
        """Say the row's sentence to the agent of a mode, and yes where it asks."""
        conversation_id: str | None = None
        for text in (row["sentence"], _YES[row["lang"]]):
            outcome = await conversation.async_converse(
                self.hass,
                text,
                conversation_id,
                Context(user_id=self._user_id),
                language=row["lang"],
                agent_id=self._agents[mode],
                device_id=self._device(row),
            )
            conversation_id = outcome.conversation_id
            if not outcome.continue_conversation:
                break
        await self.hass.async_block_till_done()
        kind = outcome.response.response_type
        return Turn(
            self.effects(),
            outcome.response.speech["plain"]["speech"],
            kind is intent.IntentResponseType.ERROR,
        )

    def _device(self, row: Row) -> str | None:
        return self._device_id if row.get("needs_timer_device") else None


def _made(domain: str, item: dict[str, Any]) -> DemoEntity:
    """Make an entity that takes commands, as the home's description says."""
    attributes = item.get("attributes") or {}
    told = ("device_class", "current_temperature", "supported_features")
    start = {key: attributes[key] for key in told if key in attributes}
    thing = KINDS[domain](item["id"], item["name"], _START.get(domain, {}) | start)
    thing.entity_id = item["id"]
    thing.take_state(item["state"])
    return thing
