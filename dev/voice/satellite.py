"""A satellite with a device, and what a person beside it hears."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
import itertools
from typing import Any, Final, NamedTuple, override

from homeassistant.components import tts
from homeassistant.components.assist_pipeline import PipelineEvent, PipelineEventType
from homeassistant.components.assist_satellite import (
    AssistSatelliteConfiguration,
    AssistSatelliteEntity,
)
from homeassistant.helpers import device_registry as dr

from dev.sound import sound_of

from .engines import RUN

DOMAIN: Final = "voice_kit"

# Ten times 10 ms, as a microphone sends them.
_PACKET = 3200
_RUNS = itertools.count()


class Piece(NamedTuple):
    """A piece of text as the voice was given it."""

    text: str
    seconds: float
    """Since the end of speech."""


@dataclass(slots=True)
class Heard:
    """What came of one sentence, as a person beside the satellite knows it."""

    ended: float = 0.0
    """The end of speech, on the clock of the event loop."""
    pieces: list[Piece] = field(default_factory=list)
    """What the voice was given, in order; one piece where nothing was streamed."""
    listens: bool = False
    """Whether the satellite listens again by itself."""
    streamed: bool = False
    """Whether speech began before the answer was complete."""
    error: str | None = None
    """The code of the pipeline's error."""
    conversation_id: str | None = None
    times: dict[str, float] = field(default_factory=dict)
    """When each kind of event of the pipeline came first, since the end of speech."""
    result: str = ""
    """The speech of the conversation's result, which a screen would show."""

    @property
    def text(self) -> str:
        """Return all that was spoken."""
        return "".join(piece.text for piece in self.pieces).strip()

    @property
    def gaps(self) -> list[float]:
        """Return the silences in seconds: before the first piece, and between them."""
        times = [0.0, *(piece.seconds for piece in self.pieces)]
        return [after - before for before, after in itertools.pairwise(times)]


class Satellite(AssistSatelliteEntity):
    """A satellite that is told what a person says to it."""

    _attr_has_entity_name = True
    _attr_name = None

    def __init__(self, name: str, listeners: dict[str, Callable[[str], None]]) -> None:
        self._attr_unique_id = name
        self._attr_device_info = dr.DeviceInfo(
            identifiers={(DOMAIN, name)}, name=f"{name} satellite"
        )
        self._listeners = listeners
        self._heard = Heard()
        self._run = self._token = ""
        self._playing: asyncio.Task[None] | None = None

    @property
    @override
    def tts_options(self) -> dict[str, Any]:
        """Return the option that tells the voice for which run it speaks."""
        return {RUN: self._run}

    async def say(
        self, text: str, *, stops: bool = True, until: Awaitable[object] | None = None
    ) -> Heard:
        """Say a sentence; return what is heard when the answer has been played.

        Without `stops` the room falls silent behind it and the speech detector finds
        its end; else the sound just ends. The last bit of it is said when `until` is
        over.
        """
        self._run = run = f"{self._attr_unique_id} {next(_RUNS)}"
        self._heard = heard = Heard()
        self._playing = None
        self._listeners[run] = lambda text: heard.pieces.append(
            Piece(text, self.hass.loop.time() - heard.ended)
        )
        try:
            await self.async_accept_pipeline_from_satellite(
                _stream(text, stops=stops, until=until)
            )
            await self._async_played()
        finally:
            del self._listeners[run]
        return heard

    async def _async_played(self) -> None:
        if self._playing:
            await self._playing

    def forget(self) -> None:
        """Begin a new conversation with the next sentence."""
        self._conversation_id = None

    @override
    def on_pipeline_event(self, event: PipelineEvent) -> None:
        """Play the answer, as soon as there is something to play."""
        if event.type is PipelineEventType.STT_END:
            self._heard.ended = self.hass.loop.time()
        now = self.hass.loop.time() - self._heard.ended
        self._heard.times.setdefault(event.type.value, now)
        data = event.data or {}
        match event.type:
            case PipelineEventType.RUN_START:
                self._token = data.get("tts_output", {}).get("token", "")
                self._heard.conversation_id = data["conversation_id"]
            case PipelineEventType.INTENT_PROGRESS if data.get("tts_start_streaming"):
                self._heard.streamed = True
                self._play()
            case PipelineEventType.INTENT_END:
                output = data["intent_output"]
                self._heard.listens = output["continue_conversation"]
                speech = output["response"]["speech"]
                self._heard.result = speech.get("plain", {}).get("speech", "")
            case PipelineEventType.TTS_END if self._playing is None:
                self._play()
            case PipelineEventType.ERROR:
                self._heard.error = data["code"]

    def _play(self) -> None:
        self._playing = self.hass.async_create_task(self._async_play(self._token))

    async def _async_play(self, token: str) -> None:
        stream = tts.async_get_stream(self.hass, token)
        assert stream is not None
        async for _sound in stream.async_stream_result():
            pass
        self.tts_response_finished()

    @override
    def async_get_configuration(self) -> AssistSatelliteConfiguration:
        """Return that it has no wake words."""
        return AssistSatelliteConfiguration([], [], 0)

    @override
    async def async_set_configuration(
        self, config: AssistSatelliteConfiguration
    ) -> None:
        """Do nothing."""


async def _stream(
    text: str, *, stops: bool, until: Awaitable[object] | None
) -> AsyncIterator[bytes]:
    sound = sound_of(text)
    for at in range(0, len(sound), _PACKET):
        if until and at + _PACKET >= len(sound):
            await until
        yield sound[at : at + _PACKET]
    while not stops:
        await asyncio.sleep(0)
        yield bytes(_PACKET)
