"""Print what is wrong: where, what, and what to do.   python -m dev.validate [FOLDER]."""

from pathlib import Path
import sys

from . import validate


def main() -> int:
    """Return 1 if there is anything."""
    problems = validate(Path(sys.argv[1] if len(sys.argv) > 1 else "."))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
