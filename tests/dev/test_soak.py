"""The soak runs, ends by itself and finds no wrong reply; long ones are for people."""

from pathlib import Path
import re
import subprocess
import sys

import pytest


@pytest.mark.long
@pytest.mark.timeout(600)
def test_short_soak() -> None:
    """Nothing of how long it takes: other tests use the processor, too."""
    run = subprocess.run(
        [sys.executable, "-m", "dev.soak", "30", "--every", "15"],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
    )
    found = re.search(r"(\d+) turns, (\d+) wrong replies", run.stdout)
    assert found, run.stdout + run.stderr
    assert int(found[1]) >= 30
    assert int(found[2]) == 0
    assert "objects" in run.stdout
