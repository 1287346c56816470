"""What a call for "everything" leaves as it is.

Where neither the call nor the sentence names doors or their like, "turn off everything
downstairs" is about lamps and sockets. Buttons, scenes and scripts do anything at all,
so they are never part of everything.
"""

from collections.abc import Iterable
import re
from typing import Final

from homeassistant.core import HomeAssistant, split_entity_id

from ..languages import language_of
from .case import Case
from .doors import speak_of
from .mention import Sentence
from .names import own_names_of
from .sensitive import Sensitivity
from .speaker import Speaker
from .targets import Root

_NEVER: Final = ("button", "input_button", "scene", "script")
# The words for what else may let somebody in: everything there counts as a door.
_KINDS: Final = {"alarm_control_panel": "alarm", "valve": "valve"}


def left_alone(
    hass: HomeAssistant,
    case: Case,
    sensitivity: Sensitivity,
    roots: Iterable[Root],
    speaker: Speaker,
) -> set[str]:
    """Return the targets that a call leaves as they are. `roots` may be sensitive."""
    call = case.intent
    if call is None or not call.is_for_all or case.is_narrowly_approved:
        return set()

    # "Everything in the garage" does not speak of its door.
    places = "|".join(map(re.escape, call.places)) or "(?!)"
    said = re.sub(places, " ", speaker.sentence, flags=re.IGNORECASE)
    names = Sentence(said, language_of(speaker.language))

    def is_meant(entity_id: str) -> bool:
        domain = split_entity_id(entity_id)[0]
        return (
            names.names_any(own_names_of(hass, entity_id))
            or (domain == "cover" and speak_of([said], "blind"))
            or speak_of([said], _KINDS.get(domain, "door"))
        )

    doors = {
        root.entity_id
        for root in roots
        if any(sensitivity.is_door(item.entity_id) for item in root.reach.effects)
        and not is_meant(root.entity_id)
    }
    never = call.match(hass, hass.states.async_all(_NEVER))
    return (doors | {state.entity_id for state in never}) - case.approved
