"""The action that tries an agent, against the stand-in's model in good and bad moods."""

from collections.abc import AsyncGenerator
import json
import logging
from typing import Any

from homeassistant.components.conversation.chat_log import DATA_CHAT_LOGS
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import ServiceValidationError, Unauthorized
from homeassistant.setup import async_setup_component
import probatio
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from custom_components.lumo.lumo_client.events import Limits
from dev.brain import Brain
from dev.standin import Standin, start

from .conftest import make_entry, session_data
from .llm_apis import register_web

BRAIN = Brain()
# One thing of each kind that Home Assistant has tools for.
THEIRS = ("light", "climate", "cover", "media_player", "todo", "lock")


@pytest.fixture
async def standin(
    socket_enabled: None, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Standin]:
    """Run the stand-in with a model that understands."""
    async with await start(brain=BRAIN) as standin:
        monkeypatch.setenv("LUMO_BASE_URL", standin.base_url)
        monkeypatch.setenv("LUMO_PUBLIC_KEY_FILE", standin.public_key_file)
        yield standin


@pytest.fixture
async def theirs(home: HomeAssistant) -> HomeAssistant:
    """Return the home of a person who tries it: its names are their secret."""
    assert await async_setup_component(home, "intent", {})
    for domain in THEIRS:
        assert await async_setup_component(home, domain, {})
        entity_id = f"{domain}.theirs"
        home.states.async_set(entity_id, "on", {"friendly_name": f"Secret {domain}"})
        async_expose_entity(home, "conversation", entity_id, True)
    script = {"alias": "Secret plan", "description": "Secret", "sequence": []}
    assert await async_setup_component(home, "script", {"script": {"secret": script}})
    async_expose_entity(home, "conversation", "script.secret", True)
    words = {"SecretIntent": {"description": "Secret", "speech": {"text": "Hush"}}}
    assert await async_setup_component(home, "intent_script", {"intent_script": words})
    return home


async def self_test(hass: HomeAssistant, **data: Any) -> dict[str, Any]:
    """Call the action."""
    response = await hass.services.async_call(
        "lumo",
        "self_test",
        {"agent_id": "conversation.lumo", **data},
        blocking=True,
        return_response=True,
    )
    assert response is not None
    await hass.async_block_till_done()
    return dict(response)


async def set_up(hass: HomeAssistant, standin: Standin, **options: Any) -> None:
    """Set up an account with an agent."""
    entry: MockConfigEntry = make_entry(session_data(standin), **options)
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()


@pytest.mark.parametrize(
    ("language", "mode"),
    [
        ("en", "private"),
        *(
            pytest.param(language, mode, marks=pytest.mark.long)
            for language in ("en", "de", "es", "fr", "nl", "pl")
            for mode in ("private", "native")
            if (language, mode) != ("en", "private")
        ),
    ],
)
async def test_a_good_model_is_always_right(
    theirs: HomeAssistant, standin: Standin, mode: str, language: str
) -> None:
    """In each language, and in English where the home speaks another."""
    theirs.config.language = language
    await set_up(theirs, standin, tool_calling=mode)
    result = await self_test(theirs, sentences=12)
    assert result["score"] == 100, result["sentences"]
    assert len(result["sentences"]) == 12
    assert len(result["hints"]) == 1
    assert result["tool_calling"] == mode
    lock = result["sentences"][1]
    assert [call["judged"] for call in lock["called"]] == ["would_be_asked_about"]
    assert lock["requests"] == 1
    costs = [item["requests"] for item in result["sentences"]]
    assert result["requests"] == sum(costs) == len(standin.requests)
    assert max(costs) <= 4
    if language == "en":
        assert result["sentences"][0]["sentence"] == "Turn off the kitchen lamp."
        assert result["hints"] == ["All is as it should be."]


MOODS = {
    # What the model does -> the verdicts of the first sentences, and the score.
    "misrouted": ("misrouted_rescued", "misrouted_rescued", "misrouted_rescued", 75),
    "misrouted_invalid": (*["misrouted_bounced"] * 3, 50),
    "claims_done": ("claimed_without_call", "claimed_without_call", "right", 33),
    "loop": ("missing_call", "missing_call", "right", 33),
    "cut_json": (*["invalid_arguments"] * 3, 0),
    "quota": ("no_answer", 0),
}


