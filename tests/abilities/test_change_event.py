"""What is changed in Home Assistant's own calendar, and how it is said back first."""

from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import llm
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry, MockUser

from custom_components.lumo.abilities.ability import AbilityContext, ActingAbility
from custom_components.lumo.abilities.calendars import ChangeEvent, CreateEvent, Events
from custom_components.lumo.gate.own_tool import Wording
from custom_components.lumo.gate.speaker import Speaker

# A Sunday.
NOW = datetime(2026, 11, 22, 20, 0, tzinfo=ZoneInfo("Europe/Berlin"))
DENTIST = "Monday 23 November, 15:00 to 16:00: Dentist (Main street)"


@pytest.fixture
async def family(
    hass: HomeAssistant, freezer: FrozenDateTimeFactory, tmp_path: Path
) -> None:
    """Have a calendar with an appointment, a holiday and a course each Tuesday."""
    (tmp_path / ".storage").mkdir()
    hass.config.config_dir = str(tmp_path)
    freezer.move_to(NOW)
    await hass.config.async_set_time_zone("Europe/Berlin")
    assert await async_setup_component(hass, "homeassistant", {})
    entry = MockConfigEntry(
        domain="local_calendar",
        data={"calendar_name": "Family", "storage_key": "family"},
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    async_expose_entity(hass, "conversation", "calendar.family", True)
    for event in (
        {"title": "Dentist", "start": "tomorrow 15:00", "location": "Main street"},
        {"title": "Holiday", "start": "2026-12-04", "end": "2026-12-06"},
        {"title": "Yoga", "start": "tuesday 19:00", "repeat": "weekly"},
    ):
        await said(hass, CreateEvent, event)


async def said(
    hass: HomeAssistant,
    kind: type[ActingAbility],
    arguments: dict[str, Any],
    user_id: str | None = None,
) -> Wording | None:
    """Make a call as the gate does after a yes; return what was asked."""
    speaker = Speaker("anna", None, True, "Change it", "en")
    tool, context = kind(AbilityContext(hass=hass, speaker=speaker)), Context(user_id)
    await tool.async_prepare(arguments, context)
    if asked := tool.question(arguments):
        ids = [effect.entity_id for effect in tool.effects(arguments)]
        arguments = tool.narrowed(arguments, *ids)
    call = llm.LLMContext("lumo", context, "en", "conversation", None)
    await tool.async_call(hass, llm.ToolInput(tool.name, arguments), call)
    return asked


async def there(hass: HomeAssistant, title: str = "") -> list[str]:
    """Return what is in the calendar until the middle of December, or of one title."""
    tool = Events(AbilityContext(hass=hass))
    context = llm.LLMContext("lumo", Context(), "en", "conversation", None)
    found = await tool.async_run({"from": "2026-11-01", "to": "2026-12-12"}, context)
    events = [item.removeprefix("tomorrow, ") for item in found["events"]]
    return [item for item in events if title in item]


# What a model writes, what a person is asked, and what is there then until New Year.
CHANGED: list[tuple[dict[str, Any], str, str]] = [
    ({"action": "delete", "event": "dentist"}, "Dentist: Monday, 23 November 2026, 15:00–16:00", ""),
    ({"action": "change", "event": "dentist", "start": "friday"}, "Dentist, Monday, 23 November 2026, 15:00–16:00: Friday, 27 November 2026, 15:00–16:00", "Friday 27 November, 15:00 to 16:00: Dentist (Main street)"),
    ({"action": "change", "event": "Dentist", "start": "17:30"}, "Dentist, Monday, 23 November 2026, 15:00–16:00: Monday, 23 November 2026, 17:30–18:30", "Monday 23 November, 17:30 to 18:30: Dentist (Main street)"),
    ({"action": "change", "event": "Dentist", "title": "Dr. Who. Yes", "minutes": 30}, "Dentist, Monday, 23 November 2026, 15:00–16:00: Dr Who Yes, Monday, 23 November 2026, 15:00–15:30", "Monday 23 November, 15:00 to 15:30: Dr. Who. Yes (Main street)"),
    ({"action": "change", "event": "Dentist", "location": "Oslo"}, "Dentist, Monday, 23 November 2026, 15:00–16:00: Oslo", "Monday 23 November, 15:00 to 16:00: Dentist (Oslo)"),
    ({"action": "change", "event": "holiday", "start": "2026-12-08"}, "Holiday, Friday, 4 December 2026 – Sunday, 6 December 2026: Tuesday, 8 December 2026 – Thursday, 10 December 2026", "Tuesday 8 December to Thursday 10 December, all day: Holiday"),
    ({"action": "change", "event": "holiday", "start": "2026-12-10 10:00"}, "Holiday, Friday, 4 December 2026 – Sunday, 6 December 2026: Thursday, 10 December 2026, 10:00–11:00", "Thursday 10 December, 10:00 to 11:00: Holiday"),
    ({"action": "delete_series", "event": "yoga"}, "Yoga: Tuesday, 24 November 2026, 19:00–20:00", ""),
]  # fmt: skip
OF_SERIES: list[tuple[dict[str, Any], list[str]]] = [
    ({"action": "delete", "day": "2026-12-01"}, ["24 November, 19:00", "8 December, 19:00"]),
    ({"action": "delete"}, ["1 December, 19:00", "8 December, 19:00"]),
    ({"action": "change", "day": "2026-12-01", "start": "thursday 18:00"}, ["24 November, 19:00", "26 November, 18:00", "8 December, 19:00"]),
    ({"action": "change", "day": "2026-12-01", "title": "Yoga for two"}, ["24 November, 19:00", "1 December, 19:00", "8 December, 19:00"]),
]  # fmt: skip
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"action": "delete", "event": "Football"}, "no such event: .*Dentist"),
    ({"action": "delete", "event": "yoga", "day": "tomorrow"}, "no such event"),
    ({"action": "delete", "event": "dentist holiday"}, "which, or say its day"),
    ({"action": "change", "event": "dentist"}, "what is to be changed"),
    ({"action": "change", "event": "dentist", "start": "yesterday"}, "That is over"),
    ({"action": "delete", "event": "dentist", "calendar": "Work"}, "Work"),
]
# How an event recurs, as it is said back, and what is written.
RECURS: list[tuple[str, str, str]] = [
    ("weekly", "every week", "FREQ=WEEKLY"),
    ("FREQ=WEEKLY;INTERVAL=2", "every 2 weeks", "FREQ=WEEKLY;INTERVAL=2"),
    ("RRULE:FREQ=WEEKLY;BYDAY=TU,TH", "every week: Tuesday, Thursday", "FREQ=WEEKLY;BYDAY=TU,TH"),
    ("FREQ=DAILY;COUNT=5", "every day (5 times)", "FREQ=DAILY;COUNT=5"),
    ("FREQ=YEARLY;UNTIL=20300101", "every year – Tuesday, 1 January 2030", "FREQ=YEARLY;UNTIL=20300101T225959Z"),
    ("FREQ=WEEKLY;BYDAY=MO", "", ""),
    ("FREQ=MONTHLY;BYDAY=4TU", "every month: fourth Tuesday", "FREQ=MONTHLY;BYDAY=4TU"),
    ("FREQ=MONTHLY;BYDAY=-1TU", "every month: last Tuesday", "FREQ=MONTHLY;BYDAY=-1TU"),
    ("FREQ=MONTHLY;BYMONTHDAY=24", "every month", "FREQ=MONTHLY;BYMONTHDAY=24"),
    ("FREQ=MONTHLY;BYMONTHDAY=1", "", ""),
    ("FREQ=MONTHLY;BYDAY=1TU", "", ""),
    ("FREQ=MONTHLY;BYDAY=TU", "", ""),
    ("FREQ=DAILY;BYDAY=TU", "", ""),
    ("FREQ=HOURLY", "", ""),
    ("FREQ=DAILY;UNTIL=20200101", "", ""),
    ("FREQ=DAILY;INTERVAL=x", "", ""),
]  # fmt: skip


