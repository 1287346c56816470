"""The self-test: real requests about a written home, whose calls are only judged.

Each sentence is a turn like any other, of a conversation of its own that nobody keeps. Options and model are the agent's, but for what is of the
person's home: their instructions, and tools of their own making.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from homeassistant.components import conversation
from homeassistant.const import CONF_PROMPT
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.util.ulid import ulid_now

from ...context.titles import async_titles
from ...gate.pending import Kept
from ...gate.speaker import Speaker
from ...languages import translated
from ..options import AgentOptions
from ..sentences import async_load_sentences
from ..turn import Turn
from .dry import last_name, make_toolbox
from .verdicts import FAILED, hints, result_of
from .written import Sentence, WrittenHome, read_written_home

# An answer with calls, and one with their results.
_ROUNDS: Final = 2
# Beside them a call may be written again, and a claim doubted, once each.
MOST_REQUESTS: Final = _ROUNDS + 2


def options_for_test(data: Mapping[str, Any], *, encrypted: bool) -> AgentOptions:
    """Return an agent's options without what is of its home.

    Only Lumo acts on a sentence, and nobody is told there of what is left of the quota.
    """
    general = {key: value for key, value in data.items() if key != CONF_PROMPT}
    options = AgentOptions.from_subentry(general, encrypted=encrypted)
    rounds = min(options.max_rounds, _ROUNDS)
    return replace(options, max_rounds=rounds, without_lumo=False, few_requests=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfTest:
    """A test of one agent."""

    hass: HomeAssistant
    api: llm.APIInstance
    """What the agent would have in the person's own home."""
    options: AgentOptions
    run_turn: Callable[..., Awaitable[Turn]]
    """Runs a turn of the agent, as `LumoEntity.async_run_turn` does."""

    async def async_run(self, count: int) -> dict[str, Any]:
        """Say so many sentences, or all that the agent has tools for.

        It ends with one that the service does not answer.
        """
        hass, options = self.hass, self.options
        language = translated(hass.config.language)
        titles = await async_titles(hass, language)
        written = await hass.async_add_executor_job(read_written_home, language, titles)
        tools = make_toolbox(self.api, options, written)[0].tools
        names = {last_name(name) for name in tools}
        possible = [
            item for item in written.sentences if not item.tools or item.tools & names
        ]
        results: list[dict[str, Any]] = []
        for sentence in possible[:count]:
            results.append(await self._async_say(sentence, written))
            if results[-1]["verdict"] == FAILED:
                break
        texts = await async_load_sentences(hass, language)
        told = [*hints(results, options, texts)]
        if left_out := len(written.sentences) - len(possible):
            told.append(texts("self_test_left_out", count=str(left_out)))
        return {
            "score": round(sum(item["points"] for item in results) / len(results)),
            "hints": told,
            "requests": sum(item["requests"] for item in results),
            "model": options.model,
            "tool_calling": "native" if options.native else "private",
            "thinking": options.reasoning_effort != "none",
            "sentences": results,
        }

    async def _async_say(
        self, sentence: Sentence, written: WrittenHome
    ) -> dict[str, Any]:
        """Say a sentence in a conversation of its own."""
        toolbox, gate = make_toolbox(self.api, self.options, written)
        prompt = f"{self.options.prompt}\n{written.prompt}"
        # Of no session: Home Assistant keeps none of it.
        log = conversation.ChatLog(
            self.hass,
            ulid_now(),
            [
                conversation.SystemContent(prompt),
                conversation.UserContent(sentence.text),
            ],
            llm_api=toolbox.api,
        )
        speaker = Speaker(
            user_id=None,
            satellite_id=None,
            is_person=True,
            sentence=sentence.text,
            language=written.language,
        )
        turn = await self.run_turn(
            log,
            speaker,
            Kept(),
            options=self.options,
            toolbox=toolbox,
            home=written.home,
        )
        last = log.content[-1]
        said = last.content if isinstance(last, conversation.AssistantContent) else ""
        answer = turn.heard.text or said or ""
        return result_of(sentence, gate, turn.record, answer)
