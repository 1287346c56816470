"""The service's habits and faults, by name. Several can hold at once.

A new one is a class with `@register(name)` in one of the modules imported here.
"""

from collections.abc import Iterable

from . import (
    answers,
    data,
    delivery,
    faults,
    misrouting,
    pictures,
    printing,
    sessions,
    sign_in,
    speech,
)
from .base import SCENARIOS, Exchange, Scenario, reads

__all__ = ["SCENARIOS", "Exchange", "Scenario", "make_scenarios", "reads"]

# In the order in which they apply when several hold: the way a call goes and whether it
# was bounced, what the model decides and how it writes, then how that is delivered.
MODULES = (
    misrouting,
    answers,
    data,
    pictures,
    printing,
    delivery,
    faults,
    sign_in,
    sessions,
    speech,
)


def make_scenarios(names: Iterable[str]) -> list[Scenario]:
    """Return new scenarios; raise ValueError for a name that does not exist."""
    chosen = {name.strip() for name in names if name.strip()}
    if unknown := sorted(chosen - SCENARIOS.keys()):
        raise ValueError(
            f"unknown scenario {', '.join(unknown)}; there are"
            f" {', '.join(sorted(SCENARIOS))}"
        )
    order = [module.__name__ for module in MODULES]
    return [
        kind()
        for kind in sorted(
            (kind for name, kind in SCENARIOS.items() if name in chosen),
            key=lambda kind: order.index(kind.__module__),
        )
    ]
