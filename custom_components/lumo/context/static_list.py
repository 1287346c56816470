"""Home Assistant's own list of what is exposed, taken out of the instructions.

The Assist API writes it into its prompt (components/homeassistant/llm.py), one of three
lines for each entity; from 2026.11 on it stays as it was when the conversation began.
Ours stands in its place. Where it is not found, ours is left out: never are there two.
"""

import re
from typing import Any, Final

from homeassistant.util import yaml as yaml_util

from ..internals import NO_ENTITIES, STATIC_LIST

# Its heading, and a YAML list to its end. An empty line in it is of a name that has
# one: what follows is then indented.
_LIST: Final = re.compile(
    r"^Static Context:.*\n- names:(?:.*(?:\n|\Z)(?=(?:- |  )|\n+    )|\n+(?=    ))*"
    r".*(?:\n|\Z)",
    re.MULTILINE,
)


def rebuilt(entities: list[dict[str, Any]]) -> str:
    """Return the list as Home Assistant writes it, from `internals.listed_entities`."""
    return f"{STATIC_LIST}\n{yaml_util.dump(entities)}" if entities else ""


def without_list(prompt: str, exact: str) -> str | None:
    """Return a prompt without any such list, None where it has none.

    `exact` is the list as it would be now, empty where nothing is exposed. If there is
    something, what says that there is nothing goes too.
    """
    text = prompt
    if exact:
        parts = text.split(exact)
        # Of a conversation that began with more things it may be the beginning alone.
        if not any(part.startswith(("- ", " ")) for part in parts[1:]):
            text = "".join(parts)
        text = text.replace(NO_ENTITIES, "")
    text = _LIST.sub("", text)
    return text if text != prompt else None


def has_list(prompt: str) -> bool:
    """Return whether a prompt seems to have such a list, or says that it is empty."""
    return "Static Context" in prompt or NO_ENTITIES in prompt
