"""What is found in a home of which not all is described."""

from typing import Any

from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import llm
import pytest

from custom_components.lumo.abilities.ability import AbilityContext, HiddenTool
from custom_components.lumo.abilities.home_tools import FindInHome

from .large_home import add, async_prepare, fill

CONTEXT = llm.LLMContext("lumo", Context(), "en", "conversation", None)


TIMETABLE = HiddenTool(
    "transit__next_departures",
    "Next departures",
    "When the next trains and trams leave. " * 20 + "\nCentral station",
)


async def search(
    hass: HomeAssistant, context: AbilityContext | None = None, **arguments: Any
) -> dict[str, Any]:
    ability = FindInHome(context or AbilityContext(hass=hass))
    found = await ability.async_call(
        hass, llm.ToolInput(ability.name, arguments), CONTEXT
    )
    # A page is short, whatever was asked.
    return dict(found.data)


def names(data: dict[str, Any]) -> list[str]:
    return [item["name"] for item in data["found"]]


@pytest.fixture
async def home(hass: HomeAssistant) -> HomeAssistant:
    """Return a home of 240 things, and some that questions are about."""
    await async_prepare(hass)
    fill(hass, 240)
    add(hass, "light.palm", "on", name="Palm lamp", area="Winter garden")
    add(
        hass,
        "binary_sensor.gable",
        "on",
        name="Gable",
        area="Loft up",
        device_class="window",
    )
    add(hass, "sensor.tank", "61", name="Cistern", unit_of_measurement="%")
    add(hass, "light.secret", "on", name="Secret lamp", exposed=False)
    return hass


# What is asked for, and what is found first.
FOUND: list[tuple[dict[str, Any], str]] = [
    ({"words": "palm lamp"}, "Palm lamp"),
    ({"words": "Turn the lamp by the palm on, please"}, "Palm lamp"),
    ({"words": "parm lmap"}, "Palm lamp"),
    ({"words": "", "area": "winter GARDEN", "kind": None}, "Palm lamp"),
    ({"words": "lamp", "area": "Winter garden"}, "Palm lamp"),
    # Words that repeat the rest narrow nothing.
    ({"words": "whatsoever", "area": "Loft up"}, "Gable"),
    # A place that is not called so is a word like others.
    ({"area": "the winter garden", "kind": "lamps"}, "Palm lamp"),
    ({"words": "cistern"}, "Cistern"),
]


async def test_it_is_the_first(home: HomeAssistant) -> None:
    for arguments, first in FOUND:
        assert names(await search(home, **arguments))[0] == first, arguments


async def test_it_tells_how_things_are(home: HomeAssistant) -> None:
    [palm] = (await search(home, area="Winter garden"))["found"]
    assert palm == {
        "name": "Palm lamp",
        "area": "Winter garden",
        "floor": "Ground floor",
        "kind": "light",
        "state": "on",
    }
    [tank] = (await search(home, words="cistern"))["found"]
    assert tank == {"name": "Cistern", "kind": "sensor", "state": "61 %"}
    add(home, "light.palm_2", "off", name="Palm lamp", area="Winter garden")
    found = names(await search(home, area="Winter garden", kind="light"))
    assert found == ["light.palm", "light.palm_2"]


async def test_a_place_that_has_nothing_is_told(home: HomeAssistant) -> None:
    """What is found all the same is elsewhere."""
    data = await search(home, words="palm lamp", area="Attic", floor="Ground floor")
    assert names(data)[0] == "Palm lamp"
    assert data["nothing_is_in"] == ["area Attic"]
    assert "nothing_is_in" not in await search(home, area="Winter garden")


async def test_nothing_like_it(home: HomeAssistant) -> None:
    assert await search(home, words="qqqq") == {"found": []}
    assert names(await search(home, words="secret lamp"))[0] != "Secret lamp"


async def test_tools_are_found_and_offered(home: HomeAssistant) -> None:
    """Those that the request does not describe, by the name that they are called."""
    offered: list[str] = []
    hidden = {"user:next": TIMETABLE}
    context = AbilityContext(hass=home, hidden=hidden, offer=offered.append)
    for words in ("when do the trams leave", "central station", "next"):
        data = await search(home, context, words=words)
        assert [tool["name"] for tool in data["tools"]] == ["user:next"]
        assert offered.pop() == "transit__next_departures"
    assert "tools" not in await search(home, context, area="Kitchen 0")
    assert "tools" not in await search(home, context, words="qqqq")
    assert not offered
