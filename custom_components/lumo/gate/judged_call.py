"""One call, what it acts on as Home Assistant will find it, and what is asked about it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
import json
from typing import Any, Final

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm

from ..internals import is_script_tool, server_of_tool
from .effects import CHANGE, NOTHING, Effect
from .intents import TIMERS, IntentCall, read_intent
from .names import Detail, entity_area, name_of, texts_of
from .notes import NOTES
from .own_tool import OwnTool, unwrapped
from .places import Scope
from .reach import Reach
from .speaker import Speaker, area_of

# The tool of Home Assistant's admin API that calls any service.
_CALL_ACTION: Final = "homeassistant__call_action"


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that a call acts on, and what comes of it."""

    entity_id: str
    """The name of the action or tool where there is no entity."""
    name: str
    reach: Reach
    """Everything that the call does through it."""

    @property
    def effect(self) -> Effect:
        """Return what is done to the entity itself."""
        return self.reach.effects[0]


@dataclass(frozen=True, slots=True)
class Ask:
    """A call that waits for a yes, and what a person is asked about it."""

    tool: str
    """The full name of the tool."""
    arguments: dict[str, Any]
    entities: frozenset[str]
    """What the yes is for: nothing else may be acted on."""
    phrase: str
    """The key of the words for the action."""
    targets: tuple[str, ...] = ()
    name: str = ""
    """The script or tool, where the words say one."""
    value: str = ""
    server: str = ""
    """Where the tool runs, if that is not at home."""
    details: tuple[Detail, ...] = ()
    """The arguments, where a yes is for all that they say."""
    names: tuple[tuple[str, str], ...] = ()
    """What the entities were called when it was asked."""
    when: str = ""
    unnamed: bool = False
    """It is only asked about because the person did not name it."""
    grants_access: bool = False
    """It lets somebody in or disarms, or may do so."""

    def is_again(self, earlier: Ask) -> bool:
        """Return whether it asks for the same; of doors, also at another time."""
        values = (self.value, self.when, self.details)
        is_other = values != (earlier.value, earlier.when, earlier.details)
        is_corrected = is_other and (self.is_own or self.phrase == earlier.phrase)
        is_corrected &= not self.grants_access
        return bool(self.entities & earlier.entities) and not is_corrected

    @property
    def is_own(self) -> bool:
        """Return whether the words are those for a tool of ours, or for an intent."""
        return self.phrase.startswith(("do_lumo_", "do_hass"))

    @property
    def arguments_key(self) -> str:
        """Return the same text for the same arguments."""
        return json.dumps(self.arguments, sort_keys=True, default=str)


type Ambiguity = tuple[Ask, ...]
"""The calls of which only some are meant, in the order in which they are spoken."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of a call."""

    runs: tuple[dict[str, Any], ...] = ()
    """The arguments to run the tool with, now."""
    asks: tuple[Ask, ...] = ()
    refusal: str | None = None
    """What the model is told if some of it is refused."""
    sentence: str | None = None
    """The key of our sentence about the refusal; None: the model may word it."""
    ambiguity: Ambiguity = ()
    refused: tuple[Ask, ...] = ()
    """What is neither done nor asked about."""
    skipped: tuple[str, ...] = ()
    """The names of what a call for everything leaves as it is."""
    spared: tuple[str, ...] = ()
    """Those of it that a person may believe to be done, as they are no doors."""
    targets: tuple[Target, ...] = field(default=(), compare=False)
    """What the runs act on, as far as it is known."""


