"""What may be planned, and when a plan ends."""

from datetime import timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import async_fire_time_changed

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.later import CALL, Later
from custom_components.lumo.abilities.planning_judge import PlanningJudge
from custom_components.lumo.abilities.plans import End, Plans, ScheduledTask, Trigger
from custom_components.lumo.agent.options import AgentOptions
from custom_components.lumo.gate.earlier import Earlier
from custom_components.lumo.gate.judged_call import JudgedCall, Verdict
from custom_components.lumo.gate.speaker import Speaker

from .large_home import add, async_prepare

ANNA = Speaker("anna", None, True, "Do it later", "en")
OFF = "intent__HassTurnOff"
LAMP = (OFF, {"name": "Lamp"})
DOOR = (OFF, {"name": "Front door", "domain": ["lock"]})
# Nobody can tell what this one does.
SCRIPT: tuple[str, dict[str, Any]] = ("script__surprise", {})
SOON, LATE = {"at": "in 10 minutes"}, {"at": "in 2 days"}
WHEN_DONE = {"entity": "Washer", "becomes": "done"}


@pytest.fixture
async def home(hass: HomeAssistant) -> HomeAssistant:
    """Return a home with a lamp, a door, a script, and something to wait for."""
    surprise = {"sequence": [{"action": "{{ 'lock' }}.open"}], "description": "?"}
    await async_prepare(hass)
    for domain in ("conversation", "intent", "light", "lock", "sensor", "script"):
        config = {"script": {"surprise": surprise}}
        assert await async_setup_component(hass, domain, config)
    add(hass, "light.lamp", "on", name="Lamp", area="Hall")
    add(hass, "lock.front", "locked", name="Front door", area="Hall")
    add(
        hass,
        "sensor.washer",
        "running",
        name="Washer",
        device_class="enum",
        options=["running", "done"],
    )
    async_expose_entity(hass, "conversation", "script.surprise", True)
    return hass


async def judge(
    hass: HomeAssistant, arguments: dict[str, Any], approved: frozenset[str]
) -> Verdict:
    """Judge a call that plans another one."""
    context = llm.LLMContext("lumo", Context(user_id="anna"), "en", "conversation", "")
    api = await llm.async_get_api(hass, llm.LLM_API_ASSIST, context)
    tools = {tool.name: tool for tool in api.tools}

    def understand(name: str, given: Any) -> tuple[llm.Tool, Any]:
        return tools[name], given

    later = Later(AbilityContext(hass=hass, speaker=ANNA, understand=understand))
    options = AgentOptions.from_subentry({}, encrypted=True)
    case = JudgedCall(hass, later, arguments, context, approved)
    return await PlanningJudge(hass, options, ANNA, Earlier()).async_judge(case)


@pytest.mark.parametrize(
    ("call", "when", "asks", "opens"),
    [
        (LAMP, SOON, False, False),
        (LAMP, LATE, False, False),
        (LAMP, WHEN_DONE, False, False),
        (DOOR, SOON, True, True),
        (DOOR, LATE, None, None),
        (DOOR, WHEN_DONE, None, None),
        (SCRIPT, SOON, True, True),
        (SCRIPT, LATE, None, None),
        (SCRIPT, WHEN_DONE, None, None),
    ],
)
async def test_what_opens_is_planned_for_a_day_at_most(
    home: HomeAssistant,
    call: tuple[str, dict[str, Any]],
    when: dict[str, str],
    asks: bool | None,
    opens: bool | None,
) -> None:
    """After a yes, and for a time; what cannot be foreseen may open."""
    arguments = {"tool": call[0], "arguments": call[1], **when}
    verdict = await judge(home, arguments, frozenset())
    if asks is None:
        assert (verdict.sentence, verdict.runs) == ("later_never", ())
        return
    assert bool(verdict.asks) is asks
    if asks:
        [ask] = verdict.asks
        assert not verdict.runs
        verdict = await judge(home, dict(ask.arguments), ask.entities)
    [run] = verdict.runs
    assert run[CALL].opens is opens
    assert bool(run[CALL].approved) is opens


@pytest.mark.parametrize(
    ("seconds", "state", "end"),
    [
        (30, "done", End.DUE),
        (30, "running", None),
        (61, "running", End.EXPIRED),
        # It has happened, but too late.
        (61, "done", End.EXPIRED),
    ],
)
async def test_plan_waits_no_longer_than_it_may(
    home: HomeAssistant,
    freezer: FrozenDateTimeFactory,
    hass_storage: dict[str, Any],
    seconds: int,
    state: str,
    end: End | None,
) -> None:
    """Whether its time is noticed before the change or behind it."""
    ends: list[End] = []

    async def carry_out(_plan: ScheduledTask, end: End) -> None:
        ends.append(end)

    plans = Plans(home, "account", carry_out)
    await plans.async_load()
    now = dt_util.utcnow()
    trigger = Trigger(
        at=now.timestamp() + 60, entity_id="sensor.washer", states=["done"]
    )
    await plans.async_add(
        ScheduledTask(
            agent="agent",
            trigger=trigger,
            say="It is done",
            user_id=None,
            satellite_id=None,
            device_id=None,
            language="en",
        )
    )
    freezer.tick(timedelta(seconds=seconds))
    home.states.async_set("sensor.washer", state)
    await home.async_block_till_done()
    async_fire_time_changed(home)
    await home.async_block_till_done()
    assert ends == ([end] if end else [])
    await plans.async_stop()


class Other(llm.Tool):
    """A tool of any name."""

    def __init__(self, name: str, *, read_only: bool) -> None:
        """Make it."""
        self.name = name
        self.annotations = llm.ToolAnnotations(read_only=read_only)

    async def async_call(self, *_args: Any) -> llm.ToolResult:
        """Never run."""
        raise NotImplementedError


@pytest.mark.parametrize(
    ("tool", "read_only", "plans"),
    [
        ("outside__send", False, True),
        ("outside__read", True, False),
        ("intent__HassStartTimer", False, False),
        ("lumo__undo", False, False),
        ("lumo__later", False, False),
    ],
)
async def test_what_cannot_wait_is_not_planned(
    home: HomeAssistant, tool: str, read_only: bool, plans: bool
) -> None:
    """What reads, timers, and what is about what was done before."""
    other = Other(tool, read_only=read_only)

    def understand(_name: str, _given: Any) -> tuple[llm.Tool, dict[str, Any]]:
        return other, {}

    context = AbilityContext(hass=home, speaker=ANNA, understand=understand)
    arguments = {"tool": tool, "arguments": {}, **SOON}
    if plans:
        assert await Later(context).async_read(home, arguments)
        return
    with pytest.raises(HomeAssistantError, match="planned|only reads"):
        await Later(context).async_read(home, arguments)
