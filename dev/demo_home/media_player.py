"""The TV and the radio of the demo home."""

from homeassistant.components.media_player import (
    MediaPlayerDeviceClass,
    MediaPlayerEntity,
    MediaPlayerEntityFeature,
    MediaPlayerState,
    MediaType,
)
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.helpers.typing import ConfigType, DiscoveryInfoType

from .entity import DemoHomeEntity
from .house import Thing, things


async def async_setup_platform(
    hass: HomeAssistant,
    config: ConfigType,
    async_add_entities: AddEntitiesCallback,
    discovery_info: DiscoveryInfoType | None = None,
) -> None:
    """Add the house's media players."""
    async_add_entities(
        DemoMediaPlayer(thing) for thing in things(Platform.MEDIA_PLAYER)
    )


class DemoMediaPlayer(DemoHomeEntity, MediaPlayerEntity):
    """A media player with a list of numbered tracks."""

    _attr_supported_features = (
        MediaPlayerEntityFeature.TURN_ON
        | MediaPlayerEntityFeature.TURN_OFF
        | MediaPlayerEntityFeature.PLAY
        | MediaPlayerEntityFeature.PAUSE
        | MediaPlayerEntityFeature.NEXT_TRACK
        | MediaPlayerEntityFeature.PREVIOUS_TRACK
        | MediaPlayerEntityFeature.VOLUME_SET
        | MediaPlayerEntityFeature.VOLUME_STEP
        | MediaPlayerEntityFeature.VOLUME_MUTE
    )
    _attr_media_content_type = MediaType.MUSIC
    _attr_is_volume_muted = False

    def __init__(self, thing: Thing) -> None:
        """Start as the table says."""
        super().__init__(thing)
        self._attr_device_class = MediaPlayerDeviceClass(thing.start["device_class"])
        self._attr_volume_level = thing.start["volume"]
        self._track = 1
        self._show(MediaPlayerState(thing.start["state"]))

    def _show(self, state: MediaPlayerState) -> None:
        """Take a state, and the title that belongs to it."""
        self._attr_state = state
        playing = state in {MediaPlayerState.PLAYING, MediaPlayerState.PAUSED}
        self._attr_media_title = f"Track {self._track}" if playing else None

    async def async_turn_on(self) -> None:
        """Turn on."""
        self._show(MediaPlayerState.ON)
        self.async_write_ha_state()

    async def async_turn_off(self) -> None:
        """Turn off."""
        self._show(MediaPlayerState.OFF)
        self.async_write_ha_state()

    async def async_media_play(self) -> None:
        """Play."""
        self._show(MediaPlayerState.PLAYING)
        self.async_write_ha_state()

    async def async_media_pause(self) -> None:
        """Pause."""
        self._show(MediaPlayerState.PAUSED)
        self.async_write_ha_state()

    async def async_media_next_track(self) -> None:
        """Go on to the next track."""
        self._track += 1
        await self.async_media_play()

    async def async_media_previous_track(self) -> None:
        """Go back to the track before."""
        self._track = max(1, self._track - 1)
        await self.async_media_play()

    async def async_set_volume_level(self, volume: float) -> None:
        """Set the volume, 0 to 1."""
        self._attr_volume_level = volume
        self.async_write_ha_state()

    async def async_mute_volume(self, mute: bool) -> None:
        """Mute or unmute."""
        self._attr_is_volume_muted = mute
        self.async_write_ha_state()
