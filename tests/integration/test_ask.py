"""Asking an agent from an automation."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.exceptions import (
    HomeAssistantError,
    ServiceValidationError,
    Unauthorized,
    UnknownUser,
)
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    MockUser,
    async_capture_events,
)

from custom_components.lumo.const import EVENT_TURN_ENDED
from dev.brain.model import Call, Say
from dev.standin import Standin

from .conftest import Script, make_entry, session_data
from .conversing import AGENT, OFF
from .helpers import answering_service

UNLOCK = Call("user:HassTurnOff", {"name": "Front door"})


async def ask(
    hass: HomeAssistant,
    sentence: str = "Is all well?",
    context: Context | None = None,
    **data: Any,
) -> dict[str, Any]:
    response = await hass.services.async_call(
        "lumo",
        "ask",
        {"agent_id": AGENT, "sentence": sentence, **data},
        blocking=True,
        return_response=True,
        context=context,
    )
    assert response is not None
    return dict(response)


async def test_answer_is_returned_and_nothing_is_left(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry, script: Script
) -> None:
    ended = async_capture_events(home, EVENT_TURN_ENDED)
    script.plans = [[Say("All is *well*.")], [Say("It still is.")]]
    expected = {"text": "All is *well*.", "sources": [], "calls": [], "requests": 1}
    assert await ask(home, "Is all well in the {{ house }}?") == expected
    assert (await ask(home, "And now?"))["text"] == "It still is."
    assert [event.data["requests"] for event in ended] == [1, 1]
    assert not home.data["conversation_chat_logs"]
    first, second = ([*request["messages"]] for request in standin.requests)
    assert "{{ house }}" in str(first)
    assert "well" not in str(second)
    assert all(request["encrypted"] for request in standin.requests)
    assert standin.violations == []
    # Without a wish for a response, as in a list of actions.
    data = {"agent_id": AGENT, "sentence": "Do something."}
    await home.services.async_call("lumo", "ask", data, blocking=True)


async def test_calls_and_sources_are_returned(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    script: Script,
    turned_off: list[ServiceCall],
) -> None:
    """What ran, with its targets; what Proton's tools have found."""
    user = await home.auth.async_create_user("Anna", group_ids=["system-users"])
    script.plans = [[OFF], [Say("It is off.")]]
    context = Context(user_id=user.id)
    response = await ask(home, "Turn off the kitchen light", context)
    [call] = response["calls"]
    assert call["title"] == "Turn off"
    assert call["entity_ids"] == ["light.kitchen"]
    assert (call["success"], response["requests"]) == (True, 2)
    assert [item.context.user_id for item in turned_off] == [user.id]

    standin.scenarios = ["web_search"]
    script.plans = [[Say("Nothing of interest.")]]
    response = await ask(home, "What is new?")
    assert response["sources"] == [
        {"title": "An example", "url": "https://example.invalid/"}
    ]


@pytest.mark.parametrize("unattended", [False, True])
async def test_nobody_is_asked(
    home: HomeAssistant, standin: Standin, script: Script, unattended: bool
) -> None:
    """What needs a yes is an error, unless the owner has allowed it."""
    for domain in ("intent", "lock"):
        assert await async_setup_component(home, domain, {})
    home.states.async_set("lock.front", "locked", {"friendly_name": "Front door"})
    async_expose_entity(home, "conversation", "lock.front", True)
    unlocked = answering_service(home, "lock", "unlock", "unlocked")
    entry = make_entry(session_data(standin), unattended=unattended)
    entry.add_to_hass(home)
    assert await home.config_entries.async_setup(entry.entry_id)
    script.plans = [[UNLOCK], [Say("It is open.")]]
    if unattended:
        response = await ask(home, "Unlock the front door")
        assert [call["success"] for call in response["calls"]] == [True]
    else:
        with pytest.raises(HomeAssistantError, match="to say yes"):
            await ask(home, "Unlock the front door")
    assert len(unlocked) == unattended


@pytest.mark.parametrize(
    ("scenario", "said"),
    [
        ("quota", "aufgebraucht"),
        ("server_error", "Störung"),
        ("content_filter", "nicht"),
        ("cut", "abgebrochen"),
        ("clean", "nichts"),
    ],
)
async def test_no_answer_is_an_error_in_the_language_of_the_home(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    script: Script,
    turned_off: list[ServiceCall],
    scenario: str,
    said: str,
) -> None:
    home.config.language = "de"
    standin.scenarios = [scenario]
    script.rule = lambda _messages: [Say("Ich habe das Küchenlicht ausgeschaltet.")]
    with pytest.raises(HomeAssistantError, match=said):
        await ask(home, "Mach das Küchenlicht aus")
    assert not turned_off
    assert not home.data["conversation_chat_logs"]


@pytest.mark.parametrize("field", ["structure", "pictures"])
async def test_what_ai_tasks_take_is_refused_with_a_word_of_them(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry, field: str
) -> None:
    values: list[Any] = [{"cars": {"selector": {}}}, ["camera.front_door"], "x"]
    for value in values:
        more = {field: value}
        with pytest.raises(ServiceValidationError, match="AI task") as err:
            await ask(home, **more)
        assert err.value.translation_placeholders == {"field": field}
    assert standin.requests == []


async def test_users_ask_whom_they_may_use(
    home: HomeAssistant, entry: MockConfigEntry, script: Script
) -> None:
    # The first user owns the home.
    await home.auth.async_create_user("Owner")
    guest = await home.auth.async_create_user("Guest", group_ids=["system-read-only"])
    child = MockUser().add_to_hass(home)
    child.mock_policy({"entities": {"entity_ids": {AGENT: {"control": True}}}})
    for user_id, error in ((guest.id, Unauthorized), ("nobody", UnknownUser)):
        with pytest.raises(error):
            await ask(home, context=Context(user_id=user_id))
    script.plans = [[Say("Yes.")]]
    response = await ask(home, context=Context(user_id=child.id))
    assert response["text"] == "Yes."


async def test_wrong_agent_is_refused(
    home: HomeAssistant, entry: MockConfigEntry
) -> None:
    """What is none, and one whose tools cannot be used."""
    with pytest.raises(ServiceValidationError) as err:
        await ask(home, agent_id="conversation.home_assistant")
    assert err.value.translation_key == "not_an_agent"
    [subentry] = entry.get_subentries_of_type("conversation")
    home.config_entries.async_update_subentry(
        entry, subentry, data={**subentry.data, "llm_hass_api": ["gone"]}
    )
    await home.async_block_till_done()
    with pytest.raises(ServiceValidationError) as err:
        await ask(home)
    assert err.value.translation_key == "tools_not_available"
