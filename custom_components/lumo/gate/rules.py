"""What the owner of an agent allows it, as far as the gate is concerned."""

from collections.abc import Mapping
from dataclasses import dataclass

from ..const import Autonomy, Permission


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """The options of an agent that its calls are judged by."""

    autonomy: Autonomy
    """How much the agent does by itself."""
    permissions: Mapping[str, Permission]
    """What was chosen for single tools, by their identity (permissions.py)."""
    sensitive_labels: frozenset[str]
    """Ids of the labels whose entities need a question, whatever they are."""
    temperatures: tuple[float | None, float | None]
    """The range that needs no question, in the home's unit; None: the usual one."""
    unattended: bool
    """Where no person is there to ask, sensitive calls run instead of being refused."""
