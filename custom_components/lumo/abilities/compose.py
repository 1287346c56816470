"""Compose: a scene on the spot, of several calls that run and are undone as one."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
import probatio

from ..const import DOMAIN
from ..gate.effects import Effect
from ..gate.names import name_of
from ..gate.own_tool import Arguments
from ..tool_calling.arguments import ArgumentsError, fit_arguments
from .acting import ActingAbility, ActionPlan
from .set import Set, members_of

# What goes together with another action on the same thing.
_BESIDE: Final = ("oscillate", "repeat", "select", "set", "shuffle", "volume")


class Compose(ActingAbility):
    """Does what several calls of `set` would do, in one."""

    name = f"{DOMAIN}__compose"
    title = "Scene on the spot"
    description = (
        "A mood or scene without a name here, as one call. steps: objects with the "
        "arguments of set."
    )
    parameters = probatio.Schema({probatio.Required("steps"): [dict]})

    @override
    def plan(self, hass: HomeAssistant, arguments: Arguments) -> ActionPlan:
        """Return what all the steps do; a later one replaces an earlier one."""
        effects: dict[tuple[str, str], Effect] = {}
        told: defaultdict[str, list[str]] = defaultdict(list)
        named: set[str] = set()
        failed: list[str] = []
        for number, step in enumerate(arguments["steps"], 1):
            try:
                plan = self._planned_step(hass, step)
            except (HomeAssistantError, ArgumentsError, probatio.Invalid) as err:
                raise HomeAssistantError(f"Step {number}: {err}") from err
            named |= {*plan.already, *(item.entity_id for item in plan.effects)}
            for entity_id in plan.already:
                effects.pop((entity_id, ""), None)
            for effect in plan.effects:
                is_beside = effect.service.startswith(_BESIDE) and (
                    not effect.service.endswith("position")
                )
                key = (effect.entity_id, effect.service if is_beside else "")
                before = effects.pop(key, None)
                if before and before.service == effect.service:
                    effect = replace(effect, data={**before.data, **effect.data})
                effects[key] = effect
            failed += plan.failed
            for name, items in plan.details.items():
                told[name] += items
        for effect in effects.values():
            if common := members_of(hass, effect) & named:
                names = [name_of(hass, item) for item in (effect.entity_id, *common)]
                raise HomeAssistantError(
                    f"{names[0]} acts on {names[1]} too, of another step. Name single "
                    "devices."
                )
        return ActionPlan(tuple(effects.values()), failed=tuple(failed), details=told)

    def _planned_step(self, hass: HomeAssistant, step: Mapping[str, Any]) -> ActionPlan:
        given = {**step, "action": str(step.get("action", "set")).removeprefix("turn_")}
        schema = probatio.to_openapi(Set.parameters, openapi_version="3.1.0")
        fitted = Set.parameters(fit_arguments(given, schema))
        plan = Set(self.context).plan(hass, fitted)
        if plan.is_choice:
            names = [name_of(hass, effect.entity_id) for effect in plan.effects]
            raise HomeAssistantError(f"It may be {' or '.join(names)}.")
        return plan
