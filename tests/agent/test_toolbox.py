"""What the toolbox admits: only that runs, once, and failures become results."""

from dataclasses import replace
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
import probatio
import pytest

from custom_components.lumo.abilities import with_abilities
from custom_components.lumo.agent.confirmation import is_plain, may_confirm
from custom_components.lumo.agent.model_texts import unknown_tool
from custom_components.lumo.agent.toolbox import KnownTools, Toolbox, definitions
from custom_components.lumo.gate import gate as policy
from custom_components.lumo.languages import EN

from .conftest import FakeTool
from .turns import KITCHEN


async def run(
    hass: HomeAssistant, toolbox: Toolbox, tool_input: llm.ToolInput
) -> llm.ToolResult:
    assert toolbox.api is not None
    toolbox.api.api.hass = hass
    return await toolbox.api.async_call_tool(tool_input)


async def test_admitted_call_runs_with_the_fitted_arguments(
    hass: HomeAssistant, toolbox: Toolbox, turn_off: FakeTool
) -> None:
    """One value becomes a list where the schema wants one."""
    call = toolbox.read("user:HassTurnOff", {"domain": "light", "area": "Kitchen "})
    assert call.refusal is None
    result = await run(hass, toolbox, toolbox.admit(call))
    assert result == llm.ToolResult(data={"success": True})
    assert turn_off.calls == [{"domain": ["light"], "area": "Kitchen"}]
    assert [outcome.success for outcome in toolbox.gate.outcomes] == [True]


@pytest.mark.parametrize(
    ("failed", "complete"), [([], True), ([{"name": "Hall lamp"}], False)]
)
async def test_action_that_failed_in_part_is_not_complete(
    hass: HomeAssistant,
    toolbox: Toolbox,
    turn_off: FakeTool,
    failed: list[Any],
    complete: bool,
) -> None:
    """Some lamps went out, one did not: the model must tell."""

    async def act() -> Any:
        # The shape of IntentResponse.as_dict.
        data: Any = {"targets": [], "success": [{"name": "Lamp"}], "failed": failed}
        return {"response_type": "action_done", "data": data}

    turn_off.does = act
    tool_input = toolbox.admit(toolbox.read("HassTurnOff", {"area": "Kitchen"}))
    await run(hass, toolbox, tool_input)
    [outcome] = toolbox.gate.outcomes
    assert outcome.success
    assert outcome.complete is complete
    assert may_confirm("Turn off the kitchen", EN, [outcome], 1) is complete

    def is_enough(said: str) -> bool:
        return is_plain(said, EN, [outcome]) and may_confirm(said, EN, [outcome], 1)

    for more in (
        "and tell me a joke",
        "except the spots",
        "if it is dark",
        "but not the hall",
        "for ten minutes",
    ):
        assert not is_enough(f"Turn off the lights {more}")
    assert not is_enough("Don't turn off Bob's lamp")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("HassTurnOf", {}, "HassTurnOff"),
        ("HassTurnOff", {"where": "Kitchen"}, "where"),
        ("HassTurnOff", ["Kitchen"], "not valid"),
        ("HassTurnOff", '{"area": "Kit', "not valid"),
    ],
)
async def test_refused_call_says_what_is_possible(
    hass: HomeAssistant,
    toolbox: Toolbox,
    turn_off: FakeTool,
    name: str,
    arguments: object,
    message: str,
) -> None:
    """The model reads the reason as the result of its call."""
    tool_input = toolbox.admit(toolbox.read(name, arguments))
    assert tool_input.tool_args == (arguments if isinstance(arguments, dict) else {})
    with pytest.raises(HomeAssistantError, match=message):
        await run(hass, toolbox, tool_input)
    assert turn_off.calls == []
    assert toolbox.gate.outcomes == []


@pytest.mark.parametrize("name", ["nowhere", "odd"])
async def test_failing_tool_gives_an_error_that_home_assistant_understands(
    hass: HomeAssistant, toolbox: Toolbox, name: str
) -> None:
    """Any exception of a tool becomes a HomeAssistantError, which is a result."""
    tool_input = toolbox.admit(toolbox.read("HassTurnOff", {"name": name}))
    with pytest.raises(HomeAssistantError):
        await run(hass, toolbox, tool_input)
    assert [outcome.success for outcome in toolbox.gate.outcomes] == [False]


def test_the_original_instance_is_not_changed(
    api: llm.APIInstance, toolbox: Toolbox
) -> None:
    """Home Assistant keeps it for the next turn: nothing is wrapped twice."""
    tools = list(api.tools)
    toolbox.admit(toolbox.read("Unheard", {}))
    assert api.tools == tools
    assert not any(isinstance(tool, policy.GatedTool) for tool in api.tools)


