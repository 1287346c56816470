"""The entities of the house: each notes what it was told to do, and does it."""

from datetime import datetime, timedelta
from typing import Any

from homeassistant.components.alarm_control_panel import (
    AlarmControlPanelEntity,
    AlarmControlPanelEntityFeature,
    AlarmControlPanelState,
)
from homeassistant.components.button import ButtonEntity
from homeassistant.components.calendar import (
    CalendarEntity,
    CalendarEntityFeature,
    CalendarEvent,
)
from homeassistant.components.climate import (
    ClimateEntity,
    ClimateEntityFeature,
    HVACMode,
)
from homeassistant.components.cover import (
    CoverDeviceClass,
    CoverEntity,
    CoverEntityFeature,
)
from homeassistant.components.fan import FanEntity, FanEntityFeature
from homeassistant.components.light import ColorMode, LightEntity
from homeassistant.components.lock import LockEntity, LockEntityFeature
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
from homeassistant.components.scene import Scene
from homeassistant.components.select import SelectEntity
from homeassistant.components.switch import SwitchEntity
from homeassistant.components.todo import (
    TodoItem,
    TodoItemStatus,
    TodoListEntity,
    TodoListEntityFeature,
)
from homeassistant.components.valve import ValveEntity, ValveEntityFeature
from homeassistant.const import UnitOfTemperature
from homeassistant.helpers.device_registry import DeviceInfo
from homeassistant.helpers.entity import Entity
from homeassistant.util import dt as dt_util

DOMAIN = "house"


class Recorded(Entity):
    """An entity that notes what it was told to do."""

    _attr_should_poll = False
    stuck = False

    def __init__(
        self, object_id: str, name: str, *, device: str | None = None, **more: Any
    ) -> None:
        """Take id and name; the domain is added by the house."""
        self.object_id = object_id
        self.effects: list[str] = []
        self._attr_unique_id = object_id
        self._attr_name = name
        if device:
            self._attr_has_entity_name = True
            self._attr_name = None if name == device else name
            self._attr_device_info = DeviceInfo(
                identifiers={(DOMAIN, device)}, name=device
            )
        for key, value in more.items():
            setattr(self, f"_attr_{key}", value)

    def keep(self) -> None:
        """Remember what it is like now."""
        self._kept = {
            name: getattr(self, name)
            for name in dir(self)
            if name.startswith("_attr_") and hasattr(self, name)
        }

    def restore(self) -> None:
        for key in ("stuck", "jams", "title"):
            vars(self).pop(key, None)
        for key, value in self._kept.items():
            setattr(self, key, value)
        self.async_write_ha_state()

    def did(self, service: str, value: object = None, **attributes: Any) -> None:
        """Note it in the house's list, and take over the new state.

        One that is stuck was told, but does nothing.
        """
        words = [service, self.entity_id, *([] if value is None else [str(value)])]
        self.effects.append(" ".join(words))
        if self.stuck:
            return
        for key, new in attributes.items():
            setattr(self, f"_attr_{key}", new)
        self.async_write_ha_state()


def does(service: str, **attributes: Any) -> Any:
    async def act(entity: Recorded, *_: Any, **__: Any) -> None:
        entity.did(service, **attributes)

    return act


class Light(Recorded, LightEntity):
    _attr_supported_color_modes = {ColorMode.BRIGHTNESS}
    _attr_color_mode = ColorMode.BRIGHTNESS
    _attr_is_on = True
    async_turn_off = does("turn_off", is_on=False)

    async def async_turn_on(self, **kwargs: Any) -> None:
        self.did("turn_on", is_on=True, brightness=kwargs.get("brightness", 255))


class Switch(Recorded, SwitchEntity):
    _attr_is_on = False
    async_turn_on = does("turn_on", is_on=True)
    async_turn_off = does("turn_off", is_on=False)


class Fan(Recorded, FanEntity):
    _attr_supported_features = (
        FanEntityFeature.SET_SPEED
        | FanEntityFeature.TURN_ON
        | FanEntityFeature.TURN_OFF
    )
    _attr_percentage = 0

    async_turn_on = does("turn_on", percentage=50)
    async_turn_off = does("turn_off", percentage=0)

    async def async_set_percentage(self, percentage: int) -> None:
        self.did("set_percentage", percentage, percentage=percentage)


