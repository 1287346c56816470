"""What hassil reads of a sentence template, read once for all Home Assistants of a process.

Each of them would parse, sort and search the thousands of templates of a language when
it is first asked: a third of the time of the tests that talk.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, override

from hassil import expression as hassil_expression, intents as hassil_intents
from hassil.expression import Expression, Group, Sentence
from hassil.intents import IntentData
from hassil.parse_expression import parse_sentence

type Clauses = frozenset[frozenset[str]]


@cache
def _expression(text: str) -> Expression:
    return parse_sentence(text).expression


def _parse_sentence(text: str, *, keep_text: bool = False) -> Sentence:
    return Sentence(_expression(text), text if keep_text else None)


@cache
def _lists_and_words(text: str) -> tuple[frozenset[str], int]:
    """Return the names of the lists in a template, and how many texts it has."""
    template = _expression(text)
    assert isinstance(template, Group)
    return frozenset(template.list_names()), template.text_chunk_count()


def _sentence_order(self: IntentData, sentence: Sentence) -> int:
    lists, words = _lists_and_words(sentence.text or "")
    return -words if lists & self.wildcard_list_names else 0


class _Rules(dict[str, Sentence]):
    """Rules that note which of them are read."""

    def __init__(self, rules: Mapping[str, Sentence]) -> None:
        super().__init__(rules)
        self.read: dict[str, Expression | None] = {}

    @override
    def get(self, name: str, default: Any = None) -> Any:
        rule = super().get(name, default)
        self.read[name] = rule and rule.expression
        return rule


# For each template what it requires, beside the rules that this follows from.
_REQUIRED: dict[str, list[tuple[Clauses, dict[str, Expression | None]]]] = {}


def _required_clauses(self: Sentence, rules: dict[str, Sentence]) -> Clauses:
    if self.required_clauses is None:
        self.required_clauses = _find_clauses(self, rules)
    return self.required_clauses


def _find_clauses(sentence: Sentence, rules: dict[str, Sentence]) -> Clauses:
    known = _REQUIRED.setdefault(sentence.text or "", [])
    for clauses, read in known:
        if all(
            (rule.expression if (rule := rules.get(name)) else None) is expression
            for name, expression in read.items()
        ):
            return clauses
    noted = _Rules(rules)
    clauses = frozenset(hassil_expression._required_clauses(sentence.expression, noted))
    if sentence.text:
        known.append((clauses, noted.read))
    return clauses


def install() -> None:
    vars(hassil_intents)["parse_sentence"] = _parse_sentence
    IntentData._sentence_order = _sentence_order  # type: ignore[method-assign]
    Sentence.get_required_clauses = _required_clauses  # type: ignore[method-assign, assignment]
