"""Speech to text through Lumo; experimental, and only where a person has added it."""

from collections.abc import AsyncIterable
from typing import Final, override

from homeassistant.components import stt
from homeassistant.generated.languages import LANGUAGES as HOME_LANGUAGES

from .const import LOGGER, SUBENTRY_STT
from .entity import LumoSubentryEntity, set_up_each
from .lumo_client.errors import LumoError
from .lumo_client.realtime import LANGUAGES, transcription_language
from .sign_in.connection import async_speech_socket

PARALLEL_UPDATES = 0

# Tags that people's pipelines have, beside Home Assistant's own.
_REGIONS: Final = "de-AT de-CH en-US nl-BE pt-PT zh-CN zh-HK zh-TW"
_FAILED: Final = stt.SpeechResult(None, stt.SpeechResultState.ERROR)


class LumoSpeechToText(LumoSubentryEntity, stt.SpeechToTextEntity):
    """Understands speech while it is spoken."""

    _attr_translation_key = "speech"
    supported_languages = sorted({*LANGUAGES, *HOME_LANGUAGES, *_REGIONS.split()})
    supported_formats = [stt.AudioFormats.WAV]
    supported_codecs = [stt.AudioCodecs.PCM]
    supported_bit_rates = [stt.AudioBitRates.BITRATE_16]
    supported_sample_rates = [stt.AudioSampleRates.SAMPLERATE_16000]
    supported_channels = [stt.AudioChannels.CHANNEL_MONO]

    @override
    async def async_process_audio_stream(
        self, metadata: stt.SpeechMetadata, stream: AsyncIterable[bytes]
    ) -> stt.SpeechResult:
        """Return what is said; nothing of it is kept or logged."""
        language = transcription_language(metadata.language)
        try:
            socket = async_speech_socket(self.hass, self.entry)
            text = await socket.transcribe(stream, language)
        except LumoError as err:
            LOGGER.warning("Speech could not be understood: %s", err)
            return _FAILED
        if not text:
            return _FAILED
        return stt.SpeechResult(text, stt.SpeechResultState.SUCCESS)


async_setup_entry = set_up_each(SUBENTRY_STT, LumoSpeechToText)
