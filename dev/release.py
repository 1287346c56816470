"""Check that everything says the same version, and pack what is installed by hand.

    python -m dev.release [--tag v1.2.3] [--output lumo.zip]

Nothing but Python is needed: in the workflow of a release it runs beside a token that
may write.
"""

import argparse
import json
from pathlib import Path
import re
import sys
import tomllib
import zipfile

ROOT = Path(__file__).parent.parent
# The earliest time that a ZIP file can say: the same files make the same archive.
_TIME = (1980, 1, 1, 0, 0, 0)


def problems(root: Path, tag: str | None = None) -> list[str]:
    """Return what says another version than the manifest, and what to do."""
    manifest = root / "custom_components" / "lumo" / "manifest.json"
    version = json.loads(manifest.read_text("utf-8"))["version"]
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    changes = (root / "CHANGELOG.md").read_text("utf-8")
    headings = re.findall(r"^## +(\S+)", changes, re.MULTILINE)
    found = []
    if project["version"] != version:
        found.append(
            f"pyproject.toml has {project['version']}, manifest.json {version}: "
            "write the same version in both"
        )
    if headings[:1] != [version]:
        found.append(
            f"CHANGELOG.md begins with {', '.join(headings[:1]) or 'nothing'}: call it "
            f"{version}, or raise the version in manifest.json and pyproject.toml"
        )
    elif "\n- " not in changes.partition("\n## ")[2].partition("\n## ")[0]:
        found.append(f"CHANGELOG.md says nothing of {version}")
    if tag is not None and tag != f"v{version}":
        found.append(f"the tag is {tag}: delete it, and tag v{version}")
    return found


def pack(folder: Path, output: Path) -> list[str]:
    """Write an archive of what is in a folder, and return the names in it."""
    files = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    ]
    with zipfile.ZipFile(output, "w") as archive:
        for path in files:
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix(), _TIME)
            info.create_system, info.external_attr = 3, 0o100644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())
        return archive.namelist()


def main() -> int:
    """Return 1 if a version differs; then nothing is packed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tag", help="the tag of the release")
    parser.add_argument("--output", type=Path, default=Path("lumo.zip"))
    options = parser.parse_args()
    found = problems(ROOT, options.tag or None)
    for problem in found:
        print(problem, file=sys.stderr)
    if found:
        return 1
    names = pack(ROOT / "custom_components" / "lumo", options.output)
    print(f"{options.output}: {len(names)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
