"""Proton's Lumo as a conversation agent of Home Assistant."""

from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv

from .const import DOMAIN
from .coordinator import LumoConfigEntry, LumoCoordinator
from .session_store import SessionStore

PLATFORMS = (Platform.CONVERSATION,)
CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)


async def async_setup_entry(hass: HomeAssistant, entry: LumoConfigEntry) -> bool:
    """Set up an account."""
    coordinator = LumoCoordinator(hass, entry)
    entry.async_on_unload(coordinator.async_shutdown)
    await coordinator.async_config_entry_first_refresh()
    entry.runtime_data = coordinator
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    entry.async_on_unload(entry.add_update_listener(_async_update_listener))
    return True


async def async_unload_entry(hass: HomeAssistant, entry: LumoConfigEntry) -> bool:
    """Unload an account."""
    return await hass.config_entries.async_unload_platforms(entry, PLATFORMS)


async def async_remove_entry(hass: HomeAssistant, entry: LumoConfigEntry) -> None:
    """Forget an account."""
    await SessionStore(hass, entry.entry_id).async_remove()


async def async_migrate_entry(hass: HomeAssistant, entry: LumoConfigEntry) -> bool:
    """Bring an entry of an older version up to date.

    There is one version so far; an entry of a later one cannot be read.
    """
    return entry.version == 1


async def _async_update_listener(hass: HomeAssistant, entry: LumoConfigEntry) -> None:
    """Reload, so that new agents and changed options take effect."""
    await hass.config_entries.async_reload(entry.entry_id)
