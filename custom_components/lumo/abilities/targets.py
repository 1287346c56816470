"""Which exposed things a call of a tool of ours names.

Names, aliases, entity ids and areas are matched with Home Assistant's own matching.
What is not exposed does not exist.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any, Final

from homeassistant.auth.permissions.const import POLICY_READ
from homeassistant.const import ATTR_ENTITY_ID, STATE_UNAVAILABLE
from homeassistant.core import Context, HomeAssistant, State, split_entity_id
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import intent

from ..context.scorer import pieces
from ..gate.names import entity_area, is_exposed, named_in_part, own_names_of
from ..gate.places import Scope
from ..gate.speaker import Speaker, area_of

# So many names are told of what is nearest, or there.
_TOLD: Final = 8
# Two words are alike that share so many of the pieces of the shorter one; a word with
# so many pieces is no article.
_ALIKE: Final = 0.6
_LONG: Final = 4


async def async_answer(
    hass: HomeAssistant,
    entity_id: str,
    service: str,
    data: Mapping[str, Any],
    context: Context | None,
) -> Any:
    """Return what an entity answers to an action of its domain."""
    found: Any = await hass.services.async_call(
        split_entity_id(entity_id)[0],
        service,
        {ATTR_ENTITY_ID: entity_id, **data},
        blocking=True,
        return_response=True,
        context=context,
    )
    return found[entity_id]


async def async_may_read(
    hass: HomeAssistant, context: Context | None, scope: Scope | None
) -> Callable[[State], bool]:
    """Return what says whether a thing is exposed, and the person may read it."""
    user_id = context.user_id if context else None
    user = await hass.auth.async_get_user(user_id) if user_id else None

    def may_read(state: State) -> bool:
        entity_id = state.entity_id
        return is_exposed(hass, entity_id, scope) and (
            user is None or user.permissions.check_entity(entity_id, POLICY_READ)
        )

    return may_read


def find(
    hass: HomeAssistant,
    among: list[State],
    name: str = "",
    area: str = "",
    speaker: Speaker | None = None,
    *,
    reads: bool = False,
    acts: bool = False,
) -> list[State]:
    """Return which of some things are meant, all that may be.

    A part of a name will do where it is one of several names, and where one only reads
    a word that is like one of a name. Of several those in the area where the person
    speaks, if there are any. One acts on what is available. Raises HomeAssistantError
    where that is nothing, in words for the model.
    """
    found = _nearer(hass, _called(hass, among, name, area, reads), speaker)
    there = [item for item in found if not acts or item.state != STATE_UNAVAILABLE]
    if not there:
        names = ", ".join(state.name for state in found)
        raise HomeAssistantError(f"Not available now: {names}.")
    return there


def _called(
    hass: HomeAssistant, among: list[State], name: str, area: str, reads: bool
) -> list[State]:
    """Return all that a name and an area may mean."""
    name, area = name.strip(), area.strip()
    if not among:
        raise HomeAssistantError("There is nothing of that kind.")
    constraints = intent.MatchTargetsConstraints(
        name=name or None, area_name=area or None, allow_duplicate_names=True
    )
    result = intent.async_match_targets(hass, constraints, states=among)
    match result.no_match_reason:
        case None:
            return result.states
        case intent.MatchFailedReason.INVALID_AREA:
            places = (entity_area(hass, state.entity_id) for state in among)
            areas = {item.name: None for item in places if item}
            raise HomeAssistantError(f"There is no area {area}. {nearest(area, areas)}")
        case intent.MatchFailedReason.AREA:
            raise HomeAssistantError(f"It is not in the area {area}.")
    wider = replace(constraints, name=None)
    there = intent.async_match_targets(hass, wider, states=among).states
    found = named_in_part(hass, name, there)
    if reads and not found:
        found = [
            state
            for state in there
            if has_like(own_names_of(hass, state.entity_id), name)
        ]
    if len(found) > 1 or (reads and found):
        return found
    names = (item for state in among for item in own_names_of(hass, state.entity_id))
    raise HomeAssistantError(
        f"Nothing of that kind is called {name}. {nearest(name, names)}"
    )


def has_like(texts: Iterable[str], wanted: str) -> bool:
    """Return whether texts have a word like one of those that are wanted.

    Articles and their like count only where there is nothing else.
    """
    there = [pieces(word).keys() for text in texts for word in text.split()]
    words = [pieces(word).keys() for word in wanted.split()]
    least = min(_LONG, max(map(len, words), default=0))
    return any(
        len(one & other) >= _ALIKE * min(len(one), len(other))
        for one in words
        if len(one) >= least
        for other in there
        if other
    )


def nearest(wanted: str, names: Iterable[str]) -> str:
    """Return a sentence with the names that come nearest to what was written."""
    wanted, known = wanted.casefold(), {name.casefold(): name for name in names}
    near = [name for name in known if wanted in name] or get_close_matches(
        wanted, known, n=_TOLD, cutoff=0.5
    )
    found = [known[item] for item in (near or [*known])[:_TOLD]]
    if not found:
        return "There is nothing."
    how = "Nearest" if near else "There is" if len(known) <= _TOLD else "For example"
    return f"{how}: {', '.join(found)}."


def _nearer(
    hass: HomeAssistant, states: list[State], speaker: Speaker | None
) -> list[State]:
    """Return those of several things that are where the person speaks."""
    if len(states) < 2 or speaker is None:
        return states
    area = area_of(hass, speaker.satellite_id, speaker.device_id)
    if area is None:
        return states
    constraints = intent.MatchTargetsConstraints(area_name=area.id)
    return intent.async_match_targets(hass, constraints, states=states).states or states
