"""A small set of tools, and a turn's record."""

from collections.abc import Awaitable, Callable
from typing import Any, cast, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
import probatio
import pytest

from custom_components.lumo.agent.record import TurnRecord
from custom_components.lumo.agent.toolbox import Toolbox
from custom_components.lumo.gate.gate import Gate
from custom_components.lumo.gate.judge import Judge
from custom_components.lumo.gate.judged_call import JudgedCall, Verdict
from tests.redteam.fixtures import *  # noqa: F403


class FakeTool(llm.Tool):
    """A tool that notes its calls."""

    integration = "test"

    def __init__(
        self, name: str, parameters: probatio.Schema, **annotations: bool
    ) -> None:
        self.name = name
        self.description = f"Does {name}"
        self.parameters = parameters
        self.annotations = llm.ToolAnnotations(**annotations)
        self.calls: list[dict[str, Any]] = []
        self.does: Callable[[], Awaitable[Any]] | None = None
        """What it does, and the data that it returns."""

    @override
    async def async_call(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult:
        """Note the call; fail the way the name asks for."""
        self.calls.append(tool_input.tool_args)
        match tool_input.tool_args.get("name"):
            case "nowhere":
                raise HomeAssistantError("No entities matched")
            case "odd":
                raise IndexError("list index out of range")
        data = await self.does() if self.does else {"success": True}
        return llm.ToolResult(data=data)


class FakeAPI(llm.API):
    tools: list[llm.Tool]

    @override
    async def async_get_api_instance(
        self, llm_context: llm.LLMContext
    ) -> llm.APIInstance:
        raise NotImplementedError


class LenientJudge:
    scope = None

    def possible(
        self, _tool: object, arguments: dict[str, Any], _context: object
    ) -> dict[str, Any]:
        return arguments

    def note(self, _effects: object) -> None:
        """Remember nothing."""

    async def async_judge(self, case: JudgedCall, **_: Any) -> Verdict:
        return Verdict(runs=(case.arguments,))


@pytest.fixture
def turn_off() -> FakeTool:
    """Return a tool that acts, twice is as good as once."""
    return FakeTool(
        "intent__HassTurnOff",
        probatio.Schema(
            {
                probatio.Optional("name"): str,
                probatio.Optional("area"): str,
                probatio.Optional("domain"): [str],
            }
        ),
        idempotent=True,
        open_world=False,
    )


@pytest.fixture
def next_track() -> FakeTool:
    """Return a tool that acts, twice is twice."""
    return FakeTool(
        "media_player__HassMediaNext",
        probatio.Schema({probatio.Optional("name"): str}),
        open_world=False,
    )


@pytest.fixture
def live_context() -> FakeTool:
    return FakeTool(
        "homeassistant__GetLiveContext", probatio.Schema({}), read_only=True
    )


@pytest.fixture
def api(
    turn_off: FakeTool, next_track: FakeTool, live_context: FakeTool
) -> llm.APIInstance:
    return llm.APIInstance(
        api=FakeAPI(hass=None, id="test", name="Test"),  # type: ignore[arg-type] # never called
        api_prompt="",
        llm_context=llm.LLMContext("lumo", None, "en", "conversation", None),
        tools=[turn_off, next_track, live_context],
    )


@pytest.fixture
def toolbox(api: llm.APIInstance) -> Toolbox:
    """Return the toolbox of a turn whose judge lets every call run."""
    return Toolbox(api, gate=Gate(judge=cast(Judge, LenientJudge())))


@pytest.fixture
def record() -> TurnRecord:
    """Return an empty record."""
    return TurnRecord()
