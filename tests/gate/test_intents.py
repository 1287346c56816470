"""What intents and tools for media act on, as Home Assistant finds it."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context
from homeassistant.helpers import intent, llm
from homeassistant.setup import async_setup_component

from custom_components.lumo.gate import intents

from .test_judge import Home, home

__all__ = ["home"]


async def test_louder_is_for_players_that_play(home: Home) -> None:
    """If there are several, and none is named, as Home Assistant has it."""
    for domain in ("intent", "media_player"):
        assert await async_setup_component(home.hass, domain, {})
    await home.hass.async_block_till_done()
    louder = next(
        item
        for item in intent.async_get(home.hass)
        if item.intent_type == "HassSetVolumeRelative"
    )
    for name, state in (("radio", "playing"), ("tv", "off"), ("box", "idle")):
        attributes = {"friendly_name": name, "supported_features": 4}
        home.hass.states.async_set(f"media_player.{name}", state, attributes)
        async_expose_entity(home.hass, "conversation", f"media_player.{name}", True)
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)

    def meant(**slots: Any) -> list[str]:
        call = intents.IntentCall(home.hass, louder, slots, context)
        return [state.entity_id for state in call.matched]

    assert meant() == ["media_player.radio"]
    assert meant(name="tv") == ["media_player.tv"]
    home.hass.states.async_set("media_player.radio", "off", {"supported_features": 4})
    assert meant() == []


async def test_no_brightness_is_off(home: Home) -> None:
    await async_setup_component(home.hass, "light", {})
    await home.hass.async_block_till_done()
    handlers = {item.intent_type: item for item in intent.async_get(home.hass)}
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    home.hass.states.async_set("light.a", "on", {"friendly_name": "A"})
    async_expose_entity(home.hass, "conversation", "light.a", True)
    for value, service in ((0, "turn_off"), (9, "turn_on")):
        slots = {"name": "A", "brightness": value}
        call = intents.IntentCall(home.hass, handlers["HassLightSet"], slots, context)
        assert [call.effect_on(item).service for item in call.matched] == [service]