@dataclass(frozen=True)
class JudgedCall:
    """One call."""

    hass: HomeAssistant
    tool: llm.Tool
    arguments: dict[str, Any]
    context: llm.LLMContext
    approved: frozenset[str] = frozenset()
    must_ask: bool = False
    """The model itself asked about it."""
    after_outside: bool = False
    """Text from outside is in the conversation."""
    scope: Scope | None = None
    allowed: frozenset[str] | None = None
    """The ids of the targets that they leave; None: all."""
    skipped: tuple[str, ...] = ()
    """The names of others that may be read but stay as they are."""
    several: tuple[Effect, ...] = ()
    """What they leave of several things that the call does not tell apart."""

    @cached_property
    def own(self) -> llm.Tool:
        """Return the tool without wrappers."""
        return unwrapped(self.tool)

    @cached_property
    def intent(self) -> IntentCall | None:
        """Return its meaning to its intent handler, None if it is no intent."""
        return read_intent(
            self.hass, self.own, self.arguments, self.context, self.scope
        )

    @property
    def ability(self) -> OwnTool | None:
        """Return the tool if it is our own."""
        return self.own if isinstance(self.own, OwnTool) else None

    @property
    def script(self) -> str | None:
        """Return the entity id of the script that it runs, if it runs one."""
        if not is_script_tool(self.own):
            return None
        return f"script.{self.own.name.partition('__')[2]}"

    @property
    def title(self) -> str:
        """Return what a person calls the tool."""
        name = self.intent.handler.intent_type if self.intent else self.own.name
        return self.own.title or name.rpartition("__")[2].replace("_", " ")

    @property
    def phrase(self) -> str:
        """Return the key of the words for it as a whole, for which there may be none."""
        if call := self.intent:
            return f"do_{call.handler.intent_type}".lower()
        if self.ability is None:
            return "do_run" if self.script else ""
        given = self.arguments
        action = (
            given.get("action") or given.get("edit") or "cancel" * ("cancel" in given)
        )
        return f"do_{self.own.name.replace('__', '_')}_{action}".rstrip("_")

    @property
    def server(self) -> str:
        """Return the title of the MCP server that runs the tool, if one does."""
        if self.own.integration != "mcp":
            return ""
        server = server_of_tool(self.own)
        return (server.title if server else "") or "MCP"

    @property
    def is_divisible(self) -> bool:
        """Return whether it can run for each of its targets alone."""
        if self.ability:
            return self.ability.is_divisible
        return bool(self.intent and self.intent.is_exact and self.intent.has_targets)

    @property
    def is_narrowly_approved(self) -> bool:
        """Return whether a yes was for some targets, not for the whole call."""
        return bool(self.approved) and self.own.name not in self.approved

    def narrowed(self, entity_id: str) -> dict[str, Any]:
        """Return the arguments for one of its targets or choices."""
        call = self.ability or self.intent
        return call.narrowed(self.arguments, entity_id) if call else self.arguments

    def runs_for(self, entity_ids: Sequence[str]) -> list[dict[str, Any]]:
        """Return the arguments of the calls for these targets: one call if possible."""
        if self.ability:
            return [self.ability.narrowed(self.arguments, *entity_ids)]
        return [self.narrowed(entity_id) for entity_id in entity_ids]

    @cached_property
    def effects(self) -> list[Effect]:
        """Return what it does to its own targets."""
        if self.ability:
            effects = self.ability.effects(self.arguments)
        elif self.script:
            effects = [Effect(self.script, "turn_on")]
        elif self.intent:
            call = self.intent
            effects = (
                list(map(call.effect_on, call.matched)) if call.has_targets else []
            )
        else:
            # Nobody knows what it does to what its arguments name.
            texts = {text.strip().casefold() for text in texts_of(self.arguments)}
            effects = [
                Effect(state.entity_id, CHANGE)
                for state in (self.hass.states.async_all() if texts else ())
                if not texts.isdisjoint((state.entity_id, state.name.casefold()))
            ]
        if self.allowed is None:
            return effects
        return [effect for effect in effects if effect.entity_id in self.allowed]

    def choices(self) -> Sequence[Effect]:
        """Return what it would do to several things that it does not tell apart."""
        if self.several or self.allowed is not None:
            return self.several
        if self.ability:
            return self.ability.choices(self.arguments)
        return self.intent.choices() if self.intent else ()

    @cached_property
    def targets(self) -> list[Target]:
        """Return what it acts on, with all that comes of it."""
        hass, own, arguments = self.hass, self.own, self.arguments
        if own.name == _CALL_ACTION:
            action = str(arguments.get("action"))
            step: dict[str, Any] = {"action": action}
            for key in ("data", "target"):
                if isinstance(part := arguments.get(key), dict):
                    step[key] = part
            return [Target(action, action, Reach(hass, steps=[step]))]
        if self.intent and self.intent.steps is not None:
            # Its actions, whatever it was called for.
            name = own.title or self.intent.handler.intent_type
            return [Target(own.name, name, Reach(hass, steps=self.intent.steps))]
        return list(map(self.target, self.effects))

    def target(self, effect: Effect) -> Target:
        """Return an entity with what comes of an action on it."""
        name = name_of(self.hass, effect.entity_id)
        if self.script:
            name = self.own.title or self.script
        return Target(effect.entity_id, name, Reach(self.hass, [effect]))

    def done(
        self, targets: Sequence[Target], result: llm.ToolResult
    ) -> tuple[list[Effect], list[Effect]]:
        """Return the effects of a call that can be verified, then all it may have had."""
        call = self.intent
        is_seen = self.ability or self.script or (call and call.steps is None)
        details: Any = result.data.get("data")
        if call and isinstance(details, dict):
            # Where one has failed, Home Assistant 2026.10 may take another for it.
            told = [*details.get("success", ()), *details.get("failed", ())]
            ids = [
                str(item.get("id"))
                for item in told
                if item.get("type") == intent.IntentResponseTargetType.ENTITY
            ]
            known = {target.entity_id: target for target in targets}
            states = filter(None, map(self.hass.states.get, ids))
            found = [
                known.get(state.entity_id) or self.target(call.effect_on(state))
                for state in states
            ]
            # Some of its handlers do not say what they acted on.
            targets = found if told else targets
        reached = [effect for target in targets for effect in target.reach.effects]
        return [target.effect for target in targets] if is_seen else [], reached


