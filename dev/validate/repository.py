"""What is around the code: pictures of the brand, hacs.json, the folders."""

from collections.abc import Iterator
import struct

import voluptuous as vol

from .files import Problem, Tree
from .manifest import version

# Name to the shortest and the longest that its shorter side may be, in pixels.
_SIZES = {
    f"{dark}{kind}{double}.png": (
        (256, 256) if kind == "icon" else (128, 256),
        (512, 512) if kind == "icon" else (256, 512),
    )[bool(double)]
    for dark in ("", "dark_")
    for kind in ("icon", "logo")
    for double in ("", "@2x")
}


def brand_problems(tree: Tree) -> Iterator[Problem]:
    """Yield what is wrong with the pictures that Home Assistant shows."""
    folder = tree.folder / "brand"
    if not (folder / "icon.png").is_file():
        yield Problem(tree.name(folder / "icon.png"), "is missing: 256 x 256 pixels")
    for path in sorted(folder.glob("*")):
        name = tree.name(path)
        if path.name not in _SIZES:
            yield Problem(name, f"is not shown; names are {', '.join(_SIZES)}")
            continue
        head = path.read_bytes()[:24]
        if head[:8] != b"\x89PNG\r\n\x1a\n" or len(head) < 24:
            yield Problem(name, "is no PNG")
            continue
        sides = struct.unpack(">II", head[16:24])
        low, high = _SIZES[path.name]
        if not low <= min(sides) <= high:
            yield Problem(name, f"has {min(sides)} pixels; write {low} to {high}")
        if "icon" in path.name and sides[0] != sides[1]:
            yield Problem(name, "is not square")


_COUNTRY = vol.Match(r"^[A-Za-z]{2}$", msg="is no code of two letters")
_HACS = vol.Schema(
    {
        vol.Required("name"): vol.All(str, vol.Length(min=1)),
        vol.Any("homeassistant", "hacs"): version,
        "filename": vol.Match(r"^[\w.-]+\.zip$"),
        "persistent_directory": str,
        "country": vol.Any(_COUNTRY, [_COUNTRY]),
        vol.Any("content_in_root", "hide_default_branch", "render_readme"): bool,
        "zip_release": bool,
    }
)


def hacs_problems(tree: Tree) -> Iterator[Problem]:
    """Yield what is wrong with hacs.json, and whether a release has what it names."""
    path = tree.root / "hacs.json"
    name = tree.name(path)
    if not path.is_file():
        yield Problem(name, 'is missing; write at least {"name": ...}')
    hacs = tree.load(path)
    if hacs is None:
        return
    yield from tree.fits(path, _HACS)
    if hacs.get("content_in_root"):
        yield Problem(name, "content_in_root is wrong: it is in custom_components")
    if hacs.get("zip_release"):
        file = hacs.get("filename")
        workflow = tree.root / ".github" / "workflows" / "release.yml"
        text = workflow.read_text("utf-8") if workflow.is_file() else ""
        if not file:
            yield Problem(name, "zip_release needs a filename")
        elif file not in text:
            yield Problem(name, f"the release workflow does not upload {file}")


def layout_problems(tree: Tree) -> Iterator[Problem]:
    """Yield what is missing, or is where nothing is looked for."""
    for name in ("README.md", "LICENSE"):
        path = tree.root / name
        if not path.is_file() or not path.read_text("utf-8").strip():
            yield Problem(name, "is missing or empty")
    folder = tree.root / "custom_components"
    found = [path for path in folder.glob("*") if path.name != "__pycache__"]
    if len(found) != 1 or not (tree.folder / "manifest.json").is_file():
        yield Problem(
            "custom_components", "has to have one folder with a manifest.json, no more"
        )
    if not (tree.folder / "__init__.py").is_file():
        yield Problem(tree.name(tree.folder / "__init__.py"), "is missing")
