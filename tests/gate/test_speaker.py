"""Who speaks: a person, or something that nobody stands behind."""

from dataclasses import replace

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import (
    area_registry as ar,
    device_registry as dr,
    entity_registry as er,
)
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.gate import speaker
from custom_components.lumo.gate.speaker import CallContext, Speaker, area_of, people_of

SATELLITE = "assist_satellite.hall"
DIRECT = Context(user_id="anna")
CHAINED = Context(user_id="anna", parent_id="trigger")
NOBODY = Context()


def said(
    context: Context, satellite_id: str | None = None
) -> conversation.ConversationInput:
    return conversation.ConversationInput(
        text="Hello",
        context=context,
        conversation_id=None,
        device_id=None,
        satellite_id=satellite_id,
        language="en",
        agent_id="conversation.lumo",
    )


@pytest.mark.parametrize(
    ("context", "satellite", "state", "is_person"),
    [
        (DIRECT, None, None, True),
        (DIRECT, SATELLITE, None, True),
        (CHAINED, None, None, False),
        (CHAINED, SATELLITE, "processing", False),
        (NOBODY, None, None, False),
        (NOBODY, SATELLITE, None, False),
        (NOBODY, SATELLITE, "idle", False),
        (NOBODY, SATELLITE, "unavailable", False),
        (NOBODY, SATELLITE, "listening", True),
        (NOBODY, SATELLITE, "processing", True),
        (NOBODY, SATELLITE, "responding", True),
    ],
)
async def test_person_is_a_user_or_somebody_that_a_satellite_hears(
    hass: HomeAssistant,
    context: Context,
    satellite: str | None,
    state: str | None,
    is_person: bool,
) -> None:
    """An automation is neither, and claiming a satellite makes nobody a person."""
    if state:
        hass.states.async_set(SATELLITE, state)
    assert await is_a_person(hass, context, satellite) is is_person


async def is_a_person(
    hass: HomeAssistant, context: Context, satellite_id: str | None = None
) -> bool:
    return (await Speaker.async_of(hass, said(context, satellite_id))).is_person


async def test_users_that_home_assistant_made_are_nobody(hass: HomeAssistant) -> None:
    """Add-ons speak with such a one."""
    made = await hass.auth.async_create_system_user("Supervisor")
    anna = await hass.auth.async_create_user("Anna")
    hass.states.async_set(SATELLITE, "processing")
    assert not await is_a_person(hass, Context(user_id=made.id))
    assert not await is_a_person(hass, Context(user_id=made.id), SATELLITE)
    assert await is_a_person(hass, Context(user_id=anna.id))


async def test_a_script_of_a_person_is_nobody(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has their context, as long as it runs."""
    monkeypatch.setattr(
        speaker, "contexts_of_running_scripts", lambda _hass: {DIRECT.id}
    )
    assert not await is_a_person(hass, DIRECT)


async def test_an_automation_has_its_user_and_who_spoke(hass: HomeAssistant) -> None:
    """What it keeps is theirs, and a person's turn goes on in it."""
    anna = Speaker("anna", None, True, "Hello", "en")
    found = Speaker.unattended(hass, "Ask", CallContext(DIRECT, anna))
    assert (found.user_id, found.behind, found.is_person) == ("anna", anna, False)
    assert Speaker.unattended(hass, "Ask").user_id is None


async def test_a_person_without_a_user_is_nobody_who_signs_in(
    hass: HomeAssistant,
) -> None:
    for name, user_id in (("anna", "anna"), ("baby", None)):
        hass.states.async_set(f"person.{name}", "home", {"user_id": user_id})
    [anna] = people_of(hass, "anna")
    assert anna.entity_id == "person.anna"
    assert people_of(hass, None) == people_of(hass, "ben") == []


def test_one_person_is_a_user_at_a_satellite() -> None:
    """Who speaks aloud is heard by others."""
    anna = Speaker("anna", SATELLITE, True, "Hello", "en")
    assert anna.is_same_person(replace(anna, sentence="Bye", language="de"))
    for other in (
        *(None, replace(anna, user_id="ben"), replace(anna, satellite_id=None)),
        replace(anna, is_person=False),
    ):
        assert not anna.is_same_person(other)
        assert other is None or not other.is_same_person(anna)
    silent = replace(anna, satellite_id=None)
    aloud = (anna, silent, replace(silent, device_id="box"))
    assert [speaker.is_aloud for speaker in aloud] == [True, False, True]


async def test_it_is_said_where_the_satellite_is_before_its_device(
    hass: HomeAssistant,
) -> None:
    entry = MockConfigEntry()
    entry.add_to_hass(hass)
    areas, entities = ar.async_get(hass), er.async_get(hass)
    hall, attic = areas.async_create("Hall"), areas.async_create("Attic")
    device = dr.async_get(hass).async_get_or_create(
        config_entry_id=entry.entry_id, identifiers={("test", "box")}
    )
    dr.async_get(hass).async_update_device(device.id, area_id=attic.id)
    entities.async_get_or_create(
        "assist_satellite", "test", "1", suggested_object_id="hall"
    )
    person = Speaker(None, SATELLITE, True, "Hello", "en")
    assert area_of(hass, person) is None
    person = replace(person, device_id=device.id)
    assert area_of(hass, person) == attic
    entities.async_update_entity(SATELLITE, area_id=hall.id)
    assert area_of(hass, person) == hall
