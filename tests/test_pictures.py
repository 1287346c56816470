"""The pictures of the documents: each is used, small, and its texts are known."""

import json
from pathlib import Path

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
PICTURES = sorted(path for path in IMAGES.iterdir() if path.suffix != ".json")


def test_each_picture_is_shown_by_a_page() -> None:
    pages = [ROOT / "README.md", *ROOT.glob("docs/*.md")]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert [path.name for path in PICTURES if f"images/{path.name}" not in text] == []


def test_of_each_picture_the_texts_are_known() -> None:
    """`scripts/test --browser` compares them with what one sees."""
    texts = json.loads((IMAGES / "texts.json").read_text(encoding="utf-8"))
    assert sorted(texts) == [path.name for path in PICTURES]
    assert all(texts.values())


def test_no_picture_is_heavy() -> None:
    """Two megabytes for the one that moves, 150 kB for others."""
    for path in PICTURES:
        most = 2_000_000 if path.suffix == ".gif" else 150_000
        assert path.stat().st_size < most, path.name
