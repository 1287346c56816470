"""The self-test: real requests about a written home, whose calls are only judged.

Each sentence is a turn like any other, of a conversation of its own that nobody keeps. Options and model are the agent's, but for what is of the
person's home: their instructions, and tools of their own making.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from homeassistant.components import conversation
from homeassistant.const import CONF_PROMPT
from homeassistant.helpers import llm
from homeassistant.util.ulid import ulid_now

from ...const import CONF_PHONE_PERSON
from ...context.titles import async_titles
from ...gate.pending import ConversationState
from ...gate.speaker import Speaker
from ...languages import translated
from ..options import AgentOptions
from ..sentences import async_load_sentences
from ..toolbox import Toolbox
from ..turn import Turn
from .dry import last_name, make_toolbox
from .verdicts import FAILED, hints, result_of
from .written import Sentence, WrittenHome, read_written_home

# An answer with calls, and one with their results.
_ROUNDS: Final = 2
# Beside them a call may be written again, and a claim doubted, once each.
MOST_REQUESTS: Final = _ROUNDS + 2

type RunTurn = Callable[..., Awaitable[Turn]]
"""Runs a turn of the agent, as `LumoEntity.async_run_turn` does."""


def options_for_test(data: Mapping[str, Any], *, encrypted: bool) -> AgentOptions:
    """Return an agent's options without what is of its home.

    Only Lumo acts on a sentence, and nobody is told there of what is left of the quota.
    """
    of_home = (CONF_PROMPT, CONF_PHONE_PERSON)
    general = {key: value for key, value in data.items() if key not in of_home}
    options = AgentOptions.from_subentry(general, encrypted=encrypted)
    rounds = min(options.max_rounds, _ROUNDS)
    return replace(options, max_rounds=rounds, without_lumo=False, few_requests=0)


async def async_self_test(
    api: llm.APIInstance, options: AgentOptions, run_turn: RunTurn, count: int
) -> dict[str, Any]:
    """Say so many sentences to an agent, or all that it has tools for.

    `api` is what it would have in the person's own home, whose language is spoken. The
    test ends with a sentence that the service does not answer.
    """
    hass = api.api.hass
    language = translated(hass.config.language)
    titles = await async_titles(hass, language)
    written = await hass.async_add_executor_job(read_written_home, language, titles)
    tools = make_toolbox(api, options, written)[0].tools
    names = {last_name(name) for name in tools}
    possible = [
        item for item in written.sentences if not item.tools or item.tools & names
    ]
    results: list[dict[str, Any]] = []
    for sentence in possible[:count]:
        toolbox, gate = make_toolbox(api, options, written)
        turn = await _async_say(sentence, options, run_turn, toolbox, written)
        results.append(result_of(sentence, gate, turn))
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
    sentence: Sentence,
    options: AgentOptions,
    run_turn: RunTurn,
    toolbox: Toolbox,
    written: WrittenHome,
) -> Turn:
    """Say a sentence in a conversation of its own."""
    assert toolbox.api
    prompt = f"{options.prompt}\n{written.prompt}"
    # Of no session: Home Assistant keeps none of it.
    log = conversation.ChatLog(
        toolbox.api.api.hass,
        ulid_now(),
        [conversation.SystemContent(prompt), conversation.UserContent(sentence.text)],
        llm_api=toolbox.api,
    )
    speaker = Speaker(None, None, True, sentence.text, written.language)
    return await run_turn(
        log,
        speaker,
        ConversationState(),
        options=options,
        toolbox=toolbox,
        home=written.home,
    )
