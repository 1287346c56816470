"""Entities that do at once what they are told, and never change by themselves.

A row says how one starts: attributes of its class, as Home Assistant names them
(`is_on`, `current_cover_position`), or what its class takes besides. The demo home is
made of them, and so are the homes of the benchmarks.
"""

from typing import Any

from homeassistant.components.binary_sensor import BinarySensorEntity
from homeassistant.components.climate import (
    ClimateEntity,
    ClimateEntityFeature,
    HVACAction,
    HVACMode,
)
from homeassistant.components.cover import CoverEntity, CoverEntityFeature
from homeassistant.components.fan import DIRECTION_FORWARD, FanEntity, FanEntityFeature
from homeassistant.components.light import ColorMode, LightEntity
from homeassistant.components.lock import LockEntity
from homeassistant.components.media_player import (
    BrowseMedia,
    MediaClass,
    MediaPlayerEntity,
    MediaPlayerEntityFeature,
    MediaPlayerState,
    MediaType,
    SearchMedia,
    SearchMediaQuery,
)
from homeassistant.components.number import NumberEntity
from homeassistant.components.scene import Scene
from homeassistant.components.select import SelectEntity
from homeassistant.components.sensor import SensorEntity, SensorStateClass
from homeassistant.components.switch import SwitchEntity
from homeassistant.components.todo import (
    TodoItem,
    TodoItemStatus,
    TodoListEntity,
    TodoListEntityFeature,
)
from homeassistant.components.vacuum import (
    StateVacuumEntity,
    VacuumActivity,
    VacuumEntityFeature,
)
from homeassistant.components.valve import ValveEntity, ValveEntityFeature
from homeassistant.const import UnitOfTemperature
from homeassistant.helpers.entity import Entity


class DemoEntity(Entity):
    """An entity with a name, an identity, and how it starts."""

    _attr_should_poll = False

    def __init__(self, unique_id: str, name: str, start: dict[str, Any]) -> None:
        super().__init__()
        self._attr_unique_id = unique_id
        self._attr_name = name
        self.take(**start)

    def take(self, **attributes: Any) -> None:
        """Set attributes of the class, before it is shown."""
        for key, value in attributes.items():
            setattr(self, f"_attr_{key}", value)

    def take_state(self, state: str) -> None:
        """Take a state, as if it had always been so."""
        raise NotImplementedError

    def show(self, **attributes: Any) -> None:
        """Set attributes of the class and tell Home Assistant."""
        self.take(**attributes)
        self.async_write_ha_state()


class _OnOff(DemoEntity):
    def take_state(self, state: str) -> None:
        self.take(is_on=state == "on")

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.show(is_on=True)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.show(is_on=False)


class _Switch(_OnOff, SwitchEntity):
    _attr_is_on = False


class _Light(_OnOff, LightEntity):
    _attr_is_on = False
    _attr_brightness = 255
    _attr_supported_color_modes = {ColorMode.BRIGHTNESS}
    _attr_color_mode = ColorMode.BRIGHTNESS
    _attr_color_temp_kelvin = None
    _attr_hs_color = None

    async def async_turn_on(self, **kwargs: Any) -> None:
        if "hs_color" in kwargs:
            self.take(color_mode=ColorMode.HS, color_temp_kelvin=None)
        if "color_temp_kelvin" in kwargs:
            self.take(color_mode=ColorMode.COLOR_TEMP, hs_color=None)
        told = ("brightness", "hs_color", "color_temp_kelvin")
        self.show(is_on=True, **{key: kwargs[key] for key in told if key in kwargs})


class _Fan(DemoEntity, FanEntity):
    _attr_percentage = 0
    _attr_oscillating = False
    _attr_current_direction = DIRECTION_FORWARD
    _attr_supported_features = (
        FanEntityFeature.SET_SPEED
        | FanEntityFeature.OSCILLATE
        | FanEntityFeature.DIRECTION
        | FanEntityFeature.TURN_ON
        | FanEntityFeature.TURN_OFF
    )

    def take_state(self, state: str) -> None:
        self.take(percentage=50 if state == "on" else 0)

    async def async_set_percentage(self, percentage: int) -> None:
        self.show(percentage=percentage)

    async def async_turn_on(
        self,
        percentage: int | None = None,
        preset_mode: str | None = None,
        **kwargs: Any,
    ) -> None:
        self.show(percentage=100 if percentage is None else percentage)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.show(percentage=0)

    async def async_oscillate(self, oscillating: bool) -> None:
        self.show(oscillating=oscillating)

    async def async_set_direction(self, direction: str) -> None:
        self.show(current_direction=direction)


