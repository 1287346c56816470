"""What is released: one version everywhere, an archive that installs, sound workflows."""

from collections.abc import Callable
from pathlib import Path
import re
from typing import Any
import zipfile

from homeassistant.core import HomeAssistant
from homeassistant.loader import Integration
import pytest
import yaml

from dev.release import pack, problems

ROOT = Path(__file__).parent.parent.parent
LUMO = ROOT / "custom_components" / "lumo"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
# What is taken as it is today, on purpose.
UNPINNED = {"home-assistant/actions/hassfest@master", "hacs/action@main"}

type Made = Callable[..., Path]


@pytest.fixture
def made(tmp_path: Path) -> Made:
    def make(manifest: str, project: str, changes: str) -> Path:
        folder = tmp_path / "custom_components" / "lumo"
        folder.mkdir(parents=True)
        (folder / "manifest.json").write_text(f'{{"version": "{manifest}"}}')
        (tmp_path / "pyproject.toml").write_text(f'[project]\nversion = "{project}"\n')
        (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{changes}\n")
        return tmp_path

    return make


@pytest.mark.parametrize(
    ("manifest", "project", "changes", "tag", "told"),
    [
        ("1.2.0", "1.2.0", "## 1.2.0\n\n- New.\n\n## 1.1.0\n\n- Old.", "v1.2.0", []),
        ("1.2.0", "1.2.0", "## 1.2.0 (2026-12-01)\n\n- New.", None, []),
        ("1.2.0b1", "1.2.0b1", "## 1.2.0b1\n\n- New.", "v1.2.0b1", []),
        ("1.2.0", "1.1.0", "## 1.2.0\n\n- New.", "v1.2.0", ["pyproject.toml has 1.1.0"]),
        ("1.2.0", "1.2.0", "## Unreleased\n\n- New.", None, ["begins with Unreleased"]),
        ("1.2.0", "1.2.0", "## 1.3.0\n\n- New.", None, ["begins with 1.3.0"]),
        ("1.2.0", "1.2.0", "Nothing.", None, ["begins with nothing"]),
        ("1.2.0", "1.2.0", "## 1.2.0\n\n## 1.1.0\n\n- Old.", None, ["nothing of 1.2.0"]),
        ("1.2.0", "1.2.0", "## 1.2.0\n\n- New.", "1.2.0", ["the tag is 1.2.0"]),
        ("1.2.0", "1.2.0", "## 1.2.0\n\n- New.", "v1.2.1", ["the tag is v1.2.1"]),
        ("1", "2", "## 3\n\n- New.", "v4", ["pyproject", "begins with 3", "tag is v4"]),
    ],
)  # fmt: skip
def test_versions(
    made: Made,
    manifest: str,
    project: str,
    changes: str,
    tag: str | None,
    told: list[str],
) -> None:
    found = problems(made(manifest, project, changes), tag)
    assert len(found) == len(told)
    for problem, words in zip(found, told, strict=True):
        assert words in problem


def test_archive_is_all_that_an_installation_needs(
    hass: HomeAssistant, tmp_path: Path
) -> None:
    """Unpacked into a folder, Home Assistant finds the integration there."""
    names = pack(LUMO, tmp_path / "lumo.zip")
    assert pack(LUMO, tmp_path / "again.zip") == names
    assert (tmp_path / "lumo.zip").read_bytes() == (tmp_path / "again.zip").read_bytes()
    assert {
        path.relative_to(LUMO).as_posix()
        for path in LUMO.rglob("*")
        if path.is_file() and path.parent.name != "__pycache__"
    } == set(names)
    target = tmp_path / "custom_components" / "lumo"
    with zipfile.ZipFile(tmp_path / "lumo.zip") as archive:
        archive.extractall(target)
    package = type("custom_components", (), {})
    package.__path__ = [str(target.parent)]  # type: ignore[attr-defined]
    package.__name__ = "custom_components"
    found = Integration.resolve_from_root(hass, package, "lumo")  # type: ignore[arg-type]
    assert found is not None
    assert (found.domain, found.config_flow) == ("lumo", True)
    assert (target / "brand" / "icon.png").is_file()
    assert found.version is not None


def steps(workflow: dict[str, Any]) -> list[dict[str, str]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow(path: Path) -> None:
    """It runs what exists, on pinned actions, with the least permissions."""
    text = path.read_text("utf-8")
    workflow = yaml.safe_load(text)
    assert workflow["permissions"] in ({}, {"contents": "read"})
    for step in steps(workflow):
        if action := step.get("uses"):
            assert action in UNPINNED or re.search(r"@[0-9a-f]{40}$", action), action
            assert action in UNPINNED or f"{action} # v" in text
        run = step.get("run", "")
        for script in re.findall(r"scripts/\w+", run):
            assert (ROOT / script).is_file(), script
        for module in re.findall(r"-m (dev\.\w+)", run):
            assert list(ROOT.glob(f"{module.replace('.', '/')}*")), module
        # What others can choose is no part of a command.
        assert "${{ github.event" not in run


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("[!c]*.yml")),
    ids=lambda path: path.stem,
)
def test_issue_form(path: Path) -> None:
    """GitHub shows it: kinds of fields that it knows, each with a name of its own."""
    form = yaml.safe_load(path.read_text("utf-8"))
    assert {"name", "description", "body"} <= form.keys()
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    known = {"input", "textarea", "dropdown", "checkboxes"}
    assert {field["type"] for field in fields} <= known
    assert len({field["id"] for field in fields}) == len(fields) > 0
    assert all(field["attributes"]["label"] for field in fields)


def test_a_problem_comes_with_diagnostics() -> None:
    path = ROOT / ".github" / "ISSUE_TEMPLATE" / "problem.yml"
    body = yaml.safe_load(path.read_text("utf-8"))["body"]
    [field] = [field for field in body if field.get("id") == "diagnostics"]
    assert field["validations"]["required"]
