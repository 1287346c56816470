"""Music: play the best hit of a search, in another room too, or only there."""

from typing import ClassVar, Final, override

from homeassistant.components.media_player import MediaPlayerEntityFeature, SearchMedia
from homeassistant.const import STATE_PLAYING
from homeassistant.core import State
from homeassistant.exceptions import HomeAssistantError
import probatio

from ..const import DOMAIN
from ..gate.effects import Effect
from ..gate.names import name_of, spoken
from ..gate.own_tool import Arguments, Caller, Wording
from ..text import as_compared
from .ability import ActingAbility, ActionPlan, can, schema, texts
from .finder import the_one

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
    plays_found: ClassVar = True

    @override
    def things(self) -> list[State]:
        there = super().things()
        return [item for item in there if can(item, _FINDS) or can(item, _GROUPS)]

    @override
    def question(self, arguments: Arguments) -> Wording | None:
        # The address of a stranger could carry off what was read.
        what = str(arguments.get("what"))
        players = tuple(
            name_of(self.hass, x.entity_id) for x in self.effects(arguments)
        )
        if "://" not in what or what in self.speaker.sentence or not players:
            return None
        return Wording("do_play_what", value=spoken(what), targets=players)

    @override
    async def async_plan(
        self, arguments: Arguments, context: Caller
    ) -> ActionPlan | None:
        """Return what is played: the hit that is called so, else the first one."""
        given = texts(arguments)
        if given["action"] not in ("play", "search"):
            return None
        what = given.get("what", "")
        if not what:
            raise HomeAssistantError("Say what.")
        there = [item for item in self.things() if can(item, _FINDS)]
        player = self._one(there, given.get("player"))
        if "://" in what:
            media = {"media_content_id": what, "media_content_type": "music"}
            return ActionPlan((Effect(player.entity_id, "play_media", media),))
        search = Effect(player.entity_id, "search_media", {"search_query": what})
        found: SearchMedia = await self.async_act(search, context, answers=True)
        hits = [item for item in found.result if item.can_play]
        titles = [item.title for item in hits[:_TOLD]]
        if not hits or given["action"] == "search":
            return ActionPlan(details={"player": player.name, "found": titles})
        same = [item for item in hits if as_compared(item.title) == as_compared(what)]
        hit = (same or hits)[0]
        keys = ("media_content_id", "media_content_type")
        media = {key: getattr(hit, key) for key in keys}
        data = {"media": media | {"metadata": {"title": hit.title}}}
        told = {"plays": hit.title, "also_found": titles}
        return ActionPlan((Effect(player.entity_id, "play_media", data),), details=told)

    @override
    def plan(self, arguments: Arguments) -> ActionPlan:
        given = texts(arguments)
        there = [item for item in self.things() if can(item, _GROUPS)]
        if given["action"] == "leave":
            player = self._one(there, given.get("player") or given.get("to"))
            return ActionPlan((Effect(player.entity_id, "unjoin"),))
        targets = self.finder(there).all({"name": given.get("to") or "here"}, acts=True)
        others = [item for item in there if item not in targets]
        source = self._one(others, given.get("player"))
        ids = [item.entity_id for item in targets]
        is_move = given["action"] == "move"
        if is_move and {*map(self.made_by, [source.entity_id, *ids])} == {_ASSISTANT}:
            data = {"source_player": source.entity_id}
            return ActionPlan((Effect(ids[0], _TRANSFER, data),))
        effects = [Effect(source.entity_id, "join", {"group_members": ids})]
        # What is moved by hand plays there before it ends here.
        effects += [Effect(source.entity_id, "unjoin")] if is_move else []
        told = {"also_in": [item.name for item in targets]}
        return ActionPlan(tuple(effects), details=told)

    def _one(self, there: list[State], name: str | None) -> State:
        """Return the one player that is meant: of several the one that plays."""
        found = self.finder(there).all({"name": name}, acts=True)
        playing = [item for item in found if item.state == STATE_PLAYING]
        return the_one(playing if len(playing) == 1 else found)

    @override
    async def _async_do(self, effect: Effect, context: Caller) -> None:
        data, call = {"entity_id": effect.entity_id, **effect.data}, self.hass.services
        if effect.service == _TRANSFER:
            await call.async_call(_ASSISTANT, _TRANSFER, data, True, context)
        else:
            await super()._async_do(effect, context)
