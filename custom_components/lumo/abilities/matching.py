"""Home Assistant's intents, with a helpful refusal where nothing matches.

"No entities matched the name" makes a model write the same call again.
"""

from textwrap import shorten
from typing import Final, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent, llm
from homeassistant.util.json import JsonObjectType

from ..context.home import Home, async_get_home, is_called
from ..context.things import Thing
from ..text import as_compared
from .ability import WrappedTool
from .finder import nearest

_MAX_NAMES: Final = 4
_MAX_CHARACTERS: Final = 300
_HOW: Final = "Write one of these names alone, or an area and a domain without a name."


class MatchingTool(WrappedTool):
    """Answers in place of an intent."""

    @override
    async def async_call(
        self,
        hass: HomeAssistant,
        tool_input: llm.ToolInput,
        llm_context: llm.LLMContext,
    ) -> llm.ToolResult | JsonObjectType:
        """Run the intent; raise HomeAssistantError with what there is."""
        try:
            return await super().async_call(hass, tool_input, llm_context)
        except intent.MatchFailedError as err:
            language = llm_context.language or hass.config.language
            home = await async_get_home(hass, language, self._scope)
            text = what_there_is(home, err.constraints)
            raise HomeAssistantError(text) from err


def what_there_is(home: Home, wanted: intent.MatchTargetsConstraints) -> str:
    """Return in a few words what comes nearest to what was wanted."""
    name, places, wrong = wanted.name or "", {}, ""
    for kind, written, known in (
        ("area", wanted.area_name, home.areas),
        ("floor", wanted.floor_name, home.floors),
    ):
        if written and any(is_called(place, written) for place in known):
            places[kind] = written
        elif written:
            wrong += f"There is no {kind} {written}. "
            if not name:
                return wrong + nearest(written, [place.name for place in known])
    by_name = [home.find(name, **places), home.find(name)] if name else []
    there = {
        thing: (
            as_compared(name) not in map(as_compared, thing.names),
            thing.domain not in (wanted.domains or ()),
        )
        for found in (*by_name, home.find(**places))
        for thing, _score in found
    }
    if not there:
        return wrong + "There is no such thing."
    best = sorted(there, key=lambda thing: there[thing])[:_MAX_NAMES]
    listed = ", ".join(map(_described, best))
    text = f"{wrong or 'Nothing matches. '}There is: {listed}. {_HOW}"
    return shorten(text, _MAX_CHARACTERS, placeholder=" ...")


def _described(thing: Thing) -> str:
    where = f" in {thing.area.name}" if thing.area else ""
    return f"{thing.names[0]} (a {thing.domain}{where})"
