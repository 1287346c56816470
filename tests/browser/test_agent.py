"""The agent: what it says and asks in Assist, its options, and where it is chosen."""

import pytest

from dev.home import Home

from .conftest import OpenTab, scenario
from .frontend import FLOW, PHONE, PIPELINE, Frontend

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

LOCK = "lock.front_door"


async def test_an_answer_grows_while_it_comes(tab: Frontend, home: Home) -> None:
    """Its beginning is seen before it is whole."""
    await tab.open_assist()
    await tab.watch()
    sentence = "Which lights are on and which windows are open?"
    async with scenario(home, "unhurried"):
        [*_, answer] = await tab.say(sentence, "light: on.", "are open.")
    # While more is to come, it ends in dots.
    whole = answer.removesuffix("…")
    shown = {text.removesuffix("…") for text in await tab.watched()}
    begun = [text for text in shown if "light" in text and text != whole]
    assert begun
    assert all(whole.startswith(text) for text in begun), begun


async def test_a_door_is_unlocked_after_a_yes(tab: Frontend) -> None:
    """The question, the answer and the lock itself, as they are seen."""
    await tab.act("lock.lock", entity_id=LOCK)
    await tab.open_assist()
    await tab.say("Unlock the front door", "Shall I unlock the front door?")
    await tab.open(f"/?more-info-entity-id={LOCK}")
    await tab.see("Front door", "Locked", within="ha-more-info-dialog")
    await tab.open_assist()
    await tab.say("Unlock the front door", "Shall I unlock the front door?")
    await tab.say("yes", "unlocked")
    await tab.open(f"/?more-info-entity-id={LOCK}")
    await tab.see("Front door", "Unlocked", within="ha-more-info-dialog")


async def test_a_no_leaves_it_locked(tab: Frontend) -> None:
    await tab.act("lock.lock", entity_id=LOCK)
    await tab.open_assist()
    await tab.say("Unlock the front door", "Shall I unlock the front door?")
    await tab.say("no", "All right, I will not unlock the front door.")
    await tab.open(f"/?more-info-entity-id={LOCK}")
    await tab.see("Front door", "Locked", within="ha-more-info-dialog")


async def test_a_failure_is_shown_once(tab: Frontend, home: Home) -> None:
    await tab.open_assist()
    async with scenario(home, "server_error"):
        await tab.say("What is a lumen?", "Lumo has a problem at the moment.")
        await tab.settle()
    shown = await tab.bubbles()
    assert sum("Lumo has a problem" in bubble for bubble in shown) == 1, shown


async def test_what_is_saved_is_there_again(tab: Frontend) -> None:
    """Options behind *Recommended settings*, and those of the first page."""
    await tab.all_options()
    await tab.see("Settings of the agent", "You can leave everything here as it is.")
    await tab.open_section("Answers")
    await tab.set_switch("Think before answering", on=True)
    await tab.open_section("Safety")
    await tab.field("Highest temperature").locator("input").fill("24")
    await tab.submit()
    await tab.see("Tools of the agent", within=FLOW)
    await tab.submit()
    await tab.see("Reconfiguration was successful", within=FLOW)
    await tab.options()
    assert not await tab.is_on("Recommended settings")
    await tab.all_options()
    await tab.open_section("Answers")
    assert await tab.is_on("Think before answering")
    await tab.open_section("Safety")
    assert "24" in await tab.texts(FLOW)


async def test_the_dialog_of_an_assistant_names_the_agent(tab: Frontend) -> None:
    """Beside it is Home Assistant's switch that passes it by."""
    await tab.open("/config/voice-assistants/assistants")
    await tab.see("Add assistant", "Lumo")
    await tab.press("Lumo", "assist-pref")
    switch = "Prefer handling commands locally"
    await tab.see(switch, "Lumo (alice)", within=PIPELINE)


async def test_a_phone_shows_all_of_it(open_tab: OpenTab) -> None:
    """Nothing is wider than the screen, and what was said is on it."""
    tab = await open_tab(size=PHONE)
    await tab.open_assist()
    await tab.say("Unlock the front door", "Shall I unlock the front door?")
    for place in ("ha-assist-chat", "ha-assist-chat .message >> nth=-1"):
        box = await tab.page.locator(place).bounding_box()
        assert box is not None
        assert box["x"] >= 0 and box["x"] + box["width"] <= PHONE[0], place
        assert box["y"] >= 0 and box["y"] + box["height"] <= PHONE[1], place
    await tab.say("no", "All right")
    await tab.all_options()
    title = tab.page.locator(FLOW).get_by_text("Settings of the agent", exact=True)
    cut = "item => item.scrollWidth > item.clientWidth && item.clientWidth > 0"
    assert not await title.evaluate(cut)
    wide = "() => document.scrollingElement.scrollWidth"
    assert await tab.page.evaluate(wide) <= PHONE[0]


async def test_in_the_dark_it_can_be_read(open_tab: OpenTab) -> None:
    """Light words on a dark ground."""
    tab = await open_tab(dark=True)
    await tab.open_assist()
    said = await tab.say("Hello", "")
    assert said
    brightness = """item => {
      const parts = getComputedStyle(item).color.match(/[0-9.]+/g).slice(0, 3);
      return parts.reduce((sum, part) => sum + Number(part), 0) / 3;
    }"""
    words = tab.page.locator("ha-assist-chat .message").last
    assert await words.evaluate(brightness) > 128
