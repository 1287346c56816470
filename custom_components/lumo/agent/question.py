"""The words of a question: "Shall I unlock Front Door and open Garage?"."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final, NamedTuple

from ..gate.asks import Ask
from ..gate.names import Detail
from .sentences import Sentences

# So many names are spoken at most, so much of each, and so much of what a tool is given.
_NAMES: Final = 8
_NAME: Final = 80
_VALUE: Final = 200


def as_spoken(asks: Iterable[Ask]) -> tuple[Ask, ...]:
    """Return what is asked in the order in which a question names it."""
    actions: dict[_Action, list[Ask]] = {}
    for ask in sorted(asks, key=lambda ask: not ask.names):
        actions.setdefault(_action(ask), []).append(ask)
    return tuple(chain(*actions.values()))


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


def actions_text(
    sentences: Sentences, asks: Iterable[Ask], *, joint: str = "and_word"
) -> str:
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
        # The necessary names first.
        names = sorted(targets, key=lambda target: not targets[target])
        necessary = sum(targets.values())
        shown = some_of(sentences, names, at_least=necessary, joint=joint)
        # A tool of ours that is about very many says how many.
        shown = shown or sentences("n_devices", count=value)
        text = sentences(action.phrase, targets=shown, name=name, value=value)
        if action.when:
            text = sentences("later_action", action=text, when=action.when)
        actions.append(text)
    return list_of(sentences, actions, joint)


class _Action(NamedTuple):
    """What is done, apart from its targets."""

    phrase: str
    name: str
    server: str
    value: str
    details: tuple[Detail, ...]
    when: str


def _grouped(asks: Iterable[Ask]) -> dict[_Action, dict[str, bool]]:
    """Return the names of the targets of each action, and whether they must be said."""
    groups: dict[_Action, dict[str, bool]] = {}
    for ask in asks:
        names = groups.setdefault(_action(ask), {})
        for target in ask.targets:
            names[target] = names.get(target, False) or bool(ask.names)
    return groups


def _action(ask: Ask) -> _Action:
    # Where no tool or script is named, the action says what happens.
    details = ask.details if ask.name else ()
    return _Action(ask.phrase, ask.name, ask.server, ask.value, details, ask.when)


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


def some_of(
    sentences: Sentences,
    names: Sequence[str],
    *,
    at_least: int = 0,
    joint: str = "and_word",
) -> str:
    """Return a list that is short enough to follow."""
    names = [_cut(sentences, name, _NAME) for name in names]
    shown = max(_NAMES, at_least)
    if len(names) <= shown:
        return list_of(sentences, names, joint)
    more = sentences("n_more", count=str(len(names) - shown))
    return list_of(sentences, (*names[:shown], more), joint)


def list_of(sentences: Sentences, items: Sequence[str], joint: str = "and_word") -> str:
    """Return "a, b and c" in the person's language."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {sentences(joint)} {items[-1]}"
