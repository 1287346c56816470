"""What is in the calendars, told for any time."""

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.calendar import CalendarEntity, CalendarEvent
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import setup_test_component_platform

from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.calendars import Events
from custom_components.lumo.tool_calling.json_text import one_line

BERLIN = ZoneInfo("Europe/Berlin")
NOON = datetime(2026, 11, 22, 12, 30, tzinfo=BERLIN)


def at(day: int, hour: int, hours: float, title: str, **more: Any) -> CalendarEvent:
    start = datetime(2026, 11, day, hour, tzinfo=BERLIN)
    return CalendarEvent(start, start + timedelta(hours=hours), title, **more)


FAMILY = [
    at(10, 8, 1, "Chimney sweep"),
    at(
        23,
        14,
        1.5,
        "Dentist",
        location="Main street 5",
        description="Bring\n\nthe card",
    ),
    CalendarEvent(date(2026, 11, 24), date(2026, 11, 25), "Bin day"),
    CalendarEvent(date(2026, 11, 25), date(2026, 11, 28), "Grandma is here"),
    at(27, 20, 6, "Party"),
    at(28, 9, 1, "Zahnarzt"),
]
WORK = [at(23, 9, 1, "Meeting"), *(at(30, 8, 1, f"Call number {n}") for n in range(40))]


class Calendar(CalendarEntity):
    _attr_should_poll = False

    def __init__(self, name: str, events: list[CalendarEvent]) -> None:
        self.entity_id = f"calendar.{name.casefold()}"
        self._attr_name = name
        self.events = events
        self.is_broken = False

    @property
    def event(self) -> None:
        """There is nothing now."""

    async def async_get_events(
        self, hass: HomeAssistant, start_date: datetime, end_date: datetime
    ) -> list[CalendarEvent]:
        if self.is_broken:
            raise HomeAssistantError("https://secret.example/token")
        return [
            event
            for event in self.events
            if event.start_datetime_local < end_date
            and event.end_datetime_local > start_date
        ]


@pytest.fixture
async def calendars(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory
) -> dict[str, Calendar]:
    """Return two calendars, and one that is not exposed."""
    freezer.move_to(NOON)
    await hass.config.async_set_time_zone("Europe/Berlin")
    assert await async_setup_component(hass, "homeassistant", {})
    made = [
        Calendar("Family", FAMILY),
        Calendar("Work", WORK),
        Calendar("Secret", [at(23, 10, 1, "Surprise")]),
    ]
    setup_test_component_platform(hass, "calendar", made)
    config = {"calendar": {"platform": "test"}}
    assert await async_setup_component(hass, "calendar", config)
    await hass.async_block_till_done()
    for calendar in made:
        exposed = calendar.name != "Secret"
        async_expose_entity(hass, "conversation", calendar.entity_id, exposed)
    return {str(calendar.name): calendar for calendar in made}


async def ask(hass: HomeAssistant, **arguments: Any) -> dict[str, Any]:
    ability = Events(AbilityContext(hass=hass))
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    found = await ability.async_call(
        hass, llm.ToolInput(ability.name, arguments), context
    )
    assert "Surprise" not in one_line(found.data)
    return dict(found.data)


DENTIST = "tomorrow, Monday 23 November, 14:00 to 15:30: Dentist (Main street 5"
MEETING = "tomorrow, Monday 23 November, 09:00 to 10:00: Meeting"
# The arguments, the first of what is told, and how much there is.
TOLD: list[tuple[dict[str, Any], str, int]] = [
    ({"period": "tomorrow"}, f"{MEETING} (in Work)", 2),
    ({"period": "tomorrow", "calendar": "family"}, f"{DENTIST})", 1),
    ({"period": "tomorrow", "calendar": "calendar.work"}, MEETING, 1),
    ({"period": "tomorrow", "calendar": "the family calendar"}, f"{DENTIST})", 1),
    ({"calendar": "Family"}, f"{DENTIST})", 5),
    (
        {"period": "tuesday", "calendar": "Family"},
        "Tuesday 24 November, all day: Bin day",
        1,
    ),
    (
        {"from": "2026-11-26", "to": "2026-11-26"},
        "Wednesday 25 November to Friday 27 November, all day: Grandma is here",
        1,
    ),
    (
        {"from": "2026-11-28T00:30", "to": "2026-11-28T01:00"},
        "Friday 27 November, 20:00 to Saturday 28 November, 02:00: Party (in Family)",
        1,
    ),
    ({"text": "dentist appointment"}, f"{DENTIST}; in Family; Bring the card)", 1),
    ({"text": "Zahnarzttermin"}, "Saturday 28 November, 09:00 to 10:00: Zahnarzt", 1),
    ({"text": "chimney"}, "", 0),
    ({"text": "the chimney sweep", "period": "last_month"}, "", 0),
    (
        {"text": "the chimney sweep", "period": "last_30_days"},
        "Tuesday 10 November, 08:00 to 09:00: Chimney sweep",
        1,
    ),
    ({"period": "today"}, "", 0),
]


async def test_any_time(
    hass: HomeAssistant, calendars: dict[str, Calendar], subtests: pytest.Subtests
) -> None:
    for arguments, first, count in TOLD:
        with subtests.test(**arguments):
            data = await ask(hass, **arguments)
            assert "".join(data["events"][:1]).startswith(first)
            assert (len(data["events"]), data["count"]) == (count, count)
            assert bool(first) is bool(count)
    data = await ask(hass, period="today")
    assert data["from"] == "today, Sunday 22 November, 00:00"
    assert data["to"] == "tomorrow, Monday 23 November, 00:00"


async def test_what_is_over_is_told_backwards(
    hass: HomeAssistant, calendars: dict[str, Calendar]
) -> None:
    calendars["Work"].events = [at(day, 8, 1, f"Shift {day}") for day in range(1, 22)]
    data = await ask(hass, calendar="work", period="last_30_days")
    assert data["events"][0].startswith("yesterday, Saturday 21 November")


async def test_what_cannot_be_read_is_said(
    hass: HomeAssistant, calendars: dict[str, Calendar]
) -> None:
    for is_broken, is_available in ((True, True), (False, False)):
        calendars["Work"].is_broken = is_broken
        calendars["Work"]._attr_available = is_available
        data = await ask(hass, period="tomorrow")
        assert (data["count"], data["not_available"]) == (1, ["Work"])
    for name, told in (
        ("work", "^Not available now: Work.$"),
        ("Secret", "Nothing of that kind is called Secret"),
        ("calendar.secret", "Nothing of that kind is called calendar.secret"),
    ):
        with pytest.raises(HomeAssistantError, match=told):
            await ask(hass, calendar=name)
    with pytest.raises(HomeAssistantError, match="Not a period"):
        await ask(hass, period="some time")
    assert Events(AbilityContext(hass=hass)).is_useful()
    for name in ("family", "work"):
        async_expose_entity(hass, "conversation", f"calendar.{name}", False)
    assert not Events(AbilityContext(hass=hass)).is_useful()
