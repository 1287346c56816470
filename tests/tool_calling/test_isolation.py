"""The room stands alone: it needs no Home Assistant."""

from pathlib import Path
import re

import custom_components.lumo.tool_calling

ROOM = Path(custom_components.lumo.tool_calling.__file__).parent
OUTSIDE = re.compile(
    r"^\s*(?:from|import) (?:homeassistant|custom_components|\.\.+(?!text |naming |instructions )\w)",
    re.MULTILINE,
)


def test_no_module_imports_home_assistant_or_another_room() -> None:
    modules = [path.read_text(encoding="utf-8") for path in ROOM.rglob("*.py")]
    assert len(modules) > 10
    assert [found[0] for text in modules if (found := OUTSIDE.search(text))] == []
