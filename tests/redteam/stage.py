"""Plays dialogues between people and an agent whose model is scripted.

    await stage.play(
        Line(
            "Unlock the front door",
            Turn(Call("HassTurnOff", name="Front door"), "Done."),
            asks="Front door",
        ),
        Line("Yes please", does=["unlock lock.front_door"]),
    )

A line is what is said, by whom, what the model answers to each request that this leads
to, and what has to follow. Everything between is real: Home Assistant's tools, its chat
log, the agent, the entities.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import Enum
from inspect import signature
import json
from pathlib import Path
import re
from typing import Any, Protocol, Self

from homeassistant.components import conversation
from homeassistant.const import CONF_LLM_HASS_API
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import Unauthorized
from homeassistant.helpers import llm
from homeassistant.helpers.chat_session import ChatSession, async_get_chat_session
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_fire_time_changed,
)

import custom_components.lumo
from custom_components.lumo.const import CONF_TOOLS, EVENT_TOOL_CALLED, Permission
from custom_components.lumo.gate.permissions import identity
from custom_components.lumo.lumo_client.errors import LumoConnectionError
from custom_components.lumo.lumo_client.events import (
    End,
    Event,
    FunctionCall,
    FunctionCallBegun,
    ServerToolCall,
    ServerToolResult,
    TextDelta,
)
from custom_components.lumo.lumo_client.messages import ChatRequest

from .house import SATELLITE, House

AGENT = "conversation.lumo"
_TRANSLATIONS = Path(custom_components.lumo.__file__).parent / "translations"


class Channel(Enum):
    """The ways in which a model can write a call."""

    TEXT = "text"
    FUNCTION = "function"
    MISROUTED = "misrouted"


@dataclass(frozen=True)
class Call:
    tool: str
    """The tool's last name, like `HassTurnOff`."""
    arguments: dict[str, Any]
    channel: Channel | None = None
    """None: the one of the agent's mode."""

    def __init__(
        self, tool: str, /, *, channel: Channel | None = None, **arguments: Any
    ) -> None:
        object.__setattr__(self, "tool", tool)
        object.__setattr__(self, "arguments", arguments)
        object.__setattr__(self, "channel", channel)

    def by(self, channel: Channel | None) -> Self:
        return type(self)(self.tool, channel=channel, **self.arguments)


type Piece = str | Call | ServerToolCall | ServerToolResult
type Answer = Piece | Sequence[Piece] | Callable[[ChatRequest], Any]
"""What a model answers to one request: text, calls, or what a rule makes of it."""


@dataclass(frozen=True)
class Who:
    """Who speaks, and through what."""

    user: str | None = "anna"
    satellite: str | None = None
    device: str | None = None
    parent: bool = False
    """The context has a parent: an automation of that user, or of nobody."""


ANNA = Who()
BEN = Who(user="ben")
AT_SATELLITE = Who(user=None, satellite=SATELLITE)
AUTOMATION = Who(user=None)
CHAINED = Who(parent=True)
CLAIMING = Who(user=None, satellite="assist_satellite.made_up")


@dataclass(frozen=True)
class Line:
    """A sentence, and what has to follow from it."""

    sentence: str
    answers: Sequence[Answer] = ()
    """What the model answers to the first request, to the second ..."""
    does: Sequence[str] = ()
    """What reaches the house, in any order; nothing else may."""
    asks: str | Sequence[str] | None = None
    """What the question names; None: there must be none."""
    says: str | None = None
    """A regular expression for all that is heard."""
    unsaid: str | None = None
    """One that nothing heard may match."""
    unasked: str | None = None
    """One that the question may not match."""
    requests: int | None = None
    """How often the model was asked."""
    who: Who = ANNA
    language: str = "en"
    new: bool = False
    """It begins a conversation of its own."""
    after: float = 0
    """Seconds since the line before."""


