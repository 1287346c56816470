"""Who speaks: a person who can be asked, or an automation that cannot.

A script that a person started has that person's context, but nobody can be asked there.
What they said before has come to something, too (`Earlier`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

from homeassistant.components import conversation
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.helpers import area_registry as ar, device_registry as dr

from ..internals import contexts_of_running_scripts
from .names import entity_area

_IN_CONVERSATION: Final = frozenset({"listening", "processing", "responding"})


class CallContext(Context):
    """The context of what a call brings about, by scripts and other agents too."""

    __slots__ = ("speaker",)

    def __init__(self, person: Context | None, speaker: Speaker | None) -> None:
        """Take the context of the turn in which it is called, and who spoke there."""
        super().__init__(
            user_id=person.user_id if person else None,
            parent_id=person.id if person else None,
        )
        self.speaker = speaker


@dataclass(frozen=True, slots=True)
class Speaker:
    """Where a sentence came from, and what it was."""

    user_id: str | None
    satellite_id: str | None
    is_person: bool
    sentence: str
    language: str
    device_id: str | None = None
    behind: Speaker | None = None
    """Who spoke in the turn that this is said in, if a script says it."""

    @property
    def identity(self) -> tuple[str | None, str | None]:
        """Return user and satellite, by which a person is recognized."""
        return self.user_id, self.satellite_id

    def is_same_person(self, other: Speaker | None) -> bool:
        """Return whether one person said both."""
        if other is None or self.identity != other.identity:
            return False
        return self.is_person and other.is_person

    @property
    def is_aloud(self) -> bool:
        """Return whether the answer is heard: by a satellite or a device."""
        return bool(self.satellite_id or self.device_id)

    @classmethod
    def unattended(
        cls, hass: HomeAssistant, sentence: str, context: Context | None = None
    ) -> Self:
        """Return an automation or a task."""
        return cls(
            user_id=context.user_id if context else None,
            satellite_id=None,
            is_person=False,
            sentence=sentence,
            language=hass.config.language,
            behind=_behind(context),
        )

    @classmethod
    async def async_of(
        cls, hass: HomeAssistant, user_input: conversation.ConversationInput
    ) -> Self:
        """Read who speaks from a sentence's context.

        An automation's context has a parent or no user, a script's is that of a running
        script, an add-on's user was made by Home Assistant. A satellite has no user but
        is listening right now. A signed-in client may claim to be any satellite, which
        gives it nothing.
        """
        context = user_input.context
        satellite = user_input.satellite_id
        running = contexts_of_running_scripts(hass)
        if context.parent_id is not None or context.id in running:
            is_person = False
        elif context.user_id is not None:
            user = await hass.auth.async_get_user(context.user_id)
            is_person = user is None or not user.system_generated
        else:
            state = hass.states.get(satellite) if satellite else None
            is_person = state is not None and state.state in _IN_CONVERSATION
        return cls(
            user_id=context.user_id,
            satellite_id=satellite,
            is_person=is_person,
            sentence=user_input.text,
            language=user_input.language or hass.config.language,
            device_id=user_input.device_id,
            behind=_behind(context),
        )


@dataclass(slots=True)
class Earlier:
    """What came before; the gate adds what was read."""

    declined: Sequence[Any] = ()
    """Each `Ask` of the last question, unless the answer was yes."""
    last_named: frozenset[str] = frozenset()
    """What the last call acted on that the person's words had named: "it"."""
    players: set[str] = field(default_factory=set)
    read_outside: bool = False
    saw_pictures: bool = False


def _behind(context: Context | None) -> Speaker | None:
    return context.speaker if isinstance(context, CallContext) else None


def people_of(hass: HomeAssistant, user_id: str | None) -> list[State]:
    """Return the persons who a user is."""
    every = hass.states.async_all("person") if user_id else []
    return [item for item in every if item.attributes.get("user_id") == user_id]


def area_of(hass: HomeAssistant, speaker: Speaker) -> ar.AreaEntry | None:
    """Return the area of the satellite or device that somebody speaks to."""
    here, at = speaker.satellite_id, speaker.device_id
    area = entity_area(hass, here) if here else None
    device = dr.async_get(hass).async_get(at) if at else None
    area_id = dr.async_get_effective_area_id(hass, device) if device else None
    return area or (ar.async_get(hass).async_get_area(area_id) if area_id else None)
