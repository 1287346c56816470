"""Faults that neither hassfest nor HACS tells, planted in a copy of the repository."""

from collections.abc import Callable, Iterator
import json
from pathlib import Path
import shutil
from typing import Any

import pytest

from dev.validate import validate
from dev.validate.files import Tree
from dev.validate.translations import untranslated

ROOT = Path(__file__).parent.parent.parent
LUMO = "custom_components/lumo"
ICONS = f"{LUMO}/icons.json"
SERVICES = f"{LUMO}/services.yaml"
ENGLISH = f"{LUMO}/translations/en.json"
GERMAN = f"{LUMO}/translations/de.json"
QUALITY = f"{LUMO}/quality_scale.yaml"
BRAND = f"{LUMO}/brand"
# The checks read each of them; the other languages and rooms are more of the same.
COPIED = "*.json *.yaml *.py brand/* translations/en.* translations/de.*"

type Edit = Callable[[str], str | None]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("repository")
    for name in ("README.md", "LICENSE", "hacs.json", ".github"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, root / name)
    for name in ("docs", "tests"):
        (root / name).symlink_to(ROOT / name)
    for pattern in COPIED.split():
        for path in (ROOT / LUMO).glob(pattern):
            target = root / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    return root


@pytest.fixture
def edited(tree: Path) -> Iterator[Callable[[str, Edit], Path]]:
    """Return what edits a file of the copy, and undo it afterwards."""
    before: dict[Path, bytes | None] = {}

    def edit(name: str, change: Edit) -> Path:
        path = tree / name
        before[path] = path.read_bytes() if path.exists() else None
        path.parent.mkdir(exist_ok=True)
        text = change((before[path] or b"").decode("latin-1"))
        if text is None:
            path.unlink()
        else:
            path.write_bytes(text.encode("latin-1"))
        return tree

    yield edit
    for path, content in before.items():
        if content is None:
            path.unlink()
            if not any(path.parent.iterdir()):
                path.parent.rmdir()
        else:
            path.write_bytes(content)


def setting(path: str, value: Any = None) -> Edit:
    """Set what stands at a path of a JSON file; without a value, remove it."""

    def change(text: str) -> str:
        data = found = json.loads(text.encode("latin-1"))
        *above, last = path.split(".")
        for key in above:
            found = found[key]
        if value is None:
            del found[last]
        else:
            found[last] = value
        return json.dumps(data)

    return change


def swap(old: str, new: str) -> Edit:
    """Replace what is there once or more, the first time."""

    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


def written(text: str) -> Edit:
    return lambda _before: text


def gone(_before: str) -> None:
    """Remove a file."""


def png(width: int, height: int) -> Edit:
    sides = (width.to_bytes(4) + height.to_bytes(4)).decode("latin-1")
    return lambda text: text[:16] + sides + text[24:]


def rule(name: str, status: str, comment: str = "") -> Edit:
    """Add a rule to the quality scale, or say it anew."""

    def change(text: str) -> str:
        head, _, rest = text.partition(f"  {name}:")
        following = rest.find("\n  ", rest.find("\n") if rest else 0)
        while rest and rest[following + 3 : following + 4] == " ":
            following = rest.find("\n  ", following + 1)
        said = f"  {name}:\n    status: {status}\n    comment: {comment!r}"
        return f"{head}{said}{rest[following:] if rest else chr(10)}"

    return change


