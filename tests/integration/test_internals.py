"""What we read of Home Assistant's insides is there, on each release that we run on."""

from collections.abc import AsyncGenerator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from hassil.recognize import RecognizeResult
from homeassistant import components
from homeassistant.components import conversation
from homeassistant.components.automation import EVENT_AUTOMATION_TRIGGERED
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.http import KEY_HASS_USER
from homeassistant.components.script.const import EVENT_SCRIPT_STARTED
from homeassistant.components.todo import TodoItem, TodoListEntity
from homeassistant.core import Context, Event, HomeAssistant, State, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import (
    area_registry as ar,
    config_validation as cv,
    device_registry as dr,
    intent,
    llm,
)
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.http import current_request
from homeassistant.helpers.httpx_client import create_async_httpx_client
from homeassistant.helpers.script import Script
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockModule,
    mock_integration,
    mock_platform,
    setup_test_component_platform,
)

from custom_components.lumo import internals
from custom_components.lumo.agent.toolbox import KnownTools, definitions

COMPONENTS = Path(components.__file__).parent
UNLOCK = {"action": "lock.unlock", "target": {"entity_id": "lock.front"}}


async def set_up(hass: HomeAssistant, **config: Any) -> None:
    for domain in ("homeassistant", *config):
        assert await async_setup_component(hass, domain, config)
    await hass.async_block_till_done()


async def test_steps_of_scripts(hass: HomeAssistant) -> None:
    """One that is not valid has none; one that is not there is unknown."""
    scripts: dict[str, Any] = {"opens": {"sequence": [UNLOCK]}, "bad": {"sequence": 3}}
    await set_up(hass, script=scripts)
    (step,) = internals.steps_of_script(hass, "script.opens") or ()
    assert step["action"] == "lock.unlock"
    assert internals.steps_of_script(hass, "script.bad") == ()
    assert internals.steps_of_script(hass, "script.none") is None


class OtherAPI(llm.API):
    async def async_get_api_instance(
        self, llm_context: llm.LLMContext
    ) -> llm.APIInstance:
        if self.id == "broken":
            raise HomeAssistantError
        return llm.APIInstance(self, "- Be kind.\n  Always.", llm_context, [])


@pytest.mark.parametrize("apis", [["assist"], ["assist", "other"], ["other", "assist"]])
@pytest.mark.parametrize("by_id", [True, False])
async def test_tools_and_instructions_are_home_assistants(
    hass: HomeAssistant, caplog: pytest.LogCaptureFixture, apis: list[str], by_id: bool
) -> None:
    """All of them, in their order; its list of what is exposed is left to us."""

    def fail(*_args: object) -> None:
        raise ValueError

    mock_integration(hass, MockModule("bad"))
    mock_platform(hass, "bad.llm", cast(Any, SimpleNamespace(async_get_tools=fail)))
    hass.config.components.add("bad")
    await set_up(hass, conversation={}, intent={}, script={"a": {"sequence": []}})
    for entity_id in ("light.a", "script.a"):
        async_expose_entity(hass, "conversation", entity_id, True)
    hass.states.async_set("light.a", "on", {"friendly_name": "A"})
    llm.async_register_api(hass, OtherAPI(hass=hass, id="other", name="Other"))
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    theirs = await llm.async_get_api(hass, apis, context)
    log = conversation.ChatLog(hass, "a")
    given = apis if by_id else theirs.api
    await internals.async_provide_llm_data(log, context, given, "Be brief.", None)
    assert log.llm_api
    assert [tool.name for tool in log.llm_api.tools] == [
        tool.name for tool in theirs.tools
    ]
    before, listed, rest = theirs.api_prompt.partition("\nStatic Context: ")
    behind = rest.partition("areas: ''\n")[2] or rest.partition("domain: light\n")[2]
    assert listed
    assert log.llm_api.api_prompt == before + behind
    assert "Be brief." in str(log.content[0])
    assert caplog.text.count("tools from LLM platform bad") == 2


