"""What is read of Home Assistant beyond its public interface, a small function each.

A new release may change any of it: then `tests/integration/test_internals.py` fails,
not a home. What cannot be read is None, and the gate asks a person.
"""

from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from inspect import signature
import logging
import re
from typing import TYPE_CHECKING, Any, Final, cast, override

from homeassistant.components import conversation
from homeassistant.components.conversation.default_agent import DefaultAgent
from homeassistant.components.homeassistant.llm import (
    DYNAMIC_CONTEXT_PROMPT,
    NO_ENTITIES_PROMPT,
    GetLiveContextTool,
    async_get_exposed_entities,
)
from homeassistant.components.homeassistant.scene import DATA_PLATFORM
from homeassistant.components.intent import OnOffIntentHandler
from homeassistant.components.intent.llm import DEVICE_CONTROL_TOOL_USAGE_PROMPT
from homeassistant.components.intent_script.llm import ScriptIntentHandler
from homeassistant.components.llm import DATA_PLATFORMS, AssistAPI
from homeassistant.components.script.llm import ScriptTool
from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_LLM_HASS_API
from homeassistant.core import DOMAIN as HOMEASSISTANT, Context, HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent, llm
from homeassistant.helpers.chat_session import ChatSession, async_get_chat_session
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_component import EntityComponent
from homeassistant.helpers.entity_platform import DATA_DOMAIN_ENTITIES
from homeassistant.helpers.group import get_group_entities
from homeassistant.helpers.http import current_request
from homeassistant.helpers.script import DATA_SCRIPTS
import httpx

if TYPE_CHECKING:
    from homeassistant.components.assist_pipeline import Pipeline
    from homeassistant.components.calendar import CalendarEntity
    from homeassistant.components.todo import TodoItem, TodoListEntity

PIPELINES: Final = "assist_pipeline"
PHONES: Final = "mobile_app"
# In a chat log, of turns that failed or were silent (conversation/chat_log.py).
FAILED_TURN: Final = "Error: "
SILENT_TURN: Final = "(no response)"

# What the Assist API says where nothing is exposed (components/homeassistant/llm.py).
NO_ENTITIES: Final = NO_ENTITIES_PROMPT
# What it says in any home: how live data is read, and devices are controlled.
ASSIST_PROMPTS: Final = (DEVICE_CONTROL_TOOL_USAGE_PROMPT, DYNAMIC_CONTEXT_PROMPT)

type Steps = Sequence[Any]

_LOGGER = logging.getLogger(__name__)


async def async_prepare_sentences(hass: HomeAssistant, language: str) -> None:
    """Load the strict sentences of Home Assistant's own agent in a language.

    2026.11 would otherwise build a fuzzy matcher too, which takes seconds.
    """
    if strict := getattr(conversation, "async_prepare_intents", None):
        await strict(hass, language)
    else:
        await conversation.async_prepare_agent(
            hass, conversation.HOME_ASSISTANT_AGENT, language
        )


@contextmanager
def fresh_session(hass: HomeAssistant, context: Context) -> Generator[ChatSession]:
    """Open a chat session, and delete it when it is closed."""
    # 2026.11 asks whose it is.
    owned = "context" in signature(async_get_chat_session).parameters
    owner: dict[str, Any] = {"context": context} if owned else {}
    with async_get_chat_session(hass, **owner) as session:
        try:
            yield session
        finally:
            session.async_cleanup()


async def async_close(http: httpx.AsyncClient) -> None:
    """Close a client of ours: Home Assistant replaces `aclose` of each by a warning."""
    await httpx.AsyncClient.aclose(http)


def server_of_tool(tool: llm.Tool) -> ConfigEntry | None:
    """Return the entry of the server that a tool runs on."""
    entry: ConfigEntry | None = getattr(tool, "config_entry", None)
    return entry


# What the Assist API says of the device that was spoken to (intent/llm.py).
_OF_THE_DEVICE: Final = re.compile(
    r"^(?:You are in area .+|When a user asks to turn on all devices of a .+"
    r"|This device is not able to start timers\.)$\n?",
    re.MULTILINE,
)


