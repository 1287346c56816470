"""A large home with an agent whose requests are kept instead of sent.

What is asked goes the whole way from `async_converse` to the client; there the request
is noted, and an answer given that was written before.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
import json
from pathlib import Path
from typing import Any, Final, override
from unittest.mock import patch

from homeassistant.components import conversation
from homeassistant.components.intent.timers import async_register_timer_handler
from homeassistant.const import CONF_LLM_HASS_API
from homeassistant.core import Context
from homeassistant.helpers import area_registry as ar, device_registry as dr, llm
import probatio
import yaml

from custom_components.lumo.const import CONF_QUICK_CONFIRMATION, DOMAIN
from custom_components.lumo.context.scorer import Index
from custom_components.lumo.lumo_client.client import LumoClient
from custom_components.lumo.lumo_client.events import End, Event, TextDelta
from custom_components.lumo.lumo_client.messages import ChatRequest

from .context_homes import Home, Wish
from .context_request import NO_AREA, Told, read_request
from .home import AGENTS, BenchHome

_SERVERS: Final = Path(__file__).parent / "large_homes" / "servers.yaml"
# An agent of that name is told of all that there is, however long that is.
_EVERYTHING: Final = "everything"
_ENOUGH: Final = 10**9
_ACCOUNT: Final = {"sign_in": "guest", "sign_in_id": "bench"}
_TYPES: Final = {
    "string": str, "integer": int, "number": float, "boolean": bool, "array": [str],
}  # fmt: skip


@dataclass(slots=True)
class Asked:
    """A sentence's first request."""

    request: ChatRequest
    told: Told
    results: list[str]
    """What the later requests of the turn end with: what was found in the home."""


class _ServerTool(llm.Tool):
    """A tool of an MCP server."""

    integration = "mcp"

    def __init__(
        self, name: str, description: str, parameters: list[list[str]]
    ) -> None:
        self.name = name
        self.description = description
        members: dict[Any, Any] = {}
        for key, kind, text in parameters:
            marker = probatio.Required if kind.endswith("!") else probatio.Optional
            members[marker(key, description=text)] = _TYPES[kind.rstrip("!")]
        self.parameters = probatio.Schema(members)

    @override
    async def async_call(self, *args: Any) -> llm.ToolResult:
        return llm.ToolResult(data={})


class _ServerAPI(llm.API):
    """The tools of an MCP server."""

    tools: list[llm.Tool]

    @override
    async def async_get_api_instance(
        self, llm_context: llm.LLMContext
    ) -> llm.APIInstance:
        prompt = f"The following instructions are provided by the server {self.name}."
        return llm.APIInstance(self, prompt, llm_context, self.tools)


@contextmanager
def _described(everything: bool) -> Any:
    """Describe all of a home, in place of what a sentence needs."""
    with ExitStack() as stack:
        if everything:
            lumo = "custom_components.lumo"
            stack.enter_context(patch(f"{lumo}.agent.request.BUDGET", _ENOUGH))
            stack.enter_context(patch(f"{lumo}.context.choice.SMALL_HOME", _ENOUGH))
        yield