class _Cover(DemoEntity, CoverEntity):
    _attr_is_closed = True
    _attr_supported_features = (
        CoverEntityFeature.OPEN | CoverEntityFeature.CLOSE | CoverEntityFeature.STOP
    )

    def take_state(self, state: str) -> None:
        self._move(0 if state == "closed" else 100)

    def _move(self, position: int) -> None:
        self.take(is_closed=position == 0)
        if CoverEntityFeature.SET_POSITION in self._attr_supported_features:
            self.take(current_cover_position=position)

    async def async_open_cover(self, **kwargs: Any) -> None:
        await self.async_set_cover_position(position=100)

    async def async_close_cover(self, **kwargs: Any) -> None:
        await self.async_set_cover_position(position=0)

    async def async_set_cover_position(self, **kwargs: Any) -> None:
        self._move(kwargs["position"])
        self.async_write_ha_state()

    async def async_stop_cover(self, **kwargs: Any) -> None:
        """Stay: it has arrived already."""


class _Valve(DemoEntity, ValveEntity):
    _attr_reports_position = True
    _attr_supported_features = (
        ValveEntityFeature.OPEN
        | ValveEntityFeature.CLOSE
        | ValveEntityFeature.SET_POSITION
    )

    def take_state(self, state: str) -> None:
        self.take(current_valve_position=0 if state == "closed" else 100)

    async def async_open_valve(self) -> None:
        self.show(current_valve_position=100)

    async def async_close_valve(self) -> None:
        self.show(current_valve_position=0)

    async def async_set_valve_position(self, position: int) -> None:
        self.show(current_valve_position=position)


class _Lock(DemoEntity, LockEntity):
    _attr_is_locked = True

    def take_state(self, state: str) -> None:
        self.take(is_locked=state == "locked")

    async def async_lock(self, **kwargs: Any) -> None:
        self.show(is_locked=True)

    async def async_unlock(self, **kwargs: Any) -> None:
        self.show(is_locked=False)


class _Climate(DemoEntity, ClimateEntity):
    _attr_hvac_modes = [HVACMode.HEAT, HVACMode.OFF]
    _attr_hvac_mode = HVACMode.HEAT
    _attr_current_temperature = 20.0
    _attr_target_temperature = 20.0
    _attr_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_target_temperature_step = 0.5
    _attr_min_temp = 5
    _attr_max_temp = 30
    _attr_supported_features = (
        ClimateEntityFeature.TARGET_TEMPERATURE
        | ClimateEntityFeature.TURN_ON
        | ClimateEntityFeature.TURN_OFF
    )

    @property
    def hvac_action(self) -> HVACAction:
        if self.hvac_mode is HVACMode.OFF:
            return HVACAction.OFF
        warm = (self.current_temperature or 0) >= (self.target_temperature or 0)
        return HVACAction.IDLE if warm else HVACAction.HEATING

    def take_state(self, state: str) -> None:
        self.take(hvac_mode=HVACMode(state))

    async def async_set_temperature(self, **kwargs: Any) -> None:
        self.show(
            target_temperature=kwargs.get("temperature", self.target_temperature),
            hvac_mode=kwargs.get("hvac_mode", self.hvac_mode),
        )

    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        self.show(hvac_mode=hvac_mode)

    async def async_turn_on(self) -> None:
        self.show(hvac_mode=HVACMode.HEAT)

    async def async_turn_off(self) -> None:
        self.show(hvac_mode=HVACMode.OFF)


class _MediaPlayer(DemoEntity, MediaPlayerEntity):
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
        | MediaPlayerEntityFeature.SEARCH_MEDIA
        | MediaPlayerEntityFeature.PLAY_MEDIA
        | MediaPlayerEntityFeature.GROUPING
    )
    _attr_media_content_type = MediaType.MUSIC
    _attr_is_volume_muted = False
    _attr_volume_level = 0.35
    _attr_media_track = 1
    _album = ""

    @property
    def media_title(self) -> str | None:
        playing = self.state in (MediaPlayerState.PLAYING, MediaPlayerState.PAUSED)
        return f"{self._album} Track {self.media_track}".lstrip() if playing else None

    def take_state(self, state: str) -> None:
        self.take(state=MediaPlayerState(state))

    def _play(self, track: int) -> None:
        self.show(state=MediaPlayerState.PLAYING, media_track=max(1, track))

    async def async_turn_on(self) -> None:
        # What plays goes on, as with real players.
        if self.state is MediaPlayerState.OFF:
            self.show(state=MediaPlayerState.ON)

    async def async_turn_off(self) -> None:
        self.show(state=MediaPlayerState.OFF)

    async def async_media_play(self) -> None:
        self.show(state=MediaPlayerState.PLAYING)

    async def async_media_pause(self) -> None:
        self.show(state=MediaPlayerState.PAUSED)

    async def async_media_next_track(self) -> None:
        self._play((self.media_track or 0) + 1)

    async def async_media_previous_track(self) -> None:
        self._play((self.media_track or 0) - 1)

    async def async_search_media(self, query: SearchMediaQuery) -> SearchMedia:
        found = BrowseMedia(
            media_class=MediaClass.ALBUM,
            media_content_id=query.search_query,
            media_content_type=MediaType.MUSIC,
            title=query.search_query.title(),
            can_play=True,
            can_expand=False,
        )
        return SearchMedia(result=[found])

    async def async_play_media(
        self, media_type: str, media_id: str, **kwargs: Any
    ) -> None:
        self._album = media_id.title()
        self._play(1)

    async def async_join_players(self, group_members: list[str]) -> None:
        self.show(group_members=[self.entity_id, *group_members])

    async def async_unjoin_player(self) -> None:
        self.show(state=MediaPlayerState.IDLE, group_members=[])

    async def async_set_volume_level(self, volume: float) -> None:
        self.show(volume_level=volume)

    async def async_mute_volume(self, mute: bool) -> None:
        self.show(is_volume_muted=mute)


