"""Tools that do nothing, behind a gate that runs nothing.

A dry tool has what the model is told of a tool, and no way to the tool itself. The dry
gate is no gate that is told not to run: it has no judge, without which none runs
anything, and notes what a call would do in the written home instead.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ...abilities import with_abilities
from ...abilities.live_context import LIVE_CONTEXT
from ...const import DOMAIN, Autonomy, Permission
from ...gate.ability import Ability
from ...gate.domains import domain_of
from ...gate.gate import Gate, GatedTool, Outcome
from ...gate.notes import NOT_ALLOWED, WAITING
from ...gate.pending import Ask
from ...gate.permissions import offered, own_tool, permission, source_rule
from ...gate.results import RefusedError
from ..options import AgentOptions
from ..toolbox import Toolbox
from .written import Step, WrittenHome

# Those that the written home has a use for, beside intents.
_USEFUL: Final = {LIVE_CONTEXT, *(f"{DOMAIN}__{name}" for name in ("many", "set"))}

RUNS: Final = "would_run"
ASKED: Final = "would_be_asked_about"
REFUSED: Final = "would_be_refused"
NO_TARGET: Final = "fits_nothing"


@dataclass(slots=True)
class DryCall:
    """A call that the model wrote, and what would have come of it."""

    tool: str
    """Its name without what stands before it."""
    arguments: Mapping[str, Any]
    reads: bool
    judged: str = REFUSED
    steps: frozenset[Step] = frozenset()
    looked_at: frozenset[str] = frozenset()


@dataclass(slots=True, kw_only=True)
class DryGate(Gate):
    """Notes what calls would do in the written home."""

    written: WrittenHome
    must_ask_first: frozenset[str]
    """The tools that ask, whatever they are called for."""
    is_trusted: bool
    """Nothing is asked for what it is about."""
    calls: list[DryCall] = field(default_factory=list)

    @override
    async def async_run(
        self,
        tool: llm.Tool,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult:
        """Judge a call, and tell the model what Home Assistant would."""
        arguments, reads = tool_input.tool_args, tool.annotations.read_only
        call = DryCall(last_name(tool.name), arguments, reads)
        self.calls.append(call)
        reason = self._refusals.get(tool_input.id)
        if self._admitted.pop(tool_input.id, None) is None or reason:
            raise RefusedError(reason or NOT_ALLOWED)
        call.judged = NO_TARGET
        if reads:
            found = self.written.things(arguments)
            call.looked_at = frozenset(thing.entity_id for thing in found)
            told = self.written.told(found)
        else:
            call.steps = self.written.steps(call.tool, arguments)
            told = f"Done: {len(call.steps)}"
            asks = tool.name in self.must_ask_first or (
                not self.is_trusted and any(map(self.is_sensitive, call.steps))
            )
            if asks:
                call.judged = ASKED
                self.asks += [self._ask(tool, arguments, step) for step in call.steps]
                return llm.ToolResult(dict(WAITING))
        call.judged = RUNS
        self.outcomes.append(Outcome(tool, success=True, complete=True))
        return llm.ToolResult({"result": told})

    def is_sensitive(self, step: Step) -> bool:
        """Return whether it lets somebody in: a blind does not."""
        thing = self.written.home.by_id[step.entity_id]
        harmless = domain_of(thing.domain).harmless
        is_safe = harmless is None or step.service in harmless
        return not (is_safe or thing.device_class)

    def _ask(self, tool: llm.Tool, arguments: dict[str, Any], step: Step) -> Ask:
        thing = self.written.home.by_id[step.entity_id]
        phrase = domain_of(thing.domain).phrase(step.service)
        entities = frozenset({thing.entity_id})
        names = (thing.name,)
        return Ask(tool.name, arguments, entities, phrase, names, value=step.value)


class DryTool(GatedTool):
    """What the model is told of a tool, for the dry gate."""

    def __init__(self, tool: llm.Tool, gate: DryGate) -> None:
        """Take its words, and forget the tool."""
        super().__init__(tool, gate)
        self._tool = self


def last_name(name: str) -> str:
    """Return a tool's name without what stands before it."""
    return name.rpartition("__")[2]


def make_toolbox(
    api: llm.APIInstance, options: AgentOptions, written: WrittenHome
) -> tuple[Toolbox, DryGate]:
    """Return dry tools for those that an agent has in any home, and their gate.

    Tools of scripts, of servers, and those that name lists or calendars tell of the
    person's home: these are left out.
    """
    api = with_abilities(api)
    usable = [tool for tool in offered(api, options) if _is_of_any_home(tool)]
    rules = {tool.name: permission(api, tool, options) for tool in usable}
    gate = DryGate(
        written=written,
        must_ask_first=frozenset(
            name for name, rule in rules.items() if rule is Permission.ASK
        ),
        is_trusted=options.autonomy is Autonomy.TRUSTED,
    )
    tools: list[llm.Tool] = [DryTool(tool, gate) for tool in usable]
    dry = replace(api, api_prompt=written.prompt, tools=tools)
    prefix = "" if options.native else options.prefix
    toolbox = Toolbox(dry, prefix=prefix, gate=gate)
    # As they are: some would be answered for.
    toolbox.api = replace(dry, tools=[*tools])
    return toolbox, gate


def _is_of_any_home(tool: llm.Tool) -> bool:
    own = own_tool(tool)
    if isinstance(own, llm.IntentTool):
        is_known = source_rule(own) is Permission.ON
        return is_known and own.integration != "intent_script"
    module = type(own).__module__
    is_ours = isinstance(own, Ability) or module.startswith("homeassistant.")
    return is_ours and own.name in _USEFUL
