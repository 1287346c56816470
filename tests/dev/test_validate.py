"""Faults that hassfest or HACS would refuse, planted in a copy of the repository."""

from collections.abc import Callable, Iterator
import json
from pathlib import Path
import shutil
from typing import Any

import pytest

from dev.validate import validate

ROOT = Path(__file__).parent.parent.parent
LUMO = "custom_components/lumo"
MANIFEST = f"{LUMO}/manifest.json"
ICONS = f"{LUMO}/icons.json"
SERVICES = f"{LUMO}/services.yaml"
ENGLISH = f"{LUMO}/translations/en.json"
GERMAN = f"{LUMO}/translations/de.json"
QUALITY = f"{LUMO}/quality_scale.yaml"
BRAND = f"{LUMO}/brand"
# The checks read each of them; the other languages and rooms are more of the same.
COPIED = "*.json *.yaml *.py services/*.py brand/* translations/en.* translations/de.*"

type Edit = Callable[[str], str | None]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what the checks read."""
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
    """Write a file."""
    return lambda _before: text


def gone(_before: str) -> None:
    """Remove a file."""


def png(width: int, height: int) -> Edit:
    """Say other measures in the head of a picture."""
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
    # manifest.json
    (MANIFEST, swap("{", "{,"), "cannot be read"),
    (MANIFEST, swap('"domain"', '"name": "Twice", "domain"'), "there twice"),
    (MANIFEST, swap('"domain": "lumo",', ""), "domain"),
    (MANIFEST, setting("domain", "moon"), "the folder's name"),
    (MANIFEST, setting("version"), "version"),
    (MANIFEST, setting("version", "newest"), "no version"),
    (MANIFEST, setting("issue_tracker"), "issue_tracker"),
    (MANIFEST, setting("documentation", "http://example.org"), "https://"),
    (
        MANIFEST,
        setting("documentation", "https://www.home-assistant.io/integrations/lumo"),
        "Home Assistant's own",
    ),
    (MANIFEST, setting("codeowners", ["somebody"]), "codeowners"),
    (MANIFEST, setting("codeowners", []), "codeowners"),
    (MANIFEST, setting("dependencies", 1), "dependencies"),
    (MANIFEST, setting("iot_class", "cloud"), "iot_class"),
    (MANIFEST, setting("integration_type", "agent"), "integration_type"),
    (MANIFEST, setting("requirements", ["pysequoia>=0.1.35"]), "not pinned"),
    (MANIFEST, setting("requirements", ["pysequoia == 0.1.35"]), "without blanks"),
    (MANIFEST, setting("requirements", ["httpx==0.28.1"]), "pins httpx itself"),
    (MANIFEST, setting("dependencies", ["conversations"]), "no integration convers"),
    (MANIFEST, setting("after_dependencies", ["conversation"]), "twice; keep one"),
    (MANIFEST, setting("config_flow", False), "config_flow"),
    (MANIFEST, setting("quality_scale", "platinum"), "leave it out"),
    (MANIFEST, setting("homepage", "https://example.org"), "homepage"),
    (MANIFEST, setting("categories", ["ai_voice.chatter"]), "categories"),
    (MANIFEST, setting("connectivity", ["clouds"]), "connectivity"),
    (
        MANIFEST,
        swap('"domain": "lumo",', '"config_flow": true, "domain": "lumo",'),
        "there twice",
    ),
    (
        MANIFEST,
        lambda text: json.dumps(dict(sorted(json.loads(text).items()))),
        "domain and name first",
    ),
    (
        f"{LUMO}/sensor.py",
        swap("PARALLEL", "from homeassistant.components import hue\nPARALLEL"),
        "imports hue",
    ),
    (f"{LUMO}/config_flow.py", gone, "config_flow"),
    # icons.json
    (ICONS, swap("mdi:gauge", "gauge"), "no icon of Material Design"),
    (ICONS, swap("mdi:gauge-full", "mdi:gauge-fuller"), "mdi:gauge-fuller"),
    (ICONS, swap('"requests":', '"Requests":'), "no key"),
    (ICONS, setting("entity.sensor.requests"), "sensor.requests is only"),
    (ICONS, setting("entity.light", {"a": {"default": "mdi:lamp"}}), "platform light"),
    (ICONS, setting("services.ask"), "ask is only here or only in services.yaml"),
    # services.yaml
    (SERVICES, swap("ask:", "ask: ["), "cannot be read"),
    (SERVICES, swap("text:", "texts:"), "texts"),
    (SERVICES, swap("required: true", "required: maybe"), "required"),
    (SERVICES, swap("    sentence:\n", "    words:\n"), "fields of ask"),
    (SERVICES, swap("list_tools:", "other_tools:"), "no code registers other_tools"),
    (SERVICES, gone, "registers actions"),
    # translations
    (ENGLISH, setting("services.ask"), "ask is only here"),
    (ENGLISH, setting("services.ask.description"), "description"),
    (ENGLISH, setting("entity.sensor.requests.name", " Requests"), "a blank"),
    (ENGLISH, setting("surprises", {"one": "1"}), "surprises"),
    (ENGLISH, setting("config.error.busy", "Busy, <b>wait</b>"), "HTML"),
    (ENGLISH, setting("config.error.busy", "See https://example.org"), "an address"),
    (ENGLISH, setting("config.error.busy", "[%key:common::busy%]"), "another text"),
    (ENGLISH, setting("config.error.busy", "Wait '{name}'"), "single quotes"),
    (ENGLISH, setting("config.error.busy", "Wait {a name}"), "placeholder"),
    (ENGLISH, setting("config.error.busy", "Wait {name"), "braces"),
    (ENGLISH, setting("issues.quota.title"), "title"),
    (ENGLISH, setting("config.step.account.data_description.moon", "x"), "moon"),
    (ENGLISH, setting("services", []), "services"),
    (ENGLISH, gone, "English"),
    (ENGLISH, written("{}"), "English"),
    (GERMAN, written("{}"), "is only"),
    (GERMAN, setting("config.error.busy"), "config.error.busy is only"),
    (GERMAN, setting("config.error.busy", "Bitte {name}"), "other placeholders"),
    (GERMAN, setting("selector.memory.options.Much", "Viel"), "no key"),
    (f"{LUMO}/translations/xx.json", written("{}"), "no language"),
    (f"{LUMO}/strings.json", written("{}"), "translations/en.json"),
    # brand, hacs.json, folders
    (f"{BRAND}/icon.png", gone, "is missing"),
    (f"{BRAND}/icon.png", png(256, 200), "200 pixels"),
    (f"{BRAND}/icon@2x.png", png(512, 700), "not square"),
    (f"{BRAND}/icon@2x.png", written("GIF89a"), "no PNG"),
    (f"{BRAND}/picture.png", written(""), "not shown"),
    ("hacs.json", gone, "is missing"),
    ("hacs.json", setting("name"), "name"),
    ("hacs.json", setting("homeassistant", "autumn"), "no version"),
    ("hacs.json", setting("domains", ["lumo"]), "domains"),
    ("hacs.json", setting("country", "Germany"), "two letters"),
    ("hacs.json", setting("content_in_root", True), "custom_components"),
    ("hacs.json", setting("zip_release", True), "needs a filename"),
    (
        "hacs.json",
        written('{"name": "L", "zip_release": true, "filename": "moon.zip"}'),
        "does not upload moon.zip",
    ),
    ("README.md", written(" \n"), "missing or empty"),
    ("LICENSE", gone, "missing or empty"),
    ("custom_components/other/manifest.json", written("{}"), "one folder"),
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
    (MANIFEST, setting("version", "2026.12.0b1")),
    (MANIFEST, setting("loggers", [])),
    (MANIFEST, setting("iot_class", "cloud_push")),
    (MANIFEST, setting("requirements", ["pysequoia==0.1.36", "other[fast]==2.0"])),
    (ICONS, setting("entity.sensor.requests.state", {"on": "mdi:lamp"})),
    (ICONS, setting("services.ask", {"service": "mdi:chat"})),
    (SERVICES, swap("required: true", "required: false")),
    (SERVICES, swap("multiline: true", "multiline: false")),
    (ENGLISH, setting("config.error.busy", "Lumo is busy: 3 < 4, it's so.")),
    (GERMAN, setting("config.error.busy", "Lumo hat gerade viel zu tun.")),
    (
        f"{LUMO}/sensor.py",
        swap("PARALLEL", "from homeassistant.components import fan\nPARALLEL"),
    ),
    (f"{BRAND}/logo.png", written("\x89PNG\r\n\x1a\n" + "\0" * 10 + "\2\0\0\0\0\x80")),
    ("hacs.json", setting("render_readme", True)),
    ("hacs.json", setting("country", ["DE", "at"])),
    ("hacs.json", setting("homeassistant", "2026.11.0b0")),
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
    named = Path(name).name if "other/" not in name else "custom_components"
    assert any(named in problem and told in problem for problem in problems), problems


@pytest.mark.parametrize(("name", "edit"), HARMLESS)
def test_harmless(edited: Callable[[str, Edit], Path], name: str, edit: Edit) -> None:
    """What is allowed is not told."""
    assert validate(edited(name, edit)) == []
