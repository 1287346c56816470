"""The issues that follow from the home, not from an account.

local_commands   a pipeline handles commands locally: Home Assistant's own agent then
                 acts before the gate can ask
unmarked_doors   what looks like a door is not asked about by every agent: one click
                 sets a label, which an agent that is added later has too
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
from homeassistant.config_entries import ConfigEntry, ConfigEntryState, ConfigSubentry
from homeassistant.core import CoreState, HomeAssistant, callback
from homeassistant.helpers import (
    entity_registry as er,
    issue_registry as ir,
    label_registry as lr,
)
from homeassistant.helpers.event import async_track_time_interval
from homeassistant.helpers.start import async_at_started

from ..const import (
    CONF_AUTONOMY,
    CONF_SENSITIVE_LABELS,
    DEFAULT_OPTIONS,
    DOMAIN,
    SUBENTRY_CONVERSATION,
    Autonomy,
)
from ..gate.effects import CHANGE, Effect
from ..gate.names import is_exposed, name_of
from ..gate.sensitive import Doors, Sensitivity
from ..internals import async_listen_pipelines, pipelines
from ..languages import language_of
from .problems import Problem, async_show

_PROBLEMS: Final = (
    Problem.LOCAL_COMMANDS,
    Problem.UNKNOWN_COVERS,
    Problem.UNMARKED_DOORS,
)
_INTERVAL: Final = timedelta(hours=1)
_SHOWN_NAMES: Final = 12
_LABEL: Final = "Ask first"


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
    """Create the issues that are due; delete those that are over, unless ignored."""
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
        for entry, agent in _agents(hass)
        # A trusted agent asks nothing, so local commands skip no question.
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


def _agents(hass: HomeAssistant) -> list[tuple[ConfigEntry[Any], ConfigSubentry]]:
    """Return all agents, each with its account."""
    return [
        (entry, subentry)
        for entry in hass.config_entries.async_entries(DOMAIN)
        for subentry in entry.get_subentries_of_type(SUBENTRY_CONVERSATION)
    ]


def unmarked_doors(hass: HomeAssistant) -> list[str]:
    """Return what looks like a door and some agent does not ask about."""
    labels = {
        frozenset(agent.data.get(CONF_SENSITIVE_LABELS, ()))
        for _, agent in _agents(hass)
        if agent.data.get(CONF_AUTONOMY) != Autonomy.TRUSTED
    }
    asking = [Sensitivity(hass, item) for item in labels]
    return [
        item
        for item in Doors(hass).unmarked()
        if is_exposed(hass, item)
        and not all(one.is_sensitive(Effect(item, CHANGE)) for one in asking)
    ]


def usual_options(hass: HomeAssistant) -> dict[str, Any]:
    """Return the options of a new agent, with the label for doors."""
    label = lr.async_get(hass).async_get_label_by_name(_LABEL)
    labels = [label.label_id] if label else []
    return {**DEFAULT_OPTIONS, CONF_SENSITIVE_LABELS: labels}


def sensitive_labels(hass: HomeAssistant) -> frozenset[str]:
    """Return the labels that any agent asks about, and that for doors."""
    chosen = [agent.data.get(CONF_SENSITIVE_LABELS, ()) for _, agent in _agents(hass)]
    return frozenset().union(usual_options(hass)[CONF_SENSITIVE_LABELS], *chosen)


@callback
def async_mark_doors(hass: HomeAssistant) -> None:
    """Let all agents ask about what looks like a door, by a label."""
    labels = lr.async_get(hass)
    label = labels.async_get_label_by_name(_LABEL) or labels.async_create(_LABEL)
    entities = er.async_get(hass)
    for entity_id in unmarked_doors(hass):
        if entry := entities.async_get(entity_id):
            marked = entry.labels | {label.label_id}
            entities.async_update_entity(entity_id, labels=marked)
    for account, agent in _agents(hass):
        chosen = agent.data.get(CONF_SENSITIVE_LABELS, ())
        if label.label_id not in chosen:
            more = {CONF_SENSITIVE_LABELS: [*chosen, label.label_id]}
            hass.config_entries.async_update_subentry(
                account, agent, data={**agent.data, **more}
            )
