"""One of the homes that the sentences speak of, in this process, with two agents.

    row -> prepare -> say (or call, the reference) -> Effects

The home is made of real entities, registries and services of Home Assistant; before
each sentence it is put into a state in which what should happen can be seen.
"""

from collections import Counter
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
import json
import tempfile
from types import MappingProxyType, TracebackType
from typing import Any, Self

from homeassistant import loader
from homeassistant.auth.const import GROUP_ID_ADMIN
from homeassistant.components import conversation
from homeassistant.components.conversation.trace import async_get_traces
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.intent.timers import (
    TimerEventType,
    TimerInfo,
    async_register_timer_handler,
)
from homeassistant.const import EVENT_CALL_SERVICE
from homeassistant.core import Context, Event, HomeAssistant, State
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
from homeassistant.helpers.chat_session import async_get_chat_session
from homeassistant.helpers.entity_component import EntityComponent
from homeassistant.setup import async_setup_component
import probatio
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_test_home_assistant,
)

from custom_components.lumo.const import CONF_TOOL_CALLING, DEFAULT_OPTIONS, DOMAIN

from .calls_entities import KINDS, OPPOSITES, TARGET, Thing

type Row = dict[str, Any]
type Changes = dict[str, dict[str, Any]]

AGENTS = {mode: {CONF_TOOL_CALLING: mode} for mode in ("private", "native")}
# What a changed entity is judged by.
_ATTRIBUTES = (
    "brightness",
    "rgb_color",
    "hs_color",
    "current_position",
    "percentage",
    "temperature",
    "media_track",
    "volume_level",
)


# What a person says to a question about a lock or a door.
_YES = {"en": "yes", "de": "ja", "fr": "oui", "nl": "ja", "es": "sí"}


@dataclass(slots=True)
class Effects:
    """What happened in the home."""

    changes: Changes = field(default_factory=dict)
    services: Counter[str] = field(default_factory=Counter)
    timers: list[tuple[str, int, str | None]] = field(default_factory=list)
    lists: dict[str, list[list[str]]] = field(default_factory=dict)

    @property
    def none(self) -> bool:
        """Return whether nothing happened at all."""
        return not (self.changes or self.services or self.timers)


@dataclass(slots=True)
class Turn:
    """A sentence and what came of it."""

    effects: Effects
    speech: str
    """All that was spoken, pieces of one message joined, messages by lines."""
    failed: bool
    results: list[llm.ToolResult]
    trace: dict[str, Any]
    asked: bool = False
    """A question was asked before it was done, and answered by a yes."""


