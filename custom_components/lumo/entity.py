"""What the entities have in common: those of an agent, and those of an account."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, ClassVar, override

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.entity import Entity, EntityDescription
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.update_coordinator import CoordinatorEntity

from .agent.approved import async_wait_for_phone
from .agent.conversation_state import ConversationState
from .agent.options import MODELS, AgentOptions
from .agent.record import TurnRecord
from .agent.sentences import async_load_sentences
from .agent.toolbox import KnownTools
from .agent.turn import Turn, async_run_turn
from .agent.turn_context import TurnContext, deadlines_for
from .const import CONF_MODEL, DEFAULT_OPTIONS, DEFAULT_TITLE, DOMAIN, EVENT_TURN_ENDED
from .coordinator import LumoConfigEntry, LumoCoordinator
from .gate.speaker import Speaker
from .lumo_client.auth import GuestCredential

MANUFACTURER = "Proton"


class LumoSubentryEntity(CoordinatorEntity[LumoCoordinator]):
    """The entity of a subentry, shown as a service."""

    _attr_has_entity_name = True
    _attr_name = None

    def __init__(self, entry: LumoConfigEntry, subentry: ConfigSubentry) -> None:
        super().__init__(entry.runtime_data)
        self.entry = entry
        self.subentry = subentry
        self._attr_unique_id = subentry.subentry_id
        self._attr_device_info = dr.DeviceInfo(
            identifiers={(DOMAIN, subentry.subentry_id)},
            name=subentry.title,
            manufacturer=MANUFACTURER,
            model=self._model_name(),
            entry_type=dr.DeviceEntryType.SERVICE,
        )

    def _model_name(self) -> str:
        return DEFAULT_TITLE


def set_up_each(
    subentry_type: str, make: Callable[[LumoConfigEntry, ConfigSubentry], Entity]
) -> Callable[..., Awaitable[None]]:
    """Return a platform's `async_setup_entry`: an entity for each subentry of a type."""

    async def async_setup_entry(
        hass: HomeAssistant,
        entry: LumoConfigEntry,
        async_add_entities: AddConfigEntryEntitiesCallback,
    ) -> None:
        for subentry in entry.get_subentries_of_type(subentry_type):
            async_add_entities(
                [make(entry, subentry)], config_subentry_id=subentry.subentry_id
            )

    return async_setup_entry


class LumoEntity(LumoSubentryEntity):
    """An entity of one agent."""

    _fixed_options: ClassVar[Mapping[str, Any]] = {}
    """What nobody may choose."""

    def __init__(self, entry: LumoConfigEntry, subentry: ConfigSubentry) -> None:
        super().__init__(entry, subentry)
        credential = self.coordinator.client.credential
        self.options = AgentOptions.from_subentry(
            {**subentry.data, **self._fixed_options},
            encrypted=credential.encrypted,
            guest=isinstance(credential, GuestCredential),
        )
        self._known_tools = KnownTools()
        self._waiting: set[asyncio.Task[None]] = set()

    async def async_run_turn(
        self,
        log: conversation.ChatLog,
        speaker: Speaker,
        conversation_state: ConversationState | None = None,
        **more: Any,
    ) -> Turn:
        """Run a turn over a log, and tell the account what it learned about itself.

        Without `kept` nothing is known of earlier turns. `more` goes to the context of
        the turn. Failures are in its record.
        """
        context = TurnContext(
            client=self.coordinator.client,
            log=log,
            speaker=speaker,
            agent_id=self.entity_id,
            options=more.pop("options", self.options),
            sentences=await async_load_sentences(self.hass, speaker.language),
            conversation_state=conversation_state
            or ConversationState(journal=self.coordinator.journal),
            deadlines=deadlines_for(self.hass, speaker),
            known=self._known_tools,
            quota=self.coordinator.quota,
            subentry_id=self.subentry.subentry_id,
            plans=self.coordinator.plans,
            is_away=not self.coordinator.last_update_success,
            window=self.coordinator.data.window,
            **more,
        )
        try:
            turn = await async_run_turn(context)
        except asyncio.CancelledError:
            # What nobody waits for any more was sent all the same.
            self.coordinator.count(context.record)
            if context.by_phone:
                context.by_phone.close()
            raise
        if context.by_phone:
            task = self.entry.async_create_background_task(
                self.hass,
                async_wait_for_phone(self, context),
                f"{self.entity_id} waits for a phone",
            )
            self._waiting.add(task)
            task.add_done_callback(self._waiting.discard)
        await self.async_tell_account(context.record)
        return turn

    @override
    async def async_will_remove_from_hass(self) -> None:
        """Take back what is asked on a phone: the agent that would do it has gone."""
        await super().async_will_remove_from_hass()
        for task in self._waiting:
            task.cancel()

    async def async_tell_account(self, record: TurnRecord) -> None:
        """Tell the account, and automations, what a turn took and how it ended."""
        self.coordinator.count(record)
        if record.requests:
            self.coordinator.sizes[self.subentry.subentry_id] = record.sizes
            await self.coordinator.async_turn_ended(record.failure, record.usage)
        self.hass.bus.async_fire(
            EVENT_TURN_ENDED, {"entity_id": self.entity_id, **record.as_event()}
        )

    @override
    def _model_name(self) -> str:
        """Return what Proton calls the model of this agent.

        The choice of a model by Proton itself, for each request, is called as a whole.
        """
        choice = self.subentry.data.get(CONF_MODEL, DEFAULT_OPTIONS[CONF_MODEL])
        if choice == DEFAULT_OPTIONS[CONF_MODEL]:
            return DEFAULT_TITLE
        told = self.coordinator.data.name_of(MODELS[choice])
        return told or f"{DEFAULT_TITLE} {choice.title()}"


class LumoAccountEntity(CoordinatorEntity[LumoCoordinator]):
    """An entity of an account, which is a service beside its agents."""

    _attr_has_entity_name = True

    def __init__(self, entry: LumoConfigEntry, description: EntityDescription) -> None:
        super().__init__(entry.runtime_data)
        self.entity_description = description
        self._attr_translation_key = description.key
        self._attr_unique_id = f"{entry.entry_id}_{description.key}"
        self._attr_device_info = dr.DeviceInfo(
            identifiers={(DOMAIN, entry.entry_id)},
            name=entry.title,
            manufacturer=MANUFACTURER,
            entry_type=dr.DeviceEntryType.SERVICE,
        )
