"""Routines: what recurs becomes an ordinary automation of Home Assistant's."""

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final, override

from homeassistant.components.automation.config import async_validate_config_item
from homeassistant.components.event import DOMAIN as EVENT
from homeassistant.const import STATE_UNAVAILABLE
from homeassistant.core import HomeAssistant, split_entity_id
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import area_registry as ar, intent, llm
from homeassistant.helpers.json import json_bytes
from homeassistant.helpers.target import (
    TargetSelection,
    async_extract_referenced_entity_ids,
)
from homeassistant.helpers.template import is_template_string
from homeassistant.util import dt as dt_util
from homeassistant.util.json import json_loads_object
import probatio

from ..const import DOMAIN
from ..gate.effects import Effect
from ..gate.names import name_of, spoken, texts_of
from ..gate.own_tool import FROM_OUTSIDE, Arguments, Result, Wording
from .ability import Ability, schema, texts
from .finder import most_like
from .later import PLAN
from .periods import moment_of, rule_of, spoken_day, template_of
from .plans import told
from .routine_store import DELETES, Routine, Routines
from .tell import phones_of, phones_of_user, quoted
from .triggers import (
    CLOCK,
    GONE,
    LENGTH,
    MEASURED,
    Trigger,
    async_trigger_of,
    days_of,
    named_days,
    spoken_daily,
    spoken_if,
    spoken_length,
    spoken_when,
)

type Config = dict[str, Any]

_ALIAS: Final = 80
_FORMS: Final = (
    'when: [{"at":"22:00","days":["mon","tue"]}], [{"at":"2026-12-01 09:00",'
    '"repeat":"FREQ=MONTHLY"}], [{"sun":"sunset","offset":"-00:30"}] or '
    '[{"entity":"Emma","becomes":"not home","for":"00:05"}]; entity may be somebody. '
    'only_if: [{"entity":"Emma","is":"home"}], [{"sun":"down"}] or '
    '[{"after":"20:00","before":"06:00","days":["mon","tue"]}].'
)
_KEYS: Final = {
    "trigger": ("at days", "at repeat", "sun offset", "entity becomes for"),
    "condition": ("after before days", "sun", "entity is for"),
}
_EDITS: Final = "edit: on|off|change|delete"
_CLOCKS: Final = ("at", "after", "before")
# The key of a step that waits.
DELAY: Final = "delay"