def split_api_prompt(prompt: str) -> tuple[str, str]:
    """Return an API's prompt without the lines about the device, and those lines."""
    return _OF_THE_DEVICE.sub("", prompt), "".join(_OF_THE_DEVICE.findall(prompt))


class _Assist(AssistAPI):
    """Assist without its list of the home, half of a command's time in a large one."""

    @override
    async def async_get_api_instance(
        self, llm_context: llm.LLMContext
    ) -> llm.APIInstance:
        platforms = await self.hass.data[DATA_PLATFORMS].async_get_platforms()
        tools: list[llm.Tool] = []
        prompts: list[str] = []
        for domain, platform in sorted(platforms.items()):
            if domain == HOMEASSISTANT:
                tools.append(GetLiveContextTool())
                prompts.append(DYNAMIC_CONTEXT_PROMPT)
                continue
            try:
                found = platform.async_get_tools(self.hass, llm_context, self.id)
            except Exception:
                _LOGGER.exception("Error getting tools from LLM platform %s", domain)
                continue
            if found:
                tools += found.tools
                prompts += [found.prompt] if found.prompt else []
        return llm.APIInstance(
            self, "\n".join(prompts), llm_context, tools, llm.selector_serializer
        )


async def async_provide_llm_data(
    log: conversation.ChatLog,
    context: llm.LLMContext,
    apis: llm.API | list[str],
    *prompts: str | None,
) -> None:
    """Give a log tools and instructions, without Home Assistant's list of the home.

    `prompts` as `ChatLog.async_provide_llm_data` takes them. Raises ConverseError.
    """
    try:
        await log.async_provide_llm_data(context, _shorter(log.hass, apis), *prompts)
    except HomeAssistantError:
        # Of ids it says what is wrong with them.
        await log.async_provide_llm_data(context, apis, *prompts)


def _shorter(hass: HomeAssistant, api: llm.API | list[str]) -> llm.API | list[str]:
    known = {item.id: item for item in llm.async_get_apis(hass)}
    if isinstance(api, llm.API):
        apis = [*getattr(api, "llm_apis", [api])]
    elif api and known.keys() >= {*api}:
        apis = [known[item] for item in api]
    else:
        return api
    apis = [_Assist(hass) if isinstance(item, AssistAPI) else item for item in apis]
    return llm.MergedAPI(apis) if apis[1:] else apis[0]


def apis_of(api: llm.APIInstance) -> list[llm.API]:
    """Return the APIs that were merged into one, or the one."""
    apis: list[llm.API] = getattr(api.api, "llm_apis", [api.api])
    return apis


class _Listing:
    def __init__(self, hass: HomeAssistant, states: Sequence[State]) -> None:
        self._hass, self.states = hass, self
        self.get, self.async_all = hass.states.get, lambda: states

    def __getattr__(self, name: str) -> Any:
        return getattr(self._hass, name)


def listing(hass: HomeAssistant, states: Sequence[State]) -> HomeAssistant:
    """Return Home Assistant as if it had only some states, for what lists all."""
    return cast(HomeAssistant, _Listing(hass, states))


def exposed_entities(
    hass: HomeAssistant, states: Sequence[State]
) -> dict[str, dict[str, Any]]:
    """Return what GetLiveContext tells of those that are exposed, by their ids."""
    return async_get_exposed_entities(listing(hass, states), conversation.DOMAIN)


def api_id_of_server(entry: ConfigEntry) -> str:
    """Return the id of an MCP server's API, as components/mcp makes it."""
    return f"mcp-{entry.data.get('slug', entry.entry_id)}"


# Gets each delta of a chat log: the speech of a pipeline, a screen.
type Listener = Callable[[conversation.ChatLog, dict[str, Any]], None]


def listener_of(log: conversation.ChatLog) -> Listener | None:
    """Return who listens to a log."""
    return log.delta_listener


def set_listener(log: conversation.ChatLog, listener: Listener | None) -> None:
    """Set who listens to a log."""
    log.delta_listener = listener


def user_of_request() -> str | None:
    """Return the id of the user whose HTTP request is served: a flow does not know it."""
    request = current_request.get()
    user = request.get("hass_user") if request is not None else None
    return user.id if user else None


# History: only where the logbook and the recorder run.


