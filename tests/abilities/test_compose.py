"""Scenes on the spot: several steps as one plan."""

from typing import Any

from homeassistant.core import HomeAssistant
import pytest

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.compose import Compose

from .large_home import add, async_prepare

DIMS: dict[str, Any] = {"supported_color_modes": ["brightness"]}
LOW = {"action": "set", "setting": "brightness", "to": "20", "area": "Den"}


@pytest.fixture
async def home(hass: HomeAssistant) -> HomeAssistant:
    await async_prepare(hass)
    for number in range(1, 4):
        add(hass, f"light.l{number}", "on", name=f"L{number}", area="Den", **DIMS)
    add(hass, "light.gone", "unavailable", name="Gone", area="Den", **DIMS)
    add(
        hass,
        "climate.den",
        "off",
        name="Heating",
        area="Den",
        supported_features=1,
        hvac_modes=["heat", "off"],
        temperature=19,
    )
    add(hass, "cover.blind", "open", name="Blind", area="Den", device_class="blind")
    add(hass, "lock.door", "locked", name="Door", area="Den")
    return hass


# The steps, what they do, and what is said of them or why nothing runs.
ROWS: list[tuple[list[dict[str, Any]], str, str]] = [
    (
        [LOW, {"action": "close", "kind": "blind"}],
        "turn_on l1 20, turn_on l2 20, turn_on l3 20, close_cover blind",
        "Gone is not available",
    ),
    # The later of two holds; what goes together stays together.
    (
        [LOW, {"action": "turn_off", "name": "L1"}],
        "turn_on l2 20, turn_on l3 20, turn_off l1",
        "Gone",
    ),
    (
        [
            {"name": "Heating", "setting": "mode", "to": "heat"},
            {"action": "off", "name": ["L2"]},
            {"setting": "brightness", "to": 5, "name": "L2"},
        ],
        "set_hvac_mode den heat, turn_on l2 5",
        "",
    ),
    (
        [{"action": "off", "kind": "light"}, {"action": "on", "name": "L1"}],
        "turn_off l2, turn_off l3",
        "",
    ),
    # Written as a model may write it.
    (
        [
            {
                "setting": "brightness",
                "to": "20%",
                "name": "L1",
                "except": "",
                "by": None,
            }
        ],
        "turn_on l1 20",
        "",
    ),
    # One step that is wrong, and nothing runs.
    (
        [LOW, {"action": "off", "area": "Dn"}],
        "",
        "Nothing was done. Step 2: There is no",
    ),
    ([LOW, {"action": "explode"}], "", "Nothing was done. Step 2: "),
    ([{"name": "Heating", "setting": "mode", "to": "party"}, LOW], "", "Step 1"),
    ([LOW, {"action": "open", "area": "Den", "kind": "cover", "except": "x"}], "", "x"),
]


async def test_what_the_steps_do(
    home: HomeAssistant, subtests: pytest.Subtests
) -> None:
    """Together, in their order."""
    for steps, does, says in ROWS:
        compose = Compose(AbilityContext())
        with subtests.test(steps=steps):
            plan = compose.planned(home, {"steps": steps})
            found = (
                [
                    effect.service,
                    effect.entity_id.partition(".")[2],
                    *effect.data.values(),
                ]
                for effect in plan.effects
            )
            assert ", ".join(" ".join(map(str, item)) for item in found) == does
            assert says in plan.problem + str(plan.failed)
