"""The words of a question: "Shall I unlock Front Door and open Garage?"."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ..gate.pending import Ask
from .sentences import Sentences

# So many names are spoken at most.
_NAMES: Final = 8


def question_text(sentences: Sentences, asks: Iterable[Ask]) -> str:
    """Return one question for all that is asked."""
    return sentences("question", actions=actions_text(sentences, asks))


def actions_text(sentences: Sentences, asks: Iterable[Ask]) -> str:
    """Return all that is asked about: "unlock Front Door and open Garage".

    Everything that is asked about for its own sake is named. Of what is only asked
    about because nobody has named it, there may be too much to listen to.
    """
    groups: dict[tuple[str, str, str], dict[str, bool]] = {}
    for ask in asks:
        names = groups.setdefault((ask.phrase, ask.name, ask.value), {})
        for target in ask.targets:
            names[target] = names.get(target, False) or bool(ask.names)
    actions = [
        sentences(phrase, targets=_spoken(sentences, targets), name=name, value=value)
        for (phrase, name, value), targets in groups.items()
    ]
    return list_of(sentences, actions)


def _spoken(sentences: Sentences, targets: Mapping[str, bool]) -> str:
    """Return names, the necessary ones first."""
    necessary = [name for name, is_necessary in targets.items() if is_necessary]
    others = [name for name, is_necessary in targets.items() if not is_necessary]
    return some_of(sentences, [*necessary, *others], at_least=len(necessary))


def some_of(sentences: Sentences, names: Sequence[str], *, at_least: int = 0) -> str:
    """Return a list that nobody gets lost in."""
    shown = max(_NAMES, at_least)
    if len(names) <= shown:
        return list_of(sentences, names)
    more = sentences("n_more", count=str(len(names) - shown))
    return list_of(sentences, (*names[:shown], more))


def list_of(sentences: Sentences, items: Sequence[str]) -> str:
    """Return "a, b and c" in the person's language."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {sentences('and_word')} {items[-1]}"
