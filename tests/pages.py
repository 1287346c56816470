"""The documents, and what stands in their fences.

Tests run the commands of this repository that are fenced as `sh`, and what is fenced as
`yaml`. What they cannot run is fenced as `yaml fragment` or `text`.
"""

from collections.abc import Iterator
from pathlib import Path
import re

ROOT = Path(__file__).parent.parent
PAGES = sorted(
    [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob(".github/*.md")]
)
_FENCE = re.compile(r"^( *)```([^\n]*)\n(.*?)^\1```", re.DOTALL | re.MULTILINE)


def fenced(*languages: str) -> Iterator[tuple[str, str]]:
    """Yield the place (file and line) and the text of each fence in these languages."""
    for page in PAGES:
        text = page.read_text("utf-8")
        for match in _FENCE.finditer(text):
            if match[2].strip() in languages:
                line = text[: match.start()].count("\n") + 1
                body = re.sub(rf"^{match[1]}", "", match[3], flags=re.MULTILINE)
                yield f"{page.relative_to(ROOT)}:{line}", body
