"""Music: play the best hit of a search, in another room too, or only there."""

from typing import ClassVar, Final, override

from homeassistant.components.media_player import MediaPlayerEntityFeature, SearchMedia
from homeassistant.const import ATTR_SUPPORTED_FEATURES, STATE_PLAYING
from homeassistant.core import Context, HomeAssistant, State
from homeassistant.exceptions import HomeAssistantError
import probatio

from ..const import DOMAIN
from ..gate.effects import Effect
from ..gate.own_tool import Arguments
from ..internals import entity_of, integration_of
from ..text import as_compared
from .ability import ActingAbility, ActionPlan, async_answer, schema, texts
from .finder import Finder, the_one

_FINDS: Final = (
    MediaPlayerEntityFeature.SEARCH_MEDIA | MediaPlayerEntityFeature.PLAY_MEDIA
)
_GROUPS: Final = MediaPlayerEntityFeature.GROUPING
# A whole queue goes to another player only there.
_ASSISTANT: Final = "music_assistant"
_TRANSFER: Final = "transfer_queue"
_TOLD: Final = 10
_ACTIONS: Final = probatio.In(["play", "search", "join", "leave", "move"])


class Music(ActingAbility):
    """Searches and plays in one call, and takes what plays to other rooms."""

    name = f"{DOMAIN}__music"
    title = "Music"
    description = "Play what is found; in another room too (join) or only there (move)."
    parameters = schema("what", "player", "to", needs={"action": _ACTIONS})
    domain = "media_player"
    is_divisible = False
    replaces: ClassVar = frozenset(
        {"media_player__play_media", "media_player__search_media"}
    )
    returns_outside: ClassVar = True

    @override
    def things(self, hass: HomeAssistant) -> list[State]:
        there = super().things(hass)
        return [item for item in there if _can(item, _FINDS) or _can(item, _GROUPS)]

    @override
    def plays_found(self, arguments: Arguments) -> bool:
        return "://" not in str(arguments.get("what"))

    @override
    async def async_plan(
        self, hass: HomeAssistant, arguments: Arguments, context: Context | None
    ) -> ActionPlan | None:
        """Return what is played: the hit that is called so, else the first one."""
        given = texts(arguments)
        if given["action"] not in ("play", "search"):
            return None
        what = given.get("what", "")
        if not what:
            raise HomeAssistantError("Say what.")
        there = [item for item in self.things(hass) if _can(item, _FINDS)]
        player = self._one(hass, there, given.get("player"))
        if "://" in what:
            media = {"media_content_id": what, "media_content_type": "music"}
            return ActionPlan((Effect(player.entity_id, "play_media", media),))
        query = {"search_query": what}
        player_id, search = player.entity_id, "search_media"
        found: SearchMedia = await async_answer(hass, player_id, search, query, context)
        hits = [item for item in found.result if item.can_play]
        titles = [item.title for item in hits[:_TOLD]]
        if not hits or given["action"] == "search":
            return ActionPlan(details={"player": player.name, "found": titles})
        same = [item for item in hits if as_compared(item.title) == as_compared(what)]
        hit = (same or hits)[0]
        keys = ("media_content_id", "media_content_type")
        data = {key: getattr(hit, key) for key in keys}
        told = {"plays": hit.title, "also_found": titles}
        return ActionPlan((Effect(player.entity_id, "play_media", data),), details=told)

    @override
    def plan(self, hass: HomeAssistant, arguments: Arguments) -> ActionPlan:
        given = texts(arguments)
        there = [item for item in self.things(hass) if _can(item, _GROUPS)]
        if given["action"] == "leave":
            player = self._one(hass, there, given.get("player") or given.get("to"))
            return ActionPlan((Effect(player.entity_id, "unjoin"),))
        speaker, to = self.context.speaker, {"name": given.get("to") or "here"}
        targets = Finder(hass, there, speaker).all(to, acts=True)
        others = [item for item in there if item not in targets]
        source = self._one(hass, others, given.get("player"))
        ids = [item.entity_id for item in targets]
        entities = (entity_of(hass, item) for item in (source.entity_id, *ids))
        is_move = given["action"] == "move"
        if is_move and {*map(integration_of, entities)} == {_ASSISTANT}:
            data = {"source_player": source.entity_id}
            return ActionPlan((Effect(ids[0], _TRANSFER, data),))
        effects = [Effect(source.entity_id, "join", {"group_members": ids})]
        # What is moved by hand plays there before it ends here.
        effects += [Effect(source.entity_id, "unjoin")] if is_move else []
        told = {"also_in": [item.name for item in targets]}
        return ActionPlan(tuple(effects), details=told)

    def _one(self, hass: HomeAssistant, there: list[State], name: str | None) -> State:
        """Return the one player that is meant: of several the one that plays."""
        found = Finder(hass, there, self.context.speaker).all({"name": name}, acts=True)
        playing = [item for item in found if item.state == STATE_PLAYING]
        return the_one(playing if len(playing) == 1 else found)

    @override
    async def _async_do(
        self, hass: HomeAssistant, effect: Effect, context: Context | None
    ) -> None:
        if effect.service == _TRANSFER:
            data = {"entity_id": effect.entity_id, **effect.data}
            await hass.services.async_call(_ASSISTANT, _TRANSFER, data, True, context)
        else:
            await super()._async_do(hass, effect, context)


def _can(state: State, features: MediaPlayerEntityFeature) -> bool:
    has = state.attributes.get(ATTR_SUPPORTED_FEATURES, 0)
    return bool(has & features == features)
