"""Which tools are offered in a turn, and what a call means.

Home Assistant's API instance goes in; out come the definitions for Lumo, and for each
call that the model writes a `ToolInput` that Home Assistant runs behind the gate. The
instance itself is never changed: from 2026.11 on Home Assistant keeps it for the next
turn, so the turn works with a copy whose tools are wrapped.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
import json
import logging
from typing import Any, Final

from homeassistant.helpers import llm
from homeassistant.util.ulid import ulid_now
import probatio

from ..const import DEFAULT_PREFIX
from ..gate.gate import Gate, GatedTool, UnknownTool
from ..gate.pending import Ask
from ..tool_calling.arguments import ArgumentsError, fit_arguments, parse_arguments
from ..tool_calling.naming import ToolNames
from ..tool_calling.prompted import ToolDefinition
from .model_texts import IN_CLEAR, QUOTED, broken_call, invalid_arguments, unknown_tool

_LOGGER = logging.getLogger(__name__)


# Intents that make something new of their arguments. A model that writes such a call
# twice in one answer means one; "next track" twice means two.
_CREATING: Final = frozenset(
    {"HassStartTimer", "HassListAddItem", "HassShoppingListAddItem", "HassBroadcast"}
)


@dataclass(frozen=True, slots=True)
class Call:
    """A call that the model wrote, understood as far as possible."""

    tool_input: llm.ToolInput
    refusal: str | None
    """Why it does not run, in words for the model; None if it does."""
    once: bool
    """Saying it twice means the same as saying it once."""
    acts: bool = True
    """It does more than reading."""

    @property
    def key(self) -> tuple[str, str]:
        """Return what makes two calls the same."""
        return (
            self.tool_input.tool_name,
            json.dumps(self.tool_input.tool_args, sort_keys=True, default=str),
        )


class Toolbox:
    """The tools of one turn."""

    def __init__(
        self,
        api: llm.APIInstance | None,
        *,
        prefix: str = DEFAULT_PREFIX,
        gate: Gate | None = None,
    ) -> None:
        """Take the tools of the API instance; None means an agent without tools.

        Without a gate they can be described, but none of them runs.
        """
        self.gate = gate or Gate()
        self._tools = {tool.name: tool for tool in api.tools} if api else {}
        self._serializer = api.custom_serializer if api else None
        self.names = ToolNames(self._tools, prefix=prefix)
        self.definitions = [
            ToolDefinition(
                name=tool.name,
                description=tool.description or "",
                parameters=self._schema(tool),
                read_only=tool.annotations.read_only,
            )
            for tool in self._tools.values()
        ]
        self._schemas = {item.name: item.parameters for item in self.definitions}
        self.api = (
            replace(api, tools=[GatedTool(tool, self.gate) for tool in api.tools])
            if api
            else None
        )

    @property
    def tools(self) -> Mapping[str, llm.Tool]:
        """Return the tools themselves, without the gate, by their full names."""
        return self._tools

    @property
    def acts(self) -> bool:
        """Return whether any tool does more than reading."""
        return any(not tool.annotations.read_only for tool in self._tools.values())

    def _schema(self, tool: llm.Tool) -> dict[str, Any]:
        """Return the tool's parameters as a JSON schema.

        A schema that cannot be written down takes anything: the tool itself still
        validates, and one odd tool does not take the others away.
        """
        try:
            schema = probatio.to_openapi(
                tool.parameters,
                custom_serializer=self._serializer,
                openapi_version="3.1.0",
            )
        except Exception:
            _LOGGER.debug("No schema for %s", tool.name, exc_info=True)
            return {"type": "object"}
        return schema if isinstance(schema, dict) else {"type": "object"}

    def read(self, name: str, arguments: object, *, tool: str | None = None) -> Call:
        """Understand a call: which tool, with which arguments, and may it run.

        `name` is as the model wrote it, `tool` the full name where it is known
        already. A call that may not run is refused with what was wrong and what is
        possible, so that the model can do better.
        """
        tool = tool or self.names.resolve(name)
        if tool is None or tool not in self._tools:
            return self._refused(name, {}, unknown_tool(self.names.closest(name)))
        try:
            fitted = fit_arguments(parse_arguments(arguments), self._schemas[tool])
        except ArgumentsError as err:
            shown = arguments if isinstance(arguments, dict) else {}
            return self._refused(tool, shown, invalid_arguments(err))
        annotations = self._tools[tool].annotations
        return Call(
            llm.ToolInput(tool_name=tool, tool_args=fitted, id=ulid_now()),
            refusal=None,
            once=annotations.read_only
            or annotations.idempotent
            or tool.rpartition("__")[2] in _CREATING,
            acts=not annotations.read_only,
        )

    def quoted(self, call: Call) -> Call:
        """Return the refusal of a call that only repeats what a result says."""
        return replace(call, refusal=QUOTED)

    def in_clear(self) -> Call:
        """Return the refusal of a call that should have come encrypted.

        Anybody may have written it: the model must not find it among its own calls.
        """
        return self._refused("unknown", {}, IN_CLEAR)

    def broken(self, name: str | None, tool: str | None, reason: str) -> Call:
        """Return the refusal of a call whose text was damaged."""
        return self._refused(tool or name or "unknown", {}, broken_call(reason))

    def admit(self, call: Call) -> llm.ToolInput:
        """Give the call to the gate, and return what Home Assistant is to run."""
        if call.refusal is None:
            self.gate.allow(call.tool_input.id)
        else:
            self.gate.refuse(call.tool_input.id, call.refusal)
            name = call.tool_input.tool_name
            if self.api and name not in self._tools:
                if all(tool.name != name for tool in self.api.tools):
                    self.api.tools.append(UnknownTool(name, self.gate))
        return call.tool_input

    def confirm(self, ask: Ask, approved: frozenset[str]) -> llm.ToolInput | None:
        """Admit a call that a person said yes to; None if its tool is gone."""
        if ask.tool not in self._tools:
            return None
        tool_input = llm.ToolInput(
            tool_name=ask.tool, tool_args=dict(ask.arguments), id=ulid_now()
        )
        self.gate.allow(tool_input.id, approved)
        return tool_input

    def _refused(self, name: str, arguments: dict[str, Any], why: str) -> Call:
        return Call(
            llm.ToolInput(tool_name=name, tool_args=arguments, id=ulid_now()),
            refusal=why,
            once=True,
        )
