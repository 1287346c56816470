"""What a model writes of a routine, as parts of an automation, and in words."""

from collections.abc import Iterable, Mapping, Sequence
import re
from typing import Any, Final

from homeassistant.components.event import DOMAIN as EVENT
from homeassistant.const import STATE_UNAVAILABLE, STATE_UNKNOWN
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import area_registry as ar, intent
from homeassistant.helpers.target import (
    TargetSelection,
    async_extract_referenced_entity_ids,
)
import probatio

from ..gate.effects import Effect
from ..gate.names import name_of
from ..gate.speaker import Speaker
from ..languages import LANGUAGES, translated
from .changes import async_meant
from .finder import Finder
from .later import spoken_days, spoken_if, spoken_when
from .plans import DAYS, MEASURED, Trigger

type Config = dict[str, Any]

_FORMS: Final = (
    'when: [{"at":"22:00","days":["mon","tue"]}], [{"sun":"sunset","offset":"-00:30"}] or '
    '[{"entity":"Emma","becomes":"not home","for":"00:05"}]; entity may be somebody. '
    'only_if: [{"entity":"Emma","is":"home"}], [{"sun":"down"}] or '
    '[{"after":"20:00","before":"06:00","days":["mon","tue"]}].'
)
_KEYS: Final = {
    "trigger": ({"at", "days"}, {"sun", "offset"}, {"entity", "becomes", "for"}),
    "condition": ({"after", "before", "days"}, {"sun"}, {"entity", "is", "for"}),
}
_CLOCKS: Final = ("at", "after", "before")
_TIME: Final = re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d")
_LENGTH: Final = re.compile(r"[+-]?\d\d:\d\d")
_SUN: Final = {"down": "below_horizon", "up": "above_horizon"}
_GONE: Final = [STATE_UNAVAILABLE, STATE_UNKNOWN]
# What a phone takes for a command in place of a message.
_COMMAND: Final = re.compile(r"[a-z]+(?:_[a-z]+)+")


class Reader:
    """Reads when a routine of one person does something."""

    def __init__(self, hass: HomeAssistant, things: Finder, speaker: Speaker) -> None:
        """Take what finds the things that may be named."""
        self._hass = hass
        self._things = things
        self._speaker = speaker
        self._language = LANGUAGES[translated(speaker.language)]

    async def async_read(self, given: Any, kind: str) -> tuple[list[Config], list[str]]:
        """Return what a list says, each in words too.

        The `kind` is `trigger` or `condition`. Raises HomeAssistantError.
        """
        parts = given if isinstance(given, list) else [given]
        read = [await self._async_part(part, kind) for part in parts]
        return [config for config, _ in read], [words for _, words in read]

    async def _async_part(self, part: Any, kind: str) -> tuple[Config, str]:
        said, is_trigger = self._language.said, kind == "trigger"
        config: Config
        if not isinstance(part, dict) or not any(map(part.keys().__le__, _KEYS[kind])):
            raise HomeAssistantError(_FORMS)
        given = {key: str(part[key]).strip() for key in part if part[key]}
        if "entity" in given:
            lasts = {"for": _length(given["for"])} if "for" in given else {}
            change = await async_meant(self._hass, self._things, self._speaker, given)
            return self._of_thing(change, lasts, is_trigger)
        if is_trigger and "sun" in given:
            event = given["sun"]
            offset = {"offset": _length(given["offset"])} if "offset" in given else {}
            words = " ".join([said.get(event, ""), *offset.values()])
            return {"trigger": "sun", "event": event, **offset}, words
        if given.get("sun") in _SUN:
            key = "only" if given["sun"] == "down" else "except"
            config = {"entity_id": "sun.sun", "state": _SUN[given["sun"]]}
            return {kind: "state", **config}, said[key].format(state=said["dark"])
        times = {key: given[key].zfill(5) for key in _CLOCKS if key in given}
        named = part.get("days") or []
        days = [day for day in DAYS if day in str(named)]
        is_time = all(map(_TIME.fullmatch, times.values())) and (times or days)
        if not is_time or not isinstance(named, list) or len(days) != len(named):
            raise HomeAssistantError(_FORMS)
        config = {kind: "time", **times} | ({"weekday": days} if days else {})
        names = self._language.weekdays.split()
        shown = ", ".join(names[DAYS.index(day)] for day in days)
        if is_trigger:
            when = spoken_days(days, self._language)
            return config, f"{when}, {times.get('at', '')}"
        span = "–".join(times.get(key, "") for key in _CLOCKS[1:]) if times else ""
        return config, said["only"].format(state=f"{shown} {span}".strip())

    def _of_thing(
        self, change: Trigger, lasts: Config, is_trigger: bool
    ) -> tuple[Config, str]:
        states, kind = change.states, "state"
        config: Config = {"entity_id": change.entity_id, **lasts}
        domain = split_entity_id(change.entity_id)[0]
        if not states:
            kind, is_above = "numeric_state", change.above is not None
            limit = change.above if is_above else change.below
            config["above" if is_above else "below"] = limit
            if measured := MEASURED.get(domain):
                config["attribute"] = measured
        elif domain == EVENT:
            # Its state is when it was last.
            config |= {"not_from": STATE_UNAVAILABLE, "not_to": _GONE}
        elif is_trigger:
            # What is lost has not left, and what is back has not arrived.
            ways = ("from", "not_to") if change.leaves else ("to", "not_from")
            config[ways[0]] = states[0] if len(states) == 1 else [*states]
            config[ways[1]] = _GONE
        else:
            config["state"] = [*states]
        if is_trigger:
            words = spoken_when(change, self._language)
            return {"trigger": kind, **config}, " ".join([words, *lasts.values()])
        words = spoken_if(change, self._language)
        config = {"condition": kind, **config}
        if change.leaves:
            config = {"condition": "not", "conditions": [config]}
        return config, " ".join([words, *lasts.values()])


