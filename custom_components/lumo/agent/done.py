"""What a turn has done, in words: "I turned on Office light."."""

from collections.abc import Collection, Iterable
from typing import Final

from homeassistant.core import HomeAssistant

from ..gate.gate import Outcome
from ..gate.names import name_of
from .question import some_of
from .sentences import Sentences

# By the key of the words that ask about the same action.
_DID: Final = {
    "do_turn_on": "did_turn_on",
    "do_turn_off": "did_turn_off",
    "do_open": "did_open",
    "do_close": "did_close",
    "do_lock": "did_lock",
    "do_unlock": "did_unlock",
}


def done_text(
    hass: HomeAssistant,
    sentences: Sentences,
    outcomes: Iterable[Outcome],
    said: str = "",
    silent: Collection[str] = (),
) -> str:
    """Return sentences about what calls have done, empty for nothing.

    Nothing is said about what was spoken of in what was `said` before, or did not
    answer: `silent` are the names of those.
    """
    said = said.casefold()
    groups: dict[str, dict[str, None]] = {}
    has_more = False
    for outcome in outcomes:
        if not outcome.success or outcome.tool.annotations.read_only:
            continue
        has_more |= not outcome.effects
        for effect in outcome.effects:
            name = name_of(hass, effect.entity_id)
            if name not in silent and name.casefold() not in said:
                key = _DID.get(effect.phrase, "did_set")
                groups.setdefault(key, {})[name] = None
    told = [
        sentences(key, targets=some_of(sentences, list(names)))
        for key, names in groups.items()
    ]
    if has_more:
        # A timer, a list, a script: what it was is known to who asked for it.
        told.append(sentences("did_more" if told else "did_rest"))
    return " ".join(told)
