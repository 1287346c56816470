"""LLM APIs that anybody might have registered."""

from typing import Any, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm

READS = llm.ToolAnnotations(read_only=True)


class ToyTool(llm.Tool):
    """A tool that is never called."""

    def __init__(
        self,
        name: str,
        title: str | None = None,
        *,
        integration: str = "search",
        annotations: llm.ToolAnnotations = llm.ToolAnnotations(),
    ) -> None:
        self.name = name
        self.title = title
        self.description = f"What {name} does."
        self.integration = integration
        self.annotations = annotations

    @override
    async def async_call(self, *args: Any) -> llm.ToolResult:
        """Do nothing."""
        raise NotImplementedError


class ToyAPI(llm.API):
    """An API with given tools, for everybody or for administrators."""

    tools: list[llm.Tool]
    prompt = ""
    broken = False
    for_admin = False

    @override
    async def async_get_api_instance(
        self, llm_context: llm.LLMContext
    ) -> llm.APIInstance:
        if self.broken:
            raise RuntimeError("no connection")
        if self.for_admin:
            user_id = llm_context.context and llm_context.context.user_id
            user = await self.hass.auth.async_get_user(user_id or "")
            if user is None or not user.is_admin:
                raise HomeAssistantError("for administrators")
        return llm.APIInstance(self, self.prompt, llm_context, self.tools)


def register(hass: HomeAssistant, api_id: str, name: str, *tools: llm.Tool) -> ToyAPI:
    """Register an API of the integration `search`, and return it."""
    kind = type("ToyAPI", (ToyAPI,), {"__module__": "custom_components.search"})
    api: ToyAPI = kind(hass=hass, id=api_id, name=name)
    api.tools = list(tools)
    llm.async_register_api(hass, api)
    return api


def register_web(hass: HomeAssistant) -> ToyAPI:
    """Register an API with a tool of each kind."""
    return register(
        hass,
        "web",
        "Web",
        ToyTool("find", "Find", annotations=READS),
        ToyTool("order", "Order"),
        ToyTool("note", annotations=llm.ToolAnnotations(open_world=False)),
    )