class Lock(Recorded, LockEntity):
    """A lock that can also pull the latch; locked at the start."""

    _attr_is_locked = True
    _attr_supported_features = LockEntityFeature.OPEN
    jams = False

    async_lock = does("lock", is_locked=True, is_open=False)
    async_open = does("open", is_locked=False, is_open=True)

    async def async_unlock(self, **kwargs: Any) -> None:
        """Unlock, or try to."""
        if self.jams:
            self.did("unlock", is_jammed=True)
        else:
            self.did("unlock", is_locked=False)


class Cover(Recorded, CoverEntity):
    """Something that opens; closed at the start."""

    _attr_current_cover_position = 0
    _attr_is_closed = True
    _attr_supported_features = (
        CoverEntityFeature.OPEN
        | CoverEntityFeature.CLOSE
        | CoverEntityFeature.STOP
        | CoverEntityFeature.SET_POSITION
    )

    def __init__(
        self, object_id: str, name: str, kind: CoverDeviceClass | None, **more: Any
    ) -> None:
        super().__init__(object_id, name, device_class=kind, **more)

    async_open_cover = does("open_cover", current_cover_position=100, is_closed=False)
    async_close_cover = does("close_cover", current_cover_position=0, is_closed=True)
    async_stop_cover = does("stop_cover")

    async def async_set_cover_position(self, **kwargs: Any) -> None:
        position = kwargs["position"]
        self.did(
            "set_cover_position",
            position,
            current_cover_position=position,
            is_closed=position == 0,
        )


class Valve(Recorded, ValveEntity):
    """A valve; closed at the start."""

    _attr_reports_position = False
    _attr_is_closed = True
    _attr_supported_features = ValveEntityFeature.OPEN | ValveEntityFeature.CLOSE

    async_open_valve = does("open_valve", is_closed=False)
    async_close_valve = does("close_valve", is_closed=True)


class Alarm(Recorded, AlarmControlPanelEntity):
    """An alarm; armed at the start."""

    _attr_alarm_state = AlarmControlPanelState.ARMED_HOME
    _attr_code_arm_required = False
    _attr_supported_features = (
        AlarmControlPanelEntityFeature.ARM_HOME
        | AlarmControlPanelEntityFeature.ARM_AWAY
    )

    async_alarm_disarm = does(
        "alarm_disarm", alarm_state=AlarmControlPanelState.DISARMED
    )
    async_alarm_arm_home = does(
        "alarm_arm_home", alarm_state=AlarmControlPanelState.ARMED_HOME
    )
    async_alarm_arm_away = does(
        "alarm_arm_away", alarm_state=AlarmControlPanelState.ARMED_AWAY
    )


# Home Assistant 2026.11 puts it before the names of temperatures.
NATIVE = "native_" if hasattr(ClimateEntity, "_attr_native_target_temperature") else ""


class Climate(Recorded, ClimateEntity):
    """A thermostat, at 20 degrees."""

    _attr_hvac_mode = HVACMode.HEAT
    _attr_hvac_modes = [HVACMode.HEAT, HVACMode.OFF]
    _attr_min_temp = 0
    _attr_max_temp = 60
    _attr_supported_features = (
        ClimateEntityFeature.TARGET_TEMPERATURE
        | ClimateEntityFeature.TURN_ON
        | ClimateEntityFeature.TURN_OFF
    )

    async_turn_on = does("turn_on", hvac_mode=HVACMode.HEAT)
    async_turn_off = does("turn_off", hvac_mode=HVACMode.OFF)

    def __init__(self, object_id: str, name: str) -> None:
        at_first = {
            "temperature_unit": UnitOfTemperature.CELSIUS,
            "target_temperature": 20.0,
            "current_temperature": 19.0,
        }
        more: dict[str, Any] = {NATIVE + key: at_first[key] for key in at_first}
        super().__init__(object_id, name, **more)

    async def async_set_temperature(self, **kwargs: Any) -> None:
        value = kwargs.get("temperature", kwargs.get("target_temp_high"))
        new = {f"{NATIVE}target_temperature": value}
        self.did("set_temperature", f"{value:g}", **new)

    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        """Turn on or off."""
        self.did("set_hvac_mode", hvac_mode, hvac_mode=hvac_mode)


