"""What the gate asks a tool of our own about its calls.

A tool of an LLM API is judged by what Home Assistant knows of it. A tool of our own (a
file in `abilities/`) says for itself what a call of it does, before it runs: on which
entities, and how. All else, who is asked, what is narrowed, told, watched and can be
undone, is the gate's business as for any other call.
"""

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, NamedTuple, override

from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv, llm
import probatio

from ..const import DOMAIN
from .effects import Effect
from .journal import Journal
from .memory import NotesInTurn
from .mention import Sentence
from .names import exposed
from .places import Scope
from .plans import Plans
from .sent import Sent
from .speaker import Speaker

type Arguments = Mapping[str, Any]

# In a result it says that strangers may have written some of just this one.
FROM_OUTSIDE: Final = "written_by_others"


def _understand_nothing(
    name: str, _arguments: object
) -> tuple[llm.Tool, dict[str, Any]]:
    raise HomeAssistantError(f"There is no tool {name}.")


async def _show_nothing(_data: bytes, _name: str) -> int:
    return 0


class HiddenTool(NamedTuple):
    """A tool that a request does not describe."""

    name: str
    """Its full name."""
    title: str
    text: str
    """Its description, and what its arguments may be chosen from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What a tool of our own may need of the turn that it is offered in."""

    hass: HomeAssistant | None = None
    """None where tools are only listed."""
    speaker: Speaker | None = None
    """Who speaks; None where tools are only listed."""
    scope: Scope | None = None
    """What may be read and acted on from there; None: all that is exposed."""
    changes: tuple[State, ...] = ()
    """The states, before, of what the last turn that acted has changed."""
    journal: Journal | None = None
    """What Lumo did lately; None where tools are only listed."""
    sent: Sent | None = None
    """What left the house in this conversation."""
    cameras: Sequence[str] = ()
    """What may be looked at, if it is exposed."""
    show: Callable[[bytes, str], Awaitable[int]] = _show_nothing
    """Shows the model a picture, from the next request on, and calls it so; returns
    which it is of the turn's, 0 if it cannot be shown."""
    notes: NotesInTurn | None = None
    """What this speaker had kept; None where nothing may be."""
    changes_unasked: float = 5
    """So many things a scene on the spot may change without a question."""
    plans: Plans | None = None
    """What waits for its time; None where nothing can be planned."""
    planned: tuple[str, ...] = ()
    """The ids of the plans that the last turn that acted has made."""
    agent: str = ""
    """The id of the agent's subentry."""
    note_plan: Callable[[str], None] = lambda _plan_id: None
    """Notes that the turn has made a plan, by its id."""
    understand: Callable[[str, object], tuple[llm.Tool, dict[str, Any]]] = (
        _understand_nothing
    )
    """Returns the tool that the model calls so, and arguments that fit it.

    Raises HomeAssistantError, in words for the model."""
    is_ahead: bool = False
    """A call is for later: what is so already may not be so by then."""
    left_out: bool = False
    """The request does not describe all of the home, or not all tools."""
    hidden: Mapping[str, HiddenTool] = field(default_factory=dict)
    """The tools that it does not describe, by the names that the model calls them."""
    offer: Callable[[str], None] = lambda name: None
    """Describes one of them, by its full name, from the next request on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Delayed:
    """A call that a call of ours is to make later."""

    tool: llm.Tool | None
    """None: something is to be said."""
    arguments: dict[str, Any]
    kept: Mapping[str, Any]
    """The arguments of the outer call by which it means the same at any time."""
    when: str
    """When, as it is spoken."""
    say: str
    on_condition: bool
    in_a_day: bool
    """It is not later than in a day, so that a yes holds till then."""
    is_said: Callable[[Sentence], bool]
    """Returns whether a sentence says when."""


# In the arguments of a call that makes others later: the call that was judged, by the
# full name of its tool, and its calls as they are to run.
JUDGED: Final = "judged"
CALLS: Final = "calls"
# And that what is to be said may be somebody else's words.
FOREIGN: Final = "foreign"


class Wording(NamedTuple):
    """What a person is asked about a call as a whole."""

    phrase: str = ""
    """The key of the words for it; empty: what is done to each target is said."""
    name: str = ""
    value: str = ""
    targets: tuple[str, ...] = ()


def optional_texts(described: Mapping[str, str]) -> dict[probatio.Optional, Any]:
    """Return parameters that are texts, by their names, with what is told of them."""
    return {
        probatio.Optional(name, description=told or None): cv.string
        for name, told in described.items()
    }


class Ability(llm.Tool):
    """A tool of our own. What is not said here fits one that only reads."""

    integration = DOMAIN
    annotations = llm.ToolAnnotations(read_only=True, idempotent=True, open_world=False)
    domain: ClassVar[str] = ""
    """It is of use only where something of this domain is exposed; empty: anywhere."""
    replaces: ClassVar[frozenset[str]] = frozenset()
    """The tools of Home Assistant that do less of the same, by name: while this one is
    offered they are not described, but may still be called."""
    hides: ClassVar[Mapping[str, str]] = {}
    """Arguments of Home Assistant's tools that it does better: while it is offered
    they are not described, but may still be given."""
    returns_outside: ClassVar[bool] = False
    """Its results may hold what strangers wrote, also without `FROM_OUTSIDE`."""
    asks_after_outside: ClassVar[bool] = False
    """It only reads, and is judged as if it acted once text from outside was read."""
    begins: ClassVar[bool] = False
    """A call that acts on nothing has done something all the same."""
    is_private: ClassVar[bool] = False
    """It is about what people said, not about the home: nobody is told of its calls
    what was said, and one with `done` in its result has done something."""
    is_divisible: ClassVar[bool] = False
    """A call can be run for each of its targets alone (see `narrowed`)."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation

    @property
    def is_useful(self) -> bool:
        """Return whether there is anything to use it for in this turn."""
        hass = self.situation.hass
        return not self.domain or hass is None or bool(self.things(hass))

    def things(self, hass: HomeAssistant) -> list[State]:
        """Return what it is for, of what is exposed of its domain."""
        return self.exposed(hass, self.domain)

    def exposed(self, hass: HomeAssistant, *domains: str) -> list[State]:
        """Return what is exposed of some domains, of what may be read in this turn."""
        return exposed(hass, *domains, scope=self.situation.scope)

    @property
    def is_passing(self) -> bool:
        """Return whether there are turns that have no use for it."""
        return not type(self)(Situation()).is_useful

    @property
    def is_asked_for(self) -> bool:
        """Return whether the person's own sentence asks for just this.

        Then its targets need not be named, after text from outside was read.
        """
        return False

    def question(self, hass: HomeAssistant, arguments: Arguments) -> Wording | None:
        """Return what a person is asked before a call runs, whatever its targets are.

        What is sensitive of these is asked about in any case.
        """
        return None

    async def async_delayed(
        self, hass: HomeAssistant, arguments: Arguments
    ) -> Delayed | None:
        """Return the call that a call is to make later; None if it makes none.

        Raises HomeAssistantError, in words for the model.
        """
        return None

    def choices(self, hass: HomeAssistant, arguments: Arguments) -> Sequence[Effect]:
        """Return what a call would do, if it does not say which of these is meant."""
        return ()

    def effects(
        self, hass: HomeAssistant, arguments: Arguments, *, at_once: bool = True
    ) -> list[Effect]:
        """Return what a call does to which entities.

        Without `at_once` the present states do not count: it is asked about a call that
        has run, or that will run later.
        """
        return []

    def narrowed(self, arguments: Arguments, *entity_ids: str) -> dict[str, Any]:
        """Return the arguments for some of the targets alone."""
        return dict(arguments)

    @abstractmethod
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        """Run a call; return its result.

        Raises HomeAssistantError, in words for the model.
        """

    @override
    async def async_call(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult:
        arguments = tool_input.tool_args
        return llm.ToolResult(data=await self.async_run(hass, arguments, llm_context))
