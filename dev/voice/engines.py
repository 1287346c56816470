"""Speech-to-text that reads the text in the sound, and voices that note what they say."""

from collections.abc import AsyncGenerator, AsyncIterable, Callable
from typing import Any, Final, override

from homeassistant.components import stt, tts

from dev.sound import text_of

LANGUAGES: Final = ["de", "en", "es", "fr", "it", "ja", "nl"]
RUN: Final = "run"
"""The option of the voice that names the run it speaks for."""


class Ears(stt.SpeechToTextEntity):
    """Understands every word."""

    _attr_name = "Ears"
    _attr_unique_id = "ears"
    supported_languages = LANGUAGES
    supported_formats = [stt.AudioFormats.WAV]
    supported_codecs = [stt.AudioCodecs.PCM]
    supported_bit_rates = [stt.AudioBitRates.BITRATE_16]
    supported_sample_rates = [stt.AudioSampleRates.SAMPLERATE_16000]
    supported_channels = [stt.AudioChannels.CHANNEL_MONO]

    @override
    async def async_process_audio_stream(
        self, metadata: stt.SpeechMetadata, stream: AsyncIterable[bytes]
    ) -> stt.SpeechResult:
        """Return the text in the sound."""
        text = text_of(b"".join([chunk async for chunk in stream]))
        return stt.SpeechResult(text, stt.SpeechResultState.SUCCESS)


class _Voice(tts.TextToSpeechEntity):
    """Its sound is the text, which who listens to the run in its options is told."""

    _attr_default_language = "en"
    _attr_supported_languages = LANGUAGES
    _attr_supported_options = [RUN]

    def __init__(self, listeners: dict[str, Callable[[str], None]]) -> None:
        self._listeners = listeners


class Voice(_Voice):
    """Speaks while it is still given text."""

    _attr_name = "Voice"
    _attr_unique_id = "voice"

    @override
    async def async_stream_tts_audio(
        self, request: tts.TTSAudioRequest
    ) -> tts.TTSAudioResponse:
        """Speak piece by piece."""
        return tts.TTSAudioResponse("mp3", self._sound(request))

    async def _sound(self, request: tts.TTSAudioRequest) -> AsyncGenerator[bytes]:
        async for piece in request.message_gen:
            self._listeners[request.options[RUN]](piece)
            yield piece.encode() or b" "


class WholeVoice(_Voice):
    """Speaks when it has the whole text, as many engines do."""

    _attr_name = "Whole voice"
    _attr_unique_id = "whole_voice"

    @override
    async def async_get_tts_audio(
        self, message: str, language: str, options: dict[str, Any]
    ) -> tts.TtsAudioType:
        """Speak the text."""
        self._listeners[options[RUN]](message)
        return "mp3", message.encode()
