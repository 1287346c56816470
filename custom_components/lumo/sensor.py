"""What is left of an account, what was used of it, and how well it answers."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, override

from homeassistant.components.sensor import (
    RestoreSensor,
    SensorDeviceClass,
    SensorEntity,
    SensorEntityDescription,
    SensorStateClass,
)
from homeassistant.const import EntityCategory, UnitOfTime
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .coordinator import AccountState, LumoConfigEntry
from .entity import LumoAccountEntity

PARALLEL_UPDATES = 0


@dataclass(frozen=True, kw_only=True)
class LumoSensorDescription(SensorEntityDescription):
    """A sensor and where its value is."""

    entity_category: EntityCategory | None = EntityCategory.DIAGNOSTIC
    state_class: SensorStateClass | None = SensorStateClass.TOTAL_INCREASING
    value: Callable[[AccountState], float | None]


# Requests left are None, which is shown as unknown, where the plan has no limit or none
# was told.
SENSORS: Final = (
    LumoSensorDescription(
        key="requests_left_lite",
        state_class=SensorStateClass.MEASUREMENT,
        value=lambda state: state.limits.lite if state.limits else None,
    ),
    LumoSensorDescription(
        key="requests_left_max",
        state_class=SensorStateClass.MEASUREMENT,
        value=lambda state: state.limits.max if state.limits else None,
    ),
    LumoSensorDescription(key="requests", value=lambda state: state.totals["requests"]),
    LumoSensorDescription(
        key="misrouted",
        entity_registry_enabled_default=False,
        value=lambda state: state.totals["rescues"] + state.totals["bounces"],
    ),
    LumoSensorDescription(
        key="names_in_clear",
        entity_registry_enabled_default=False,
        value=lambda state: state.totals["names_in_clear"],
    ),
    LumoSensorDescription(
        key="first_word",
        entity_registry_enabled_default=False,
        state_class=SensorStateClass.MEASUREMENT,
        device_class=SensorDeviceClass.DURATION,
        native_unit_of_measurement=UnitOfTime.SECONDS,
        value=lambda state: state.first_word,
    ),
)
NEXT_PLAN: Final = SensorEntityDescription(
    key="next_plan", device_class=SensorDeviceClass.TIMESTAMP
)


async def async_setup_entry(
    hass: HomeAssistant,
    entry: LumoConfigEntry,
    async_add_entities: AddConfigEntryEntitiesCallback,
) -> None:
    """Set up the sensors of an account."""
    sensors = (LumoSensor(entry, description) for description in SENSORS)
    async_add_entities([LumoPlanSensor(entry, NEXT_PLAN), *sensors])


class LumoSensor(LumoAccountEntity, RestoreSensor):
    """A number about an account."""

    entity_description: LumoSensorDescription
    _before: float = 0
    """A sum over all turns before this start."""

    @override
    async def async_added_to_hass(self) -> None:
        await super().async_added_to_hass()
        last = await self.async_get_last_sensor_data()
        is_sum = self.state_class is SensorStateClass.TOTAL_INCREASING
        if is_sum and last and isinstance(last.native_value, int):
            self._before = last.native_value

    @property
    @override
    def native_value(self) -> float | None:
        """Return what was told last, or the sum so far."""
        value = self.entity_description.value(self.coordinator.data)
        return None if value is None else value + self._before

    @property
    @override
    def extra_state_attributes(self) -> dict[str, Any] | None:
        """Return how many sentences took no request since the start."""
        if self.entity_description.key != "requests":
            return None
        return {"done_at_home": self.coordinator.data.totals["at_home"]}


class LumoPlanSensor(LumoAccountEntity, SensorEntity):
    """When the next plan is due, with all plans as an attribute."""

    # Without Lumo, too.
    available = True
    _unrecorded_attributes = frozenset({"plans"})

    @property
    @override
    def native_value(self) -> datetime | None:
        """Return when the next plan runs; one that waits for a state has no time."""
        plans = self.coordinator.plans
        times = (plan.next_at for plan in plans if not plan.trigger.entity_id)
        return min(times, default=None)

    @property
    @override
    def extra_state_attributes(self) -> dict[str, Any]:
        """Return what is planned, but not what will be said."""
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
