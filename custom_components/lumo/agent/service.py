"""The service that answers, as far as the agent knows it: another could stand there."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from ..lumo_client.deadlines import Deadlines
from ..lumo_client.events import Event
from ..lumo_client.messages import ChatRequest


class Credential(Protocol):
    """Who asks."""

    @property
    def encrypted(self) -> bool:
        """Return whether messages are encrypted to the model."""


class Service(Protocol):
    """Answers requests."""

    @property
    def credential(self) -> Credential:
        """Return who asks."""

    def chat(
        self, request: ChatRequest, deadlines: Deadlines
    ) -> AbstractAsyncContextManager[AsyncIterator[Event]]:
        """Send a request; its events arrive inside the context. Raises LumoErrors."""
