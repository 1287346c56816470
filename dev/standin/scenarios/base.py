"""What a scenario is: the places where it can change the course of things.

Five for a chat, three for a sign-in, two for a refresh, one for any connection.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
import itertools
import re
from typing import Any, ClassVar

from aiohttp import web

from ..accounts import Accounts, Identity
from ..chat_request import ChatRequest
from ..human import Shown
from ..plan import Call, Decision, Step, Writing

type AskBrain = Callable[[list[dict[str, Any]]], list[Decision]]


@dataclass(slots=True)
class Exchange:
    """One chat request on its way: what scenarios may look at."""

    request: ChatRequest
    ask_brain: AskBrain
    writing: Writing = field(default_factory=Writing)
    called: bool = False  # the answer holds a call
    bounced: bool = False  # a misrouted call came back to be printed
    may_draw: bool = True  # the quota of pictures is not used up
    instructions: str = field(init=False)

    def __post_init__(self) -> None:
        self.instructions = "\n".join(
            message["content"]
            for message in self.request.messages
            if message["role"] in ("system", "user")
        )

    @property
    def native(self) -> bool:
        """Say whether calls go over the function channel."""
        return bool(self.request.function_tools) and self.request.tool_choice != "none"

    @property
    def after_results(self) -> bool:
        """Say whether the model was just told what its calls did."""
        last = self.request.conversation[-2:]
        if not last or last[-1]["role"] == "tool":
            return True
        return last[0]["role"] == "assistant" and '"arguments"' in last[0]["content"]

    @property
    def last_sentence(self) -> str:
        """Return the last user turn without the instructions injected into it."""
        for message in reversed(self.request.messages):
            if message["role"] == "user":
                return without_instructions(str(message["content"]))
        return ""

    @property
    def german(self) -> bool:
        """Guess whether a German sentence is to be answered."""
        words = set(re.findall(r"\w+", self.last_sentence.lower()))
        return len(words & _GERMAN) > len(words & _ENGLISH)


_GERMAN = frozenset([
    "das", "der", "die", "dem", "den", "ist", "im", "in", "am", "an", "aus", "auf",
    "und", "ein", "eine", "schalte", "schalt", "mach", "mache", "stell", "stelle",
    "wie", "bitte", "licht", "kannst", "du", "alle", "zu", "hallo", "danke", "öffne",
    "schließe",
])  # fmt: skip
_ENGLISH = frozenset([
    "the", "is", "in", "on", "off", "and", "a", "an", "turn", "switch", "set", "what",
    "how", "please", "light", "can", "you", "all", "to", "hello", "thanks", "open",
    "close", "it",
])  # fmt: skip


def without_instructions(text: str) -> str:
    """Return a user turn without the project instructions before it.

    The web app puts them as `[Project instructions: ...]` and an empty line.
    """
    if text.startswith("[Project instructions:"):
        return text.rpartition("]\n\n")[2]
    return text


_READS = re.compile(r"(?:^|_|:|hass)get(?![a-z])|status$", re.IGNORECASE)


def reads(name: str) -> bool:
    """Say whether a tool of this name only reads: GetLiveContext, todo_get_items."""
    return _READS.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)) is not None


class Scenario:
    """A habit of the service. Each server has its own instance, which may count.

    The methods of a chat stand in the order in which they are called.
    """

    name: ClassVar[str]
    # Whether it refuses what is asked beside the chat too.
    everywhere: ClassVar[bool] = False

    def __init__(self) -> None:
        self._turns: defaultdict[str, Iterator[int]] = defaultdict(itertools.count)

    def rotate[T](self, *forms: T, of: str = "") -> T:
        """Return the forms one after the other, one for each call with this `of`."""
        return forms[next(self._turns[of]) % len(forms)]

    def begin(self, accounts: Accounts) -> None:
        """Take effect on what is there; `Accounts.end_faults` takes it back."""

    def admit(self, who: Identity, accounts: Accounts) -> None:
        """Refuse a request by raising ApiError."""

    def decide(self, exchange: Exchange, decisions: list[Decision]) -> list[Decision]:
        """Change what the model decided."""
        return decisions

    def style(self, exchange: Exchange, writing: Writing) -> None:
        """Change how calls are written."""

    def route(
        self, exchange: Exchange, calls: list[Call], steps: list[Step]
    ) -> list[Step]:
        """Change which way calls that belong together go."""
        return steps

    def revise(self, exchange: Exchange, plan: list[Step]) -> list[Step]:
        """Change the finished plan, in which texts are already in pieces."""
        return plan

    def admit_sign_in(self, name: str, shown: Shown, accounts: Accounts) -> None:
        """Refuse the challenge or the proof of a sign-in by raising ApiError."""

    def admit_refresh(self, uid: str, shown: Shown, accounts: Accounts) -> None:
        """Refuse a refresh by raising ApiError."""

    async def connect(self, request: web.Request) -> None:
        """Break the connection on which a request came, by raising Gone."""

    def change_challenge(self, answer: dict[str, Any]) -> None:
        """Change the answer to `auth/info`."""

    def change_proof(self, answer: dict[str, Any]) -> None:
        """Change the answer to `auth`."""


SCENARIOS: dict[str, type[Scenario]] = {}


def register(name: str) -> Callable[[type[Scenario]], type[Scenario]]:
    """Put a scenario into the table under its name."""

    def add(kind: type[Scenario]) -> type[Scenario]:
        kind.name = name
        SCENARIOS[name] = kind
        return kind

    return add
