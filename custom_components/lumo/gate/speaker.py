"""Who speaks: a person who can be asked, or an automation that cannot.

A script that a person has started runs with that person's context, and so does all that
it says to an agent. So the contexts in which scripts and automations run are noted: with
one of them there is no person to speak, or to answer a question.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Self

from homeassistant.components import conversation
from homeassistant.core import Context, Event, HomeAssistant, callback

from ..internals import RUN_EVENTS, contexts_of_running_scripts

# So many contexts are noted, the latest. Those of scripts that still run are seen
# without it.
_NOTED: Final = 1000
# The states of an assist satellite that is in a conversation.
_HEARS: Final = frozenset({"listening", "processing", "responding"})


class ScriptContexts:
    """The contexts in which scripts and automations have run lately, or run now."""

    def __init__(self, hass: HomeAssistant) -> None:
        """Note nothing yet."""
        self._hass = hass
        self._noted: dict[str, None] = {}

    @callback
    def async_listen(self) -> Callable[[], None]:
        """Note contexts from now on; return how to stop that."""
        stops = [
            self._hass.bus.async_listen(event_type, self._on_run)
            for event_type in RUN_EVENTS
        ]

        def stop() -> None:
            for item in stops:
                item()

        return stop

    @callback
    def _on_run(self, event: Event) -> None:
        self._noted[event.context.id] = None
        if len(self._noted) > _NOTED:
            del self._noted[next(iter(self._noted))]

    def __contains__(self, context: Context) -> bool:
        """Return whether something runs, or has run, in this context."""
        return context.id in self._noted or context.id in contexts_of_running_scripts(
            self._hass
        )


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
    async def async_of(
        cls,
        hass: HomeAssistant,
        user_input: conversation.ConversationInput,
        scripts: ScriptContexts,
    ) -> Self:
        """Read who speaks from a sentence's context.

        An automation's context has a parent or no user, a script's is known as such,
        and an add-on has a user that Home Assistant made. A satellite has no user
        either, but is hearing something right now; a client that signs in with a user
        may claim to be any satellite, which adds nothing to what its user may do.
        """
        context = user_input.context
        satellite = user_input.satellite_id
        if context.parent_id is not None or context in scripts:
            is_person = False
        elif context.user_id is not None:
            user = await hass.auth.async_get_user(context.user_id)
            is_person = user is None or not user.system_generated
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
