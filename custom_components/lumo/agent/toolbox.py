"""The tools that a turn offers, and what a call of the model means.

From 2026.11 on Home Assistant keeps its API instance for the next turn, so this works
with a copy whose tools are wrapped.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
import json
import logging
from typing import Any, Final

from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.helpers.intent import INTENT_BROADCAST
import probatio

from ..abilities.ability import Ability, AbilityContext
from ..abilities.home_tools import LIVE_CONTEXT, LIVE_USE, answering
from ..gate.effects import number_of
from ..gate.gate import Gate, GatedTool, UnknownTool
from ..gate.intents import TIMERS
from ..gate.own_tool import unwrapped
from ..tool_calling.arguments import ArgumentsError, fit_arguments, parse_arguments
from ..tool_calling.instructions import PREFIX
from ..tool_calling.naming import ToolNames
from ..tool_calling.prompted import ToolDefinition
from .model_texts import invalid_arguments, unknown_tool

_LOGGER = logging.getLogger(__name__)

_START_TIMER: Final = "intent__HassStartTimer"
_MAX_OTHERS: Final = 3
_CANCEL_ALL_TIMERS: Final = "intent__HassCancelAllTimers"

# Intents that make something new. A model that writes such a call twice in one answer
# means one; "next track" twice means two.
_CREATING: Final = frozenset(
    {"HassStartTimer", "HassListAddItem", "HassShoppingListAddItem", "HassBroadcast"}
)


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the model wrote."""

    tool_input: llm.ToolInput
    refusal: str | None
    """Why it does not run, in words for the model."""
    once: bool
    """Saying it twice means the same as saying it once."""
    acts: bool = True
    """It does more than reading."""

    @property
    def key(self) -> tuple[str, str]:
        """Return what makes two calls the same."""
        call = self.tool_input
        return call.tool_name, json.dumps(call.tool_args, sort_keys=True, default=str)

    @property
    def target(self) -> tuple[str, str]:
        """Return what makes two calls act on the same: all arguments but numbers."""
        name, arguments = self.tool_input.tool_name, self.tool_input.tool_args
        if name.rpartition("__")[2] in _CREATING:
            return self.key
        texts = {key: x for key, x in arguments.items() if number_of(x) is None}
        return name, json.dumps(texts, sort_keys=True, default=str)


# The definitions of tools by name, each with what it was made of. Home Assistant 2026.10
# makes tools anew for each turn; to convert 32 takes 11 ms on a desktop computer.
type KnownTools = dict[str, tuple[object, ToolDefinition]]


def definitions(
    tools: Sequence[llm.Tool],
    serializer: Callable[[Any], Any] | None,
    known: KnownTools,
) -> list[ToolDefinition]:
    """Return the definitions of tools, and keep them for other turns in `known`."""
    for tool in tools:
        own, reads = unwrapped(tool), tool.annotations.read_only
        parts = (tool.description, reads, _parts_of(tool.parameters))
        if known.get(tool.name, (None, None))[0] != parts:
            is_live = own.name == LIVE_CONTEXT
            known[tool.name] = (
                parts,
                ToolDefinition(
                    name=tool.name,
                    description=LIVE_USE if is_live else tool.description or "",
                    parameters=_schema(tool, serializer),
                    read_only=reads,
                    is_short=isinstance(own, Ability) or _base(own) in TIMERS,
                ),
            )
    return [known[tool.name][1] for tool in tools]


def _base(tool: llm.Tool) -> str:
    """Return the last segment of a tool's name: of an intent, what that is called."""
    return tool.name.rpartition("__")[2]


@lru_cache(maxsize=16)
def names_of(tools: tuple[str, ...], prefix: str) -> ToolNames:
    """Return the names of tools. With undo a second set of tools comes and goes."""
    return ToolNames(tools, prefix=prefix)


