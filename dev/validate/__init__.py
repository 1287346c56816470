"""What hassfest and the HACS action check of a custom integration, without a network.

Their rules are facts of home-assistant/core (`script/hassfest`) and hacs/integration
(`validate`); what Home Assistant's own package has of them (`config_validation`,
`selector`) is used as it is. Some checks are stricter: they ask of this integration
what hassfest asks of Home Assistant's own. What only the hosting side knows is listed
in docs/releasing.md.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

from .files import Problem, Tree
from .manifest import manifest_problems
from .quality import quality_problems
from .repository import brand_problems, hacs_problems, layout_problems
from .services import icon_problems, service_problems
from .translations import translation_problems

CHECKS: tuple[Callable[[Tree], Iterator[Problem]], ...] = (
    layout_problems,
    manifest_problems,
    service_problems,
    icon_problems,
    translation_problems,
    brand_problems,
    hacs_problems,
    quality_problems,
)


def validate(root: Path) -> list[Problem]:
    """Return all that is wrong in a repository, in the order of the checks."""
    tree = Tree(root)
    found = [problem for check in CHECKS for problem in check(tree)]
    return [*tree.unreadable, *found]
