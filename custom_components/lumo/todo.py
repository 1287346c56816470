"""The plans and alarms of all: a to-do list, where they can only be cancelled.

What a person has planned while signed in is not on it: any user could read it.
"""

from typing import override

from homeassistant.components.conversation import DOMAIN as CONVERSATION
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.todo import (
    TodoItem,
    TodoItemStatus,
    TodoListEntity,
    TodoListEntityFeature,
)
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.entity import EntityDescription
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .agent.approved import plan_text
from .agent.sentences import Sentences, async_load_sentences
from .const import DOMAIN
from .coordinator import LumoConfigEntry
from .entity import LumoAccountEntity
from .languages import LANGUAGES, translated

PARALLEL_UPDATES = 0


async def async_setup_entry(
    hass: HomeAssistant,
    entry: LumoConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Set up the list of an account."""
    sentences = await async_load_sentences(hass, hass.config.language)
    async_add_entities([LumoPlans(entry, sentences)])


class LumoPlans(LumoAccountEntity, TodoListEntity):
    """What is planned for all."""

    # Without Lumo, too.
    available = True
    _attr_supported_features = (
        TodoListEntityFeature.UPDATE_TODO_ITEM | TodoListEntityFeature.DELETE_TODO_ITEM
    )

    def __init__(self, entry: LumoConfigEntry, sentences: Sentences) -> None:
        super().__init__(entry, EntityDescription(key="plans"))
        self._sentences = sentences

    @override
    async def async_added_to_hass(self) -> None:
        await super().async_added_to_hass()
        known = self.registry_entry
        if known and CONVERSATION not in known.options:
            # Lists are exposed by default, and other agents would read this one.
            async_expose_entity(self.hass, CONVERSATION, self.entity_id, False)

    @property
    @override
    def todo_items(self) -> list[TodoItem]:
        """Return what is planned for all."""
        language = LANGUAGES[translated(self.hass.config.language)]
        return [
            TodoItem(
                summary=plan_text(self._sentences, plan, language),
                uid=plan.id,
                status=TodoItemStatus.NEEDS_ACTION,
                due=None if plan.trigger.entity_id else plan.next_at,
            )
            for plan in self.coordinator.plans
            if plan.user_id is None
        ]

    @override
    async def async_update_todo_item(self, item: TodoItem) -> None:
        """Cancel what is completed; nothing else can be changed."""
        if item.status != TodoItemStatus.COMPLETED:
            raise HomeAssistantError(
                translation_domain=DOMAIN, translation_key="only_cancelled"
            )
        await self.async_delete_todo_items([str(item.uid)])

    @override
    async def async_delete_todo_items(self, uids: list[str]) -> None:
        """Cancel plans."""
        shown = {str(item.uid) for item in self.todo_items}
        await self.coordinator.plans.async_remove(shown & {*uids})
