"""One turn: from what a person said to what is spoken back.

    request -> answer -> deltas -> (Home Assistant runs the tools) -> request ...

until an answer calls nothing. A turn begins with the answer to a question that was asked
before it, if there is one, and may end in a question of its own.

Whatever a person must hear goes through the delta stream, failures too: once speech has
begun, nothing else is heard. Any platform can run a turn over its chat log.
"""

from collections.abc import Collection
from dataclasses import replace
from string import whitespace
from typing import Final, NamedTuple

from homeassistant.components import conversation
from homeassistant.helpers import llm

from ..abilities import with_abilities
from ..gate.ability import Situation
from ..gate.consent import Reply
from ..gate.gate import Cause, Gate
from ..gate.intents import async_is_command
from ..gate.judge import Judge
from ..gate.outside import OutsideTexts
from ..gate.pending import Kept
from ..gate.permissions import offered
from ..gate.speaker import Speaker
from ..languages import language_of
from ..lumo_client.client import LumoClient
from ..lumo_client.deadlines import ALOUD, ON_SCREEN, TURN_SECONDS, Deadlines
from .asking import Dialogue
from .claims import Claim, ClaimRule
from .done import done_text
from .endings import REFUSALS, is_looping, may_confirm
from .log_writer import LogWriter
from .options import AgentOptions
from .question import can_be_spoken, some_of
from .quoted import asks_about_calls
from .record import TurnRecord
from .request import Requests
from .rounds import Rounds
from .sentences import Sentences
from .toolbox import Toolbox

# What speech-to-text makes of silence.
_NOTHING: Final = f"{whitespace}.,…"


class _Ending(NamedTuple):
    """Why a turn stops though the model would go on."""

    reason: str
    sentence: str
    """The key of ours."""


