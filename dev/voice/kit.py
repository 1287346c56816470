"""Sets the satellites and engines up in a Home Assistant of this process."""

from collections.abc import Callable, Sequence
from unittest.mock import patch

from homeassistant.components import tts
from homeassistant.components.assist_pipeline import async_update_pipeline
from homeassistant.components.assist_pipeline.pipeline import async_get_pipeline
from homeassistant.config_entries import ConfigEntry, ConfigFlow
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import area_registry as ar, device_registry as dr
from homeassistant.helpers.entity import Entity
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockModule,
    MockPlatform,
    mock_component,
    mock_config_flow,
    mock_integration,
    mock_platform,
)

from .engines import Ears, Voice, WholeVoice
from .satellite import DOMAIN, Satellite


class _NoFlow(ConfigFlow):
    """The kit is not set up by anybody."""


class VoiceKit(dict[str, Satellite]):
    """The satellites, by the name of the area they stand in."""

    def __init__(self, hass: HomeAssistant) -> None:
        super().__init__()
        self._hass = hass

    async def async_use(
        self,
        *,
        agent: str,
        language: str = "en",
        streams: bool = True,
        ears: str = "stt.ears",
    ) -> None:
        """Let all satellites speak to an agent, in a language, with a kind of voice."""
        await async_update_pipeline(
            self._hass,
            async_get_pipeline(self._hass, None),
            conversation_engine=agent,
            conversation_language="*",
            language=language,
            stt_engine=ears,
            stt_language=language,
            tts_engine="tts.voice" if streams else "tts.whole_voice",
            tts_language=language,
            tts_voice=None,
        )
        await self._hass.async_block_till_done()


async def async_set_up_voice(
    hass: HomeAssistant,
    *,
    agent: str,
    areas: Sequence[str] = ("Kitchen", "Bedroom"),
    language: str = "en",
    streams: bool = True,
) -> VoiceKit:
    """Set up a satellite in each of these areas, which are made where there are none.

    The other arguments are those of `VoiceKit.async_use`.
    """
    kit = VoiceKit(hass)
    listeners: dict[str, Callable[[str], None]] = {}
    kit.update({area: Satellite(area, listeners) for area in areas})
    entities: dict[Platform, Sequence[Entity]] = {
        Platform.STT: [Ears()],
        Platform.TTS: [Voice(listeners), WholeVoice(listeners)],
        Platform.ASSIST_SATELLITE: list(kit.values()),
    }

    async def set_up(hass: HomeAssistant, entry: ConfigEntry) -> bool:
        await hass.config_entries.async_forward_entry_setups(entry, entities)
        return True

    mock_integration(hass, MockModule(DOMAIN, async_setup_entry=set_up), False)
    for platform, things in entities.items():

        async def add(
            _hass: HomeAssistant,
            _entry: ConfigEntry,
            async_add_entities: AddEntitiesCallback,
            things: Sequence[Entity] = things,
        ) -> None:
            async_add_entities(things)

        mock_platform(hass, f"{DOMAIN}.{platform}", MockPlatform(async_setup_entry=add))
    mock_platform(hass, f"{DOMAIN}.config_flow", MockPlatform())
    # It would be started to ask for its version, and nothing here has to be converted.
    mock_component(hass, "ffmpeg")
    with (
        patch.object(tts, "_init_tts_cache_dir"),
        patch.object(tts, "_get_cache_files", return_value={}),
        mock_config_flow(DOMAIN, _NoFlow),
    ):
        assert await async_setup_component(hass, "assist_satellite", {})
        hass.data[tts.DATA_TTS_MANAGER].use_file_cache = False
        entry = MockConfigEntry(domain=DOMAIN)
        entry.add_to_hass(hass)
        assert await hass.config_entries.async_setup(entry.entry_id)
        await hass.async_block_till_done()
    devices, places = dr.async_get(hass), ar.async_get(hass)
    for area, satellite in kit.items():
        assert satellite.device_entry is not None
        devices.async_update_device(
            satellite.device_entry.id, area_id=places.async_get_or_create(area).id
        )
    await kit.async_use(agent=agent, language=language, streams=streams)
    return kit