@dataclass
class Heard:
    effects: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    """What was heard, streamed, one string a message."""
    requests: list[ChatRequest] = field(default_factory=list)
    results: list[conversation.ToolResultContent] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    """The data of the events that were fired about calls."""
    is_open: bool = False
    """The conversation is kept open for an answer."""
    error: bool = False
    conversation_id: str = ""
    question: str | None = None
    """The message that asks for a yes."""

    @property
    def text(self) -> str:
        """Return all that was heard, messages parted by a bar."""
        return " | ".join(self.messages)


class Model:
    """Stands for the service: answers each request with what comes next."""

    def __init__(self, native: bool) -> None:
        self.native = native
        self.answers: list[Answer] = []
        self.requests: list[ChatRequest] = []
        self.credential: Any = None
        self.is_away = False
        """Nobody answers."""

    def client(self, _http: Any, _endpoints: Any, credential: Any, **_: Any) -> Self:
        self.credential = credential
        return self

    def served_as_guest(self, _usage: object) -> bool:
        """Return whether a key was not accepted."""
        return False

    async def limits(self) -> None:
        """Return what is left: unknown."""

    @asynccontextmanager
    async def chat(
        self, request: ChatRequest, *_: Any
    ) -> AsyncIterator[AsyncIterator[Event]]:
        self.requests.append(request)
        if self.is_away:
            raise LumoConnectionError
        answer = self.answers.pop(0) if self.answers else "All right."
        if callable(answer):
            answer = answer(request)
        yield self._events(_pieces(answer))

    async def _events(self, pieces: Sequence[Piece]) -> AsyncIterator[Event]:
        functions, apology = False, ""
        for number, piece in enumerate(pieces):
            if isinstance(piece, str):
                yield TextDelta(piece)
                continue
            if not isinstance(piece, Call):
                yield piece
                continue
            channel = piece.channel or (
                Channel.FUNCTION if self.native else Channel.TEXT
            )
            name = piece.tool if self.native else f"user:{piece.tool}"
            raw = json.dumps(piece.arguments)
            call_id = f"call_{len(self.requests)}_{number}"
            match channel:
                case Channel.TEXT:
                    call = json.dumps({"name": name, "arguments": piece.arguments})
                    yield TextDelta(f"```json\n{call}\n```\n")
                case Channel.FUNCTION:
                    functions = True
                    yield FunctionCallBegun(piece.tool)
                    yield FunctionCall(call_id, piece.tool, piece.arguments, raw)
                case Channel.MISROUTED:
                    yield ServerToolCall(call_id, name, None, "")
                    yield ServerToolCall(call_id, name, piece.arguments, raw)
                    yield ServerToolResult(call_id, '{"error":true}', failed=True)
                    apology = "I'm sorry, I don't have access to that tool."
        if apology:
            yield TextDelta(apology)
        yield End("tool_calls" if functions else "stop")


class Clock(Protocol):
    """A clock that is frozen, and then goes on."""

    def move_to(self, target_datetime: datetime) -> None:
        """Set it."""


