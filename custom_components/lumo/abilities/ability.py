"""One of our own tools, and what it may need of the turn that it is offered in."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
import json
from typing import Any, ClassVar, Final, NamedTuple, override

from homeassistant.auth.permissions.const import POLICY_READ
from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import Context, HomeAssistant, State, split_entity_id
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv, llm
import probatio

from ..gate.call_record import Journal
from ..gate.effects import Effect, value_of
from ..gate.names import exposed, given_in, is_exposed, name_of
from ..gate.own_tool import Arguments, OwnTool
from ..gate.places import Scope
from ..gate.speaker import Speaker
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
        return not type(self)(AbilityContext()).is_useful()


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

    def plan(self, hass: HomeAssistant, arguments: Arguments) -> ActionPlan:
        """Return what a call does now. Raises HomeAssistantError."""
        raise HomeAssistantError("That is done now, or not at all.")

    def planned(self, hass: HomeAssistant, arguments: Arguments) -> ActionPlan:
        """Return the plan of a call, or of some of its targets.

        It is made once, then judged and run as it is; an equal call later gets a new
        plan, as a step from the present value is another one then.
        """
        if settled := arguments.get(_SETTLED):
            effects = [Effect(*item) for item in settled[0]]
            there = tuple(x for x in effects if self.is_there(hass, x.entity_id))
            return ActionPlan(there, details=settled[1], failed=tuple(settled[2]))
        key = _key(arguments)
        if key not in self._plans:
            try:
                self._plans[key] = self.plan(hass, arguments)
            except HomeAssistantError as err:
                self._plans[key] = ActionPlan(problem=f"Nothing was done. {err}")
        return self._plans[key]

    def is_there(self, hass: HomeAssistant, entity_id: str) -> bool:
        """Return whether a call may still act on what it was judged for."""
        return is_exposed(hass, entity_id, self.context.scope)

    async def async_plan(
        self, hass: HomeAssistant, arguments: Arguments, context: Context | None
    ) -> ActionPlan | None:
        """Return the plan of a call that others must be asked for; None: `plan` makes it.

        Raises HomeAssistantError like `plan`.
        """
        return None

    @override
    async def async_prepare(
        self, hass: HomeAssistant, arguments: Arguments, context: Context | None
    ) -> None:
        if _SETTLED in arguments:
            return
        try:
            plan = await self.async_plan(hass, arguments, context)
        except HomeAssistantError as err:
            plan = ActionPlan(problem=f"Nothing was done. {err}")
        if plan:
            self._plans[_key(arguments)] = plan

    @override
    def effects(self, hass: HomeAssistant, arguments: Arguments) -> list[Effect]:
        return list(self.planned(hass, arguments).effects)

    @override
    def choices(self, hass: HomeAssistant, arguments: Arguments) -> Sequence[Effect]:
        plan = self.planned(hass, arguments)
        return plan.effects if plan.is_choice else ()

    @override
    def narrowed(self, arguments: Arguments, *entity_ids: str) -> dict[str, Any]:
        assert self.context.hass
        plan = self.planned(self.context.hass, arguments)
        ids = entity_ids if self.is_divisible else [x.entity_id for x in plan.effects]
        chosen = [item for item in plan.effects if item.entity_id in ids]
        effects = [[x.entity_id, x.service, dict(x.data)] for x in chosen]
        return {**arguments, _SETTLED: [effects, dict(plan.details), [*plan.failed]]}

    @override
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        plan = self.planned(hass, arguments)
        self._plans.pop(_key(arguments), None)
        if plan.problem:
            raise HomeAssistantError(plan.problem)
        results = await self._async_act(hass, plan.effects, context.context)
        done: list[str] = []
        failed = [*plan.failed]
        for effect, result in zip(plan.effects, results, strict=True):
            name = name_of(hass, effect.entity_id)
            if isinstance(result, BaseException):
                error = str(result) or type(result).__name__
                failed.append(f"{name}: {error[:_MAX_ERROR_CHARACTERS]}")
            else:
                done.append(f"{name} {value_of(hass, effect)}".rstrip())
        if failed and not done and not plan.details.get("already_so"):
            raise HomeAssistantError("; ".join(failed))
        told = {"done": done, **plan.details, "failed": failed}
        return {key: item for key, item in told.items() if item or item is done}

    async def _async_act(
        self, hass: HomeAssistant, effects: Sequence[Effect], context: Context | None
    ) -> list[Any]:
        """Return what came of each; what is no part of a call ends with the first failure."""
        if self.is_divisible:
            acts = (self._async_do(hass, effect, context) for effect in effects)
            return await asyncio.gather(*acts, return_exceptions=True)
        results: list[Any] = []
        for effect in effects:
            if not any(results):
                act = self._async_do(hass, effect, context)
                results += await asyncio.gather(act, return_exceptions=True)
            else:
                results.append(results[-1])
        return results

    async def _async_do(
        self, hass: HomeAssistant, effect: Effect, context: Context | None
    ) -> None:
        await async_act(hass, effect, context)


def ahead(tool: llm.Tool) -> llm.Tool:
    """Return a tool for a call at a later time: what is so now may not be so then."""
    if not isinstance(tool, Ability):
        return tool
    return type(tool)(replace(tool.context, is_ahead=True))


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


async def async_answer(
    hass: HomeAssistant,
    entity_id: str,
    service: str,
    data: Mapping[str, Any],
    context: Context | None,
) -> Any:
    """Return the response of an action of the entity's domain."""
    domain, target = split_entity_id(entity_id)[0], {ATTR_ENTITY_ID: entity_id}
    found: Any = await hass.services.async_call(
        domain, service, {**target, **data}, True, context, return_response=True
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


async def async_act(
    hass: HomeAssistant, effect: Effect, context: Context | None
) -> None:
    """Call an action on its target and wait for its end."""
    data = {**effect.data, ATTR_ENTITY_ID: effect.entity_id}
    await hass.services.async_call(
        effect.domain, effect.meaning, data, blocking=True, context=context
    )


def texts(arguments: Arguments) -> dict[str, str]:
    """Return the arguments as texts, without the blank ones."""
    return {key: str(item).strip() for key, item in given_in(arguments).items()}


def _key(arguments: Arguments) -> str:
    given = {key: arguments[key] for key in arguments if key != _SETTLED}
    return json.dumps(given, sort_keys=True, default=str)
