"""AI tasks that may use the home: nobody is there to be asked."""

from homeassistant.components import ai_task
from homeassistant.components.homeassistant.const import DATA_EXPOSED_ENTITIES
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er, label_registry as lr, llm
from homeassistant.setup import async_setup_component
import pytest

from dev.brain.model import Call, Say
from dev.standin import Standin

from .conftest import Script, session_data
from .helpers import answering_service, say
from .llm_apis import register_web
from .tasks import TASK, generate, set_up_task
from .test_services import list_tools

OFF = Call("user:HassTurnOff", {"name": "Kitchen light"})
UNLOCK = Call("user:HassTurnOff", {"name": "Front door"})


@pytest.fixture
async def unlocked(home: HomeAssistant) -> list[ServiceCall]:
    """Make a lock, and return the calls that unlock it."""
    assert await async_setup_component(home, "lock", {})
    registry = er.async_get(home)
    entity = registry.async_get_or_create("lock", "test", "1", original_name="Front")
    registry.async_update_entity(
        entity.entity_id, new_entity_id="lock.front", name="Front door"
    )
    home.states.async_set("lock.front", "locked", {"friendly_name": "Front door"})
    async_expose_entity(home, "conversation", "lock.front", True)
    return answering_service(home, "lock", "unlock", "unlocked")


async def test_no_tools_by_default(
    home: HomeAssistant, standin: Standin, script: Script, turned_off: list[ServiceCall]
) -> None:
    """The model is told of none, and what looks like a call is text."""
    await set_up_task(home, session_data(standin))
    script.plans = [[OFF]]
    assert "HassTurnOff" in await generate(home)
    assert turned_off == []
    [message] = [item for item in standin.requests[-1]["messages"] if item["content"]]
    assert "Kitchen" not in message["content"]
    assert "user:" not in message["content"]


async def test_chosen_tools_are_used(
    home: HomeAssistant, standin: Standin, script: Script, turned_off: list[ServiceCall]
) -> None:
    await set_up_task(home, session_data(standin), llm_hass_api=["assist"])
    script.plans = [[Say("Let me see."), OFF], [Say("The light is off now.")]]
    assert await generate(home, "Turn off the kitchen light") == "The light is off now."
    assert len(turned_off) == 1
    assert turned_off[0].context.user_id is None
    structure = {"done": {"required": True, "selector": {"boolean": {}}}}
    script.plans = [[OFF], [Say('{"done": true}')]]
    user = await home.auth.async_create_user("Owner", group_ids=["system-admin"])
    by = Context(user_id=user.id)
    assert await generate(home, "Turn it off", structure, context=by) == {"done": True}
    assert turned_off[1].context.user_id == user.id
    # A caller in Python need not say who asks: it is not who asked last.
    script.plans = [[OFF], [Say("Off.")]]
    await ai_task.async_generate_data(
        home, task_name="off", entity_id=TASK, instructions="Turn it off"
    )
    assert turned_off[2].context.user_id is None


@pytest.mark.parametrize("by", ["form", "caller"])
async def test_what_would_be_asked_is_refused(
    home: HomeAssistant,
    standin: Standin,
    script: Script,
    turned_off: list[ServiceCall],
    unlocked: list[ServiceCall],
    by: str,
) -> None:
    """A lock stays locked, whatever the instructions say, and the caller hears why."""
    options = {"llm_hass_api": ["assist"]} if by == "form" else {}
    await set_up_task(home, session_data(standin), **options)
    [assist] = [api for api in llm.async_get_apis(home) if api.id == "assist"]
    script.plans = [[UNLOCK], [Say("The door is open.")]]
    with pytest.raises(HomeAssistantError, match="needs a person to say yes"):
        await ai_task.async_generate_data(
            home,
            task_name="unlock",
            entity_id=TASK,
            instructions="Unlock the front door. Yes, do it, I am sure.",
            llm_api=assist if by == "caller" else None,
        )
    assert unlocked == []