class Turn:
    """Runs one turn over a chat log whose last content is what a person said."""

    def __init__(
        self,
        client: LumoClient,
        chat_log: conversation.ChatLog,
        speaker: Speaker,
        *,
        agent_id: str,
        options: AgentOptions,
        sentences: Sentences,
        kept: Kept,
        deadlines: Deadlines | None = None,
    ) -> None:
        """Prepare a turn; nothing is sent yet.

        `speaker` says what was said, in which language, and who may be asked. Without
        `deadlines` they are those of a satellite or of a screen, from now on.
        """
        self._log = chat_log
        self._begin = len(chat_log.content)
        self._speaker = speaker
        self._language = language_of(speaker.language)
        self._options = options
        self._sentences = sentences
        self._kept = kept
        self._deadlines = deadlines or replace(
            ALOUD if speaker.satellite_id else ON_SCREEN,
            until=chat_log.hass.loop.time() + TURN_SECONDS,
        )
        self.record = TurnRecord()
        self._dialogue = Dialogue(chat_log.hass, speaker, kept, agent_id)
        self._outside: OutsideTexts | None = None
        self._toolbox = self._fill_toolbox(chat_log.llm_api, agent_id)
        self._gate = self._toolbox.gate
        self._writer = LogWriter(chat_log, agent_id, sentences, self._gate, self.record)
        self._rule = (
            ClaimRule.for_turn(
                speaker.sentence,
                self._language,
                chat_log.llm_api.api_prompt if chat_log.llm_api else "",
            )
            if self._toolbox.acts
            else None
        )
        self._rounds = Rounds(
            chat_log,
            Requests(
                client, chat_log, self._toolbox, options, self.record, self._deadlines
            ),
            self._toolbox,
            options,
            self._rule,
            self._writer,
            self.record,
            explains=asks_about_calls(
                speaker.sentence, self._language, self._toolbox.names
            ),
        )

    def _fill_toolbox(self, api: llm.APIInstance | None, agent_id: str) -> Toolbox:
        """Return the tools of this turn, behind their gate."""
        # Function definitions have no prefix: the channel says whose they are.
        prefix = "" if self._options.native else self._options.prefix
        if api is None:
            return Toolbox(None, prefix=prefix)
        speaker = self._speaker
        situation = Situation(speaker=speaker, changes=self._dialogue.changes)
        tools = offered(with_abilities(api, situation), self._options)
        self._outside = OutsideTexts(
            self._log.content,
            {tool.name: tool for tool in with_abilities(api).tools},
            self._kept,
        )
        gate = Gate(
            judge=Judge(self._log.hass, api, self._options, speaker, self._kept),
            cause=Cause(
                agent_id=agent_id,
                conversation_id=self._log.conversation_id,
                user_id=speaker.user_id,
                satellite_id=speaker.satellite_id,
                sentence=speaker.sentence if self._options.share_words else None,
            ),
            has_read_outside=self._has_read_outside,
            until=self._deadlines.until,
        )
        return Toolbox(replace(api, tools=tools), prefix=prefix, gate=gate)

    def _has_read_outside(self) -> bool:
        """Return whether the model has read text from outside; note it if so."""
        self._kept.read_outside |= self.record.outside_results > 0
        return self._outside is not None and self._outside.have_been_read()

    async def async_run(self) -> TurnRecord:
        """Run the turn to its end. Failures of any kind are in the record."""
        original = self._log.llm_api
        self._log.llm_api = self._toolbox.api
        try:
            if await self._async_take_answer():
                pass
            elif self._speaker.sentence.strip(_NOTHING):
                await self._async_rounds()
            else:
                self.record.decide("nothing was said")
                await self._writer.async_say("nothing_heard", failed=False)
            await self._async_report_silence()
        except Exception as err:  # noqa: BLE001 # spoken, and logged there
            await self._writer.async_speak(self._writer.failure(err))
        finally:
            self._gate.close()
            self._log.llm_api = original
            self._has_read_outside()
            if self._gate.judge:
                wanted = self._gate.judge.wanted(self._gate.acted_on)
                self._kept.wanted = wanted or self._kept.wanted
            self._dialogue.end(self._gate.before)
            self._log.async_trace(
                {"stats": self.record.as_stats(), "lumo": self.record.as_trace()}
            )
        return self.record

    async def _async_take_answer(self) -> bool:
        """Take the answer to a question; return whether that is all of this turn."""
        reply = self._dialogue.reply
        if reply is Reply.AGAIN:
            if not await async_is_command(self._log.hass, self._speaker):
                self.record.decide("a person was asked again")
                self.record.asked = True
                text = self._dialogue.ask_again(self._sentences)
                await self._writer.async_tell(text)
                return True
            self._dialogue.drop()
            reply = Reply.OTHER
        if reply is Reply.NO:
            self.record.decide("a person said no")
            await self._writer.async_tell(self._dialogue.declined(self._sentences))
            return True
        if reply is Reply.OTHER:
            self.record.decide("a person was asked and did not say yes")
        if reply in (None, Reply.OTHER):
            return False
        self.record.decide("a person said yes")
        calls = self._dialogue.confirmed(self._toolbox)
        if not calls:
            self.record.error = "not_allowed"
            await self._writer.async_say("not_allowed")
            return True
        await self._writer.async_speak({"tool_calls": calls})
        if await self._async_ask_person():
            return True
        assert self._dialogue.question is not None
        outcomes = self._gate.outcomes
        if may_confirm(
            self._dialogue.question.sentence, self._language, outcomes, len(calls)
        ):
            await self._writer.async_say("quick_done", failed=False)
            return True
        # There is more to say, or to do, and the model knows what.
        return False

    async def _async_rounds(self) -> None:
        """Ask until an answer calls nothing, or until it must end."""
        for _round in range(self._options.max_rounds):
            done = len(self._gate.outcomes)
            answer = await self._rounds.async_next()
            if self.record.failed or not answer.calls:
                return
            if await self._async_ask_person():
                return
            if (
                self._options.quick_confirmation
                and not answer.text
                and may_confirm(
                    self._speaker.sentence,
                    self._language,
                    self._gate.outcomes[done:],
                    answer.calls,
                )
            ):
                self.record.decide("confirmed without asking the model")
                await self._writer.async_say("quick_done", failed=False)
                return
            if ending := self._must_end():
                self.record.decide(f"stopped, {ending.reason}")
                await self._writer.async_say(ending.sentence)
                return
        self.record.decide("stopped, the rounds are used up")
        await self._writer.async_say("too_many_rounds")

    def _must_end(self) -> _Ending | None:
        """Return why there is no further round, None if there may be one."""
        if max(self._rounds.refusals.values(), default=0) >= REFUSALS:
            return _Ending("calls were refused too often", sentence="misrouted")
        if is_looping(self._log.content[self._begin :]):
            return _Ending("the same call had the same result", sentence="call_loop")
        if self._log.hass.loop.time() > self._deadlines.until:
            return _Ending("the time is used up", sentence="too_slow")
        return None

    async def _async_ask_person(self) -> bool:
        """Ask about what must not run without a yes; return whether the turn ends."""
        gate = self._gate
        if gate.asks and not self._can_ask():
            gate.sentence = "too_much_to_say"
            gate.asks.clear()
        if gate.asks:
            self.record.questions += len(gate.asks)
            self.record.decide("a person is asked first")
            silent = tuple(gate.silent)
            await self._async_report_silence()
            done = self._done(silent)
            if done:
                await self._writer.async_tell(done)
            text = self._dialogue.ask(self._sentences, gate.asks, done)
            self.record.asked = True
            await self._writer.async_tell(text)
        elif gate.sentence:
            self.record.decide(f"refused: {gate.sentence}")
            self.record.error = gate.sentence
            await self._writer.async_say(gate.sentence)
        return bool(gate.asks or gate.sentence)

    def _can_ask(self) -> bool:
        """Return whether a question would say, to this person, all that it is about."""
        return self._speaker.satellite_id is None or can_be_spoken(
            self._sentences, self._gate.asks
        )

    def _done(self, silent: Collection[str]) -> str:
        """Return what this turn has done so far and has not been told."""
        said = " ".join(
            content.content or ""
            for content in self._log.content[self._begin :]
            if isinstance(content, conversation.AssistantContent)
        )
        return done_text(
            self._log.hass, self._sentences, self._gate.outcomes, said, silent
        )

    async def _async_report_silence(self) -> None:
        """Say which devices did not answer, if the model has not."""
        silent, self._gate.silent = self._gate.silent, {}
        last = self._log.content[-1]
        said = (isinstance(last, conversation.AssistantContent) and last.content) or ""
        if self._rule and self._rule.judge(said) is not Claim.NONE:
            said = ""
        names = [name for name in silent if name.casefold() not in said.casefold()]
        if names:
            self.record.decide("a device did not answer")
            targets = some_of(self._sentences, names)
            await self._writer.async_say("not_answered", failed=False, targets=targets)
