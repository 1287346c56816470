"""What is told of a home that is too large to be described whole."""

import re
from typing import Any

from homeassistant.components.homeassistant.llm import GetLiveContextTool
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
import pytest

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.home_tools import answering
from custom_components.lumo.abilities.lately import Undo
from custom_components.lumo.gate.own_tool import unwrapped
from custom_components.lumo.tool_calling.naming import ToolNames
from custom_components.lumo.tool_calling.prompted import (
    RESULT_LIMIT,
    function_result,
    result_text,
)

from .large_home import add, async_prepare, fill

OWN = GetLiveContextTool()
CONTEXT = llm.LLMContext("lumo", Context(), "en", "conversation", None)
MERGED = llm.NamespacedTool("assist", OWN)


async def told(hass: HomeAssistant, tool: llm.Tool = OWN, **arguments: Any) -> str:
    """Return what a call tells, and see that both modes can send it whole."""
    found = await answering(tool).async_call(
        hass, llm.ToolInput(tool.name, arguments), CONTEXT
    )
    assert isinstance(found, llm.ToolResult)
    names = ToolNames([tool.name])
    for sent in (
        result_text(names, tool.name, found.data, found.error),
        function_result(found.data, found.error),
    ):
        assert len(sent) < RESULT_LIMIT + 300
        assert "more characters" not in sent
    return str(found.data.get("result", found.data))


def parts(text: str) -> tuple[str, str]:
    """Return what is not at rest, and the rest."""
    _, _, named = text.partition("\nNot at rest:\n")
    named, _, rest = named.partition("\nThe rest:\n")
    return named, rest


async def test_to_the_gate_it_is_home_assistants(hass: HomeAssistant) -> None:
    """Also where several APIs are merged; other tools stay as they are."""
    for tool in (OWN, MERGED):
        shown = answering(tool)
        assert unwrapped(shown) is OWN
        assert shown.name == tool.name
        assert shown.parameters is tool.parameters
    other = Undo(AbilityContext())
    assert answering(other) is other


@pytest.mark.parametrize("tool", [OWN, MERGED], ids=["one API", "merged"])
async def test_a_small_home_is_described_by_home_assistant(
    hass: HomeAssistant, tool: llm.Tool
) -> None:
    """Word for word, with and without a filter; what is not there is told by us."""
    await async_prepare(hass)
    for arguments in ({}, {"name": "Kitchen 0 light 0"}, {"domain": ["light"]}):
        assert await told(hass, tool, **arguments) == await plain(hass, **arguments)
        fill(hass, 60)


async def plain(hass: HomeAssistant, **arguments: Any) -> str:
    """Return what Home Assistant tells."""
    found = await OWN.async_call(hass, llm.ToolInput(OWN.name, arguments), CONTEXT)
    return str(found.data.get("result", found.data))


# What is set, how it is told, and whether it is named in any case.
KINDS: list[tuple[str, str, dict[str, Any], str, bool]] = [
    ("light.desk", "on", {"brightness": 128}, "light on: Desk brightness_pct 50", True),
    ("light.desk", "off", {}, "light off: Desk", False),
    ("switch.pump", "on", {}, "switch on: Pump", True),
    ("fan.roof", "on", {"percentage": 40}, "fan on: Roof percentage 40", True),
    ("cover.blind", "open", {"device_class": "blind", "current_position": 70}, "cover blind open: Blind current_position 70", True),
    ("cover.blind", "closed", {}, "cover closed: Blind", False),
    ("lock.door", "unlocked", {}, "lock unlocked: Door", True),
    ("lock.door", "jammed", {}, "lock jammed: Door", True),
    ("lock.door", "locked", {}, "lock locked: Door", False),
    ("binary_sensor.w", "on", {"device_class": "window"}, "window on: W", True),
    ("binary_sensor.w", "off", {"device_class": "window"}, "window off: W", False),
    ("binary_sensor.x", "on", {"device_class": "problem"}, "problem on: X", True),
    ("binary_sensor.x", "off", {"device_class": "connectivity"}, "off: X", True),
    ("binary_sensor.x", "on", {"device_class": "connectivity"}, "on: X", False),
    ("binary_sensor.b", "on", {"device_class": "battery"}, "battery on: B", True),
    ("sensor.b", "9", {"device_class": "battery", "unit_of_measurement": "%"}, "battery: B 9 %", True),
    ("sensor.b", "80", {"device_class": "battery", "unit_of_measurement": "%"}, "battery: B 80 %", False),
    ("sensor.mood", "fine", {}, "sensor: Mood fine", False),
    ("sensor.mood", "unavailable", {}, "sensor unavailable: Mood", True),
    ("light.desk", "unavailable", {}, "light unavailable: Desk", True),
    ("light.desk", "unknown", {}, "light unknown: Desk", False),
    ("climate.hall", "heat", {"current_temperature": 19.5, "temperature": 21}, "climate heat: Hall current_temperature 19.5 temperature 21", True),
    ("climate.hall", "off", {}, "climate off: Hall", False),
    ("weather.here", "rainy", {"temperature": 8}, "weather rainy: Here temperature 8", True),
    ("media_player.tv", "playing", {"media_title": "News: today"}, 'media_player playing: Tv media_title "News: today"', True),
    ("media_player.tv", "standby", {}, "media_player standby: Tv", False),
    ("vacuum.rob", "cleaning", {}, "vacuum cleaning: Rob", True),
    ("vacuum.rob", "docked", {}, "vacuum docked: Rob", False),
    ("alarm_control_panel.a", "disarmed", {}, "disarmed: A", True),
    ("person.anna", "home", {}, "person home: Anna", True),
    ("scene.film", "2026-11-01T10:00:00+00:00", {}, "scene: Film", False),
    ("number.delay", "-3", {}, "number: Delay -3", False),
    ("select.mode", "eco", {}, "select: Mode eco", False),
]  # fmt: skip


