"""Text that was written outside the home, and what it must not bring about.

The model may follow such a text, so from then on what the person's own sentence does
not name is asked about. A tool's result is from outside unless that is known to be
impossible.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ..internals import is_script_tool
from .earlier import Earlier
from .names import spoken, texts_of
from .notes import WAITING, RefusedError
from .own_tool import FROM_OUTSIDE, OwnTool, unwrapped

# Integrations whose tools return what others wrote, whatever they declare.
_OUTSIDE: Final = frozenset({"calendar", "mcp", "todo"})
# Home Assistant's own tools that read the home, and nothing else.
_INSIDE: Final = ("homeassistant__GetLiveContext", "llm__GetDateTime")
_SEARCH: Final = "media_player__search_media"
# Plays what was searched for before; the result of a search is always from outside.
PLAY: Final = "media_player__play_media"
_MAX_FOUND: Final = 500


@dataclass(slots=True)
class OutsideTexts:
    """Watches the results in a conversation for texts from outside."""

    _contents: Sequence[conversation.Content]
    _tools: Mapping[str, llm.Tool]
    _earlier: Earlier

    def have_been_read(self) -> bool:
        """Return whether the model has read any; ask at the end of each turn, too."""
        for content in self._contents:
            if isinstance(content, conversation.ToolResultContent):
                tool = self._tools.get(content.tool_name)
                if tool and unwrapped(tool).name == _SEARCH:
                    self._keep_found(content.result.data)
                if not self._earlier.read_outside:
                    self._earlier.read_outside = _is_outside(content, tool)
        return self._earlier.read_outside

    def _keep_found(self, data: Any) -> None:
        found = data.get("results") if isinstance(data, Mapping) else ()
        for item in found if isinstance(found, list) else ():
            if isinstance(item, Mapping):
                self._earlier.found_media[_media(item)] = None
        while len(self._earlier.found_media) > _MAX_FOUND:
            del self._earlier.found_media[next(iter(self._earlier.found_media))]


def was_found(earlier: Earlier, arguments: Mapping[str, Any]) -> bool:
    """Return whether a search found what is to be played."""
    return _media(arguments) in earlier.found_media


def source_of(arguments: Mapping[str, Any]) -> str:
    """Return where the media comes from: the host of a URL, else the id."""
    content_id = str(arguments.get("media_content_id") or "").strip()
    try:
        url = urlsplit(content_id)
    except ValueError:
        return spoken(content_id)
    # Other schemes, like media-source, have something else there.
    is_url = url.scheme in ("", "http", "https", "rtsp", "rtmp", "mms", "ftp")
    return spoken((is_url and url.hostname) or content_id)


def _media(item: Mapping[str, Any]) -> tuple[str, str]:
    return str(item.get("media_content_id")), str(item.get("media_content_type"))


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
