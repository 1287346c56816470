"""The pages that Proton's own tools have found, as their results name them.

Seen of `web_search`: `{"results": [{"title", "url", "description"}]}`. What the others
give is not known, so any object with an address counts.
"""

import json
import re
from typing import Any, Final

from ..tool_calling.json_text import text_of

# So many of a result, and so much of each, in characters.
_SOURCES: Final = 20
_TITLE: Final = 200
_ADDRESS: Final = re.compile(r"https?://[^\x00-\x20\x7f-\x9f\ud800-\udfff]{1,2000}")


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
            if isinstance(url, str) and _ADDRESS.fullmatch(url):
                title = " ".join(text_of(str(title or "")).split())
                found.setdefault(url, title[:_TITLE])
            value = [*value.values()]
        if isinstance(value, list):
            waiting += reversed(value)
    return found
