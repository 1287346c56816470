"""Tell whether the model has read a text that was written outside the home.

Such a text may ask for anything. Nothing it says is a call, but the model may follow it,
so from then on what the person's own sentence does not name is asked about first.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ..internals import is_script_tool
from .ability import Ability
from .permissions import own_tool
from .results import WAITING
from .texts import texts_of

# Integrations whose tools return what others wrote, whatever they say of themselves.
_OUTSIDE: Final = frozenset({"calendar", "mcp", "todo"})


def has_read_outside(
    contents: Iterable[conversation.Content], tools: Mapping[str, llm.Tool]
) -> bool:
    """Return whether a result from outside is among the contents of a chat log."""
    return any(
        isinstance(content, conversation.ToolResultContent)
        and _is_outside(content, tools.get(content.tool_name))
        for content in contents
    )


def _is_outside(content: conversation.ToolResultContent, tool: llm.Tool | None) -> bool:
    if tool is None:
        # Of an agent before, or no longer offered: Home Assistant's names tell.
        *owners, name = content.tool_name.split("__")
        return bool(_OUTSIDE.intersection(owners)) and not name.startswith("Hass")
    own = own_tool(tool)
    data: Any = content.result.data
    if data == WAITING:
        return False
    if isinstance(own, Ability):
        return own.returns_outside
    if isinstance(own, llm.IntentTool):
        # An intent script may read somebody's text aloud.
        return own.integration == "intent_script" and _has_text(data.get("speech"))
    if own.integration in _OUTSIDE:
        return True
    if is_script_tool(own):
        # Beside it stand words of ours.
        data = data.get("result")
    return own.annotations.open_world and _has_text(data)


def _has_text(value: Any) -> bool:
    """Return whether anything was returned that could be read."""
    return any(text.strip() for text in texts_of(value))
