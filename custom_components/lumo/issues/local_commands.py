"""An issue about what is done before an agent of ours is asked.

Where a pipeline prefers to handle commands locally, Home Assistant's own agent tries
each sentence first, and what it understands it does: it unlocks without a question. The
same is true of sentence triggers. Neither passes the gate, so the owner is told where
such a pipeline can reach something that our agent would ask about.

The issue follows from the pipelines, the options of the agent and what is exposed. All
of them are looked at again when one of them has changed, and with each update of the
coordinator, so after each turn.
"""

from asyncio import Handle
from collections.abc import Iterable
from typing import Any

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.components.homeassistant.exposed_entities import (
    async_listen_entity_updates,
)
from homeassistant.config_entries import ConfigEntry
from homeassistant.core import HomeAssistant, State, callback, split_entity_id
from homeassistant.helpers import entity_registry as er, issue_registry as ir
from homeassistant.helpers.collection import CollectionChange
from homeassistant.helpers.start import async_at_started

from .. import internals
from ..const import (
    CONF_AUTONOMY,
    CONF_SENSITIVE_LABELS,
    DOMAIN,
    SUBENTRY_CONVERSATION,
    Autonomy,
)
from ..gate.effects import CHANGE, Effect
from ..gate.names import exposed
from ..gate.reach import CONTAINERS, reach_of
from ..gate.sensitive import Sensitivity
from .doors import async_look_at_doors, listed
from .problems import LOCAL_COMMANDS, async_show


@callback
def async_watch_local_commands(hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
    """Keep the issues of an account's agents up to date until it is unloaded."""
    watch = _Watch(hass, entry)
    for stop in (
        async_listen_entity_updates(hass, CONVERSATION_DOMAIN, watch.look_soon),
        entry.runtime_data.async_add_listener(watch.look_soon),
        async_at_started(hass, watch.async_start),
        watch.stop,
    ):
        entry.async_on_unload(stop)


@callback
def async_forget_local_commands(hass: HomeAssistant, entry_id: str) -> None:
    """Delete the issues of an account, also those that were set to be ignored."""
    for issue_id in _issues(hass, entry_id):
        ir.async_delete_issue(hass, DOMAIN, issue_id)


async def async_stop_local_commands(hass: HomeAssistant, pipeline_id: str) -> bool:
    """Turn the option of a pipeline off; return whether there is that pipeline."""
    for pipeline in internals.pipelines(hass):
        if pipeline.id == pipeline_id:
            await internals.async_stop_local_commands(hass, pipeline)
            return True
    return False


def exposed_guarded(hass: HomeAssistant, labels: Iterable[str]) -> list[State]:
    """Return what the gate guards and is exposed, in the order of the names.

    Scripts, scenes and groups too that open something.
    """
    sensitivity = Sensitivity(hass, frozenset(labels))

    def is_guarded(entity_id: str) -> bool:
        runs = split_entity_id(entity_id)[0] in CONTAINERS
        reach = reach_of(hass, [Effect(entity_id, "turn_on" if runs else CHANGE)])
        return reach.unknown or any(map(sensitivity.is_sensitive, reach.effects))

    return sorted(
        (state for state in exposed(hass) if is_guarded(state.entity_id)),
        key=lambda state: state.name.casefold(),
    )


def _issues(hass: HomeAssistant, entry_id: str) -> list[str]:
    begin = f"{LOCAL_COMMANDS}_{entry_id}_"
    return [
        issue_id
        for domain, issue_id in ir.async_get(hass).issues
        if domain == DOMAIN and issue_id.startswith(begin)
    ]


class _Watch:
    """Looks whether an account's agents need an issue."""

    def __init__(self, hass: HomeAssistant, entry: ConfigEntry[Any]) -> None:
        self._hass = hass
        self._entry = entry
        self._started = False
        self._handle: Handle | None = None

    @callback
    def async_start(self, hass: HomeAssistant) -> None:
        """Begin: everything that can be exposed is there now."""
        self._started = True
        self._entry.async_on_unload(
            internals.async_listen_pipelines(hass, self._async_pipelines_changed)
        )
        self._look()

    @callback
    def look_soon(self) -> None:
        """Look when the present step is done: many changes come in one."""
        if self._started and self._handle is None:
            self._handle = self._hass.loop.call_soon(self._look)

    @callback
    def stop(self) -> None:
        """Look no more. The issues go; those that are ignored must stay known."""
        self._started = False
        if self._handle:
            self._handle.cancel()
        registry = ir.async_get(self._hass)
        for issue_id in _issues(self._hass, self._entry.entry_id):
            issue = registry.async_get_issue(DOMAIN, issue_id)
            if issue and issue.dismissed_version is None:
                ir.async_delete_issue(self._hass, DOMAIN, issue_id)

    async def _async_pipelines_changed(
        self, _change_set: Iterable[CollectionChange]
    ) -> None:
        self.look_soon()

    @callback
    def _look(self) -> None:
        self._handle = None
        hass, entry_id = self._hass, self._entry.entry_id
        agents = {
            er.async_get(hass).async_get_entity_id(
                CONVERSATION_DOMAIN, DOMAIN, subentry.subentry_id
            ): subentry
            for subentry in self._entry.get_subentries_of_type(SUBENTRY_CONVERSATION)
            # Who asks nothing misses nothing that another way leaves out.
            if subentry.data.get(CONF_AUTONOMY) != Autonomy.TRUSTED
        }
        due: set[str] = set()
        for pipeline in internals.pipelines(hass):
            agent = agents.get(pipeline.conversation_engine)
            if agent is None or not pipeline.prefer_local_intents:
                continue
            labels = agent.data.get(CONF_SENSITIVE_LABELS, ())
            if found := exposed_guarded(hass, labels):
                issue_id = async_show(
                    hass,
                    LOCAL_COMMANDS,
                    f"{entry_id}_{pipeline.id}",
                    data={"pipeline_id": pipeline.id},
                    name=agent.title,
                    pipeline=pipeline.name,
                    count=str(len(found)),
                    entities=listed(hass, (item.entity_id for item in found)),
                )
                due.add(issue_id)
        for issue_id in {*_issues(hass, entry_id)} - due:
            ir.async_delete_issue(hass, DOMAIN, issue_id)
        async_look_at_doors(hass)
