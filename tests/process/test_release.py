"""What is released installs by hand: unpacked, it is set up and answers."""

from pathlib import Path
import re
import sys
import zipfile

import pytest

from dev.home import HomeOptions, open_home
from dev.home.folder import LUMO
from dev.release import pack
from dev.run_tests import NEXT_PYTHON

pytestmark = [pytest.mark.process, pytest.mark.long]


@pytest.mark.parametrize(
    "python",
    [
        pytest.param(sys.executable, id="first"),
        pytest.param(
            str(NEXT_PYTHON),
            id="next",
            marks=pytest.mark.skipif(
                not NEXT_PYTHON.exists(), reason="scripts/setup --next brings it"
            ),
        ),
    ],
)
async def test_the_archive_sets_up_without_a_line_in_the_log(
    tmp_path: Path, python: str
) -> None:
    """In a fresh Home Assistant of each release."""
    folder = tmp_path / "lumo"
    pack(LUMO, tmp_path / "lumo.zip")
    with zipfile.ZipFile(tmp_path / "lumo.zip") as archive:
        archive.extractall(folder)
    options = HomeOptions(home="empty", python=python, integration=folder)
    async with open_home(options) as home:
        turn = await home.conversation().ask("Hello")
        assert turn.reply
        assert home.log is not None
        log = home.log.read_text("utf-8")
    told = re.findall(r"^.* (?:WARNING|ERROR|CRITICAL) .*$", log, re.MULTILINE)
    ours = [line for line in told if re.search(r"\blumo\b", line)]
    # Home Assistant says of every custom integration that it did not test it.
    others = [line for line in ours if "[homeassistant.loader]" not in line]
    assert [line for line in others if "a development server" not in line] == []
