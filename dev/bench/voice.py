"""The integration's own share between the end of speech and the first spoken piece.

    end of speech -> request   from the recognised sentence to the request's arrival
    first words -> voice       from their leaving the server to the text-to-speech engine
    own share                  both: the wait that is neither the model's nor the network's

Beside it stands a plain agent in the same run: Home Assistant's prompt and tools as one
body in clear, the answer's lines as they come. Both speak through a whole pipeline, with
a satellite, speech-to-text and a streaming voice that take no time.

Then what is ready before the words are there: the same request where each connection
takes a while to open, for an agent that is told that speech begins and for one that is
not. Times are milliseconds, lower quartiles: a busy machine delays some turns, and not
the same of both.

Last, how much text the cleaner takes in a second, in pieces as a model writes them.
"""

import argparse
import asyncio
from collections.abc import AsyncGenerator
import json
import multiprocessing
from multiprocessing.connection import Connection
import os
from pathlib import Path
import tempfile
import time
from typing import Any, Final, override
from unittest.mock import AsyncMock, patch

# Home Assistant must be imported before anything imports httpx.
from homeassistant.components import conversation
from homeassistant.const import MATCH_ALL
from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
from homeassistant.helpers.chat_session import async_get_chat_session
from homeassistant.helpers.httpx_client import get_async_client
import probatio
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.conversation import LumoConversationEntity
from custom_components.lumo.languages import language_of
from custom_components.lumo.speech.cleaner import Cleaner
from dev.voice import VoiceKit, async_set_up_voice

from .table import print_table
from .turn_home import Home
from .turn_server import serve

SIZES: Final = (28, 500, 2000)
# More than the sixty characters from which on Home Assistant begins to speak.
WORDS: Final = (
    "The light in the kitchen is on, and it has been on since seven this morning. ",
    "Somebody turned it on ",
    "by hand.",
)
ROUNDS: Final = 3
SENTENCE: Final = "Is the kitchen light on?"
LUMO: Final = "conversation.lumo"
CONNECT_SECONDS: Final = 0.15
SPEECH_SECONDS: Final = 0.3
REQUEST, FIRST, OWN = "end of speech -> request", "first words -> voice", "own share"


PROSE: Final = "The oven is on, and the lamp in the hall is off. " * 400
MARKDOWN: Final = (
    "## Scones\n\nTake **225 g** of flour, see [here](https://example.org/a):\n\n"
    "1. Heat the oven to 220 °C.\n2. Mix *gently* for 2–3 minutes.\n\n"
    "| Room | Light |\n| --- | --- |\n| Hall | on |\n\nIt works.【1†source】\n\n"
) * 100
PIECE: Final = 5


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="scripts/bench voice", description=__doc__)
    parser.add_argument("--turns", type=int, default=15, help="turns for each size")
    turns = parser.parse_args().turns
    context = multiprocessing.get_context("spawn")
    pipe, other = context.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        key_file = str(Path(folder) / "key.asc")
        process = context.Process(
            target=serve, args=(other, key_file, WORDS), daemon=True
        )
        process.start()
        try:
            port = await asyncio.to_thread(pipe.recv)
            os.environ["LUMO_BASE_URL"] = f"http://127.0.0.1:{port}"
            os.environ["LUMO_PUBLIC_KEY_FILE"] = key_file
            await _measure(pipe, turns)
            _measure_cleaner()
        finally:
            pipe.send("stop")
            process.join(5)


async def _measure(pipe: Connection, turns: int) -> None:
    async with Home() as home:
        entry = MockConfigEntry(domain="plain")
        entry.add_to_hass(home.hass)
        conversation.async_set_agent(home.hass, entry, _PlainAgent(home.hass))
        voice = await async_set_up_voice(home.hass, agent=LUMO)
        rows: list[tuple[str, ...]] = []
        for size in SIZES:
            await home.grow(size)
            ours, plain = await _turns(voice, pipe, turns, LUMO, entry.entry_id)
            rows += [
                (f"{size}", row, *_cells(ours[row], plain[row]))
                for row in (REQUEST, FIRST, OWN)
            ]
            if size == SIZES[0]:
                await _measure_connections(voice, pipe, turns)
        head = ("exposed", "milliseconds", "Lumo", "plain", "ratio")
        print_table(head, rows, title="voice")


