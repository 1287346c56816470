"""When a turn must end though the model would go on, or may end before it does."""

from collections import Counter
from collections.abc import Sequence
import re

from homeassistant.components import conversation
from homeassistant.helpers.json import json_dumps

from .policy import Outcome

# The same call with the same result, again and again, will not change by itself.
LOOP = 3
# A call may be refused and corrected twice; after that the model does not get it.
REFUSALS = 3
# Longer than any round should take, short enough to be still worth hearing. Home
# Assistant itself sets no limit to a turn.
TURN_SECONDS = 240.0

_CLAUSE = re.compile(
    r"\b(?:and|then|also|und|dann|et|puis|en|dan|y|luego)\b|[,;.:!]", re.IGNORECASE
)


def is_looping(contents: Sequence[conversation.Content]) -> bool:
    """Return whether a turn's contents hold one call with one result too often."""
    calls: dict[str, tuple[str, str]] = {}
    seen: Counter[tuple[str, str, str]] = Counter()
    for content in contents:
        if isinstance(content, conversation.AssistantContent):
            for call in content.tool_calls or ():
                calls[call.id] = (call.tool_name, json_dumps(call.tool_args))
        elif isinstance(content, conversation.ToolResultContent):
            if call_key := calls.get(content.tool_call_id):
                seen[*call_key, json_dumps(content.result.data)] += 1
    return any(count >= LOOP for count in seen.values())


def may_confirm(sentence: str, outcomes: Sequence[Outcome], calls: int) -> bool:
    """Return whether a round did all that was asked for, so that "Done" is enough.

    Every call ran, succeeded, and is an action of the home; and the sentence has no
    more parts than there were calls ("turn off the light and tell me a joke" has two).
    """
    parts = sum(bool(part.strip()) for part in _CLAUSE.split(sentence))
    return (
        0 < parts <= calls == len(outcomes)
        and all(outcome.success for outcome in outcomes)
        and not any(
            outcome.tool.annotations.read_only or outcome.tool.annotations.open_world
            for outcome in outcomes
        )
    )