class CallsHome:
    """A home whose agents are Lumo, one in each mode."""

    hass: HomeAssistant

    def __init__(
        self,
        description: dict[str, Any],
        account: dict[str, Any],
        options: Mapping[str, Mapping[str, Any]] = MappingProxyType(AGENTS),
    ) -> None:
        """Take the home's description, the entry's data, and its agents' options."""
        self.satellite: str | None = None
        """What is spoken to."""
        self._description = description
        self._account = account
        self._options = options
        self._stack = AsyncExitStack()
        self._things: dict[str, Thing] = {}
        self._starts = {item["id"]: item["state"] for item in description["entities"]}
        self._device_id = ""
        self._agents: dict[str, str] = {}
        self._services: Counter[str] = Counter()
        self._timers: list[tuple[str, int, str | None]] = []
        self._before: dict[str, dict[str, Any]] = {}

    async def __aenter__(self) -> Self:
        """Start Home Assistant, furnish it, and set Lumo up."""
        folder = self._stack.enter_context(tempfile.TemporaryDirectory())
        self.hass = hass = await self._stack.enter_async_context(
            async_test_home_assistant(config_dir=folder)
        )
        hass.data.pop(loader.DATA_CUSTOM_COMPONENTS, None)
        frame.async_setup(hass)
        for domain in ("homeassistant", "conversation", "intent"):
            assert await async_setup_component(hass, domain, {})
        await self._async_furnish()
        await self._async_add_agents()
        hass.bus.async_listen(EVENT_CALL_SERVICE, self._note_service)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop Home Assistant."""
        await self.hass.async_stop(force=True)
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
        if domain in KINDS:
            things = [KINDS[domain](item) for item in items]
            self._things |= {thing.entity_id: thing for thing in things}
            assert await async_setup_component(self.hass, domain, {})
            component: EntityComponent[Thing] = self.hass.data[domain]
            await component.async_add_entities(things)
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
        entry = MockConfigEntry(
            domain=DOMAIN,
            minor_version=2,
            title="Lumo",
            data=self._account,
            subentries_data=[
                {
                    "data": {**DEFAULT_OPTIONS, **options},
                    "subentry_type": "conversation",
                    "title": name,
                    "unique_id": None,
                }
                for name, options in self._options.items()
            ],
        )
        entry.add_to_hass(self.hass)
        assert await self.hass.config_entries.async_setup(entry.entry_id)
        await self.hass.async_block_till_done()
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
        """Put the home into a state in which the row's effect can be seen."""
        expected: Changes = row.get("expect_changes") or {}
        track_or_volume = {"media_track", "volume_level"}
        for entity_id, thing in self._things.items():
            state = self._starts[entity_id]
            change = expected.get(entity_id, {})
            if "state" in change and not entity_id.startswith("todo."):
                state = OPPOSITES[change["state"]]
            elif track_or_volume & change.keys():
                state = "playing"
            more: dict[str, Any] = {}
            if row["tool"] == "todo__HassListCompleteItem":
                more["items"] = [row["arguments"]["item"]]
            if entity_id.startswith("climate."):
                more["temperature"] = TARGET
            thing.now(state, **more)
        await intent.async_handle(
            self.hass,
            DOMAIN,
            intent.INTENT_CANCEL_ALL_TIMERS,
            device_id=self._device_id,
        )
        await self.hass.async_block_till_done()
        self._before = self._snapshot()
        self._services.clear()
        self._timers.clear()

    def effects(self) -> Effects:
        """Return what has happened since the home was prepared."""
        after = self._snapshot()
        changes = {}
        for entity_id, shown in after.items():
            before = self._before[entity_id]
            change = {
                key: value
                for key, value in shown.items()
                if value is not None and value != before[key]
            }
            if "ran" in change:
                change = {"ran": True}
            if change:
                changes[entity_id] = change
        lists = {
            entity_id: [
                [item.summary or "", str(item.status)]
                for item in getattr(thing, "todo_items", None) or ()
            ]
            for entity_id, thing in self._things.items()
            if entity_id.startswith("todo.")
        }
        return Effects(changes, Counter(self._services), list(self._timers), lists)

    def _snapshot(self) -> dict[str, dict[str, Any]]:
        return {
            state.entity_id: _shown(state)
            for state in self.hass.states.async_all()
            if state.domain in KINDS or state.domain == "script"
        }

    async def call(self, row: Row) -> tuple[Effects, llm.ToolResult]:
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
        try:
            result = await api.async_call_tool(
                llm.ToolInput(tool_name=row["tool"], tool_args=row["arguments"])
            )
        except (HomeAssistantError, probatio.Invalid) as err:
            result = llm.ToolResult(
                data={"error": type(err).__name__, "error_text": str(err)}, error=True
            )
        await self.hass.async_block_till_done()
        return self.effects(), result

    async def say(self, row: Row, mode: str) -> Turn:
        """Say the row's sentence to the agent of a mode."""
        spoken: list[str] = []

        def note(_log: conversation.ChatLog, delta: dict[str, Any]) -> None:
            if delta.get("role") == "assistant":
                spoken.append("\n")
            if text := delta.get("content"):
                spoken.append(text if isinstance(text, str) else "")

        with (
            async_get_chat_session(self.hass, None) as session,
            conversation.async_get_chat_log(
                self.hass, session, None, chat_log_delta_listener=note
            ) as log,
        ):

            async def say(text: str) -> tuple[bool, dict[str, Any]]:
                outcome = await conversation.async_converse(
                    self.hass,
                    text,
                    session.conversation_id,
                    Context(user_id=self._user_id),
                    language=row["lang"],
                    agent_id=self._agents[mode],
                    device_id=self._device(row),
                    satellite_id=self.satellite,
                )
                events = async_get_traces()[-1].as_dict()["events"]
                found = [item["data"] for item in events if "lumo" in item["data"]]
                failed = outcome.response.response_type
                return failed is intent.IntentResponseType.ERROR, found[-1]["lumo"]

            failed, trace = await say(row["sentence"])
            if asked := bool(trace["questions"]):
                failed, _ = await say(_YES[row["lang"]])
            results = [
                content.result
                for content in log.content
                if isinstance(content, conversation.ToolResultContent)
            ]
        await self.hass.async_block_till_done()
        return Turn(self.effects(), "".join(spoken), failed, results, trace, asked)

    def _device(self, row: Row) -> str | None:
        return self._device_id if row.get("needs_timer_device") else None


def _shown(state: State) -> dict[str, Any]:
    shown: dict[str, Any] = {"state": state.state}
    if state.domain == "scene":
        return {"ran": state.state}
    if state.domain == "script":
        return {"ran": str(state.attributes.get("last_triggered"))}
    for key in _ATTRIBUTES:
        value = state.attributes.get(key)
        shown[key] = list(value) if isinstance(value, tuple) else value
    return shown
