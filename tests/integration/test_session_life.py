"""The life of a session in Home Assistant: renewed once, lost never without a word.

How the client renews tokens is tested beside the client; here it is what becomes of
them in Home Assistant, and what a person sees.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from freezegun.api import FrozenDateTimeFactory
from homeassistant.core import HomeAssistant
from homeassistant.helpers import issue_registry as ir
from homeassistant.helpers.storage import Store
from homeassistant.util.file import WriteError
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from dev.brain.model import Say
from dev.standin import Standin
from dev.standin.errors import ApiError

from .conftest import Script, make_entry, session_data
from .helpers import (
    count_refreshes,
    expire_access_tokens,
    is_available,
    issues,
    pass_time,
    reauth_flows,
    say,
)


def refuse_refresh(standin: Standin, *answers: ApiError | None) -> list[str]:
    """Answer refreshes with these errors, one after the other, the last for ever."""
    accounts = standin.accounts_state
    used = count_refreshes(standin)
    refresh, left = accounts.refresh, list(answers)

    def answer(uid: str, token: str) -> Any:
        error = left.pop(0) if len(left) > 1 else left[0]
        if error is None:
            return refresh(uid, token)
        used.append("refused")
        raise error

    accounts.refresh = answer  # type: ignore[method-assign]
    return used


RACE = ApiError(409, 409, "Conflict")
BUSY = ApiError(429, 2028, "Too many", headers={"Retry-After": "0"})
JAILED = ApiError(429, 2028, "Too many", headers={"Retry-After": "600"})
DOWN = ApiError(500, 500, "Internal server error")


@pytest.mark.parametrize("answers", [(RACE, None), (BUSY, None), (BUSY, RACE, None)])
async def test_refresh_that_is_put_off_is_not_noticed(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    script: Script,
    answers: tuple[ApiError | None, ...],
) -> None:
    """A race in the database, or too much traffic for a moment."""
    script.plans = [[Say("Yes.")]]
    expire_access_tokens(standin)
    refuse_refresh(standin, *answers)
    assert await say(home) == "Yes."
    assert is_available(home)


@pytest.mark.parametrize(
    ("error", "words", "available"),
    [(RACE, "later", False), (JAILED, "in 10 minutes", True), (DOWN, "later", False)],
)
async def test_refresh_that_fails_for_now_costs_no_session(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    script: Script,
    error: ApiError,
    words: str,
    available: bool,
) -> None:
    """A sentence; the same tokens work when it is over, and nobody has to sign in."""
    script.plans = [[Say("Yes.")]]
    expire_access_tokens(standin)
    refresh = standin.accounts_state.refresh
    refuse_refresh(standin, error)
    assert words in await say(home)
    assert is_available(home) == available
    standin.accounts_state.refresh = refresh  # type: ignore[method-assign]
    assert await say(home) == "Yes."
    assert is_available(home)
    assert not reauth_flows(home)


@contextmanager
def full_disk() -> Iterator[None]:
    """Let the disk take nothing of ours."""
    write = Store._async_write_data

    async def fail(store: Any, data: Any) -> None:
        if store.key.startswith("lumo."):
            raise WriteError("No space left on device")
        await write(store, data)

    with pytest.MonkeyPatch.context() as disk:
        disk.setattr(Store, "_async_write_data", fail)
        yield


async def test_disk_is_full_when_the_session_is_renewed(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    script: Script,
    hass_storage: dict[str, Any],
) -> None:
    """The new pair is used, survives a reload, and is stored as soon as there is room."""
    script.plans = [[Say("Yes.")]] * 4
    used = count_refreshes(standin)
    expire_access_tokens(standin)
    with full_disk():
        assert await say(home) == "Yes."
        assert is_available(home)
        assert issues(home) == {"not_stored"}
        assert await home.config_entries.async_reload(entry.entry_id)
        await home.async_block_till_done()
        assert issues(home) == {"not_stored"}
        assert await say(home) == "Yes."
        expire_access_tokens(standin)
        assert await say(home) == "Yes."
        assert len(used) == 2

    assert await say(home) == "Yes."
    assert issues(home) == set()
    assert not reauth_flows(home)
    stored = hass_storage[f"lumo.{entry.entry_id}"]["data"]
    assert stored["refresh_token"] == standin.accounts_state.alice.refresh_token


async def test_disk_is_full_when_a_fresh_sign_in_is_stored(
    home: HomeAssistant, standin: Standin, script: Script, hass_storage: dict[str, Any]
) -> None:
    """It is used, and stays where it is until there is room."""
    script.plans = [[Say("Yes.")]] * 2
    entry = make_entry(session_data(standin))
    entry.add_to_hass(home)
    with full_disk():
        assert await home.config_entries.async_setup(entry.entry_id)
        assert await say(home) == "Yes."
        assert issues(home) == {"not_stored"}
        assert "refresh_token" in entry.data
    assert await say(home) == "Yes."
    assert f"lumo.{entry.entry_id}" in hass_storage
    assert await home.config_entries.async_reload(entry.entry_id)
    assert "refresh_token" not in entry.data
    assert issues(home) == set()


async def test_request_to_sign_in_that_an_answer_disproves_is_withdrawn(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry, script: Script
) -> None:
    """The card and the repair go with it."""
    script.plans = [[Say("Yes.")]] * 2
    standin.scenarios = ["forbidden"]
    await say(home)
    assert len(reauth_flows(home)) == 1
    registry = ir.async_get(home)
    card = ("homeassistant", f"config_entry_reauth_lumo_{entry.entry_id}")
    assert card in registry.issues
    standin.scenarios = []
    await entry.runtime_data.async_refresh()
    assert len(reauth_flows(home)) == 1  # A poll may what a chat may not.
    assert await say(home) == "Yes."
    assert not reauth_flows(home)
    assert card not in registry.issues

    standin.scenarios = ["forbidden"]
    await entry.runtime_data.async_refresh()
    assert len(reauth_flows(home)) == 1
    standin.scenarios = []
    assert await say(home) == "Yes."
    assert not reauth_flows(home)


async def test_revoked_session_asks_once_however_many_notice(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry
) -> None:
    """Several turns and the poll: one request to sign in."""
    standin.accounts_state.revoke(standin.accounts_state.alice)
    answers = await asyncio.gather(*(say(home) for _ in range(5)))
    await entry.runtime_data.async_refresh()
    await home.async_block_till_done()
    assert all("session with Proton has ended" in answer for answer in answers)
    assert len(reauth_flows(home)) == 1
    assert not is_available(home)


async def test_human_verification_in_the_middle_of_use(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A person is needed: one request, and nothing polls meanwhile."""
    asked: list[object] = []

    def verify(_request: object, **_kwargs: object) -> Any:
        asked.append(_request)
        details = {
            "HumanVerificationToken": "secret-captcha",
            "HumanVerificationMethods": ["captcha"],
        }
        raise ApiError(422, 9001, "Human verification required", details)

    monkeypatch.setattr(standin.accounts_state, "session_of", verify)
    assert "check that you are a human" in await say(home)
    assert len(reauth_flows(home)) == 1
    assert not is_available(home)
    count = len(asked)
    await pass_time(home, hours=1)
    assert len(asked) == count