async def test_what_is_wrong_with_an_api_is_said_by_home_assistant(
    hass: HomeAssistant,
) -> None:
    await set_up(hass, conversation={})
    llm.async_register_api(hass, OtherAPI(hass=hass, id="broken", name=""))
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    for api in ("broken", "unknown"):
        log = conversation.ChatLog(hass, "a")
        with pytest.raises(conversation.ConverseError, match=api):
            await internals.async_provide_llm_data(log, context, ["assist", api], "")


@pytest.mark.parametrize("exposed", [False, True])
async def test_the_list_of_what_is_exposed(hass: HomeAssistant, exposed: bool) -> None:
    """It can be made here, as GetLiveContext tells it."""
    await set_up(hass, conversation={}, intent={})
    hass.states.async_set("light.a", "on", {"friendly_name": "A"})
    async_expose_entity(hass, "conversation", "light.a", exposed)
    states = hass.states.async_all()
    assert [*internals.exposed_entities(hass, states)] == ["light.a"] * exposed
    assert not internals.exposed_entities(hass, [])


async def test_states_of_scenes(hass: HomeAssistant) -> None:
    await set_up(hass, scene=[{"name": "Open", "entities": {"lock.front": "unlocked"}}])
    (state,) = internals.states_of_scene(hass, "scene.open") or [State("a.b", "")]
    assert (state.entity_id, state.state) == ("lock.front", "unlocked")
    assert internals.states_of_scene(hass, "scene.of_a_hub") is None


async def test_items_of_lists(hass: HomeAssistant) -> None:
    assert internals.items_of_list(hass, "todo.food") == []
    food = TodoListEntity()
    food.entity_id = "todo.food"
    food._attr_todo_items = [TodoItem("Milk")]
    setup_test_component_platform(hass, "todo", [food])
    await set_up(hass, todo=[{"platform": "test"}])
    assert internals.items_of_list(hass, "todo.food") == [TodoItem("Milk")]
    assert internals.items_of_list(hass, "todo.tools") == []


async def test_members_of_groups(hass: HomeAssistant) -> None:
    for domain in ("lock", "light", "media_player"):
        members = [f"{domain}.a", f"{domain}.b"]
        group = {"platform": "group", "name": "All", "entities": members}
        await set_up(hass, **{domain: [group]})
        assert internals.members_of_group(hass, f"{domain}.all") == members
    assert internals.members_of_group(hass, "light.a") is None


async def test_actions_of_template_entities(hass: HomeAssistant) -> None:
    await set_up(hass, template=[{"button": {"name": "Yaml", "press": [UNLOCK]}}])
    options = {"template_type": "switch", "name": "Entry", "turn_on": [UNLOCK]}
    await set_up_entry(hass, "template", {**options, "turn_off": []})
    button, switch = (
        internals.entity_of(hass, item) for item in ("button.yaml", "switch.entry")
    )
    actions = internals.actions_of_helper(switch)
    assert actions is not None
    assert [step["action"] for step in actions["turn_on"]] == ["lock.unlock"]
    assert set(internals.actions_of_helper(button) or ()) == {"press"}
    assert internals.actions_of_helper(Entity()) is None


async def test_commands_and_players_of_a_universal_player(hass: HomeAssistant) -> None:
    players = [
        {
            "platform": "universal",
            "name": name,
            "children": ["media_player.tv"],
            "commands": {"turn_on": UNLOCK},
            **more,
        }
        for name, more in (
            ("one", {}),
            ("other", {"active_child_template": "{{ 'media_player.x' }}"}),
        )
    ]
    await set_up(hass, media_player=players)
    player = internals.entity_of(hass, "media_player.one")
    other = internals.entity_of(hass, "media_player.other")
    commands = internals.actions_of_helper(player)
    assert commands is not None
    assert [step["action"] for step in commands["turn_on"]] == ["lock.unlock"]
    assert internals.players_of_player(player) == ["media_player.tv"]
    assert internals.players_of_player(other) is None


