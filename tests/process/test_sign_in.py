"""`scripts/ask` signs in as a person would, in every way, against the stand-in.

The quick tests of this are in `test_pipeline.py`, in a Home Assistant that runs already.
"""

import json
from pathlib import Path
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.process, pytest.mark.long]

ROOT = Path(__file__).parent.parent.parent


def ask(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dev.ask", "--json", *arguments, "Hello"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["account"],
        ["account", "--user", "carol"],  # a code
        ["account", "--user", "frank"],  # a captcha
        ["api_key"],
        ["session"],
        ["guest"],
    ],
    ids=" ".join,
)
def test_every_way_in_leads_to_an_answer(arguments: list[str]) -> None:
    """Through the forms, the code and the captcha."""
    done = ask("--sign-in", *arguments)
    assert done.returncode == 0, done.stderr
    turn = json.loads(done.stdout)
    assert turn["reply"]
    assert turn["error"] is None


@pytest.mark.parametrize(
    "arguments",
    [
        ["--user", "dave"],  # a security key only
        ["--user", "nobody"],
        ["--scenario", "wrong_server_proof"],
        ["--scenario", "forged_modulus"],
    ],
    ids=" ".join,
)
def test_a_sign_in_that_is_refused_is_exit_code_2(arguments: list[str]) -> None:
    """The reason is told, the password is not."""
    done = ask("--sign-in", "account", *arguments)
    assert done.returncode == 2
    assert not done.stdout
    assert "scripts/ask: " in done.stderr
    assert "Traceback" not in done.stderr
    assert "correct horse" not in done.stderr