class RoutineTool(Ability):
    """Makes and lists routines, turns them on or off, and deletes them."""

    name = f"{DOMAIN}__routine"
    title = "Routines"
    description = (
        "What recurs, as an automation. when: [{at,days}|{at,repeat: RRULE}|{sun,offset}|"
        "{entity,becomes,for}]; do: [{tool,arguments}|{say}|{delay:00:10}]. change: say all anew."
    )
    parameters = schema("name", _EDITS, when=list, only_if=list, do=list)
    annotations = llm.ToolAnnotations(destructive=False, open_world=False)
    lists: ClassVar = True
    unshown: ClassVar = frozenset({"name", "do", PLAN})
    is_personal: ClassVar = True

    @override
    def is_useful(self) -> bool:
        speaker = self.context.speaker
        # No rule of a place can say what a routine will reach by then.
        is_free = self.context.scope is None and self.context.routines is not None
        return speaker is None or (speaker.is_person and is_free)

    @property
    def routines(self) -> Routines:
        """Return what was made here."""
        assert self.context.routines is not None
        return self.context.routines

    def _named(self, arguments: Arguments) -> str:
        text, routines = str(arguments.get("name") or "").strip(), self.routines
        own = [key for key, x in routines.made.items() if self._may_know(x)]
        names = {key: self.name_of(key) for key in [*own, *self._drafts]}
        found = [key for key, name in names.items() if text in (key, name)]
        found = found or most_like(names.items(), text)
        if len(found) != 1:
            there = ", ".join(f"{names[key]} ({key})" for key in found or names)
            raise HomeAssistantError(f"Say which one. Made here: {there or 'none'}.")
        return found[0]

    @property
    def _drafts(self) -> dict[str, Routine]:
        """Return the drafts that who speaks may change and withdraw."""
        drafts, who = self.routines.drafts.items(), self.speaker.user_id
        return {key: draft for key, draft in drafts if draft.is_of(who)}

    def anew(self, given: Arguments, is_foreign: bool) -> tuple[Config, str]:
        """Return a call by the name of what it changes, and the id of that, if any.

        A draft is changed by its name alone, too; a stranger's replaces none. Raises
        HomeAssistantError.
        """
        name, own = _alias(given), {} if is_foreign else self._drafts
        if given.get("edit") == "change":
            routine_id = self._named(given)
            if routine_id in self.routines.drafts.keys() - own:
                raise HomeAssistantError("A change of that waits for an administrator.")
            return {**given, "name": self.name_of(routine_id)}, routine_id
        names = {x.item["alias"].casefold(): key for key, x in own.items()}
        # Those that were given none have one name.
        same = names.get(name.casefold(), "") if given.get("name") else ""
        return {**given, "name": name}, same

    def name_of(self, routine_id: str) -> str:
        """Return what it is called by now: it can be renamed by hand."""
        if entity_id := self.routines.entity(routine_id):
            return name_of(self.hass, entity_id)
        return str(self.routines.drafts[routine_id].item["alias"])

    def _may_know(self, routine: Routine) -> bool:
        """Return whether who speaks may know or change it: a reminder is one's own."""
        is_own = any(map(said_in, routine.item["actions"]))
        return not is_own or routine.is_of(self.speaker.user_id)

    def saying(self, text: str, arguments: Arguments) -> list[Config]:
        """Return the steps that say a text: at the satellite, on phones, else to all."""
        speaker, say = self.speaker, "assist_satellite.announce"
        # Who signs in may claim to be any satellite.
        if speaker.satellite_id and not speaker.user_id:
            target = {"entity_id": [speaker.satellite_id]}
            return [{"action": say, "target": target, "data": {"message": text}}]
        phones = [f"notify.{x}" for x in phones_of_user(self.hass, speaker.user_id)]
        data = {"message": quoted(text), "title": _alias(arguments)}
        actions = phones or ["persistent_notification.create"]
        return [{"action": action, "data": data} for action in actions]

    async def async_item(
        self, arguments: Arguments, steps: list[Config]
    ) -> tuple[Config, str]:
        """Return an automation, and when it runs in words. Raises HomeAssistantError."""
        when, only_if = arguments.get("when"), arguments.get("only_if") or []
        match when:
            case [{"days": days, **part}] if days and "at" not in part:
                # Only times have days of their own.
                when, only_if = [part], [*only_if, {"days": days}]
        when = when if isinstance(when, list) else [when]
        triggers = [await self.async_part(part, "trigger") for part in when]
        conditions = [await self.async_part(part, "condition") for part in only_if]
        item: Config = {"alias": _alias(arguments)}
        item["triggers"] = [config for config, _ in triggers]
        item["conditions"] = [config for config, _ in conditions]
        item["actions"] = steps
        if any(map(is_template_string, texts_of([arguments, steps]))):
            raise HomeAssistantError("Templates are not possible here.")
        try:
            await async_validate_config_item(self.hass, "new", {"id": "new", **item})
        except probatio.Invalid as err:
            raise HomeAssistantError(f"Home Assistant refuses it: {err}") from err
        words = [" / ".join(words for _, words in triggers)]
        words += [words for _, words in conditions]
        # A place or a kind was said, and what is written are things.
        calls = [step.get("arguments") or {} for step in arguments["do"]]
        targets = [step.get("target", {}).get("entity_id") or () for step in steps]
        is_wide = any(call and not call.get("name") for call in calls)
        if is_wide and any(len(things) > 1 for things in targets):
            words.append(self.language.said["things"])
        # Some data are of kinds that no file takes.
        return json_loads_object(json_bytes(item)), ", ".join(words)

    async def async_part(self, part: Any, kind: str) -> tuple[Config, str]:
        """Return a `trigger` or `condition`, and in words. Raises HomeAssistantError."""
        known = ({*keys.split()} for keys in _KEYS[kind])
        if not isinstance(part, dict) or not any(map(part.keys().__le__, known)):
            raise HomeAssistantError(_FORMS)
        given, language, is_trigger = texts(part), self.language, kind == "trigger"
        if repeat := given.get("repeat"):
            first, last = moment_of(given.get("at", ""), dt_util.now())
            rule, words = rule_of(repeat, first, first == last, language)
            if first != last:
                raise HomeAssistantError(_FORMS)
            words = f"{spoken_day(first, language)}, {first:%H:%M}, {words}"
            return {kind: "template", "value_template": template_of(rule, first)}, words
        times: Config = {x: given[x].zfill(5) for x in _CLOCKS if x in given}
        days = days_of(part["days"]) if part.get("days") else []
        offset, event = given.get("offset", ""), given.get("sun")
        is_read = LENGTH.fullmatch(offset.lstrip("+-") or "00:00")
        if not is_read or not all(map(CLOCK.fullmatch, times.values())):
            raise HomeAssistantError(_FORMS)
        if is_trigger and event:
            config: Config = {kind: "sun", "event": event}
            config |= {"offset": offset} if offset else {}
            plus = "+" * offset[:1].isdigit()
            told = f"{language.said.get(event)} {plus}{spoken_length(offset)}"
            return config, told.rstrip()
        if event or "entity" in given:
            change = await async_trigger_of(self.finder(), given)
            spoken_so = spoken_when if is_trigger else spoken_if
            return _of_thing(change, kind), spoken_so(change, language)
        if not times and not days:
            raise HomeAssistantError(_FORMS)
        config = {kind: "time", **times}
        config |= {"weekday": days} if days else {}
        if is_trigger:
            return config, spoken_daily(times.get("at", ""), days, language)
        span = "–".join(times.get(key, "") for key in _CLOCKS[1:]) if times else ""
        shown = f"{named_days(days, language)} {span}".strip()
        return config, language.said["only"].format(state=shown)

    @override
    def effects(self, arguments: Arguments) -> list[Effect]:
        edit = arguments.get("edit")
        if edit not in ("on", "off"):
            return []
        routine_id = self._named(arguments)
        made = self.routines.made.get(routine_id)
        opens = edit == "on" and made and any(ask.grants_access for ask in made.does)
        if made is None or opens:
            raise HomeAssistantError("Only an administrator turns that on.")
        return [Effect(str(self.routines.entity(routine_id)), f"turn_{edit}")]

    @override
    def question(self, arguments: Arguments) -> Wording | None:
        if arguments.get("edit") != "delete":
            return None
        return Wording(DELETES, name=self.name_of(self._named(arguments)))

    @override
    def narrowed(self, arguments: Arguments, *entity_ids: str) -> dict[str, Any]:
        # Another one may be called so by the time of the yes.
        is_edit = arguments.get("edit")
        return {**arguments, **({"name": self._named(arguments)} if is_edit else {})}

    @override
    async def async_run(self, arguments: Arguments, context: llm.LLMContext) -> Result:
        edit, routines, speaker = arguments.get("edit"), self.routines, self.speaker
        if plan := arguments.get(PLAN):
            who = {"user_id": speaker.user_id, "satellite_id": speaker.satellite_id}
            who |= {"agent": self.context.agent, "sentence": speaker.sentence}
            routine = Routine.from_json({**plan["routine"], **who})
            if plan["is_draft"]:
                await routines.async_put(plan["id"], True, routine)
                return {"draft": "An administrator must approve it in Repairs."}
            self.context.on_plan(await routines.async_put(plan["id"], routine))
            return {"done": "It is made."}
        if edit == "delete":
            await routines.async_put(routine_id := self._named(arguments), None)
            self.context.on_plan(routine_id)
            return {"done": "It is deleted."}
        if edit == "change":
            raise HomeAssistantError("Say all of it anew, with when and do.")
        for effect in self.effects(arguments):
            await self.async_act(effect, context.context)
            return {"done": f"It is {edit}."}
        return self._listed()

    def _listed(self) -> dict[str, Any]:
        rows, routines = list[Config](), self.routines
        every = [*routines.made.items(), *routines.drafts.items()]
        for routine_id, routine in every:
            state = self.hass.states.get(routines.entity(routine_id) or "")
            row: Config = {"id": routine_id, "is": state and state.state}
            row |= {"does": "reminds somebody else", "when": routine.when}
            if self._may_know(routine):
                row |= {"name": self.name_of(routine_id), "does": told(routine.does)}
            if routine is routines.drafts.get(routine_id):
                row["is"] = "waiting for an administrator's approval"
            elif not routines.is_as(routine_id, routine.item):
                row["does"] = "something else: it was changed by hand"
                del row["when"]
            rows.append(row)
        # Those of others have names, where they are exposed, like any other thing.
        is_foreign = any(routine.is_foreign for _, routine in every)
        return {"made_here": rows} | ({FROM_OUTSIDE: True} if is_foreign else {})