async def test_contexts_of_running_scripts(hass: HomeAssistant) -> None:
    assert internals.RUN_EVENTS == (EVENT_SCRIPT_STARTED, EVENT_AUTOMATION_TRIGGERED)
    assert internals.contexts_of_running_scripts(hass) == set()
    steps = cv.SCRIPT_SCHEMA([{"repeat": {"count": 1, "sequence": [{"event": "now"}]}}])
    seen: list[set[str]] = []

    @callback
    def look(_event: Event) -> None:
        seen.append(internals.contexts_of_running_scripts(hass))

    hass.bus.async_listen("now", look)
    context = Context()
    await Script(hass, steps, "Tried out", "test").async_run(context=context)
    assert seen == [{context.id}]
    assert internals.contexts_of_running_scripts(hass) == set()


async def test_switches_of_helpers(hass: HomeAssistant) -> None:
    """A thermostat, a hygrostat, and a switch that is shown as a lock."""
    hass.states.async_set("switch.door", "off")
    climate = {
        "platform": "generic_thermostat",
        "name": "Oven",
        "heater": "switch.heater",
        "target_sensor": "sensor.warm",
    }
    humidifier = {
        "name": "Wet",
        "humidifier": "switch.wet",
        "target_sensor": "sensor.wet",
    }
    lamp = {"platform": "switch", "name": "Lit", "entity_id": "switch.lit"}
    await set_up(hass, climate=[climate], light=[lamp], generic_hygrostat=[humidifier])
    await set_up_entry(
        hass,
        "switch_as_x",
        {"entity_id": "switch.door", "target_domain": "lock", "invert": False},
        minor_version=3,
    )
    for integration, entity_id, switch in (
        ("generic_thermostat", "climate.oven", "switch.heater"),
        ("generic_hygrostat", "humidifier.wet", "switch.wet"),
        ("switch_as_x", "lock.tested", "switch.door"),
        ("switch", "light.lit", "switch.lit"),
    ):
        entity = internals.entity_of(hass, entity_id)
        assert internals.switch_of_helper(entity) == switch
        assert internals.integration_of(entity) == integration
    assert internals.switch_of_helper(Entity()) is None


def test_off_action_of_a_computer() -> None:
    """Its module is not on every system, so its source is read."""
    source = (COMPONENTS / "wake_on_lan" / "switch.py").read_text(encoding="utf-8")
    assert "self._off_script = (" in source
    computer: Any = SimpleNamespace(_off_script=SimpleNamespace(sequence=[UNLOCK]))
    assert internals.actions_of_helper(computer) == {
        "turn_on": (),
        "turn_off": [UNLOCK],
    }


async def test_intents_and_tools(hass: HomeAssistant) -> None:
    """What an intent script does, and which tools are scripts or turn things on."""
    await set_up(
        hass,
        conversation={},
        intent={},
        script={"opens": {"sequence": [UNLOCK], "description": "Opens"}},
        intent_script={"Open": {"action": [UNLOCK]}, "Talk": {"speech": {"text": ""}}},
    )
    handlers = {item.intent_type: item for item in intent.async_get(hass)}
    (step,) = internals.steps_of_intent(handlers["Open"]) or ()
    assert step["action"] == "lock.unlock"
    assert internals.steps_of_intent(handlers["Talk"]) == ()
    assert internals.steps_of_intent(handlers["HassTurnOn"]) is None
    assert internals.turns_on_or_off(handlers["HassTurnOff"])
    assert not internals.turns_on_or_off(handlers["HassSetPosition"])
    from homeassistant.components.homeassistant.exposed_entities import (
        async_expose_entity,
    )

    async_expose_entity(hass, "conversation", "script.opens", True)
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    api = await llm.async_get_api(hass, llm.LLM_API_ASSIST, context)
    is_script = {tool.name: internals.is_script_tool(tool) for tool in api.tools}
    assert [name for name, found in is_script.items() if found] == ["script__opens"]


def test_response_of_an_intent() -> None:
    """It can be read from the result that was made of it."""
    response = intent.IntentResponse("en")
    assert internals.intent_response(llm.IntentResponseDict(response)) is response
    assert internals.intent_response({}) is None


