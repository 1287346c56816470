"""Which tools an agent may use."""

from dataclasses import replace
from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import intent, llm
import pytest

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.lately import Undo
from custom_components.lumo.agent.options import AgentOptions
from custom_components.lumo.const import Autonomy, Permission
from custom_components.lumo.gate.judged_call import Ask, JudgedCall
from custom_components.lumo.gate.permissions import (
    identity,
    offered,
    permission,
    source_rule,
)
from custom_components.lumo.gate.speaker import Speaker

OFF, ASK, ON = Permission.OFF, Permission.ASK, Permission.ON
READS = llm.ToolAnnotations(read_only=True)
CONTEXT = llm.LLMContext(
    platform="lumo",
    context=None,
    language="en",
    assistant="conversation",
    device_id=None,
)


class Tool(llm.Tool):
    """A tool that is never called."""

    def __init__(
        self,
        name: str,
        integration: str | None,
        annotations: llm.ToolAnnotations = llm.ToolAnnotations(),
    ) -> None:
        self.name = name
        self.integration = integration
        self.annotations = annotations

    @override
    async def async_call(self, *args: Any) -> llm.ToolResult:
        """Do nothing."""
        raise NotImplementedError


class Entry:
    def __init__(self, entry_id: str) -> None:
        self.entry_id = entry_id


def of_module(module: str, tool: llm.Tool) -> llm.Tool:
    """Return the tool as if its class were from this module."""
    tool.__class__ = type("Tool", (type(tool),), {"__module__": module})
    return tool


def of_server(entry_id: str, tool: llm.Tool) -> llm.Tool:
    """Return the tool as if it were of this MCP server."""
    vars(tool)["config_entry"] = Entry(entry_id)
    return of_module("homeassistant.components.mcp.coordinator", tool)


def intent_tool(name: str, integration: str, **annotations: bool) -> llm.Tool:
    class Handler(intent.IntentHandler):
        intent_type = name.rpartition("__")[2]

    return llm.IntentTool(
        name,
        Handler(),
        integration=integration,
        annotations=llm.ToolAnnotations(**annotations),
    )


class API(llm.API):
    offers: list[llm.Tool]

    @override
    async def async_get_api_instance(
        self, llm_context: llm.LLMContext
    ) -> llm.APIInstance:
        return llm.APIInstance(self, "", llm_context, self.offers)


def make_api(
    hass: HomeAssistant, api_id: str, name: str, integration: str, *tools: llm.Tool
) -> llm.API:
    package = "homeassistant.components" if integration in CORE else "custom_components"
    kind = type("API", (API,), {"__module__": f"{package}.{integration}"})
    api: API = kind(hass=hass, id=api_id, name=name)
    api.offers = list(tools)
    return api


CORE = ("llm", "mcp", "knx")


async def instance(api: llm.API) -> llm.APIInstance:
    return await api.async_get_api_instance(CONTEXT)


def offers(api: llm.API) -> list[llm.Tool]:
    assert isinstance(api, API)
    return api.offers


def make_options(
    permissions: dict[str, Permission], autonomy: Autonomy = Autonomy.ACTS
) -> AgentOptions:
    return AgentOptions.from_subentry(
        {"autonomy": autonomy.value, "tools": permissions, "llm_hass_api": ["assist"]},
        encrypted=True,
    )


MEDIA = "homeassistant.components.media_player.llm"
HOME = "homeassistant.components.homeassistant.llm"
CONFIG = "homeassistant.components.config.llm"


