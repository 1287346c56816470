"""The options of an agent: a subentry that is added, or changed.

One save at the end of the steps: what everybody decides, all other options unless the
recommended ones will do, the notes, and the tools of the chosen LLM APIs.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from homeassistant.config_entries import SubentryFlowResult
from homeassistant.const import CONF_LLM_HASS_API, CONF_NAME
from homeassistant.core import Context
from homeassistant.helpers.selector import SelectOptionDict
from homeassistant.helpers.translation import async_get_translations

from .. import const
from ..abilities.note_store import HOUSE, NoteError, checked
from ..agent.approved import plan_text
from ..agent.options import AgentOptions, OptionProblem, is_at_home
from ..agent.phone import async_check_phone
from ..agent.sentences import async_load_sentences
from ..gate.places import as_stored_now
from ..gate.sensitive import usual_temperatures
from ..internals import user_of_request
from ..issues.home_issues import usual_options
from ..languages import LANGUAGES, translated
from ..sign_in.ways import free_title, title_of
from .fields import (
    COPY_OF,
    OTHER_OPTIONS,
    PLANS,
    RECOMMENDED,
    first_schema,
    notes_schema,
    section_fields,
    settings_schema,
    tools_schema,
)
from .other_flows import OptionsFlow
from .tool_list import ListedTool, api_names, async_list_tools

# In the instructions; Home Assistant would take braces in its texts for its own.
_VARIABLES = {name: f"`{{{{ {name} }}}}`" for name in ("speaker", "area", "language")}


class ConversationFlow(OptionsFlow):
    """Add an agent, or change its options."""

    _title: str
    _first: dict[str, Any]
    _data: dict[str, Any]
    _original: dict[str, Any] | None = None
    """The options of the agent that a new one is to be a copy of."""
    _plans: Sequence[SelectOptionDict] = ()
    _cancelled: Sequence[str] = ()
    _notes: Mapping[str, list[str]]
    """The notes that were shown, by field."""
    _tools: dict[str, ListedTool]
    """The tools of the last step, by identity."""

    async def async_step_init(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show what everybody decides, and take it."""
        given, entry = dict(user_input or {}), self._get_entry()
        if original := given.pop(COPY_OF, None):
            self._original = dict(entry.subentries[original].data)
        elif user_input is not None:
            return await self._async_begin(given)
        apis = api_names(self.hass)
        usual = usual_options(self.hass)
        stored = self._stored or usual
        # An agent whose APIs were cleared has none: the key is absent.
        chosen = [api for api in stored.get(CONF_LLM_HASS_API, ()) if api in apis]
        others = {const.CONF_TOOLS, *OTHER_OPTIONS}
        name = None
        if self._is_new:
            name = given.get(CONF_NAME) or free_title(self.hass, title_of(entry.data))
        else:
            self._plans = await self._async_plans()
        return self.async_show_form(
            step_id="init",
            data_schema=self.add_suggested_values_to_schema(
                first_schema(apis, name=name, plans=self._plans, agents=self._agents()),
                {
                    **usual,
                    **stored,
                    CONF_LLM_HASS_API: chosen,
                    PLANS: [plan["value"] for plan in self._plans],
                    const.CONF_AT_HOME: is_at_home(stored),
                    RECOMMENDED: all(
                        stored.get(option, usual.get(option)) == usual.get(option)
                        for option in others
                    ),
                },
            ),
            description_placeholders=_VARIABLES,
        )

    async def _async_begin(self, data: dict[str, Any]) -> SubentryFlowResult:
        self._title = data.pop(CONF_NAME, "")
        recommended = data.pop(RECOMMENDED)
        planned = [plan["value"] for plan in self._plans]
        kept = data.pop(PLANS, planned)
        self._cancelled = [item for item in planned if item not in kept]
        # An unchanged switch keeps following the instructions.
        if data[const.CONF_AT_HOME] == is_at_home(self._stored):
            data.pop(const.CONF_AT_HOME)
            if (chosen := self._stored.get(const.CONF_AT_HOME)) is not None:
                data[const.CONF_AT_HOME] = chosen
        # Without an API the key is absent: such an agent only talks.
        if not data.get(CONF_LLM_HASS_API):
            data.pop(CONF_LLM_HASS_API, None)
        self._first = data
        if not recommended:
            return await self.async_step_settings()
        usual = usual_options(self.hass)
        usual.pop(CONF_LLM_HASS_API)
        self._data = {**usual, **data}
        return await self._async_store()

    def _agents(self) -> list[SelectOptionDict]:
        """Return what a new agent may be a copy of, unless it is one already."""
        if self._original or not self._is_new:
            return []
        agents = self._get_entry().get_subentries_of_type(const.SUBENTRY_CONVERSATION)
        return [
            SelectOptionDict(value=agent.subentry_id, label=agent.title)
            for agent in agents
        ]

    async def _async_plans(self) -> list[SelectOptionDict]:
        own = self._get_reconfigure_subentry().subentry_id
        sentences = await async_load_sentences(self.hass, self._language)
        user_id, language = _person().user_id, LANGUAGES[self._language]
        return [
            SelectOptionDict(value=plan.id, label=plan_text(sentences, plan, language))
            for plan in self._get_entry().runtime_data.plans
            if plan.agent == own and (plan.asks or plan.is_of(user_id))
        ]

    async def async_step_settings(
        self, user_input: dict[str, Any] | None = None
    ) -> SubentryFlowResult:
        """Show all other options, and take them."""
        errors, reason, wrong = dict[str, str](), "", None
        if user_input is not None:
            try:
                await self._async_take(user_input)
            except OptionProblem as err:
                wrong, reason = err.option, str(err)
                errors["base"] = f"invalid_{wrong}"
            else:
                return await self.async_step_notes()
        stored = {**usual_options(self.hass), **self._stored}
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
        """Show the notes of the house and this person's own, and change them at once."""
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
        found, unreadable = await self._async_find_tools()
        # What the autonomy rules out is not shown, and keeps its setting.
        self._tools = {
            tool.identity: tool
            for tool in found
            if tool.kind == "reads"
            or self._data[const.CONF_AUTONOMY] != const.Autonomy.READS
        }
        if not self._tools and not unreadable:
            return await self._async_store()
        offered = [tool for tool in self._tools.values() if tool.offered_name]
        return self.async_show_form(
            step_id="tools",
            data_schema=self.add_suggested_values_to_schema(
                tools_schema(await self._async_labels()), self._suggested_tools()
            ),
            errors={"base": "tools_not_readable"} if unreadable else {},
            description_placeholders={
                "apis": ", ".join(unreadable),
                "found": str(len(self._tools)),
                "offered": str(len(offered)),
            },
            last_step=True,
        )

    @property
    def _language(self) -> str:
        return translated(self.hass.config.language)

    @property
    def _stored(self) -> dict[str, Any]:
        """Return the stored options, with rules by place in today's form."""
        data = self._original or super()._stored
        if not data:
            return data
        rules = [as_stored_now(rule) for rule in data.get(const.CONF_PLACES, ())]
        return {**data, const.CONF_PLACES: rules}

    def _suggested_tools(self) -> dict[str, list[str]]:
        return {
            permission.value: [
                key
                for key, tool in self._tools.items()
                if tool.permission is permission
            ]
            for permission in (const.Permission.OFF, const.Permission.ASK)
        }

    async def _async_take(self, user_input: Mapping[str, Mapping[str, Any]]) -> None:
        data = dict(self._first)
        for options in user_input.values():
            data |= options
        low, high = usual_temperatures(self.hass)
        low = data.get(const.CONF_MIN_TEMPERATURE, low)
        high = data.get(const.CONF_MAX_TEMPERATURE, high)
        if low >= high:
            unit = self.hass.config.units.temperature_unit
            raise OptionProblem(
                const.CONF_MIN_TEMPERATURE, f"{low:g} {unit} ≥ {high:g} {unit}"
            )
        await async_check_phone(self.hass, data)
        # Settings of tools that are not found now stay.
        if tools := self._stored.get(const.CONF_TOOLS):
            data[const.CONF_TOOLS] = tools
        self._data = data

    async def _async_find_tools(self) -> tuple[list[ListedTool], list[str]]:
        credential = self._get_entry().runtime_data.client.credential
        options = AgentOptions.from_subentry(self._data, encrypted=credential.encrypted)
        tools, failed = await async_list_tools(self.hass, options, _person())
        names = api_names(self.hass)
        return tools, [names.get(api_id, api_id) for api_id in failed]

    async def _async_labels(self) -> list[SelectOptionDict]:
        prefix = f"component.{const.DOMAIN}.selector.tool.options."
        texts = await async_get_translations(
            self.hass, self._language, "selector", {const.DOMAIN}
        )
        labels: list[SelectOptionDict] = []
        for key, tool in self._tools.items():
            api = tool.api.name if tool.api else ""
            parts = filter(None, (tool.title, api, texts[f"{prefix}{tool.kind}"]))
            labels.append(SelectOptionDict(value=key, label=" · ".join(parts)))
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
        if self._cancelled:
            await self._get_entry().runtime_data.plans.async_remove(self._cancelled)
        return self._save(self._title, self._data)


def _person() -> Context:
    return Context(user_id=user_of_request())
