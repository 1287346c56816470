"""The blueprints, imported as their buttons do, do what they say."""

from collections.abc import Callable
from datetime import timedelta
import json
from pathlib import Path
import re
from typing import Any
from urllib.parse import unquote

from homeassistant.components.automation.helpers import async_get_blueprints
from homeassistant.components.blueprint.errors import MissingInput
from homeassistant.components.blueprint.importer import fetch_blueprint_from_url
from homeassistant.components.blueprint.models import BlueprintInputs
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import (
    async_fire_time_changed,
    setup_test_component_platform,
)
from pytest_homeassistant_custom_component.test_util.aiohttp import mock_aiohttp_client

from custom_components.lumo.const import EVENT_QUOTA_LOW
from dev.brain.model import Say
from dev.standin import Standin

from .cameras import Door
from .conftest import Script, session_data
from .helpers import AGENT
from .tasks import TASK, set_up_task

FOLDER = Path(__file__).parents[2] / "docs" / "blueprints"
OLDEST = json.loads((FOLDER.parents[1] / "hacs.json").read_text())["homeassistant"]
PAGE = FOLDER.parent / "blueprints.md"
BUTTON = re.compile(r"redirect/blueprint_import/\?blueprint_url=([^)\s]+)")
ADDRESS = re.compile(r"^  source_url: (\S+)$", re.MULTILINE)
PHONE = {"phones": ["notify.anna"]}
TOLD = {"entity_id": ["notify.anna"]}
# What each is given; all else has its default.
INPUTS: dict[str, dict[str, Any]] = {
    "doorbell": {"bell": "binary_sensor.bell", "camera": "camera.front_door"}
    | {"task": TASK, "pause": 0, **PHONE},
    "few_requests": {"agents": [AGENT], **PHONE},
    "morning_summary": {"agent": AGENT, "satellites": ["assist_satellite.hall"]}
    | {"players": ["media_player.kitchen"], "voice": "tts.home"},
    "open_windows": {"people": ["person.anna", "person.bo"]}
    | {"task": TASK, "things": ["binary_sensor.bath", "cover.garage"], **PHONE},
}


def test_each_has_its_button() -> None:
    addresses = [unquote(url) for url in BUTTON.findall(PAGE.read_text("utf-8"))]
    files = sorted(FOLDER.glob("*.yaml"))
    assert [file.stem for file in files] == [*INPUTS]
    assert sorted(addresses) == [
        ADDRESS.findall(file.read_text("utf-8"))[0] for file in files
    ]
    for file, url in zip(files, sorted(addresses), strict=True):
        assert url.endswith(f"/blob/main/{file.relative_to(FOLDER.parents[1])}")


async def use(hass: HomeAssistant) -> None:
    """Import each from its address and make an automation of it."""
    known, automations = async_get_blueprints(hass), []
    web: Any
    with mock_aiohttp_client() as web:
        for name, inputs in INPUTS.items():
            text = (FOLDER / f"{name}.yaml").read_text("utf-8")
            [url] = ADDRESS.findall(text)
            raw = url.replace("/blob/", "/").replace("//", "//raw.", 1)
            web.get(raw.replace("github.com", "githubusercontent.com"), text=text)
            imported = await fetch_blueprint_from_url(hass, url)
            blueprint, path = imported.blueprint, f"{imported.suggested_filename}.yaml"
            assert blueprint.validate() is None
            known._blueprints[path] = blueprint
            automations.append(
                {"alias": name, "use_blueprint": {"path": path, "input": inputs}}
            )
            oldest = {"min_version": OLDEST}
            assert blueprint.data["blueprint"]["homeassistant"] == oldest
            for said in ("**What it costs:**", "**What leaves the house:**"):
                assert said in blueprint.data["blueprint"]["description"]
            for item in blueprint.inputs.values():
                assert {"name", "selector"} <= {*item}
            # None does without what has no default.
            with pytest.raises(MissingInput):
                BlueprintInputs(blueprint, {"use_blueprint": {"input": {}}}).validate()
    assert await async_setup_component(hass, "automation", {"automation": automations})
    states = hass.states.async_all("automation")
    assert [state.name for state in states] == [*INPUTS]
    assert {state.state for state in states} == {"on"}


