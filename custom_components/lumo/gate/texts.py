"""The texts in the arguments of a call, or in what a tool returned."""

from collections.abc import Mapping
from typing import Any


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
