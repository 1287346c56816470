"""What the instructions may say about who speaks, and where."""

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
)
from homeassistant.helpers.template import Template
from hypothesis import HealthCheck, given, settings, strategies as st
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.agent.variables import async_variables, with_variables

SATELLITE = "assist_satellite.hall"
NOBODY = Context()


def said(
    context: Context, satellite_id: str | None = None, device_id: str | None = None
) -> conversation.ConversationInput:
    """Return a sentence."""
    return conversation.ConversationInput(
        text="Hello",
        context=context,
        conversation_id=None,
        device_id=device_id,
        satellite_id=satellite_id,
        language="en",
        agent_id="conversation.lumo",
    )


async def test_variables_are_those_of_the_speaker(hass: HomeAssistant) -> None:
    """The user's name, and the area of the satellite or of its device."""
    user = await hass.auth.async_create_user("Anna")
    entry = MockConfigEntry()
    entry.add_to_hass(hass)
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "hall")}
    )
    er.async_get(hass).async_get_or_create(
        "assist_satellite",
        "test",
        "hall",
        device_id=device.id,
        suggested_object_id="hall",
    )
    unknown = {"speaker": "unknown", "area": "unknown", "language": "en"}
    assert await async_variables(hass, said(NOBODY)) == unknown
    assert await async_variables(hass, said(NOBODY, SATELLITE)) == unknown
    area = ar.async_get(hass).async_create("Hall")
    dr.async_get(hass).async_update_device(device.id, area_id=area.id)
    known = {"speaker": "Anna", "area": "Hall", "language": "en"}
    for sentence in (
        said(Context(user_id=user.id), SATELLITE),
        said(Context(user_id=user.id), None, device.id),
    ):
        assert await async_variables(hass, sentence) == known


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


@pytest.mark.hypothesis
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_plain_text(hass: HomeAssistant, name: str) -> None:
    """Between brackets, for Home Assistant strips what it renders."""
    template = with_variables("<{{ speaker }}>", {"speaker": name})
    assert Template(template, hass).async_render(parse_result=False) == f"<{name}>"


def test_empty_instructions_stay_empty() -> None:
    """Home Assistant then takes its own."""
    assert not with_variables(" ", {"speaker": "Anna"}).strip()
