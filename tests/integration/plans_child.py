"""Plans in a process of their own, to be killed at any step of one (`crash_child`)."""

import json
import os
from pathlib import Path
import signal
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.util import dt as dt_util

from custom_components.lumo.abilities.plans import End, Plans, ScheduledTask
from custom_components.lumo.abilities.triggers import Trigger


async def run_plans(folder: Path) -> dict[str, Any]:
    """Plan what is due at once, or go on with what is on disk."""
    step = json.loads((folder / "plans.json").read_text())["kill_at"]
    hass = HomeAssistant(str(folder))
    ends: list[str] = []

    def reach(here: str) -> None:
        if here == step:
            os.kill(os.getpid(), signal.SIGKILL)

    async def carry_out(_plan: ScheduledTask, end: End) -> None:
        reach("before it is done")
        ends.append(end.name)
        if end is End.DUE:
            with (folder / "done").open("a") as file:
                file.write("x")
        reach("after it is done")

    class Watched(Plans):
        saves = 0

        async def _async_save(self) -> bool:
            Watched.saves += 1
            number = Watched.saves
            reach(f"before save {number}")
            saved = await super()._async_save()
            reach(f"after save {number}")
            return saved

    plans = Watched(hass, "account", carry_out)
    await plans.async_load()
    plans.async_start()
    if step:
        now = dt_util.utcnow().timestamp()
        await plans.async_add(
            ScheduledTask(
                agent="agent",
                trigger=Trigger(at=now),
                say="Hello",
                user_id=None,
                satellite_id=None,
                device_id=None,
                language="en",
                created=now,
            )
        )
    await plans.async_stop()
    await hass.async_stop(force=True)
    return {"ends": ends, "left": len(plans)}
