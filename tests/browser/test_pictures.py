"""The pictures still show what one sees; with `--pictures` they are made anew."""

import json
from pathlib import Path

import pytest

from .conftest import OpenTab
from .frontend import ASSIST
from .pictures import PICTURES, film, masked

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

IMAGES = Path(__file__).parents[2] / "docs" / "images"
TEXTS = IMAGES / "texts.json"
FILM = "conversation.gif"


def check(name: str, texts: list[str], picture: bytes, *, anew: bool) -> None:
    """Compare texts with those of the picture, or keep both."""
    kept = json.loads(TEXTS.read_text(encoding="utf-8")) if TEXTS.exists() else {}
    if anew:
        (IMAGES / name).write_bytes(picture)
        kept[name] = masked(texts)
        text = json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False)
        TEXTS.write_text(text + "\n", encoding="utf-8")
    assert kept.get(name) == masked(texts), (
        f"docs/images/{name} shows other texts than one sees today:"
        " scripts/test --browser --pictures makes the pictures anew"
    )


@pytest.mark.parametrize("name", PICTURES)
async def test_a_picture_shows_what_one_sees(
    name: str, open_tab: OpenTab, anew: bool
) -> None:
    """The texts of its dialog are those that were there when it was made."""
    picture = PICTURES[name]
    tab = await open_tab(size=(picture.width, picture.height), dark=picture.dark)
    await picture.prepare(tab)
    await tab.settle()
    texts = await tab.texts(picture.within)
    image = await tab.page.screenshot(animations="disabled")
    assert texts
    check(f"{name}.png", texts, image, anew=anew)


async def test_the_film_shows_what_one_sees(open_tab: OpenTab, anew: bool) -> None:
    """A conversation that is typed and streamed, below two megabytes."""
    board, tab = await open_tab(size=(400, 700)), await open_tab(size=(400, 460))
    made = await film(board, tab)
    assert len(made.frames) > 30
    picture = made.gif()
    assert len(picture) < 2_000_000
    check(FILM, await tab.texts(ASSIST), picture, anew=anew)
