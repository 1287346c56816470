"""The options of an agent: a subentry that is added, or changed.

Three steps, one save at the end: what everybody decides; unless the recommended
settings will do, all other options; and then the tools that are found through the
chosen LLM APIs, if there are any.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from homeassistant.config_entries import SubentryFlowResult
from homeassistant.const import CONF_LLM_HASS_API, CONF_NAME
from homeassistant.core import Context
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.selector import SelectOptionDict
from homeassistant.helpers.translation import async_get_translations

from .. import const
from ..abilities.note_store import HOUSE, NoteError, checked
from ..abilities.plans import ScheduledTask
from ..abilities.triggers import spoken_when
from ..agent.approved import what_of
from ..agent.options import AgentOptions, OptionProblem
from ..agent.phone import async_check_phone
from ..agent.sentences import async_load_sentences
from ..context.home import async_get_home
from ..gate.places import as_stored_now
from ..gate.sensitive import usual_temperatures
from ..internals import user_of_request
from ..issues.doors import usual_options
from ..languages import LANGUAGES, translated
from ..sign_in.ways import free_title, title_of
from .base import OptionsFlow
from .fields import (
    FIRST_OPTIONS,
    PLANS,
    RECOMMENDED,
    first_schema,
    notes_schema,
    section_fields,
    settings_schema,
    tools_schema,
)
from .tool_list import (
    ListedTool,
    api_names,
    async_list_tools,
    async_read_apis,
    make_context,
    total,
)

# What an agent has only if its owner chose it.
_WITHOUT_DEFAULT: Final = frozenset(
    {
        const.CONF_MIN_TEMPERATURE,
        const.CONF_MAX_TEMPERATURE,
        const.CONF_PHONE_PERSON,
        const.CONF_TOOLS,
    }
)
# In the instructions; Home Assistant would take braces in its texts for its own.
_VARIABLES = {name: f"`{{{{ {name} }}}}`" for name in ("speaker", "area", "language")}


class ConversationFlow(OptionsFlow):
    """Add an agent, or change its options."""

    _title: str
    _first: dict[str, Any]
    """What the first form said."""
    _data: dict[str, Any]
    """What will be stored."""
    _plans: Mapping[str, ScheduledTask] = {}
    """What the form has shown of what is to be done later, by its ids."""
    _cancelled: Sequence[str] = ()
    _notes: Mapping[str, list[str]]
    """The notes that were shown, by the field that they stand in."""
    _tools: dict[str, ListedTool]
    """The tools of the last step by their identity."""

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show what everybody decides, and take it."""
        if user_input is not None:
            return await self._async_begin(dict(user_input))
        apis = api_names(self.hass)
        usual = usual_options(self.hass)
        stored = {**usual, **self._stored}
        if not self._is_new:
            # An agent whose APIs were cleared has none: the key is absent.
            stored[CONF_LLM_HASS_API] = self._stored.get(CONF_LLM_HASS_API, [])
        chosen = [api for api in stored[CONF_LLM_HASS_API] if api in apis]
        name = None
        if self._is_new:
            name = free_title(self.hass, title_of(self._get_entry().data))
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(
                first_schema(apis, name=name, plans=await self._async_plans()),
                {
                    **stored,
                    CONF_LLM_HASS_API: chosen,
                    PLANS: [*self._plans],
                    RECOMMENDED: is_recommended(self._stored, usual),
                },
            ),
            description_placeholders=_VARIABLES,
        )

    async def _async_begin(self, data: dict[str, Any]) -> SubentryFlowResult:
        """Keep what the first form says, and go on to where it leads."""
        self._title = data.pop(CONF_NAME, "")
        recommended = data.pop(RECOMMENDED)
        kept = data.pop(PLANS, self._plans)
        self._cancelled = [item for item in self._plans if item not in kept]
        # Without an API the key is absent: such an agent only talks.
        if not data.get(CONF_LLM_HASS_API):
            data.pop(CONF_LLM_HASS_API, None)
        self._first = data
        if not recommended:
            return await self.async_step_settings()
        others = {
            option: value
            for option, value in usual_options(self.hass).items()
            if option not in FIRST_OPTIONS
        }
        self._data = {**others, **data}
        return await self._async_store()

    async def _async_plans(self) -> list[SelectOptionDict]:
        """Return what this agent is to do later, as it is shown."""
        if self._is_new:
            return []
        own = self._get_reconfigure_subentry().subentry_id
        sentences = await async_load_sentences(self.hass, self._language)
        user_id, language = _person().user_id, LANGUAGES[self._language]
        self._plans = {
            plan.id: plan
            for plan in self._get_entry().runtime_data.plans
            if plan.agent == own and (plan.call or plan.is_of(user_id))
        }
        return [
            SelectOptionDict(
                value=plan.id,
                label=f"{spoken_when(plan.trigger, language)}: "
                f"{what_of(sentences, plan)}",
            )
            for plan in self._plans.values()
        ]

    async def async_step_settings(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show all other options, and take them."""
        errors: dict[str, str] = {}
        reason = ""
        wrong = None
        stored = {**usual_options(self.hass), **self._stored}
        if user_input is not None:
            try:
                self._take(user_input)
                await async_check_phone(self.hass, self._data)
            except OptionProblem as err:
                errors["base"] = f"invalid_{err.option}"
                reason = str(err)
                wrong = err.option
            else:
                return await self.async_step_notes()
        unit = self.hass.config.units.temperature_unit
        low, high = usual_temperatures(self.hass)
        return self.async_show_form(
            step_id="settings",
            data_schema=self.add_suggested_values_to_schema(
                settings_schema(unit, wrong),
                user_input or dict.fromkeys(section_fields(unit), stored),
            ),
            errors=errors,
            description_placeholders={
                "reason": reason,
                "lowest": f"{low:g} {unit}",
                "highest": f"{high:g} {unit}",
            },
            last_step=False,
        )

    async def async_step_notes(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the notes of the house and this person's own, and change them.

        At once: they are no options. Those of other people are nobody's to read.
        """
        notes, person = self._get_entry().runtime_data.notes, _person().user_id
        owners = {"notes_house": HOUSE} | ({"notes_own": person} if person else {})
        errors: dict[str, str] = {}
        if user_input is not None:
            language = LANGUAGES[self._language]
            try:
                texts = {
                    key: [checked(text, language) for text in user_input[key]]
                    for key in owners
                    # A list that is not sent was not touched.
                    if key in user_input
                }
                for key, some in texts.items():
                    # What was noted meanwhile stays.
                    await notes.async_change(
                        owners[key], drop=self._notes[key], add=some
                    )
            except NoteError as err:
                errors["base"] = err.key
            else:
                return await self.async_step_tools()
        else:
            self._notes = {key: notes.of(owner) for key, owner in owners.items()}
            if not any(self._notes.values()):
                return await self.async_step_tools()
        return self.async_show_form(
            step_id="notes",
            data_schema=self.add_suggested_values_to_schema(
                notes_schema(owners), user_input or self._notes
            ),
            errors=errors,
            last_step=False,
        )

    async def async_step_tools(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show the tools, and store everything."""
        if user_input is not None:
            self._choose(user_input)
            return await self._async_store()
        if (
            not self._data.get(CONF_LLM_HASS_API)
            or self._data[const.CONF_AUTONOMY] == const.Autonomy.ANSWERS
        ):
            return await self._async_store()
        found, unreadable = await self._async_find_tools()
        # Those that the autonomy rules out are no choice, and keep what they have.
        self._tools = {
            tool.identity: tool
            for tool in found
            if tool.kind == "reads"
            or self._data[const.CONF_AUTONOMY] != const.Autonomy.READS
        }
        if not self._tools and not unreadable:
            return await self._async_store()
        offered = [tool for tool in self._tools.values() if tool.offered_name]
        home = await async_get_home(self.hass, self._language)
        return self.async_show_form(
            step_id="tools",
            data_schema=self.add_suggested_values_to_schema(
                tools_schema(await self._async_labels()), self._suggested_tools()
            ),
            # Nothing that the person did wrong, but what they have to know.
            errors={"base": "tools_not_readable"} if unreadable else {},
            description_placeholders={
                "apis": ", ".join(unreadable),
                "found": str(len(self._tools)),
                "offered": str(len(offered)),
                "characters": _about(total(offered)),
                "home": _about(len(home.full)),
            },
            last_step=True,
        )

    @property
    def _language(self) -> str:
        return translated(self.hass.config.language)

    @property
    def _stored(self) -> dict[str, Any]:
        """Return the options as they are stored; rules by place as they are now."""
        data = super()._stored
        if not data:
            return data
        rules = [as_stored_now(rule) for rule in data.get(const.CONF_PLACES, ())]
        return {**data, const.CONF_PLACES: rules}

    def _suggested_tools(self) -> dict[str, list[str]]:
        """Return the tools that are not simply on, by what they are."""
        return {
            permission.value: [
                key
                for key, tool in self._tools.items()
                if tool.permission is permission
            ]
            for permission in (const.Permission.OFF, const.Permission.ASK)
        }

    def _take(self, user_input: Mapping[str, Mapping[str, Any]]) -> None:
        """Keep what was entered for the end; raises OptionProblem."""
        data = dict(self._first)
        for options in user_input.values():
            data |= options
        self._check_temperatures(data)
        # What was chosen for tools stays, also for those that are not found now.
        if tools := self._stored.get(const.CONF_TOOLS):
            data[const.CONF_TOOLS] = tools
        self._data = data

    def _check_temperatures(self, data: Mapping[str, Any]) -> None:
        """Raise OptionProblem for a range that contains no temperature."""
        low, high = usual_temperatures(self.hass)
        low = data.get(const.CONF_MIN_TEMPERATURE, low)
        high = data.get(const.CONF_MAX_TEMPERATURE, high)
        if low >= high:
            unit = self.hass.config.units.temperature_unit
            raise OptionProblem(
                const.CONF_MIN_TEMPERATURE, f"{low:g} {unit} ≥ {high:g} {unit}"
            )

    async def _async_find_tools(self) -> tuple[list[ListedTool], list[str]]:
        """Return the tools found, and the names of the APIs that cannot be read."""
        api_ids = self._data[CONF_LLM_HASS_API]
        names = api_names(self.hass)
        credential = self._get_entry().runtime_data.client.credential
        options = AgentOptions.from_subentry(self._data, encrypted=credential.encrypted)
        context = make_context(self.hass, _person())
        apis, failed = await async_read_apis(self.hass, api_ids, context)
        try:
            tools = await async_list_tools(self.hass, apis, options, context)
        except HomeAssistantError:
            tools = []
            failed = dict.fromkeys(api_ids, "")
        return tools, [names.get(api_id, api_id) for api_id in failed]

    async def _async_labels(self) -> list[SelectOptionDict]:
        """Return how each tool is shown.

        Home Assistant translates the fields of a form, but not options that are made
        while it runs: these are in the language of the home.
        """
        prefix = f"component.{const.DOMAIN}.selector.tool.options."
        texts = await async_get_translations(
            self.hass, self._language, "selector", {const.DOMAIN}
        )
        labels: list[SelectOptionDict] = []
        for key, tool in self._tools.items():
            details = [
                *([tool.api.name] if tool.api else []),
                texts[f"{prefix}{tool.kind}"],
                texts[f"{prefix}size"].format(characters=_grouped(tool.characters)),
            ]
            labels.append(
                SelectOptionDict(value=key, label=" · ".join((tool.title, *details)))
            )
        return labels

    def _choose(self, user_input: Mapping[str, Any]) -> None:
        # A list that is not sent was not touched. The stricter list wins.
        lists = {**self._suggested_tools(), **user_input}
        chosen = dict(self._data.pop(const.CONF_TOOLS, {}))
        for key, tool in self._tools.items():
            chosen.pop(key, None)
            choice = const.Permission.ON
            for permission in (const.Permission.ASK, const.Permission.OFF):
                if key in lists[permission.value]:
                    choice = permission
            if choice is not tool.rule:
                chosen[key] = choice.value
        if chosen:
            self._data[const.CONF_TOOLS] = chosen

    async def _async_store(self) -> SubentryFlowResult:
        # One that was changed meanwhile, or is another one by now, is not what was seen.
        if self._cancelled:
            plans = self._get_entry().runtime_data.plans
            await plans.async_remove(
                item for item in self._cancelled if plans.get(item) == self._plans[item]
            )
        return self._save(self._title, self._data)


def is_recommended(stored: Mapping[str, Any], usual: Mapping[str, Any]) -> bool:
    """Return whether an agent has nothing set but what the first form asks."""
    return not stored.keys() & _WITHOUT_DEFAULT and all(
        option in FIRST_OPTIONS or usual.get(option, value) == value
        for option, value in stored.items()
    )


def _about(number: int) -> str:
    return _grouped(round(number, -2) if number >= 1000 else number)


def _grouped(number: int) -> str:
    """Return a number in groups of three, with the narrow space of ISO 80000."""
    return f"{number:,}".replace(",", "\u202f")


def _person() -> Context:
    """Return the context of the person who fills in the form."""
    return Context(user_id=user_of_request())
