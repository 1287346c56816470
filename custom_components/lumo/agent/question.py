"""The words of a question: "Shall I unlock Front Door and open Garage?"."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from ..gate.pending import Ask
from ..gate.texts import Detail
from .sentences import Sentences

# So many names are spoken at most, so much of each, and so much of what a tool is given.
_NAMES: Final = 8
_NAME: Final = 80
_VALUE: Final = 200


def question_text(sentences: Sentences, asks: Iterable[Ask]) -> str:
    """Return one question for all that is asked."""
    return sentences("question", actions=actions_text(sentences, asks))


def can_be_spoken(sentences: Sentences, asks: Iterable[Ask]) -> bool:
    """Return whether a question says all that a yes would be for.

    On a screen one can look at the rest. A person who only listens must not agree to
    what they did not hear.
    """
    return all(
        len(_value(sentences, action.value, action.details)) <= _VALUE
        and all(len(name) <= _NAME for name in (action.name, action.server, *targets))
        and len(targets) <= max(_NAMES, sum(targets.values()))
        for action, targets in _grouped(asks).items()
    )


def actions_text(sentences: Sentences, asks: Iterable[Ask]) -> str:
    """Return all that is asked about: "unlock Front Door and open Garage".

    Everything sensitive is named. What is only asked about because the person did not
    name it may be too much to listen to.
    """
    actions = []
    for action, targets in _grouped(asks).items():
        name = _cut(sentences, action.name, _NAME)
        if action.server:
            server = _cut(sentences, action.server, _NAME)
            name = sentences("tool_of_server", name=name, server=server)
        value = _value(sentences, action.value, action.details)
        value = _cut(sentences, value, _VALUE)
        if action.details and action.phrase not in ("do_use", "do_use_with"):
            name = f"{name} ({value})"
        shown = _spoken(sentences, targets)
        actions.append(sentences(action.phrase, targets=shown, name=name, value=value))
    return list_of(sentences, actions)


class _Action(NamedTuple):
    """What is done, apart from its targets."""

    phrase: str
    name: str
    server: str
    value: str
    details: tuple[Detail, ...]


def _grouped(asks: Iterable[Ask]) -> dict[_Action, dict[str, bool]]:
    """Return the names of the targets of each action, and whether they must be said."""
    groups: dict[_Action, dict[str, bool]] = {}
    for ask in asks:
        # Where no tool or script is named, the action says what happens.
        details = ask.details if ask.name else ()
        action = _Action(ask.phrase, ask.name, ask.server, ask.value, details)
        names = groups.setdefault(action, {})
        for target in ask.targets:
            names[target] = names.get(target, False) or bool(ask.names)
    return groups


def _value(sentences: Sentences, value: str, details: Iterable[Detail]) -> str:
    """Return what a tool is given: "Hall, message: Hello, urgent: no"."""
    words = {True: "yes_word", False: "no_word", None: "nothing_word"}
    return ", ".join(
        [
            *filter(None, [value]),
            *(
                f"{key}: {item if isinstance(item, str) else sentences(words[item])}"
                for key, item in details
            ),
        ]
    )


def _cut(sentences: Sentences, text: str, limit: int) -> str:
    """Return a text that is short enough to follow, and how much more there is."""
    if len(text) <= limit:
        return text
    more = sentences("more_characters", count=str(len(text) - limit))
    return f"{text[:limit]}… ({more})"


def _spoken(sentences: Sentences, targets: Mapping[str, bool]) -> str:
    """Return names, the necessary ones first."""
    necessary = [name for name, is_necessary in targets.items() if is_necessary]
    others = [name for name, is_necessary in targets.items() if not is_necessary]
    return some_of(sentences, [*necessary, *others], at_least=len(necessary))


def some_of(sentences: Sentences, names: Sequence[str], *, at_least: int = 0) -> str:
    """Return a list that is short enough to follow."""
    names = [_cut(sentences, name, _NAME) for name in names]
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
