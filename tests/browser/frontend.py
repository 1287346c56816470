"""What these tests know of Home Assistant's frontend: its pages, dialogs and fields.

A release that changes it breaks this file. Nearly all of it is in shadow roots, which
Playwright's locators pierce; what a person can read is collected by `VISIBLE`.
"""

import asyncio
import json
import re
import time
from typing import Any

from playwright.async_api import BrowserContext, Locator, Page

from dev.home import Home

LONGEST_WAIT = 60  # seconds, on a busy machine
NOON = "2026-11-02T12:00:00+01:00"
"""The page's time: it stands still."""

WIDE = (1000, 800)
PHONE = (390, 844)

INTEGRATION = "/config/integrations/integration/lumo"
ADD_INTEGRATION = "/config/integrations/dashboard/add?domain=lumo"
FLOW = "dialog-data-entry-flow"
ASSIST = "ha-voice-command-dialog"
PIPELINE = "dialog-voice-assistant-pipeline-detail"
REPAIR = "dialog-repairs-issue"
CONFIRM = "dialog-box"

# All texts that can be seen in an element, in the order in which they stand, with those
# in fields. What a closed panel holds is there, but has no height.
VISIBLE = """(root) => {
  const texts = [];
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.textContent.replace(/\\s+/g, " ").trim();
      if (text) texts.push(text);
    } else if (node.nodeType === Node.ELEMENT_NODE) {
      const style = getComputedStyle(node);
      if (/^(style|script|svg)$/i.test(node.nodeName)) return;
      if (style.display === "none" || style.visibility === "hidden") return;
      if (style.overflow === "hidden" && style.display !== "inline"
        && node.clientHeight === 0) return;
      if (/^(INPUT|TEXTAREA)$/.test(node.nodeName)) {
        const kept = /^(checkbox|radio|password)$/.test(node.type) ? "" : node.value;
        if (kept) texts.push(kept);
      } else if (node.nodeName === "SLOT" && node.assignedNodes().length) {
        node.assignedNodes().forEach(walk);
      } else (node.shadowRoot || node).childNodes.forEach(walk);
    }
  };
  walk(root);
  return texts;
}"""

# Texts of which a part is cut off, because they have no room.
CUT = (
    f"(root) => {{ const visible = {VISIBLE};"
    """
  const cut = [];
  const walk = (node) => {
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    if (getComputedStyle(node).textOverflow === "ellipsis"
      && node.clientWidth > 0 && node.scrollWidth > node.clientWidth)
      cut.push(visible(node).join(" "));
    for (const part of [node, node.shadowRoot])
      part?.childNodes.forEach(walk);
  };
  walk(root);
  return cut;
}"""
)


