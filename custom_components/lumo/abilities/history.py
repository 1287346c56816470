"""History: when, how often, how long, how much and by whom, of exposed things.

Everything is computed here, from what the recorder keeps; the model only says it.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, override

from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.helpers.recorder import async_migration_in_progress, get_instance
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN
from ..context.titles import async_titles
from ..gate.names import exposed, given_in
from ..gate.own_tool import FROM_OUTSIDE, Arguments
from ..gate.places import Scope
from ..tool_calling.json_text import one_line
from .ability import Ability, async_may_read, optional_texts
from .finder import WAYS, Finder, UnclearError, texts_given
from .measures import number_of
from .periods import PERIODS, period_of
from .result_texts import bounded
from .state_words import StateWords

# More things than these are not meant.
_THINGS: Final = 200
# A result has at most 1,500 characters; so many are for what is not recorded.
_ROOM: Final = 1450
_NAMES: Final = 200
_NUMBERS: Final = ("min", "max", "mean", "change")
_CLASS: Final = "device_class"
_MEASURED: Final = {"state_class", "unit_of_measurement"}
_TEXTS: Final = {"input_text", "text"}
# It has no mean of numbers.
_ANGLE: Final = "measurement_angle"
_STATES: Final = ("last_change", "count", "duration", "who")
_QUESTIONS: Final = (*_STATES, *_NUMBERS, "timeline", "energy")
# How what else models call them begins.
_ALIASES: Final = {
    "average": "mean",
    "highest": "max",
    "how_long": "duration",
    "how_often": "count",
    "last": "last_change",
    "lowest": "min",
    "maximum": "max",
    "minimum": "min",
    "when": "last_change",
    "who": "who",
}
_OF_MODES: Final = "Of thermostats the mode is known, not when they really heated."


class History(Ability):
    """Answers questions about the past from the recorder."""

    name = f"{DOMAIN}__history"
    title = "History"
    description = (
        "The past: when something last changed and by whom, how often, how long, lowest, "
        "highest, mean, change of a meter, energy (name: grid, solar, battery, gas, "
        "water or a device). Do not calculate."
    )
    parameters = probatio.Schema(
        {
            probatio.Required("question"): probatio.In(_QUESTIONS),
            **optional_texts(
                {
                    "name": "",
                    "area": "",
                    "kind": "",
                    "state": "",
                    "period": PERIODS,
                    "from": "",
                    "to": "",
                    "than": PERIODS,
                }
            ),
        }
    )

    @property
    @override
    def is_useful(self) -> bool:
        hass = self.context.hass
        return hass is None or "recorder" in hass.config.components

    @override
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        given = given_in(arguments)
        for key in ("name", "area", "kind"):
            given[key] = ", ".join(texts_given(given, key))
        question = "_".join(str(given.get("question", "")).lower().split())
        called = (_ALIASES[item] for item in _ALIASES if question.startswith(item))
        given["question"] = next(called, question)
        wanted: dict[str, str] = self.parameters(given)
        if "recorder" not in hass.config.components:
            raise HomeAssistantError(
                "The recorder of Home Assistant is off: nothing of the past is kept."
            )
        if async_migration_in_progress(hass):
            raise HomeAssistantError(
                "Home Assistant is converting its records just now. Try again later."
            )
        read, more = await _async_reader(hass, wanted, context, self.context.scope)
        data = await get_instance(hass).async_add_executor_job(read) | more
        results = data.pop("results")
        room = _ROOM - len(one_line({**data, "results": []}))
        return {**data, "results": bounded(results, room)}


async def _async_reader(
    hass: HomeAssistant,
    wanted: Mapping[str, str],
    context: llm.LLMContext,
    scope: Scope | None,
) -> tuple[Callable[[], dict[str, Any]], dict[str, Any]]:
    """Return what reads the answer from the database, and what else is told.

    It is all that imports the recorder, which is not to be loaded for us.
    """
    from homeassistant.components.recorder import is_entity_recorded  # noqa: PLC0415

    from . import answers  # noqa: PLC0415

    question = wanted["question"]
    now = dt_util.now()
    period = period_of(wanted, now, past=True)
    than = period_of({"period": wanted.get("than")}, now, past=True)
    may_read = await async_may_read(hass, context.context, scope)
    if question == "energy":
        if "energy" not in hass.config.components:
            raise HomeAssistantError(
                "There is no energy dashboard. Ask for change of kind energy."
            )
        from . import energy  # noqa: PLC0415

        [name, *_] = [*texts_given(wanted, "name"), *texts_given(wanted, "kind"), ""]
        meters = await energy.async_meters(hass, name, may_read, scope)
        ask = partial(energy.used, hass, meters)
        return partial(answers.measured, ask, period, than), {}
    if not any(texts_given(wanted, way) for way in WAYS):
        raise UnclearError("Say what it is about: a name, an area or a kind.")
    language = context.language or hass.config.language
    await async_titles(hass, language)
    finder = Finder(hass, exposed(hass, scope=scope), language=language)
    found = finder.all(wanted, reads=True)
    fitting = _fitting([item for item in found if may_read(item)], question)
    states = [item for item in fitting if is_entity_recorded(hass, item.entity_id)]
    missing = [item.name for item in fitting if item not in states]
    more: dict[str, Any] = {FROM_OUTSIDE: True} if any(map(_is_text, states)) else {}
    if any(item.domain == "climate" for item in states):
        more["note"] = _OF_MODES
    if missing:
        more["not_recorded"] = bounded(missing, _NAMES)
    if not states:
        names = ", ".join(more["not_recorded"])
        raise HomeAssistantError(f"Home Assistant does not record {names}.")
    words = await StateWords.async_get(hass, language, {item.domain for item in states})
    if word := wanted.get("state", ""):
        states = [item for item in states if words.matcher(item, word)] or states
    asked = answers.Question(hass, question, word, states, words)
    causes = None
    if question == "who":
        if "logbook" not in hass.config.components:
            raise HomeAssistantError("The logbook of Home Assistant is off.")
        from .causes import Causes  # noqa: PLC0415

        causes = Causes(hass, states, may_read)
    if question in ("last_change", "who"):
        return partial(answers.changes, asked, period, causes), more
    ask = partial(answers.of_things, asked)
    return partial(answers.measured, ask, period, than), more


def _fitting(states: list[State], question: str) -> list[State]:
    """Return those that a question can be about."""
    if not states:
        raise HomeAssistantError("It may not be read.")
    is_about_numbers = question in _NUMBERS
    found = [
        state
        for state in states
        if question not in (*_NUMBERS, *_STATES)
        or _is_number(state) is is_about_numbers
    ]
    if question == "change":
        found = [item for item in found if item.attributes.get(_CLASS) != "power"]
    if question == "mean":
        found = [item for item in found if item.attributes.get("state_class") != _ANGLE]
    if not found and is_about_numbers:
        raise HomeAssistantError(
            "That counts nothing: ask for energy, mean or duration."
            if question == "change"
            else "That has no such number: ask for count, duration or timeline."
        )
    if len(found or states) > _THINGS:
        raise HomeAssistantError("These are too many things: say an area or a kind.")
    return found or states


def _is_text(state: State) -> bool:
    """Return whether its states can be any text, also one from a stranger."""
    return state.domain in _TEXTS or (
        state.domain == "sensor" and {*_MEASURED, _CLASS}.isdisjoint(state.attributes)
    )


def _is_number(state: State) -> bool:
    """Return whether something is measured, or else a number."""
    return (
        not _MEASURED.isdisjoint(state.attributes) or number_of(state.state) is not None
    )
