"""Print what is wrong: where, what, and what to do.   python -m dev.validate [FOLDER]."""

from pathlib import Path
import sys

from . import validate
from .files import Tree
from .translations import untranslated


def main() -> int:
    """Return 1 if there is anything; texts that are still to be translated are none."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    for text in untranslated(Tree(root)):
        print(text)
    problems = validate(root)
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