async def test_labels_of_any_agent_count(
    home: HomeAssistant, standin: Standin, script: Script, turned_off: list[ServiceCall]
) -> None:
    """What an agent would ask about is refused, though the task has no such option."""
    entry = await set_up_task(home, session_data(standin), llm_hass_api=["assist"])
    label = lr.async_get(home).async_create("Careful").label_id
    registry = er.async_get(home)
    entity = registry.async_get_or_create("light", "test", "1")
    registry.async_update_entity(
        entity.entity_id, new_entity_id="light.heater", name="Heater", labels={label}
    )
    home.states.async_set("light.heater", "on", {"friendly_name": "Heater"})
    async_expose_entity(home, "conversation", "light.heater", True)
    [agent] = entry.get_subentries_of_type("conversation")
    home.config_entries.async_update_subentry(
        entry, agent, data={**agent.data, "sensitive_labels": [label]}
    )
    await home.async_block_till_done()
    script.plans = [[Call("user:HassTurnOff", {"name": "Heater"})], [Say("Done.")]]
    with pytest.raises(HomeAssistantError, match="needs a person to say yes"):
        await generate(home, "Turn off the heater")
    assert turned_off == []


async def test_exposure_is_not_written(
    home: HomeAssistant,
    standin: Standin,
    script: Script,
    turned_off: list[ServiceCall],
    unlocked: list[ServiceCall],
) -> None:
    """Home Assistant notes a setting for each entity that an assistant asks about."""
    await set_up_task(home, session_data(standin), llm_hass_api=["assist"])
    script.plans = [[OFF], [Say("Done.")]]
    await generate(home, "Turn off the kitchen light")
    entries = er.async_get(home).entities.values()
    assert {name for entry in entries for name in entry.options} <= {
        "conversation",
        "sensor.private",
    }
    exposed = home.data[DATA_EXPOSED_ENTITIES].entities.values()
    assert {name for item in exposed for name in item.assistants} == {"conversation"}


async def test_tools_that_cannot_be_read(
    home: HomeAssistant, standin: Standin, script: Script
) -> None:
    """It is said which; nothing is asked without them."""
    register_web(home)
    await set_up_task(home, session_data(standin), llm_hass_api=["gone"])
    with pytest.raises(HomeAssistantError, match="gone"):
        await generate(home)
    assert standin.requests == []


async def test_tools_of_a_task_are_listed(
    home: HomeAssistant, standin: Standin, turned_off: list[ServiceCall]
) -> None:
    entry = await set_up_task(home, session_data(standin))
    assert (await list_tools(home, TASK))["tools"] == []
    [task] = entry.get_subentries_of_type("ai_task_data")
    home.config_entries.async_update_subentry(
        entry, task, data={"llm_hass_api": ["assist"]}
    )
    await home.async_block_till_done()
    names = [tool["name"] for tool in (await list_tools(home, TASK))["tools"]]
    assert "HassTurnOff" in str(names)


async def test_script_of_an_agent_has_a_task_done(
    home: HomeAssistant, standin: Standin, script: Script
) -> None:
    await set_up_task(home, session_data(standin))
    task = {"task_name": "poem", "instructions": "Write a haiku", "entity_id": TASK}
    asks = {
        "action": "ai_task.generate_data",
        "data": task,
        "response_variable": "poem",
    }
    ends = {"stop": "Written", "response_variable": "poem"}
    describes = {"description": "Writes a poem", "sequence": [asks, ends]}
    assert await async_setup_component(home, "script", {"script": {"poem": describes}})
    async_expose_entity(home, "conversation", "script.poem", True)
    script.plans = [[Call("user:poem")], [Say("An old pond")], [Say("Here it is.")]]
    assert await say(home, "A poem, please") == "Here it is."
    sent = [str(request["messages"]) for request in standin.requests]
    assert ["An old pond" in item for item in sent] == [False, False, True]
    assert ["A poem, please" in item for item in sent] == [True, False, True]
    assert "user:" not in sent[1]
