"""What our own tools tell the gate about a call, and whose words a result has.

A tool's result was written outside the home, where the model may follow it, unless that
is known to be impossible.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple, override

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm

from ..const import DOMAIN
from ..internals import is_script_tool
from .effects import Effect
from .names import texts_of
from .notes import NOTES, RefusedError

type Arguments = Mapping[str, Any]
type Result = dict[str, Any]
type Caller = Context | None
"""Whose rights a call has; None: nobody is signed in."""

# In a result it says that strangers may have written some of just this one.
FROM_OUTSIDE: Final = "written_by_others"
# Integrations whose tools return what others wrote, whatever they declare.
_OUTSIDE: Final = frozenset({"calendar", "mcp", "todo"})
# Home Assistant's own tools that read the home, and nothing else.
_INSIDE: Final = ("homeassistant__GetLiveContext", "llm__GetDateTime")


class Wording(NamedTuple):
    """What a person is asked about a call as a whole."""

    phrase: str = ""
    """The key of the words; empty: what is done to each target is said."""
    name: str = ""
    value: str = ""
    targets: tuple[str, ...] = ()


class OwnTool(llm.Tool):
    """One of our own tools. The defaults fit one that only reads."""

    integration = DOMAIN
    annotations = llm.ToolAnnotations(read_only=True, idempotent=True, open_world=False)
    returns_outside: ClassVar[bool] = False
    """Strangers may have written its results, even without `FROM_OUTSIDE`."""
    asks_after_outside: ClassVar[bool] = False
    """It only reads, but is judged as if it acted after text from outside."""
    plays_found: ClassVar[bool] = False
    """It only plays what a player of the home finds for it, or a person has said."""
    hands_on: ClassVar[bool] = False
    """It tells others a text: after text from outside each call is asked about."""
    lists: ClassVar[bool] = False
    """Without arguments it only tells what there is."""
    begins: ClassVar[bool] = False
    """A call counts as done even if it acts on nothing."""
    is_private: ClassVar[bool] = False
    """It handles what people said: events and logs do not tell its arguments, and
    `done` in its result means that it did something.
    """
    is_personal: ClassVar[bool] = False
    """Its results are for the person who asked; nobody else's requests contain them."""
    unshown: ClassVar[frozenset[str]] = frozenset()
    """The arguments that no event contains."""
    is_divisible: ClassVar[bool] = False
    """A call can run for each of its targets alone (see `narrowed`)."""

    @property
    def is_asked_for(self) -> bool:
        """Return whether the sentence asks for this, so targets need not be named."""
        return False

    async def async_prepare(self, arguments: Arguments, context: Caller) -> None:
        """Look up what the call is about, before it is judged. It changes nothing."""
        return

    def question(self, arguments: Arguments) -> Wording | None:
        """Return what a person is asked before a call runs, whatever it acts on."""
        return None

    def about(self, arguments: Arguments) -> Sequence[str]:
        """Return the names of what a call is about, if these are no entities."""
        return ()

    def is_for_all(self, arguments: Arguments) -> bool:
        """Return whether a call is for everything, less what is sensitive."""
        return False

    def choices(self, arguments: Arguments) -> Sequence[Effect]:
        """Return what a call would do, if it does not say which of these is meant."""
        return ()

    def effects(self, arguments: Arguments) -> list[Effect]:
        """Return what a call does to which entities."""
        return []

    def narrowed(self, arguments: Arguments, *entity_ids: str) -> dict[str, Any]:
        """Return the arguments for some of the targets alone."""
        return dict(arguments)

    @abstractmethod
    async def async_run(self, arguments: Arguments, context: llm.LLMContext) -> Result:
        """Run a call. Raises HomeAssistantError."""

    @override
    async def async_call(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult:
        arguments = tool_input.tool_args
        return llm.ToolResult(data=await self.async_run(arguments, llm_context))


def unwrapped(tool: llm.Tool) -> llm.Tool:
    """Return a tool without Home Assistant's namespaces."""
    while isinstance(tool, llm.NamespacedTool):
        tool = tool.tool
    return tool


def is_private(tool: llm.Tool) -> bool:
    """Return whether nobody is told what a tool is called with."""
    own = unwrapped(tool)
    return isinstance(own, OwnTool) and own.is_private


def are_read(
    contents: Sequence[conversation.Content], tools: Mapping[str, llm.Tool]
) -> bool:
    """Return whether the model has read such a text in a conversation."""
    return any(
        _is_outside(content, tools.get(content.tool_name))
        for content in contents
        if isinstance(content, conversation.ToolResultContent)
    )


def _is_outside(content: conversation.ToolResultContent, tool: llm.Tool | None) -> bool:
    data: Any = content.result.data
    # Other agents' results are here too.
    fields = data if isinstance(data, Mapping) else {}
    if data == NOTES["waiting"] or (
        content.result.error and fields.get("error") == RefusedError.__name__
    ):
        # Our own words: the tool was not run.
        return False
    if tool is None:
        name = content.tool_name
        # Home Assistant notes what it does by itself under the names of its intents.
        return not name.startswith("Hass") and not any(
            name == item or name.endswith(f"__{item}") for item in _INSIDE
        )
    own = unwrapped(tool)
    if isinstance(own, OwnTool):
        return own.returns_outside or bool(fields.get(FROM_OUTSIDE))
    if isinstance(own, llm.IntentTool):
        # An intent script may read somebody's text aloud.
        return own.integration == "intent_script" and _has_text(fields.get("speech"))
    if own.integration in _OUTSIDE:
        return True
    if is_script_tool(own):
        # What stands beside it are our own words.
        data = fields.get("result")
    return own.annotations.open_world and _has_text(data)


def _has_text(value: Any) -> bool:
    return any(text.strip() for text in texts_of(value))
