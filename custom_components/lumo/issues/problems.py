"""What is wrong with an account for longer than one answer, and its repair issues."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from homeassistant.config_entries import SOURCE_RECONFIGURE, ConfigEntry
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from ..const import DOMAIN
from ..lumo_client.errors import (
    AppVersionError,
    BadRequestError,
    ContextLengthError,
    EndpointGoneError,
    IntegrityError,
    LumoConnectionError,
    LumoError,
    ProtocolError,
    QuotaError,
    ServerError,
    StreamInterruptedError,
)
from ..lumo_client.events import Limits

_RELEASES_URL: Final = "https://github.com/lumo-home/lumo/releases"

# So many in a row, without an answer in between.
REFUSALS_UNTIL_ISSUE: Final = 3
ENCRYPTION_KEY_NOTICE: Final = timedelta(days=60)
# The shortest lifetime that Proton offers for a key is thirty days.
API_KEY_NOTICE: Final = timedelta(days=7)


class Problem(StrEnum):
    """The issues; also their translation keys."""

    API_KEY_EXPIRING = "api_key_expiring"
    APP_VERSION = "app_version"
    ENCRYPTION_KEY = "encryption_key"
    ENCRYPTION_KEY_EXPIRING = "encryption_key_expiring"
    INCOMPATIBLE = "incompatible"
    LOCAL_COMMANDS = "local_commands"
    NOT_STORED = "not_stored"
    OTHER_INTEGRATION = "other_integration"
    QUOTA = "quota"
    ROUTINE_DRAFTS = "routine_drafts"
    UNKNOWN_COVERS = "unknown_covers"
    UNMARKED_DOORS = "unmarked_doors"


# These are errors, all others warnings.
_BROKEN: Final = frozenset(
    {Problem.APP_VERSION, Problem.ENCRYPTION_KEY, Problem.NOT_STORED}
)
# Only an update helps with these.
_UPDATE_HELPS: Final = frozenset({Problem.APP_VERSION, Problem.INCOMPATIBLE})
FIXED_ELSEWHERE: Final = _UPDATE_HELPS | {Problem.NOT_STORED}

# In the context of a reconfiguration that a repair began.
FROM_REPAIR: Final = "lumo_from_repair"


@callback
def async_end_repair_flows(hass: HomeAssistant, entry: ConfigEntry) -> None:
    """End reconfigurations that repairs began: the account must be signed in again.

    The frontend leaves them open, and then Home Assistant asks nobody to sign in.
    """
    for flow in list(entry.async_get_active_flows(hass, {SOURCE_RECONFIGURE})):
        if FROM_REPAIR in flow["context"]:
            hass.config_entries.flow.async_abort(flow["flow_id"])


@dataclass(slots=True)
class Problems:
    """The facts about one account from which its issues follow."""

    refused_in_turn: bool = False
    refused_in_poll: bool = False
    not_understood: int = 0
    quota_refusals: int = 0
    key_expires: datetime | None = None
    api_key_expires: datetime | None = None
    not_stored: bool = False
    has_drafts: bool = False
    """Routines wait for an administrator."""

    def after_turn(self, error: LumoError | None) -> None:
        """Note how a turn ended."""
        match error:
            case _ if is_outdated(error):
                self.refused_in_turn = True
            case QuotaError():
                self.quota_refusals += 1
            case ContextLengthError():
                pass
            case BadRequestError() | ProtocolError() | IntegrityError():
                self.not_understood += 1
            case None:
                self.refused_in_turn = self.refused_in_poll = False
                self.not_understood = self.quota_refusals = 0

    def after_poll(self, limits: Limits | None) -> None:
        """Note an accepted poll; chats may still be refused."""
        self.refused_in_poll = False
        if limits and limits.lite != 0:
            self.quota_refusals = 0

    def current(self, now: datetime) -> set[Problem]:
        """Return what is wrong now."""
        key_over = _ends(self.key_expires, now, timedelta())
        key_ends = _ends(self.key_expires, now, ENCRYPTION_KEY_NOTICE)
        found = {
            Problem.APP_VERSION: self.refused_in_turn or self.refused_in_poll,
            Problem.INCOMPATIBLE: self.not_understood >= REFUSALS_UNTIL_ISSUE,
            Problem.QUOTA: self.quota_refusals >= REFUSALS_UNTIL_ISSUE,
            Problem.ENCRYPTION_KEY: key_over,
            Problem.ENCRYPTION_KEY_EXPIRING: key_ends and not key_over,
            Problem.API_KEY_EXPIRING: _ends(self.api_key_expires, now, API_KEY_NOTICE),
            Problem.NOT_STORED: self.not_stored,
            Problem.ROUTINE_DRAFTS: self.has_drafts,
        }
        return {problem for problem, is_so in found.items() if is_so}


def is_away(error: LumoError) -> bool:
    """Return whether the service is away: not if only a stream (HTTP 200) has failed."""
    if isinstance(error, ServerError):
        return error.status is not None and error.status >= 400
    return isinstance(error, LumoConnectionError) and not isinstance(
        error, StreamInterruptedError
    )


def is_outdated(error: LumoError | None) -> bool:
    """Return whether only an update of the integration helps."""
    return isinstance(error, AppVersionError | EndpointGoneError)


@callback
def async_show(
    hass: HomeAssistant,
    problem: Problem,
    about: str = "",
    *,
    placeholders: Mapping[str, str],
    data: Mapping[str, str] | None = None,
) -> str:
    """Create an issue about something; return its id. With `data` it can be fixed."""
    issue_id = f"{problem}_{about}" if about else problem
    ir.async_create_issue(
        hass,
        DOMAIN,
        issue_id,
        data=None if data is None else {"problem": problem, **data},
        is_fixable=data is not None,
        learn_more_url=_RELEASES_URL if problem in _UPDATE_HELPS else None,
        severity=ir.IssueSeverity.ERROR
        if problem in _BROKEN
        else ir.IssueSeverity.WARNING,
        translation_key=problem,
        translation_placeholders=dict(placeholders),
    )
    return issue_id


@callback
def async_show_problems(
    hass: HomeAssistant, entry: ConfigEntry, problems: set[Problem]
) -> None:
    """Create the issues of an account's problems, and delete those that are over."""
    about = entry.entry_id
    for problem in {*Problem} - problems:
        ir.async_delete_issue(hass, DOMAIN, f"{problem}_{about}")
    for problem in problems:
        data = None if problem in FIXED_ELSEWHERE else {"entry_id": about}
        async_show(hass, problem, about, data=data, placeholders={"name": entry.title})


def is_other(entry: ConfigEntry) -> bool:
    """Return whether an entry is of another integration with the same domain.

    Its entries have version 2, which this integration never uses.
    """
    return entry.version != 1


@callback
def async_report_other_entries(hass: HomeAssistant) -> None:
    """Create an issue for each entry of another integration; it is not changed."""
    for entry in filter(is_other, hass.config_entries.async_entries(DOMAIN)):
        said = {"name": entry.title}
        async_show(hass, Problem.OTHER_INTEGRATION, entry.entry_id, placeholders=said)


def _ends(end: datetime | None, now: datetime, notice: timedelta) -> bool:
    return end is not None and end - now <= notice
