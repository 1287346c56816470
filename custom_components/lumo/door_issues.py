"""Two issues about doors that only their owner knows.

What looks like a door and is not marked acts without a question: one click lets all
agents ask about it. A cover of which nobody said what it is, is asked about as if it
were a door: saying so ends that. Both are about what is exposed to Assist, and there is
one issue each for all accounts.
"""

from collections.abc import Iterable
from typing import Final

from homeassistant.components.conversation import DOMAIN as CONVERSATION_DOMAIN
from homeassistant.components.homeassistant.exposed_entities import async_should_expose
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import (
    entity_registry as er,
    issue_registry as ir,
    label_registry as lr,
)

from .const import CONF_SENSITIVE_LABELS, DOMAIN, SUBENTRY_CONVERSATION
from .gate.doors import Doors
from .gate.names import name_of
from .problems import UNKNOWN_COVERS, UNMARKED_DOORS

_LABEL: Final = "Ask first"
# More names than that tell a reader nothing new.
_SHOWN_NAMES: Final = 12


@callback
def async_look_at_doors(hass: HomeAssistant) -> None:
    """Create the issues that are due, and delete those that are over."""
    doors = Doors(hass)
    _show(hass, UNMARKED_DOORS, doors.unmarked(), is_fixable=True)
    _show(hass, UNKNOWN_COVERS, doors.unknown_covers(), is_fixable=False)


@callback
def async_forget_doors(hass: HomeAssistant) -> None:
    """Delete the issues: the last account has gone."""
    for problem in (UNMARKED_DOORS, UNKNOWN_COVERS):
        ir.async_delete_issue(hass, DOMAIN, problem)


@callback
def async_mark_doors(hass: HomeAssistant) -> None:
    """Let all agents ask about what looks like a door, by a label."""
    labels = lr.async_get(hass)
    label = labels.async_get_label_by_name(_LABEL) or labels.async_create(_LABEL)
    entities = er.async_get(hass)
    for entity_id in _exposed(hass, Doors(hass).unmarked()):
        if entry := entities.async_get(entity_id):
            marked = entry.labels | {label.label_id}
            entities.async_update_entity(entity_id, labels=marked)
    for entry_ in hass.config_entries.async_entries(DOMAIN):
        for subentry in list(entry_.subentries.values()):
            chosen = subentry.data.get(CONF_SENSITIVE_LABELS, ())
            if (
                subentry.subentry_type == SUBENTRY_CONVERSATION
                and label.label_id not in chosen
            ):
                more = {CONF_SENSITIVE_LABELS: [*chosen, label.label_id]}
                hass.config_entries.async_update_subentry(
                    entry_, subentry, data={**subentry.data, **more}
                )


def _exposed(hass: HomeAssistant, entity_ids: Iterable[str]) -> list[str]:
    return [
        item
        for item in entity_ids
        if async_should_expose(hass, CONVERSATION_DOMAIN, item)
    ]


def _show(
    hass: HomeAssistant, problem: str, entity_ids: Iterable[str], *, is_fixable: bool
) -> None:
    """Create, change or delete an issue about entities; marked ones need none."""
    label = lr.async_get(hass).async_get_label_by_name(_LABEL)
    entities = er.async_get(hass)
    names = sorted(
        name_of(hass, item)
        for item in _exposed(hass, entity_ids)
        if not (
            label
            and (entry := entities.async_get(item))
            and label.label_id in entry.labels
        )
    )
    if not names:
        ir.async_delete_issue(hass, DOMAIN, problem)
        return
    more = ", …" if len(names) > _SHOWN_NAMES else ""
    ir.async_create_issue(
        hass,
        DOMAIN,
        problem,
        data={"problem": problem},
        is_fixable=is_fixable,
        severity=ir.IssueSeverity.WARNING,
        translation_key=problem,
        translation_placeholders={
            "count": str(len(names)),
            "entities": ", ".join(names[:_SHOWN_NAMES]) + more,
        },
    )