async def test_home_assistants_own_agent(hass: HomeAssistant) -> None:
    """It can be asked what a sentence means."""
    await set_up(hass, conversation={}, intent={})
    assert internals.default_agent(hass) is not None
    user_input = conversation.ConversationInput(
        "what time is it",
        Context(),
        None,
        None,
        None,
        "en",
        conversation.HOME_ASSISTANT_AGENT,
    )
    found: list[RecognizeResult] = []

    def leave_out(result: RecognizeResult) -> bool:
        found.append(result)
        return True

    log = conversation.ChatLog(hass, "")
    handle = conversation.async_handle_intents
    assert await handle(hass, user_input, log, intent_filter=leave_out) is None
    [result] = found
    assert result.intent.name == "HassGetCurrentTime"
    assert "hass_custom_sentence" not in (result.intent_metadata or {})


async def test_its_sentences_are_loaded_without_its_fuzzy_matcher(
    hass: HomeAssistant,
) -> None:
    """Building that one takes a worker seconds, which may hold up a stop."""
    await set_up(hass, conversation={}, intent={})
    await internals.async_prepare_sentences(hass, "en")
    agent = internals.default_agent(hass)
    assert agent is not None
    assert "en" in agent._lang_intents
    assert agent._gazetteer._matcher is None


def test_turns_that_failed() -> None:
    """From 2026.11 on they are written into the log, in these words."""
    source = (COMPONENTS / "conversation" / "chat_log.py").read_text(encoding="utf-8")
    if "(no response)" not in source:
        pytest.skip("Home Assistant 2026.11 brings it")
    assert f'content="{internals.SILENT_TURN}"' in source
    assert f'content=f"{internals.FAILED_TURN}{{' in source


def test_ids_of_servers() -> None:
    """An MCP server's API is chosen by it, before the server was ever reached."""
    source = (COMPONENTS / "mcp" / "__init__.py").read_text(encoding="utf-8")
    assert 'f"{DOMAIN}-{entry.data.get(CONF_SLUG, entry.entry_id)}"' in source
    for data, name in (({}, "mcp-one"), ({"slug": "wiki"}, "mcp-wiki")):
        entry = MockConfigEntry(domain="mcp", data=data, entry_id="one")
        assert internals.api_id_of_server(entry) == name


def test_user_of_a_request() -> None:
    assert internals.user_of_request() is None
    for request, user_id in (
        ({KEY_HASS_USER: SimpleNamespace(id="anna")}, "anna"),
        ({}, None),
    ):
        token = current_request.set(cast(Any, request))
        assert internals.user_of_request() == user_id
        current_request.reset(token)


async def test_listener_of_a_log(hass: HomeAssistant) -> None:
    """It gets each delta until another one is set."""
    heard: list[dict[str, Any]] = []
    log = conversation.ChatLog(hass, "one", delta_listener=lambda _, x: heard.append(x))
    first = internals.listener_of(log)
    assert first is not None
    internals.set_listener(log, None)
    assert internals.listener_of(log) is None
    internals.set_listener(log, first)

    async def deltas() -> AsyncGenerator[Any]:
        yield {"role": "assistant"}
        yield {"content": "Hello."}

    async for _ in log.async_add_delta_content_stream("agent", deltas()):
        pass
    assert {"content": "Hello."} in heard


async def test_pipelines_without_assist(hass: HomeAssistant) -> None:
    """There is nothing to listen to; with Assist see `test_local_commands`."""

    async def listener(_changes: Any) -> None:
        """Listen."""

    assert internals.pipelines(hass) == []
    internals.async_listen_pipelines(hass, listener)()


