"""Change list: what Home Assistant's own list tools cannot: change, move, clear."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, ClassVar, Final, override

from homeassistant.const import ATTR_SUPPORTED_FEATURES
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN
from ..gate.effects import Effect
from ..gate.names import name_of
from ..gate.own_tool import Arguments, Wording
from ..internals import items_of_list
from ..text import as_compared
from .ability import ActingAbility, ActionPlan, schema, texts
from .finder import Finder, nearest, the_one
from .periods import moment_of

if TYPE_CHECKING:
    from homeassistant.components.todo import TodoItem

# Of todo's const: to import it would load all of the frontend.
_OPEN: Final = "needs_action"
_DONE: Final = "completed"
_STATUS: Final = {"done": _DONE, "undone": _OPEN}
DUE_DATE, DUE_TIME, NOTES = 16, 32, 64
_ACTIONS: Final = ["change", "move", *_STATUS, "clear_done", "clear_all"]


class ChangeList(ActingAbility):
    """Changes what is on to-do lists."""

    name = f"{DOMAIN}__change_list"
    title = "Change to-do list"
    description = "Change, move or mark items of to-do lists, or clear them."
    parameters = schema(
        *("list", "to_list", "rename", "due", "description"),
        needs={"action": probatio.In(_ACTIONS)},
        items=[str],
    )
    domain = "todo"
    annotations = llm.ToolAnnotations(open_world=False)
    # The half of a move loses what is moved.
    is_divisible = False
    returns_outside: ClassVar = True

    @override
    def things(self) -> list[State]:
        there = super().things()
        return [item for item in there if self.made_by(item.entity_id) != DOMAIN]

    @override
    def question(self, arguments: Arguments) -> Wording | None:
        plan = self.planned(arguments)
        if arguments.get("action") != "clear_all" or not plan.effects:
            return None
        [effect] = plan.effects
        name, count = name_of(self.hass, effect.entity_id), len(effect.data["item"])
        return Wording("do_clear_list", value=str(count), targets=(name,))

    @override
    def plan(self, arguments: Arguments) -> ActionPlan:
        given, wanted = texts(arguments), arguments.get("items") or []
        wanted = [wanted] if isinstance(wanted, str) else [str(item) for item in wanted]
        lists = self.things()
        if given["action"] != "move":
            source, items = _source(self.hass, lists, given, wanted)
            return ActionPlan(tuple(_changed(given, source, items)))
        target = self.finder(lists).one({"name": given.get("to_list")}, acts=True)
        lists.remove(target)
        return _moved(target, *_source(self.hass, lists, given, wanted))


def _source(
    hass: HomeAssistant, lists: list[State], given: Mapping[str, str], wanted: list[str]
) -> tuple[State, list[TodoItem]]:
    fits: dict[State, list[TodoItem]] = {}
    problems = []
    for state in Finder(hass, lists).all({"name": given.get("list")}, acts=True):
        items = items_of_list(hass, state.entity_id)
        try:
            fits[state] = _chosen(items, wanted, given["action"])
        except HomeAssistantError as err:
            problems.append(f"{state.name}: {err}")
    if not fits:
        raise HomeAssistantError(" ".join(problems))
    return (state := the_one([*fits])), fits[state]


def _chosen(
    items: Sequence[TodoItem], wanted: list[str], action: str
) -> list[TodoItem]:
    before = {"done": _OPEN, "undone": _DONE, "clear_done": _DONE}.get(action)
    among = [item for item in items if before in (None, item.status)]
    if action.startswith("clear"):
        if among:
            return among
        raise HomeAssistantError("There is nothing to clear.")
    if not wanted:
        raise HomeAssistantError("Say which items.")
    chosen = []
    for text in wanted:
        own = as_compared(text)
        same = [item for item in among if as_compared(item.summary or "") == own]
        # What is done may stand there from the last time.
        same = [item for item in same if item.status == _OPEN] or same
        if len(same) != 1:
            how = "more than once" if same else "not"
            known = nearest(text, [item.summary or "" for item in among])
            raise HomeAssistantError(f"{text} is {how} there. {known}")
        chosen += same
    return chosen


def _changed(
    given: Mapping[str, str], source: State, items: Sequence[TodoItem]
) -> list[Effect]:
    ids, action = [item.uid or item.summary for item in items], given["action"]
    if action.startswith("clear"):
        return [Effect(source.entity_id, "remove_item", {"item": ids})]
    data = {key: given[key] for key in ("rename", "description") if key in given}
    if action in _STATUS:
        data = {"status": _STATUS[action]}
    elif due := given.get("due"):
        first, last = moment_of(due, dt_util.now())
        data |= _due(source, first if first == last else first.date())
    if not data or ("rename" in data and len(ids) > 1):
        raise HomeAssistantError("Say what is to be changed of one item.")
    return [Effect(source.entity_id, "update_item", {"item": i, **data}) for i in ids]


def _moved(target: State, source: State, items: list[TodoItem]) -> ActionPlan:
    features = target.attributes.get(ATTR_SUPPORTED_FEATURES, 0)
    takes = {"due": features & (DUE_DATE | DUE_TIME), "description": features & NOTES}
    effects = []
    lost: set[str] = set()
    for item in items:
        data: dict[str, Any] = {"item": item.summary}
        lost |= {key for key in takes if getattr(item, key) and not takes[key]}
        if item.due and takes["due"]:
            data |= _due(target, item.due)
        if item.description and takes["description"]:
            data["description"] = item.description
        effects.append(Effect(target.entity_id, "add_item", data))
    removed = {"item": [item.uid or item.summary for item in items]}
    effects.append(Effect(source.entity_id, "remove_item", removed))
    return ActionPlan(tuple(effects), details={"not_kept": sorted(lost)})


def _due(state: State, due: date) -> dict[str, str]:
    features = state.attributes.get(ATTR_SUPPORTED_FEATURES, 0)
    if isinstance(due, datetime):
        if features & DUE_TIME:
            return {"due_datetime": due.isoformat()}
        due = due.date()
    return {"due_date": due.isoformat()}
