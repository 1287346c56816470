"""Text that was written outside the home, which the model may follow.

A tool's result is from outside unless that is known to be impossible.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ..internals import is_script_tool
from .names import texts_of
from .notes import WAITING, RefusedError
from .own_tool import FROM_OUTSIDE, OwnTool, unwrapped

# Integrations whose tools return what others wrote, whatever they declare.
_OUTSIDE: Final = frozenset({"calendar", "mcp", "todo"})
# Home Assistant's own tools that read the home, and nothing else.
_INSIDE: Final = ("homeassistant__GetLiveContext", "llm__GetDateTime")


def are_read(
    contents: Sequence[conversation.Content], tools: Mapping[str, llm.Tool]
) -> bool:
    """Return whether the model has read such a text in a conversation."""
    return any(
        _is_outside(content, tools.get(content.tool_name))
        for content in contents
        if isinstance(content, conversation.ToolResultContent)
    )


def _is_outside(content: conversation.ToolResultContent, tool: llm.Tool | None) -> bool:
    data: Any = content.result.data
    # Other agents' results are here too.
    fields = data if isinstance(data, Mapping) else {}
    if data == WAITING or (
        content.result.error and fields.get("error") == RefusedError.__name__
    ):
        # Our own words: the tool was not run.
        return False
    if tool is None:
        name = content.tool_name
        # Home Assistant notes what it does by itself under the names of its intents.
        return not name.startswith("Hass") and not any(
            name == item or name.endswith(f"__{item}") for item in _INSIDE
        )
    own = unwrapped(tool)
    if isinstance(own, OwnTool):
        return own.returns_outside or bool(fields.get(FROM_OUTSIDE))
    if isinstance(own, llm.IntentTool):
        # An intent script may read somebody's text aloud.
        return own.integration == "intent_script" and _has_text(fields.get("speech"))
    if own.integration in _OUTSIDE:
        return True
    if is_script_tool(own):
        # What stands beside it are our own words.
        data = fields.get("result")
    return own.annotations.open_world and _has_text(data)


def _has_text(value: Any) -> bool:
    return any(text.strip() for text in texts_of(value))
