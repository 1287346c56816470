"""History: when, how often, how long, how much and by whom, of exposed things.

Everything is computed here from the recorder; the model only says it.
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
from ..gate.effects import number_of
from ..gate.names import given_in
from ..gate.own_tool import FROM_OUTSIDE, Arguments
from .ability import Ability, async_may_read, optional_texts
from .finder import WAYS, Finder, UnclearError, texts_given
from .periods import PERIODS, period_of
from .state_words import StateWords

_MAX_THINGS: Final = 200
_NUMBERS: Final = ("min", "max", "mean", "change")
_CLASS: Final = "device_class"
_MEASURED: Final = {"state_class", "unit_of_measurement"}
_TEXTS: Final = {"input_text", "text"}
# What measures these has no change, or no mean, of its numbers.
_UNFIT: Final = {
    "change": (_CLASS, "power"),
    "mean": ("state_class", "measurement_angle"),
}
_QUESTIONS: Final = (
    *("last_change", "count", "duration", "who", *_NUMBERS, "timeline", "attribute"),
    *("energy", "cost"),
)
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
            **optional_texts("name", "area", "kind", "state", period=PERIODS),
            **optional_texts("from", "to", than=PERIODS),
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
        wanted: dict[str, str] = self.parameters(given)
        if "recorder" not in hass.config.components:
            raise HomeAssistantError(
                "The recorder of Home Assistant is off: nothing of the past is kept."
            )
        if async_migration_in_progress(hass):
            raise HomeAssistantError(
                "Home Assistant is converting its records just now. Try again later."
            )
        may_read = await async_may_read(hass, context.context, self.context.scope)
        language = context.language or hass.config.language
        read, more = await self._async_reader(hass, wanted, language, may_read)
        return await get_instance(hass).async_add_executor_job(read) | more

    async def _async_reader(
        self,
        hass: HomeAssistant,
        wanted: Mapping[str, str],
        language: str,
        may_read: Callable[[State], bool],
    ) -> tuple[Callable[[], dict[str, Any]], dict[str, Any]]:
        """Return what reads the database, and more to tell; no recorder is loaded before."""
        from homeassistant.components.recorder import is_entity_recorded  # noqa: PLC0415

        from . import answers  # noqa: PLC0415

        question, now = wanted["question"], dt_util.now()
        period = period_of(wanted, now, past=True)
        than = period_of({"period": wanted.get("than")}, now, past=True)
        if question in ("energy", "cost"):
            if "energy" not in hass.config.components:
                raise HomeAssistantError(
                    "There is no energy dashboard. Ask for change of kind energy."
                )
            from . import energy  # noqa: PLC0415

            name = next(
                iter(texts_given(wanted, "name") + texts_given(wanted, "kind")), ""
            )
            scope = self.context.scope
            meters = await energy.async_meters(hass, name, may_read, scope)
            total = "used at home"
            if question == "cost":
                meters, total = await energy.async_costs(hass, meters), "in all"
            ask = partial(energy.used, hass, meters, total)
            return partial(answers.measured, ask, "change", period, than), {}
        if not any(texts_given(wanted, way) for way in WAYS):
            raise UnclearError("Say what it is about: a name, an area or a kind.")
        await async_titles(hass, language)
        finder = Finder(hass, self.exposed(hass), language=language)
        found = filter(may_read, finder.all(wanted, reads=True))
        fitting = _fitting(list(found), question)
        states = [item for item in fitting if is_entity_recorded(hass, item.entity_id)]
        missing = [item.name for item in fitting if item not in states]
        if not states:
            names = ", ".join(missing)
            raise HomeAssistantError(f"Home Assistant does not record {names}.")
        told = {
            FROM_OUTSIDE: question == "attribute" or any(map(_is_text, states)),
            "note": any(item.domain == "climate" for item in states) and _OF_MODES,
            "not_recorded": missing,
        }
        more = {key: value for key, value in told.items() if value}
        if question == "attribute":
            return partial(answers.attribute, hass, states, wanted, period), more
        domains = {item.domain for item in states}
        words = await StateWords.async_get(hass, language, domains)
        if word := wanted.get("state", ""):
            states = [item for item in states if words.matcher(item, word)] or states
        asked = answers.Question(hass, question, word, states, words)
        if question not in ("last_change", "who"):
            ask = partial(answers.of_things, asked)
            return partial(answers.measured, ask, question, period, than), more
        if question == "last_change":
            return partial(answers.changes, asked, period), more
        if "logbook" not in hass.config.components:
            raise HomeAssistantError("The logbook of Home Assistant is off.")
        causes = answers.Causes(hass, states, may_read)
        return partial(answers.changes, asked, period, causes), more


def _fitting(states: list[State], question: str) -> list[State]:
    if not states:
        raise HomeAssistantError("It may not be read.")
    is_about_numbers = question in _NUMBERS
    key, value = _UNFIT.get(question, ("", ""))
    found = [
        state
        for state in states
        if question in ("timeline", "attribute")
        or (
            _is_number(state) is is_about_numbers
            and (not key or state.attributes.get(key) != value)
        )
    ]
    if not found and is_about_numbers:
        raise HomeAssistantError(
            "That has no such number: ask for count, duration, mean, energy or timeline."
        )
    if len(found or states) > _MAX_THINGS:
        raise HomeAssistantError("These are too many things: say an area or a kind.")
    return found or states


def _is_text(state: State) -> bool:
    """Return whether its states can be any text, also a stranger's."""
    return state.domain in _TEXTS or (
        state.domain == "sensor" and {*_MEASURED, _CLASS}.isdisjoint(state.attributes)
    )


def _is_number(state: State) -> bool:
    return (
        not _MEASURED.isdisjoint(state.attributes) or number_of(state.state) is not None
    )
