"""Routines: what recurs becomes an ordinary automation of Home Assistant's."""

from typing import Any, ClassVar, Final, override

from homeassistant.components.automation import DOMAIN as AUTOMATION
from homeassistant.components.automation.config import async_validate_config_item
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.helpers.template import is_template_string
import probatio

from ..const import DOMAIN
from ..gate.effects import Effect
from ..gate.names import spoken, texts_of
from ..gate.own_tool import FROM_OUTSIDE, Arguments, Wording
from ..internals import PHONES, notify_actions
from .ability import Ability, optional_texts
from .finder import has_like
from .result_texts import bounded
from .routine_compiler import Config, Reader, said_in, saying
from .routine_store import Routine, Routines

# What the judge adds to the arguments of a call that makes a routine: the routine, and
# that it is a draft.
ROUTINE: Final = "routine"
DRAFT: Final = "draft"
_ALIAS: Final = 80
# What is no part of a routine.
_NEVER: Final = ("later", "alarm_clock", "undo", "routine", "memory")


type RoutineCall = tuple[llm.Tool, dict[str, Any]]
"""A call that a routine makes: the tool, and the arguments."""


class RoutineTool(Ability):
    """Makes and lists routines, turns them on or off, and deletes them."""

    name = f"{DOMAIN}__routine"
    title = "Routines"
    description = (
        "What recurs, as an automation. when: [{at,days}|{sun,offset}|"
        "{entity,becomes,for}]; do: [{tool,arguments}|{say}]."
    )
    parameters = probatio.Schema(
        {
            **optional_texts("name"),
            **{probatio.Optional(key): list for key in ("when", "only_if", "do")},
            **optional_texts(edit="on|off|delete"),
        }
    )
    annotations = llm.ToolAnnotations(destructive=False, open_world=False)
    unshown: ClassVar = frozenset({"name", "do", ROUTINE})
    is_personal: ClassVar = True

    @property
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

    def named(self, arguments: Arguments) -> str:
        """Return the id of the routine that is named. Raises HomeAssistantError."""
        text, made = str(arguments.get("name") or "").strip(), self.routines.made
        names = {key: x.item["alias"] for key, x in made.items() if self._may_know(x)}
        found = [key for key, name in names.items() if text in (key, name)] or [
            key for key, name in names.items() if text and has_like([name], text)
        ]
        if len(found) != 1:
            there = ", ".join(names.values())
            raise HomeAssistantError(f"Say which one. Made here: {there or 'none'}.")
        return found[0]

    def _may_know(self, routine: Routine) -> bool:
        """Return whether who speaks may know it: what is said is somebody's own."""
        says = any(map(said_in, routine.item["actions"]))
        return not says or routine.user_id in (None, self.speaker.user_id)

    def steps(self, arguments: Arguments) -> list[RoutineCall | list[Config]]:
        """Return calls, and steps that say something. Raises HomeAssistantError."""
        hass, understand = self.context.hass, self.context.understand
        assert hass and understand
        found: list[RoutineCall | list[Config]] = []
        for step in arguments["do"]:
            if not isinstance(step, dict):
                raise HomeAssistantError("do has objects: tool and arguments, or say.")
            if say := spoken(str(step.get("say") or ""))[:500]:
                user_id = self.speaker.user_id
                # Who signs in may claim to be any satellite.
                satellite = None if user_id else self.speaker.satellite_id
                phones = _phones(hass, user_id) if user_id else []
                found.append(saying(say, satellite, phones, self._alias(arguments)))
                continue
            name = str(step.get("tool") or step.get("name"))
            tool, inner = understand(name, step.get("arguments") or {})
            if tool.annotations.read_only:
                raise HomeAssistantError("That only reads.")
            if tool.name.rpartition("__")[2] in _NEVER:
                raise HomeAssistantError("That cannot be a part of a routine.")
            found.append((tool, inner))
        return found

    async def async_item(
        self, arguments: Arguments, steps: list[Config]
    ) -> tuple[Config, str]:
        """Return an automation, and when it runs in words. Raises HomeAssistantError."""
        hass = self.context.hass
        assert hass
        reader = Reader(hass, self.finder(hass), self.speaker)
        triggers, whens = await reader.async_read(arguments.get("when"), "trigger")
        conditions, ifs = await reader.async_read(
            arguments.get("only_if") or [], "condition"
        )
        item = {"alias": self._alias(arguments), "triggers": triggers}
        item |= {"conditions": conditions, "actions": steps}
        if any(map(is_template_string, texts_of(item))):
            raise HomeAssistantError("Templates are not possible here.")
        try:
            await async_validate_config_item(hass, "new", {"id": "new", **item})
        except probatio.Invalid as err:
            raise HomeAssistantError(f"Home Assistant refuses it: {err}") from err
        return item, ", ".join([" / ".join(whens), *ifs])

    def _alias(self, arguments: Arguments) -> str:
        return spoken(str(arguments.get("name") or ""))[:_ALIAS] or "Lumo"

    @override
    def effects(self, hass: HomeAssistant, arguments: Arguments) -> list[Effect]:
        """Return that a routine is turned on or off."""
        edit = arguments.get("edit")
        if edit not in ("on", "off"):
            return []
        entity_id = self.routines.entity(self.named(arguments))
        return [Effect(str(entity_id), f"turn_{edit}")]

    @override
    def question(self, hass: HomeAssistant, arguments: Arguments) -> Wording | None:
        """Return the question about what is deleted."""
        if arguments.get("edit") != "delete":
            return None
        alias = self.routines.made[self.named(arguments)].item["alias"]
        return Wording("do_delete", targets=(alias,))

    @override
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        edit, routines = arguments.get("edit"), self.routines
        if made := arguments.get(ROUTINE):
            speaker = self.speaker
            routine = Routine(
                **made,
                user_id=speaker.user_id,
                satellite_id=speaker.satellite_id,
                sentence=speaker.sentence,
            )
            if arguments.get(DRAFT):
                await routines.async_add_draft(routine)
                return {"draft": "An administrator must approve it in Repairs."}
            self.context.on_plan(await routines.async_write(routine))
            return {"done": "It is made."}
        if edit == "delete":
            await routines.async_delete(self.named(arguments))
            return {"done": "It is deleted."}
        for effect in self.effects(hass, arguments):
            data = {"entity_id": effect.entity_id}
            call = hass.services.async_call
            await call(AUTOMATION, effect.service, data, True, context.context)
            return {"done": f"It is {edit}."}
        return self._listed(hass)

    def _listed(self, hass: HomeAssistant) -> dict[str, Any]:
        told = list[Config]()
        made = self.routines.made
        for routine_id, routine in made.items():
            state = hass.states.get(self.routines.entity(routine_id) or "")
            row: Config = {"id": routine_id, "is": state and state.state}
            if self._may_know(routine):
                row |= {"name": routine.item["alias"], "when": routine.when}
                row |= {"does": routine.does}
            told.append(row)
        # Those of others have names, where they are exposed, like any other thing.
        data: dict[str, Any] = {"made_here": bounded(told)}
        if any(routine.is_foreign for routine in made.values()):
            data[FROM_OUTSIDE] = True
        return data


def _phones(hass: HomeAssistant, user_id: str) -> list[str]:
    actions = notify_actions(hass)
    entries = hass.config_entries.async_entries(PHONES)
    own = [entry.data for entry in entries if entry.data.get("user_id") == user_id]
    return [actions[x["webhook_id"]] for x in own if x.get("webhook_id") in actions]
