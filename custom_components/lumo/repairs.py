"""Repairs: what a person can do about an issue."""

from homeassistant.components.repairs import RepairsFlow
from homeassistant.core import HomeAssistant

from .issues.repair_flow import LumoRepairFlow


async def async_create_fix_flow(
    hass: HomeAssistant, issue_id: str, data: dict[str, str | int | float | None] | None
) -> RepairsFlow:
    """Return the flow for an issue."""
    return LumoRepairFlow()
