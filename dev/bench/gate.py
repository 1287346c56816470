"""What the gate costs: CPU time per call, in a home of a thousand exposed entities.

    judged       everything that decides about the call
    baseline     Home Assistant finding one entity by its name among all of them,
                 as it does whenever it carries out such a call itself

Times are milliseconds, the medians of many calls.
"""

import argparse
import asyncio
from collections.abc import Awaitable, Callable
import socket
from statistics import median
import tempfile
import time
from typing import Any

from .table import print_table

SIZE = 1000
# Entities that run actions, beside those.
HELPERS = 100
# One entity in so many is of that kind, the first that fits; all others are lights.
KINDS = {50: "lock", 25: "cover", 10: "switch"}
OUTSIDE = "after text from outside"
CALLS: dict[str, dict[str, Any]] = {
    "one lamp, by name": {"name": "Thing 7"},
    f"one lamp, {OUTSIDE}": {"name": "Thing 7"},
    "the lamps of an area": {"area": "Area 3", "domain": ["light"]},
    "everything in an area without doors": {"area": "Area 3"},
    "one lock, by name (asked)": {"name": "Thing 100"},
    "everything in an area with locks (left alone)": {"area": "Area 0"},
    "a script that locks and turns lights off": {},
}
# What the names of all entities are looked for in.
SENTENCES: dict[str, str] = {
    "a command": "Schalte Thing 7 in Area 3 aus",
    "300 words": "mach bitte das licht aus " * 60,
    "300 compounds": "thingthinglampe arealicht " * 150,
    "one word of 80,000 letters": "thing" * 16_000,
    "80,000 digits": "thing " + "1 " * 80_000,
}


async def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="scripts/bench gate", description=__doc__)
    parser.add_argument("--calls", type=int, default=50, help="calls of each kind")
    count = parser.parse_args().calls
    # Home Assistant must be imported before anything imports httpx.
    from pytest_homeassistant_custom_component.common import async_test_home_assistant  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        async with async_test_home_assistant(config_dir=folder) as hass:
            await _measure(hass, count)
            await hass.async_stop(force=True)


async def _measure(hass: Any, count: int) -> None:
    from homeassistant.helpers import intent, llm  # noqa: PLC0415

    from custom_components.lumo.agent.options import AgentOptions  # noqa: PLC0415
    from custom_components.lumo.gate.judge import Judge  # noqa: PLC0415
    from custom_components.lumo.gate.judged_call import JudgedCall  # noqa: PLC0415
    from custom_components.lumo.gate.speaker import Earlier, Speaker  # noqa: PLC0415

    await _furnish(hass)
    context = llm.LLMContext("lumo", None, "en", "conversation", None)
    api = await llm.async_get_api(hass, llm.LLM_API_ASSIST, context)
    tools = {tool.name: tool for tool in api.tools}
    options = AgentOptions.from_subentry({}, encrypted=True)
    speaker = Speaker("anna", None, True, "Turn it off", "en")

    async def match() -> None:
        wanted = intent.MatchTargetsConstraints(
            name="Thing 7", assistant="conversation"
        )
        assert intent.async_match_targets(hass, wanted).is_match

    baseline = await _cpu(match, count)
    rows = [["Home Assistant finds one by name", f"{baseline:.2f}", "1.0"]]
    for title, arguments in CALLS.items():
        tool = tools["intent__HassTurnOff" if arguments else "script__good_night"]

        outside = title.endswith(OUTSIDE)

        async def judge() -> Any:
            judge = Judge(hass, options, speaker, Earlier())
            case = JudgedCall(hass, tool, arguments, context, after_outside=outside)  # noqa: B023
            return await judge.async_judge(case)

        judged = await _cpu(judge, count)
        rows.append([title, f"{judged:.2f}", f"{judged / baseline:.1f}"])
    print_table(["call", "CPU ms", "of baseline"], rows, title="cost")
    _measure_words(hass, baseline)


def _measure_words(hass: Any, baseline: float) -> None:
    from custom_components.lumo.gate.named_by_person import NamedByPerson  # noqa: PLC0415
    from custom_components.lumo.gate.speaker import Speaker  # noqa: PLC0415

    entity_ids = hass.states.async_entity_ids()
    rows = []
    for title, sentence in SENTENCES.items():
        begin = time.process_time()
        wanted = NamedByPerson(
            hass, Speaker("anna", None, True, sentence, "de"), frozenset()
        )
        for entity_id in entity_ids:
            wanted.has(entity_id)
        spent = (time.process_time() - begin) * 1000
        rows.append(
            [title, str(len(entity_ids)), f"{spent:.1f}", f"{spent / baseline:.1f}"]
        )
    head = ["sentence", "targets", "CPU ms", "of baseline"]
    print_table(head, rows, title="names in a sentence")


async def _cpu(action: Callable[[], Awaitable[Any]], count: int) -> float:
    """Return the median CPU time of an action, in milliseconds."""
    times: list[float] = []
    for _ in range(count):
        begin = time.process_time()
        await action()
        times.append((time.process_time() - begin) * 1000)
    return median(times)


async def _furnish(hass: Any) -> None:
    from homeassistant.components.homeassistant.exposed_entities import (  # noqa: PLC0415
        async_expose_entity,
    )
    from homeassistant.helpers import area_registry as ar, entity_registry as er  # noqa: PLC0415
    from homeassistant.setup import async_setup_component  # noqa: PLC0415

    script = {
        "sequence": [
            {"action": "light.turn_off", "target": {"entity_id": "all"}},
            {"action": "lock.lock", "target": {"entity_id": "lock.thing_0"}},
        ]
    }
    with socket.create_server(("127.0.0.1", 0)) as free:
        # Another Home Assistant may run here.
        server = {"server_port": free.getsockname()[1]}
    assert await async_setup_component(hass, "http", {"http": server})
    for domain in ("homeassistant", "conversation", "intent", "light", "lock", "cover"):
        assert await async_setup_component(hass, domain, {})
    lamp = {"action": "light.turn_on", "target": {"entity_id": "light.thing_7"}}
    helpers = [
        {"button": {"name": f"Helper {index}", "press": [lamp]}}
        for index in range(HELPERS)
    ]
    assert await async_setup_component(hass, "template", {"template": helpers})
    assert await async_setup_component(
        hass, "script", {"script": {"good_night": script}}
    )
    areas = [ar.async_get(hass).async_create(f"Area {index}") for index in range(20)]
    entities = er.async_get(hass)
    for index in range(SIZE):
        kind = next((KINDS[every] for every in KINDS if index % every == 0), "light")
        name = f"Thing {index}"
        entry = entities.async_get_or_create(
            kind,
            "bench",
            str(index),
            suggested_object_id=f"thing_{index}",
            original_name=name,
        )
        entities.async_update_entity(entry.entity_id, area_id=areas[index % 20].id)
        hass.states.async_set(entry.entity_id, "on", {"friendly_name": name})
    for state in hass.states.async_all():
        async_expose_entity(hass, "conversation", state.entity_id, True)


if __name__ == "__main__":
    asyncio.run(main())