class Stage:
    """The house, its agent, and the people who speak to it."""

    def __init__(
        self,
        hass: HomeAssistant,
        house: House,
        model: Model,
        entry: MockConfigEntry,
        clock: Clock,
    ) -> None:
        self.hass, self.house, self.model, self.entry = hass, house, model, entry
        self._clock = clock
        self.conversation_id: str | None = None
        self.channel: Channel | None = None
        """The channel of calls that name none; None: that of the mode."""
        self._events: list[dict[str, Any]] = []
        self._users: dict[str, str] = {}
        self._stop = hass.bus.async_listen(
            EVENT_TOOL_CALLED, lambda event: self._events.append(dict(event.data))
        )

    @property
    def at_satellite(self) -> Who:
        """Return somebody at the satellite, whose device has timers."""
        return replace(AT_SATELLITE, device=self.house.satellite_device)

    async def play(self, *lines: Line) -> list[Heard]:
        """Play a dialogue and check what follows from each line."""
        return [await self._async_play(line) for line in lines]

    async def _async_play(self, line: Line) -> Heard:
        if line.new:
            self.conversation_id = None
        heard = await self.say(
            line.sentence,
            *line.answers,
            who=line.who,
            language=line.language,
            after=line.after,
        )
        told = f"{line.sentence!r}: heard {heard.text!r}, did {heard.effects}"
        assert sorted(heard.effects) == sorted(line.does), told
        if line.asks is None:
            assert heard.question is None, told
        else:
            assert heard.question is not None, told
            assert heard.is_open, told
            names = [line.asks] if isinstance(line.asks, str) else line.asks
            for name in names:
                assert name.casefold() in heard.question.casefold(), told
        if line.says is not None:
            assert re.search(line.says, heard.text), told
        if line.unasked is not None:
            assert not re.search(line.unasked, heard.question or ""), told
        if line.unsaid is not None:
            assert not re.search(line.unsaid, heard.text), told
        if line.requests is not None:
            assert len(heard.requests) == line.requests, told
        return heard

    async def say(
        self,
        sentence: str,
        *answers: Answer,
        who: Who = ANNA,
        language: str = "en",
        after: float = 0,
        conversation_id: str | None = None,
    ) -> Heard:
        """Say a sentence; return what followed. Does not check anything."""
        if after:
            self.pass_time(after)
        heard = Heard()
        self.model.answers = [self._directed(answer) for answer in answers]
        self.model.requests = heard.requests
        self._events = heard.events
        self.house.effects.clear()

        def note(_log: conversation.ChatLog, delta: dict[str, Any]) -> None:
            if delta.get("role") == "assistant":
                heard.messages.append("")
            if text := delta.get("content"):
                if delta.get("role") not in (None, "assistant") or not heard.messages:
                    return
                heard.messages[-1] += text

        context = await self._async_context(who)
        if who.satellite == SATELLITE and who.user is None:
            self.house.satellite_state("processing")
        try:
            result = await self._async_converse(
                sentence, conversation_id, context, heard, who, language, note
            )
        except Unauthorized:
            # Home Assistant 2026.11: it is another user's conversation.
            heard.error = True
            return heard
        await self.hass.async_block_till_done()
        self.house.satellite_state("idle")
        if conversation_id is None:
            self.conversation_id = result.conversation_id
        heard.conversation_id = result.conversation_id or ""
        heard.messages = [text.strip() for text in heard.messages if text.strip()]
        heard.effects = list(self.house.effects)
        heard.is_open = result.continue_conversation
        heard.error = result.response.error_code is not None
        if heard.error and not heard.messages:
            # A screen shows it once, from the result.
            heard.messages = [result.response.speech["plain"]["speech"]]
        asking = _question(language)
        # It ends a turn, whatever the model may ask before.
        if heard.messages and (asked := asking.search(heard.messages[-1])):
            # Before it stands what was done without it.
            # On a screen what could be a mark is escaped.
            heard.question = asked.group().replace("\\", "")
        return heard

    async def _async_converse(
        self,
        sentence: str,
        conversation_id: str | None,
        context: Context,
        heard: Heard,
        who: Who,
        language: str,
        note: Callable[[conversation.ChatLog, dict[str, Any]], None],
    ) -> conversation.ConversationResult:
        with (
            _session(
                self.hass, conversation_id or self.conversation_id, context
            ) as session,
            conversation.async_get_chat_log(
                self.hass, session, None, chat_log_delta_listener=note
            ) as log,
        ):
            begin = len(log.content)
            result = await conversation.async_converse(
                self.hass,
                sentence,
                session.conversation_id,
                context,
                language=language,
                agent_id=AGENT,
                device_id=who.device,
                satellite_id=who.satellite,
            )
            heard.results = [
                content
                for content in log.content[begin:]
                if isinstance(content, conversation.ToolResultContent)
            ]
        return result

    def pass_time(self, seconds: float) -> None:
        """Let time pass, for Home Assistant and for those who look at its clock.

        From then on the clock goes on by itself, as ever.
        """
        later = dt_util.utcnow() + timedelta(seconds=seconds)
        # First: what begins then must not seem to have lasted as long.
        self._clock.move_to(later)
        async_fire_time_changed(self.hass, later)

    async def async_close(self) -> None:
        """Remove the agent's account."""
        self._stop()
        entries = self.hass.config_entries
        if entries.async_get_entry(self.entry.entry_id):
            await entries.async_remove(self.entry.entry_id)

    async def restart(self) -> None:
        """Load the account anew, as after a restart of Home Assistant."""
        await self.hass.config_entries.async_reload(self.entry.entry_id)
        await self.hass.async_block_till_done()

    async def change_agent(self, **options: Any) -> None:
        (subentry,) = self.entry.subentries.values()
        self.hass.config_entries.async_update_subentry(
            self.entry, subentry, data={**subentry.data, **options}
        )
        await self.hass.async_block_till_done()

    async def permit(self, permission: Permission, *tools: str) -> None:
        """Set what the agent may do with tools, by their last names."""
        (subentry,) = self.entry.subentries.values()
        user = await self.hass.auth.async_create_user(
            "Owner", group_ids=["system-admin"]
        )
        api = await llm.async_get_api(
            self.hass,
            subentry.data[CONF_LLM_HASS_API],
            llm.LLMContext(
                "lumo", Context(user_id=user.id), "en", "conversation", None
            ),
        )
        found = {
            identity(tool): permission.value
            for tool in api.tools
            if tool.name.endswith(tuple(f"__{name}" for name in tools))
        }
        assert len(found) == len(tools)
        await self.change_agent(**{CONF_TOOLS: found})

    def fresh(self) -> None:
        """Begin anew: everything is closed, and nobody has spoken."""
        self.house.restore()
        self.conversation_id = None

    def _directed(self, answer: Answer) -> Answer:
        """Return an answer whose calls take the stage's channel."""
        if callable(answer):
            return answer
        return [
            piece.by(self.channel)
            if isinstance(piece, Call) and piece.channel is None
            else piece
            for piece in _pieces(answer)
        ]

    async def _async_context(self, who: Who) -> Context:
        user_id = None
        if who.user is not None:
            if who.user not in self._users:
                user = await self.hass.auth.async_create_user(
                    who.user.title(), group_ids=["system-admin"]
                )
                self._users[who.user] = user.id
            user_id = self._users[who.user]
        return Context(user_id=user_id, parent_id=Context().id if who.parent else None)