FAULTS: list[tuple[str, Edit, str]] = [
    # icons.json
    (ICONS, swap("{", "{,"), "cannot be read"),
    (ICONS, swap('"services"', '"services": {}, "services"'), "there twice"),
    (ICONS, swap("mdi:gauge", "gauge"), "no icon of Material Design"),
    (ICONS, swap("mdi:gauge-full", "mdi:gauge-fuller"), "mdi:gauge-fuller"),
    (ICONS, setting("entity.sensor.requests"), "sensor.requests is only"),
    (ICONS, setting("services.ask"), "ask is only here or only in services.yaml"),
    (SERVICES, swap("ask:", "ask: ["), "cannot be read"),
    # translations
    (ENGLISH, setting("config.error.busy", "Wait {name"), "braces"),
    (ENGLISH, setting("config.error.busy", "Wait {a name}"), "one word"),
    (ENGLISH, gone, "English"),
    (ENGLISH, written("{}"), "English"),
    (GERMAN, written("{}"), "is missing; it is spoken"),
    (GERMAN, setting("exceptions.busy"), "exceptions.busy.message is missing"),
    (GERMAN, setting("config.error.moon", "Mond"), "config.error.moon is not in en"),
    (GERMAN, setting("config.error.busy", "Bitte {name}"), "other placeholders"),
    (f"{LUMO}/translations/xx.json", written("{}"), "no language"),
    # brand
    (f"{BRAND}/icon.png", gone, "is missing"),
    (f"{BRAND}/icon.png", png(256, 200), "200 pixels"),
    (f"{BRAND}/icon@2x.png", png(512, 700), "not square"),
    (f"{BRAND}/icon@2x.png", written("GIF89a"), "no PNG"),
    (f"{BRAND}/picture.png", written(""), "not shown"),
    # quality_scale.yaml
    (QUALITY, rule("brands", "done"), "brands is done without"),
    (QUALITY, rule("brands", "done", "It is so."), "no test and no page"),
    (QUALITY, rule("brands", "done", "docs/moon.md#a"), "docs/moon.md#a, which is not"),
    (QUALITY, rule("brands", "done", "README.md#moon"), "README.md#moon, which is not"),
    (
        QUALITY,
        rule("brands", "done", "tests/test_rooms.py::test_moon"),
        "test_moon, which is not",
    ),
    (QUALITY, rule("brands", "perhaps", "x"), "write done, todo or exempt"),
    (QUALITY, rule("discovery", "exempt"), "discovery is exempt without"),
    (QUALITY, rule("moonlight", "todo", "x"), "moonlight is no rule"),
    (QUALITY, swap("  brands:", "  brandy:"), "brands is missing"),
    (QUALITY, swap("rules:", "level: gold\nrules:"), "level is no part"),
    (QUALITY, gone, "is missing"),
]
HARMLESS: list[tuple[str, Edit]] = [
    (ICONS, setting("entity.sensor.requests.state", {"on": "mdi:lamp"})),
    (SERVICES, swap("required: true", "required: false")),
    (ENGLISH, setting("config.error.busy", "Lumo is busy: 3 < 4, it's so.")),
    (GERMAN, setting("config.error.busy", "Lumo hat gerade viel zu tun.")),
    (GERMAN, setting("config.error.busy")),
    (f"{BRAND}/logo.png", written("\x89PNG\r\n\x1a\n" + "\0" * 10 + "\2\0\0\0\0\x80")),
    (QUALITY, rule("brands", "done", "tests/dev/test_validate.py::test_fault")),
    (QUALITY, rule("brands", "todo", "A logo is missing.")),
]


@pytest.mark.parametrize(
    ("name", "edit", "told"), FAULTS, ids=[f"{row[0]}-{row[2]}" for row in FAULTS]
)
def test_fault(
    edited: Callable[[str, Edit], Path], name: str, edit: Edit, told: str
) -> None:
    """It is told with its file, and what is wrong with it."""
    problems = [str(problem) for problem in validate(edited(name, edit))]
    assert any(
        Path(name).name in problem and told in problem for problem in problems
    ), problems


@pytest.mark.parametrize(("name", "edit"), HARMLESS)
def test_harmless(edited: Callable[[str, Edit], Path], name: str, edit: Edit) -> None:
    """What is allowed is not told."""
    assert validate(edited(name, edit)) == []


def test_what_is_only_in_english_is_listed(edited: Callable[[str, Edit], Path]) -> None:
    """Texts on a screen; nothing fails because of them."""
    tree = Tree(edited(GERMAN, setting("config.error.busy")))
    assert list(untranslated(tree)) == [
        f"{GERMAN}: config.error.busy is shown in English"
    ]
