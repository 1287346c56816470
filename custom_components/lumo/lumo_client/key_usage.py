"""What an account's API keys were used for, as its owner sees it in the web client.

Only a session of the account is told, not the key itself.
"""

from dataclasses import dataclass
from datetime import date
from typing import Any

from .wire_json import count_of, text_of


@dataclass(frozen=True, slots=True)
class UsageDay:
    """One day of a key, as the service counts days (in UTC)."""

    day: date
    tokens: int
    calls: int


@dataclass(frozen=True, slots=True)
class KeyUsage:
    """The days on which a key was used, in no certain order."""

    key_id: str
    name: str
    days: tuple[UsageDay, ...]


def read_keys(body: dict[str, Any]) -> list[tuple[str, str]]:
    """Return id and name of each key in the answer that lists them."""
    page = body.get("PersonalAccessTokens")
    keys = page.get("PersonalAccessTokens") if isinstance(page, dict) else page
    named = (
        (text_of(item.get("PersonalAccessTokenID")), text_of(item.get("Name")))
        for item in _objects(keys)
    )
    return [(key_id, name) for key_id, name in named if key_id]


def read_days(body: dict[str, Any]) -> tuple[UsageDay, ...]:
    """Return the days in an answer, without those that cannot be read."""
    days = []
    for item in _objects(body.get("Usage")):
        try:
            day = date.fromisoformat(item["Date"][:10])
        except KeyError, TypeError, ValueError:
            continue
        tokens, calls = count_of(item.get("TokenCount")), count_of(item.get("ApiCalls"))
        days.append(UsageDay(day, tokens or 0, calls or 0))
    return tuple(days)


def _objects(value: object) -> list[dict[str, Any]]:
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, dict)]