def squeezed(text: str) -> str:
    """Return a text without spaces and Markdown, to find it however it is laid out."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"^\d\. ", "", text, flags=re.MULTILINE)  # numbers of a list
    return re.sub(r"[\s*`\u2066-\u2069]", "", text)


class Frontend:
    """A tab with Home Assistant, whose owner is signed in."""

    def __init__(self, page: Page, home: Home) -> None:
        self.page = page
        self.home = home

    async def open(self, path: str) -> None:
        await self.page.goto(self.home.api.base_url + path)
        await self.page.locator("home-assistant-main").wait_for()

    async def texts(self, within: str = "body") -> list[str]:
        """Return what can be read in the last element of a kind; nothing if none."""
        found = self.page.locator(within)
        if not await found.count():
            return []
        texts: list[str] = await found.last.evaluate(VISIBLE)
        return texts

    async def cut(self, within: str) -> list[str]:
        texts: list[str] = await self.page.locator(within).last.evaluate(CUT)
        return texts

    async def see(self, *wanted: str, within: str = "body") -> list[str]:
        """Wait until all of these can be read, and return all texts that can."""
        return await self._until(wanted, within, there=True)

    async def see_no(self, *unwanted: str, within: str = "body") -> list[str]:
        """Wait until none of these can be read."""
        return await self._until(unwanted, within, there=False)

    async def _until(
        self, wanted: tuple[str, ...], within: str, *, there: bool
    ) -> list[str]:
        end = time.monotonic() + LONGEST_WAIT
        while True:
            texts = await self.texts(within)
            joined = squeezed("".join(texts))
            wrong = [item for item in wanted if (squeezed(item) in joined) != there]
            if not wrong:
                return texts
            seen = "can be read" if there else "cannot be read"
            assert time.monotonic() < end, f"not so: {wrong} {seen}, but: {texts}"
            await asyncio.sleep(0.1)

    async def gone(self, within: str) -> None:
        """Wait until nothing can be read in elements of a kind."""
        end = time.monotonic() + LONGEST_WAIT
        while texts := await self.texts(within):
            assert time.monotonic() < end, f"still there: {texts}"
            await asyncio.sleep(0.1)

    async def press(self, label: str, within: str = "body", which: int = 0) -> None:
        """Press a button, an entry of a menu or a row."""
        place = self.page.locator(within).last
        button = place.get_by_role("button", name=label, exact=True)
        text = place.get_by_text(label, exact=True)
        await button.or_(text).locator("visible=true").nth(which).click()

    async def settle(self) -> None:
        """Wait until nothing moves any more, under no pointer."""
        await self.page.mouse.move(0, 0)
        await self.page.wait_for_timeout(600)

    # Forms: of an integration, a subentry or a repair

    async def add_integration(self) -> None:
        """Begin to add Lumo, as the button in the README does, and agree."""
        await self.open(ADD_INTEGRATION)
        fine = self.page.locator(f"{CONFIRM} ha-button").locator("visible=true")
        await fine.last.click()

    def field(self, name: str) -> Locator:
        return self.page.locator(f"{FLOW} ha-selector", has_text=name).last

    async def fill(self, **values: str) -> None:
        """Fill fields of a form in, by their keys."""
        for key, value in values.items():
            field = self.page.locator(FLOW).locator(f'[name="{key}"]')
            await field.locator("input, textarea").last.fill(value)

    async def submit(self, label: str = "Submit") -> None:
        await self.page.locator(FLOW).locator("ha-dialog-footer ha-button").last.click()

    async def finish(self) -> None:
        await self.submit()
        await self.gone(FLOW)

    async def is_on(self, field: str = "") -> bool:
        """Tell whether the switch of a field is on; any field has no name."""
        switch = self.field(field).locator("ha-switch").last
        await switch.wait_for()
        on: bool = await switch.evaluate("item => item.checked")
        return on

    async def set_switch(self, field: str, *, on: bool) -> None:
        """Turn the switch of a field on or off."""
        if await self.is_on(field) is not on:
            await self.field(field).locator("ha-switch").last.click()

    async def open_section(self, title: str) -> None:
        section = self.page.locator(f"{FLOW} ha-expansion-panel", has_text=title)
        await section.get_by_text(title, exact=True).click()
        await self.settle()

    async def choose_option(self, field: str, option: str) -> None:
        # Its help texts are a part of it, below.
        await self.field(field).click(position={"x": 100, "y": 25})
        await self.page.get_by_text(option, exact=True).last.click()

    async def scroll_to(self, text: str) -> None:
        field = self.page.locator(FLOW).get_by_text(text, exact=True).last
        await field.evaluate("item => item.scrollIntoView({block: 'center'})")

    async def options(self, label: str = "Change options", which: int = 0) -> None:
        """Open the options of the agent (0) or of the AI task (1)."""
        await self.open(INTEGRATION)
        await self.press(label, which=which)
        await self.field("").wait_for()
        await self.settle()

    async def all_options(self, label: str = "Change options") -> None:
        """Open the page behind *Recommended settings*."""
        await self.options(label)
        await self.set_switch("", on=False)
        before = await self.texts(FLOW)
        await self.submit()
        await self.see_no(before[0], within=FLOW)
        await self.settle()

    # Assist

    async def open_assist(self) -> None:
        """Open the dialog on the first page, by its key."""
        await self.open("/")
        await self.page.locator("ha-panel-lovelace, ha-panel-home").first.wait_for()
        await self.settle()
        await self.page.locator("body").press("a")
        await self._sentence().wait_for()

    def _sentence(self) -> Locator:
        return self.page.locator("ha-assist-chat input").first

    async def type(self, text: str) -> None:
        await self._sentence().press_sequentially(text)

    async def send(self) -> None:
        await self._sentence().press("Enter")

    async def say(self, sentence: str, *answer: str) -> list[str]:
        """Say a sentence, and wait until all of this is part of the newest answer."""
        shown = len(await self.bubbles())
        await self._sentence().fill(sentence)
        await self.send()
        end = time.monotonic() + LONGEST_WAIT
        while True:
            bubbles = (await self.bubbles())[shown:]
            whole = squeezed(" ".join(bubbles[1:]))
            if len(bubbles) > 1 and all(squeezed(part) in whole for part in answer):
                return bubbles
            assert time.monotonic() < end, f"not answered with {answer}: {bubbles}"
            await asyncio.sleep(0.05)

    async def bubbles(self) -> list[str]:
        """Return what was said so far, by both."""
        found = self.page.locator("ha-assist-chat .message")
        return [
            " ".join(await bubble.evaluate(VISIBLE)) for bubble in await found.all()
        ]

    async def watch(self) -> None:
        """Note from now on, with each frame, what the newest bubble shows."""
        await self.page.locator("ha-assist-chat").evaluate(
            f"""chat => {{
              const visible = {VISIBLE};
              const seen = window.watched = [];
              const look = () => {{
                const [bubble] = [...chat.shadowRoot.querySelectorAll(".message")]
                  .slice(-1);
                const text = visible(bubble).join(" ");
                if (seen.at(-1) !== text) seen.push(text);
                requestAnimationFrame(look);
              }};
              look();
            }}"""
        )

    async def watched(self) -> list[str]:
        texts: list[str] = await self.page.evaluate("window.watched")
        return texts

    # Other pages

    async def account_menu(self, item: str) -> None:
        """Choose in the menu of the first account on the integration's page."""
        await self.open(INTEGRATION)
        row = self.page.locator("ha-config-entry-row ha-row-item").first
        await row.wait_for()
        await self.settle()
        await row.locator("ha-dropdown ha-icon-button").click()
        await self.page.locator("ha-dropdown-item", has_text=item).first.click()

    async def perform(self, action: str, **data: object) -> None:
        await self.open("/config")
        kept = {"action": action, "data": data}
        await self.page.evaluate(
            "kept => localStorage.setItem("
            "'panel-dev-action-state-service-data', JSON.stringify(kept))",
            kept,
        )
        await self.open("/config/developer-tools/action")
        await self.press("Perform action")

    # What the server is asked for beside

    async def act(self, action: str, **data: Any) -> None:
        """Do something in the house without Lumo."""
        domain, service = action.split(".")
        await self.home.api.command(
            "call_service", domain=domain, service=service, service_data=data
        )


async def new_tab(
    context: BrowserContext,
    home: Home,
    *,
    language: str = "en",
    size: tuple[int, int] = WIDE,
    dark: bool = False,
) -> Frontend:
    """Open a tab whose looks do not depend on the machine."""
    page = await context.new_page()
    page.set_default_timeout(LONGEST_WAIT * 1000)
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await page.emulate_media(
        color_scheme="dark" if dark else "light", reduced_motion="reduce"
    )
    await page.clock.set_fixed_time(NOON)
    tokens = {
        "access_token": home.api.access_token,
        "token_type": "Bearer",
        "expires_in": 10**9,
        "expires": 4 * 10**12,  # milliseconds: beyond our days
        "hassUrl": home.api.base_url,
        "clientId": f"{home.api.base_url}/",
        "refresh_token": "",
    }
    stored = {
        "hassTokens": json.dumps(tokens),
        "selectedLanguage": json.dumps(language),
    }
    await page.add_init_script(
        f"for (const [name, value] of Object.entries({json.dumps(stored)}))"
        " localStorage.setItem(name, value);"
    )
    return Frontend(page, home)
