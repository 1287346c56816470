"""Each way to sign in, as a person goes it: from *Add integration* to the account."""

from collections.abc import AsyncGenerator
import time
from typing import Any

import pytest
import pytest_asyncio

from dev.home import Home, HomeOptions
from dev.home.lumo import remove_lumo
from dev.standin.totp import totp

from .frontend import FLOW, INTEGRATION, Frontend

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

# Who is signed in already, so that everybody of these tests is new.
HOME = HomeOptions(sign_in="account", user_name="bob")

WRONG_PASSWORD = "Proton does not accept this user name and password."


@pytest_asyncio.fixture(autouse=True, loop_scope="module")
async def only_the_usual_account(home: Home) -> AsyncGenerator[None]:
    yield
    for entry in await home.api.command("config_entries/get", domain="lumo"):
        if entry["entry_id"] != home.entry_id:
            await remove_lumo(home.api, entry["entry_id"])


async def begin(tab: Frontend, way: str) -> None:
    await tab.add_integration()
    await tab.see("Choose how to use Lumo", "Try as a guest", within=FLOW)
    await tab.press(way, FLOW)


async def ends_with(tab: Frontend, title: str) -> None:
    """See the end of it, and the account on the integration's page."""
    await tab.see("Skip and finish", within=FLOW)
    await tab.finish()
    await tab.open(INTEGRATION)
    await tab.see(title, "Conversation agent")


def person(home: Home, sign_in: str, name: str | None = None) -> Any:
    return home.lumo.find(sign_in, name)


async def test_a_guest_is_asked_nothing(tab: Frontend) -> None:
    """One click."""
    await begin(tab, "Try as a guest")
    await ends_with(tab, "Lumo AI Task")


async def test_a_wrong_password_can_be_corrected(tab: Frontend, home: Home) -> None:
    """The form says what is wrong, keeps the name, and goes on with the right one."""
    await begin(tab, "Proton account")
    await tab.see("Sign in to Proton", "User name", within=FLOW)
    await tab.fill(username="alice", password="not this one")
    await tab.submit()
    shown = await tab.see(WRONG_PASSWORD, within=FLOW)
    assert "alice" in shown
    await tab.fill(password=person(home, "account", "alice")["password"])
    await tab.submit()
    await ends_with(tab, "Lumo (alice)")


async def test_an_authenticator_app_is_asked_for_its_code(
    tab: Frontend, home: Home
) -> None:
    carol = person(home, "account", "carol")
    await begin(tab, "Proton account")
    await tab.see("Sign in to Proton", within=FLOW)
    await tab.fill(username="carol", password=carol["password"])
    await tab.submit()
    await tab.see("Two-factor code", within=FLOW)
    await tab.fill(code="12345")
    await tab.submit()
    await tab.see("it has six digits", within=FLOW)
    await tab.fill(code=totp(carol["totp_secret"], time.time()))
    await tab.submit()
    await ends_with(tab, "Lumo (carol)")


async def test_an_api_key_is_checked(tab: Frontend, home: Home) -> None:
    """What is not encrypted is said before; a key that is not known is refused."""
    await begin(tab, "API key")
    await tab.see("Proton can read what you say", within=FLOW)
    await tab.fill(api_key="pat-standin-revoked-key-0123456789")
    await tab.submit()
    await tab.see("Lumo does not accept this API key", within=FLOW)
    await tab.fill(api_key=person(home, "api_key")["api_key"])
    await tab.submit()
    await ends_with(tab, "Lumo (API)")


async def test_a_session_is_pasted(tab: Frontend, home: Home) -> None:
    """Half of one is refused in words."""
    session = person(home, "session", "alice")
    await begin(tab, "Use an existing session")
    await tab.see("Use a session that nothing else uses", within=FLOW)
    await tab.fill(uid=session["uid"], access_token=session["access_token"])
    await tab.submit()
    await tab.see("This is not a whole session.", within=FLOW)
    await tab.fill(refresh_token=session["refresh_token"])
    await tab.submit()
    await ends_with(tab, "Lumo AI Task")
