"""What is read before the model is asked: the states that a question is about.

"Which lights are on?" would take two requests, one that asks for the states and one that
tells them. The calls are those that the model would make; it may still read more.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, Self

from homeassistant.components.sensor import DOMAIN as SENSOR
from homeassistant.components.weather import DOMAIN as WEATHER
from homeassistant.core import State

from ..abilities.finder import StateWords
from ..abilities.forecast import Forecast
from ..abilities.home_tools import LIVE_CONTEXT
from ..const import Permission
from ..context.description import Thing
from ..context.home import Home
from ..context.scorer import beginnings
from ..context.titles import states_called
from ..gate.effects import numbers_in
from ..gate.mention import Sentence, kinds_in, words_of
from ..gate.named_by_person import KINDS
from ..gate.permissions import permission
from ..languages.form import Language
from ..languages.words import words_in
from ..text import as_searched
from .claims import YES_OR_NO, ClaimRule
from .spoken_output import SpokenOutput
from .toolbox import Toolbox
from .turn_context import TurnContext
from .wanted import named_in

_LIST_ITEMS: Final = "todo__get_items"
# What happens there, will or has, other tools tell.
_TOLD_BY_OTHERS: Final = ("calendar", "camera", "script", WEATHER)
# What reads more is left to the model.
_MOST_THINGS: Final = 20
# "Outdoor temperature", "Rain gauge".
_MOST_SENSORS: Final = 3

type _Read = tuple[str, dict[str, Any]]
"""The name of a tool, and its arguments."""


async def async_read_ahead(
    turn: TurnContext,
    toolbox: Toolbox,
    output: SpokenOutput,
    home: Home | None,
    rule: ClaimRule | None,
) -> ClaimRule | None:
    """Read what a sentence asks about, if it does; return the rule for the answers."""
    if not (home and rule and turn.is_talk):
        return rule
    sentence, language = turn.sentence, turn.language
    ahead = ReadAhead.for_question(sentence, language, home) if rule.asks else None
    if ahead and not (rule.asks_state or "name" in ahead.arguments):
        # "What can I cook in the kitchen?"
        ahead = None
    reads = [(ahead.tool, ahead.arguments)] if ahead else []
    if not ahead and not rule.wants:
        reads = _of_weather(sentence, language, home)
    calls = [
        toolbox.admit(toolbox.read(tool.name, arguments, tool=tool.name))
        for name, arguments in reads
        if (tool := toolbox.tools.get(name))
        and permission(tool, turn.options) is Permission.ON
    ]
    if not calls:
        return rule
    await output.async_speak({"tool_calls": calls})
    turn.record.decide("read before the model was asked")
    if not ahead:
        return rule
    if not any(read.success for read in toolbox.gate.outcomes):
        return replace(rule, read_ahead=lambda _answer: False)
    states = await ahead.async_states(turn, toolbox.gate.outcomes[-1].told)
    return replace(rule, read_ahead=states.agree)


def _of_weather(sentence: str, language: Language, home: Home) -> list[_Read]:
    """Return what reads how the weather is and will be, if a sentence is about it."""
    said = words_in(language.weather, language).search
    domains = {thing.domain for thing in home.things}
    if WEATHER not in domains or not said(as_searched(sentence)):
        return []
    sensors = [
        (LIVE_CONTEXT, {"name": thing.name})
        for thing in home.things
        if thing.domain == SENSOR and said(as_searched(thing.name))
    ]
    is_so = (LIVE_CONTEXT, {"domain": [WEATHER]})
    return [is_so, *sensors[:_MOST_SENSORS], (Forecast.name, {})]


class ReadAhead(NamedTuple):
    """A call that reads, and the things whose states it tells."""

    tool: str
    arguments: dict[str, Any]
    things: Sequence[Thing] = ()

    @classmethod
    def for_question(cls, sentence: str, language: Language, home: Home) -> Self | None:
        """Return what reads all that a question is about, None if that is not sure."""
        said = Sentence(sentence, language)
        named, kinds = named_in(said, home), kinds_in(said.text, language)
        called = {kind for kind, title in home.titles.items() if said.names(title)}
        # "Which lights are on in the kitchen?" asks for more than the "Kitchen light".
        whole = f" {' '.join(words_of(sentence))} "
        by_name = [
            thing
            for thing in home.things
            if thing.entity_id in named.things
            and any(f" {' '.join(words_of(name))} " in whole for name in thing.names)
        ]
        match [thing.domain for thing in by_name]:
            case ["todo"]:
                return cls(_LIST_ITEMS, {"todo_list": by_name[0].name})
            case [domain] if domain in _TOLD_BY_OTHERS:
                return None
            case [_]:
                return cls(LIVE_CONTEXT, {"name": by_name[0].name}, by_name)
        there = [
            thing
            for thing in home.things
            if not named.has_area
            or (thing.area and thing.entity_id not in named.elsewhere)
        ]
        domains = {
            thing.domain
            for thing in by_name or there
            if by_name or KINDS.get(thing.domain) in kinds or thing.kind in called
        }
        areas = {thing.area.name for thing in there if thing.area and named.has_area}
        arguments: dict[str, Any] = {"area": min(areas)} if areas else {}
        if domains:
            arguments["domain"] = sorted(domains)
            there = [thing for thing in there if thing.domain in domains]
        # Of several areas the call would read the whole home.
        is_one = len(areas) == named.has_area
        if not (arguments and is_one) or len(there) > _MOST_THINGS:
            return None
        return cls(LIVE_CONTEXT, arguments, there)

    async def async_states(self, turn: TurnContext, told: str) -> StatesRead:
        """Return the states as they are now; `told` is the result of the call."""
        states = [turn.hass.states.get(thing.entity_id) for thing in self.things]
        domains = {thing.domain for thing in self.things}
        return StatesRead(
            turn.sentence,
            turn.language,
            [state for state in states if state],
            await StateWords.async_get(turn.hass, turn.speaker.language, domains),
            told,
        )


class StatesRead(NamedTuple):
    """States that the model was shown before it answered."""

    question: str
    language: Language
    states: Sequence[State]
    words: StateWords
    told: str

    def agree(self, answer: str) -> bool:
        """Return whether an answer tells something of this, and what it tells is so.

        Where all are on, "No" to "Is any on?" is not. "None is on" is no state.
        """
        denials = {*words_of(self.language.denials)}
        first = {*words_of(found[0])} if (found := YES_OR_NO.match(answer)) else set()
        is_yes = not first.isdisjoint(words_of(self.language.yes))
        asked = {*self._are(self.question)}
        if len(asked) == 1 and (is_yes or first & denials):
            return asked == {is_yes}
        if denials.intersection(words_of(answer)):
            return True
        said = [*self._are(answer)]
        numbers = numbers_in(answer)
        counts = Counter(state.state for state in self.states).values()
        # "About 8 degrees", "four lights".
        true = {*numbers_in(self.told), *counts}
        if said or numbers:
            return any(said) or any(abs(n - x) < 1 for n in numbers for x in true)
        return is_yes or not beginnings(answer).isdisjoint(beginnings(self.told))

    def _are(self, text: str) -> Iterator[bool]:
        """Return of each state that a text names, and each thing, whether it is so."""
        said = Sentence(text, self.language)
        own = "|".join(self.language.states.values()).split("|")
        named = (pair for state in self.states for pair in self.words.states_of(state))
        known = states_called((name for _, name in named), self.language) | {*own}
        known -= {"", *words_of(self.language.yes)}
        for name in known:
            if said.names(name, in_parts=False):
                for state in self.states:
                    is_so = self.words.matcher(state, name)
                    # A lock is never shut.
                    if is_so and any(map(is_so, dict(self.words.states_of(state)))):
                        yield is_so(state.state)
