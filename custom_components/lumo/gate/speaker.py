"""Who speaks: a person who can be asked, or an automation that cannot."""

from dataclasses import dataclass
from typing import Final, Self

from homeassistant.components import conversation
from homeassistant.core import HomeAssistant

# The states of an assist satellite that is in a conversation.
_HEARS: Final = frozenset({"listening", "processing", "responding"})


@dataclass(frozen=True, slots=True)
class Speaker:
    """Where a sentence came from, and what it was."""

    user_id: str | None
    satellite_id: str | None
    is_person: bool
    """Somebody is there to be asked."""
    sentence: str
    language: str

    @classmethod
    def of(
        cls, hass: HomeAssistant, user_input: conversation.ConversationInput
    ) -> Self:
        """Read who speaks from a sentence's context.

        An automation's context has a parent or no user. A satellite has no user either,
        but is hearing something right now; a client that signs in with a user may claim
        to be any satellite, which adds nothing to what its user may do.
        """
        context = user_input.context
        satellite = user_input.satellite_id
        if context.parent_id is not None:
            is_person = False
        elif context.user_id is not None:
            is_person = True
        else:
            state = hass.states.get(satellite) if satellite else None
            is_person = state is not None and state.state in _HEARS
        return cls(
            user_id=context.user_id,
            satellite_id=satellite,
            is_person=is_person,
            sentence=user_input.text,
            language=user_input.language or hass.config.language,
        )
