"""Two issues about doors that only their owner knows.

What looks like a door acts without a question, as long as some agent does not count it
as sensitive: one click lets all agents ask about it. An agent that is added later has
the same label. A cover of which it is not known what it is, is asked about as if it were
a door: saying so ends that. Both are about what is exposed to Assist, and there is one
issue each for all accounts.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import (
    entity_registry as er,
    issue_registry as ir,
    label_registry as lr,
)

from ..const import (
    CONF_AUTONOMY,
    CONF_SENSITIVE_LABELS,
    DEFAULT_OPTIONS,
    DOMAIN,
    SUBENTRY_CONVERSATION,
    Autonomy,
)
from ..gate.doors import Doors
from ..gate.effects import CHANGE, Effect
from ..gate.names import is_exposed, name_of
from ..gate.sensitive import Sensitivity
from .problems import UNKNOWN_COVERS, UNMARKED_DOORS, async_show

_LABEL: Final = "Ask first"
# More names than that tell a reader nothing new.
_SHOWN_NAMES: Final = 12


@callback
def async_look_at_doors(hass: HomeAssistant) -> None:
    """Create the issues that are due, and delete those that are over."""
    _show(hass, UNMARKED_DOORS, unmarked_doors(hass), data={})
    covers = Doors(hass).unknown_covers()
    covers = [item for item in covers if is_exposed(hass, item)]
    _show(hass, UNKNOWN_COVERS, covers)


@callback
def async_forget_doors(hass: HomeAssistant) -> None:
    """Delete the issues: the last account has gone."""
    for problem in (UNMARKED_DOORS, UNKNOWN_COVERS):
        ir.async_delete_issue(hass, DOMAIN, problem)


def unmarked_doors(hass: HomeAssistant) -> list[str]:
    """Return what looks like a door, and is not asked about by every agent that asks."""
    labels = {
        frozenset(subentry.data.get(CONF_SENSITIVE_LABELS, ()))
        for _, subentry in _agents(hass)
        if subentry.data.get(CONF_AUTONOMY) != Autonomy.TRUSTED
    }
    asking = [Sensitivity(hass, item) for item in labels]
    return [
        item
        for item in Doors(hass).unmarked()
        if is_exposed(hass, item)
        and not all(one.is_sensitive(Effect(item, CHANGE)) for one in asking)
    ]


def usual_options(hass: HomeAssistant) -> dict[str, Any]:
    """Return what an agent is made with: also the label of what looks like a door."""
    label = lr.async_get(hass).async_get_label_by_name(_LABEL)
    labels = [label.label_id] if label else []
    return {**DEFAULT_OPTIONS, CONF_SENSITIVE_LABELS: labels}


def sensitive_labels(hass: HomeAssistant) -> frozenset[str]:
    """Return the labels that any agent asks about, and that of what looks like a door."""
    chosen = [
        subentry.data.get(CONF_SENSITIVE_LABELS, ()) for _, subentry in _agents(hass)
    ]
    return frozenset().union(usual_options(hass)[CONF_SENSITIVE_LABELS], *chosen)


def listed(hass: HomeAssistant, entity_ids: Iterable[str]) -> str:
    """Return the names of entities, as many as tell a reader anything."""
    names = sorted(name_of(hass, item) for item in entity_ids)
    more = ", …" if len(names) > _SHOWN_NAMES else ""
    return ", ".join(names[:_SHOWN_NAMES]) + more


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
    for account, subentry in _agents(hass):
        chosen = subentry.data.get(CONF_SENSITIVE_LABELS, ())
        if label.label_id not in chosen:
            more = {CONF_SENSITIVE_LABELS: [*chosen, label.label_id]}
            hass.config_entries.async_update_subentry(
                account, subentry, data={**subentry.data, **more}
            )


def _agents(hass: HomeAssistant) -> list[tuple[ConfigEntry[Any], ConfigSubentry]]:
    return [
        (entry, subentry)
        for entry in hass.config_entries.async_entries(DOMAIN)
        for subentry in entry.get_subentries_of_type(SUBENTRY_CONVERSATION)
    ]


def _show(
    hass: HomeAssistant,
    problem: str,
    entity_ids: list[str],
    data: Mapping[str, str] | None = None,
) -> None:
    if not entity_ids:
        ir.async_delete_issue(hass, DOMAIN, problem)
        return
    entities = listed(hass, entity_ids)
    async_show(hass, problem, data=data, count=str(len(entity_ids)), entities=entities)
