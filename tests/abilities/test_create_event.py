"""What is created in a calendar, and how it is said back first."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.calendar import CalendarEntity, CalendarEntityFeature
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import setup_test_component_platform

from custom_components.lumo.abilities import ability
from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.calendars import FEATURES, CreateEvent
from custom_components.lumo.gate.speaker import Speaker

BERLIN = ZoneInfo("Europe/Berlin")
# A Sunday.
NOW = datetime(2026, 11, 22, 23, 59, 50, tzinfo=BERLIN)


class Calendar(CalendarEntity):
    _attr_should_poll = False
    event = None

    def __init__(self, name: str, *, takes_events: bool = True) -> None:
        self._attr_name = name
        self._attr_supported_features = CalendarEntityFeature(takes_events)
        self.created: list[dict[str, Any]] = []

    async def async_create_event(self, **kwargs: Any) -> None:
        self.created.append(kwargs)


@pytest.fixture
async def family(hass: HomeAssistant, freezer: FrozenDateTimeFactory) -> Calendar:
    """Return a calendar among others, of which one is not exposed."""
    freezer.move_to(NOW)
    await hass.config.async_set_time_zone("Europe/Berlin")
    assert await async_setup_component(hass, "homeassistant", {})
    assert not CreateEvent(AbilityContext(hass=hass)).is_useful()
    assert {str(x.name).lower(): x for x in CalendarEntityFeature} == FEATURES
    family = Calendar("Family")
    others = [Calendar("Holidays", takes_events=False), Calendar("Secret")]
    setup_test_component_platform(hass, "calendar", [*others, family, Calendar("Home")])
    config = {"calendar": {"platform": "test"}}
    assert await async_setup_component(hass, "calendar", config)
    await hass.async_block_till_done()
    for name in ("family", "home", "holidays", "secret"):
        exposed = name != "secret"
        async_expose_entity(hass, "conversation", f"calendar.{name}", exposed)
    return family


async def create(
    freezer: FrozenDateTimeFactory,
    hass: HomeAssistant,
    language: str = "en",
    /,
    **arguments: Any,
) -> tuple[str, str]:
    """Return the calendar and the time that are said back; then say yes, on Monday."""
    freezer.move_to(NOW)
    arguments = {"title": "Dentist", **arguments}
    speaker = Speaker("anna", None, True, "Put it in", language)
    tool = CreateEvent(AbilityContext(hass=hass, speaker=speaker))
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    asked = tool.question(arguments)
    if asked:
        ids = [effect.entity_id for effect in tool.effects(arguments)]
        arguments = tool.narrowed(arguments, *ids)
        tool = CreateEvent(AbilityContext(hass=hass, speaker=speaker))
    freezer.tick(20)
    await tool.async_call(hass, llm.ToolInput(tool.name, arguments), context)
    assert asked, arguments
    return asked.targets[0], asked.value


# What a model writes, what a person hears, and what there is then.
CREATED: list[tuple[dict[str, Any], str, str]] = [
    ({"start": "tomorrow 15:00"}, "Monday, 23 November 2026, 15:00–16:00", "2026-11-23T15:00:00+01:00/2026-11-23T16:00:00+01:00"),
    ({"start": "2026-11-23T15:00", "end": "17:30"}, "Monday, 23 November 2026, 15:00–17:30", "2026-11-23T15:00:00+01:00/2026-11-23T17:30:00+01:00"),
    ({"start": "saturday 23:30", "minutes": 45}, "Saturday, 28 November 2026, 23:30 – Sunday, 29 November 2026, 00:15", "2026-11-28T23:30:00+01:00/2026-11-29T00:15:00+01:00"),
    ({"start": "saturday"}, "Saturday, 28 November 2026", "2026-11-28/2026-11-29"),
    ({"start": "2026-12-24", "end": "2026-12-26", "location": " Oslo. Then? "}, "Thursday, 24 December 2026 – Saturday, 26 December 2026, Oslo Then", "2026-12-24/2026-12-27"),
    ({"start": "today"}, "Sunday, 22 November 2026", ""),
    # An hour that the clocks leave out, and one event over their change.
    ({"start": "2027-03-28 02:30"}, "Sunday, 28 March 2027, 03:30–04:30", "2027-03-28T03:30:00+02:00/2027-03-28T04:30:00+02:00"),
    ({"start": "2027-03-28T01:00", "end": "2027-03-28T04:00"}, "Sunday, 28 March 2027, 01:00–04:00", "2027-03-28T01:00:00+01:00/2027-03-28T04:00:00+02:00"),
    ({"start": "2026-11-23T14:00:00Z"}, "Monday, 23 November 2026, 15:00–16:00", "2026-11-23T15:00:00+01:00/2026-11-23T16:00:00+01:00"),
]  # fmt: skip
SPOKEN = {
    "de-AT": "Samstag, 28. November 2026, 09:00–10:00",
    "fr": "samedi, 28 novembre 2026, 09:00–10:00",
    "nl": "zaterdag, 28 november 2026, 09:00–10:00",
    "es": "sábado, 28 de noviembre de 2026, 09:00–10:00",
    "pl": "sobota, 28 listopada 2026, 09:00–10:00",
    "fi": "Saturday, 28 November 2026, 09:00–10:00",
}
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"start": "today 15:00"}, "That is over"),
    ({"start": "yesterday"}, "That is over"),
    ({"start": "2026-11-23T15:00", "end": "2026-11-23T14:00"}, "ends before it begins"),
    ({"start": "tonight"}, "only a date"),
    ({"start": "soon"}, "Not a period"),
    ({"start": ""}, "Not a period"),
    ({"start": "saturday", "title": " "}, "needs a title"),
    ({"start": "saturday", "calendar": "Holidays"}, "There is: Family, Home."),
    ({"start": "saturday", "calendar": "Secret"}, "There is: Family, Home."),
]


async def test_what_was_said_back_is_created(
    hass: HomeAssistant,
    family: Calendar,
    freezer: FrozenDateTimeFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for arguments, when, there in CREATED:
        family.created.clear()
        heard = await create(freezer, hass, **arguments)
        assert heard == ("Family", when), arguments
        [made] = family.created
        start, end = made["dtstart"], made["dtend"]
        assert there in f"{start.isoformat()}/{end.isoformat()}"
        assert made["summary"] == "Dentist"
    for language, when in SPOKEN.items():
        arguments = {"start": "2026-11-28 09:00", "calendar": "family "}
        heard = await create(freezer, hass, language, **arguments)
        assert heard == ("Family", when)
    heard = await create(freezer, hass, start="2026-11-28 09:00", calendar="home")
    assert heard == ("Home", SPOKEN["fi"])
    # What repeats goes where it can.
    found = {"Home": "caldav"}
    monkeypatch.setattr(ability, "integration_of", lambda x: found.get(x.name, ""))
    [name, _] = await create(freezer, hass, start="saturday", repeat="weekly")
    assert name == "Home"


async def test_what_cannot_be_is_refused(
    hass: HomeAssistant, family: Calendar, freezer: FrozenDateTimeFactory
) -> None:
    for arguments, problem in REFUSED:
        with pytest.raises(HomeAssistantError, match=problem):
            await create(freezer, hass, **arguments)
    assert not family.created
