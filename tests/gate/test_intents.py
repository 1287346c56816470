"""What intents and tools for media act on, as Home Assistant finds it."""

from dataclasses import replace
from typing import Any

from homeassistant.core import Context
from homeassistant.helpers import intent, llm
import pytest

from custom_components.lumo.gate.intents import IntentCall, read_intent
from custom_components.lumo.gate.places import Place, Scope
from tests.abilities.large_home import add

from .judged_home import Home

CONTEXT = llm.LLMContext("lumo", Context(), "en", "conversation", None)


def called(home: Home, intent_type: str, **slots: Any) -> IntentCall:
    handlers = {item.intent_type: item for item in intent.async_get(home.hass)}
    return IntentCall(home.hass, handlers[intent_type], slots, CONTEXT)


async def test_louder_is_for_players_that_play(home: Home) -> None:
    """If there are several, and none is named, as Home Assistant has it."""

    def meant(**slots: Any) -> list[str]:
        call = called(home, "HassSetVolumeRelative", **slots)
        return [state.entity_id for state in call.matched]

    assert meant() == []
    for name, state, area in (
        ("radio", "playing", "Hall"),
        ("tv", "off", "Kitchen"),
        ("box", "idle", "Hall"),
    ):
        add(
            home.hass,
            f"media_player.{name}",
            state,
            name=name,
            area=area,
            supported_features=4,
        )
    assert meant() == meant(area="Hall") == ["media_player.radio"]
    assert meant(area="Kitchen") == ["media_player.tv"]
    assert meant(name="tv") == ["media_player.tv"]
    home.hass.states.async_set("media_player.radio", "off", {"supported_features": 4})
    assert meant() == []


@pytest.mark.parametrize(
    ("intent_type", "slots", "services"),
    [
        ("HassLightSet", {"name": "Hall light", "brightness": 0}, ["turn_off"]),
        ("HassLightSet", {"name": "Hall light", "brightness": 9}, ["turn_on"]),
        # What its handler does not do is nothing.
        ("HassSetPosition", {"name": "Hall light", "position": 9}, ["nothing"]),
        ("HassTurnOn", {"domain": ["fan"]}, []),
        ("HassTurnOn", {"name": "Chores"}, ["nothing"]),
        ("HassTurnOff", {"name": "Front door", "domain": ["lock"]}, ["turn_off"]),
    ],
)
async def test_what_an_intent_does(
    home: Home, intent_type: str, slots: dict[str, Any], services: list[str]
) -> None:
    call = called(home, intent_type, **slots)
    assert [call.effect_on(item).service for item in call.matched] == services
    assert call.has_targets and call.places == []
    # What its handler refuses does no harm.
    assert not replace(call, is_invalid=True).has_targets


async def test_what_may_not_be_read_is_not_found(home: Home) -> None:
    """Nor is anything else in its place."""
    hall = Scope(home.hass, (Place(areas=frozenset({"hall"})),))
    _, tool, context = await home.open("intent__HassTurnOff")
    for domain, found in (("light", ["light.hall"]), ("todo", [])):
        call = read_intent(home.hass, tool, {"domain": [domain]}, context, hall)
        assert call and [item.entity_id for item in call.matched] == found
    intent.async_remove(home.hass, "HassTurnOff")
    assert read_intent(home.hass, tool, {}, context) is None
