"""One of our own tools, and what it may need of the turn that it is offered in."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

from homeassistant.auth.permissions.const import POLICY_READ
from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import Context, HomeAssistant, State, split_entity_id
from homeassistant.helpers import config_validation as cv, llm
import probatio

from ..gate.call_record import Journal
from ..gate.names import exposed, is_exposed
from ..gate.own_tool import OwnTool
from ..gate.places import Scope
from ..gate.speaker import Speaker
from ..languages import LANGUAGES, translated
from ..languages.form import Language
from .finder import Finder
from .note_store import NotesInTurn
from .plans import Plans
from .routine_store import Routines


class HiddenTool(NamedTuple):
    """A tool that a request does not describe."""

    name: str
    """Its full name."""
    title: str
    text: str
    """Its description and the choices of its arguments."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AbilityContext:
    """What one of our tools may need of a turn; empty where tools are only listed."""

    hass: HomeAssistant | None = None
    speaker: Speaker | None = None
    scope: Scope | None = None
    """What may be read and acted on from there; None: all that is exposed."""
    changes: tuple[State, ...] = ()
    """The earlier states of what the last turn that acted has changed."""
    journal: Journal | None = None
    cameras: Sequence[str] = ()
    """The ids of what may be looked at, if it is exposed."""
    show: Callable[[bytes, str], Awaitable[int]] | None = None
    """Shows the model a picture of that name with the next request; returns its number
    in the turn, 0 if it cannot be shown.
    """
    notes: NotesInTurn | None = None
    """None where no notes may be kept."""
    plans: Plans | None = None
    """None where nothing can be planned."""
    routines: Routines | None = None
    """None where no routine can be made."""
    planned: tuple[str, ...] = ()
    """The ids of the plans and routines that the last turn that acted has made."""
    agent: str = ""
    """The id of the agent's subentry."""
    owner_of: Callable[[str], str | None] = lambda _satellite: None
    """The person whose satellite one is."""
    on_plan: Callable[[str], None] = lambda _plan_id: None
    """Receives the id of each plan and routine that the turn makes."""
    understand: Callable[[str, object], tuple[llm.Tool, dict[str, Any]]] | None = None
    """Returns a tool by its name, and fitting arguments. Raises HomeAssistantError."""
    is_ahead: bool = False
    """A call is for later: what is so already may not be so by then."""
    hidden: Mapping[str, HiddenTool] = field(default_factory=dict)
    """The tools that a request does not describe, by the names that the model calls."""
    offer: Callable[[str], None] = lambda name: None
    """Describes one of them, by its full name, from the next request on."""


class Ability(OwnTool):
    """One of our own tools."""

    domain: ClassVar[str] = ""
    """It is useful only where something of this domain is exposed; empty: anywhere."""
    replaces: ClassVar[frozenset[str]] = frozenset()
    """The names of tools of Home Assistant that are not described beside it."""
    hides: ClassVar[Mapping[str, str]] = {}
    """Arguments of Home Assistant's tools that are not described beside it."""

    def __init__(self, context: AbilityContext) -> None:
        self.context = context

    @property
    def is_useful(self) -> bool:
        """Return whether this turn has a use for it."""
        hass = self.context.hass
        return not self.domain or hass is None or bool(self.things(hass))

    def things(self, hass: HomeAssistant) -> list[State]:
        """Return what is exposed of its domain, else everything that is."""
        return self.exposed(hass, *filter(None, [self.domain]))

    def finder(self, hass: HomeAssistant, *domains: str) -> Finder:
        """Return a finder among these, or among what is exposed of some domains."""
        there = self.exposed(hass, *domains) if domains else self.things(hass)
        return Finder(hass, there, self.context.speaker)

    def exposed(self, hass: HomeAssistant, *domains: str) -> list[State]:
        """Return what is exposed of some domains and may be read in this turn."""
        return exposed(hass, *domains, scope=self.context.scope)

    @property
    def speaker(self) -> Speaker:
        """Return who speaks in this turn."""
        assert self.context.speaker
        return self.context.speaker

    @property
    def language(self) -> Language:
        """Return the language of what is said about a call."""
        speaker = self.context.speaker
        return LANGUAGES[translated(speaker.language if speaker else None)]

    @property
    def is_passing(self) -> bool:
        """Return whether some turns have no use for it."""
        return not type(self)(AbilityContext()).is_useful


def ahead(tool: llm.Tool) -> llm.Tool:
    """Return a tool for a call at a later time: what is so now may not be so then."""
    if not isinstance(tool, Ability):
        return tool
    return type(tool)(replace(tool.context, is_ahead=True))


def optional_texts(*names: str, **described: str) -> dict[probatio.Optional, Any]:
    """Return optional text parameters, some with a description."""
    told = dict.fromkeys(names) | described
    return {
        probatio.Optional(name, description=text or None): cv.string
        for name, text in told.items()
    }


async def async_answer(
    hass: HomeAssistant,
    entity_id: str,
    service: str,
    data: Mapping[str, Any],
    context: Context | None,
) -> Any:
    """Return the response of an action of the entity's domain."""
    found: Any = await hass.services.async_call(
        split_entity_id(entity_id)[0],
        service,
        {ATTR_ENTITY_ID: entity_id, **data},
        blocking=True,
        return_response=True,
        context=context,
    )
    return found[entity_id]


async def async_may_read(
    hass: HomeAssistant, context: Context | None, scope: Scope | None
) -> Callable[[State], bool]:
    """Return what tells whether a thing is exposed and the person may read it."""
    user_id = context.user_id if context else None
    user = await hass.auth.async_get_user(user_id) if user_id else None

    def may_read(state: State) -> bool:
        entity_id = state.entity_id
        return is_exposed(hass, entity_id, scope) and (
            user is None or user.permissions.check_entity(entity_id, POLICY_READ)
        )

    return may_read
