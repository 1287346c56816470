"""When a turn must end though the model would go on, or may end before it does."""

from collections import Counter
from collections.abc import Sequence

from homeassistant.components import conversation

from ..gate.gate import Outcome
from ..languages.form import Language
from ..languages.words import parts_of

# The same call with the same result, again and again, will not change by itself.
LOOP = 3
# A call may be refused and corrected twice; after that the model does not get it.
REFUSALS = 3


def is_looping(contents: Sequence[conversation.Content]) -> bool:
    """Return whether too many of a turn's answers brought one call and one result."""
    calls: dict[str, str] = {}
    answer = 0
    seen: set[tuple[int, str]] = set()
    for content in contents:
        if isinstance(content, conversation.AssistantContent):
            # One answer may well call the same thing often: the next track, thrice.
            answer += 1
            for call in content.tool_calls or ():
                calls[call.id] = f"{call.tool_name} {call.tool_args}"
        elif isinstance(content, conversation.ToolResultContent):
            if call_key := calls.get(content.tool_call_id):
                seen.add((answer, f"{call_key} {content.result.data}"))
    counts = Counter(step for _, step in seen)
    return any(count >= LOOP for count in counts.values())


def may_confirm(
    sentence: str, language: Language, outcomes: Sequence[Outcome], calls: int
) -> bool:
    """Return whether a round did all that was asked for, so that "Done" is enough.

    Every call ran, did all it should, and is an action of the home; and the sentence
    has no more parts than there were calls ("turn off the light and tell me a joke" has
    two).
    """
    return (
        0 < len(parts_of(sentence, language)) <= calls == len(outcomes)
        and all(outcome.complete for outcome in outcomes)
        and not any(
            outcome.tool.annotations.read_only or outcome.tool.annotations.open_world
            for outcome in outcomes
        )
    )
