"""The service that answers, as far as the agent knows it: another could stand there.

What goes to it and comes back is plain data: messages, deadlines, events and errors.
"""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from ..lumo_client.deadlines import Deadlines
from ..lumo_client.events import Event
from ..lumo_client.messages import ChatRequest


class Secrecy(Protocol):
    """What is known of who asks."""

    @property
    def encrypted(self) -> bool:
        """Return whether what is said is encrypted to the model."""


class Service(Protocol):
    """Answers requests."""

    @property
    def credential(self) -> Secrecy:
        """Return who asks."""

    def chat(
        self, request: ChatRequest, deadlines: Deadlines
    ) -> AbstractAsyncContextManager[AsyncIterator[Event]]:
        """Send a request; the events of the answer arrive inside the context.

        Raises LumoErrors. What is left of each pool comes with the event `Usage`.
        """
