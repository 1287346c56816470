"""Home Assistant's own list of what is exposed, taken out of the instructions.

The Assist API writes it into its prompt (components/homeassistant/llm.py). Ours stands
in its place; where it is not found, ours is left out: never are there two.
"""

import re
from typing import Final

from ..internals import NO_ENTITIES

# Its heading, and a YAML list to its end. An empty line in it is of a name that has
# one: what follows is then indented.
_LIST: Final = re.compile(
    r"^Static Context:.*\n- names:(?:.*(?:\n|\Z)(?=(?:- |  )|\n+    )|\n+(?=    ))*"
    r".*(?:\n|\Z)",
    re.MULTILINE,
)


def without_list(prompt: str, *, is_empty: bool) -> str | None:
    """Return a prompt without any such list, None where it has none."""
    text = _LIST.sub("", prompt if is_empty else prompt.replace(NO_ENTITIES, ""))
    return text if text != prompt else None


def has_list(prompt: str) -> bool:
    """Return whether a prompt seems to have such a list, or says that it is empty."""
    return "Static Context" in prompt or NO_ENTITIES in prompt
