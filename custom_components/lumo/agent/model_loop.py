"""Ask the model, correct its answers, and know when that must end.

Once a turn each, the model must write again: a misrouted call, a false claim, an answer
without the required form. The second time a person hears that it failed.
"""

from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import cache, partial
import re
from typing import Final

from homeassistant.components import conversation
from homeassistant.components.conversation.chat_log import AssistantContentDeltaDict

from ..abilities.ability import ActingAbility
from ..gate.own_tool import unwrapped
from ..languages.words import words_in
from ..lumo_client.errors import AnswerTooLongError
from ..lumo_client.messages import AssistantMessage, Message, UserMessage
from ..text import as_searched
from ..tool_calling.arguments import NoDataError
from ..tool_calling.prompted import bounce_text
from .answer import AnswerReader
from .calling_off import remarks_of
from .claims import Claim, ClaimRule
from .model_texts import DOUBTS, MODEL_TEXTS
from .quoted import QuotedCalls, asks_about_calls
from .request import Requests
from .spoken_output import SpokenOutput
from .toolbox import Call, Toolbox
from .turn_context import TurnContext
from .wanted import only_asks

# The most answers of the model in one turn. A command usually takes two.
MAX_ROUNDS: Final = 10
# The length of an answer that a person listens to.
ALOUD_CHARACTERS: Final = 1_500
# The owner's instructions show states: {{ states("sensor.outside") }}.
_STATES: Final = re.compile(r"\{[{%][^}]*\b(?:is_)?state(?:s|_attr|_translated)?\b")
# A call may be refused and corrected twice; after that the model does not get it.
REFUSALS: Final = 3


class StoppedError(Exception):
    """Ends a turn with the sentence of a `key`, which may be its failure's code."""

    def __init__(self, key: str, *, is_error: bool = False) -> None:
        super().__init__(key)
        self.key = key
        self.is_error = is_error


