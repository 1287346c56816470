"""Find in home: search what a request leaves out of a large home."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, override

from homeassistant.core import HomeAssistant
from homeassistant.helpers import llm
import probatio

from ..const import DOMAIN
from ..context.description import Thing
from ..context.home import Home, async_get_home
from ..context.scorer import Index
from ..gate.names import given_in
from ..gate.own_tool import Arguments
from .ability import Ability, optional_texts

_MAX_TOOLS: Final = 5
_MAX_DESCRIPTION: Final = 200
# What scores less than this share of the best only looks like it.
_SHARE: Final = 0.25


class FindInHome(Ability):
    """Searches all that is exposed, and offers tools that were not described."""

    name = f"{DOMAIN}__find_in_home"
    title = "Find in home"
    description = (
        "Find devices, sensors, scenes and tools that are not listed here, with their "
        "names and states. Use it before you say that something is not there."
    )
    parameters = probatio.Schema(
        optional_texts("words", "area", "floor", kind="light|window|battery|...")
    )

    @property
    @override
    def is_useful(self) -> bool:
        # A request describes it only where it leaves something out.
        return self.context.hass is not None

    @override
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        wanted: dict[str, str] = self.parameters(given_in(arguments))
        language = context.language or hass.config.language
        home = await async_get_home(hass, language, self.context.scope)
        found = [_described(hass, home, thing) for thing in _find(home, wanted)]
        data: dict[str, Any] = {"found": found}
        for key in ("area", "floor"):
            if (place := wanted.get(key)) and not home.find(**{key: place}):
                data.setdefault("nothing_is_in", []).append(f"{key} {place}")
        if tools := self._tools(wanted.get("words", "")):
            data["tools"] = tools
        return data

    def _tools(self, words: str) -> list[dict[str, str]]:
        hidden = list(self.context.hidden.items())
        ranked = Index(
            [tool.text for _, tool in hidden],
            [(tool.title, shown) for shown, tool in hidden],
        ).rank([words])
        told: list[dict[str, str]] = []
        for position, _score in _relevant(ranked)[:_MAX_TOOLS]:
            shown, tool = hidden[position]
            self.context.offer(tool.name)
            description = (tool.text or tool.title)[:_MAX_DESCRIPTION]
            told.append({"name": shown, "description": description})
        return told


def _find(home: Home, wanted: Mapping[str, str]) -> list[Thing]:
    places = {key: wanted.get(key, "") for key in ("area", "floor", "kind")}
    words = wanted.get("words", "")
    return [
        thing
        for thing, _score in _relevant(
            home.find(words, **places)
            # The words may only repeat the rest, or the rest not be its name.
            or home.find(" ".join((words, *places.values())).strip())
        )
    ]


def _relevant[T](ranked: Sequence[tuple[T, int]]) -> list[tuple[T, int]]:
    least = max((score for _, score in ranked), default=0) * _SHARE
    return [(item, score) for item, score in ranked if score >= least]


def _described(hass: HomeAssistant, home: Home, thing: Thing) -> dict[str, str]:
    is_one_of_several = any(
        other is not thing and other.name == thing.name and other.domain == thing.domain
        for other in home.by_area[thing.area]
    )
    area, state = thing.area, hass.states.get(thing.entity_id)
    unit = state.attributes.get("unit_of_measurement") if state else None
    told = {
        # Nothing else tells it from the other.
        "name": thing.entity_id if is_one_of_several else thing.name,
        "area": area.name if area else "",
        "floor": area.floor.name if area and area.floor else "",
        "kind": thing.kind,
        "state": f"{state.state} {unit or ''}".rstrip() if state else "",
    }
    return {key: text for key, text in told.items() if text}
