"""What the entities of an agent have in common."""

from homeassistant.config_entries import ConfigSubentry
from homeassistant.helpers import device_registry as dr
from homeassistant.helpers.update_coordinator import CoordinatorEntity

from .const import DOMAIN
from .coordinator import LumoConfigEntry, LumoCoordinator


class LumoEntity(CoordinatorEntity[LumoCoordinator]):
    """An entity of one agent: a subentry, shown as a service."""

    _attr_has_entity_name = True
    _attr_name = None

    def __init__(self, entry: LumoConfigEntry, subentry: ConfigSubentry) -> None:
        """Take the account and the agent."""
        super().__init__(entry.runtime_data)
        self.entry = entry
        self.subentry = subentry
        self._attr_unique_id = subentry.subentry_id
        self._attr_device_info = dr.DeviceInfo(
            identifiers={(DOMAIN, subentry.subentry_id)},
            name=subentry.title,
            manufacturer="Proton",
            model="Lumo",
            entry_type=dr.DeviceEntryType.SERVICE,
        )
