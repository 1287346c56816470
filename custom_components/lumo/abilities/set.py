"""Set: a mode, an option or a number of one thing, for which Assist has no tool.

One row each in `set.toml`: the service, and the values that it takes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
import re
import tomllib
from typing import Any, Final, override

from homeassistant.core import HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv
import probatio

from ..const import DOMAIN
from ..gate.domains import domain_of
from ..gate.effects import Effect, number_of, wants_code
from ..gate.names import name_of, option_name
from ..gate.own_tool import Arguments
from ..text import as_compared
from .ability import optional_texts
from .acting import ActingAbility, ActionPlan, texts
from .finder import nearest

# What a service takes instead of one of its options.
_NUMBER: Final = "number"
_NO_CODE: Final = (
    "This alarm panel wants a code, so it cannot be armed here. Tell the person to do "
    "it at the panel or in its app. Never ask for the code."
)


@dataclass(frozen=True, slots=True)
class _Row:
    """A setting of the things of a domain (`set.toml`)."""

    words: Sequence[str]
    domain: str
    service: str
    options: str | Sequence[str] | Mapping[str, Any]
    feature: int = 0
    key: str = ""

    @property
    def shown(self) -> Sequence[str]:
        """Return the attribute that shows the value, and the service's key for it."""
        return domain_of(self.domain).values.get(self.service, ("", self.key))

    def is_of(self, state: State) -> bool:
        has = state.attributes.get("supported_features", 0)
        return self.domain == state.domain and has & self.feature == self.feature


_FILE: Final = Path(__file__).with_suffix(".toml")
_ROWS: Final = tuple(
    _Row(**row) for row in tomllib.loads(_FILE.read_text(encoding="utf-8"))["rows"]
)
_SETTINGS: Final = tuple(dict.fromkeys(row.words[0] for row in _ROWS))


class Set(ActingAbility):
    """Sets one thing to one of the values that it takes."""

    name = f"{DOMAIN}__set"
    title = "Set a mode, option or value"
    description = (
        "Set what no other tool sets, of one thing. A wrong value is answered with the "
        "possible ones."
    )
    parameters = probatio.Schema(
        {
            **optional_texts("name", "area"),
            probatio.Required("setting", description="|".join(_SETTINGS)): cv.string,
            probatio.Required("to"): cv.string,
        }
    )
    # Home Assistant's own name for it.
    replaces = frozenset({"humidifier__HassHumidifierMode"})

    @override
    def plan(self, hass: HomeAssistant, arguments: Arguments) -> ActionPlan:
        given = texts(arguments)
        setting, wanted = as_compared(given.get("setting", "")), given.get("to", "")
        domains = {
            row.domain for row in _ROWS if given.get("name") or setting in row.words
        }
        if not domains:
            known = nearest(setting, _SETTINGS)
            raise HomeAssistantError(f"There is no setting {setting}. {known}")
        place = {key: given.get(key) for key in ("name", "area")}
        states = self.finder(hass, *domains).all(place, acts=True)
        able = [(state, rows) for state in states if (rows := _meant(state, setting))]
        if not able:
            has = [row.words[0] for state in states for row in _rows_of(state)]
            raise HomeAssistantError(f"It has no {setting}. {nearest(setting, has)}")
        tried = (_effect(hass, state, rows, wanted) for state, rows in able)
        effects = [effect for effect in tried if effect]
        if not effects:
            raise HomeAssistantError(_refusal(hass, *able[0], wanted))
        if not (free := [item for item in effects if not wants_code(hass, item)]):
            raise HomeAssistantError(_NO_CODE)
        return ActionPlan(tuple(free), is_choice=len(free) > 1)


def _rows_of(state: State) -> list[_Row]:
    return [
        row
        for row in _ROWS
        if row.is_of(state) and (row.options == _NUMBER or _options_of(state, row))
    ]


def _meant(state: State, setting: str) -> list[_Row]:
    """Return the settings that a word stands for; a select or number has only one."""
    rows = _rows_of(state)
    named = [row for row in rows if setting in row.words]
    return named or [row for row in rows if row.words[0] in ("option", "value")]


def _options_of(state: State, row: _Row) -> Mapping[str, Any]:
    options = row.options
    if isinstance(options, str):
        options = state.attributes.get(options) or ()
    if isinstance(options, Mapping):
        return options
    return {str(item): item for item in options}


def _effect(
    hass: HomeAssistant, state: State, rows: list[_Row], wanted: str
) -> Effect | None:
    """Return the action that sets a thing to a value, if it has that value."""
    for row in rows:
        shown, key = row.shown
        if row.options == _NUMBER:
            # 1,000 may be one, or a thousand.
            unit = state.attributes.get("unit_of_measurement") or ""
            written = re.sub(r",(?!\d{3}\b)", ".", wanted).removesuffix(unit)
            number = number_of(written.rstrip("%° "))
            low, high = state.attributes["min"], state.attributes["max"]
            if number is not None and low <= number <= high:
                return Effect(state.entity_id, row.service, {key: number})
            continue
        known: dict[str, Any] = {}
        for word, item in _options_of(state, row).items():
            named = option_name(hass, state.entity_id, shown, word)
            known |= {as_compared(named): item, as_compared(word): item}
        text = as_compared(wanted)
        value = known.get(text, known.get(text.removesuffix("ing")))
        if value is not None:
            data = {key: value} if key else {}
            return Effect(state.entity_id, row.service.format(value), data)
    return None


def _refusal(hass: HomeAssistant, state: State, rows: list[_Row], wanted: str) -> str:
    name = name_of(hass, state.entity_id)
    if rows[0].options == _NUMBER:
        low, high = state.attributes["min"], state.attributes["max"]
        return f"{name} takes numbers from {low:g} to {high:g}."
    options = [word for row in rows for word in _options_of(state, row)]
    return f"{name} does not take {wanted}. {nearest(wanted, options)}"
