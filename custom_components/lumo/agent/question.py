"""The words of a question: "Shall I unlock Front Door and open Garage?"."""

from collections.abc import Iterable, Sequence
from itertools import chain
import re
from typing import Final

from ..gate.asks import Ask
from ..gate.names import Detail
from .sentences import Sentences

# So many names are spoken at most, so much of each, and so much of what a tool is given.
_NAMES: Final = 8
_NAME: Final = 80
_VALUE: Final = 200
_MARKS: Final = re.compile(r"[\\`*_{}\[\]<>|~#]")


def as_spoken(asks: Iterable[Ask]) -> tuple[Ask, ...]:
    """Return what is asked in the order in which a question names it."""
    return tuple(chain(*_by_action(sorted(asks, key=lambda ask: not ask.names))))


def can_be_spoken(sentences: Sentences, asks: Iterable[Ask]) -> bool:
    """Return whether a question says all that a yes would be for.

    On a screen one can look at the rest. A person who only listens must not agree to
    what they did not hear.
    """
    asks = list(asks)
    return actions_text(sentences, asks) == actions_text(sentences, asks, whole=True)


def actions_text(
    sentences: Sentences,
    asks: Iterable[Ask],
    *,
    joint: str = "and_word",
    whole: bool = False,
    on_screen: bool = False,
) -> str:
    """Return all that is asked about: "unlock Front Door and open Garage".

    Marks of Markdown and HTML that names and values have fold nothing away: they are
    escaped `on_screen`, else left out.

    Everything sensitive is named. What is only asked about because the person did not
    name it may be too much to listen to; the `whole` has that too.
    """

    def short(text: str, limit: int) -> str:
        text = text if whole else _cut(sentences, text, limit)
        return _without_marks(text, on_screen)

    actions = []
    for group in _by_action(asks):
        first, name = group[0], short(group[0].name, _NAME)
        if first.server:
            server = short(first.server, _NAME)
            name = sentences("tool_of_server", name=name, server=server)
        # Where no tool or script is named, the action says what happens.
        details = first.details if first.name else ()
        value = short(_value(sentences, first.value, details), _VALUE)
        if details and first.phrase not in ("do_use", "do_use_with"):
            name = f"{name} ({value})"
        necessary = {target for ask in group if ask.names for target in ask.targets}
        targets = sorted(
            dict.fromkeys(chain(*(ask.targets for ask in group))),
            key=lambda target: target not in necessary,
        )
        targets = [_without_marks(target, on_screen) for target in targets]
        if whole:
            shown = list_of(sentences, targets, joint)
        else:
            shown = some_of(sentences, targets, at_least=len(necessary), joint=joint)
        # A tool of ours that is about very many says how many.
        shown = shown or sentences("n_devices", count=name)
        text = sentences(first.phrase, targets=shown, name=name, value=value)
        if first.when:
            text = sentences("later_action", action=text, when=first.when)
        actions.append(text)
    return list_of(sentences, actions, joint)


def _without_marks(text: str, on_screen: bool) -> str:
    if on_screen:
        return _MARKS.sub(r"\\\g<0>", text)
    return " ".join(_MARKS.sub(lambda m: " " if m[0] in "_|" else "", text).split())


def _by_action(asks: Iterable[Ask]) -> list[list[Ask]]:
    """Return what is asked, together where only the targets differ."""
    groups: dict[object, list[Ask]] = {}
    for ask in asks:
        details = ask.details if ask.name else ()
        key = (ask.phrase, ask.name, ask.server, ask.value, details, ask.when)
        groups.setdefault(key, []).append(ask)
    return [*groups.values()]


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
