"""What an agent keeps of its conversations, and for how long."""

from unittest.mock import patch

from custom_components.lumo.agent import conversation_state
from custom_components.lumo.agent.conversation_state import Conversations
from custom_components.lumo.gate.call_record import Journal


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