async def test_a_bad_model_is_found_out(
    theirs: HomeAssistant, standin: Standin
) -> None:
    """What it does wrong, and what may help."""
    await set_up(theirs, standin)
    for mood, (*verdicts, score) in MOODS.items():
        standin.scenarios = (mood,)
        result = await self_test(theirs, sentences=3)
        found = [item["verdict"] for item in result["sentences"]]
        assert (found, result["score"]) == (verdicts, score), mood
        hint = " ".join(result["hints"])
        assert ("Lumo Max" in hint) == (mood != "quota"), mood
        assert ("astray" in hint) == mood.startswith("misrouted"), mood
        assert all(item["requests"] <= 4 for item in result["sentences"])


@pytest.mark.parametrize("mode", ["private", "native"])
async def test_nothing_of_the_persons_home_is_sent_kept_or_logged(
    theirs: HomeAssistant,
    standin: Standin,
    mode: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Home Assistant keeps no such conversation. It is counted as any turn is."""
    caplog.set_level(logging.INFO)
    register_web(theirs)
    await set_up(
        theirs,
        standin,
        tool_calling=mode,
        prompt="You are Secret Agent.",
        llm_hass_api=["assist", "web"],
    )
    result = await self_test(theirs, sentences=5)
    sent = json.dumps(standin.requests, default=str)
    assert "Kitchen lamp" in sent
    assert "Secret" not in sent
    assert "secret" not in sent
    assert "What order does" not in sent
    assert result["score"] == 100
    assert standin.violations == []
    assert not theirs.data.get(DATA_CHAT_LOGS)
    for item in result["sentences"]:
        for said in (item["sentence"], item["answer"]):
            assert said and said not in caplog.text
    account = theirs.config_entries.async_entries("lumo")[0].runtime_data
    assert account.journal.entries == type(account.journal)().entries
    assert account.turns == 5


async def test_locks_are_opened_without_a_question_by_who_is_trusted(
    theirs: HomeAssistant, standin: Standin
) -> None:
    """That is said; the model did nothing wrong."""
    await set_up(theirs, standin, autonomy="trusted")
    result = await self_test(theirs, sentences=3)
    verdicts = [item["verdict"] for item in result["sentences"]]
    assert verdicts == ["right", "lock_not_asked_about", "right"]
    assert [hint[:19] for hint in result["hints"]] == ["This agent unlocks "]


async def test_what_the_agent_may_not_do_is_left_out(
    theirs: HomeAssistant, standin: Standin
) -> None:
    """And said."""
    await set_up(theirs, standin, autonomy="reads")
    result = await self_test(theirs, sentences=12)
    assert (len(result["sentences"]), result["score"]) == (4, 100)
    assert "8 sentences" in result["hints"][-1]


async def test_what_it_may_cost_is_compared_with_what_is_left(
    theirs: HomeAssistant, standin: Standin
) -> None:
    """No request is spent on a test that cannot be finished."""
    await set_up(theirs, standin, model="max")
    [entry] = theirs.config_entries.async_entries("lumo")
    entry.runtime_data.quota.note(Limits(lite=1000, max=20, images=None))
    with pytest.raises(ServiceValidationError, match="up to 48 requests, and 20 are"):
        await self_test(theirs, sentences=12)
    assert standin.requests == []
    assert (await self_test(theirs, sentences=5))["score"] == 100


async def test_who_and_what_it_is_not_for(
    theirs: HomeAssistant, standin: Standin
) -> None:
    """Guests, agents without tools, other agents, people who are no administrators."""
    await set_up(theirs, standin, autonomy="answers")
    for data, reason in (
        ({}, "no tools"),
        ({"agent_id": "conversation.home_assistant"}, "not an agent"),
        ({"sentences": 2}, "at least 3"),
        ({"sentences": 13}, "at most 12"),
    ):
        with pytest.raises((ServiceValidationError, probatio.Invalid), match=reason):
            await self_test(theirs, **data)
    # The first one is the owner.
    await theirs.auth.async_create_user("Anna", group_ids=["system-admin"])
    user = await theirs.auth.async_create_user("Ben", group_ids=["system-users"])
    with pytest.raises(Unauthorized):
        await theirs.services.async_call(
            "lumo",
            "self_test",
            {"agent_id": "conversation.lumo"},
            blocking=True,
            return_response=True,
            context=Context(user_id=user.id),
        )
    [entry] = theirs.config_entries.async_entries("lumo")
    await theirs.config_entries.async_remove(entry.entry_id)
    guest = make_entry({"sign_in": "guest", "sign_in_id": "one"})
    guest.add_to_hass(theirs)
    assert await theirs.config_entries.async_setup(guest.entry_id)
    await theirs.async_block_till_done()
    with pytest.raises(ServiceValidationError, match="Guests"):
        await self_test(theirs)
    assert standin.requests == []