class LargeHome(BenchHome):
    """The home, and what its agent would send."""

    def __init__(
        self, home: Home, more: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        """Take what is in the home, and further agents by name.

        They have the tools of two servers, too.
        """
        self._servers = yaml.safe_load(_SERVERS.read_text(encoding="utf-8"))
        apis = {CONF_LLM_HASS_API: [llm.LLM_API_ASSIST, *self._servers]}
        agents = {name: options | apis for name, options in AGENTS.items()}
        agents |= {f"{_EVERYTHING} {name}": options for name, options in agents.items()}
        agents |= {
            f"unconfirmed {name}": options | {CONF_QUICK_CONFIRMATION: "never"}
            for name, options in agents.items()
        }
        agents |= {name: {**options, **apis} for name, options in (more or {}).items()}
        super().__init__(home.description, dict(_ACCOUNT), agents)
        self.home = home
        self._things_by_id = {item["id"]: item for item in home.entities}
        self._area_names = {item["id"]: item["name"] for item in home.areas}
        self._requests: list[ChatRequest] = []
        self._answers: list[Mapping[str, Any]] = []
        self._sabotaged = False
        self._satellites: dict[str, str] = {}

    @override
    async def _async_furnish(self) -> None:
        self.hass.config.language = self.home.language
        for api_id, tools in self._servers.items():
            api = _ServerAPI(hass=self.hass, id=api_id, name=api_id)
            api.tools = [
                _ServerTool(name, description, parameters)
                for name, (description, *parameters) in tools.items()
            ]
            llm.async_register_api(self.hass, api)
        await super()._async_furnish()

    def place(self, entity_id: str) -> tuple[str, str]:
        """Return the area and the name of a thing."""
        item = self._things_by_id[entity_id]
        return self._area_names.get(item["area"], NO_AREA), item["name"]

    def left_out(self, wish: Wish, told: Told) -> list[tuple[str, str]]:
        """Return area and name of what a wish names and its request does not."""
        return [
            (area, name)
            for entity_id in wish.things
            for area, name in [self.place(entity_id)]
            if (area, name) not in told.things
            # All calendars are read by one tool, without their names.
            and not entity_id.startswith("calendar.")
        ]

    def missing(self, wish: Wish, told: Told) -> list[str]:
        """Return what a wish needs and its request does not have."""
        return [
            *(name for _area, name in self.left_out(wish, told)),
            *dict.fromkeys(
                f"{row.domain} {row.device_class or ''} in {row.within}"
                for row in wish.rows
                if not any(
                    told.has_row(place, row.domain, row.device_class)
                    for place in (row.area, row.within)
                )
            ),
            *(
                ["a tool"]
                if wish.tools and not any(map(told.has_tool, wish.tools))
                else []
            ),
        ]

    async def tool_count(self) -> int:
        """Return how many tools Home Assistant and the servers have."""
        context = llm.LLMContext(
            platform=DOMAIN,
            context=Context(),
            language=self.home.language,
            assistant="conversation",
            device_id=None,
        )
        apis = [llm.LLM_API_ASSIST, *self._servers]
        return len((await llm.async_get_api(self.hass, apis, context)).tools)

    async def ask(
        self,
        wish: Wish,
        mode: str = "private",
        *,
        sentence: str | None = None,
        search: dict[str, str] | None = None,
        call: dict[str, Any] | None = None,
        sabotaged: bool = False,
    ) -> Asked:
        """Say a wish, or a damaged form of it, and return its first request.

        With `search` the answer is a call of `find_in_home` with these arguments; with
        `call` the one after it is this call (`tool`, `arguments`).
        Sabotaged, the worst is taken for the best until the request is made.
        """
        satellite = self._satellite(wish.here) if wish.here else None
        conversation_id: str | None = None

        async def say(text: str) -> str:
            self._requests.clear()
            outcome = await conversation.async_converse(
                self.hass,
                text,
                conversation_id,
                Context(user_id=self._user_id),
                language=self.home.language,
                agent_id=self._agents[mode],
                device_id=satellite,
            )
            return str(outcome.conversation_id)

        with self._noted(), _described(_EVERYTHING in mode):
            if wish.before:
                said, tool, name = wish.before
                self._answers = [{"tool": tool, "arguments": {"name": name}}]
                conversation_id = await say(said)
            self._answers = []
            if search is not None:
                self._answers = [{"tool": "find_in_home", "arguments": search}]
            if call is not None:
                self._answers.append(call)
            self._sabotaged = sabotaged
            await say(sentence or wish.sentence)
        request, *others = self._requests
        results = [getattr(later.messages[-1], "text", "") for later in others]
        return Asked(request, read_request(request), results)

    async def prepare_agent(self, agent: str, language: str) -> None:
        """Let an agent get ready, as a pipeline does when somebody begins to speak."""
        await conversation.async_prepare_agent(self.hass, self._agents[agent], language)
        await self.hass.async_block_till_done()

    async def say_to(
        self,
        agent: str,
        text: str,
        language: str,
        answers: list[Mapping[str, Any]],
        conversation_id: str | None = None,
    ) -> str | None:
        """Say a sentence to an agent whose answers are calls; return the conversation."""
        self._answers = answers
        with self._noted():
            outcome = await conversation.async_converse(
                self.hass,
                text,
                conversation_id,
                Context(user_id=self._user_id),
                language=language,
                agent_id=self._agents[agent],
            )
        return outcome.conversation_id

    def _satellite(self, name: str) -> str:
        """Return the device that listens in an area, and can have timers."""
        if name not in self._satellites:
            area = ar.async_get(self.hass).async_get_area_by_name(name)
            assert area
            [owner] = self.hass.config_entries.async_entries("test")
            devices = dr.async_get(self.hass)
            device = devices.async_get_or_create(
                config_entry_id=owner.entry_id, identifiers={("test", f"here {name}")}
            )
            devices.async_update_device(device.id, area_id=area.id)
            async_register_timer_handler(self.hass, device.id, self._note_timer)
            self._satellites[name] = device.id
        return self._satellites[name]

    @contextmanager
    def _noted(self) -> Any:
        """Keep the requests."""

        @asynccontextmanager
        async def chat(
            _client: LumoClient, request: ChatRequest, *_args: Any
        ) -> AsyncGenerator[AsyncIterator[Event]]:
            self._requests.append(request)
            self._sabotaged = False
            yield self._answer(request)

        rank = Index.rank

        def reversed_rank(index: Index, texts: Sequence[str]) -> list[tuple[int, int]]:
            found = rank(index, texts)
            return found[::-1] if self._sabotaged else found

        with (
            patch.object(LumoClient, "chat", chat),
            patch.object(Index, "rank", reversed_rank),
        ):
            yield

    async def _answer(self, request: ChatRequest) -> AsyncIterator[Event]:
        """Answer with the call that waits, or a word."""
        text = "OK."
        if self._answers:
            call = self._answers.pop(0)
            if "text" in call:
                yield TextDelta(call["text"])
                yield End("stop")
                return
            offered = read_request(request).prompt.tool(call["tool"])
            if offered is not None:
                value = {"name": offered.name, "arguments": call["arguments"]}
                text = f"```json\n{json.dumps(value)}\n```"
        yield TextDelta(text)
        yield End("stop")
