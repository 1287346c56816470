"""AI tasks, as automations and the frontend of Home Assistant ask for them."""

from typing import Any

from homeassistant.core import Context, HomeAssistant
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.const import DEFAULT_OPTIONS, DOMAIN

TASK = "ai_task.lumo_ai_task"


async def set_up_task(
    hass: HomeAssistant, data: dict[str, Any], **options: Any
) -> MockConfigEntry:
    entry = MockConfigEntry(
        domain=DOMAIN,
        title="Lumo",
        data=data,
        unique_id="one",
        subentries_data=[
            {"data": chosen, "subentry_type": kind, "title": title, "unique_id": None}
            for kind, title, chosen in (
                ("conversation", "Lumo", DEFAULT_OPTIONS),
                ("ai_task_data", "Lumo AI Task", options),
            )
        ],
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    return entry


async def generate(
    hass: HomeAssistant,
    instructions: str = "Write a haiku",
    structure: dict[str, Any] | None = None,
    *,
    name: str = "poem",
    context: Context | None = None,
    **more: Any,
) -> Any:
    response = await hass.services.async_call(
        "ai_task",
        "generate_data",
        {
            "entity_id": TASK,
            "task_name": name,
            "instructions": instructions,
            **({"structure": structure} if structure else {}),
            **more,
        },
        blocking=True,
        return_response=True,
        context=context,
    )
    assert response is not None
    return response["data"]
