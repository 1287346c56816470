"""One call that is to be judged."""

from typing import override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.gate.judged_call import JudgedCall


class Mail(llm.Tool):
    """A tool that sends mail."""

    name = "mail__send"

    def __init__(self, integration: str, title: str) -> None:
        """Make a tool of a config entry, as an MCP server's is."""
        self.integration = integration
        self.config_entry = MockConfigEntry(title=title)

    @override
    async def async_call(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult:
        """Never run."""
        raise NotImplementedError


@pytest.mark.parametrize(
    ("integration", "title", "server"),
    [("mcp", "Work", "Work"), ("mcp", "", "MCP"), ("mail", "Work", "")],
)
def test_server_of_a_tool_is_known(
    hass: HomeAssistant, integration: str, title: str, server: str
) -> None:
    """What is at home has none."""
    tool = Mail(integration, title)
    context = llm.LLMContext("lumo", None, "en", "conversation", None)
    assert JudgedCall(hass, tool, {}, context).server == server
