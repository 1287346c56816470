"""What is left of an account, what was used of it, and how well it answers."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, override

from homeassistant.components.sensor import (
    SensorDeviceClass,
    SensorEntity,
    SensorEntityDescription,
    SensorStateClass,
)
from homeassistant.const import PERCENTAGE, EntityCategory, UnitOfTime
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import dt as dt_util

from .account_state import AccountState
from .coordinator import UPDATE_INTERVAL_CONNECTED, LumoConfigEntry
from .entity import LumoAccountEntity
from .lumo_client.auth import SessionCredential
from .lumo_client.errors import LumoError
from .lumo_client.key_usage import UsageDay

PARALLEL_UPDATES = 0
SCAN_INTERVAL = UPDATE_INTERVAL_CONNECTED

# The pools that Proton's web client knows; one that comes later is "other".
_CATEGORIES: Final = ("lite", "max", "images")
_OTHER: Final = "other"


@dataclass(frozen=True, kw_only=True)
class LumoSensorDescription(SensorEntityDescription):
    """A sensor and where its value is. Few need most of them."""

    entity_category: EntityCategory | None = EntityCategory.DIAGNOSTIC
    entity_registry_enabled_default: bool = False
    state_class: SensorStateClass | None = SensorStateClass.MEASUREMENT
    value: Callable[[AccountState], float | str | None] = lambda _state: None
    of_keys: Callable[[UsageDay], int] | None = None
    """What of a day of an API key is added up, in place of a value."""
    of_plans: bool = False
    """It is about what is planned."""


def _left(pool: str, *, enabled: bool = False) -> LumoSensorDescription:
    """Return a sensor of the requests that are left in a pool.

    None, which is shown as unknown, where the plan has no limit or none was told.
    """
    return LumoSensorDescription(
        key=f"requests_left_{pool}",
        entity_registry_enabled_default=enabled,
        value=lambda state: getattr(state.limits, pool) if state.limits else None,
    )


def _total(key: str, *, enabled: bool = False) -> LumoSensorDescription:
    """Return a sensor of what all turns took and did."""
    return LumoSensorDescription(
        key=key,
        entity_registry_enabled_default=enabled,
        state_class=SensorStateClass.TOTAL_INCREASING,
        value=lambda state: state.total(key),
    )


def _share(key: str) -> LumoSensorDescription:
    """Return a sensor of how many requests led to something, in percent."""
    return LumoSensorDescription(
        key=f"{key}_share",
        native_unit_of_measurement=PERCENTAGE,
        value=lambda state: state.share(key),
    )


def _of_keys(key: str, count: Callable[[UsageDay], int]) -> LumoSensorDescription:
    """Return a sensor of what the account's API keys were used for in this month."""
    return LumoSensorDescription(
        key=key, state_class=SensorStateClass.TOTAL_INCREASING, of_keys=count
    )


def _category(state: AccountState) -> str | None:
    if state.last_category is None or state.last_category in _CATEGORIES:
        return state.last_category
    return _OTHER


SENSORS: Final = (
    _left("lite", enabled=True),
    _left("max", enabled=True),
    _left("images"),
    LumoSensorDescription(
        key="last_reply_tokens", value=lambda state: state.last_tokens
    ),
    LumoSensorDescription(
        key="last_category",
        device_class=SensorDeviceClass.ENUM,
        state_class=None,
        options=[*_CATEGORIES, _OTHER],
        value=_category,
    ),
    LumoSensorDescription(
        key="next_plan",
        entity_category=None,
        entity_registry_enabled_default=True,
        device_class=SensorDeviceClass.TIMESTAMP,
        state_class=None,
        of_plans=True,
    ),
    _total("requests", enabled=True),
    _total("input_tokens"),
    _total("output_tokens"),
    _total("names_in_clear"),
    _total("pictures"),
    _share("rescues"),
    _share("bounces"),
    LumoSensorDescription(
        key="first_word",
        device_class=SensorDeviceClass.DURATION,
        native_unit_of_measurement=UnitOfTime.SECONDS,
        value=lambda state: state.first_word,
    ),
    _of_keys("key_requests", lambda day: day.calls),
    _of_keys("key_tokens", lambda day: day.tokens),
)


async def async_setup_entry(
    hass: HomeAssistant,
    entry: LumoConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Set up the sensors of an account; the use of keys is told to its owner only."""
    is_owner = isinstance(entry.runtime_data.client.credential, SessionCredential)
    async_add_entities(
        _class_of(description)(entry, description)
        for description in SENSORS
        if is_owner or not description.of_keys
    )


class LumoSensor(LumoAccountEntity, SensorEntity):
    """A number or a word about an account."""

    entity_description: LumoSensorDescription

    @property
    @override
    def native_value(self) -> float | str | None:
        """Return what was told last."""
        return self.entity_description.value(self.coordinator.data)


class LumoKeySensor(LumoAccountEntity, SensorEntity):
    """What API keys were used for in this month. Asked for where somebody wants it."""

    entity_description: LumoSensorDescription

    @property
    @override
    def should_poll(self) -> bool:
        """Return that this is not what the coordinator asks for."""
        return True

    @override
    async def async_added_to_hass(self) -> None:
        """Ask for the first time."""
        await super().async_added_to_hass()
        self.async_schedule_update_ha_state(force_refresh=True)

    @override
    async def async_update(self) -> None:
        """Take the sum, and by their names those of the keys; None if it is not told."""
        count = self.entity_description.of_keys
        assert count
        today, used = dt_util.utcnow().date(), Counter[str]()
        self._attr_native_value, self._attr_extra_state_attributes = None, {}
        with suppress(LumoError):
            keys = await self.coordinator.client.key_usage(today.replace(day=1), today)
            for key in keys:
                used[key.name] += sum(map(count, key.days))
            self._attr_native_value = used.total()
            # By itself a name could be that of an attribute of Home Assistant's.
            self._attr_extra_state_attributes = {"keys": {**used}}


class LumoPlanSensor(LumoAccountEntity, SensorEntity):
    """When something is done next that a person has planned, and all that is."""

    _unrecorded_attributes = frozenset({"plans"})

    @property
    @override
    def available(self) -> bool:
        """Return that plans do not need Lumo."""
        return True

    @property
    @override
    def native_value(self) -> datetime | None:
        """Return the next time; what waits for a state has none."""
        plans = self.coordinator.plans
        times = (plan.next_at for plan in plans if not plan.trigger.entity_id)
        return min(times, default=None)

    @property
    @override
    def extra_state_attributes(self) -> dict[str, Any]:
        """Return what is planned; what is to be said is nobody else's."""
        return {
            "plans": [
                {
                    "names": plan.names,
                    "at": None if plan.trigger.entity_id else plan.next_at.isoformat(),
                    "waits_for": plan.trigger.name or None,
                }
                for plan in self.coordinator.plans
            ]
        }


def _class_of(description: LumoSensorDescription) -> type[LumoAccountEntity]:
    if description.of_plans:
        return LumoPlanSensor
    return LumoKeySensor if description.of_keys else LumoSensor
