"""What the gate asks a tool of our own about its calls.

A tool of an LLM API is judged by what Home Assistant knows of it. A tool of our own (a
file in `abilities/`) says for itself what a call of it does, before it runs: on which
entities, and how. All else, who is asked, what is narrowed, told, watched and can be
undone, is the gate's business as for any other call.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from homeassistant.core import HomeAssistant, State
from homeassistant.helpers import llm

from ..const import DOMAIN
from .effects import Effect
from .speaker import Speaker
from .targets import Root, root_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What a tool of our own may need of the turn that it is offered in."""

    speaker: Speaker | None = None
    """Who speaks; None where tools are only listed."""
    changes: tuple[State, ...] = ()
    """The states, before, of what the last turn that acted has changed."""


class Ability(llm.Tool):
    """A tool of our own. What is not said here fits one that only reads."""

    integration = DOMAIN
    returns_outside: ClassVar[bool] = False
    """Its results may hold what strangers wrote."""
    is_divisible: ClassVar[bool] = False
    """A call can be run for each of its targets alone (see `narrowed`)."""

    def __init__(self, situation: Situation) -> None:
        """Take the turn that it is offered in."""
        self.situation = situation

    @property
    def is_useful(self) -> bool:
        """Return whether there is anything to use it for in this turn."""
        return True

    @property
    def is_asked_for(self) -> bool:
        """Return whether the person's own sentence asks for just this.

        Then its targets need not be named, after text from outside was read.
        """
        return False

    def effects(
        self, hass: HomeAssistant, arguments: Mapping[str, Any], *, at_once: bool = True
    ) -> list[Effect]:
        """Return what a call does to which entities.

        Without `at_once` the present states do not count: it is asked about a call that
        has run, or that will run later.
        """
        return []

    def roots(self, hass: HomeAssistant, arguments: Mapping[str, Any]) -> list[Root]:
        """Return the same with all that follows, for example from a script."""
        return [root_of(hass, effect) for effect in self.effects(hass, arguments)]

    def narrowed(self, arguments: Mapping[str, Any], entity_id: str) -> dict[str, Any]:
        """Return the arguments for one of the targets alone."""
        return dict(arguments)
