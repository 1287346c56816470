"""What becomes of to-do lists."""

from datetime import date, datetime
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.todo import (
    TodoItem,
    TodoItemStatus,
    TodoListEntity,
    TodoListEntityFeature,
)
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import setup_test_component_platform

from custom_components.lumo.abilities import change_list as room
from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.change_list import ChangeList

type Arguments = dict[str, Any]
PLAIN = TodoListEntityFeature(7)
FULL = TodoListEntityFeature(127)


class List(TodoListEntity):
    """A list; `put` writes it as "Milk, eggs*", with a star for what is done."""

    _attr_should_poll = False
    breaks = False

    def __init__(self, name: str, features: TodoListEntityFeature = PLAIN) -> None:
        self._attr_name = name
        self._attr_supported_features = features
        self._attr_todo_items = []

    @property
    def items(self) -> list[TodoItem]:
        assert self.todo_items is not None
        return self.todo_items

    def put(self, text: str) -> None:
        self.items.clear()
        for number, word in enumerate(filter(None, text.split(", "))):
            status = (
                TodoItemStatus.COMPLETED if "*" in word else TodoItemStatus.NEEDS_ACTION
            )
            self.items.append(
                TodoItem(word.strip("*"), f"{self.name}-{number}", status)
            )

    @property
    def text(self) -> str:
        return ", ".join(
            f"{item.summary}{'*' if item.status == TodoItemStatus.COMPLETED else ''}"
            for item in self.items
        )

    async def async_create_todo_item(self, item: TodoItem) -> None:
        if self.breaks:
            raise HomeAssistantError("The list is full")
        item.uid = f"{self.name}-new-{len(self.items)}"
        self.items.append(item)

    async def async_update_todo_item(self, item: TodoItem) -> None:
        self._attr_todo_items = [
            item if old.uid == item.uid else old for old in self.items
        ]

    async def async_delete_todo_items(self, uids: list[str]) -> None:
        self._attr_todo_items = [item for item in self.items if item.uid not in uids]


@pytest.fixture
async def lists(hass: HomeAssistant) -> dict[str, List]:
    """Return three lists, and one that is not exposed."""
    assert await async_setup_component(hass, "homeassistant", {})
    assert not ChangeList(AbilityContext(hass=hass)).is_useful()
    assert [*TodoListEntityFeature][4:] == [room.DUE_DATE, room.DUE_TIME, room.NOTES]
    made = [List("Shopping"), List("Party", FULL), List("Chores", FULL), List("Secret")]
    setup_test_component_platform(hass, "todo", made)
    assert await async_setup_component(hass, "todo", {"todo": {"platform": "test"}})
    await hass.async_block_till_done()
    for item in made:
        exposed = item.name != "Secret"
        async_expose_entity(hass, "conversation", item.entity_id, exposed)
    return {str(item.name): item for item in made}


async def change(hass: HomeAssistant, arguments: Arguments) -> dict[str, Any]:
    """Change a list, after a yes where that is needed."""
    tool = ChangeList(AbilityContext(hass=hass))
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    if asked := tool.question(arguments):
        arguments = tool.narrowed(arguments, "todo.any")
    tool = ChangeList(AbilityContext(hass=hass))
    result = await tool.async_call(hass, llm.ToolInput(tool.name, arguments), context)
    return {**result.data, "asked": asked.value if asked else None}


