"""What happened in a turn, for its trace, statistics and caller; and what is left."""

from dataclasses import asdict, dataclass, field
import logging
from typing import Any, Final

from ..lumo_client.errors import LumoError
from ..lumo_client.events import Limits, Usage

_LOGGER = logging.getLogger(__name__)

# Fewer requests than these are told.
_FEW: Final = 10

# What is added up over all turns of an account.
COUNTED: Final = (
    *("requests", "at_home", "input_tokens", "output_tokens", "rescues", "bounces"),
    *("names_in_clear", "pictures"),
)
_TRACED: Final = (
    *("requests", "at_home", "bounces", "rescues", "doubts", "rewrites", "questions"),
    *("prompt_characters", "error", "decisions"),
)


@dataclass(slots=True)
class Ledger:
    """The parts of a request in characters, and how much was left out of it."""

    instructions: int = 0
    """All that is no other part."""
    tools: int = 0
    """The descriptions of the offered tools."""
    home: int = 0
    notes: int = 0
    conversation: int = 0
    """What was said, the calls and their results."""
    things_left_out: int = 0
    tools_left_out: int = 0


@dataclass(slots=True)
class TurnRecord:
    """Counts and decisions of one turn. Holds no sentence and no name of the home."""

    requests: int = 0
    at_home: int = 0
    """1: Home Assistant understood the sentence, and it was done."""
    bounces: int = 0
    """Misrouted calls that the model had to write again."""
    rescues: int = 0
    """Misrouted calls that ran as they were."""
    doubts: int = 0
    """Answers that claimed what no call did, so the model was asked again."""
    rewrites: int = 0
    """Answers without the required form, so the model was asked again."""
    questions: int = 0
    outside_results: int = 0
    """Calls and results of Proton's own tools: the model has read what they say."""
    sources: dict[str, str] = field(default_factory=dict)
    """The titles of the pages that those found, by address."""
    prompt_characters: int = 0
    """Plain text of all requests, tool definitions included."""
    ledger: Ledger = field(default_factory=Ledger)
    input_tokens: int = 0
    output_tokens: int = 0
    names_in_clear: int = 0
    """Calls beside the encrypted text: each showed Proton the name of a tool."""
    pictures: int = 0
    first_word: float | None = None
    """Seconds until something was said; None if nothing was."""
    usage: Usage | None = None
    error: str | None = None
    """Short code of the failure that ended the turn without an answer."""
    failure: LumoError | None = None
    """The service's failure that ended it."""
    asked: bool = False
    """It ended in a question that waits for a yes, or in "Please say it again."."""
    has_done_all: bool = False
    """What was approved before the turn is done, as far as is known."""
    decisions: list[str] = field(default_factory=list)
    """What was decided about calls, one line each, without private content."""

    @property
    def failed(self) -> bool:
        """Return whether the turn ended without an answer."""
        return self.error is not None

    def take(self, usage: Usage) -> None:
        """Count what an answer cost."""
        self.usage = usage
        self.input_tokens += usage.prompt_tokens or 0
        self.output_tokens += usage.completion_tokens or 0

    def decide(self, decision: str) -> None:
        """Note a decision, here and in the debug log."""
        self.decisions.append(decision)
        _LOGGER.debug("%s", decision)

    def as_event(self) -> dict[str, Any]:
        """Return what automations get: numbers, and the code of a failure."""
        return {key: getattr(self, key) for key in (*COUNTED, "first_word", "error")}

    def as_trace(self) -> dict[str, Any]:
        """Return what the conversation trace shows."""
        return {key: getattr(self, key) for key in _TRACED} | {
            "sizes": asdict(self.ledger)
        }


@dataclass(slots=True)
class Quota:
    """The pools of one account, by their names: `lite`, `max`."""

    _left: dict[str, int] = field(default_factory=dict)
    _told: dict[str, int] = field(default_factory=dict)
    """What was left when somebody last heard of it."""

    def note(self, limits: Limits | None) -> None:
        """Note what the service told."""
        for pool, left in (asdict(limits) if limits else {}).items():
            if left is None:
                self._left.pop(pool, None)
                continue
            self._left[pool] = left
            if left > _FEW:
                self._told.pop(pool, None)

    def few(self, usage: Usage | None) -> tuple[str, int] | None:
        """Return an answer's pool and what is left: once at ten or fewer, once at none."""
        if usage is None:
            return None
        self.note(usage.remaining)
        pool = usage.category or ""
        left, told = self._left.get(pool), self._told.get(pool)
        if left is None or left > _FEW or told == 0 or (told and left):
            return None
        self._told[pool] = left
        return pool, left

    def is_empty(self, pool: str) -> bool:
        """Return whether it is known that nothing is left of a pool."""
        return self._left.get(pool) == 0
