"""What looks like a door, and the label by which all agents ask about it.

One click in a repair sets the label; an agent that is added later has it too.
"""

from typing import Any, Final

from homeassistant.config_entries import ConfigEntry, ConfigSubentry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import entity_registry as er, label_registry as lr

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
from ..gate.names import is_exposed
from ..gate.sensitive import Sensitivity

_LABEL: Final = "Ask first"


def agents(hass: HomeAssistant) -> list[tuple[ConfigEntry[Any], ConfigSubentry]]:
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
        for _, agent in agents(hass)
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
    chosen = [agent.data.get(CONF_SENSITIVE_LABELS, ()) for _, agent in agents(hass)]
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
    for account, agent in agents(hass):
        chosen = agent.data.get(CONF_SENSITIVE_LABELS, ())
        if label.label_id not in chosen:
            more = {CONF_SENSITIVE_LABELS: [*chosen, label.label_id]}
            hass.config_entries.async_update_subentry(
                account, agent, data={**agent.data, **more}
            )
