"""Home Assistant's own list of what is exposed, taken out of the instructions.

The Assist API writes it into its prompt (components/homeassistant/llm.py), one of three
lines for each entity; from 2026.11 on it stays as it was when the conversation began.
Ours stands in its place. Where it is not found, ours is left out: never are there two.
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
    """Return a prompt without any such list, None where it has none.

    Where the home is not `is_empty`, what says that nothing is exposed goes too.
    """
    text = _LIST.sub("", prompt if is_empty else prompt.replace(NO_ENTITIES, ""))
    return text if text != prompt else None


def has_list(prompt: str) -> bool:
    """Return whether a prompt seems to have such a list, or says that it is empty."""
    return "Static Context" in prompt or NO_ENTITIES in prompt