def _parts_of(value: object) -> object:
    """Return a schema's parts: equal for the same markers and values."""
    if isinstance(value, probatio.Schema):
        return value.extra, value.required, _parts_of(value.schema)
    if isinstance(value, dict):
        # Markers of the same name are equal, whatever else they say.
        return [(key, id(key), _parts_of(item)) for key, item in value.items()]
    if isinstance(value, list | tuple):
        return [_parts_of(item) for item in value]
    return value


def _schema(tool: llm.Tool, serializer: Callable[[Any], Any] | None) -> dict[str, Any]:
    """Return a tool's parameters as a JSON schema; if that fails, one for anything."""
    try:
        schema = probatio.to_openapi(
            tool.parameters, custom_serializer=serializer, openapi_version="3.1.0"
        )
    except Exception:
        _LOGGER.debug("No schema for %s", tool.name, exc_info=True)
        return {"type": "object"}
    return schema if isinstance(schema, dict) else {"type": "object"}


def _shown(arguments: object) -> dict[str, Any]:
    """Return the arguments of a call that is refused, as far as they can be read."""
    try:
        return parse_arguments(arguments)
    except ArgumentsError:
        return {}


def _without(definition: ToolDefinition, key: str) -> ToolDefinition:
    properties = dict(definition.parameters.get("properties", {}))
    if properties.pop(key, None) is None:
        return definition
    parameters = {**definition.parameters, "properties": properties}
    return replace(definition, parameters=parameters)


