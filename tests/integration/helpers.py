"""What the tests of an account's life share."""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any, override

from homeassistant.components import conversation
from homeassistant.config_entries import SOURCE_REAUTH, ConfigFlowResult
from homeassistant.core import Context, HomeAssistant, ServiceCall, State, callback
from homeassistant.helpers import (
    config_validation as cv,
    entity_registry as er,
    issue_registry as ir,
)
from homeassistant.util import dt as dt_util
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_fire_time_changed,
)

from custom_components.lumo.const import DOMAIN
from custom_components.lumo.lumo_client.client import LumoClient
from custom_components.lumo.lumo_client.deadlines import ON_SCREEN, Deadlines
from custom_components.lumo.lumo_client.events import Event
from custom_components.lumo.lumo_client.messages import ChatRequest
from dev.standin import Standin

AGENT = "conversation.lumo"


class Impatient(LumoClient):
    """A client that hangs up after so many seconds."""

    seconds = 60.0

    @override
    @asynccontextmanager
    async def chat(
        self, request: ChatRequest, deadlines: Deadlines = ON_SCREEN
    ) -> AsyncGenerator[AsyncIterator[Event]]:
        limits = replace(deadlines, first=self.seconds, gap=self.seconds, connect=1)
        async with super().chat(request, limits) as events:
            yield events


async def say(hass: HomeAssistant, text: str = "Hello") -> str:
    result = await conversation.async_converse(
        hass, text, None, Context(), language="en", agent_id=AGENT
    )
    await hass.async_block_till_done()
    return str(result.response.speech["plain"]["speech"])


async def pass_time(hass: HomeAssistant, **time: float) -> None:
    """Let time pass, and what was due happen."""
    async_fire_time_changed(hass, dt_util.utcnow() + timedelta(**time))
    await hass.async_block_till_done(wait_background_tasks=True)


def agent_state(hass: HomeAssistant) -> str:
    state = hass.states.get(AGENT)
    assert state is not None
    return state.state


def is_available(hass: HomeAssistant) -> bool:
    return agent_state(hass) != "unavailable"


def sensor(hass: HomeAssistant, entry: MockConfigEntry, key: str) -> State | None:
    entity_id = er.async_get(hass).async_get_entity_id(
        "sensor", DOMAIN, f"{entry.entry_id}_{key}"
    )
    assert entity_id is not None
    return hass.states.get(entity_id)


def reauth_flows(hass: HomeAssistant) -> list[ConfigFlowResult]:
    return [
        flow
        for flow in hass.config_entries.flow.async_progress()
        if flow["context"]["source"] == SOURCE_REAUTH
    ]


def issues(hass: HomeAssistant) -> set[str]:
    return {
        issue.translation_key or ""
        for (domain, _), issue in ir.async_get(hass).issues.items()
        if domain == DOMAIN
    }


@contextmanager
def replaced[T](
    target: object, name: str, make: Callable[[Callable[..., Any]], Any]
) -> Iterator[None]:
    before = getattr(target, name)
    setattr(target, name, make(before))
    try:
        yield
    finally:
        setattr(target, name, before)


def count_refreshes(standin: Standin) -> list[str]:
    """Return a list that grows by the refresh token of each refresh from now on."""
    accounts = standin.accounts_state
    refresh, used = accounts.refresh, []

    def counted(uid: str, token: str) -> Any:
        used.append(token)
        return refresh(uid, token)

    accounts.refresh = counted  # type: ignore[method-assign]
    return used


def expire_access_tokens(standin: Standin) -> None:
    for session in standin.accounts_state.sessions.values():
        standin.accounts_state.expire_access_tokens(session)


def answering_service(
    hass: HomeAssistant, domain: str, service: str, state: str
) -> list[ServiceCall]:
    """Register a service whose targets take a state; return its calls."""
    calls: list[ServiceCall] = []

    def answer(call: ServiceCall) -> None:
        calls.append(call)
        for entity_id in cv.ensure_list(call.data["entity_id"]):
            before = hass.states.get(entity_id)
            hass.states.async_set(
                entity_id,
                state,
                before.attributes if before else None,
                context=call.context,
            )

    hass.services.async_register(domain, service, callback(answer))
    return calls
