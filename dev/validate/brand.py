"""Pictures of the brand, as Home Assistant shows them."""

from collections.abc import Iterator
import struct

from .files import Problem, Tree

# Name to the shortest and the longest that its shorter side may be, in pixels.
_SIZES = {
    f"{dark}{kind}{double}.png": ( (256, 256) if kind == "icon" else (128, 256),
    (512, 512) if kind == "icon" else (256, 512), )[bool(double)]
    for dark in ("", "dark_") for kind in ("icon", "logo") for double in ("", "@2x")
}  # fmt: skip


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
