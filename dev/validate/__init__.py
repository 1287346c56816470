"""What hassfest and the HACS action do not check, of files that people fill in.

They check manifest.json, hacs.json and the form of services, icons and texts, on each
pull request (`.github/workflows/validate.yml`). Here is what they do not ask of a custom
integration: that languages agree, that icons exist, and that claims are shown.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from .brand import brand_problems
from .files import Problem, Tree
from .icons import icon_problems
from .quality import quality_problems
from .translations import translation_problems

CHECKS: tuple[Callable[[Tree], Iterator[Problem]], ...] = (
    icon_problems, translation_problems, brand_problems, quality_problems,
)  # fmt: skip


def validate(root: Path) -> list[Problem]:
    """Return all that is wrong in a repository, in the order of the checks."""
    tree = Tree(root)
    found = [problem for check in CHECKS for problem in check(tree)]
    return [*tree.unreadable, *found]