async def test_each_kind_of_thing(hass: HomeAssistant) -> None:
    """What is at rest is among the rest, whatever it is."""
    await async_prepare(hass)
    fill(hass, 240)
    for entity_id, state, attributes, text, is_named in KINDS:
        add(hass, entity_id, state, area="Attic", **attributes)
        named, rest = parts(await told(hass))
        hass.states.async_remove(entity_id)
        assert text in (named if is_named else rest), (named, rest)
        assert ("Attic" in named) is is_named


@pytest.mark.parametrize("size", [500, 2000])
async def test_questions_about_all_of_it_can_be_answered(
    hass: HomeAssistant, size: int
) -> None:
    """Of a large home nothing is missing that is on, open, unlocked, low or gone."""
    await async_prepare(hass)
    fill(hass, size)
    odd = [
        add(hass, f"light.on_{number}", "on", area=f"Wing {number % 9}")
        for number in range(40)
    ]
    odd += [
        add(hass, "lock.cellar", "unlocked"),
        add(hass, "switch.freezer", "unavailable", area="Wing 1"),
        add(hass, "sensor.b", "12", name="Low one", device_class="battery"),
    ]
    add(hass, "light.secret", "on", exposed=False)
    named, rest = parts(await told(hass))
    for name in odd:
        assert name in named
        assert name not in rest
    assert "window on" not in named
    assert "Secret" not in named + rest
    assert ("- Office 2 (Ground floor): battery" in rest) is (size == 500)
    assert bool(re.search(r"\nand \d+ more\n", rest)) is (size == 2000)
    assert "no area nowhere. For example: B" in await told(hass, area="nowhere")
    text = await told(hass)
    assert f"window {len(range(1, size, 8))}, {len(range(1, size, 8))} off" in text


async def test_a_home_with_everything_on_says_how_much_it_leaves_out(
    hass: HomeAssistant,
) -> None:
    """Then it names as many as there is room for, and counts all."""
    await async_prepare(hass)
    fill(hass, 2400, state="on")
    named, _ = parts(text := await told(hass))
    assert "light 300, 300 on" in text
    assert "light on: " in named and re.search(r"\nand \d+ more", named)


async def test_a_filter_that_finds_too_much(hass: HomeAssistant) -> None:
    """Is answered like a question about all, of what it finds alone."""
    await async_prepare(hass)
    fill(hass, 1000)
    add(hass, "light.on", "on")
    text = await told(hass, domain=["light", " Switch", "lock"])
    assert "light on: On" in text
    assert "light 126, 125 off, 1 on" in text
    assert "shutter" not in text
    assert await told(hass, area="Office 2") == await plain(hass, area="Office 2")


async def test_names_keep_their_ends(hass: HomeAssistant) -> None:
    """A name that holds our own marks stands in quotes, on one line."""
    await async_prepare(hass)
    fill(hass, 240)
    add(hass, "light.a", "on", name="A: on, B\nThe rest:", area="Hall (old)")
    named, _ = parts(await told(hass))
    assert named == '- "Hall (old)" (Ground floor): light on: "A: on, B\\nThe rest:"'
