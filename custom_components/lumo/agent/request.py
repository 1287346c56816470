"""What is sent to Lumo in a turn: instructions, tools, and the conversation so far."""

from homeassistant.components import conversation

from ..lumo_client.messages import ChatRequest, FunctionTool, Message
from ..tool_calling.native import function_tools
from ..tool_calling.prompted import build_instructions
from .history import HISTORY_CHARACTERS, to_messages
from .options import AgentOptions
from .toolbox import Toolbox


class RequestBuilder:
    """Builds the requests of one turn. Instructions and tools are made once."""

    def __init__(
        self, chat_log: conversation.ChatLog, toolbox: Toolbox, options: AgentOptions
    ) -> None:
        """Read the system prompt and the tools."""
        self._log = chat_log
        self._names = toolbox.names
        self._options = options
        self._budget = HISTORY_CHARACTERS
        head = chat_log.content[0]
        system = head.content if isinstance(head, conversation.SystemContent) else ""
        for pattern, replacement in options.replacements:
            system = pattern.sub(replacement, system)
        self._functions: tuple[FunctionTool, ...] = ()
        if options.native:
            self._instructions = toolbox.names.rewrite(system, prompted=False)
            self._functions = tuple(
                FunctionTool(tool.name, tool.description, tool.parameters)
                for tool in function_tools(toolbox.definitions, toolbox.names)
            )
        else:
            self._instructions = build_instructions(
                toolbox.definitions, toolbox.names, system, options.template
            )

    def build(
        self, follow_up: tuple[Message, ...] = (), *, must_call: bool = False
    ) -> ChatRequest:
        """Return a request for the log as it is now.

        `follow_up` are messages behind the log's that do not belong to the conversation.
        With `must_call` the model has to call a tool, where the protocol knows that.
        """
        messages = to_messages(
            self._log.content,
            names=self._names,
            native=self._options.native,
            instructions=self._instructions,
            budget=self._budget,
            inject_into_first=self._options.inject_into_first,
        )
        return ChatRequest(
            messages=(*messages, *follow_up),
            model=self._options.model,
            reasoning_effort=self._options.reasoning_effort,
            function_tools=self._functions,
            server_tools=self._options.server_tools,
            tool_choice="required" if must_call and self._functions else None,
        )

    def shorten(self) -> bool:
        """Use less history from now on; return whether there is any less."""
        if self._budget < HISTORY_CHARACTERS:
            return False
        self._budget = HISTORY_CHARACTERS // 4
        return True
