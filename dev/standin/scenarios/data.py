"""How a model writes data that is to have a form."""

from collections.abc import Callable
import json
from typing import Any, ClassVar, Final

from ..plan import Decision, Finish, Json, Say, Step
from .base import Exchange, Scenario, register


def _object(text: str) -> Json | None:
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _wrong(value: Any) -> Any:
    """Return a value as the wrong type, of which one can tell what was meant."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, list) and len(value) == 1 and "," not in str(value[0]):
        return value[0]
    return value


HABITS: Final[dict[str, Callable[[Json], str]]] = {
    "prose_around": lambda data: f"Sure! Here you are:\n{_dump(data)}\nAnything else?",
    "fenced": lambda data: f"```json\n{json.dumps(data, indent=2)}\n```",
    "unclosed_fence": lambda data: f"```\n{_dump(data)}",
    "thinking_before": lambda data: f'<think>{{"a": 1}}? No.</think>\n{_dump(data)}',
    "second_object": lambda data: f'{_dump(data)}\n{{"confidence": 0.9}}',
    "trailing_comma": lambda data: f"{_dump(data)[:-1]},}}",
    "python": repr,
    "wrapped": lambda data: _dump({"answer": data}),
    "wrong_type": lambda data: _dump({key: _wrong(data[key]) for key in data}),
    "extra_key": lambda data: _dump(data | {"confidence": 0.9}),
    "null": lambda data: _dump(dict.fromkeys(data)),
    "missing": lambda _data: '{"confidence": 0.9}',
    "cut": lambda data: _dump(data)[:-1],
    "always_wrong": lambda _data: "I am sorry, I can only answer in words.",
}


class _Written(Scenario):
    """Data is written in another way."""

    habit: ClassVar[str]

    def decide(self, exchange: Exchange, decisions: list[Decision]) -> list[Decision]:
        """Write the data so."""
        return [
            Say(HABITS[self.habit](data))
            if isinstance(item, Say) and (data := _object(item.text)) is not None
            else item
            for item in decisions
        ]

    def revise(self, exchange: Exchange, plan: list[Step]) -> list[Step]:
        """End what is cut as the service does."""
        if self.habit != "cut":
            return plan
        return [Finish("length") if isinstance(step, Finish) else step for step in plan]


for _habit in HABITS:
    register(f"data_{_habit}")(type(_habit, (_Written,), {"habit": _habit}))
