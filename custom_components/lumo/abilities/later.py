"""Later: one call, or something to be said, at a time or when something becomes so.

The call is understood and judged when it is planned, as if it were made now
(`planning_judge.py`), and once more when it is due. What is kept is that call, never words.
Home Assistant's own timers go on ringing; a command at the end of one is lost when it
restarts, so that is not described beside this.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
import json
import re
from typing import Any, ClassVar, Final, override

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import config_validation as cv, llm
from homeassistant.util import dt as dt_util
import probatio

from ..const import DOMAIN
from ..gate.mention import Sentence
from ..gate.names import is_exposed, own_names_of
from ..gate.own_tool import FROM_OUTSIDE, Arguments
from ..gate.speaker import Speaker
from ..languages import LANGUAGES, translated
from ..text import as_searched
from .ability import Ability, AbilityContext, optional_texts
from .plans import DAY, PlannedCall, Plans, ScheduledTask, Trigger
from .targets import has_like
from .telling import bounded, told_moment
from .triggers import async_trigger, spoken_when

_TRIGGER: Final = "trigger"
_ALL: Final = "all"
_LAST: Final = "last"
_SAYS: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Delayed:
    """A call that a call of ours is to make later."""

    tool: llm.Tool | None
    """None: something is to be said."""
    arguments: dict[str, Any]
    kept: Mapping[str, Any]
    """The arguments of the outer call by which it means the same at any time."""
    when: str
    """When, as it is spoken."""
    say: str
    on_condition: bool
    in_a_day: bool
    """It is not later than in a day, so that a yes holds till then."""
    is_said: Callable[[Sentence], bool]
    """Returns whether a sentence says when."""


# In the arguments of a call that makes others later: the call that was judged, by the
# full name of its tool, and its calls as they are to run.
JUDGED: Final = "judged"
CALLS: Final = "calls"
# And that what is to be said may be somebody else's words.
FOREIGN: Final = "foreign"


class Later(Ability):
    """Plans calls and reminders, lists, changes and cancels them."""

    name = f"{DOMAIN}__later"
    title = "Later"
    description = (
        "Plan one call of a tool, or a reminder (say): at a time, or when an entity "
        "becomes something. Nothing given: list the plans. change: give a new time."
    )
    parameters = probatio.Schema(
        {
            probatio.Optional("tool"): cv.string,
            probatio.Optional("arguments"): dict,
            **optional_texts(
                {
                    "say": "",
                    "at": "in 10 minutes, 19:00, tomorrow 07:00, sunset-00:30",
                    "entity": "",
                    "becomes": "off, not home, above 25",
                    "for": "5 minutes",
                    "until": "",
                    "change": "id",
                    "cancel": "id, name, last, all",
                }
            ),
        }
    )
    annotations = llm.ToolAnnotations(
        destructive=False, idempotent=True, open_world=False
    )
    begins = True
    hides: ClassVar[Mapping[str, str]] = {"HassStartTimer": "conversation_command"}

    def __init__(self, context: AbilityContext) -> None:
        super().__init__(context)
        self._delayed: dict[str, Delayed] = {}

    @property
    @override
    def is_useful(self) -> bool:
        speaker, plans = self.context.speaker, self.context.plans
        return speaker is None or (speaker.is_person and plans is not None)

    @property
    def _plans(self) -> Plans:
        if self.context.plans is None:
            raise HomeAssistantError("Nothing can be planned here.")
        return self.context.plans

    @property
    def _speaker(self) -> Speaker:
        assert self.context.speaker
        return self.context.speaker

    async def async_delayed(
        self, hass: HomeAssistant, arguments: Arguments
    ) -> Delayed | None:
        """Return what is to be done or said later, and when.

        The same for the same call: a length of time begins when it was asked for.
        """
        if arguments.keys().isdisjoint(("tool", "say")):
            return None
        key = json.dumps(arguments, sort_keys=True, default=str)
        if key not in self._delayed:
            self._delayed[key] = await self._async_read(hass, arguments)
        return self._delayed[key]

    async def _async_read(self, hass: HomeAssistant, arguments: Arguments) -> Delayed:
        speaker = self._speaker
        if kept := arguments.get(_TRIGGER):
            trigger, until = Trigger(**kept[0]), kept[1]
        else:
            trigger, until = await async_trigger(
                hass, arguments, speaker, self.context.scope
            )
        tool: llm.Tool | None = None
        inner: dict[str, Any] = {}
        say = str(arguments.get("say") or "").strip()[:_SAYS]
        if not say:
            tool, inner = self._inner(arguments)
        return Delayed(
            tool=tool,
            arguments=inner,
            kept={_TRIGGER: [asdict(trigger), until]},
            when=spoken_when(trigger, LANGUAGES[translated(speaker.language)]),
            say=say,
            on_condition=not trigger.at,
            in_a_day=not trigger.at or trigger.at <= dt_util.utcnow().timestamp() + DAY,
            is_said=lambda sentence: _is_said(hass, trigger, arguments, sentence),
        )

    def _inner(self, arguments: Arguments) -> tuple[llm.Tool, dict[str, Any]]:
        """Return the tool to be called later, and its arguments."""
        name, given = arguments.get("tool", ""), arguments.get("arguments", {})
        if judged := arguments.get(JUDGED):
            tool, _ = self.context.understand(judged[0], None)
            given = judged[1]
        else:
            tool, given = self.context.understand(name, given)
        if tool.annotations.read_only:
            raise HomeAssistantError("That only reads. Plan a reminder: say.")
        if tool.name.rpartition("__")[2] in ("later", "undo", "HassStartTimer"):
            raise HomeAssistantError("That cannot be planned.")
        if isinstance(tool, Ability):
            tool = type(tool)(replace(tool.context, is_ahead=True))
        return tool, given

    @override
    async def async_run(
        self, hass: HomeAssistant, arguments: Arguments, context: llm.LLMContext
    ) -> dict[str, Any]:
        if cancel := str(arguments.get("cancel") or "").strip():
            chosen = self._find(cancel)
            await self._plans.async_remove([plan.id for plan in chosen])
            return {"cancelled": [self._told(plan) for plan in chosen]}
        if change := str(arguments.get("change") or "").strip():
            found = self._find(change)
            if len(found) > 1:
                raise HomeAssistantError(f"Which one? {self._list(found)}")
            return await self._async_change(hass, found[0], arguments)
        later = await self.async_delayed(hass, arguments)
        if later is None:
            found = self._here()
            outside = any(plan.is_foreign for plan in found)
            told = bounded([self._told(plan) for plan in found])
            return {"plans": told, **({FROM_OUTSIDE: True} if outside else {})}
        kept = arguments.get(_TRIGGER) or later.kept[_TRIGGER]
        now = dt_util.utcnow().timestamp()
        calls: Sequence[PlannedCall] = arguments.get(CALLS, ())
        if any(call.approved for call in calls):
            kept = [kept[0], min(kept[1], now + DAY)]
        speaker, agent = self._speaker, self.context.agent
        plan = await self._plans.async_add(
            ScheduledTask(
                agent=agent,
                trigger=Trigger(**kept[0]),
                calls=calls,
                say=later.say,
                is_foreign=bool(arguments.get(FOREIGN)),
                user_id=speaker.user_id,
                # Who signs in may claim to be any satellite.
                satellite_id=None if speaker.user_id else speaker.satellite_id,
                device_id=speaker.device_id,
                language=speaker.language,
                created=now,
                expires=kept[1],
            )
        )
        self.context.note_plan(plan.id)
        return {"planned": self._told(plan)}

    async def _async_change(
        self, hass: HomeAssistant, plan: ScheduledTask, arguments: Arguments
    ) -> dict[str, Any]:
        """Give a plan another time; a yes holds no longer than it did."""
        trigger, until = await async_trigger(
            hass, arguments, self._speaker, self.context.scope
        )
        if any(call.approved for call in plan.calls):
            raise HomeAssistantError(
                "The person said yes to it for that time. Cancel it, and plan it anew."
            )
        is_near = trigger.at and until <= dt_util.utcnow().timestamp() + DAY
        if any(call.opens for call in plan.calls) and not is_near:
            raise HomeAssistantError("What opens is not put off to then.")
        plan = await self._plans.async_add(
            replace(plan, trigger=trigger, expires=until)
        )
        return {"planned": self._told(plan)}

    def _find(self, text: str) -> list[ScheduledTask]:
        """Return the plans that a text is for: an id, a name, the last, or all."""
        plans = [
            plan for plan in self._here(acts=True) if plan.calls or self._may_know(plan)
        ]
        if text == _LAST and plans:
            return [max(plans, key=lambda plan: plan.created)]
        found = plans if text == _ALL else [plan for plan in plans if plan.id == text]
        found = found or [
            plan for plan in plans if has_like([*plan.names, plan.say], text)
        ]
        if not found:
            raise HomeAssistantError(f"There is no such plan. {self._list(plans)}")
        return found

    def _here(self, *, acts: bool = False) -> list[ScheduledTask]:
        """Return what may be told of where the person speaks, or be changed.

        Where a place has rules that is their own, and what is about allowed things.
        """
        scope, speaker = self.context.scope, self.context.speaker
        plans = list(self._plans)
        if scope is None or speaker is None:
            return plans
        here = (speaker.user_id, None if speaker.user_id else speaker.satellite_id)
        may = scope.acts if acts else scope.reads
        return [
            plan
            for plan in plans
            if (plan.user_id, plan.satellite_id) == here
            or (plan.entities and all(map(may, plan.entities)))
        ]

    def _list(self, plans: Sequence[ScheduledTask]) -> str:
        return "; ".join(str(self._told(plan)) for plan in plans[:10])

    def _may_know(self, plan: ScheduledTask) -> bool:
        return plan.is_of(self._speaker.user_id)

    def _told(self, plan: ScheduledTask) -> dict[str, Any]:
        """Return what the model is told of a plan."""
        trigger = plan.trigger
        told: dict[str, Any] = {"id": plan.id}
        if plan.say:
            told["say"] = plan.say if self._may_know(plan) else "somebody's reminder"
        else:
            told["does"] = [
                " ".join(filter(None, (part[0].removeprefix("do_"), *part[1:])))
                for call in plan.calls
                for part in call.does
            ]
        if trigger.at:
            told["at"] = told_moment(plan.next_at)
        else:
            told["when"] = spoken_when(trigger, LANGUAGES["en"])
            told["until"] = told_moment(plan.next_at)
        return {**told, **({"note": trigger.note} if trigger.note else {})}


def _is_said(
    hass: HomeAssistant, trigger: Trigger, arguments: Arguments, sentence: Sentence
) -> bool:
    """Return whether a sentence says when: the thing, or all numbers of a time."""
    if trigger.entity_id:
        return is_exposed(hass, trigger.entity_id) and any(
            sentence.names(name, in_parts=False)
            for name in own_names_of(hass, trigger.entity_id)
        )
    text = str(arguments.get("at") or "")
    numbers = {int(number) for number in re.findall(r"\d+", text)} - {0}
    words = as_searched(sentence.text)
    said = {int(number) for number in re.findall(r"\d+", words)}
    for number, names in enumerate(sentence.language.numbers.split()):
        if not {*names.split("|")}.isdisjoint(re.findall(r"\w+", words)):
            said.add(number)
    # Seven is also seven in the evening.
    return bool(numbers) and all({item, item % 12} & said for item in numbers)