def _alias(arguments: Arguments) -> str:
    return spoken(str(arguments.get("name") or ""))[:_ALIAS] or "Lumo"


def _of_thing(change: Trigger, kind: str) -> Config:
    domain, states = split_entity_id(change.entity_id)[0], [*change.states]
    config: Config = {kind: "state", "entity_id": change.entity_id}
    config |= {"for": change.lasts} if change.lasts else {}
    if not states:
        limits = {"above": change.above, "below": change.below}
        limits = {key: limit for key, limit in limits.items() if limit is not None}
        measured = {"attribute": MEASURED[domain]} if domain in MEASURED else {}
        return {**config, kind: "numeric_state", **limits, **measured}
    if domain == EVENT:
        # Its state is when it was last.
        return {**config, "not_from": STATE_UNAVAILABLE, "not_to": GONE}
    if kind == "condition":
        config["state"] = states
        return {kind: "not", "conditions": [config]} if change.leaves else config
    # What is lost has not left, and what is back has not arrived.
    to, gone = ("from", "not_to") if change.leaves else ("to", "not_from")
    return {**config, to: states[0] if len(states) == 1 else states, gone: GONE}


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
        if service == "notify" and (state := hass.states.get(effect.entity_id)):
            for phone in phones_of(hass, state):
                message = {"message": quoted(data["message"])}
                steps.append({"action": f"notify.{phone}", "data": message})
            continue
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
        same = [x for x in steps if x.items() >= step.items() and "target" in x]
        if not same:
            same = [{**step, "target": {"entity_id": []}}]
            steps += same
        same[0]["target"]["entity_id"].append(effect.entity_id)
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


def said_in(step: Mapping[str, Any]) -> str:
    """Return what a step says, empty for one that does something."""
    return str(step.get("data", {}).get("message", ""))