@dataclass(slots=True)
class ModelLoop:
    """The answers of the model in one turn."""

    _turn: TurnContext
    _requests: Requests
    _toolbox: Toolbox
    _output: SpokenOutput
    _rule: ClaimRule | None
    """Judges claims; None if any is fine."""
    _quoted: QuotedCalls
    _rounds: int = 0
    _made: Counter[tuple[str, str]] = field(default_factory=Counter)
    """In how many answers a call was made (see `Call.key`)."""
    _refusals: Counter[str] = field(default_factory=Counter)
    """How many answers had calls of a tool refused."""

    async def async_next(self) -> AnswerReader:
        """Return the next answer; raises StoppedError and LumoErrors."""
        if max(self._refusals.values(), default=0) >= REFUSALS:
            self._stop("calls were refused too often", "misrouted")
        if self._rounds and self._turn.hass.loop.time() > self._turn.deadlines.until:
            self._stop("the time is used up", "too_slow")
        if self._rounds == MAX_ROUNDS:
            self._stop("the rounds are used up", "too_many_rounds")
        self._rounds += 1
        answer = await self._async_settle(await self._async_ask())
        return await self._async_take_data(answer)

    def _stop(self, reason: str, key: str) -> None:
        self._turn.record.decide(f"stopped, {reason}")
        raise StoppedError(key, is_error=key == "no_answer")

    async def _async_settle(self, answer: AnswerReader) -> AnswerReader:
        """Doubt an answer once; raise StoppedError if it claims the same again."""
        claim, record = answer.claim, self._turn.record
        if answer.rule and answer.rule.is_done and claim is not Claim.NONE:
            record.decide(f"told by us ({claim.value})")
            raise StoppedError("quick_done")
        if claim is Claim.UNREAD and self._was_told():
            answer.claim = Claim.POSSIBLE
        elif claim is not Claim.NONE and not record.doubts:
            record.doubts += 1
            record.decide(f"doubted ({claim.value}), asked again")
            answer = await self._async_ask(_follow_up(answer, DOUBTS[claim]))
        match answer.claim:
            case Claim.DONE:
                raise StoppedError("nothing_changed")
            case Claim.TOOL:
                raise StoppedError("misrouted")
            case Claim.EXCUSE if self._rule and self._rule.wants:
                raise StoppedError("misrouted")
            case Claim.UNREAD if self._rule and self._rule.insists(answer.held):
                # Home Assistant may know.
                raise StoppedError("unread", is_error=True)
            case Claim.PLACEHOLDER:
                raise StoppedError("no_answer", is_error=True)
            case Claim.NONE:
                pass
            case _ if answer.held:
                await self._output.async_speak({"content": answer.held})
        return answer

    def _was_told(self) -> bool:
        """Return whether the request shows states: in instructions, or from earlier."""
        results = conversation.ToolResultContent
        contents, now = [*self._turn.log.content], self._turn.contents
        if self._rule and self._rule.read_ahead:
            # With that, the first of this turn, the answer does not agree.
            contents.remove(next(item for item in now if isinstance(item, results)))
        return bool(_STATES.search(self._turn.options.prompt)) or any(
            isinstance(item, results)
            and (
                item.result.error
                or self._rule is None
                or self._rule.is_in(str(item.result.data))
            )
            for item in contents
        )

    async def _async_take_data(self, answer: AnswerReader) -> AnswerReader:
        """Read the data of an answer, if it must have a form; ask once more."""
        turn, record = self._turn, self._turn.record
        while turn.answer_format and not answer.calls:
            try:
                turn.data = await turn.answer_format.async_read(answer.written)
                break
            except NoDataError as err:
                request = MODEL_TEXTS["form_again"].format(reason=err)
            if record.rewrites:
                record.decide("the answer has not the form, given up")
                raise StoppedError("wrong_form", is_error=True)
            record.rewrites += 1
            record.decide("the answer has not the form, asked again")
            answer = await self._async_ask((UserMessage(request),))
        return answer

    async def _async_ask(self, follow_up: tuple[Message, ...] = ()) -> AnswerReader:
        answer = await self._async_answer(follow_up)
        if (again := answer.bounce) and not self._turn.record.bounces:
            self._turn.record.bounces += 1
            self._turn.record.decide("misrouted call bounced")
            name = again.name or MODEL_TEXTS["no_name"]
            request = bounce_text(self._toolbox.names, name, again.arguments)
            answer = await self._async_answer(_follow_up(answer, request))
        if answer.bounce:
            self._turn.record.decide("misrouted call given up")
            raise StoppedError("misrouted")
        return answer

    async def _async_answer(self, follow_up: tuple[Message, ...]) -> AnswerReader:
        turn, toolbox = self._turn, self._toolbox
        self._quoted.look_at(turn.log.content)
        explains = asks_about_calls(turn.sentence, turn.language, toolbox.names)
        gate, judge = toolbox.gate, toolbox.gate.judge
        rule = self._rule and self._rule.behind(gate.outcomes, gate.has_left)
        is_so = cache(judge.named_by_person.is_so if judge else lambda: None)
        answer = AnswerReader(
            toolbox,
            turn.record,
            native=turn.options.native,
            rule=rule
            and replace(
                rule,
                may_explain=explains,
                is_so=is_so,
                is_silent=partial(toolbox.gate.is_silent, turn.hass),
                is_again=bool(turn.record.doubts),
            ),
            quoted=self._quoted,
            explains=explains,
            is_command=self._rule is not None
            and not only_asks(turn.sentence, turn.language),
            verbatim=not turn.is_talk,
            remarks=remarks_of(turn.language),
            earlier=self._made,
            unmeant=self._is_unmeant,
            characters=ALOUD_CHARACTERS if turn.speaker.is_aloud else None,
        )
        await self._output.async_add(self._async_deltas(answer, follow_up))
        self._refusals.update(answer.refused)
        if answer.was_unmeant and judge:
            judge.ask_all()
        if answer.is_runaway:
            self._stop("too many calls in an answer", "too_many_rounds")
        if answer.repeated and not answer.calls and not answer.said.strip():
            has_read = any(outcome.success for outcome in toolbox.gate.outcomes)
            # Home Assistant may know what was asked for.
            is_asked = has_read and only_asks(turn.sentence, turn.language)
            key = "no_answer" if is_asked else "misrouted"
            key = "quick_done" if toolbox.gate.has_acted else key
            self._stop("the same call again", key)
        self._made.update(answer.made)
        return answer

    def _is_unmeant(self, call: Call) -> bool:
        """Return whether a call is refused, once a turn: nobody asked for it."""
        turn, toolbox, judge = self._turn, self._toolbox, self._toolbox.gate.judge
        name = call.tool_input.tool_name
        is_ours = isinstance(unwrapped(toolbox.tools[name]), ActingAbility)
        # A question may be the reason for other tools: they look things up.
        is_home = is_ours or name.rpartition("__")[2].startswith("Hass")
        if not (call.acts and is_home and turn.is_talk and judge) or judge.asks_all:
            return False
        if name.endswith("HassCancelAllTimers"):
            ends = words_in(turn.language.denials, turn.language)
            return not ends.search(as_searched(turn.sentence))
        return self._rule is not None and self._rule.changes_nothing

    async def _async_deltas(
        self, answer: AnswerReader, follow_up: tuple[Message, ...]
    ) -> AsyncGenerator[AssistantContentDeltaDict]:
        yield {"role": "assistant"}
        requested = self._requests.async_events(follow_up)
        try:
            async with (
                aclosing(requested),
                aclosing(self._output.async_watch(requested)) as events,
                aclosing(answer.async_deltas(events)) as deltas,
            ):
                async for delta in deltas:
                    self._turn.is_untouched &= not answer.acts
                    yield delta
            self._check_end(answer)
        except Exception:
            if answer.said.strip():
                self._turn.is_untouched = False
            # So Home Assistant keeps what came, and waits for the results of its calls.
            yield {"role": "assistant"}
            raise

    def _check_end(self, answer: AnswerReader) -> None:
        """Raise an error if an answer is empty, or cut where nobody would notice."""
        if self._turn.answer_format or answer.calls or answer.bounce or answer.repeated:
            return
        if not answer.said.strip():
            self._turn.record.decide("the answer was empty")
            raise StoppedError("no_answer", is_error=True)
        if answer.was_cut and not self._turn.is_talk:
            # A person notices that something is missing, a program does not.
            raise AnswerTooLongError


def _follow_up(answer: AnswerReader, request: str) -> tuple[Message, ...]:
    said = (AssistantMessage(answer.said),) if answer.said else ()
    return (*said, UserMessage(request))
