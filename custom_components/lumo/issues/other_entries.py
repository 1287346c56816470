"""Entries of another integration that has the same domain.

There is one; its entries are of version 2, which this integration therefore never uses.
Home Assistant does not set such an entry up, and asks nobody to migrate it: it only
says that it cannot. So a repair says what it is. Nothing of it is changed or deleted.
"""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback

from ..const import DOMAIN
from .problems import OTHER_INTEGRATION, async_show


def is_other(entry: ConfigEntry) -> bool:
    """Return whether an entry is not of this integration."""
    return entry.version != 1


@callback
def async_report_other_entries(hass: HomeAssistant) -> None:
    """Create an issue for each entry that is not ours."""
    for entry in filter(is_other, hass.config_entries.async_entries(DOMAIN)):
        async_show(hass, OTHER_INTEGRATION, entry.entry_id, name=entry.title)
