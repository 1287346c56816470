"""Sentences that nobody here wrote: most of them become the call they mean."""

from typing import Any

import pytest

from dev.brain import Call
from tests.dev.brain_demo import BRAIN, TIMERS, TOOLS, tool, user
from tests.material import load_json, load_jsonl, requires_material

pytestmark = requires_material

# Tools that these homes have beside the demo home's.
_TOOLS = [
    *TOOLS,
    *TIMERS,
    tool("HassVacuumCleanArea", {"area": {"type": "string"}}, "area"),
]
# The share that is understood at least. The rest is sentences whose wording changed since.
SHARES = [("en", 0.95), ("de", 0.88)]


def prompt_for(home: dict[str, Any], area: str | None) -> str:
    """Return the static context of a home, as the Assist API writes it."""
    areas = {item["id"]: item for item in home["areas"]}
    floors = {item["id"]: item["name"] for item in home["floors"]}
    lines = [
        "Static Context: An overview of the areas and the devices in this smart home:"
    ]
    for entity in home["entities"]:
        domain = entity["id"].split(".")[0]
        if domain in ("script", "calendar"):
            continue
        names = ", ".join([entity["name"], *entity["aliases"]])
        lines += [f"- names: {names}", f"  domain: {domain}"]
        if place := areas.get(entity.get("area")):
            lines.append(f"  areas: {', '.join([place['name'], *place['aliases']])}")
    if area:
        places = {item["name"]: item for item in home["areas"]}
        floor = floors.get(places.get(area, {}).get("floor"))
        where = f"{area} (floor {floor})" if floor else area
        lines.append(f"You are in area {where} and all generic commands like")
    else:
        lines.append("ask the user to specify an area, unless there is only one device")
    return "\n".join(lines)


def tools_for(home: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the tools of a home, its scripts included."""
    scripts = [
        tool(item["id"].split(".")[1], {}, text=f"Aliases: ['{item['name']}']")
        for item in home["entities"]
        if item["id"].startswith("script.")
    ]
    return [*_TOOLS, *scripts]


def targets(
    arguments: dict[str, Any], home: dict[str, Any], tool_name: str
) -> set[str]:
    """Return the ids of the entities that arguments mean."""
    areas = {item["id"]: item for item in home["areas"]}
    floors = {item["id"]: item["name"].casefold() for item in home["floors"]}
    found = set()
    for entity in home["entities"]:
        domain = entity["id"].split(".")[0]
        place = areas.get(entity.get("area"), {"name": "", "floor": ""})
        device_class = (entity.get("attributes") or {}).get("device_class")
        wanted = {
            "name": entity["name"].casefold(),
            "area": place["name"].casefold(),
            "floor": floors.get(place.get("floor"), ""),
        }
        fits = all(
            str(arguments[key]).casefold() == value
            for key, value in wanted.items()
            if key in arguments
        )
        fits = fits and domain in arguments.get("domain", [domain])
        fits = fits and device_class in arguments.get("device_class", [device_class])
        if tool_name == "HassLightSet":
            fits = fits and domain == "light"
        if fits:
            found.add(entity["id"])
    return found


def means_the_same(
    name: str, arguments: dict[str, Any], row: dict[str, Any], home: dict[str, Any]
) -> bool:
    """Tell whether a call does what the one that is expected would do."""
    expected = row["arguments"]
    wanted = (row["tool"] or "").rsplit("__", 1)[-1]
    if name not in (wanted, ""):
        called = next(
            (
                item["name"]
                for item in home["entities"]
                if item["id"] == f"script.{name}"
            ),
            None,
        )
        return bool(called is not None and called == expected.get("name"))
    if name == "GetLiveContext":
        if "name" in expected:
            return bool(arguments.get("name") == expected["name"])
        read = set(arguments.get("domain", expected.get("domain", [])))
        same_area = arguments.get("area") == expected.get("area")
        return same_area and set(expected.get("domain", [])) <= read
    about = {"name", "area", "floor", "domain", "device_class"}
    values = {key: value for key, value in arguments.items() if key not in about}
    if values != {key: value for key, value in expected.items() if key not in about}:
        return False
    if arguments == expected:
        return True
    meant = targets(arguments, home, name)
    return bool(meant) and meant == targets(expected, home, name)


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize(("language", "share"), SHARES)
def test_most_sentences_become_the_call_they_mean(
    language: str, share: float, step: int
) -> None:
    """Over the homes they speak of; every fourth of them takes a second."""
    home = load_json("homes.json")["homes"][language]
    tools = tools_for(home)
    rows = [row for row in load_jsonl("sentences.jsonl") if row["lang"] == language]
    rows = rows[::step]
    missed = []
    for row in rows:
        area = (row.get("context") or {}).get("area")
        system = {"role": "system", "content": prompt_for(home, area)}
        answer = BRAIN.answer([system, user(row["sentence"])], tools)
        calls = [item for item in answer if isinstance(item, Call)]
        if row["tool"] is None:
            fits = not calls
        else:
            fits = len(calls) == 1 and means_the_same(
                calls[0].name, calls[0].arguments, row, home
            )
        if not fits:
            missed.append((row["sentence"], answer))
    assert len(missed) <= (1 - share) * len(rows), missed
