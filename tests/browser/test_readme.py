"""The README on a phone and on a desk, light and dark: nothing narrow, nothing cut.

It is laid out as GitHub does it: a column of at most 830 px, pictures no wider than that,
tables that are as wide as their words and are cut where the column ends.
"""

from pathlib import Path

from markdown_it import MarkdownIt
from playwright.async_api import BrowserContext
import pytest

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

README = Path(__file__).parents[2] / "README.md"
TEXT = README.read_text("utf-8")
STYLE = """
  body { margin: 0 auto; max-width: 830px; padding: 16px; color-scheme: light dark;
    font: 16px/1.5 Roboto, "Noto Sans", "Liberation Sans", sans-serif; }
  img { max-width: 100%; box-sizing: content-box; }
  table { display: block; width: max-content; max-width: 100%; overflow: auto;
    border-spacing: 0; border-collapse: collapse; }
  th, td { padding: 6px 13px; border: 1px solid; }
  pre { padding: 16px; overflow: auto; font-size: 85%; }
  ul, ol { padding-left: 2em; }
  h1 { font-size: 2em; } h2 { font-size: 1.5em; }
"""
# What is narrower than half of the window, or wider than there is room. Words of one
# line, cells and badges may be short.
WRONG = """() => {
  const found = [];
  for (const item of document.body.querySelectorAll("p, li, pre, table, h1, h2, h3, img")) {
    const box = item.getBoundingClientRect();
    const badge = item.nodeName === "IMG" && !item.src.includes("docs/images");
    // A picture has a line of its own.
    const room = Math.min(innerWidth / 2, item.nodeName === "IMG" ? 300 : 415);
    if (box.width < room && !badge) found.push(`narrow: ${item.outerHTML.slice(0, 90)}`);
    if (item.scrollWidth > item.clientWidth && item.clientWidth || box.right > innerWidth)
      found.push(`cut: ${item.outerHTML.slice(0, 90)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page scrolls");
  return found;
}"""


def written(path: Path, text: str) -> str:
    """Write a page of Markdown as HTML; return its address."""
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    # Pictures of the repository are loaded; badges of other servers are not.
    base = f'<base href="{README.parent.as_uri()}/">'
    path.write_text(f"<!doctype html>{base}<style>{STYLE}</style>{html}", "utf-8")
    return path.as_uri()


async def looked_at(
    context: BrowserContext, address: str, width: int, *, dark: bool = False
) -> tuple[list[str], float]:
    """Return what is wrong with a page, and how many screens it takes."""
    page = await context.new_page()
    try:
        await page.set_viewport_size({"width": width, "height": 844})
        await page.emulate_media(color_scheme="dark" if dark else "light")
        await page.goto(address, wait_until="domcontentloaded")
        await page.wait_for_function(
            "() => [...document.images].every(item => item.complete"
            " || !item.src.includes('docs/images'))"
        )
        wrong: list[str] = await page.evaluate(WRONG)
        height: int = await page.evaluate("document.documentElement.scrollHeight")
    finally:
        await page.close()
    return wrong, height / 844


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
async def test_readme(
    context: BrowserContext, tmp_path: Path, width: int, dark: bool
) -> None:
    address = written(tmp_path / "page.html", TEXT)
    wrong, screens = await looked_at(context, address, width, dark=dark)
    assert wrong == []
    assert screens <= 8


async def test_what_is_narrow_or_cut_is_found(
    context: BrowserContext, tmp_path: Path
) -> None:
    """A picture beside a text, a table and code that are too wide."""
    floating = '<img src="docs/images/sign-in.png" align="left" width="300">\n\nA word.'
    table = "| a | b | c |\n| --- | --- | --- |\n" + "| abcdefghijklmnopqr " * 3 + "|"
    for text, told in (
        (f"# A\n\n<p style='width: 55px'>{floating}</p>", "narrow"),
        (table, "cut"),
        ("    " + "code " * 30, "cut"),
    ):
        address = written(tmp_path / "page.html", text)
        wrong, _ = await looked_at(context, address, 390)
        assert any(item.startswith(told) for item in wrong), wrong
