"""The phases of the detector, a state machine for text that streams.

The machine is always in one phase, a function that consumes what it can of the text
from a position on and returns how far it came:

    plain -> body (behind a fence or a tag) -> value -> after -> plain
               |                             |
               `-> block (a code block            `-> broken (to the end of
                   that is text)                      what cannot be read)

`text` has the phases in which text is let go, `behind` those behind a value, `wrapping`
those behind the opening of a fence or a tag, `value` those that read JSON, `form` those
for calls that are not JSON, which begin with the name of a tool. Each module
uses only those that come after it here, and `state`, which holds what they all share.

Where a phase needs to see more it raises NeedsMore, before it has consumed anything:
what stands before a beginning is consumed in a step of its own. What is waited with is
bounded, and everything else is looked at once. So the cost is linear in the length of
the text, however it is cut, and the result does not depend on the cuts.
"""

from collections.abc import Callable
from typing import Final

from . import behind, other_forms, text, value, wrapping
from .state import Phase, State

__all__ = ["PHASES", "Phase", "State"]

# By the number of the phase.
PHASES: Final[tuple[Callable[[State, str, int], int], ...]] = (
    text.plain,
    text.in_block,
    text.passage,
    wrapping.body,
    wrapping.parameters,
    value.value,
    value.span,
    behind.after,
    behind.broken,
    other_forms.named,
    other_forms.form,
)
