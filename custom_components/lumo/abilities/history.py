"""History: answers about the past, computed from the recorder; the model says them."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final, NamedTuple, override

from homeassistant.core import HomeAssistant, State, valid_entity_id
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.helpers.recorder import async_migration_in_progress, get_instance
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN
from ..context.titles import async_titles
from ..gate.effects import number_of
from ..gate.names import given_in
from ..gate.own_tool import FROM_OUTSIDE, Arguments, Result
from .ability import Ability, schema
from .finder import WAYS, Finder, StateWords, UnclearError, nearest, texts_given
from .periods import PERIODS, period_of

_MAX_THINGS: Final = 200
_NUMBERS: Final = ("min", "max", "mean", "change")
_CLASS: Final = "device_class"
_MEASURED: Final = {"state_class", "unit_of_measurement"}
_TEXTS: Final = {"input_text", "text"}
_QUESTIONS: Final = (
    *("last_change", "count", "duration", "who", *_NUMBERS, "timeline", "attribute"),
    *("energy", "cost"),
)
# The meters of the dashboard's sources, and what each adds to what is used at home.
_FLOWS: Final = (
    ("grid", "stat_energy_from", "from the grid", 1),
    ("grid", "stat_energy_to", "returned to the grid", -1),
    ("solar", "stat_energy_from", "solar", 1),
    ("battery", "stat_energy_from", "from the battery", 1),
    ("battery", "stat_energy_to", "into the battery", -1),
    ("home", "stat_energy_to", "measured at home", 0),
    ("gas", "stat_energy_from", "gas", 0),
    ("water", "stat_energy_from", "water", 0),
)
_DEVICES: Final = ("device_consumption", "device_consumption_water")
_COSTS: Final = {"stat_energy_from": "stat_cost", "stat_energy_to": "stat_compensation"}
# They name no meter.
_ALL_OF_IT: Final = {"all", "electricity", "energy", "home", "house", "power", "total"}
_NO_DASHBOARD: Final = "There is no energy dashboard. Ask for change of kind energy."
# What a thermostat does in a mode (HVACAction of `homeassistant/components/climate`).
_ACTION: Final = "hvac_action"
_ACTIONS: Final = {"cooling", "drying", "heating", "idle"}
_OF_MODES: Final = "Of thermostats the mode is known, not when they really heated."


class _Meter(NamedTuple):
    """A meter of the energy dashboard."""

    name: str
    statistic_id: str
    share: int
    """1 or -1: it adds to or takes from what is used at home."""


class History(Ability):
    """Answers questions about the past from the recorder."""

    name = f"{DOMAIN}__history"
    title = "History"
    description = (
        "The past: when something changed and by whom, how often, how long, lowest, "
        "highest, mean, a meter's change, energy (name: grid, solar, battery, gas, water "
        "or a device). Do not calculate."
    )
    parameters = schema(
        *("name", "area", "kind", "state", f"period: {PERIODS}"),
        *("from", "to", "than: like period"),
        needs={"question": probatio.In(_QUESTIONS)},
    )

    @override
    def is_useful(self) -> bool:
        hass = self.context.hass
        return hass is None or "recorder" in hass.config.components

    @override
    async def async_run(self, arguments: Arguments, context: llm.LLMContext) -> Result:
        # Without a recorder none of these can be loaded.
        from homeassistant.components.recorder import is_entity_recorded  # noqa: PLC0415

        from . import answers, past  # noqa: PLC0415

        given, hass = given_in(arguments), self.hass
        for key in ("name", "area", "kind"):
            given[key] = ", ".join(texts_given(given, key))
        wanted: dict[str, str] = self.parameters(given)
        if async_migration_in_progress(hass):
            raise HomeAssistantError(
                "Home Assistant is converting its records just now. Try again later."
            )
        may_read = await self.async_may_read(context.context)
        language = context.language or hass.config.language
        async_read = get_instance(hass).async_add_executor_job
        question, now = wanted["question"], dt_util.now()
        period = period_of(wanted, now, past=True)
        than = period_of({"period": wanted.get("than")}, now, past=True)
        if question in ("energy", "cost"):
            if "energy" not in hass.config.components:
                raise HomeAssistantError(_NO_DASHBOARD)
            named = texts_given(wanted, "name") or texts_given(wanted, "kind") or [""]
            meters = await self._async_meters(named[0], question, may_read)
            total = "in all" if question == "cost" else "used at home"
            ask = partial(answers.used, hass, meters, total)
            return await async_read(answers.measured, ask, "change", period, than)
        if not any(texts_given(wanted, way) for way in WAYS):
            raise UnclearError("Say what it is about: a name, an area or a kind.")
        await async_titles(hass, language)
        finder = Finder(hass, self.exposed(), language=language)
        found = filter(may_read, finder.all(wanted, reads=True))
        fitting = _fitting(list(found), question)
        states = [item for item in fitting if is_entity_recorded(hass, item.entity_id)]
        missing = [item.name for item in fitting if item not in states]
        if not states:
            names = ", ".join(missing)
            raise HomeAssistantError(f"Home Assistant does not record {names}.")
        does = wanted.get("state", "").casefold() in _ACTIONS
        does &= question in ("count", "duration")
        does &= all(_ACTION in item.attributes for item in states)
        is_of_modes = any(item.domain == "climate" for item in states) and not does
        told = {
            FROM_OUTSIDE: question == "attribute" or any(map(_is_text, states)),
            "note": is_of_modes and _OF_MODES,
            "not_recorded": missing,
        }
        more = {key: value for key, value in told.items() if value}
        word, domains = wanted.get("state", ""), {item.domain for item in states}
        words = await StateWords.async_get(hass, language, domains)
        if question == "attribute":
            asked = past.Question(hass, question, word, states, words)
            return more | await async_read(answers.attribute, asked, period)
        if word:
            states = [item for item in states if words.matcher(item, word)] or states
        key = _ACTION if does else ""
        asked = past.Question(hass, question, word, states, words, key)
        if question not in ("last_change", "who"):
            ask = partial(answers.of_things, asked)
            tell = partial(answers.measured, ask, question)
            return more | await async_read(tell, period, than)
        if question == "who" and "logbook" not in hass.config.components:
            raise HomeAssistantError("The logbook of Home Assistant is off.")
        causes = answers.Causes(hass, states, may_read) if question == "who" else None
        return more | await async_read(answers.changes, asked, period, causes)

    async def _async_meters(
        self, name: str, question: str, may_read: Callable[[State], bool]
    ) -> list[_Meter]:
        from homeassistant.components.energy.data import async_get_manager  # noqa: PLC0415

        hass = self.hass
        preferences: Any = (await async_get_manager(hass)).data or {}
        devices = list(_devices(hass, preferences))
        sources = list(_sources(preferences))
        meters = [
            meter
            for meter in sources + devices
            # What is no entity, the owner has put on the dashboard.
            if (
                (state := hass.states.get(meter.statistic_id)) and may_read(state)
                if valid_entity_id(meter.statistic_id)
                else self.context.scope is None
            )
        ]
        if not meters:
            raise HomeAssistantError(
                "No meter of the energy dashboard is exposed to Assist, or there is none."
            )
        words = set(name.casefold().split()) - _ALL_OF_IT
        meant = [x for x in meters if x not in devices or words]
        found = [x for x in meant if all(item in x.name.casefold() for item in words)]
        if not found:
            known = nearest(name, [meter.name for meter in meters])
            raise HomeAssistantError(f"There is no meter for {name}. {known}")
        if words or not all(meter in meters for meter in sources if meter.share):
            found = [meter._replace(share=0) for meter in found]
        if question == "cost":
            costs = _costs(hass, preferences)
            priced = [x for x in found if x.statistic_id in costs]
            found = [x._replace(statistic_id=costs[x.statistic_id]) for x in priced]
            if not found:
                raise HomeAssistantError("The energy dashboard keeps no cost of that.")
        return found


def _sources(preferences: Mapping[str, Any]) -> Iterator[_Meter]:
    for source in preferences.get("energy_sources", ()):
        for kind, key, name, share in _FLOWS:
            if source["type"] == kind and (statistic_id := source.get(key)):
                yield _Meter(name, statistic_id, share)


def _devices(hass: HomeAssistant, preferences: Mapping[str, Any]) -> Iterator[_Meter]:
    for key in _DEVICES:
        for device in preferences.get(key, ()):
            statistic_id = device["stat_consumption"]
            state = hass.states.get(statistic_id)
            name = device.get("name") or (state.name if state else statistic_id)
            yield _Meter(name, statistic_id, 0)


def _costs(hass: HomeAssistant, preferences: Mapping[str, Any]) -> dict[str, str]:
    costs: dict[str, str] = dict(hass.data["energy"]["cost_sensors"])
    for source in preferences.get("energy_sources", ()):
        for key, cost in _COSTS.items():
            if (statistic_id := source.get(key)) and source.get(cost):
                costs[statistic_id] = source[cost]
    return costs


def _fitting(states: list[State], question: str) -> list[State]:
    if not states:
        raise HomeAssistantError("It may not be read.")
    is_about_numbers = question in _NUMBERS
    found = [
        state
        for state in states
        if question in ("timeline", "attribute")
        or (
            (number_of(state.state) is None and _MEASURED.isdisjoint(state.attributes))
            is not is_about_numbers
            # What power has changed by is no energy.
            and not (question == "change" and state.attributes.get(_CLASS) == "power")
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
