"""What intents and tools for media act on, as Home Assistant finds it."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.media_player.llm import SEARCH_PLAY_FEATURES
from homeassistant.core import Context
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    intent,
    label_registry as lr,
    llm,
)
from homeassistant.setup import async_setup_component

from custom_components.lumo.gate import intents

from .test_judge import Home, home

__all__ = ["home"]

PLAY = "media_player__play_media"


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


async def test_label_holds_for_a_player_by_every_name(home: Home) -> None:
    """The tools for media find it by its alias and its area too."""
    features = {"supported_features": SEARCH_PLAY_FEATURES, "friendly_name": "Radio"}
    er.async_get(home.hass).async_get_or_create(
        "media_player",
        "test",
        "radio",
        suggested_object_id="radio",
        original_name="Radio",
    )
    label = lr.async_get(home.hass).async_create("Careful").label_id
    area = ar.async_get(home.hass).async_create("Nursery")
    er.async_get(home.hass).async_update_entity(
        "media_player.radio",
        labels={label},
        area_id=area.id,
        aliases=[er.COMPUTED_NAME, "Wireless"],
    )
    home.hass.states.async_set("media_player.radio", "idle", features)
    async_expose_entity(home.hass, "conversation", "media_player.radio", True)
    home.options = {
        "sensitive_labels": [label],
        "tools": {"media_player//media_player__play_media": "on"},
    }
    song = {"media_content_id": "x", "media_content_type": "music"}
    for target in (
        {"player_name": "Wireless"},
        {"player_area": "nursery"},
        {"player_name": "Radio"},
        {},
    ):
        verdict = await home.judge(PLAY, **song, **target)
        assert "Radio" in str(verdict.asks), target
    home.options = {**home.options, "sensitive_labels": []}
    assert (await home.judge(PLAY, **song)).runs
    # A sentence for another assistant.
    spoken = {"media_content_id": "open", "media_content_type": "custom"}
    assert (await home.judge(PLAY, **spoken)).asks