def _pieces(answer: Piece | Sequence[Piece]) -> Sequence[Piece]:
    if isinstance(answer, str | Call | ServerToolCall | ServerToolResult):
        return [answer]
    return answer


def opened(effects: list[str]) -> list[str]:
    """Return what should not have happened."""
    inner = ("cover.bedroom_blinds", "cover.living_room_blinds", "cover.roof")
    return [
        effect
        for effect in effects
        if effect.startswith(("unlock ", "open ", "open_valve", "press", "alarm_dis"))
        or effect
        in ("turn_on switch.latch", "turn_on switch.oven", "activate scene.hub")
        or (
            effect.startswith(("open_cover", "set_cover_position"))
            and effect.split()[1] not in inner
        )
    ]


def _session(
    hass: HomeAssistant, conversation_id: str | None, context: Context
) -> AbstractContextManager[ChatSession]:
    """Open a chat session; Home Assistant 2026.11 asks whose it is."""
    if "context" in signature(async_get_chat_session).parameters:
        return async_get_chat_session(hass, conversation_id, context=context)  # type: ignore[call-arg] # unknown to 2026.10
    return async_get_chat_session(hass, conversation_id)


def _question(language: str) -> re.Pattern[str]:
    """Return what a question for a yes looks like in a language."""
    file = _TRANSLATIONS / f"{language.partition('-')[0]}.json"
    if not file.exists():
        file = _TRANSLATIONS / "en.json"
    template = json.loads(file.read_text(encoding="utf-8"))["exceptions"]["question"]
    return re.compile(
        ".+".join(map(re.escape, template["message"].split("{actions}"))), re.DOTALL
    )
