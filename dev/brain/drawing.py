"""Whether a picture is wanted, where the service's tool for that is offered."""

from collections.abc import Mapping, Sequence
import re
from typing import Any, Final

from .model import Call

_WANTED: Final = re.compile(
    r"(?i)\b(?:draw|paint|sketch|picture|image|photo|illustration|poster"
    r"|zeichne|male|bild|foto)"
)


def wanted_picture(
    messages: Sequence[Mapping[str, Any]], server_tools: Sequence[str]
) -> Call | None:
    """Return the call that makes the picture the last sentence asks for."""
    spoken = [item for item in messages if item.get("role") == "user"]
    last = spoken[-1] if spoken else {}
    sentence = str(last.get("content", "")).strip()
    tool = "edit_image" if last.get("images") else "generate_image"
    if tool not in server_tools or not _WANTED.search(sentence):
        return None
    return Call(tool, {"prompt": sentence})