_NOT_FROM_HERE: Final = Verdict(
    refusal=NOTES["not_from_here"], sentence="not_from_here"
)


def within(scope: Scope, case: JudgedCall, speaker: Speaker) -> JudgedCall | Verdict:
    """Return what the rules allow of a call whose tool they allow, or a refusal.

    What remains runs by entity id, as Home Assistant does not know the rules.
    """
    case = replace(case, scope=scope)
    call = case.intent
    if (
        (case.own.annotations.read_only and call is None)
        or (case.ability and not case.effects)
        or (call and call.handler.intent_type in TIMERS)
        # It fails by itself: no intent is for all of a home.
        or (call and call.is_exact and not call.has_targets)
    ):
        return case
    if not (case.ability or case.script or (call and call.has_targets)):
        return _NOT_FROM_HERE
    several = case.choices()
    targets = list(map(case.target, several)) if several else case.targets
    beyond = {
        target.entity_id
        for target in targets
        if target.reach.unknown
        or not all(scope.reads(effect.entity_id) for effect in target.reach.effects)
    }
    there = {
        target.entity_id: target for target in targets if target.entity_id not in beyond
    }
    if not there or not scope.may_act:
        is_known = any(scope.reads(target.entity_id) for target in targets)
        return _NOT_FROM_HERE if is_known else Verdict(refusal=NOTES["nothing_there"])
    if not several and case.is_divisible:
        skipped = tuple(
            name_of(scope.hass, target.entity_id)
            for target in targets
            if target.entity_id in beyond
            and scope.reads(target.entity_id)
            and target.effect.service != NOTHING
        )
        return replace(case, allowed=frozenset(there), skipped=skipped)
    if not several and call is None:
        return _NOT_FROM_HERE if beyond else case
    here = area_of(scope.hass, speaker)
    near = [key for key in there if here and entity_area(scope.hass, key) == here]
    meant = near or list(there)
    if len(meant) > 1:
        return replace(case, several=tuple(there[key].effect for key in meant))
    return replace(case, arguments=case.narrowed(meant[0]), allowed=frozenset(meant))
