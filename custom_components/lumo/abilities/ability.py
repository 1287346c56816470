"""One of our own tools, and what it may need of the turn that it is offered in."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
import json
from typing import Any, ClassVar, Final, NamedTuple, override

from homeassistant.auth.models import User
from homeassistant.auth.permissions.const import POLICY_READ
from homeassistant.const import ATTR_ENTITY_ID, ATTR_SUPPORTED_FEATURES
from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv, llm
import probatio

from ..gate.call_record import Journal
from ..gate.effects import Effect, value_of
from ..gate.names import exposed, given_in, is_exposed, name_of
from ..gate.own_tool import Arguments, Caller, OwnTool, Result
from ..gate.places import Scope
from ..gate.speaker import Speaker
from ..internals import entity_of, integration_of
from ..languages import LANGUAGES, translated
from ..languages.form import Language
from .finder import Finder
from .note_store import NotesInTurn
from .plans import Plans
from .routine_store import Routines

# In the arguments of a call that is for some of its targets: what is done, and told.
_SETTLED: Final = "settled"
_MAX_ERROR_CHARACTERS: Final = 200


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
    plans: Plans | None = None
    routines: Routines | None = None
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
    def hass(self) -> HomeAssistant:
        """Return the home that it is a tool of."""
        assert self.context.hass
        return self.context.hass

    def is_useful(self) -> bool:
        """Return whether this turn has a use for it."""
        return not (self.domain and self.context.hass) or bool(self.things())

    def things(self) -> list[State]:
        """Return what is exposed of its domain, else everything that is."""
        return self.exposed(*filter(None, [self.domain]))

    def finder(self, among: Iterable[State] | None = None) -> Finder:
        """Return a finder among some things, by default these."""
        there = self.things() if among is None else among
        return Finder(self.hass, there, self.context.speaker)

    def exposed(self, *domains: str) -> list[State]:
        """Return what is exposed of some domains and may be read in this turn."""
        return exposed(self.hass, *domains, scope=self.context.scope)

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

    def made_by(self, entity_id: str) -> str:
        """Return the integration of an entity, empty if that is not known."""
        return integration_of(entity_of(self.hass, entity_id))

    async def async_user(self, context: Caller) -> User | None:
        """Return who is signed in."""
        user_id = context.user_id if context else None
        return await self.hass.auth.async_get_user(user_id) if user_id else None

    async def async_may_read(self, context: Caller) -> Callable[[State], bool]:
        """Return what tells whether a thing is exposed and the person may read it."""
        user, scope = await self.async_user(context), self.context.scope

        def may_read(state: State) -> bool:
            return is_exposed(self.hass, state.entity_id, scope) and (
                not user or user.permissions.check_entity(state.entity_id, POLICY_READ)
            )

        return may_read

    async def async_act(
        self, effect: Effect, context: Caller, *, answers: bool = False
    ) -> Any:
        """Call an action on its target; return its response if it `answers`."""
        data = {**effect.data, ATTR_ENTITY_ID: effect.entity_id}
        action, call = (effect.domain, effect.meaning), self.hass.services.async_call
        found: Any = await call(*action, data, True, context, return_response=answers)
        return found and found[effect.entity_id]


@dataclass(frozen=True, slots=True)
class ActionPlan:
    """What a call is to do."""

    effects: tuple[Effect, ...] = ()
    problem: str = ""
    """Why nothing may run, in words for the model."""
    failed: tuple[str, ...] = ()
    """What cannot be done, and why."""
    details: Mapping[str, Any] = field(default_factory=dict)
    is_choice: bool = False
    """Only some of the effects are meant: a person is asked which."""


class ActingAbility(Ability):
    """One of our tools that acts on entities."""

    # Written twice in one answer it is meant once, a step too.
    annotations = llm.ToolAnnotations(idempotent=True, open_world=False)
    is_divisible = True

    def __init__(self, context: AbilityContext) -> None:
        super().__init__(context)
        self._plans: dict[str, ActionPlan] = {}

    def plan(self, arguments: Arguments) -> ActionPlan:
        """Return what a call does now. Raises HomeAssistantError."""
        raise HomeAssistantError("That is done now, or not at all.")

    def planned(self, arguments: Arguments) -> ActionPlan:
        """Return the plan of a call, or of some of its targets.

        It is made once, then judged and run as it is; an equal call later gets a new
        plan, as a step from the present value is another one then.
        """
        if settled := arguments.get(_SETTLED):
            effects = [Effect(*item) for item in settled[0]]
            there = tuple(x for x in effects if self.is_there(x.entity_id))
            return ActionPlan(there, details=settled[1], failed=tuple(settled[2]))
        key = _key(arguments)
        if key not in self._plans:
            try:
                self._plans[key] = self.plan(arguments)
            except HomeAssistantError as err:
                self._plans[key] = ActionPlan(problem=f"Nothing was done. {err}")
        return self._plans[key]

    def is_there(self, entity_id: str) -> bool:
        """Return whether a call may still act on what it was judged for."""
        return is_exposed(self.hass, entity_id, self.context.scope)

    async def async_plan(
        self, arguments: Arguments, context: Caller
    ) -> ActionPlan | None:
        """Return the plan of a call that others must be asked for; None: `plan` makes it.

        Raises HomeAssistantError like `plan`.
        """
        return None

    @override
    async def async_prepare(self, arguments: Arguments, context: Caller) -> None:
        if _SETTLED in arguments:
            return
        try:
            plan = await self.async_plan(arguments, context)
        except HomeAssistantError as err:
            plan = ActionPlan(problem=f"Nothing was done. {err}")
        if plan:
            self._plans[_key(arguments)] = plan

    @override
    def effects(self, arguments: Arguments) -> list[Effect]:
        return list(self.planned(arguments).effects)

    @override
    def choices(self, arguments: Arguments) -> Sequence[Effect]:
        plan = self.planned(arguments)
        return plan.effects if plan.is_choice else ()

    @override
    def narrowed(self, arguments: Arguments, *entity_ids: str) -> dict[str, Any]:
        plan = self.planned(arguments)
        ids = entity_ids if self.is_divisible else [x.entity_id for x in plan.effects]
        chosen = [item for item in plan.effects if item.entity_id in ids]
        effects = [[x.entity_id, x.service, dict(x.data)] for x in chosen]
        return {**arguments, _SETTLED: [effects, dict(plan.details), [*plan.failed]]}

    @override
    async def async_run(self, arguments: Arguments, context: llm.LLMContext) -> Result:
        plan = self.planned(arguments)
        self._plans.pop(_key(arguments), None)
        if plan.problem:
            raise HomeAssistantError(plan.problem)
        results = await self._async_act(plan.effects, context.context)
        done: list[str] = []
        failed = [*plan.failed]
        for effect, result in zip(plan.effects, results, strict=True):
            name = name_of(self.hass, effect.entity_id)
            if isinstance(result, BaseException):
                error = str(result) or type(result).__name__
                failed.append(f"{name}: {error[:_MAX_ERROR_CHARACTERS]}")
            else:
                done.append(f"{name} {value_of(self.hass, effect)}".rstrip())
        if failed and not done and not plan.details.get("already_so"):
            raise HomeAssistantError("; ".join(failed))
        told = {"done": done, **plan.details, "failed": failed}
        return {key: item for key, item in told.items() if item or item is done}

    async def _async_act(self, effects: Sequence[Effect], context: Caller) -> list[Any]:
        """Return what came of each; what is no part of a call ends with the first failure."""
        if self.is_divisible:
            acts = (self._async_do(effect, context) for effect in effects)
            return await asyncio.gather(*acts, return_exceptions=True)
        results: list[Any] = []
        for effect in effects:
            if not any(results):
                act = self._async_do(effect, context)
                results += await asyncio.gather(act, return_exceptions=True)
            else:
                results.append(results[-1])
        return results

    async def _async_do(self, effect: Effect, context: Caller) -> None:
        await self.async_act(effect, context)


def ahead(tool: llm.Tool) -> llm.Tool:
    """Return a tool for a call at a later time: what is so now may not be so then."""
    if not isinstance(tool, Ability):
        return tool
    return type(tool)(replace(tool.context, is_ahead=True))


def can(state: State, feature: int) -> bool:
    """Return whether a thing has a feature, or all of several."""
    return bool(state.attributes.get(ATTR_SUPPORTED_FEATURES, 0) & feature == feature)


def schema(
    *texts: str, needs: Mapping[str, Any] | None = None, **kinds: Any
) -> probatio.Schema:
    """Return a schema of what a call `needs`, of optional texts, and of other kinds.

    A text is "name", or "name: what it says".
    """
    parts = (text.partition(": ") for text in texts)
    told = {probatio.Optional(x, description=y or None): cv.string for x, _, y in parts}
    needed = {probatio.Required(key): kind for key, kind in (needs or {}).items()}
    others = {probatio.Optional(key): kind for key, kind in kinds.items()}
    return probatio.Schema({**needed, **told, **others})


def texts(arguments: Arguments) -> dict[str, str]:
    """Return the arguments as texts, without the blank ones."""
    return {key: str(item).strip() for key, item in given_in(arguments).items()}


def _key(arguments: Arguments) -> str:
    given = {key: arguments[key] for key in arguments if key != _SETTLED}
    return json.dumps(given, sort_keys=True, default=str)