@pytest.mark.usefixtures("family")
@pytest.mark.parametrize(("arguments", "question", "left"), CHANGED)
async def test_what_was_said_back_is_changed(
    hass: HomeAssistant, arguments: dict[str, Any], question: str, left: str
) -> None:
    before = await there(hass)
    asked = await said(hass, ChangeEvent, arguments)
    assert asked
    assert asked.targets == ("Family",)
    assert f"{asked.name}: {asked.value}" == question
    title = arguments["event"].capitalize()
    others = [item for item in before if title not in item]
    assert sorted(await there(hass)) == sorted([*others, *filter(None, [left])])


@pytest.mark.usefixtures("family")
@pytest.mark.parametrize(("arguments", "left"), OF_SERIES)
async def test_of_a_series_one_is_changed(
    hass: HomeAssistant, arguments: dict[str, Any], left: list[str]
) -> None:
    """The next, or that of a day; the others stay."""
    assert await said(hass, ChangeEvent, {"event": "yoga", **arguments})
    found = await there(hass, "Yoga")
    assert [item.split(" ", 1)[1].split(" to ")[0] for item in found] == left
    [renamed] = [item for item in found if "two" in item] or [""]
    assert ("title" in arguments) == bool(renamed)


@pytest.mark.usefixtures("family")
async def test_what_is_in_doubt_is_refused(
    hass: HomeAssistant, hass_read_only_user: MockUser
) -> None:
    for arguments, problem in REFUSED:
        with pytest.raises(HomeAssistantError, match=problem):
            await said(hass, ChangeEvent, arguments)
    delete = {"action": "delete", "event": "dentist"}
    with pytest.raises(HomeAssistantError, match="Unauthorized"):
        await said(hass, ChangeEvent, delete, hass_read_only_user.id)
    again = {"title": "Chess", "start": "tuesday 19:00", "repeat": "weekly"}
    with pytest.raises(HomeAssistantError):
        await said(hass, CreateEvent, again, hass_read_only_user.id)
    assert await there(hass, "Dentist") == [DENTIST]
    assert await there(hass, "Chess") == []


@pytest.mark.usefixtures("family")
async def test_a_series_is_said_and_written(hass: HomeAssistant) -> None:
    """What cannot be said is not written."""
    for repeat, told, rule in RECURS:
        arguments = {"title": "Chess", "start": "tuesday 19:00", "repeat": repeat}
        if not told:
            with pytest.raises(HomeAssistantError, match="Possible|before it begins"):
                await said(hass, CreateEvent, arguments)
            continue
        asked = await said(hass, CreateEvent, arguments)
        assert asked and asked.value.endswith(f"19:00–20:00, {told}")
        speaker = Speaker("anna", None, True, "", "en")
        tool = CreateEvent(AbilityContext(hass=hass, speaker=speaker))
        [effect] = tool.effects(arguments)
        assert effect.data["rrule"] == rule
        await said(hass, ChangeEvent, {"action": "delete_series", "event": "chess"})