class Toolbox:
    """The tools of one turn, by the names that the model calls them."""

    def __init__(
        self,
        api: llm.APIInstance | None,
        *,
        prefix: str = PREFIX,
        gate: Gate | None = None,
        known: KnownTools | None = None,
    ) -> None:
        """Take the tools of an API instance; without a gate they are only described."""
        self.gate = gate or Gate()
        scope = self.gate.judge.scope if self.gate.judge else None
        self.api: llm.APIInstance | None = None
        if api:
            run = [GatedTool(answering(tool, scope), self.gate) for tool in api.tools]
            self.api = replace(api, tools=[*run])
        self.tools = {tool.name: tool for tool in api.tools} if api else {}
        """The tools themselves, without the gate, by their full names."""
        self.names = names_of(tuple(self.tools), prefix)
        described = definitions(
            [*self.tools.values()],
            api.custom_serializer if api else None,
            {} if known is None else known,
        )
        self._schemas = {item.name: item.parameters for item in described}
        ours = [tool for tool in self.tools.values() if isinstance(tool, Ability)]
        self.passing = frozenset(
            name
            for name, tool in self.tools.items()
            if (tool in ours and not type(tool)(AbilityContext()).is_useful())
            or _base(unwrapped(tool)) in (*TIMERS, INTENT_BROADCAST)
        )
        """The tools that are offered in some turns, or at some satellites only."""
        replaced = {name for tool in ours for name in tool.replaces}
        if _START_TIMER not in self.tools:
            # "Set a timer" would cancel all, where none can be started.
            replaced.add(_CANCEL_ALL_TIMERS)
        self.replaced = frozenset(
            name
            for name, tool in self.tools.items()
            if unwrapped(tool).name in replaced
        )
        """The tools that are never described: another tool does more of the same."""
        hidden = {name: key for tool in ours for name, key in tool.hides.items()}
        self.definitions = [
            _without(item, hidden.get(item.name.rpartition("__")[2], ""))
            for item in described
        ]
        self.choose(self.tools.keys() - self.passing, sorted(self.passing))

    @property
    def always(self) -> list[ToolDefinition]:
        """Return the tools that are offered in every turn, always in this order."""
        return sorted(
            (item for item in self.definitions if item.name in self._always),
            # A small model takes what it reads first.
            key=lambda item: (
                item.is_short,
                not item.name.startswith("intent__"),
                item.name,
            ),
        )

    @property
    def chosen(self) -> list[ToolDefinition]:
        """Return the tools that are offered this time only."""
        known = {item.name: item for item in self.definitions}
        return [known[name] for name in self._chosen]

    def choose(self, always: Collection[str], chosen: Iterable[str]) -> None:
        """Describe only these tools, by full name; the others may still be called.

        What is `always` described should be the same in every turn of a conversation.
        """
        self._always = frozenset(always) - self.replaced
        # In this order.
        self._chosen: dict[str, None] = {}
        for name in chosen:
            self.offer(name)

    def offer(self, name: str) -> None:
        """Describe a tool from the next request on, by its full name."""
        if name in self.tools and name not in {*self._always, *self.replaced}:
            self._chosen[name] = None

    @property
    def describes_servers(self) -> bool:
        """Return whether requests have a description that an MCP server wrote."""
        offered = (*self._always, *self._chosen)
        tools = (unwrapped(self.tools[name]) for name in offered if name in self.tools)
        return any(tool.integration == "mcp" for tool in tools)

    @property
    def acts(self) -> bool:
        """Return whether any tool does more than reading."""
        return any(not tool.annotations.read_only for tool in self.tools.values())

    def read(self, name: str, arguments: object, *, tool: str | None = None) -> Call:
        """Return a call of a tool, with arguments that fit it, or its refusal.

        `name` is as the model wrote it, `tool` the full name if that is known. A tool
        that was left out is described from the next request on.
        """
        tool = tool or self.names.resolve(name)
        if tool is None or tool not in self.tools:
            found = [
                self.names.resolve(item) or "" for item in self.names.closest(name)
            ]
            for full in found:
                self.offer(full)
            # The model copies what it sees of its own call.
            shown = _shown(arguments)
            close = [*map(self.names.prompted, found)] or self._others_with(shown)
            return self.refused(unknown_tool(close), name, shown)
        self.offer(tool)
        try:
            fitted = fit_arguments(parse_arguments(arguments), self._schemas[tool])
        except ArgumentsError as err:
            shown = _shown(arguments)
            why = invalid_arguments(err, self._others_with(shown))
            return self.refused(why, tool, shown)
        if self.gate.judge and self.api:
            fitted = self.gate.judge.possible(
                self.tools[tool], fitted, self.api.llm_context
            )
        annotations = self.tools[tool].annotations
        return Call(
            llm.ToolInput(tool_name=tool, tool_args=fitted),
            refusal=None,
            once=annotations.read_only
            or annotations.idempotent
            or tool.rpartition("__")[2] in _CREATING,
            acts=not annotations.read_only,
        )

    def _others_with(self, arguments: dict[str, Any]) -> list[str]:
        found = (
            self.names.prompted(tool.name)
            for tool in self.always
            if arguments
            and arguments.keys() <= tool.parameters.get("properties", {}).keys()
        )
        return [*islice(found, _MAX_OTHERS)]

    def refused(
        self, why: str, name: str = "unknown", arguments: dict[str, Any] | None = None
    ) -> Call:
        """Return a refused call; `why` is for the model."""
        self.offer(name)
        tool_input = llm.ToolInput(tool_name=name, tool_args=arguments or {})
        return Call(tool_input, refusal=why, once=True)

    def understand(
        self, name: str, arguments: object
    ) -> tuple[llm.Tool, dict[str, Any]]:
        """Return a tool and arguments that fit it, for a call that is made later.

        Without arguments `name` is a full name. Raises HomeAssistantError.
        """
        if arguments is None and name in self.tools:
            return self.tools[name], {}
        call = self.read(name, arguments)
        if call.refusal is not None:
            raise HomeAssistantError(call.refusal)
        return self.tools[call.tool_input.tool_name], call.tool_input.tool_args

    def admit(self, call: Call) -> llm.ToolInput:
        """Give a call to the gate, and return what Home Assistant is to run."""
        if call.refusal is None:
            self.gate.allow(call.tool_input.id)
        else:
            self.gate.refuse(call.tool_input.id, call.refusal)
            name = call.tool_input.tool_name
            if self.api and all(tool.name != name for tool in self.api.tools):
                self.api.tools.append(UnknownTool(name, self.gate))
        return call.tool_input
