"""An automation is written into the text of a file, and nothing else is touched."""

import os
from pathlib import Path
import signal
import subprocess
import sys

from homeassistant.util.yaml import parse_yaml
import pytest

from custom_components.lumo.abilities.routine_store import FileError, edit, edited, has

ITEM = {"alias": "Näch't: #1", "triggers": [{"trigger": "time", "at": "22:00"}]}
BLOCK = """\
- id: lumo_1
  alias: 'Näch''t: #1'
  triggers:
  - trigger: time
    at: '22:00'
"""
OTHER = "- id: '1'\n  alias: \"One\"   # mine\n  actions: !include x.yaml\n"
# What was there, and what is there with an automation; None: it cannot be edited.
FILES: list[tuple[str, str | None]] = [
    ("[]\n", BLOCK),
    ("[]", BLOCK),
    ("# mine\n[]\n", "# mine\n" + BLOCK),
    ("", BLOCK),
    ("# mine\n", "# mine\n" + BLOCK),
    (OTHER, OTHER + BLOCK),
    (OTHER + "\n# the end\n\n", OTHER + "\n# the end\n\n" + BLOCK),
    (OTHER.removesuffix("\n"), OTHER + BLOCK),
    (OTHER.replace("\n", "\r\n"), (OTHER + BLOCK).replace("\n", "\r\n")),
    ("  - id: a\n    alias: A\n", "  - id: a\n    alias: A\n" + "".join(f"  {line}\n" for line in BLOCK.splitlines())),
    ("- alias: no id\n- use_blueprint: {path: x}\n", "- alias: no id\n- use_blueprint: {path: x}\n" + BLOCK),
    ("---\n" + OTHER, "---\n" + OTHER + BLOCK),
    ("[{id: a, alias: A}]\n", None),
    ("!include_dir_list automations\n", None),
    ("automation:\n- id: a\n", None),
    ("- id: a\n...\n", None),
    ("- id: a\n---\n- id: b\n", None),
    ("- id: [a\n", None),
    ("[] # none\n", None),
    ("\ufeff" + OTHER, "\ufeff" + OTHER + BLOCK),
    ("- id: a\n  alias: A\n  # the end", "- id: a\n  alias: A\n  # the end\n" + BLOCK),
    ("!tag\n- id: a\n", None),
    ("[ ]\n", None),
    ("- &a\n  id: a\n- *a\n", "- &a\n  id: a\n- *a\n" + BLOCK),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), FILES)
def test_it_is_appended_and_taken_out(before: str, after: str | None) -> None:
    """Byte for byte, and with what is nobody's left where it was."""
    if after is None:
        with pytest.raises(FileError):
            edited(before, "lumo_1", ITEM)
        return
    assert edited(before, "lumo_1", ITEM) == after
    found = parse_yaml(after.replace("!include x.yaml", "x"))
    assert isinstance(found, list) and found[-1] == {"id": "lumo_1", **ITEM}
    if before.endswith("\n") and before != "# mine\n":
        assert edited(after, "lumo_1", None) == before


def test_what_stands_in_the_middle_is_taken_out_alone() -> None:
    """Comments and blank lines around it stay; what is not there cannot go."""
    middle = f"# a\n{OTHER}\n# b\n{BLOCK}\n# c\n- id: z\n"
    assert edited(middle, "lumo_1", None) == middle.replace(BLOCK, "")
    assert edited(OTHER, "lumo_1", None) == OTHER
    day = {**ITEM, "alias": "Day"}
    assert edited(middle, "lumo_1", day) == middle.replace("'Näch''t: #1'", "Day")
    for begin, end in (("-\n  ", ""), ("- &a ", "- *a\n")):
        text = f"{begin}{BLOCK[2:]}{end}- id: z\n"
        for item in (None, ITEM):
            with pytest.raises(FileError):
                edited(text, "lumo_1", item)


def test_the_file_is_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, link = tmp_path / "automations.yaml", tmp_path / "link.yaml"
    with pytest.raises(FileError):
        edit(str(path), "lumo_1", ITEM)
    path.write_text("[]\n", encoding="utf-8")
    link.symlink_to(path)
    edit(str(link), "lumo_1", ITEM)
    assert link.is_symlink() and path.read_text(encoding="utf-8") == BLOCK
    assert has(str(path), "lumo_1", ITEM) and not has(str(path), "lumo_2", ITEM)
    assert not has(str(path), "lumo_1", {**ITEM, "alias": "Day"})
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(FileError, match="read-only"):
        edit(str(path), "lumo_1", None)
    assert path.read_text(encoding="utf-8") == BLOCK


def test_the_editor_in_between_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it has written since is not overwritten."""
    path = tmp_path / "automations.yaml"
    path.write_text("[]\n", encoding="utf-8")

    def write(*_: object) -> bool:
        path.write_text(OTHER, encoding="utf-8")
        return True

    monkeypatch.setattr(os, "access", write)
    with pytest.raises(FileError, match="something else"):
        edit(str(path), "lumo_1", ITEM)
    assert path.read_text(encoding="utf-8") == OTHER


@pytest.mark.long
@pytest.mark.parametrize("step", range(8))
def test_a_kill_leaves_old_or_new(tmp_path: Path, step: int) -> None:
    path = tmp_path / "automations.yaml"
    path.write_text(OTHER, encoding="utf-8")
    code = (
        "import os, signal, sys\n"
        "from custom_components.lumo.abilities.routine_store import edit\n"
        "left = [int(sys.argv[2])]\n"
        "def hook(event, args):\n"
        "    if event in ('open', 'os.rename', 'os.link', 'os.remove', 'os.chmod'):\n"
        "        left[0] -= 1\n"
        "        if left[0] < 0: os.kill(os.getpid(), signal.SIGKILL)\n"
        "sys.addaudithook(hook)\n"
        "edit(sys.argv[1], 'lumo_1', {'alias': 'x'})\n"
    )
    run = [sys.executable, "-c", code, str(path), str(step)]
    done = subprocess.run(run, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode in (0, -signal.SIGKILL)
    new = OTHER + "- id: lumo_1\n  alias: x\n"
    assert path.read_text(encoding="utf-8") in (OTHER, new)
    assert done.returncode or path.read_text(encoding="utf-8") == new
