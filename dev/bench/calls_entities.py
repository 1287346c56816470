"""Entities that take any state at once and do what they are told.

The bench puts them into a state before each sentence (`put`), so that what the sentence
should change can be seen to change.
"""

from typing import Any

from homeassistant.components.climate import (
    ClimateEntity,
    ClimateEntityFeature,
    HVACMode,
)
from homeassistant.components.cover import CoverEntity, CoverEntityFeature
from homeassistant.components.fan import FanEntity, FanEntityFeature
from homeassistant.components.light import ColorMode, LightEntity
from homeassistant.components.lock import LockEntity
from homeassistant.components.media_player import (
    MediaPlayerEntity,
    MediaPlayerEntityFeature,
    MediaPlayerState,
)
from homeassistant.components.scene import Scene
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

WARM = (30.0, 20.0)
BRIGHTNESS = 94
SPEED = 50
TARGET = 20.0
VOLUME = 0.35
TRACK = 5


class Thing(Entity):
    """Identity, name and place come from the home's description."""

    _attr_should_poll = False

    def __init__(self, description: dict[str, Any]) -> None:
        """Start as the home's description says."""
        self.entity_id = description["id"]
        self._attr_unique_id = description["id"]
        self._attr_name = description["name"]
        attributes = description.get("attributes") or {}
        self._attr_device_class = attributes.get("device_class")
        self._start(attributes)
        self.put(description["state"])

    def _start(self, attributes: dict[str, Any]) -> None:
        """Take what never changes."""

    def put(self, state: str, **more: Any) -> None:
        """Take a state, as if it had always been so; `now` shows it."""
        raise NotImplementedError

    def now(self, state: str, **more: Any) -> None:
        """Take a state, and show it."""
        self.put(state, **more)
        self.async_write_ha_state()


class _Light(Thing, LightEntity):
    _attr_supported_color_modes = {ColorMode.HS}
    _attr_color_mode = ColorMode.HS

    def put(self, state: str, **more: Any) -> None:
        self._attr_is_on = state == "on"
        self._attr_brightness = more.get("brightness", BRIGHTNESS)
        self._attr_hs_color = more.get("hs_color", WARM)

    async def async_turn_on(self, **kwargs: Any) -> None:
        shown = {"brightness": self.brightness, "hs_color": self.hs_color}
        self.now("on", **(shown | kwargs))

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.now("off", brightness=self.brightness, hs_color=self.hs_color)


class _Switch(Thing, SwitchEntity):
    def put(self, state: str, **more: Any) -> None:
        self._attr_is_on = state == "on"

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.now("on")

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.now("off")


class _Fan(Thing, FanEntity):
    _attr_supported_features = (
        FanEntityFeature.SET_SPEED
        | FanEntityFeature.TURN_ON
        | FanEntityFeature.TURN_OFF
    )

    def put(self, state: str, **more: Any) -> None:
        self._attr_percentage = more.get("percentage", SPEED if state == "on" else 0)

    async def async_set_percentage(self, percentage: int) -> None:
        self.now("on", percentage=percentage)

    async def async_turn_on(
        self,
        percentage: int | None = None,
        preset_mode: str | None = None,
        **kwargs: Any,
    ) -> None:
        self.now("on", percentage=SPEED if percentage is None else percentage)

    async def async_turn_off(self, **kwargs: Any) -> None:
        self.now("off")


class _Cover(Thing, CoverEntity):
    _attr_supported_features = (
        CoverEntityFeature.OPEN
        | CoverEntityFeature.CLOSE
        | CoverEntityFeature.STOP
        | CoverEntityFeature.SET_POSITION
    )

    def put(self, state: str, **more: Any) -> None:
        position = more.get("position", 0 if state == "closed" else 100)
        self._attr_current_cover_position = position
        self._attr_is_closed = position == 0

    async def async_open_cover(self, **kwargs: Any) -> None:
        self.now("open")

    async def async_close_cover(self, **kwargs: Any) -> None:
        self.now("closed")

    async def async_set_cover_position(self, **kwargs: Any) -> None:
        self.now("", position=kwargs["position"])

    async def async_stop_cover(self, **kwargs: Any) -> None:
        """Stay; it has arrived already."""


class _Valve(Thing, ValveEntity):
    _attr_reports_position = True
    _attr_supported_features = (
        ValveEntityFeature.OPEN
        | ValveEntityFeature.CLOSE
        | ValveEntityFeature.SET_POSITION
    )

    def put(self, state: str, **more: Any) -> None:
        self._attr_current_valve_position = more.get(
            "position", 0 if state == "closed" else 100
        )

    async def async_open_valve(self) -> None:
        self.now("open")

    async def async_close_valve(self) -> None:
        self.now("closed")

    async def async_set_valve_position(self, position: int) -> None:
        self.now("", position=position)


class _Lock(Thing, LockEntity):
    def put(self, state: str, **more: Any) -> None:
        self._attr_is_locked = state == "locked"

    async def async_lock(self, **kwargs: Any) -> None:
        self.now("locked")

    async def async_unlock(self, **kwargs: Any) -> None:
        self.now("unlocked")