@pytest.fixture
async def told(
    home: HomeAssistant, standin: Standin
) -> Callable[[], list[dict[str, Any]]]:
    """Have a home with all that they want; return what was said and sent since."""
    await set_up_task(home, session_data(standin))
    setup_test_component_platform(home, "camera", [Door()])
    for domain in ("binary_sensor", "camera", "cover", "zone"):
        config = {"platform": "test"} if domain == "camera" else {}
        assert await async_setup_component(home, domain, {domain: config})
    await home.config.async_set_time_zone("UTC")
    home.states.async_set("binary_sensor.bell", "off")
    window = {"friendly_name": "Bath window", "device_class": "window"}
    home.states.async_set("binary_sensor.bath", "on", window)
    home.states.async_set("cover.garage", "closed")
    for person in ("anna", "bo"):
        home.states.async_set(f"person.{person}", "home", {"in_zones": ["zone.home"]})
    calls: list[ServiceCall] = []
    for name in ("notify.send_message", "assist_satellite.announce", "tts.speak"):
        domain, service = name.split(".")
        home.services.async_register(domain, service, calls.append)
    await use(home)

    def since() -> list[dict[str, Any]]:
        data = [dict(call.data) for call in calls]
        calls.clear()
        return data

    return since


async def test_they_do_what_they_say(
    home: HomeAssistant,
    standin: Standin,
    script: Script,
    told: Callable[[], list[dict[str, Any]]],
) -> None:
    async def happens(entity_id: str, *states: str, **attributes: Any) -> None:
        for state in states:
            home.states.async_set(entity_id, state, attributes)
            await home.async_block_till_done()

    # The morning.
    script.plans = [[Say("Good morning.")]]
    seven = dt_util.utcnow().replace(hour=7, minute=0, second=0) + timedelta(days=1)
    async_fire_time_changed(home, seven)
    await home.async_block_till_done()
    said = {"message": "Good morning."}
    assert told() == [
        {"entity_id": ["assist_satellite.hall"], **said},
        {
            "entity_id": ["tts.home"],
            "media_player_entity_id": ["media_player.kitchen"],
            **said,
        },
    ]

    # The bell: rung, rung by the postman, come back, rung while Lumo is away.
    script.plans = [
        [Say('{"description": "A cat."}')],
        [Say('{"description": "A man with a box.", "parcel": true}')],
    ]
    await happens("binary_sensor.bell", "on", "off", "on", "unavailable", "on", "off")
    assert len(standin.pictures) == 2
    standin.scenarios = ["quota"]
    await happens("binary_sensor.bell", "on", "off")
    standin.scenarios = []
    assert told() == [
        {**TOLD, "title": title, "message": message}
        for title, message in (
            ("Doorbell", "A cat."),
            ("A parcel", "A man with a box."),
            ("Doorbell", "Somebody is at the door."),
        )
    ]

    # The last one leaves: something is open, all is shut, Lumo does not say what is
    # open, or nothing at all.
    before = len(standin.requests)
    for answer in (
        '{"open": true, "message": "The bath."}',
        '{"open": false}',
        '{"open": true}',
        "",
    ):
        await happens("person.anna", "home", "away", in_zones=[])
        assert len(standin.requests) == before
        script.plans = [[Say(answer)]]
        standin.scenarios = [] if answer else ["quota"]
        await happens("person.bo", "away", in_zones=[])
        before += 1
        assert len(standin.requests) == before
        asked = str(standin.requests[-1]["messages"])
        assert "Bath window: Open" in asked and "cover.garage: Closed" in asked
        for person in ("person.anna", "person.bo"):
            await happens(person, "home", in_zones=["zone.home"])
    standin.scenarios = []
    unsaid = "Something may be open: Lumo has not said what."
    assert told() == [
        {**TOLD, "message": message} for message in ("The bath.", unsaid, unsaid)
    ]

    # Requests: few of the agent's, of another's, and none.
    for agent, left in ((AGENT, 3), ("conversation.other", 2), (AGENT, 0)):
        data = {"entity_id": agent, "pool": "lite", "left": left}
        home.bus.async_fire(EVENT_QUOTA_LOW, data)
        await home.async_block_till_done()
    assert [data["message"] for data in told()] == [
        "Lumo: 3 requests are left (lite).",
        "Lumo: no requests are left (lite).",
    ]
    assert standin.violations == []
    everything = {"entity_id": home.states.async_entity_ids("automation")}
    await home.services.async_call("automation", "turn_off", everything, blocking=True)