def test_tool_whose_schema_cannot_be_written_down_is_still_offered(
    api: llm.APIInstance, turn_off: FakeTool
) -> None:
    """One odd tool does not take the others away."""
    turn_off.parameters = {"anything": object}  # type: ignore[assignment] # on purpose
    api.custom_serializer = {}.__getitem__
    toolbox = Toolbox(api)
    # To read twice in one answer is to read once.
    assert toolbox.read("GetLiveContext", {}).once
    schemas = [item.parameters for item in toolbox.definitions]
    assert len(schemas) == 3 and {"type": "object"} in schemas
    assert toolbox.read("HassTurnOff", {"anything": 1}).refusal is None


def _closure(known: str) -> Any:
    """Return a serializer that is made anew, as merged APIs make theirs."""
    own = [known]
    return lambda value: {"type": own[0]} if value is int else probatio.UNSUPPORTED


_NAME, _COLOURS = probatio.Optional("name"), [probatio.In(["red"])]


def _described(
    parameters: Any = None, *, description: str = ""
) -> tuple[FakeTool, Any]:
    """Return a tool made anew of the same parts, and the serializer."""
    tool = FakeTool(
        "light__Set",
        probatio.Schema(parameters or {_NAME: str, "colour": _COLOURS, "n": int}),
    )
    tool.description = description
    return tool, _closure("integer")


@pytest.mark.parametrize(
    ("other", "is_same"),
    [
        pytest.param(_described(), True, id="made anew of the same parts"),
        pytest.param(_described(description="x"), False, id="another description"),
        pytest.param(_described({_NAME: int}), False, id="another parameter"),
        pytest.param(_described({_NAME: str, "colour": list(_COLOURS), "n": int}), True, id="an equal list"),
        pytest.param(
            _described({probatio.Optional("name", description="x"): str, "colour": _COLOURS, "n": int}), False,
            id="a marker that says more, though they count as equal",
        ),
    ],
)  # fmt: skip
def test_a_tool_is_converted_anew_only_if_it_changed(
    other: tuple[FakeTool, Any], is_same: bool
) -> None:
    """Equal schemas are told apart by the objects that they are made of."""
    known: KnownTools = {}
    tool, serializer = _described()
    [first] = definitions([tool], serializer, known)
    [second] = definitions([other[0]], other[1], known)
    assert (first is second) == is_same
    [fresh] = definitions([other[0]], other[1], {})
    assert second.parameters == fresh.parameters
    assert second.description == fresh.description


def test_a_satellite_with_timers_begins_like_the_app(api: llm.APIInstance) -> None:
    """Their tools stand with the sentence: the beginning of a request is the same."""
    timer = FakeTool("intent__HassStartTimer", probatio.Schema({}))
    app, there = Toolbox(api), Toolbox(replace(api, tools=[timer, *api.tools]))
    assert [tool.name for tool in there.always] == [tool.name for tool in app.always]
    assert timer.name in [tool.name for tool in there.chosen]
    # "Set a timer" would cancel all, where none can be started.
    cancel = FakeTool("intent__HassCancelAllTimers", probatio.Schema({}))
    for tools, replaced in (([cancel], True), ([cancel, timer], False)):
        box = Toolbox(replace(api, tools=[*tools, *api.tools]))
        assert (cancel.name in box.replaced) is replaced


def test_a_timer_is_not_offered_a_command(api: llm.APIInstance) -> None:
    """Plans do that, and last."""
    told = {"minutes": int, "conversation_command": str}
    timer = FakeTool("intent__HassStartTimer", probatio.Schema(told))
    own = with_abilities(replace(api, tools=[timer, *api.tools]))
    [shown] = [x for x in Toolbox(own).definitions if x.name == timer.name]
    assert shown.parameters["properties"].keys() == {"minutes"}


def test_what_is_made_later_is_understood_now(toolbox: Toolbox) -> None:
    """Without arguments by its full name alone."""
    full = "intent__HassTurnOff"
    tool = toolbox.tools[full]
    assert toolbox.understand(full, None) == (tool, {})
    assert toolbox.understand("HassTurnOff", KITCHEN) == (tool, KITCHEN)
    for name, arguments in (("HassTurnOff", {"where": "x"}), ("Unheard", None)):
        with pytest.raises(HomeAssistantError):
            toolbox.understand(name, arguments)
    assert "one of: user:a, user:b?" in unknown_tool(["user:a", "user:b"])
