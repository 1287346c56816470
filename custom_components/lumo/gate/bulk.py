"""What a call for "everything" leaves as it is.

Where neither the call nor the sentence names doors or their like, "turn off everything
downstairs" is about lamps and sockets. Buttons, scenes and scripts do anything at all,
so they are never part of everything.
"""

from collections.abc import Iterable
from typing import Final

from homeassistant.core import HomeAssistant, split_entity_id

from .case import Case
from .doors import speak_of
from .sensitive import Sensitivity
from .targets import Root

_NEVER: Final = ("button", "input_button", "scene", "script")
# The words for what else may let somebody in: everything there counts as a door.
_KINDS: Final = {"alarm_control_panel": "alarm", "valve": "valve"}


def left_alone(
    hass: HomeAssistant,
    case: Case,
    sensitivity: Sensitivity,
    roots: Iterable[Root],
    sentence: str,
) -> set[str]:
    """Return the targets that a call leaves as they are. `roots` may be sensitive."""
    call = case.intent
    if call is None or not call.is_for_all or case.is_narrowly_approved:
        return set()

    said = sentence.casefold()
    for place in call.places:
        # "Everything in the garage" does not speak of its door.
        said = said.replace(place.casefold(), " ")

    def is_meant(entity_id: str) -> bool:
        domain = split_entity_id(entity_id)[0]
        state = hass.states.get(entity_id)
        is_named = state and state.name.casefold() in said
        is_blind = domain == "cover" and speak_of([said], "blind")
        return is_named or is_blind or speak_of([said], _KINDS.get(domain, "door"))

    doors = {
        root.entity_id
        for root in roots
        if any(sensitivity.is_door(item.entity_id) for item in root.reach.effects)
        and not is_meant(root.entity_id)
    }
    never = call.match(hass, hass.states.async_all(_NEVER))
    return (doors | {state.entity_id for state in never}) - case.approved
