"""A tool of our own does what was judged, whichever arguments stand together."""

from itertools import combinations
from typing import Any, Final

import pytest

from custom_components.lumo.abilities import ABILITIES
from custom_components.lumo.abilities.ability import Ability, AbilityContext
from custom_components.lumo.abilities.later import Later
from custom_components.lumo.const import CONF_MEMORY, MemoryUse, ToolCalling
from custom_components.lumo.gate.judge import Judge
from custom_components.lumo.gate.judged_call import JudgedCall, Verdict

from .stage import ANNA, Call, Stage, opened

LIGHT: Final = {"name": "Kitchen light"}
OFF: Final[dict[str, Any]] = {"tool": "user:HassTurnOff", "arguments": LIGHT}
# What is always given to a tool, and what may stand beside it, by its last name.
ALWAYS: Final[dict[str, list[dict[str, Any]]]] = {
    "set": [
        *({"action": action, **LIGHT} for action in ("off", "open")),
        {"name": "Washing program", "setting": "option", "to": "Open"},
    ],
    "change_list": [
        {"action": action, "items": ["Milk"]}
        for action in ("change", "move", "clear_all")
    ],
    "change_event": [{"action": action, "event": "Dentist"} for action in ("delete", "change")],
    "create_event": [{"title": "Dentist", "start": "tomorrow 10:00", "calendar": "Family"}],
    "music": [{"action": action, "what": "Song", "player": "Radio"} for action in ("play", "join")],
    "tell": [{"message": "Dinner"}],
    "memory": [{"action": action} for action in ("remember", "forget", "forget_all")],
}  # fmt: skip
VALUES: Final[dict[str, list[Any]]] = {
    "name": ["Front door", "Kitchen light"],
    "area": ["Garage"],
    "floor": ["Upstairs"],
    "kind": ["cover"],
    "except": ["Kitchen light"],
    "setting": ["brightness"],
    "to": [40],
    "by": ["+10"],
    "action": ["off"],
    "items": [["Milk", "Bread"]],
    "steps": [[{"action": "open", "name": "Garage door"}]],
    "list": ["Shopping list"],
    "to_list": ["Party list"],
    "cancel": ["all"],
    "say": ["Tea"],
    "tool": ["user:HassTurnOff"],
    "arguments": [{"name": "Front door"}],
    "at": ["in 10 minutes"],
    "entity": ["Coffee machine"],
    "becomes": ["off"],
    "only_if": [{"entity": "Coffee machine", "is": "off"}],
    "minutes": [30],
    "start": ["tomorrow 10:00"],
    "calendar": ["Family"],
}
# Two of these at once are no call.
ACTIONS: Final = {"say", "tool", "cancel"}


def calls_of(tool: type[Ability]) -> list[dict[str, Any]]:
    name = tool.name.rpartition("__")[2]
    keys = [str(key) for key in tool(AbilityContext()).parameters.schema]
    return [
        {**always, first: one, second: other}
        for always in ALWAYS.get(name, [{}])
        for first, second in combinations(keys, 2)
        for one in VALUES.get(first, ["Milk"])
        for other in VALUES.get(second, ["Milk"])
    ] or [*ALWAYS.get(name, [{}])]


@pytest.mark.parametrize("mode", [ToolCalling.PRIVATE])
@pytest.mark.parametrize(
    "tool", [tool for tool in ABILITIES if not tool.annotations.read_only]
)
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.long)])
async def test_it_does_what_was_judged(
    stage: Stage, tool: type[Ability], every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else is acted on, cancelled or forgotten, and nothing is opened."""
    await stage.change_agent(**{CONF_MEMORY: MemoryUse.ON})
    judged: list[tuple[JudgedCall, Verdict]] = []
    judge = Judge.async_judge

    async def noted(self: Judge, case: JudgedCall, **more: Any) -> Verdict:
        judged.append((case, verdict := await judge(self, case, **more)))
        return verdict

    monkeypatch.setattr(Judge, "async_judge", noted)
    plans, name = stage.entry.runtime_data.plans, tool.name.rpartition("__")[2]
    acted = False
    for arguments in calls_of(tool)[::every]:
        stage.fresh()
        if tool is Later and not len(plans):
            await stage.say("Later", Call("later", **OFF, at="in 5 minutes"), "Fine.")
        waiting = {plan.id for plan in plans}
        judged.clear()
        heard = await stage.say("Do it", Call(name, **arguments), "Done.", who=ANNA)
        told = f"{name} {arguments}: {heard.effects} {heard.results}"
        targets = {
            effect.entity_id
            for _, verdict in judged
            for target in verdict.targets
            for effect in target.reach.effects
        }
        assert {effect.split()[1] for effect in heard.effects} <= targets, told
        assert opened(heard.effects) == [], told
        acted = acted or bool(heard.effects)
        gone = waiting - {plan.id for plan in plans}
        if tool is not Later:
            assert not gone, told
        elif len(ACTIONS & arguments.keys()) > 1:
            assert "error" in str(heard.results[0].result.data), told
            assert {plan.id for plan in plans} == waiting, told
        else:
            assert bool(gone) is ("cancel" in arguments), told
    assert acted or name not in ("set", "change_list")
