"""Energy: what the meters of Home Assistant's energy dashboard counted.

Imported only where the recorder and the dashboard run.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from homeassistant.components.energy.data import async_get_manager
from homeassistant.core import HomeAssistant, State, valid_entity_id
from homeassistant.exceptions import HomeAssistantError

from ..gate.places import Scope
from .answers import Answer, counted
from .finder import nearest
from .periods import Period

# The meters of the dashboard's sources, and what each adds to what is used at home.
_FLOWS: Final = (
    ("grid", "stat_energy_from", "from the grid", 1),
    ("grid", "stat_energy_to", "returned to the grid", -1),
    ("solar", "stat_energy_from", "solar", 1),
    ("battery", "stat_energy_from", "from the battery", 1),
    ("battery", "stat_energy_to", "into the battery", -1),
    ("home", "stat_energy_to", "measured at home", 0),
    ("gas", "stat_energy_from", "gas", 0),
    ("water", "stat_energy_from", "water", 0),
)
_DEVICES: Final = ("device_consumption", "device_consumption_water")
_COSTS: Final = {"stat_energy_from": "stat_cost", "stat_energy_to": "stat_compensation"}
# They name no meter.
_ALL_OF_IT: Final = {"all", "electricity", "energy", "home", "house", "power", "total"}


class Meter(NamedTuple):
    """A meter of the dashboard."""

    name: str
    statistic_id: str
    share: int
    """1 or -1: it adds to or takes from what is used at home."""
    is_device: bool


async def async_meters(
    hass: HomeAssistant,
    name: str,
    may_read: Callable[[State], bool],
    scope: Scope | None,
) -> list[Meter]:
    """Return the sources or devices of a name. Raises HomeAssistantError if none."""

    def may_be_told(meter: Meter) -> bool:
        if not valid_entity_id(meter.statistic_id):
            # Of no entity: the owner has put it on the dashboard.
            return scope is None
        state = hass.states.get(meter.statistic_id)
        return state is not None and may_read(state)

    preferences: Any = (await async_get_manager(hass)).data or {}
    every = list(_meters(hass, preferences))
    meters = [meter for meter in every if may_be_told(meter)]
    if not meters:
        raise HomeAssistantError(
            "No meter of the energy dashboard is exposed to Assist, or there is none."
        )
    words = set(name.casefold().split()) - _ALL_OF_IT
    if not words and all(meter in meters for meter in every if meter.share):
        return [meter for meter in meters if not meter.is_device]
    found = [
        meter._replace(share=0)
        for meter in meters
        if all(word in meter.name.casefold() for word in words)
        and (words or not meter.is_device)
    ]
    if not found:
        names = [meter.name for meter in meters]
        raise HomeAssistantError(
            f"There is no meter for {name}. {nearest(name, names)}"
        )
    return found


async def async_costs(hass: HomeAssistant, meters: Sequence[Meter]) -> list[Meter]:
    """Return what the dashboard keeps of the cost of meters, and of what they earned.

    Raises HomeAssistantError if it keeps none.
    """
    costs: dict[str, str] = dict(hass.data["energy"]["cost_sensors"])
    preferences: Any = (await async_get_manager(hass)).data or {}
    for source in preferences.get("energy_sources", ()):
        for key, cost in _COSTS.items():
            if (statistic_id := source.get(key)) and source.get(cost):
                costs[statistic_id] = source[cost]
    found = [
        meter._replace(statistic_id=costs[meter.statistic_id])
        for meter in meters
        if meter.statistic_id in costs
    ]
    if not found:
        raise HomeAssistantError("The energy dashboard keeps no cost of that.")
    return found


def used(
    hass: HomeAssistant, meters: Sequence[Meter], total: str, period: Period
) -> dict[str, Answer]:
    """Return what the meters counted, by name, and under `total` that together."""
    sums: dict[str, dict[str, int]] = {}
    for meter in meters:
        for name, share in ((meter.name, 1), (total, meter.share)):
            if share:
                sums.setdefault(name, {})[meter.statistic_id] = share
    return {name: counted(hass, name, each, period) for name, each in sums.items()}


def _meters(hass: HomeAssistant, preferences: Mapping[str, Any]) -> Iterator[Meter]:
    for source in preferences.get("energy_sources", ()):
        for kind, key, name, share in _FLOWS:
            if source["type"] == kind and (statistic_id := source.get(key)):
                yield Meter(name, statistic_id, share, False)
    for key in _DEVICES:
        for device in preferences.get(key, ()):
            statistic_id = device["stat_consumption"]
            state = hass.states.get(statistic_id)
            name = device.get("name") or (state.name if state else statistic_id)
            yield Meter(name, statistic_id, 0, True)
