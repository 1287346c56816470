"""What the instructions may say about who speaks, and where."""

from homeassistant.core import HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
)
from homeassistant.helpers.template import Template
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.agent.variables import async_variables, with_variables
from custom_components.lumo.gate.speaker import Speaker

SATELLITE = "assist_satellite.hall"


def said(user_id: str | None, *where: str | None) -> Speaker:
    satellite_id, device_id = (*where, None, None)[:2]
    return Speaker(user_id, satellite_id, True, "Hello", "en", device_id)


async def test_variables_are_those_of_the_speaker(hass: HomeAssistant) -> None:
    """The user's name, and the area of the satellite: here that of a larger device."""
    user = await hass.auth.async_create_user("Anna")
    entry = MockConfigEntry()
    entry.add_to_hass(hass)
    devices = dr.async_get(hass)
    parent = devices.async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "panel")}
    )
    child = devices.async_get_or_create_child(
        parent_device_id=parent.id,
        config_entry_id=entry.entry_id,
        identifiers={("test", "voice")},
    )
    er.async_get(hass).async_get_or_create(
        "assist_satellite",
        "test",
        "hall",
        device_id=child.id,
        suggested_object_id="hall",
    )
    unknown = {"speaker": "unknown", "area": "unknown", "language": "en"}
    assert await async_variables(hass, said(None)) == unknown
    assert await async_variables(hass, said(None, SATELLITE)) == unknown
    area = ar.async_get(hass).async_create("Hall")
    devices.async_update_device(parent.id, area_id=area.id)
    known = {"speaker": "Anna", "area": "Hall", "language": "en"}
    assert await async_variables(hass, said(user.id, SATELLITE)) == known
    for device in (parent, child):
        assert await async_variables(hass, said(user.id, None, device.id)) == known


@pytest.mark.parametrize(
    "name",
    [
        "Anna",
        "{{ states('lock.front_door') }}",
        "{% raw %}",
        '" %}{{ 1 + 1 }}{% set x = "',
        "O'Neil \\ {# x #}",
        "Zoë 🙂 עברית",
    ],
)
def test_variable_is_plain_text(hass: HomeAssistant, name: str) -> None:
    """A name that is a template is a name."""
    template = with_variables("You serve {{ speaker }}.", {"speaker": name})
    rendered = Template(template, hass).async_render(parse_result=False)
    assert rendered == f"You serve {name}."


def test_empty_instructions_stay_empty() -> None:
    """Home Assistant then takes its own."""
    assert not with_variables(" ", {"speaker": "Anna"}).strip()
