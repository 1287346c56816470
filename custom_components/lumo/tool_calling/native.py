"""The native form: tools as function definitions beside the messages."""

from collections.abc import Iterable
from functools import lru_cache

from .json_text import bounded, one_line, plain
from .naming import ToolNames
from .prompted import MADE, RESULT_LIMIT, ToolDefinition
from .schema import acceptable, description_of


def function_tools(
    tools: Iterable[ToolDefinition], names: ToolNames
) -> list[ToolDefinition]:
    """Return the tools as any service accepts them, under their offered names."""
    return [_function(tool, names) for tool in tools]


@lru_cache(maxsize=MADE)
def _function(tool: ToolDefinition, names: ToolNames) -> ToolDefinition:
    parameters, note = acceptable(tool.parameters)
    description = description_of(tool.description, note)
    return ToolDefinition(
        name=names.offered(tool.name),
        description=names.rewrite(description, prompted=False),
        parameters=parameters,
    )


def function_result(data: object, error: bool, *, limit: int = RESULT_LIMIT) -> str:
    """Return the turn with the result of a function call, cut to `limit` characters."""
    value = bounded(plain(data), limit)
    return one_line({"error" if error else "result": value}, compact=True)
