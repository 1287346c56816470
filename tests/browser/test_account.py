"""An account from the day after: sensors, a repair, signing in again, tasks, its end."""

import pytest

from dev.home import Home
from dev.home.lumo import add_lumo

from .conftest import prefer_local, scenario
from .frontend import CONFIRM, FLOW, INTEGRATION, Frontend

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]


async def test_the_sensors_say_what_is_left(tab: Frontend) -> None:
    await tab.open_assist()
    await tab.say("Is the front door locked?", "Yes")
    await tab.open(INTEGRATION)
    await tab.see("Lumo (alice)", "8 entities")
    await tab.press("Lumo (alice) account")
    # One question, one request of a thousand.
    await tab.see("Requests left, Lite", "999 requests", "Requests left, Max")
    await tab.see("Next planned", "+3 disabled entities")


async def test_a_repair_is_done_where_it_is_shown(tab: Frontend, home: Home) -> None:
    """Its button makes it go."""
    await prefer_local(home, wanted=True)
    await tab.open("/config/repairs")
    await tab.see("Commands that run without asking")
    await tab.press("Commands that run without asking")
    await tab.see("asks before doors", within=FLOW)
    await tab.submit()
    await tab.see("The issue is repaired!", within=FLOW)
    await tab.finish()
    await tab.see("There are currently no repairs pending")


async def test_who_was_signed_out_signs_in_again(tab: Frontend, home: Home) -> None:
    """Assist says it, the notice leads to the form, and then an answer comes."""
    await tab.open_assist()
    async with scenario(home, "revoked"):
        await tab.say("Tell me a poem", "Please sign in again in the settings")
    await tab.open(INTEGRATION)
    await tab.see("Needs attention", "Attention required")
    await tab.press("Reconfigure")
    await tab.see("Sign in to Proton", within=FLOW)
    alice = home.lumo.find("account", "alice")
    assert alice is not None
    await tab.fill(username="alice", password=alice["password"])
    await tab.submit()
    await tab.see("Re-authentication was successful", within=FLOW)
    await tab.finish()
    await tab.see_no("Needs attention")
    await tab.open_assist()
    await tab.say("Is the front door locked?", "Yes")


async def test_a_task_writes_data(tab: Frontend) -> None:
    await tab.perform(
        "ai_task.generate_data",
        entity_id="ai_task.lumo_alice_ai_task",
        task_name="greeting",
        instructions="Write a greeting",
        structure={"greeting": {"selector": {"text": {}}, "required": True}},
    )
    await tab.see("Response", "data:", "greeting:", within="tools-action")


async def test_a_removed_account_is_gone(tab: Frontend, home: Home) -> None:
    await add_lumo(home.api, home.lumo, "guest")
    await tab.open(INTEGRATION)
    await tab.see("Lumo AI Task", "Lumo (alice)")
    await tab.account_menu("Delete")
    await tab.see("Delete Lumo?", within=CONFIRM)
    await tab.press("Delete", CONFIRM)
    await tab.see_no("Lumo AI Task")
    await tab.see("Lumo (alice)")
