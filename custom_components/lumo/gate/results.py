"""What tools return: put together from several calls."""

from collections.abc import Sequence
from typing import Any

from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

from ..internals import intent_response
from .notes import STOPPED


class RefusedError(HomeAssistantError):
    """A call was not run. Its name stands in the result, which is all ours."""


def merged(results: Sequence[llm.ToolResult | BaseException]) -> llm.ToolResult:
    """Return one result for a call that was run for its targets one by one.

    Where all have failed the first failure is raised.
    """
    errors = [item for item in results if isinstance(item, BaseException)]
    good = [item for item in results if isinstance(item, llm.ToolResult)]
    if not good:
        if isinstance(errors[0], Exception):
            raise errors[0]
        raise HomeAssistantError(STOPPED)
    first = good[0]
    if len(results) == 1:
        return first
    responses = [found for item in good if (found := intent_response(item.data))]
    data: dict[str, Any] = {"results": [item.data for item in good]}
    if len(responses) == len(good):
        response = responses[0]
        response.async_set_results(
            [target for item in responses for target in item.success_results],
            [target for item in responses for target in item.failed_results],
        )
        data = llm.IntentResponseDict(response)
    if errors:
        data["errors"] = [str(error) for error in errors]
    return llm.ToolResult(data=data, error=all(item.error for item in good))
