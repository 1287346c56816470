"""What needs a whole turn happens on the red team's stage."""

from collections.abc import Mapping
from functools import wraps
from typing import Any

import pytest

from custom_components.lumo.abilities import ABILITIES
from custom_components.lumo.abilities.ability import Ability
from tests.redteam.fixtures import *  # noqa: F403


@pytest.fixture(autouse=True)
def as_described(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no test give a tool what its description does not have."""

    def checked(run: Any) -> Any:
        @wraps(run)
        async def check(
            tool: Ability, hass: Any, arguments: Mapping[str, Any], *more: Any
        ) -> Any:
            assert {*arguments} <= {*map(str, tool.parameters.schema), "settled"}
            return await run(tool, hass, arguments, *more)

        return check

    for kind in ABILITIES:
        monkeypatch.setattr(kind, "async_run", checked(kind.async_run))
