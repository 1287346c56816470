"""Who is asked by phone: a person who has one, else the form says what is missing."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import Context, EventOrigin, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import entity_registry as er
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_mock_service,
)

from custom_components.lumo.const import CONF_PHONE_FOR_DOORS, CONF_PHONE_PERSON
from dev.brain.model import Call, Say
from dev.standin import Standin

from .agent_form import fill_in
from .conftest import Script, session_data
from .helpers import answering_service
from .tasks import generate, set_up_task

ANNA = "person.anna"
UNLOCK = Call("user:HassTurnOff", {"name": "Front door"})


class Pushes:
    registered_targets = {"mobile_app_anna": "hook"}


async def make_person(hass: HomeAssistant, *, user: str, signed_in: str) -> None:
    """Make a person with a phone: of which user, and who is signed in on it."""
    users = {
        name: (await hass.auth.async_create_user(name)).id for name in ("anna", "ben")
    }
    phone = MockConfigEntry(
        domain="mobile_app",
        data={"user_id": users.get(signed_in), "webhook_id": "hook"},
    )
    phone.add_to_hass(hass)
    tracker = er.async_get(hass).async_get_or_create(
        "device_tracker", "mobile_app", "anna", config_entry=phone
    )
    hass.data["mobile_app"] = {"notify": Pushes()}
    hass.states.async_set(
        ANNA,
        "home",
        {
            "friendly_name": "Anna",
            "user_id": users.get(user),
            "device_trackers": ["device_tracker.lost", tracker.entity_id],
        },
    )


async def change(
    hass: HomeAssistant, entry: ConfigEntry, **safety: Any
) -> dict[str, Any]:
    """Change the options of the agent; return what the form says."""
    [subentry] = entry.get_subentries_of_type("conversation")
    form = await hass.config_entries.subentries.async_init(
        (entry.entry_id, "conversation"),
        context={"source": "reconfigure", "subentry_id": subentry.subentry_id},
    )
    result = await fill_in(hass, form, {"autonomy": "acts", "safety": safety})
    return dict(result)


@pytest.mark.parametrize(
    ("user", "signed_in", "works"),
    [
        ("anna", "anna", True),
        ("anna", "ben", False),
        ("anna", "nobody", False),
        ("nobody", "anna", False),
        ("nobody", "nobody", False),
    ],
)
async def test_a_person_needs_a_phone_of_their_own(
    home: HomeAssistant, entry: MockConfigEntry, user: str, signed_in: str, works: bool
) -> None:
    """A user, and a phone on which that user is signed in."""
    await make_person(home, user=user, signed_in=signed_in)
    result = await change(home, entry, **{CONF_PHONE_PERSON: ANNA})
    if works:
        assert result["reason"] == "reconfigure_successful"
        [subentry] = entry.get_subentries_of_type("conversation")
        assert subentry.data[CONF_PHONE_PERSON] == ANNA
        assert subentry.data[CONF_PHONE_FOR_DOORS] is False
        return
    assert result["errors"] == {"base": "invalid_phone_person"}
    assert result["description_placeholders"]["reason"] == "Anna"


async def test_without_the_app_there_is_no_phone(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    await make_person(home, user="anna", signed_in="anna")
    del home.data["mobile_app"]
    for safety, error in (
        ({CONF_PHONE_PERSON: ANNA}, CONF_PHONE_PERSON),
        ({CONF_PHONE_PERSON: "person.nobody"}, CONF_PHONE_PERSON),
        ({CONF_PHONE_FOR_DOORS: True}, CONF_PHONE_FOR_DOORS),
    ):
        result = await change(home, entry, **safety)
        assert result["errors"] == {"base": f"invalid_{error}"}


@pytest.mark.parametrize("structure", [None, {"text": {"selector": {"text": {}}}}])
async def test_a_task_asks_by_phone(
    home: HomeAssistant,
    standin: Standin,
    script: Script,
    structure: dict[str, Any] | None,
) -> None:
    """Data comes at once; a text gives way to the sentence that says so."""
    await make_person(home, user="anna", signed_in="anna")
    shown = async_mock_service(home, "notify", "mobile_app_anna")
    for domain in ("intent", "lock"):
        assert await async_setup_component(home, domain, {})
    home.states.async_set("lock.front", "locked", {"friendly_name": "Front door"})
    async_expose_entity(home, "conversation", "lock.front", True)
    unlocked = answering_service(home, "lock", "unlock", "unlocked")
    options = {"llm_hass_api": ["assist"], CONF_PHONE_PERSON: ANNA}
    await set_up_task(home, session_data(standin), **options)
    script.plans = [[UNLOCK], [Say('{"text": "It waits."}')]]
    if structure:
        assert await generate(home, structure=structure) == {"text": "It waits."}
    else:
        with pytest.raises(HomeAssistantError, match="I have asked Anna"):
            await generate(home)
    assert not unlocked
    [question] = shown
    state = home.states.get(ANNA)
    assert state
    home.bus.async_fire(
        "mobile_app_notification_action",
        {"action": question.data["data"]["actions"][0]["action"]},
        EventOrigin.remote,
        Context(user_id=state.attributes["user_id"]),
    )
    await home.async_block_till_done(wait_background_tasks=True)
    assert len(unlocked) == 1
    assert shown[-1].data["message"] == "I unlocked the front door."
