"""To-do lists of the demo home."""

from homeassistant.components.todo import (
    TodoItem,
    TodoItemStatus,
    TodoListEntity,
    TodoListEntityFeature,
)
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.helpers.typing import ConfigType, DiscoveryInfoType

from .entity import DemoHomeEntity
from .house import Thing, things


async def async_setup_platform(
    hass: HomeAssistant,
    config: ConfigType,
    async_add_entities: AddEntitiesCallback,
    discovery_info: DiscoveryInfoType | None = None,
) -> None:
    """Add the house's to-do lists."""
    async_add_entities(DemoTodoList(thing) for thing in things(Platform.TODO))


class DemoTodoList(DemoHomeEntity, TodoListEntity):
    """A to-do list."""

    _attr_supported_features = (
        TodoListEntityFeature.CREATE_TODO_ITEM
        | TodoListEntityFeature.UPDATE_TODO_ITEM
        | TodoListEntityFeature.DELETE_TODO_ITEM
    )

    def __init__(self, thing: Thing) -> None:
        """Start with the items of the table."""
        super().__init__(thing)
        self._created = 0
        self._attr_todo_items = [
            self._item(TodoItem(summary=summary)) for summary in thing.start["items"]
        ]

    def _item(self, item: TodoItem) -> TodoItem:
        """Return a new item with an id of its own."""
        self._created += 1
        item.uid = str(self._created)
        item.status = item.status or TodoItemStatus.NEEDS_ACTION
        return item

    async def async_create_todo_item(self, item: TodoItem) -> None:
        """Add an item."""
        self._attr_todo_items = [*(self.todo_items or ()), self._item(item)]
        self.async_write_ha_state()

    async def async_update_todo_item(self, item: TodoItem) -> None:
        """Replace the item of the same id."""
        self._attr_todo_items = [
            item if old.uid == item.uid else old for old in self.todo_items or ()
        ]
        self.async_write_ha_state()

    async def async_delete_todo_items(self, uids: list[str]) -> None:
        """Remove items."""
        self._attr_todo_items = [
            item for item in self.todo_items or () if item.uid not in uids
        ]
        self.async_write_ha_state()
