"""Entries of another integration that has the same domain.

There is one; its entries are of version 2, which this integration therefore never uses.
Home Assistant does not set such an entry up, and asks nobody to migrate it: it only
says that it cannot. So a repair says what it is. Nothing of it is changed or deleted.
"""

from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from ..const import DOMAIN
from .problems import OTHER_INTEGRATION


def is_other(entry: ConfigEntry) -> bool:
    """Return whether an entry is not of this integration."""
    return entry.version != 1


@callback
def async_report_other_entries(hass: HomeAssistant) -> None:
    """Create an issue for each entry that is not ours."""
    for entry in filter(is_other, hass.config_entries.async_entries(DOMAIN)):
        ir.async_create_issue(
            hass,
            DOMAIN,
            f"{OTHER_INTEGRATION}_{entry.entry_id}",
            is_fixable=False,
            severity=ir.IssueSeverity.WARNING,
            translation_key=OTHER_INTEGRATION,
            translation_placeholders={"name": entry.title},
        )