class _Climate(Thing, ClimateEntity):
    _attr_hvac_modes = [HVACMode.HEAT, HVACMode.OFF]
    _attr_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_min_temp = 0
    _attr_max_temp = 100
    _attr_supported_features = (
        ClimateEntityFeature.TARGET_TEMPERATURE
        | ClimateEntityFeature.TURN_ON
        | ClimateEntityFeature.TURN_OFF
    )

    def _start(self, attributes: dict[str, Any]) -> None:
        self._attr_current_temperature = attributes.get("current_temperature")

    def put(self, state: str, **more: Any) -> None:
        self._attr_hvac_mode = HVACMode(state)
        self._attr_target_temperature = more.get("temperature", TARGET)

    async def async_set_temperature(self, **kwargs: Any) -> None:
        mode = str(kwargs.get("hvac_mode") or self.hvac_mode)
        self.now(mode, temperature=kwargs["temperature"])

    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        self.now(hvac_mode, temperature=self.target_temperature)

    async def async_turn_on(self) -> None:
        await self.async_set_hvac_mode(HVACMode.HEAT)

    async def async_turn_off(self) -> None:
        await self.async_set_hvac_mode(HVACMode.OFF)


class _MediaPlayer(Thing, MediaPlayerEntity):
    _attr_supported_features = (
        MediaPlayerEntityFeature.PLAY
        | MediaPlayerEntityFeature.PAUSE
        | MediaPlayerEntityFeature.NEXT_TRACK
        | MediaPlayerEntityFeature.PREVIOUS_TRACK
        | MediaPlayerEntityFeature.VOLUME_SET
    )

    def _start(self, attributes: dict[str, Any]) -> None:
        self._attr_supported_features |= attributes.get("more_features", 0)

    def put(self, state: str, **more: Any) -> None:
        self._attr_state = MediaPlayerState(state)
        self._attr_media_track = more.get("media_track", TRACK)
        self._attr_volume_level = more.get("volume_level", VOLUME)

    def _now(self, state: str | None = None, **more: Any) -> None:
        shown = {"media_track": self.media_track, "volume_level": self.volume_level}
        self.now(state or str(self.state), **(shown | more))

    async def async_media_play(self) -> None:
        self._now("playing")

    async def async_media_pause(self) -> None:
        self._now("paused")

    async def async_media_next_track(self) -> None:
        self._now(media_track=(self.media_track or 0) + 1)

    async def async_media_previous_track(self) -> None:
        self._now(media_track=(self.media_track or 0) - 1)

    async def async_set_volume_level(self, volume: float) -> None:
        self._now(volume_level=volume)


class _Vacuum(Thing, StateVacuumEntity):
    _attr_supported_features = (
        VacuumEntityFeature.STATE
        | VacuumEntityFeature.START
        | VacuumEntityFeature.RETURN_HOME
    )

    def put(self, state: str, **more: Any) -> None:
        self._attr_activity = VacuumActivity(state)

    async def async_start(self) -> None:
        self.now("cleaning")

    async def async_return_to_base(self, **kwargs: Any) -> None:
        self.now("returning")


class _TodoList(Thing, TodoListEntity):
    _attr_supported_features = (
        TodoListEntityFeature.CREATE_TODO_ITEM
        | TodoListEntityFeature.UPDATE_TODO_ITEM
        | TodoListEntityFeature.DELETE_TODO_ITEM
    )

    def put(self, state: str, **more: Any) -> None:
        self._attr_todo_items = [
            TodoItem(summary=text, uid=text, status=TodoItemStatus.NEEDS_ACTION)
            for text in more.get("items", ())
        ]

    def _show(self, items: list[TodoItem]) -> None:
        self._attr_todo_items = items
        self.async_write_ha_state()

    async def async_create_todo_item(self, item: TodoItem) -> None:
        item.uid = f"{len(self.todo_items or ())} {item.summary}"
        self._show([*(self.todo_items or ()), item])

    async def async_update_todo_item(self, item: TodoItem) -> None:
        self._show(
            [item if old.uid == item.uid else old for old in self.todo_items or ()]
        )

    async def async_delete_todo_items(self, uids: list[str]) -> None:
        self._show([item for item in self.todo_items or () if item.uid not in uids])


class _Scene(Thing, Scene):
    """A scene; its state is when it was activated."""

    def put(self, state: str, **more: Any) -> None:
        """There is nothing to take."""

    async def async_activate(self, **kwargs: Any) -> None:
        """There is nothing to set."""


KINDS: dict[str, type[Thing]] = {
    "climate": _Climate,
    "cover": _Cover,
    "fan": _Fan,
    "light": _Light,
    "lock": _Lock,
    "media_player": _MediaPlayer,
    "scene": _Scene,
    "switch": _Switch,
    "todo": _TodoList,
    "vacuum": _Vacuum,
    "valve": _Valve,
}
"""The entities that can be told to do something; scripts are Home Assistant's own."""

OPPOSITES = {
    "on": "off",
    "off": "on",
    "open": "closed",
    "closed": "open",
    "locked": "unlocked",
    "unlocked": "locked",
    "paused": "playing",
    "playing": "paused",
    "cleaning": "docked",
    "returning": "cleaning",
}