def logbook_of(
    hass: HomeAssistant, entity_id: str
) -> Callable[[datetime, datetime], list[dict[str, Any]]]:
    """Return a function for an entity's logbook rows between two times."""
    from homeassistant.components.logbook.helpers import async_determine_event_types  # noqa: PLC0415
    from homeassistant.components.logbook.processor import EventProcessor  # noqa: PLC0415

    return EventProcessor(
        hass,
        async_determine_event_types(hass, [entity_id], None),
        [entity_id],
        timestamp=True,
        include_entity_name=False,
    ).get_events


def recorded_since(hass: HomeAssistant) -> float | None:
    """Return since when states are recorded, as a timestamp, if they are."""
    from homeassistant.components.recorder import get_instance  # noqa: PLC0415

    return get_instance(hass).states_manager.oldest_ts


def steps_of_script(hass: HomeAssistant, entity_id: str) -> Steps | None:
    """Return a script's steps (empty if it is invalid), None without such a script."""
    component = hass.data.get("script")
    entity = component.get_entity(entity_id) if component else None
    if entity is None:
        return None
    script = getattr(entity, "script", None)
    return script.sequence if script else ()


def states_of_scene(hass: HomeAssistant, entity_id: str) -> list[State] | None:
    """Return the states that a scene asks for, None if it is not Home Assistant's."""
    platform = hass.data.get(DATA_PLATFORM)
    scene: Any = platform.entities.get(entity_id) if platform else None
    return list(scene.scene_config.states.values()) if scene else None


def members_of_group(hass: HomeAssistant, entity_id: str) -> list[str] | None:
    """Return the members of a group that is an entity, None for any other entity."""
    if group := getattr(get_group_entities(hass).get(entity_id), "group", None):
        return list(group.member_entity_ids)
    entity = entity_of(hass, entity_id)
    if integration_of(entity) != "group":
        return None
    # Players have a name of their own for it.
    members = getattr(entity, "_entity_ids", getattr(entity, "_entities", None))
    return list(members) if isinstance(members, Iterable) else None


# When a script or an automation begins (script/const.py, automation/__init__.py).
RUN_EVENTS: Final = ("script_started", "automation_triggered")


def contexts_of_running_scripts(hass: HomeAssistant) -> set[str]:
    """Return the ids of the contexts in which any actions run now, events or not."""
    scripts = hass.data.get(DATA_SCRIPTS, {}).values()
    return {
        context.id
        for script in scripts
        for run in getattr(script["instance"], "_runs", ())
        if (context := getattr(run, "_context", None)) is not None
    }


def items_of_list(hass: HomeAssistant, entity_id: str) -> list[TodoItem]:
    """Return the items of a to-do list, nothing if they cannot be read."""
    lists: EntityComponent[TodoListEntity] | None = hass.data.get("todo")
    entity = lists.get_entity(entity_id) if lists else None
    return list(entity.todo_items or ()) if entity else []


def calendar_of(hass: HomeAssistant, entity_id: str) -> CalendarEntity | None:
    """Return the object behind a calendar, whose methods do not ask who calls them."""
    calendars: EntityComponent[CalendarEntity] | None = hass.data.get("calendar")
    return calendars.get_entity(entity_id) if calendars else None


def entity_of(hass: HomeAssistant, entity_id: str) -> Entity | None:
    """Return the object of an entity, if there is one."""
    entities = hass.data.get(DATA_DOMAIN_ENTITIES, {})
    return entities.get(entity_id.partition(".")[0], {}).get(entity_id)


def integration_of(entity: Entity | None) -> str:
    """Return the integration of an entity."""
    return entity.platform.platform_name if entity else ""


def is_task_without_tools(
    hass: HomeAssistant, data: Mapping[str, Any], platform: str
) -> bool:
    """Return whether the AI task of an action is known to use no tools.

    Home Assistant's own use none here, those of our `platform` what is stored.
    """
    preferences = hass.data.get("ai_task_preferences")
    usual = preferences.gen_data_entity_id if preferences else None
    entity = entity_of(hass, str(data.get("entity_id") or usual))
    if type(entity).__module__.startswith("homeassistant.components."):
        return True
    entry = entity.registry_entry if entity else None
    if entry is None or entry.platform != platform or entry.config_entry_id is None:
        return False
    account = hass.config_entries.async_get_known_entry(entry.config_entry_id)
    task = account.subentries.get(entry.config_subentry_id or "")
    return task is not None and not task.data.get(CONF_LLM_HASS_API)


