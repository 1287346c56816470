"""What is played, on which player, and where it plays next."""

from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.media_player import (
    BrowseMedia,
    MediaPlayerEntity,
    MediaPlayerEntityFeature as Feature,
    MediaPlayerState,
    SearchMedia,
    SearchMediaQuery,
)
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import (
    async_mock_service,
    setup_test_component_platform,
)

from custom_components.lumo.abilities import music
from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.music import Music
from custom_components.lumo.gate.speaker import Speaker

FINDS = Feature.SEARCH_MEDIA | Feature.PLAY_MEDIA | Feature.GROUPING


class Player(MediaPlayerEntity):
    """A player that notes what it was told."""

    _attr_should_poll = False

    def __init__(self, name: str, features: Feature, *, plays: bool = False) -> None:
        self._attr_name = name
        self._attr_supported_features = features
        playing, idle = MediaPlayerState.PLAYING, MediaPlayerState.IDLE
        self._attr_state = playing if plays else idle
        self.did: list[str] = []

    async def async_search_media(self, query: SearchMediaQuery) -> SearchMedia:
        """Find two songs and something that cannot be played, except of Nobody."""
        titles = [] if query.search_query == "Nobody" else ["Artist", "One", "Two"]
        return SearchMedia(
            result=[
                BrowseMedia(
                    media_class="track",
                    media_content_id=title.lower(),
                    media_content_type="music",
                    title=title,
                    can_play=title != "Artist",
                    can_expand=False,
                )
                for title in titles
            ]
        )

    async def async_play_media(self, *args: Any, **kwargs: Any) -> None:
        self.did.append(f"play {args[1] if len(args) > 1 else kwargs['media_id']}")

    async def async_join_players(self, group_members: list[str]) -> None:
        self.did.append(f"join {' '.join(group_members)}")

    async def async_unjoin_player(self) -> None:
        self.did.append("unjoin")


# Arguments, and what comes of them: on which player, or what the model is told.
ROWS: list[tuple[dict[str, str], dict[str, list[str]] | str]] = [
    ({"action": "play", "what": "One", "player": "Bath"}, {"Bath": ["play one"]}),
    ({"action": "play", "what": "two", "player": "Bath"}, {"Bath": ["play two"]}),
    ({"action": "play", "what": "http://radio.example/a", "player": "Bath"}, {"Bath": ["play http://radio.example/a"]}),
    # Of several the one that plays.
    ({"action": "play", "what": "Songs"}, {"Den": ["play one"]}),
    ({"action": "search", "what": "Songs", "player": "Bath"}, {}),
    ({"action": "play", "what": "Nobody", "player": "Bath"}, {}),
    ({"action": "play", "player": "Bath"}, "Say what"),
    ({"action": "play", "what": "One", "player": "Old"}, "called Old"),
    ({"action": "join", "to": "Bath"}, {"Den": ["join media_player.bath"]}),
    ({"action": "join", "to": "Bath, Attic"}, {"Den": ["join media_player.bath media_player.attic"]}),
    ({"action": "move", "to": "Attic"}, {"Den": ["join media_player.attic", "unjoin"]}),
    ({"action": "leave", "player": "Bath"}, {"Bath": ["unjoin"]}),
    ({"action": "join", "to": "Old"}, "called Old"),
    ({"action": "join", "to": "Den", "player": "Nowhere"}, "called Nowhere"),
    ({"action": "join"}, "Say an area"),
    ({"action": "join", "to": "Gone"}, "Not available now: Gone"),
]  # fmt: skip


async def furnish(hass: HomeAssistant) -> list[Player]:
    """Return the players, of which all but one are exposed."""
    assert await async_setup_component(hass, "homeassistant", {})
    players = [
        Player("Den", FINDS, plays=True),
        Player("Bath", FINDS),
        Player("Attic", FINDS),
        Player("Old", Feature.PAUSE),
        Player("Secret", FINDS, plays=True),
        Player("Gone", FINDS),
    ]
    players[-1]._attr_available = False
    setup_test_component_platform(hass, "media_player", players)
    config = {"media_player": {"platform": "test"}}
    assert await async_setup_component(hass, "media_player", config)
    await hass.async_block_till_done()
    for player in players:
        is_there = player.name != "Secret"
        async_expose_entity(hass, "conversation", player.entity_id, is_there)
    return players


@pytest.mark.parametrize(("arguments", "outcome"), ROWS)
async def test_it_plays_where_it_is_meant(
    hass: HomeAssistant, arguments: dict[str, str], outcome: dict[str, list[str]] | str
) -> None:
    """Nothing else is touched, and one that is not exposed is not there."""
    players = await furnish(hass)
    speaker = Speaker(None, "assist_satellite.x", True, "Play", "en")
    tool = Music(AbilityContext(hass=hass, speaker=speaker))
    await tool.async_prepare(arguments, None)
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    if isinstance(outcome, str):
        with pytest.raises(HomeAssistantError, match=outcome):
            await tool.async_run(arguments, context)
        outcome = {}
    else:
        result = await tool.async_run(arguments, context)
        if arguments.get("what") == "Songs":
            assert ["One", "Two"] in result.values()
    assert {item.name: item.did for item in players if item.did} == outcome


async def test_music_assistant_moves_all_that_is_to_be_played(
    hass: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(music, "_ASSISTANT", "test")
    players = await furnish(hass)
    calls = async_mock_service(hass, "test", "transfer_queue")
    tool = Music(AbilityContext(hass=hass))
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    await tool.async_run({"action": "move", "to": "Bath"}, context)
    assert [call.data for call in calls] == [
        {"entity_id": "media_player.bath", "source_player": "media_player.den"}
    ]
    assert not any(player.did for player in players)
