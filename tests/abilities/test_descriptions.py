"""What a request says of the tools of our own."""

from homeassistant.helpers import llm

from custom_components.lumo.abilities import ABILITIES
from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.agent.toolbox import definitions
from custom_components.lumo.tool_calling.detection.pieces import DetectedCall
from custom_components.lumo.tool_calling.detection.reader import CallReader
from custom_components.lumo.tool_calling.naming import ToolNames
from custom_components.lumo.tool_calling.prompted import tool_line

MOST_CHARACTERS = 3_700


def test_all_of_them_take_few_characters() -> None:
    tools = [ability(AbilityContext()) for ability in ABILITIES]
    names = ToolNames([tool.name for tool in tools], prefix="user:")
    described = definitions(tools, llm.selector_serializer, {})
    lines = [tool_line(item, names) for item in described]
    for tool, line in zip(tools, lines, strict=True):
        assert line.startswith(names.prompted(tool.name)) and "\n" not in line
        detector = CallReader(names)
        repeated = [*detector.feed(line), *detector.finish()]
        assert not any(isinstance(piece, DetectedCall) for piece in repeated)
    assert sum(len(line) + 1 for line in lines) <= MOST_CHARACTERS
