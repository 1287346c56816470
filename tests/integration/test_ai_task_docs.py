"""The examples for people run as they stand there."""

from pathlib import Path
import re
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import (
    async_mock_service,
    setup_test_component_platform,
)
import yaml

from dev.brain.model import Call, Say
from dev.standin import Standin

from .conftest import Script, session_data
from .tasks import set_up_task
from .test_ask import Door

DOCS = Path(__file__).parent.parent.parent / "docs" / "ai-tasks.md"
EXAMPLES = [
    yaml.safe_load(text)
    for text in re.findall(r"```yaml\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
]
ANSWERS: dict[str, list[str | Call]] = {
    "Doorbell": ["A cat."],
    "Cars in the drive": ['{"cars": 3}'],
    "Evening report": ['{"summary": "All is well.", "urgency": "normal"}'],
    "Picture of the day": [Call("generate_image", {"prompt": "A village"})],
}
NOTIFIED = ["A cat.", "There are 3 cars in the drive.", "All is well.", "Good morning!"]


async def test_examples_run(
    home: HomeAssistant, standin: Standin, script: Script, tmp_path: Path
) -> None:
    """Where Lumo fails, one ends and the one that may go on does so without data."""
    home.config.media_dirs = {"local": str(tmp_path)}
    await set_up_task(home, session_data(standin))
    setup_test_component_platform(home, "camera", [Door()])
    assert await async_setup_component(home, "camera", {"camera": {"platform": "test"}})
    notified = async_mock_service(home, "notify", "family")
    assert await async_setup_component(home, "automation", {"automation": EXAMPLES})
    await home.async_block_till_done()
    assert list(ANSWERS) == [example["alias"] for example in EXAMPLES]
    automations = home.states.async_entity_ids("automation")
    assert len(automations) == len(EXAMPLES)

    async def run() -> list[Any]:
        notified.clear()
        for entity_id, answers in zip(automations, ANSWERS.values(), strict=True):
            script.plans = [
                [Say(answer) if isinstance(answer, str) else answer]
                for answer in answers
            ]
            await home.services.async_call(
                "automation", "trigger", {"entity_id": entity_id}, blocking=True
            )
            await home.async_block_till_done()
        return [call.data["message"] for call in notified]

    assert await run() == NOTIFIED
    assert len(list((tmp_path / "ai_task" / "image").iterdir())) == 1
    assert len(standin.pictures) == 2
    assert standin.violations == []
    standin.scenarios = ["quota"]
    assert await run() == []
    # Their timers end with them.
    everything = {"entity_id": automations}
    await home.services.async_call("automation", "turn_off", everything, blocking=True)
