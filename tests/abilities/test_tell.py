"""Who is told something: at which satellite, or on which phone."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from freezegun.api import FrozenDateTimeFactory
from homeassistant.components.assist_satellite import (
    AssistSatelliteEntity,
    AssistSatelliteEntityFeature,
)
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import (
    area_registry as ar,
    entity_registry as er,
    floor_registry as fr,
    llm,
)
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import (
    MockUser,
    setup_test_component_platform,
)

from custom_components.lumo.abilities import tell
from custom_components.lumo.abilities.ability import AbilityContext
from custom_components.lumo.abilities.tell import Tell
from custom_components.lumo.gate.speaker import Speaker
from tests.redteam.phones import Phone, async_add_person, pushing

KITCHEN = "assist_satellite.kitchen"
NOON = datetime(2026, 11, 22, 12, 0, tzinfo=ZoneInfo("UTC"))


class Satellite(AssistSatelliteEntity):
    """A satellite that notes what it announces, after a while."""

    _attr_should_poll = False
    _attr_supported_features = AssistSatelliteEntityFeature.ANNOUNCE
    takes = 0.0

    def __init__(self, name: str) -> None:
        self._attr_name = self._attr_unique_id = name
        self.heard: list[str | None] = []

    def on_pipeline_event(self, event: Any) -> None:
        """Do nothing."""

    def async_get_configuration(self) -> Any:
        """Return nothing."""

    async def async_set_configuration(self, config: Any) -> None:
        """Do nothing."""

    async def async_internal_announce(
        self, message: str | None = None, *args: Any, **kwargs: Any
    ) -> None:
        """Announce without speech synthesis."""
        await asyncio.sleep(self.takes)
        self.heard.append(message)


class Home:
    """Three satellites, and two people of whom one has a satellite too."""

    def __init__(self, hass: HomeAssistant) -> None:
        self.hass = hass
        self.satellites = {
            "kitchen": Satellite("Kitchen"),
            "study": Satellite("Study"),
            "tower": Satellite("Emma's room"),
        }
        for name, satellite in self.satellites.items():
            satellite.entity_id = f"assist_satellite.{name}"
        self.phones: dict[str, Phone] = {}

    async def tell(
        self,
        *,
        user_id: str | None = None,
        satellite: str | None = KITCHEN,
        **arguments: Any,
    ) -> dict[str, Any]:
        """Make a call; return its result, with what was announced and shown."""
        speaker = Speaker(user_id, satellite, True, "Tell them", "en")
        tool = Tell(AbilityContext(hass=self.hass, speaker=speaker))
        context = llm.LLMContext("lumo", Context(user_id), "en", "conversation", None)
        result = await tool.async_run(arguments, context)
        return {
            **result,
            "heard": {
                name: item.heard for name, item in self.satellites.items() if item.heard
            },
            "shown": {
                name: phone.shown[-1]
                for name, phone in self.phones.items()
                if phone.shown
            },
        }


@pytest.fixture
async def home(
    hass: HomeAssistant, hass_admin_user: MockUser, socket_enabled: None
) -> AsyncGenerator[Home]:
    await hass.config.async_set_time_zone("UTC")
    home = Home(hass)
    for domain in ("homeassistant", "conversation", "tts", "stt"):
        assert await async_setup_component(hass, domain, {})
    setup_test_component_platform(
        hass, "assist_satellite", list(home.satellites.values())
    )
    config = {"assist_satellite": {"platform": "test"}}
    assert await async_setup_component(hass, "assist_satellite", config)
    await hass.async_block_till_done()
    upstairs = fr.async_get(hass).async_create("Upstairs").floor_id
    for name, floor in (("kitchen", None), ("study", upstairs), ("tower", upstairs)):
        area = ar.async_get(hass).async_create(name.capitalize(), floor_id=floor)
        entity_id = f"assist_satellite.{name}"
        er.async_get(hass).async_update_entity(entity_id, area_id=area.id)
    async with pushing() as (url, shown):
        for name in ("emma", "anna"):
            phone = home.phones[name] = Phone(
                hass, name, hass_admin_user.id, f"{url}/{name}"
            )
            await phone.async_register()
            phone.shown = shown.setdefault(name, [])
        for name, user in (("Emma", None), ("Anna", hass_admin_user.id), ("Ben", None)):
            phones = [home.phones[name.lower()]] if name != "Ben" else []
            person = await async_add_person(hass, name, user, *phones)
            async_expose_entity(hass, "conversation", person, True)
        async_expose_entity(hass, "conversation", "person.ben", False)
        yield home


def at_home(hass: HomeAssistant, person: str, state: str = "home") -> None:
    known = hass.states.get(person)
    assert known
    hass.states.async_set(person, state, known.attributes)


async def test_places_are_told_where_they_have_a_satellite(home: Home) -> None:
    told = await home.tell(message="Dinner", to="upstairs")
    assert told["done"] == ["Study", "Emma's room"]
    assert told["heard"] == {"study": ["Dinner"], "tower": ["Dinner"]}
    for to in ("kitchen", "Ben", "cellar"):
        with pytest.raises(HomeAssistantError, match="Nobody was told.*exposed"):
            await home.tell(message="Dinner", to=to)
    told = await home.tell(message="Again", satellite=None)
    assert told["heard"]["kitchen"] == ["Again"]
    assert not told["shown"]
    with pytest.raises(HomeAssistantError, match="no link"):
        await home.tell(message="Look at evil.example/now", to="study")


async def test_what_does_not_answer_is_said(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tell, "_SECONDS", 0.05)
    home.satellites["study"].takes = 0.3
    told = await home.tell(message="Dinner", to="upstairs")
    assert told["done"] == ["Emma's room"]
    assert told["failed"] == ["Study: no answer within ten seconds"]
    home.hass.states.async_set(
        "assist_satellite.tower", "unavailable", {"supported_features": 1}
    )
    await asyncio.sleep(0.3)
    with pytest.raises(HomeAssistantError, match="no answer"):
        await home.tell(message="Dinner", to="study")
    await asyncio.sleep(0.3)


async def test_a_person_is_told_at_a_satellite_or_on_the_phone(
    home: Home, hass_admin_user: MockUser
) -> None:
    at_home(home.hass, "person.emma")
    told = await home.tell(message="Come down", to="Emma")
    assert told["heard"] == {"tower": ["Come down"]}
    assert not told["shown"]
    at_home(home.hass, "person.emma", "School")
    told = await home.tell(
        message="command_dnd", to="Emma and me", user_id=hass_admin_user.id
    )
    assert told["done"] == ["Emma", "Anna"]
    assert {item["message"] for item in told["shown"].values()} == {"“command_dnd”"}
    assert told["shown"]["emma"]["title"] == hass_admin_user.name


RINGS: list[tuple[str, int, bool, str]] = [
    # Whose, at which hour, signed in, and what comes of it.
    ("Emma", 12, False, "emma"),
    ("me", 12, True, "anna"),
    ("me", 12, False, "Ask who"),
    ("Emma", 23, False, "At night"),
    ("Emma", 3, True, "emma"),
    ("Ben", 12, True, "Ben"),
]


@pytest.mark.parametrize(("whose", "hour", "is_signed_in", "outcome"), RINGS)
async def test_a_phone_rings_for_who_may_know(
    home: Home,
    freezer: FrozenDateTimeFactory,
    hass_admin_user: MockUser,
    whose: str,
    hour: int,
    is_signed_in: bool,
    outcome: str,
) -> None:
    """Loudly, though it is silent."""
    freezer.move_to(NOON + timedelta(hours=hour - 12))
    user_id = hass_admin_user.id if is_signed_in else None
    if outcome not in home.phones:
        with pytest.raises(HomeAssistantError, match=outcome):
            await home.tell(find_phone=whose, user_id=user_id)
        assert not any(phone.shown for phone in home.phones.values())
        return
    told = await home.tell(find_phone=whose, user_id=user_id)
    [(name, shown)] = told["shown"].items()
    assert name == outcome
    assert shown["data"]["channel"] == "alarm_stream"
    assert shown["data"]["push"]["sound"]["critical"] == 1