class Player(Recorded, MediaPlayerEntity):
    """A media player that plays something."""

    _attr_state = MediaPlayerState.PLAYING
    _attr_volume_level = 0.3
    _attr_is_volume_muted = False
    _attr_media_title = "Evening songs"
    _attr_supported_features = (
        MediaPlayerEntityFeature.PAUSE
        | MediaPlayerEntityFeature.PLAY
        | MediaPlayerEntityFeature.NEXT_TRACK
        | MediaPlayerEntityFeature.VOLUME_SET
        | MediaPlayerEntityFeature.TURN_ON
        | MediaPlayerEntityFeature.TURN_OFF
        | MediaPlayerEntityFeature.PLAY_MEDIA
        | MediaPlayerEntityFeature.SEARCH_MEDIA
    )

    async_turn_on = does("turn_on", state=MediaPlayerState.ON)
    async_turn_off = does("turn_off", state=MediaPlayerState.OFF)
    async_media_pause = does("media_pause", state=MediaPlayerState.PAUSED)
    async_media_play = does("media_play", state=MediaPlayerState.PLAYING)
    async_media_next_track = does("media_next_track")

    async def async_set_volume_level(self, volume: float) -> None:
        self.did("set_volume_level", f"{volume:g}", volume_level=volume)

    async def async_search_media(self, query: SearchMediaQuery) -> SearchMedia:
        song = BrowseMedia(
            media_class=MediaClass.TRACK,
            media_content_id="library://track/1",
            media_content_type=MediaType.MUSIC,
            title="Evening song",
            can_play=True,
            can_expand=False,
        )
        return SearchMedia(result=[song])

    async def async_play_media(
        self, media_type: str, media_id: str, **kwargs: Any
    ) -> None:
        self.did("play_media", media_id)


class Button(Recorded, ButtonEntity):
    async_press = does("press")


class Select(Recorded, SelectEntity):
    _attr_options = ["Open", "Shut"]
    _attr_current_option = "Shut"

    async def async_select_option(self, option: str) -> None:
        self.did("select_option", option, current_option=option)


class HubScene(Recorded, Scene):
    """A scene that a hub knows, and nobody else can look into."""

    async_activate = does("activate")


class TodoList(Recorded, TodoListEntity):
    _attr_supported_features = (
        TodoListEntityFeature.CREATE_TODO_ITEM
        | TodoListEntityFeature.UPDATE_TODO_ITEM
        | TodoListEntityFeature.DELETE_TODO_ITEM
    )

    def put(self, *texts: str) -> None:
        self._attr_todo_items = [
            TodoItem(summary=text, uid=text, status=TodoItemStatus.NEEDS_ACTION)
            for text in texts
        ]
        self.async_write_ha_state()

    async def async_create_todo_item(self, item: TodoItem) -> None:
        self.did("add_item", item.summary, todo_items=[*(self.todo_items or []), item])

    async def async_update_todo_item(self, item: TodoItem) -> None:
        self.did("update_item", item.summary)

    async def async_delete_todo_items(self, uids: list[str]) -> None:
        self.did("remove_item", ", ".join(uids))


class Calendar(Recorded, CalendarEntity):
    """A calendar with one event, within the hour."""

    title = "Dentist"
    _attr_supported_features = CalendarEntityFeature(0b111)

    async def async_delete_event(self, uid: str, *args: Any, **kwargs: Any) -> None:
        self.did("delete_event", uid)

    async def async_update_event(
        self, uid: str, event: dict[str, Any], *args: Any, **kwargs: Any
    ) -> None:
        self.did("update_event", event["summary"])

    async def async_create_event(self, **kwargs: Any) -> None:
        self.did("create_event", kwargs["summary"])

    @property
    def event(self) -> CalendarEvent | None:
        return None

    async def async_get_events(
        self, hass: Any, start_date: datetime, end_date: datetime
    ) -> list[CalendarEvent]:
        begin = dt_util.now() + timedelta(minutes=1)
        end = begin + timedelta(hours=1)
        return [CalendarEvent(begin, end, self.title, uid="one")]
