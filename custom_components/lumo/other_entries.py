"""Entries of another integration that has the same domain.

There is one; its entries are of version 2, which this integration therefore never uses.
Home Assistant does not set such an entry up, and asks nobody to migrate it: it only
says that it cannot. So a repair says what it is, and offers to use its API key in an
entry of ours. Nothing of it is changed or deleted.
"""

from typing import Any

from homeassistant.config_entries import ConfigEntry
from homeassistant.const import CONF_API_KEY
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from .const import CONF_ALLOW_UNENCRYPTED, CONF_BASE_URL, DOMAIN
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
            data={"entry_id": entry.entry_id, "problem": OTHER_INTEGRATION},
            is_fixable=True,
            severity=ir.IssueSeverity.WARNING,
            translation_key=OTHER_INTEGRATION,
            translation_placeholders={"name": entry.title},
        )


def filled_in(entry: ConfigEntry) -> dict[str, Any] | None:
    """Return what our form of an API key would be filled in with, None without one."""
    key, address = entry.data.get(CONF_API_KEY), entry.data.get(CONF_BASE_URL)
    if not isinstance(key, str) or not key.strip():
        return None
    return {
        CONF_API_KEY: key,
        "advanced": {
            CONF_BASE_URL: address if isinstance(address, str) else "",
            CONF_ALLOW_UNENCRYPTED: False,
        },
    }