async def set_up_entry(
    hass: HomeAssistant, domain: str, options: dict[str, Any], minor_version: int = 1
) -> None:
    entry = MockConfigEntry(
        domain=domain,
        title="Tested",
        data={},
        options=options,
        minor_version=minor_version,
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()


async def test_a_client_of_our_own_is_closed(hass: HomeAssistant) -> None:
    """Home Assistant's guard keeps its own method from doing that."""
    http = create_async_httpx_client(hass, auto_cleanup=False)
    with pytest.raises(RuntimeError, match="closes the Home Assistant httpx client"):
        await http.aclose()
    assert not http.is_closed
    await internals.async_close(http)
    assert http.is_closed


class Other(llm.API):
    """An API without tools."""

    async def async_get_api_instance(
        self, llm_context: llm.LLMContext
    ) -> llm.APIInstance:
        return llm.APIInstance(self, "", llm_context, [])


@pytest.mark.parametrize("area", [None, "Kitchen"])
async def test_what_an_api_says_of_the_device_that_is_spoken_to(
    hass: HomeAssistant, area: str | None
) -> None:
    await set_up(hass, intent={}, llm={})
    hass.states.async_set("light.lamp", "on")
    async_expose_entity(hass, "conversation", "light.lamp", True)
    entry = MockConfigEntry(domain="test")
    entry.add_to_hass(hass)
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "satellite")}
    )
    if area:
        area_id = ar.async_get(hass).async_create(area).id
        dr.async_get(hass).async_update_device(device.id, area_id=area_id)
    context = llm.LLMContext("test", Context(), "en", "conversation", device.id)
    api = await llm.async_get_api(hass, llm.LLM_API_ASSIST, context)
    same, device_only = internals.split_api_prompt(api.api_prompt)
    assert "lamp" in same and "always call the intent tools" in same
    of_area = (
        f"You are in area {area} and" if area else "ask the user to specify an area"
    )
    assert len(device_only.splitlines()) == 2
    assert of_area in device_only and "start timers" in device_only
    assert of_area not in same and "timers" not in same


@pytest.mark.parametrize("merged", [False, True])
async def test_tools_of_another_turn_are_made_of_the_same_parts(
    hass: HomeAssistant, merged: bool
) -> None:
    script = {"opens": {"sequence": [UNLOCK], "fields": {"who": {"required": True}}}}
    await set_up(hass, intent={}, llm={}, light=[], media_player=[], script=script)
    for entity_id in ("light.lamp", "media_player.radio", "script.opens"):
        hass.states.async_set(entity_id, "on")
        async_expose_entity(hass, "conversation", entity_id, True)
    context = llm.LLMContext("test", Context(), "en", "conversation", None)
    [assist] = [api for api in llm.async_get_apis(hass) if api.id == "assist"]
    other = Other(hass=hass, id="other", name="Other")
    api = llm.MergedAPI([assist, other]) if merged else assist
    known: KnownTools = {}
    turns = [await api.async_get_api_instance(context) for _ in range(2)]
    first, second = (
        definitions(turn.tools, turn.custom_serializer, known) for turn in turns
    )
    kept = [one is two for one, two in zip(first, second, strict=True)]
    assert len(kept) > 8 and all(kept)


async def test_tools_tell_their_server_and_apis_their_parts(
    hass: HomeAssistant,
) -> None:
    assert await async_setup_component(hass, "homeassistant", {})
    assert await async_setup_component(hass, "llm", {})
    context = llm.LLMContext("test", Context(), "en", "conversation", None)
    api = await llm.async_get_api(hass, llm.LLM_API_ASSIST, context)
    assert [item.id for item in internals.apis_of(api)] == [llm.LLM_API_ASSIST]
    other = Other(hass=hass, id="other", name="Other")
    merged = await llm.MergedAPI([api.api, other]).async_get_api_instance(context)
    assert internals.apis_of(merged) == [api.api, other]
    assert all(internals.server_of_tool(tool) is None for tool in api.tools)
    mcp = (COMPONENTS / "mcp" / "coordinator.py").read_text()
    assert "self.config_entry = config_entry" in mcp


async def test_phones_tell_what_sends_to_them(hass: HomeAssistant) -> None:
    """By these names, on both releases; `tests/agent/test_phone.py` has real ones."""
    assert internals.notify_actions(hass) == {}
    notify = (COMPONENTS / "mobile_app" / "notify.py").read_text()
    assert "hass.data[DOMAIN][DATA_NOTIFY] = MobileAppNotificationService()" in notify
    const = (COMPONENTS / "mobile_app" / "const.py").read_text()
    assert 'DATA_NOTIFY = "notify"' in const
    legacy = (COMPONENTS / "notify" / "legacy.py").read_text()
    assert "self.registered_targets[target_name] = target" in legacy