async def _measure_connections(voice: VoiceKit, pipe: Connection, turns: int) -> None:
    """Compare what comes of a connection that takes long to open."""
    pipe.send(CONNECT_SECONDS)
    await asyncio.to_thread(pipe.recv)
    [prepared] = await _turns(voice, pipe, turns, LUMO)
    with patch.object(LumoConversationEntity, "async_prepare", AsyncMock()):
        [unprepared] = await _turns(voice, pipe, turns, LUMO)
    pipe.send(0.0)
    await asyncio.to_thread(pipe.recv)
    cells = _cells(prepared[REQUEST], unprepared[REQUEST])
    title = f"a connection takes {CONNECT_SECONDS * 1000:.0f} ms to open"
    head = ("milliseconds", "prepared", "not", "ratio")
    print_table(head, [(REQUEST, *cells)], title=title)


def _measure_cleaner() -> None:
    """Print the rate of the best of some runs."""
    rows = []
    for name, text in (("prose", PROSE), ("Markdown", MARKDOWN)):
        pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
        seconds = []
        for _ in range(5):
            cleaner = Cleaner(language_of("en"))
            begun = time.perf_counter()
            for piece in pieces:
                cleaner.feed(piece)
            cleaner.finish()
            seconds.append(time.perf_counter() - begun)
        rows.append((name, f"{len(text) / min(seconds) / 1e6:.2f}"))
    print_table(("text", "million characters/s"), rows, title="cleaner")


def _cells(ours: float, theirs: float) -> tuple[str, str, str]:
    return f"{ours:.1f}", f"{theirs:.1f}", f"{ours / theirs:.2f}"


async def _turns(
    voice: VoiceKit, pipe: Connection, turns: int, *agents: str
) -> list[dict[str, float]]:
    """Return the lower quartiles of each agent; they take turns in some rounds.

    The first two of a round are left out: Home Assistant looks at a changed pipeline,
    and a connection may be open still.
    """
    found: dict[str, list[dict[str, float]]] = {agent: [] for agent in agents}
    for _ in range(ROUNDS):
        for agent in agents:
            await voice.async_use(agent=agent)
            heard = [await _turn(voice, pipe) for _ in range(turns // ROUNDS + 2)]
            found[agent] += heard[2:]
    return [
        {
            row: 1000 * sorted(values[row] for values in measured)[len(measured) // 4]
            for row in (REQUEST, FIRST, OWN)
        }
        for measured in found.values()
    ]


async def _turn(voice: VoiceKit, pipe: Connection) -> dict[str, float]:
    satellite = voice["Kitchen"]
    satellite.forget()
    heard = await satellite.say(SENTENCE, until=asyncio.sleep(SPEECH_SECONDS))
    assert heard.streamed and heard.text == "".join(WORDS), heard
    notes = await asyncio.to_thread(pipe.recv)
    request = notes["request"] - heard.ended
    first = heard.ended + heard.pieces[0].seconds - notes["chunks"][0]
    return {REQUEST: request, FIRST: first, OWN: request + first}


class _PlainAgent(conversation.AbstractConversationAgent):
    """An agent as plain as they come, over the same server in clear."""

    def __init__(self, hass: HomeAssistant) -> None:
        self._hass = hass
        self._http = get_async_client(hass)

    @property
    @override
    def supported_languages(self) -> Any:
        return MATCH_ALL

    @override
    async def async_process(
        self, user_input: conversation.ConversationInput
    ) -> conversation.ConversationResult:
        with (
            async_get_chat_session(self._hass, user_input.conversation_id) as session,
            conversation.async_get_chat_log(self._hass, session, user_input) as log,
        ):
            await log.async_provide_llm_data(
                user_input.as_llm_context("plain"), llm.LLM_API_ASSIST, None, None
            )
            async for _content in log.async_add_delta_content_stream(
                user_input.agent_id, self._deltas(log)
            ):
                pass
            return conversation.async_get_result_from_chat_log(user_input, log)

    async def _deltas(
        self, log: conversation.ChatLog
    ) -> AsyncGenerator[conversation.AssistantContentDeltaDict]:
        api = log.llm_api
        assert api
        body = {
            "messages": [
                {"role": item.role, "content": item.content}
                for item in log.content
                if isinstance(
                    item, conversation.SystemContent | conversation.UserContent
                )
            ],
            "tools": [
                {
                    "type": "function",
                    "function": {
                        "name": tool.name,
                        "description": tool.description,
                        "parameters": probatio.to_openapi(
                            tool.parameters, custom_serializer=api.custom_serializer
                        ),
                    },
                }
                for tool in api.tools
            ],
        }
        url = f"{os.environ['LUMO_BASE_URL']}/api/ai/v1/chat/completions"
        yield {"role": "assistant"}
        async with self._http.stream("POST", url, json=body) as response:
            async for line in response.aiter_lines():
                if '"content"' in line:
                    delta = json.loads(line[6:])["choices"][0]["delta"]
                    yield {"content": delta["content"]}


if __name__ == "__main__":
    asyncio.run(main())