@pytest.mark.parametrize(
    ("tool", "rule"),
    [
        (intent_tool("intent__HassTurnOff", "intent"), ON),
        (intent_tool("light__HassLightSet", "light"), ON),
        *(
            (intent_tool(f"{owner}__HassDo", owner), ON)
            for owner in ("climate", "fan", "humidifier", "lawn_mower", "vacuum")
        ),
        (intent_tool("media_player__HassMediaPause", "media_player"), ON),
        (intent_tool("todo__HassListAddItem", "todo"), ON),
        (intent_tool("assist_satellite__HassBroadcast", "assist_satellite"), ON),
        (Tool("homeassistant__GetLiveContext", "homeassistant", READS), ON),
        (
            of_module(MEDIA, Tool("media_player__search_media", "media_player", READS)),
            ON,
        ),
        (of_module(MEDIA, Tool("media_player__play_media", "media_player")), ASK),
        (Undo(AbilityContext()), ON),
        # Calling itself ours does not make it so.
        (Tool("lumo__undo", "lumo"), ASK),
        # What its author wrote cannot be looked into.
        (intent_tool("intent_script__Party", "intent_script"), ON),
        (of_module(HOME, Tool("homeassistant__call_action", "homeassistant")), ASK),
        (of_module(CONFIG, Tool("config__reload_config_entry", "config")), ASK),
        (Tool("knx_write", "knx"), ASK),
        (Tool("search__find", "search", READS), ON),
        (Tool("search__order", "search"), ASK),
        (intent_tool("garden__Water", "garden"), ASK),
        # Calling itself a script does not make it Home Assistant's.
        (Tool("script__good_night", "script"), ASK),
        (Tool("nobody_knows", None), ASK),
        (Tool("nobody_knows", None, READS), ON),
        (of_server("one", Tool("create_ticket", "mcp")), ASK),
        # The server says so.
        (of_server("one", Tool("list_tickets", "mcp", READS)), ASK),
        (of_server("one", Tool("light__HassLightSet", "mcp", READS)), ASK),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_rule_of_the_source(tool: llm.Tool, rule: Permission) -> None:
    """Holds for the tool, and for the tool under another name."""
    assert source_rule(tool) is rule
    assert source_rule(llm.NamespacedTool("assist", tool)) is rule


IDENTITIES = {
    "light//light__HassLightSet",
    "search//search__here",
    "search//find",
    "mcp/one/create_ticket",
    "mcp/two/create_ticket",
    "mcp/two/light__HassLightSet",
    "knx//write",
}


def some_apis(hass: HomeAssistant) -> list[llm.API]:
    """Return APIs of every kind; two servers have the same title and tool."""
    return [
        make_api(
            hass,
            "assist",
            "Assist",
            "llm",
            intent_tool("light__HassLightSet", "light"),
            Tool("search__here", "search"),
        ),
        make_api(hass, "search-web", "Web", "search", Tool("find", "search")),
        make_api(
            hass,
            "mcp-one",
            "MCP",
            "mcp",
            of_server("one", Tool("create_ticket", "mcp")),
        ),
        make_api(
            hass,
            "mcp-two",
            "MCP",
            "mcp",
            of_server("two", Tool("create_ticket", "mcp")),
            of_server("two", Tool("light__HassLightSet", "mcp")),
        ),
        make_api(hass, "knx", "KNX", "knx", Tool("write", "knx")),
    ]


async def test_identity_is_the_same_in_merged_apis(hass: HomeAssistant) -> None:
    """Whatever this release of Home Assistant puts before the names."""
    apis = some_apis(hass)
    alone = [tool for item in apis for tool in (await instance(item)).tools]
    assert sorted(identity(tool) for tool in alone) == sorted(IDENTITIES)
    api = await instance(llm.MergedAPI(apis))
    assert {identity(tool) for tool in api.tools} == IDENTITIES


async def test_servers_with_the_same_tool_do_not_share_a_choice(
    hass: HomeAssistant,
) -> None:
    """Nor does a server get what was chosen for a tool of Home Assistant's."""
    api = await instance(llm.MergedAPI(some_apis(hass)))
    options = make_options(
        {"mcp/one/create_ticket": ON, "light//light__HassLightSet": OFF}
    )
    assert {identity(tool): permission(tool, options) for tool in api.tools} == {
        "light//light__HassLightSet": OFF,
        "search//search__here": ASK,
        "search//find": ASK,
        "mcp/one/create_ticket": ON,
        "mcp/two/create_ticket": ASK,
        "mcp/two/light__HassLightSet": ASK,
        "knx//write": ASK,
    }


def test_tools_of_no_integration() -> None:
    """Belong to that of their code."""
    assert identity(Tool("x", None)) == "//x"
    found = of_module("custom_components.garden.llm", Tool("x", None))
    assert identity(found) == "garden//x"


READER = "homeassistant//homeassistant__GetLiveContext"
LIGHT = "light//light__HassLightSet"


@pytest.mark.parametrize(
    ("autonomy", "chosen", "expected"),
    [
        (Autonomy.ANSWERS, {}, [OFF, OFF, OFF]),
        (Autonomy.ANSWERS, {READER: ON, LIGHT: ON}, [OFF, OFF, OFF]),
        (Autonomy.READS, {}, [ON, OFF, ASK]),
        (Autonomy.READS, {LIGHT: ON}, [ON, OFF, ASK]),
        (Autonomy.READS, {READER: OFF, LIGHT: ASK}, [OFF, OFF, ASK]),
        (Autonomy.ACTS, {}, [ON, ON, ASK]),
        (Autonomy.ACTS, {READER: ASK, LIGHT: OFF, "mcp/one/list": ON}, [ASK, OFF, ON]),
        (Autonomy.TRUSTED, {}, [ON, ON, ASK]),
        (Autonomy.TRUSTED, {LIGHT: ASK}, [ON, ASK, ASK]),
    ],
)
async def test_autonomy_and_choice(
    hass: HomeAssistant,
    autonomy: Autonomy,
    chosen: dict[str, Permission],
    expected: list[Permission],
) -> None:
    """A choice never gives back what the autonomy takes."""
    tools = [
        Tool("homeassistant__GetLiveContext", "homeassistant", READS),
        intent_tool("light__HassLightSet", "light"),
        of_server("one", Tool("list", "mcp", READS)),
    ]
    options = make_options(chosen, autonomy)
    apis = [
        make_api(hass, "assist", "Assist", "llm", *tools[:2]),
        make_api(hass, "mcp-one", "One", "mcp", tools[2]),
    ]
    api = await instance(llm.MergedAPI(apis))
    assert [permission(tool, options) for tool in api.tools] == expected
    assert offered(api, options) == [
        tool
        for tool, granted in zip(api.tools, expected, strict=True)
        if granted is not OFF
    ]


async def test_offered_tools_have_different_names(hass: HomeAssistant) -> None:
    """Home Assistant runs the first of a name, so the others are not offered."""
    apis = [
        make_api(hass, f"mcp-{entry}", "MCP", "mcp", of_server(entry, Tool("x", "mcp")))
        for entry in ("one", "two")
    ]
    # As Home Assistant 2026.10 names them.
    tools: list[llm.Tool] = [
        llm.NamespacedTool("mcp", tool) for api in apis for tool in offers(api)
    ]
    api = llm.APIInstance(llm.MergedAPI(apis), "", CONTEXT, tools)
    first, second = api.tools
    assert first.name == second.name
    assert offered(api, make_options({})) == [first]
    assert offered(api, make_options({"mcp/one/x": OFF})) == [second]


def test_an_agent_that_only_answers_has_no_apis() -> None:
    assert make_options({}, Autonomy.ANSWERS).llm_apis == []
    assert make_options({}, Autonomy.READS).llm_apis == ["assist"]


@pytest.mark.parametrize(
    ("options", "language", "opens", "by_phone"),
    [
        ({"phone_person": "person.a", "phone_for_doors": True}, "en", True, True),
        ({"phone_person": "person.a", "phone_for_doors": True}, "en", False, False),
        ({"phone_person": "person.a"}, "en", True, False),
        ({"phone_person": "person.a"}, "fi", False, True),
        ({"phone_for_doors": True}, "en", True, False),
    ],
)
def test_who_is_asked_by_phone(
    options: Any, language: str, opens: bool, by_phone: bool
) -> None:
    rules = AgentOptions.from_subentry(options, encrypted=True)
    ask = Ask("x", {}, frozenset(), "do_unlock", grants_access=opens)
    speaker = Speaker("anna", None, True, "", language)
    assert rules.ask_by_phone(speaker, [ask]) is by_phone
    assert rules.ask_by_phone(replace(speaker, is_person=False), [ask]) is bool(
        rules.phone_person
    )


def test_a_server_is_told_by_its_title(hass: HomeAssistant) -> None:
    for title, told in (("Tickets", "Tickets"), ("", "MCP")):
        tool = of_server("one", Tool("x", "mcp"))
        vars(vars(tool)["config_entry"])["title"] = title
        assert JudgedCall(hass, tool, {}, CONTEXT).server == told
    assert JudgedCall(hass, Tool("x", "test"), {}, CONTEXT).server == ""
