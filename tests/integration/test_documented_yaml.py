"""The YAML that README and docs show runs as it stands there, and templates render.

Each block is taken for what its shape says: an automation, its triggers, a list of
actions, one action, or configuration. Each action in it has to run once, against the
stand-in where it asks Lumo; so a new block is run without a word here. What is fenced as
`yaml fragment` is not run.
"""

from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from functools import cached_property
import json
from pathlib import Path
import re
from typing import Any

from homeassistant.const import EVENT_CALL_SERVICE
from homeassistant.core import HomeAssistant, ServiceCall
from homeassistant.helpers.template import Template
from homeassistant.setup import async_setup_component
import pytest
from pytest_homeassistant_custom_component.common import (
    async_capture_events,
    setup_test_component_platform,
)
import yaml

from dev.brain.model import Call, Say
from dev.standin import Standin
from tests.pages import ROOT, fenced

from .cameras import Door
from .conftest import Script, session_data
from .tasks import set_up_task

# Actions of other integrations that blocks call. Ours are never among them.
OTHERS = [
    "test.has_run",
    "notify.family",
    "notify.send_message",
    "tts.speak",
    "assist_satellite.announce",
    "media_player.play_media",
]
ASKING = [
    "lumo.ask",
    "ai_task.generate_data",
    "ai_task.generate_image",
    "conversation.process",
]
PICTURED = {"attachments"}
WAY_OUT = "Fence what is a part of something as ```yaml fragment"
ANSWERS = {"boolean": True, "text": "All is well."}


@dataclass(frozen=True)
class Block:
    """A block of YAML, and where it begins."""

    place: str
    text: str

    @cached_property
    def content(self) -> Any:
        try:
            return yaml.safe_load(self.text)
        except yaml.YAMLError as error:
            raise AssertionError(f"{self.place}: {error}. {WAY_OUT}") from error

    @cached_property
    def actions(self) -> list[dict[str, Any]]:
        """Return the actions in it, in their order."""
        return [*acting(self.content)]

    def automation(self) -> dict[str, Any] | None:
        """Return an automation that runs it, None if it is configuration."""
        match self.content:
            case {"actions": _, "triggers": _}:
                return dict(self.content)
            case {"triggers": _}:
                return {**self.content, "actions": [{"action": "test.has_run"}]}
            case [{"action": _}, *_] | {"action": _}:
                trigger = {"trigger": "event", "event_type": "never"}
                return {"triggers": trigger, "actions": self.content}
        return None


def acting(part: Any) -> Iterator[dict[str, Any]]:
    """Yield what calls an action, however deep."""
    if isinstance(part, dict) and "action" in part:
        yield part
    elif isinstance(part, dict | list):
        for item in part.values() if isinstance(part, dict) else part:
            yield from acting(item)


ALL = [Block(*found) for found in fenced("yaml", "yml")]


def written(action: dict[str, Any]) -> list[Say | Call]:
    if action["action"] == "ai_task.generate_image":
        return [Call("generate_image", {"prompt": "A village"})]
    if not (structure := action["data"].get("structure")):
        return [Say("All is well.")]
    data: dict[str, Any] = {}
    for name, field in structure.items():
        [(kind, options)] = field["selector"].items()
        match kind:
            case "select":
                data[name] = options["options"][-1]
            case "number":
                data[name] = options["max"]
            case _:
                data[name] = ANSWERS[kind]
    return [Say(json.dumps(data))]


@pytest.fixture
async def ran(
    home: HomeAssistant, standin: Standin, tmp_path: Path
) -> list[ServiceCall]:
    """Have a home with what the blocks name; return what they do beside asking."""
    home.config.media_dirs = {"local": str(tmp_path)}
    await set_up_task(home, session_data(standin))
    setup_test_component_platform(home, "camera", [Door()])
    assert await async_setup_component(home, "camera", {"camera": {"platform": "test"}})
    calls: list[ServiceCall] = []
    for name in OTHERS:
        domain, service = name.split(".")
        home.services.async_register(domain, service, calls.append)
    return calls


@pytest.fixture
async def automations(
    home: HomeAssistant, ran: list[ServiceCall]
) -> AsyncGenerator[dict[str, Block]]:
    """Set up all blocks; return those that are automations by entity."""
    config, places = [], {}
    for number, block in enumerate(ALL):
        if automation := block.automation():
            config.append({**automation, "alias": f"Block {number}"})
            places[f"automation.block_{number}"] = block
            continue
        assert isinstance(block.content, dict), f"{block.place} cannot run. {WAY_OUT}"
        for domain in block.content:
            assert await async_setup_component(home, domain, block.content), (
                f"{block.place}: {domain} cannot be set up. {WAY_OUT}"
            )
    assert await async_setup_component(home, "automation", {"automation": config})
    for entity_id, block in places.items():
        state = home.states.get(entity_id)
        assert state is not None and state.state == "on", (
            f"{block.place} is no valid automation. {WAY_OUT}"
        )
    yield places
    # Their timers end with them.
    data = {"entity_id": [*places]}
    await home.services.async_call("automation", "turn_off", data, blocking=True)


async def test_each_block_runs(
    home: HomeAssistant,
    standin: Standin,
    script: Script,
    ran: list[ServiceCall],
    automations: dict[str, Block],
    caplog: pytest.LogCaptureFixture,
) -> None:
    called = async_capture_events(home, EVENT_CALL_SERVICE)

    async def run(entity_id: str, block: Block) -> list[str]:
        called.clear()
        ran.clear()
        if block.actions:
            data = {"entity_id": entity_id}
            await home.services.async_call("automation", "trigger", data, blocking=True)
        else:
            for trigger in block.content["triggers"]:
                home.bus.async_fire(trigger["event_type"], trigger.get("event_data"))
        await home.async_block_till_done()
        names = ("{domain}.{service}".format(**event.data) for event in called)
        return [name for name in names if name != "automation.trigger"]

    for entity_id, block in automations.items():
        names = [action["action"] for action in block.actions]
        asking = [action for action in block.actions if action["action"] in ASKING]
        script.plans = [written(action) for action in asking]
        before, pictures = len(standin.requests), len(standin.pictures)
        assert await run(entity_id, block) == (names or ["test.has_run"]), block.place
        assert len(standin.requests) - before >= len(asking), block.place
        shown = sum(bool(PICTURED & {*action["data"]}) for action in asking)
        assert len(standin.pictures) - pictures == shown, block.place
        for call in ran:
            assert "{" not in str(call.data.get("message", "")), block.place
    assert "Template variable" not in caplog.text
    assert standin.violations == []

    standin.scenarios = ["quota"]
    for entity_id, block in automations.items():
        if block.actions:
            await run(entity_id, block)
            assert ran == [], block.place


async def test_templates_of_instructions_render(hass: HomeAssistant) -> None:
    variables = {"speaker": "Anna", "area": "Kitchen", "language": "en"}
    page = (ROOT / "docs" / "options.md").read_text("utf-8")
    found = re.findall(r"`([^`\n]*\{[{%][^`\n]*)`", page)
    assert found
    for text in found:
        Template(text, hass).async_render(variables, strict=True)
