"""What the repository says of itself holds: its address, links, dependencies, sizes."""

from collections.abc import Iterator
import json
from pathlib import Path
import re
import tomllib
from typing import Any

from packaging.requirements import Requirement
import pytest

from dev.validate import validate
from dev.validate.quality import anchors

from .pages import PAGES, ROOT

MANIFEST: dict[str, Any] = json.loads(
    (ROOT / "custom_components" / "lumo" / "manifest.json").read_text(encoding="utf-8")
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

# How a repository is named by its page, the buttons of my.home-assistant.io and badges.
ADDRESSES = (
    re.compile(r"github\.com/([\w.-]+)/([\w-]+)"),
    re.compile(r"owner=([\w.-]+)&(?:amp;)?repository=([\w.-]+)"),
    re.compile(r"img\.shields\.io/github/(?:[a-z-]+/)+([\w.-]+)/([\w-]+)(?=[?/)\"]|$)"),
)
# Neighbours: they stay where they are when this repository moves.
OTHERS = {"home-assistant", "hacs", "actions", "ProtonMail", "ProtonLumo", "ZeroTricks"}

MAX_LINES = 450
# What a person reads before they install it, and all pages together.
MAX_WORDS = {"README.md": 1_000, "docs/*.md": 20_000}
NUMBERS = ROOT / "docs" / "numbers.json"


def texts() -> Iterator[tuple[Path, str]]:
    yield from ((path, path.read_text(encoding="utf-8")) for path in PAGES)
    for folder, pattern in (
        (".github", "*.yml"),
        ("docs/blueprints", "*.yaml"),
        ("custom_components", "*.py"),
        ("custom_components", "*.json"),
        ("custom_components", "*.toml"),
        ("custom_components", "*.yaml"),
        ("dev", "*.py"),
        ("scripts", "*"),
    ):
        for path in (ROOT / folder).rglob(pattern):
            if path.is_file():
                yield path, path.read_text(encoding="utf-8")


def test_the_address_of_the_repository_is_the_manifests() -> None:
    home = MANIFEST["documentation"]
    owner, name = home.removeprefix("https://github.com/").split("/")
    assert MANIFEST["issue_tracker"] == f"{home}/issues"
    assert MANIFEST["codeowners"] == [f"@{owner}"]
    found = [
        (path.relative_to(ROOT).as_posix(), match.groups())
        for path, text in texts()
        for pattern in ADDRESSES
        for match in pattern.finditer(text)
        if match[1] not in OTHERS
    ]
    assert found
    assert [item for item in found if item[1] != (owner, name)] == []


def test_hassfest_and_hacs_would_take_it() -> None:
    """What they check and can be known here; each problem says where and what."""
    assert list(map(str, validate(ROOT))) == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    """Files that exist, and headings that they have."""
    text = path.read_text(encoding="utf-8")
    without_code = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    links = re.findall(r"\]\(([^)\s]+)\)", without_code)
    links += re.findall(r"(?:src|srcset|href)=\"([^\"]+)\"", without_code)
    for link in links:
        if "://" in link:
            continue
        target, _, anchor = link.partition("#")
        file = path.parent / target if target else path
        assert file.exists(), f"{path.name}: there is no {link}"
        if anchor:
            known = anchors(file.read_text(encoding="utf-8"))
            assert anchor in known, f"{path.name}: {link} is none of {sorted(known)}"


# Paths as documents write them, in code: they begin with a folder of the repository, or
# with one of the integration.
PATHS = re.compile(
    r"`((?:custom_components|dev|docs|tests|scripts|requirements|languages|lumo_client|"
    r"tool_calling|gate|abilities|agent|sign_in|translations)/[\w./*{}-]*|"
    r"[a-z_]+\.(?:py|toml|yaml))[`:\s]"
)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_paths_that_are_named_exist(path: Path) -> None:
    for name in PATHS.findall(path.read_text(encoding="utf-8")):
        pattern = re.sub(r"\{[^}]*\}", "*", name).rstrip("/")
        folders = (ROOT, ROOT / "custom_components" / "lumo")
        assert any(any(folder.glob(pattern)) for folder in folders), (
            f"{path.name} names `{name}`, which is not there. A path that is still to"
            " come is written without backticks, or in a fence ```text"
        )


def pins(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    return {
        match[1].lower(): match[2]
        for match in re.finditer(r"^([\w.-]+)==(\S+)", text, re.MULTILINE)
    }


def group(name: str) -> list[str]:
    """Return what a dependency group lists, with the groups that it includes."""
    found: list[str] = []
    for item in PROJECT["dependency-groups"][name]:
        found += [item] if isinstance(item, str) else group(item["include-group"])
    return found


@pytest.mark.parametrize(("file", "tools"), [("dev", "dev"), ("next", "test")])
def test_pinned_files_install_what_the_project_asks_for(file: str, tools: str) -> None:
    """In a version that it allows; the manifest asks for what Home Assistant lacks."""
    pinned = pins(file)
    asked = PROJECT["project"]["dependencies"]
    for requirement in map(Requirement, [*asked, *group(tools)]):
        version = pinned[requirement.name.lower()]
        assert requirement.specifier.contains(version, prereleases=True), requirement
    assert set(MANIFEST["requirements"]) <= set(asked)
    assert PROJECT["project"]["version"] == MANIFEST["version"]
    oldest = json.loads((ROOT / "hacs.json").read_text())["homeassistant"]
    assert f"homeassistant>={oldest.removesuffix('.0')}" in asked


def test_no_pinned_file_names_an_index() -> None:
    for path in (ROOT / "requirements").iterdir():
        assert "://" not in path.read_text(encoding="utf-8"), path.name


def test_no_file_with_logic_is_long() -> None:
    """It is split the day it becomes so; tables of words may grow."""
    for folder in ("custom_components", "dev"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.name.startswith("words_"):
                continue
            with path.open(encoding="utf-8") as file:
                assert sum(1 for _ in file) <= MAX_LINES, path.relative_to(ROOT)


@pytest.mark.parametrize("pages", MAX_WORDS)
def test_pages_are_short_enough_to_be_read(pages: str) -> None:
    """Shorten what is there before you add to it."""
    words = {
        path.name: len(re.findall(r"\S*\w\S*", path.read_text("utf-8")))
        for path in ROOT.glob(pages)
    }
    assert sum(words.values()) <= MAX_WORDS[pages], words


def test_each_page_says_first_who_needs_it() -> None:
    for path in ROOT.glob("docs/[a-z]*.md"):
        first = path.read_text("utf-8").split("\n\n")[1]
        assert re.match(
            r"This page is for (you|everybody|households|the owner)\b", first
        ), f'{path.name} begins: {first}. Begin it with "This page is for you if"'


def test_figures_are_those_that_were_measured() -> None:
    measured = json.loads(NUMBERS.read_text("utf-8"))
    page = NUMBERS.with_suffix(".md").read_text("utf-8")
    rows = re.findall(r"^\| .*\? \| (.+) \| `(\w+)` \|$", page, re.MULTILINE)
    assert len(rows) == 14
    for answer, key in rows:
        cells = {
            cell
            for table in measured[key]["tables"]
            for row in table["rows"]
            for cell in row
        }
        for figure in re.findall(r"\d+(?:\.\d+)?", answer.replace(",", "")):
            assert float(figure) in cells, f"{figure} is not in `{key}`: {answer}"
