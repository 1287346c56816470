"""The notes in the options of an agent: shown, changed, deleted."""

from typing import Any
from unittest.mock import patch

from homeassistant.core import Context, HomeAssistant
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    get_schema_suggested_value,
)

from custom_components.lumo.abilities.note_store import HOUSE, Notes
from custom_components.lumo.forms import agent_flow

from .agent_form import fill_in
from .test_subentry_tools import OPTIONS

CHANGED: dict[str, Any] = {"memory": "on", "llm_hass_api": ["assist"]}
TEA, KEYS, NUTS = "Tea at five", "The spare keys are with grandma", "No nuts for Mia"


@pytest.fixture
async def notes(entry: MockConfigEntry) -> Notes:
    """Return the notes of the house, of Anna and of Ben."""
    notes: Notes = entry.runtime_data.notes
    for owner, text in ((HOUSE, TEA), ("anna", KEYS), ("ben", NUTS)):
        await notes.async_change(owner, add=[text])
    return notes


async def open_form(
    hass: HomeAssistant, entry: MockConfigEntry, user_id: str | None
) -> Any:
    [subentry] = entry.subentries.values()
    with patch.object(agent_flow, "_person", lambda: Context(user_id=user_id)):
        form = await entry.start_subentry_reconfigure_flow(hass, subentry.subentry_id)
        return await fill_in(hass, form, {**OPTIONS, **CHANGED})


async def submit(
    hass: HomeAssistant, form: Any, user_id: str | None, **texts: list[str]
) -> Any:
    """Return what comes after the form."""
    with patch.object(agent_flow, "_person", lambda: Context(user_id=user_id)):
        return await hass.config_entries.subentries.async_configure(
            form["flow_id"], texts
        )


def shown(form: Any) -> dict[str, Any]:
    """Return what the form suggests, by its fields."""
    schema = form["data_schema"].schema
    return {
        key.schema: get_schema_suggested_value(schema, key.schema) for key in schema
    }


async def test_one_sees_those_of_the_house_and_ones_own(
    home: HomeAssistant, entry: MockConfigEntry, notes: Notes
) -> None:
    form = await open_form(home, entry, "anna")
    assert form["step_id"] == "notes"
    assert shown(form) == {"notes_house": [TEA], "notes_own": [KEYS]}
    assert NUTS not in str(form)
    # What somebody says while the form is open stays.
    await notes.async_change(HOUSE, add=["The dog is called Bas"])
    result = await submit(
        home, form, "anna", notes_house=["  Tea at\tsix "], notes_own=[]
    )
    assert result["step_id"] != "notes"
    assert notes.of(HOUSE) == ["The dog is called Bas", "Tea at six"]
    assert notes.of("anna") == []
    assert notes.of("ben") == [NUTS]
    [subentry] = entry.subentries.values()
    assert TEA not in str(subentry.data)


async def test_what_cannot_be_kept_is_said(
    home: HomeAssistant, entry: MockConfigEntry, notes: Notes
) -> None:
    form = await open_form(home, entry, "anna")
    for text, error in (
        ("x" * 257, "note_too_long"),
        ("The password is otter", "note_secret"),
    ):
        form = await submit(home, form, "anna", notes_house=[text], notes_own=[])
        assert form["errors"] == {"base": error}
        assert shown(form)["notes_house"] == [text]
        assert notes.of("anna") == [KEYS]
    many = [f"Number {n}" for n in range(51)]
    form = await submit(home, form, "anna", notes_house=many)
    assert form["errors"] == {"base": "notes_full"}
    await submit(home, form, "anna")
    assert notes.of(HOUSE) == [TEA]


async def test_without_notes_there_is_no_such_page(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    await entry.runtime_data.notes.async_change("anna", add=[KEYS])
    form = await open_form(home, entry, None)
    assert form.get("step_id") != "notes"