class _Vacuum(DemoEntity, StateVacuumEntity):
    _attr_activity = VacuumActivity.DOCKED
    _attr_supported_features = (
        VacuumEntityFeature.STATE
        | VacuumEntityFeature.START
        | VacuumEntityFeature.STOP
        | VacuumEntityFeature.PAUSE
        | VacuumEntityFeature.RETURN_HOME
    )

    def take_state(self, state: str) -> None:
        self.take(activity=VacuumActivity(state))

    async def async_start(self) -> None:
        self.show(activity=VacuumActivity.CLEANING)

    async def async_pause(self) -> None:
        self.show(activity=VacuumActivity.PAUSED)

    async def async_stop(self, **kwargs: Any) -> None:
        self.show(activity=VacuumActivity.IDLE)

    async def async_return_to_base(self, **kwargs: Any) -> None:
        self.show(activity=VacuumActivity.DOCKED)


class _Scene(DemoEntity, Scene):
    def take_state(self, state: str) -> None:
        """Its state is when it was activated."""

    async def async_activate(self, **kwargs: Any) -> None:
        """Set nothing."""


class _Select(DemoEntity, SelectEntity):
    async def async_select_option(self, option: str) -> None:
        self.show(current_option=option)


class _Number(DemoEntity, NumberEntity):
    async def async_set_native_value(self, value: float) -> None:
        self.show(native_value=value)


class _Sensor(DemoEntity, SensorEntity):
    _attr_state_class = SensorStateClass.MEASUREMENT


class _BinarySensor(DemoEntity, BinarySensorEntity):
    pass


class _TodoList(DemoEntity, TodoListEntity):
    """It starts with `items`: their summaries."""

    _attr_supported_features = (
        TodoListEntityFeature.CREATE_TODO_ITEM
        | TodoListEntityFeature.UPDATE_TODO_ITEM
        | TodoListEntityFeature.DELETE_TODO_ITEM
    )
    _attr_todo_items: list[TodoItem]
    _created = 0

    def take(self, **attributes: Any) -> None:
        super().take(todo_items=[])
        for summary in attributes.get("items", ()):
            self._add(TodoItem(summary=summary))

    def take_state(self, state: str) -> None:
        self.take()

    def _add(self, item: TodoItem) -> None:
        self._created += 1
        item.uid = str(self._created)
        item.status = item.status or TodoItemStatus.NEEDS_ACTION
        self._attr_todo_items = [*self._attr_todo_items, item]

    async def async_create_todo_item(self, item: TodoItem) -> None:
        self._add(item)
        self.async_write_ha_state()

    async def async_update_todo_item(self, item: TodoItem) -> None:
        self._attr_todo_items = [
            item if old.uid == item.uid else old for old in self._attr_todo_items
        ]
        self.async_write_ha_state()

    async def async_delete_todo_items(self, uids: list[str]) -> None:
        self._attr_todo_items = [
            item for item in self._attr_todo_items if item.uid not in uids
        ]
        self.async_write_ha_state()


KINDS: dict[str, type[DemoEntity]] = {
    "binary_sensor": _BinarySensor, "climate": _Climate, "cover": _Cover, "fan": _Fan,
    "light": _Light, "lock": _Lock, "media_player": _MediaPlayer, "number": _Number,
    "scene": _Scene, "select": _Select, "sensor": _Sensor, "switch": _Switch,
    "todo": _TodoList, "vacuum": _Vacuum, "valve": _Valve,
}  # fmt: skip
"""The class of each domain; those of `shown.py` are not among them."""
