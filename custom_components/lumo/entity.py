"""What the entities of agents, AI tasks and speech to text have in common."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from homeassistant.components import conversation
from homeassistant.config_entries import ConfigSubentry
from homeassistant.core import HomeAssistant
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.entity import Entity, EntityDescription
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.update_coordinator import CoordinatorEntity

from .agent.approved import async_wait_for_phone
from .agent.conversation_state import ConversationState
from .agent.options import AgentOptions
from .agent.record import TurnRecord
from .agent.sentences import async_load_sentences
from .agent.toolbox import KnownTools
from .agent.turn import Turn, async_run_turn
from .agent.turn_context import TurnContext, deadlines_for
from .const import CONF_MODEL, DEFAULT_OPTIONS, DEFAULT_TITLE, DOMAIN, EVENT_TURN_ENDED
from .coordinator import LumoConfigEntry, LumoCoordinator
from .gate.speaker import Speaker
from .lumo_client.auth import GuestCredential


def _device_info(own_id: str) -> dr.DeviceInfo:
    """Return an agent or an account as a service of Proton's."""
    return dr.DeviceInfo(
        identifiers={(DOMAIN, own_id)},
        manufacturer="Proton",
        entry_type=dr.DeviceEntryType.SERVICE,
    )


class LumoAccountEntity(CoordinatorEntity[LumoCoordinator]):
    """An entity of an account, which is a service beside its agents."""

    _attr_has_entity_name = True

    def __init__(self, entry: LumoConfigEntry, description: EntityDescription) -> None:
        super().__init__(entry.runtime_data)
        self.entity_description = description
        self._attr_translation_key = description.key
        self._attr_unique_id = f"{entry.entry_id}_{description.key}"
        self._attr_device_info = dr.DeviceInfo(
            **_device_info(entry.entry_id),
            translation_key="account",
            translation_placeholders={"title": entry.title},
        )


class LumoSubentryEntity(CoordinatorEntity[LumoCoordinator]):
    """The entity of a subentry, shown as a service."""

    _attr_has_entity_name = True
    _attr_name = None

    def __init__(self, entry: LumoConfigEntry, subentry: ConfigSubentry) -> None:
        super().__init__(entry.runtime_data)
        self.entry = entry
        self.subentry = subentry
        self._attr_unique_id = subentry.subentry_id
        usual = DEFAULT_OPTIONS[CONF_MODEL]
        model = subentry.data.get(CONF_MODEL, usual)
        self._attr_device_info = dr.DeviceInfo(
            **_device_info(subentry.subentry_id),
            name=subentry.title,
            model=DEFAULT_TITLE
            if model == usual
            else f"{DEFAULT_TITLE} {model.title()}",
        )


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

    def __init__(self, entry: LumoConfigEntry, subentry: ConfigSubentry) -> None:
        super().__init__(entry, subentry)
        credential = self.coordinator.client.credential
        self.options = AgentOptions.from_subentry(
            subentry.data,
            encrypted=credential.encrypted,
            guest=isinstance(credential, GuestCredential),
        )
        self._known_tools: KnownTools = {}

    async def async_run_turn(
        self,
        log: conversation.ChatLog,
        speaker: Speaker,
        conversation_state: ConversationState | None = None,
        **more: Any,
    ) -> Turn:
        """Run a turn, whose record has failures; `more` goes to its context."""
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
            routines=self.coordinator.routines,
            **more,
        )
        try:
            turn = await async_run_turn(context)
        except asyncio.CancelledError:
            # It was sent, though nobody waits for it any more.
            self.coordinator.count(context.record)
            if context.by_phone:
                context.by_phone.close()
            raise
        if context.by_phone:
            self.async_on_remove(context.by_phone.close)
            self.entry.async_create_background_task(
                self.hass,
                async_wait_for_phone(self, context),
                f"{self.entity_id} waits for a phone",
            )
        await self.async_tell_account(context.record)
        return turn

    async def async_tell_account(self, record: TurnRecord) -> None:
        """Tell the account, and automations, what a turn took and how it ended."""
        self.coordinator.count(record)
        if record.requests:
            self.coordinator.sizes[self.subentry.subentry_id] = record.ledger
            await self.coordinator.async_turn_ended(record.failure, record.usage)
        self.hass.bus.async_fire(
            EVENT_TURN_ENDED, {"entity_id": self.entity_id, **record.as_event()}
        )