@pytest.mark.parametrize("end", ["reload", "stop"])
async def test_renewal_is_finished_before_the_account_ends(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    hass_storage: dict[str, Any],
    end: str,
) -> None:
    """The old refresh token is used up: its answer must not be thrown away."""
    session = entry.runtime_data.client.credential
    save, saving, go_on = session._save, asyncio.Event(), asyncio.Event()

    async def slow_save(tokens: Any) -> None:
        saving.set()
        await go_on.wait()
        await save(tokens)

    session._save = slow_save
    expire_access_tokens(standin)
    turn = home.async_create_background_task(entry.runtime_data.client.limits(), "turn")
    await saving.wait()
    turn.cancel()
    task: asyncio.Task[Any] = asyncio.create_task(
        home.config_entries.async_reload(entry.entry_id)
        if end == "reload"
        else home.async_stop()
    )
    # Without the renewal either is done in a tenth of that.
    await asyncio.wait([task], timeout=1)
    assert not task.done()
    go_on.set()
    await task
    stored = hass_storage[f"lumo.{entry.entry_id}"]["data"]
    assert stored["refresh_token"] == standin.accounts_state.alice.refresh_token


@pytest.mark.parametrize("days", [-1, 1])
async def test_clock_is_off_by_a_day(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    script: Script,
    freezer: FrozenDateTimeFactory,
    days: int,
) -> None:
    """Ours against Proton's: whether a token lives is Proton's to say."""
    script.rule = lambda _messages: [Say("Yes.")]
    accounts = standin.accounts_state
    start = accounts._clock()
    accounts._clock = lambda: start
    freezer.tick(timedelta(days=days))
    used = count_refreshes(standin)
    assert await say(home) == "Yes."
    assert used == []
    accounts._clock = lambda: start + timedelta(days=2).total_seconds()
    assert await say(home) == "Yes."
    assert len(used) == 1
    assert not reauth_flows(home)