BEFORE = {
    "Shopping": "Milk, Eggs, milk*, Old bread*",
    "Party": "Wine, Milk",
    "Chores": "",
    "Secret": "Gold",
}
# What is called; what there is then: the lists that are another then.
CHANGED: list[tuple[Arguments, dict[str, str]]] = [
    ({"action": "change", "items": ["eggs"], "rename": "Six eggs"}, {"Shopping": "Milk, Six eggs, milk*, Old bread*"}),
    ({"action": "change", "items": "Eggs ", "list": "shopping", "rename": "Tofu"}, {"Shopping": "Milk, Tofu, milk*, Old bread*"}),
    ({"action": "done", "items": ["MILK", "eggs"]}, {"Shopping": "Milk*, Eggs*, milk*, Old bread*"}),
    ({"action": "undone", "items": ["old bread"], "list": ""}, {"Shopping": "Milk, Eggs, milk*, Old bread"}),
    ({"action": "undone", "items": ["Milk"]}, {"Shopping": "Milk, Eggs, milk, Old bread*"}),
    ({"action": "move", "items": ["Eggs"], "to_list": "Party"}, {"Shopping": "Milk, milk*, Old bread*", "Party": "Wine, Milk, Eggs"}),
    ({"action": "move", "items": ["Milk", "wine"], "list": "todo.party", "to_list": "Chores"}, {"Party": "", "Chores": "Milk, Wine"}),
    ({"action": "move", "items": ["Milk"], "to_list": "Party"}, {"Shopping": "Eggs, milk*, Old bread*", "Party": "Wine, Milk, Milk"}),
    ({"action": "clear_done", "list": "Shopping"}, {"Shopping": "Milk, Eggs"}),
    ({"action": "clear_done"}, {"Shopping": "Milk, Eggs"}),
    ({"action": "clear_all", "list": "Shopping"}, {"Shopping": ""}),
]  # fmt: skip
REFUSED: list[tuple[Arguments, str]] = [
    ({"action": "done", "items": ["Milk"]}, "which one. Shopping (todo.shopping), Party (todo.party)"),
    ({"action": "done", "items": ["Eegs"], "list": "Shopping"}, "Eegs is not there. Nearest: Eggs"),
    ({"action": "done", "items": ["Eggs", "Wine"]}, "Shopping: Wine is not there"),
    ({"action": "undone", "items": ["Eggs"]}, "is not there"),
    ({"action": "done", "items": ["Gold"]}, "is not there"),
    ({"action": "clear_all", "list": "Secret"}, "is called Secret. Nearest: Chores."),
    ({"action": "clear_all"}, "which one. Shopping (todo.shopping), Party (todo.party)"),
    ({"action": "clear_done", "list": "Party"}, "nothing to clear"),
    ({"action": "done"}, "Say which items"),
    ({"action": "change", "items": ["Eggs"]}, "Say what is to be changed"),
    ({"action": "change", "items": ["Eggs", "Old bread"], "rename": "Food"}, "of one item"),
    ({"action": "change", "items": ["Eggs"], "due": "sometime"}, "Not a period"),
    ({"action": "change", "items": ["Eggs"], "due": "tomorrow"}, "due_date"),
    ({"action": "move", "items": ["Eggs"]}, "which one. Shopping (todo.shopping), Party (todo.party), Chores (todo.chores)"),
    ({"action": "move", "items": ["Eggs"], "to_list": "Secret"}, "is called Secret. Nearest: Chores."),
    ({"action": "move", "items": ["Eggs"], "to_list": "Shopping"}, "Party: Eggs is not there"),
]  # fmt: skip


def put(lists: dict[str, List]) -> None:
    for name, text in BEFORE.items():
        lists[name].put(text)


async def test_lists_are_changed(hass: HomeAssistant, lists: dict[str, List]) -> None:
    """Items are found on the one list that has them, whatever their case."""
    for arguments, after in CHANGED:
        put(lists)
        result = await change(hass, arguments)
        there = {name: item.text for name, item in lists.items()}
        assert there == BEFORE | after, arguments
        assert result["asked"] == ("4" if arguments["action"] == "clear_all" else None)


async def test_what_is_not_clear_changes_nothing(
    hass: HomeAssistant, lists: dict[str, List]
) -> None:
    """It is said what there is; what is not exposed is not there."""
    put(lists)
    for arguments, problem in REFUSED:
        with pytest.raises(HomeAssistantError) as caught:
            await change(hass, arguments)
        assert problem in str(caught.value), arguments
        assert "Gold" not in str(caught.value).removeprefix(problem) or "Gold" in str(
            arguments
        )
        assert {name: item.text for name, item in lists.items()} == BEFORE


async def test_a_move_loses_nothing(
    hass: HomeAssistant, lists: dict[str, List]
) -> None:
    put(lists)
    lists["Chores"].breaks = True
    move = {"action": "move", "items": ["Wine"], "to_list": "Chores"}
    with pytest.raises(HomeAssistantError, match="The list is full"):
        await change(hass, move)
    assert {name: item.text for name, item in lists.items()} == BEFORE
    lists["Chores"].breaks = False
    [wine, _] = lists["Party"].items
    wine.due, wine.description = date(2027, 1, 1), "Red"
    await change(hass, move)
    assert lists["Chores"].items[0].due == date(2027, 1, 1)
    assert lists["Chores"].items[0].description == "Red"
    result = await change(
        hass, {"action": "move", "items": ["Wine"], "to_list": "Shopping"}
    )
    assert result["not_kept"] == ["description", "due"]
    # What is cleared is what there was when it was asked.
    tool, clear = (
        ChangeList(AbilityContext(hass=hass)),
        {"action": "clear_all", "list": "Party"},
    )
    assert tool.parameters(clear) == clear
    settled = tool.narrowed(clear, "todo.party")
    lists["Party"].items.append(TodoItem("Late", "late", TodoItemStatus.NEEDS_ACTION))
    await change(hass, settled)
    assert lists["Party"].text == "Late"


async def test_an_item_is_due(hass: HomeAssistant, lists: dict[str, List]) -> None:
    put(lists)
    for due, kept in (
        ("2027-01-02", date(2027, 1, 2)),
        ("2027-01-02T15:00:00+00:00", datetime.fromisoformat("2027-01-02T15:00:00Z")),
    ):
        await change(
            hass,
            {"action": "change", "items": ["Wine"], "due": due, "description": "Dry"},
        )
        assert lists["Party"].items[0].due == kept
    assert lists["Party"].items[0].description == "Dry"
