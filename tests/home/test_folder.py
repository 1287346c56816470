"""The folders that runs make, and remove."""

import contextlib
import json
from pathlib import Path
import tempfile

import pytest

from dev.home.folder import temporary_folder, write_folder


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_a_folder_goes_with_its_run(tmp_path: Path) -> None:
    with contextlib.suppress(RuntimeError), temporary_folder() as folder:
        assert folder.is_dir()
        raise RuntimeError
    assert not list(tmp_path.iterdir())


def test_a_run_removes_what_a_killed_one_left_and_nothing_else(tmp_path: Path) -> None:
    """Folders still in use stay, folders of others too."""
    killed = tmp_path / "lumo-home-killed"
    killed.mkdir()
    (killed / ".in-use").touch()
    foreign = tmp_path / "somebody-elses"
    foreign.mkdir()
    with temporary_folder() as first, temporary_folder() as second:
        assert first.is_dir()
        assert second.is_dir()
        assert not killed.exists()
        assert foreign.is_dir()


def test_a_home_is_ready_without_onboarding(tmp_path: Path) -> None:
    """Every file names its own key; secrets are for their owner only."""
    write_folder(tmp_path / "home", home="demo", port=8123)
    storage = tmp_path / "home" / ".storage"
    assert {path.name for path in storage.iterdir()} >= {"auth", "http", "onboarding"}
    for path in storage.iterdir():
        assert json.loads(path.read_text(encoding="utf-8"))["key"] == path.name
        assert path.stat().st_mode & 0o077 == 0


def test_media_of_a_home_stay_in_its_folder(tmp_path: Path) -> None:
    """Also in a container, where Home Assistant has another place for them."""
    write_folder(tmp_path, home="demo", port=1)
    written = (tmp_path / "configuration.yaml").read_text(encoding="utf-8")
    assert f'local: "{tmp_path}/media"' in written
    assert (tmp_path / "media").is_dir()
