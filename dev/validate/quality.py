"""quality_scale.yaml: each rule of Home Assistant's scale, and what shows that it holds.

The evidence of a rule that is done stands in its comment: a page with a heading
(`docs/voice.md#what-is-heard`) or a test (`tests/test_rooms.py::test_name`).
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
import re
from typing import Any

import homeassistant
from homeassistant.util.yaml import load_yaml_dict

from .files import Problem, Tree

# Home Assistant's own agent of this kind says all rules that hassfest knows.
_EXAMPLE = "components/openai_conversation/quality_scale.yaml"
_EVIDENCE = re.compile(
    r"(?<![\w/])(?:[\w/-]+\.md(?:#[\w-]+)?|(?:tests|\.github)/[\w/-]+\.\w+(?:::\w+)?)"
)


@cache
def anchors(text: str) -> frozenset[str]:
    """Return the anchors that the headings of a document get."""
    headings = re.findall(r"^#+ +(.+)$", text, re.MULTILINE)
    return frozenset(
        re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")
        for heading in headings
    )


@cache
def _known_rules() -> frozenset[str]:
    path = Path(homeassistant.__file__).parent / _EXAMPLE
    return frozenset(load_yaml_dict(str(path))["rules"])


def _is_there(root: Path, evidence: str) -> bool:
    name, _, place = evidence.replace("::", "#").partition("#")
    path = root / name
    if not place:
        return path.exists()
    if not path.is_file():
        return False
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        return place in anchors(text)
    return re.search(rf"^(?:async )?def {place}\(", text, re.MULTILINE) is not None


def quality_problems(tree: Tree) -> Iterator[Problem]:
    """Yield rules that are missing or unknown, and claims that nothing shows."""
    path = tree.folder / "quality_scale.yaml"
    name = tree.name(path)
    if not path.is_file():
        yield Problem(name, "is missing; it says which rules hold")
    data = tree.load(path)
    if data is None:
        return
    rules = data.get("rules")
    if not isinstance(rules, dict):
        yield Problem(name, "has no rules")
        return
    for key in set(data) - {"rules"}:
        yield Problem(name, f"{key} is no part of it; write rules only")
    for rule in sorted(_known_rules() ^ set(rules)):
        what = "is no rule" if rule in rules else "is missing"
        yield Problem(name, f"{rule} {what}")
    for rule, found in rules.items():
        for what in _rule_problems(tree.root, found):
            yield Problem(name, f"{rule} {what}")


def _rule_problems(root: Path, found: Any) -> Iterator[str]:
    if isinstance(found, str):
        found = {"status": found}
    if not isinstance(found, dict) or set(found) - {"status", "comment"}:
        yield "has to be a status and a comment"
        return
    status, comment = found.get("status"), str(found.get("comment") or "").strip()
    if status not in ("done", "todo", "exempt"):
        yield f"is {status}; write done, todo or exempt"
    elif not comment:
        yield f"is {status} without a comment that shows it or says why"
    evidence = _EVIDENCE.findall(comment)
    if status == "done" and comment and not evidence:
        yield "is done, but its comment names no test and no page that shows it"
    for item in evidence:
        if not _is_there(root, item):
            yield f"names {item}, which is not there"