def _length(text: str) -> str:
    if not _LENGTH.fullmatch(text):
        raise HomeAssistantError(_FORMS)
    return text


def steps_of(
    hass: HomeAssistant, effects: Iterable[Effect], given: Mapping[str, Any]
) -> list[Config]:
    """Return the steps that bring about what a call does.

    An area that the call was `given` stays the target where that is the same today.
    Raises HomeAssistantError for what no action does.
    """
    steps: list[Config] = []
    for effect in effects:
        domain, service, data = effect.domain, effect.meaning, dict(effect.data)
        if isinstance(color := data.get("color_name"), tuple):
            # An intent has read its name already.
            data = {**data, "rgb_color": [*color]}
            del data["color_name"]
        known = hass.services.async_services_for_domain(domain).get(service)
        name = name_of(hass, effect.entity_id)
        if known is None:
            raise HomeAssistantError(f"No routine can do that with {name}.")
        try:
            if known.schema:
                known.schema({"entity_id": [effect.entity_id], **data})
        except probatio.Invalid as err:
            raise HomeAssistantError(f"{name}: {err}") from err
        step = {"action": f"{domain}.{service}", "data": data}
        for before in steps:
            if before.items() >= step.items():
                before["target"]["entity_id"].append(effect.entity_id)
                break
        else:
            steps.append({**step, "target": {"entity_id": [effect.entity_id]}})
    if len(steps) == 1 and (area := _area(hass, given, steps[0])):
        steps[0]["target"] = {"area_id": area}
    return steps


def _area(hass: HomeAssistant, given: Mapping[str, Any], step: Config) -> str | None:
    """Return the area that was said, if it has the same things of that kind today."""
    areas = [*intent.find_areas(str(given.get("area") or ""), ar.async_get(hass))]
    if len(areas) != 1 or given.get("name"):
        return None
    chosen = TargetSelection({"area_id": [areas[0].id]})
    found = async_extract_referenced_entity_ids(
        hass, chosen, expand_group=False, primary_entities_only=False
    )
    prefix = f"{step['action'].partition('.')[0]}."
    there = {item for item in found.indirectly_referenced if item.startswith(prefix)}
    return areas[0].id if there == {*step["target"]["entity_id"]} else None


def saying(
    text: str, satellite_id: str | None, phones: Sequence[str], title: str
) -> list[Config]:
    """Return the steps that say a text: at a satellite, on phones, else to all users.

    Raises HomeAssistantError.
    """
    if _COMMAND.fullmatch(text):
        raise HomeAssistantError("Say that in words.")
    if satellite_id:
        action, target = "assist_satellite.announce", {"entity_id": [satellite_id]}
        return [{"action": action, "data": {"message": text}, "target": target}]
    actions = [f"notify.{phone}" for phone in phones]
    data = {"message": text, "title": title}
    return [
        {"action": action, "data": data}
        for action in actions or ["persistent_notification.create"]
    ]


def said_in(step: Mapping[str, Any]) -> str:
    """Return what a step says, empty for one that does something."""
    return str(step["data"].get("message", ""))
