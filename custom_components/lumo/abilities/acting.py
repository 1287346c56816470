"""What our tools that act on entities share: a plan, which is judged and then run."""

from abc import abstractmethod
import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
import json
from typing import Any, Final, override

from homeassistant.const import ATTR_ENTITY_ID
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from ..gate.effects import Effect, value_of
from ..gate.names import given_in, is_exposed, name_of
from ..gate.own_tool import Arguments
from .ability import Ability, AbilityContext

# In the arguments of a call that is for some of its targets: what is done, and told.
_SETTLED: Final = "settled"
_MAX_ERROR_CHARACTERS: Final = 200


@dataclass(frozen=True, slots=True)
class ActionPlan:
    """What a call is to do."""

    effects: tuple[Effect, ...] = ()
    problem: str = ""
    """Why nothing may run, in words for the model."""
    failed: tuple[str, ...] = ()
    """What cannot be done, and why."""
    details: Mapping[str, Any] = field(default_factory=dict)
    already: tuple[str, ...] = ()
    """The ids of what is already as it should be."""
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

    @abstractmethod
    def plan(self, hass: HomeAssistant, arguments: Arguments) -> ActionPlan:
        """Return what a call does now. Raises HomeAssistantError."""

    def planned(self, hass: HomeAssistant, arguments: Arguments) -> ActionPlan:
        """Return the plan of a call, or of some of its targets.

        It is made once, then judged and run as it is; an equal call later gets a new
        plan, as a step from the present value is another one then.
        """
        if settled := arguments.get(_SETTLED):
            effects = tuple(
                effect
                for effect in (Effect(*item) for item in settled[0])
                if self.is_there(hass, effect.entity_id)
            )
            return ActionPlan(effects, details=settled[1], failed=tuple(settled[2]))
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
        """Return the arguments for some of the entities, with what is done to them."""
        assert self.context.hass
        plan = self.planned(self.context.hass, arguments)
        effects = [
            [item.entity_id, item.service, dict(item.data)]
            for item in plan.effects
            if item.entity_id in entity_ids or not self.is_divisible
        ]
        return {**arguments, _SETTLED: [effects, dict(plan.details), [*plan.failed]]}

    @override
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        """Call each action; return what was done. Raises HomeAssistantError if nothing."""
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
        if failed and not done and not plan.already:
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
