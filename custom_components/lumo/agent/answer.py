r"""One answer of Lumo: its events in, deltas for the chat log out.

A call may come in the text, on the function channel, or misrouted on Proton's own. In
private mode:

    TextDelta("Sure. ")                     -> content "Sure. "
    TextDelta('```json\n{"name": "user:')   -> (held: may become a call)
    TextDelta('HassTurnOff", ...}\n```')    -> (held: what follows says if it is meant)
    Usage, End                              -> tool_calls [HassTurnOff]

A call acts when the answer ends, breaks off or is cut, at the latest `ACTS_AFTER`
seconds after it was whole.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Iterator
from contextlib import aclosing
from dataclasses import replace
from math import inf
import re
from typing import Final

from homeassistant.components.conversation.chat_log import AssistantContentDeltaDict

from ..lumo_client.errors import LumoError
from ..lumo_client.events import (
    End,
    Event,
    FunctionCall,
    FunctionCallBegun,
    ReasoningDelta,
    ServerToolCall,
    ServerToolResult,
    TextDelta,
    Usage,
)
from ..text import repeats
from ..tool_calling.detection.afterwards import NO_REMARKS, Remarks, ends_in_question
from ..tool_calling.detection.pieces import (
    BrokenCall,
    DetectedCall,
    Dropped,
    Piece,
    Reasoning,
)
from ..tool_calling.detection.reader import CallReader
from ..tool_calling.naming import SERVER_TOOL_NAMES
from .claims import Claim, ClaimRule
from .model_texts import MODEL_TEXTS, broken_call
from .opening import Opening
from .proton_channel import MisroutedCall, MisroutedCalls, read_sources
from .quoted import QuotedCalls
from .record import TurnRecord
from .toolbox import Call, Toolbox

# The most calls of an answer, and of one tool on one target: beyond, a model repeats
# itself.
MAX_CALLS: Final = 12
MAX_SAME: Final = 3
# How often a call that means more each time may be made again in further answers.
REPEATS: Final = 2

# How long a whole call waits for what may be written behind it, in seconds.
ACTS_AFTER: Final = 2.0

_SENTENCE: Final = re.compile(r"[.!?…](?=\s|$)|\n")


class AnswerReader:
    """Reads one answer."""

    def __init__(
        self,
        toolbox: Toolbox,
        record: TurnRecord,
        *,
        native: bool,
        rule: ClaimRule | None = None,
        quoted: QuotedCalls | None = None,
        explains: bool = False,
        is_command: bool = False,
        verbatim: bool = False,
        remarks: Remarks = NO_REMARKS,
        earlier: Counter[tuple[str, str]] | None = None,
        unmeant: Callable[[Call], bool] = lambda _call: False,
        characters: int | None = None,
    ) -> None:
        """Begin an answer.

        With a `rule` its opening is held until it is clear that it claims nothing.
        Calls that `quoted` holds, and `unmeant` ones, are refused. An answer that
        `explains` may show a call in words. In the answer to a command JSON calls of
        unknown tools are refused, else they are words. A `verbatim` answer is data: it
        may repeat itself, and without tools it has no calls. Calls of `earlier` answers
        are not made again. Text ends at the first sentence beyond `characters`.
        """
        self.rule = rule
        self._opening = Opening(rule)
        self._toolbox = toolbox
        self._record = record
        self._native = native
        self._remarks = remarks
        self._quoted = quoted
        self._detector = CallReader(
            toolbox.names,
            json_only=explains,
            text_only=verbatim and toolbox.api is None,
            unknown=is_command,
            remarks=remarks,
        )
        # The calls that ran, with the channel on which they came first.
        self._run: dict[tuple[str, str], str] = {}
        self._targets: Counter[tuple[str, str]] = Counter()
        self._earlier, self._unmeant = earlier or Counter(), unmeant
        self._characters = characters or inf
        self._may_repeat = verbatim
        # A call is coming: text from here on is said without knowing its result.
        self._calling = False
        self._misrouted = MisroutedCalls(toolbox.names)
        # Some of the text was not encrypted though it should have been.
        self._in_clear = False
        self._has_ended = False
        self.written = ""
        """All of its text as it came, reasoning and calls included."""
        self.was_cut = False
        """The model was stopped by the limit of its length."""
        self.text = ""
        self.calls = 0
        """Calls handed to Home Assistant, refused ones included."""
        self.acts = False
        """It has a call that does more than reading."""
        self.made: set[tuple[str, str]] = set()
        """The calls that were made, or refused for what is in them."""
        self.repeated = False
        """It has a call that was made before in this turn."""
        self.was_unmeant = False
        self.is_runaway = False
        """It had more calls than anybody means."""
        self.refused: set[str] = set()
        self.claim = Claim.NONE
        """What is wrong with what it says; known when it has ended."""
        self.complete = False
        """The rest is an apology or somebody else's words: close the stream."""

    @property
    def bounce(self) -> MisroutedCall | None:
        """Return the misrouted call that must be written again, if no call ran."""
        return None if self.calls else self._misrouted.again

    @property
    def held(self) -> str:
        """Return the text that is held back; after the end, what nobody will hear."""
        return self._opening.held

    @property
    def said(self) -> str:
        """Return the words that the model wrote, let out or not."""
        return self.text + self.held

    async def async_deltas(
        self, events: AsyncIterator[Event]
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        """Yield what the events let out; raise an error behind the calls before it."""
        try:
            async with aclosing(_timed(events, self)) as timed:
                async for event in timed:
                    for delta in self.act() if event is None else self.on_event(event):
                        yield delta
                    if self.complete:
                        self._record.decide("the rest is not read")
                        break
        except LumoError:
            for delta in self.break_off():
                yield delta
            raise
        for delta in self.finish():
            yield delta

    def on_event(self, event: Event) -> Iterator[AssistantContentDeltaDict]:
        """Take one event and yield what it lets out."""
        match event:
            case TextDelta(text):
                self._in_clear = self._in_clear or event.in_clear
                self.written += text
                yield from self._on_pieces(self._detector.feed(text))
                self.complete = self.complete or self._detector.has_ended
            case ReasoningDelta(text):
                yield {"thinking_content": text}
            case FunctionCallBegun(name):
                self._calling = self._calling or not self._is_for_proton(name)
            case FunctionCall() if not self._is_for_proton(event.name):
                if self._native:
                    call = self._read(event)
                    if ends_in_question(self.said, self._remarks):
                        self._ask_first(call)
                    yield from self._hand_over(call, "function")
                else:
                    yield from self._rescue(event, "function")
            case ServerToolCall():
                if event.name in SERVER_TOOL_NAMES:
                    # Whether its result comes along or not: the model reads it.
                    self._record.outside_results += 1
                if not self._is_for_proton(event.name):
                    self._misrouted.on_call(event)
            case ServerToolResult():
                yield from self._on_server_result(event)
            case End():
                self.was_cut = event.reason == "length"
            case Usage():
                self._record.take(event)

    @property
    def holds_call(self) -> bool:
        """Return whether a whole call is held, which acts soon."""
        return self._detector.has_call

    def act(self) -> Iterator[AssistantContentDeltaDict]:
        """Hand over the calls that are whole; the answer may go on."""
        yield from self._on_pieces(self._detector.settle())
        self.complete = self.complete or self._detector.has_ended

    def break_off(self) -> Iterator[AssistantContentDeltaDict]:
        """Hand over the calls that were whole when the answer broke off."""
        pieces = self._detector.finish(was_cut=True)
        yield from self._on_pieces(p for p in pieces if isinstance(p, DetectedCall))
        yield from self._rescue_all(self._misrouted.without_result())
        yield from self._let_out(self._opening.release())

    def finish(self) -> Iterator[AssistantContentDeltaDict]:
        """Yield what was held back when the answer ended."""
        yield from self._on_pieces(self._detector.finish(was_cut=self.was_cut))
        yield from self._rescue_all(self._misrouted.without_result())
        if not self.calls:
            self._misrouted.finish()
        if self.rule and not self.calls:
            self.claim = self.rule.judge(self.said, is_whole=True)
        yield from self._let_out(self._opening.release())

    def _on_pieces(
        self, pieces: Iterable[Piece]
    ) -> Iterator[AssistantContentDeltaDict]:
        for piece in pieces:
            match piece:
                case str(text):
                    yield from self._on_text(text)
                case DetectedCall():
                    self._record.decide("call detected in the text")
                    call = self._toolbox.read(
                        piece.name, piece.arguments, tool=piece.tool
                    )
                    if self._in_clear:
                        call = self._refused_in_clear()
                    if piece.is_asked:
                        self._ask_first(call)
                    yield from self._hand_over(call, "text")
                case BrokenCall():
                    self._record.decide(f"broken call refused ({piece.reason})")
                    name = piece.tool or piece.name or "unknown"
                    call = self._toolbox.refused(broken_call(piece.reason), name)
                    if self._quoted and self._quoted.holds_text(piece.source):
                        call = self._as_quoted(call)
                    yield from self._hand_over(call, "text")
                case Reasoning(text) if text:
                    yield {"thinking_content": text}
                case Dropped(reason=reason) if reason:
                    self._record.decide(f"text dropped ({reason})")

    def _on_text(self, text: str) -> Iterator[AssistantContentDeltaDict]:
        """Let text out, unless it is an apology or anticipates the result of a call."""
        if text.strip():
            yield from self._rescue_all(self._misrouted.without_result())
        if self._misrouted.seen:
            # The apology begins. After a rescue nothing more of this answer is needed;
            # else the call may be written properly behind it. Where functions are
            # called, they are still to come.
            self.complete = (
                bool(text.strip())
                and self.calls > 0
                and not (self._native or self._calling)
            )
        elif not (self.calls or self._calling):
            yield from self._let_out(self._opening.feed(text))

    def _let_out(self, text: str) -> Iterator[AssistantContentDeltaDict]:
        if not self.text:
            text = text.lstrip()
        if text and not self._has_ended:
            if len(self.text) > self._characters and (end := _SENTENCE.search(text)):
                text, self._has_ended = text[: end.end()], True
            self.text += text
            self._has_ended |= len(self.text) > 2 * self._characters
            if self._has_ended or (not self._may_repeat and repeats(self.text)):
                self._record.decide("the text has no end")
                self._has_ended = self.complete = True
            yield {"content": text}

    def _read(self, event: FunctionCall | ServerToolCall) -> Call:
        if event.in_clear:
            return self._refused_in_clear()
        arguments = event.raw if event.arguments is None else event.arguments
        return self._toolbox.read(event.name, arguments)

    def _refused_in_clear(self) -> Call:
        self._record.decide("call refused, it was not encrypted")
        return self._toolbox.refused(MODEL_TEXTS["in_clear"])

    def _on_server_result(
        self, event: ServerToolResult
    ) -> Iterator[AssistantContentDeltaDict]:
        if self._quoted:
            self._quoted.add(event.content)
        if not event.failed:
            self._record.outside_results += 1
            self._record.sources |= read_sources(event.content)
        yield from self._rescue_all(self._misrouted.on_result(event))

    def _is_for_proton(self, name: str) -> bool:
        return self._toolbox.api is None or name in SERVER_TOOL_NAMES

    def _rescue_all(
        self, events: Iterable[ServerToolCall]
    ) -> Iterator[AssistantContentDeltaDict]:
        for event in events:
            yield from self._rescue(event, "server")

    def _rescue(
        self, event: FunctionCall | ServerToolCall, channel: str
    ) -> Iterator[AssistantContentDeltaDict]:
        call = self._read(event)
        if not self._misrouted.may_run(event, call, self._run):
            self._record.decide("misrouted call not run as it is")
            return
        before = self.calls
        yield from self._hand_over(call, channel)
        if self.calls > before:
            self._record.rescues += 1
            self._record.decide(f"misrouted call rescued ({channel} channel)")

    def _ask_first(self, call: Call) -> None:
        self._toolbox.gate.asks_first.add(call.tool_input.id)
        # Our question takes the place of its own.
        self._opening = Opening(None)

    def _as_quoted(self, call: Call) -> Call:
        self._record.decide("call refused: it stands in a tool's result")
        return replace(call, refusal=MODEL_TEXTS["quoted"])

    def _hand_over(
        self, call: Call, channel: str
    ) -> Iterator[AssistantContentDeltaDict]:
        """Give a call to Home Assistant; twice if one channel has it twice."""
        if self._toolbox.api is None:
            self._record.decide("call ignored, the agent has no tools")
            return
        if call.refusal is None and self._quoted and self._quoted.holds(call):
            call = self._as_quoted(call)
        name, made = call.tool_input.tool_name, self._earlier[call.key]
        # Turning on a button means more the second time, but not in another answer.
        is_once = call.acts and (call.once or name.endswith("HassTurnOn"))
        if made >= (1 if is_once else REPEATS):
            self._record.decide("call not made again")
            self.repeated = True
            return
        if call.refusal is None and self._unmeant(call):
            self._record.decide("call refused: it was not asked for")
            self.was_unmeant = True
            call = replace(call, refusal=MODEL_TEXTS["unmeant"])
        first = self._run.get(call.key)
        if first and (call.once or first != channel):
            self._record.decide("call said twice, run once")
            return
        self._targets[call.target] += 1
        if self.calls == MAX_CALLS or (
            call.acts and self._targets[call.target] > MAX_SAME
        ):
            self._record.decide("too many calls, the rest is not run")
            self.is_runaway = self.complete = True
        if self.is_runaway:
            return
        # Words before a call are spoken, unless they already tell its outcome.
        yield from self._let_out(self._opening.release())
        self._opening = Opening(None)
        self._run.setdefault(call.key, channel)
        self.calls += 1
        self.acts |= call.acts
        if call.refusal != MODEL_TEXTS["unmeant"] and (
            not call.refusal or call.tool_input.tool_args
        ):
            self.made.add(call.key)
        if call.refusal is not None:
            self._record.decide("call refused")
            self.refused.add(name)
        yield {"tool_calls": [self._toolbox.admit(call)]}


async def _timed(
    events: AsyncIterator[Event], answer: AnswerReader
) -> AsyncGenerator[Event | None]:
    """Yield the events, and None once a call has been held for `ACTS_AFTER` seconds."""
    now = asyncio.get_running_loop().time
    acts_at = None
    begun: asyncio.Future[Event | None] | None = None
    try:
        while True:
            acts_at = (acts_at or now() + ACTS_AFTER) if answer.holds_call else None
            if acts_at is not None and now() >= acts_at:
                yield None
                continue
            begun = begun or asyncio.ensure_future(anext(events, None))
            wait = None if acts_at is None else acts_at - now()
            if not (await asyncio.wait([begun], timeout=wait))[0]:
                continue
            event, begun = begun.result(), None
            if event is None:
                return
            yield event
    finally:
        if begun is not None:
            begun.cancel()
            await asyncio.gather(begun, return_exceptions=True)
