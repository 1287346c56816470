"""Proton's Lumo as a conversation agent of Home Assistant."""

from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers import config_validation as cv
from homeassistant.helpers.start import async_at_started
from homeassistant.helpers.typing import ConfigType

from .const import DOMAIN
from .coordinator import LumoConfigEntry, LumoCoordinator
from .issues.home_issues import async_look_at_home, async_watch_home_issues
from .issues.problems import async_report_other_entries, async_show_problems, is_other
from .private_store import PrivateStore
from .services import async_register_services
from .sign_in.session_store import SessionStore, async_own_session, async_sign_out

PLATFORMS = (
    Platform.AI_TASK,
    Platform.CONVERSATION,
    Platform.SENSOR,
    Platform.STT,
    Platform.TODO,
)
CONFIG_SCHEMA = cv.config_entry_only_config_schema(DOMAIN)


async def async_setup(hass: HomeAssistant, config: ConfigType) -> bool:
    """Register the actions, and look whether all entries are ours."""
    async_register_services(hass)
    async_report_other_entries(hass)
    return True


async def async_setup_entry(hass: HomeAssistant, entry: LumoConfigEntry) -> bool:
    """Set up an account."""
    coordinator = LumoCoordinator(hass, entry)
    await coordinator.async_start()
    entry.runtime_data = coordinator
    await coordinator.plans.async_load()
    await coordinator.routines.async_load()
    await hass.config_entries.async_forward_entry_setups(entry, PLATFORMS)
    entry.async_on_unload(async_at_started(hass, coordinator.plans.async_start))
    async_watch_home_issues(hass, entry)
    entry.async_on_unload(entry.add_update_listener(_async_update_listener))
    return True


async def async_unload_entry(hass: HomeAssistant, entry: LumoConfigEntry) -> bool:
    """Unload an account, and its issues."""
    unloaded = await hass.config_entries.async_unload_platforms(entry, PLATFORMS)
    if unloaded:
        async_show_problems(hass, entry, set())
    return unloaded


async def async_remove_entry(hass: HomeAssistant, entry: LumoConfigEntry) -> None:
    """Forget an account, and end the session that was made for it."""
    async_show_problems(hass, entry, set())
    async_look_at_home(hass)
    if is_other(entry):
        return
    tokens = await async_own_session(hass, entry)
    await SessionStore(hass, entry.entry_id).async_remove()
    for name in ("later", "notes", "routines"):
        await PrivateStore(hass, f"{DOMAIN}.{entry.entry_id}.{name}").async_remove()
    if tokens is not None:
        await async_sign_out(hass, tokens)


async def _async_update_listener(hass: HomeAssistant, entry: LumoConfigEntry) -> None:
    await hass.config_entries.async_reload(entry.entry_id)
