"""The issues that follow from the home, not from an account.

local_commands   a pipeline handles commands locally: Home Assistant's own agent then
                 acts before the gate can ask
unmarked_doors   what looks like a door is not asked about by every agent
unknown_covers   what covers are is not known, so they are asked about
"""

from asyncio import Handle
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.components.homeassistant.exposed_entities import (
    async_listen_entity_updates,
)
from homeassistant.config_entries import ConfigEntry, ConfigEntryState
from homeassistant.core import CoreState, HomeAssistant, callback
from homeassistant.helpers import entity_registry as er, issue_registry as ir
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.start import async_at_started

from ..const import CONF_AUTONOMY, DOMAIN, Autonomy
from ..gate.doors import Doors
from ..gate.names import is_exposed, name_of
from ..internals import async_listen_pipelines, pipelines
from ..languages import language_of
from .doors import agents, unmarked_doors
from .problems import Problem, async_show

_PROBLEMS: Final = (
    Problem.LOCAL_COMMANDS,
    Problem.UNKNOWN_COVERS,
    Problem.UNMARKED_DOORS,
)
_INTERVAL: Final = timedelta(hours=1)
_SHOWN_NAMES: Final = 12


@callback
def async_watch_home_issues(hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
    """Keep the issues up to date until an account is unloaded."""
    soon: Handle | None = None

    @callback
    def look() -> None:
        nonlocal soon
        soon = None
        async_look_at_home(hass)

    @callback
    def look_soon(_now: datetime | None = None) -> None:
        """Look once for many changes that come together."""
        nonlocal soon
        if soon is None and hass.state is CoreState.running:
            soon = hass.loop.call_soon(look)

    async def pipelines_changed(_changes: Any) -> None:
        look_soon()

    @callback
    def start(_hass: HomeAssistant) -> None:
        """Begin when all entities are there."""
        entry.async_on_unload(async_listen_pipelines(hass, pipelines_changed))
        look_soon()

    for stop in (
        async_listen_entity_updates(hass, CONVERSATION_DOMAIN, look_soon),
        # A cover that became a gate is reported by nobody.
        async_track_time_interval(hass, look_soon, _INTERVAL, cancel_on_shutdown=True),
        async_at_started(hass, start),
        look,
    ):
        entry.async_on_unload(stop)


@callback
def async_look_at_home(hass: HomeAssistant) -> None:
    """Create the issues that are due, and delete those that are over.

    Ignored ones stay until the last account is removed.
    """
    entries = hass.config_entries.async_entries(DOMAIN)
    due = {*_due(hass)} if entries else set()
    for (domain, issue_id), issue in list(ir.async_get(hass).issues.items()):
        is_kept = issue_id in due or (entries and issue.dismissed_version)
        if domain == DOMAIN and issue_id.startswith(_PROBLEMS) and not is_kept:
            ir.async_delete_issue(hass, DOMAIN, issue_id)


def _due(hass: HomeAssistant) -> Iterator[str]:
    if doors := unmarked_doors(hass):
        yield async_show(
            hass, Problem.UNMARKED_DOORS, placeholders=_listed(hass, doors), data={}
        )
    covers = [item for item in Doors(hass).unknown_covers() if is_exposed(hass, item)]
    if covers:
        yield async_show(
            hass, Problem.UNKNOWN_COVERS, placeholders=_listed(hass, covers)
        )
    loaded = {
        er.async_get(hass).async_get_entity_id(
            CONVERSATION_DOMAIN, DOMAIN, agent.subentry_id
        ): agent
        for entry, agent in agents(hass)
        # Who asks nothing misses nothing that another way leaves out.
        if agent.data.get(CONF_AUTONOMY) != Autonomy.TRUSTED
        and entry.state is ConfigEntryState.LOADED
    }
    for pipeline in pipelines(hass):
        agent = loaded.get(pipeline.conversation_engine)
        is_ours = agent and language_of(pipeline.language).code
        if agent and is_ours and pipeline.prefer_local_intents:
            yield async_show(
                hass,
                Problem.LOCAL_COMMANDS,
                pipeline.id,
                data={"pipeline_id": pipeline.id},
                placeholders={"name": agent.title, "pipeline": pipeline.name},
            )


def _listed(hass: HomeAssistant, entity_ids: list[str]) -> dict[str, str]:
    names = sorted(name_of(hass, item) for item in entity_ids)
    more = ", …" if len(names) > _SHOWN_NAMES else ""
    return {
        "count": str(len(names)),
        "entities": ", ".join(names[:_SHOWN_NAMES]) + more,
    }
