"""The words of a question: "Shall I unlock Front Door and open Garage?"."""

from collections.abc import Iterable, Sequence
from typing import Final

from ..gate.memory import Ask
from .speech import Sentences

# So many names are spoken at most.
_NAMES: Final = 8


def question_text(sentences: Sentences, asks: Iterable[Ask]) -> str:
    """Return one question for all that is asked."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for ask in asks:
        names = groups.setdefault((ask.phrase, ask.name, ask.value), [])
        names += [target for target in ask.targets if target not in names]
    actions = [
        sentences(phrase, targets=_some_of(sentences, targets), name=name, value=value)
        for (phrase, name, value), targets in groups.items()
    ]
    return sentences("question", actions=list_of(sentences, actions))


def _some_of(sentences: Sentences, names: Sequence[str]) -> str:
    """Return a list that nobody gets lost in."""
    if len(names) <= _NAMES:
        return list_of(sentences, names)
    more = sentences("n_more", count=str(len(names) - _NAMES))
    return list_of(sentences, (*names[:_NAMES], more))


def list_of(sentences: Sentences, items: Sequence[str]) -> str:
    """Return "a, b and c" in the person's language."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {sentences('and_word')} {items[-1]}"
