"""What an agent keeps of its conversations, and for how long."""

from unittest.mock import patch

from homeassistant.components.conversation import ToolResultContent
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import pytest

from custom_components.lumo.agent import conversation_state
from custom_components.lumo.agent.conversation_state import (
    Conversations,
    ConversationState,
)
from custom_components.lumo.gate.call_record import Journal
from custom_components.lumo.gate.speaker import Speaker

from .scripted import Scene


def test_conversation_that_is_over_is_forgotten() -> None:
    now = 1000.0
    with patch.object(conversation_state, "monotonic", lambda: now):
        conversations = Conversations(Journal())
        first = conversations.of("first")
        now += 599
        assert conversations.of("first") is first
        now += 601
        assert conversations.of("first") is not first
        now += 601
        conversations.of("second")
        assert [*conversations._conversations] == ["second"]


@pytest.mark.parametrize(
    ("before", "is_told"),
    [
        (Speaker("anna", None, True, "", "en"), True),
        (Speaker("ben", None, True, "", "en"), False),
        (Speaker("anna", None, False, "", "en"), False),
        (None, False),
    ],
)
async def test_who_goes_on_does_not_hear_what_another_was_told(
    hass: HomeAssistant, before: Speaker | None, is_told: bool
) -> None:
    data = llm.ToolResult(data={"note": "The key is under the mat."})
    result = ToolResultContent("conversation.lumo", "a", "lumo__memory", data)
    state = ConversationState()
    state.said = before
    scene = Scene(hass, None, "And?", [], before=[result], conversation_state=state)
    assert ("mat" in str(scene.log.content)) is is_told
