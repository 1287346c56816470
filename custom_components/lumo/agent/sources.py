"""The pages that Proton's own tools have found, as their results name them.

Seen of `web_search`: `{"results": [{"title", "url", "description"}]}`. What the others
give is not known, so any object with an address counts.
"""

import json
from typing import Any, Final, TypeGuard

from ..lumo_client.wire_json import well_formed

# So many of a result, and so much of each, in characters.
_SOURCES: Final = 20
_TITLE: Final = 200
_ADDRESS: Final = 2_000


def read_sources(content: str) -> dict[str, str]:
    """Return the titles of pages by their address, in the order of the result."""
    try:
        waiting: list[Any] = [json.loads(content)]
    except ValueError, RecursionError:
        return {}
    found: dict[str, str] = {}
    while waiting and len(found) < _SOURCES:
        value = waiting.pop()
        if isinstance(value, dict):
            url, title = value.get("url"), value.get("title")
            if _is_address(url):
                title = " ".join(well_formed(str(title or "")).split())
                found.setdefault(url, title[:_TITLE])
            value = [*value.values()]
        if isinstance(value, list):
            waiting += reversed(value)
    return found


def _is_address(value: object) -> TypeGuard[str]:
    return (
        isinstance(value, str)
        and value.startswith(("https://", "http://"))
        and len(value) <= _ADDRESS
        and value.isprintable()
    )
