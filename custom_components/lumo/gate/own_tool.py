"""What the gate asks a tool of our own about its calls.

A tool of an LLM API is judged by what Home Assistant knows of it. A tool of our own says
for itself what a call of it does, before it runs: on which entities, and how. All else,
who is asked, what is narrowed, told, watched and can be undone, is the gate's business as
for any other call.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm

from ..const import DOMAIN
from .effects import Effect

type Arguments = Mapping[str, Any]

# In a result it says that strangers may have written some of just this one.
FROM_OUTSIDE: Final = "written_by_others"


class Wording(NamedTuple):
    """What a person is asked about a call as a whole."""

    phrase: str = ""
    """The key of the words for it; empty: what is done to each target is said."""
    name: str = ""
    value: str = ""
    targets: tuple[str, ...] = ()


class OwnTool(llm.Tool):
    """A tool of our own. What is not said here fits one that only reads."""

    integration = DOMAIN
    annotations = llm.ToolAnnotations(read_only=True, idempotent=True, open_world=False)
    returns_outside: ClassVar[bool] = False
    """Its results may hold what strangers wrote, also without `FROM_OUTSIDE`."""
    asks_after_outside: ClassVar[bool] = False
    """It only reads, and is judged as if it acted once text from outside was read."""
    begins: ClassVar[bool] = False
    """A call that acts on nothing has done something all the same."""
    is_private: ClassVar[bool] = False
    """It is about what people said, not about the home: nobody is told of its calls
    what was said, and one with `done` in its result has done something."""
    is_personal: ClassVar[bool] = False
    """What it tells is for who asked: nobody else's requests say it."""
    unshown: ClassVar[frozenset[str]] = frozenset()
    """The arguments that no event tells."""
    is_divisible: ClassVar[bool] = False
    """A call can be run for each of its targets alone (see `narrowed`)."""

    @property
    def is_asked_for(self) -> bool:
        """Return whether the person's own sentence asks for just this.

        Then its targets need not be named, after text from outside was read.
        """
        return False

    def question(self, hass: HomeAssistant, arguments: Arguments) -> Wording | None:
        """Return what a person is asked before a call runs, whatever its targets are.

        What is sensitive of these is asked about in any case.
        """
        return None

    def is_for_all(self, hass: HomeAssistant, arguments: Arguments) -> bool:
        """Return whether a call is for everything: what is sensitive stays then."""
        return False

    def choices(self, hass: HomeAssistant, arguments: Arguments) -> Sequence[Effect]:
        """Return what a call would do, if it does not say which of these is meant."""
        return ()

    def effects(self, hass: HomeAssistant, arguments: Arguments) -> list[Effect]:
        """Return what a call does to which entities."""
        return []

    def narrowed(self, arguments: Arguments, *entity_ids: str) -> dict[str, Any]:
        """Return the arguments for some of the targets alone."""
        return dict(arguments)

    @abstractmethod
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        """Run a call; return its result.

        Raises HomeAssistantError, in words for the model.
        """

    @override
    async def async_call(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult:
        arguments = tool_input.tool_args
        return llm.ToolResult(data=await self.async_run(hass, arguments, llm_context))


def unwrapped(tool: llm.Tool) -> llm.Tool:
    """Return a tool without what Home Assistant put around it, and before its name."""
    while isinstance(tool, llm.NamespacedTool):
        tool = tool.tool
    return tool


def is_private(tool: llm.Tool) -> bool:
    """Return whether nobody is told what a tool is called with."""
    own = unwrapped(tool)
    return isinstance(own, OwnTool) and own.is_private
