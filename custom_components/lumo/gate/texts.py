"""The texts in the arguments of a call, or in what a tool returned."""

from collections.abc import Mapping
from typing import Any

from .names import spoken


def texts_of(value: Any, *, numbers: bool = False) -> list[str]:
    """Return every text in a value of lists and mappings, in order.

    With `numbers` these too, as a person hears or reads them. The keys of mappings are
    not among the texts.
    """
    found: list[str] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            found.append(item)
        elif isinstance(item, Mapping):
            waiting += reversed(list(item.values()))
        elif isinstance(item, list | tuple | set | frozenset):
            waiting += reversed(list(item))
        elif numbers and isinstance(item, int | float) and not isinstance(item, bool):
            found.append(str(item))
    return found


type Detail = tuple[str, bool | str | None]
"""What an argument is called, and what it is: a text as it is spoken."""


def details_of(value: Any, key: str = "") -> list[Detail]:
    """Return all that arguments say, each with the key that it stands under.

    What is empty says that there is nothing.
    """
    if isinstance(value, Mapping) and value:
        return [
            detail
            for name, item in value.items()
            for detail in details_of(item, str(name).replace("_", " "))
        ]
    if isinstance(value, list | tuple | set | frozenset) and value:
        return [detail for item in value for detail in details_of(item, key)]
    if isinstance(value, bool):
        return [(spoken(key), value)]
    text = spoken("" if value is None or value in ([], {}) else str(value))
    return [(spoken(key), text or None)] if key else []
