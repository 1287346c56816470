"""What a screen shows of an answer makes the browser fetch nothing from elsewhere."""

from urllib.parse import urlsplit

import pytest

from custom_components.lumo.speech.screen import ScreenText
from tests.speech.test_screen import EVIL, ROWS

from .frontend import Frontend

pytestmark = pytest.mark.asyncio(loop_scope="module")

# Puts a text where the dialog of Assist has its answers; returns the links' addresses.
SHOW = """async (content) => {
  const shown = document.createElement('ha-markdown');
  Object.assign(shown, {breaks: true, content});
  document.body.appendChild(shown);
  await new Promise((done) => setTimeout(done, 150));
  const found = shown.shadowRoot ?? shown;
  const inner = found.querySelector('ha-markdown-element');
  return (inner.shadowRoot ?? inner).innerHTML;
}"""


async def test_an_answer_fetches_nothing_from_elsewhere(tab: Frontend) -> None:
    """The control: as it was written, the same picture is asked for."""
    await tab.open_assist()
    await tab.say("Hello")
    asked: list[str] = []
    tab.page.on("request", lambda request: asked.append(urlsplit(request.url).netloc))
    for written, _ in ROWS:
        screen = ScreenText(lambda host: host == "known.example")
        assert await tab.page.evaluate(SHOW, screen.feed(written) + screen.finish())
    assert "evil.example" not in asked
    await tab.page.evaluate(SHOW, f"![.]({EVIL})")
    assert "evil.example" in asked