def actions_of_helper(entity: Entity | None) -> dict[str, Steps] | None:
    """Return the actions that an entity runs by their names, like `turn_on`.

    Of template entities, universal media players and Wake on LAN.
    """
    if entity is not None and hasattr(entity, "_off_script"):
        script = entity._off_script  # noqa: SLF001
        return {"turn_on": (), "turn_off": script.sequence if script else ()}
    actions = getattr(entity, "_action_scripts", getattr(entity, "_cmds", None))
    if not isinstance(actions, Mapping):
        return None
    # Scripts, or a command each.
    return {
        str(name): getattr(action, "sequence", [action])
        for name, action in actions.items()
    }


def players_of_player(entity: Entity | None) -> list[str] | None:
    """Return the players behind a universal media player, None where a template chooses."""
    if getattr(entity, "_active_child_template", None) is not None:
        return None
    children = getattr(entity, "_children", None)
    return list(children) if isinstance(children, Iterable) else None


def switch_of_helper(entity: Entity | None) -> str | None:
    """Return what a helper turns on and off: switch as X, thermostat, hygrostat."""
    for name in ("_switch_entity_id", "heater_entity_id"):
        if isinstance(found := getattr(entity, name, None), str):
            return found
    return None


def steps_of_intent(handler: intent.IntentHandler) -> Steps | None:
    """Return what an intent script does, None if it is no intent script."""
    if not isinstance(handler, ScriptIntentHandler):
        return None
    script = handler.config.get("action")
    return script.sequence if script else ()


def turns_on_or_off(handler: intent.IntentHandler) -> bool:
    """Return whether an intent turns things on or off."""
    return isinstance(handler, OnOffIntentHandler)


def is_script_tool(tool: llm.Tool) -> bool:
    """Return whether a tool runs a script."""
    return isinstance(tool, ScriptTool)


def intent_response(data: Any) -> intent.IntentResponse | None:
    """Return the response behind an intent's result."""
    if not isinstance(data, llm.IntentResponseDict):
        return None
    return getattr(data, "original", None)


def default_agent(hass: HomeAssistant) -> DefaultAgent | None:
    """Return Home Assistant's own agent, that carries out delayed commands."""
    agent = conversation.async_get_agent(hass)
    return agent if isinstance(agent, DefaultAgent) else None


# Pipelines. Their integration needs audio modules that not every system has.


def pipelines(hass: HomeAssistant) -> list[Pipeline]:
    """Return all pipelines; empty where Assist is not set up."""
    if PIPELINES not in hass.config.components:
        return []
    from homeassistant.components.assist_pipeline import async_get_pipelines  # noqa: PLC0415

    return async_get_pipelines(hass)


async def async_stop_local_commands(hass: HomeAssistant, pipeline: Pipeline) -> None:
    """Let a pipeline send all sentences to its agent."""
    from homeassistant.components.assist_pipeline import async_update_pipeline  # noqa: PLC0415

    await async_update_pipeline(hass, pipeline, prefer_local_intents=False)


def async_listen_pipelines(
    hass: HomeAssistant, listener: Callable[[Any], Coroutine[Any, Any, None]]
) -> Callable[[], None]:
    """Call a listener when pipelines have changed; return what ends that."""
    if PIPELINES not in hass.config.components:
        return lambda: None
    from homeassistant.components.assist_pipeline.pipeline import KEY_ASSIST_PIPELINE  # noqa: PLC0415

    store = hass.data[KEY_ASSIST_PIPELINE].pipeline_store
    return store.async_add_change_set_listener(listener)


def notify_actions(hass: HomeAssistant) -> dict[str, str]:
    """Return each phone's action in the domain `notify`, by its webhook."""
    service = hass.data.get(PHONES, {}).get("notify")
    targets: Mapping[str, str] = getattr(service, "registered_targets", {})
    return {webhook_id: action for action, webhook_id in targets.items()}
