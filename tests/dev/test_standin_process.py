"""The stand-in as a process: its first line, its options, its end."""

from collections.abc import Iterator
import json
from pathlib import Path
import signal
import subprocess
import sys
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def run(socket_enabled: None) -> Iterator[Any]:
    """Return what starts a stand-in as a process."""
    started: list[subprocess.Popen[str]] = []

    def start(*options: str) -> tuple[subprocess.Popen[str], dict[str, Any]]:
        process = subprocess.Popen(
            [sys.executable, "-m", "dev.standin", *options],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        started.append(process)
        assert process.stdout is not None
        return process, json.loads(process.stdout.readline())

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_the_first_line_says_how_to_reach_it(run: Any, tmp_path: Path) -> None:
    """A signal ends it with 0; nothing else is printed."""
    key_file = tmp_path / "key.asc"
    process, first = run("--scenario", "quota,raw", "--key-file", str(key_file))
    assert first["public_key_file"] == str(key_file)
    assert key_file.read_text().startswith("-----BEGIN PGP PUBLIC KEY BLOCK-----")
    assert first["accounts"][0].keys() >= {
        "kind",
        "uid",
        "access_token",
        "refresh_token",
        "user_name",
    }
    base = first["base_url"]
    scenario = httpx.get(f"{base}/__standin__/scenario", timeout=60).json()
    assert sorted(scenario["scenario"]) == ["quota", "raw"]
    body = {"model": "x", "messages": [{"role": "user", "content": "x"}]}
    assert (
        httpx.post(f"{base}/ai/v1/chat/completions", json=body, timeout=60).status_code
        == 429
    )
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=20)
    assert (process.returncode, output) == (0, "")


@pytest.mark.long
def test_it_dies_with_its_parent_if_wanted(run: Any) -> None:
    process, first = run("--die-with-parent")
    assert httpx.get(f"{first['base_url']}/tests/ping", timeout=60).json() == {
        "Code": 1000
    }
    process.stdin.close()
    assert process.wait(timeout=20) == 0
    assert not Path(first["public_key_file"]).exists()
