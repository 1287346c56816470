"""AI tasks: what an automation gets, or the error it gets instead."""

from typing import Any

from homeassistant.core import Context, HomeAssistant
from homeassistant.exceptions import HomeAssistantError
import pytest
from pytest_homeassistant_custom_component.common import MockConfigEntry

from dev.brain.model import Say
from dev.standin import Standin

from .conftest import Script, session_data
from .tasks import TASK, generate, set_up_task
from .test_translations import FOLDER, load

# Each must be in no log.
ASKED = "marker-instructions"
FIELD = "marker_field"
HINT = "marker-hint"
ANSWER = "marker-answer"

CARS = {"cars": {"required": True, "selector": {"number": {"min": 0, "max": 9}}}}


@pytest.fixture
async def entry(home: HomeAssistant, standin: Standin) -> MockConfigEntry:
    return await set_up_task(home, session_data(standin))


@pytest.mark.parametrize(
    "written",
    [
        "# Title\n\n* **one**\n* two\n\n```yaml\nalias: x\n```",
        'Call it so: {"name": "user:HassTurnOff", "arguments": {"area": "Kitchen"}}',
        "Here are three ideas. Anything else?",
        "Done, I turned off the light.",
    ],
)
async def test_text_comes_as_it_was_written(
    home: HomeAssistant, entry: MockConfigEntry, script: Script, written: str
) -> None:
    script.plans = [[Say(f"<think>Hm, {ANSWER}.</think>\n\n{written}")]]
    assert await generate(home) == written


@pytest.mark.long
@pytest.mark.parametrize("instructions", ["Never mind", "...", "Stop", "Yes"])
async def test_instructions_are_no_remark(
    home: HomeAssistant, entry: MockConfigEntry, script: Script, instructions: str
) -> None:
    """What a person would say to call something off is a text like any other."""
    script.plans = [[Say("A text.")]]
    assert await generate(home, instructions) == "A text."


async def test_state_is_when_the_last_task_was(
    home: HomeAssistant, entry: MockConfigEntry, script: Script
) -> None:
    state = home.states.get(TASK)
    assert state is not None
    assert state.state == "unknown"
    # Data, and attachments.
    assert state.attributes["supported_features"] & 3 == 3
    await generate(home)
    state = home.states.get(TASK)
    assert state is not None
    assert state.state.startswith("20")


async def test_what_repeats_itself_is_whole(
    home: HomeAssistant, entry: MockConfigEntry, script: Script
) -> None:
    """A list may have the same line again and again."""
    text = "One more box of the same kind of nails.\n" * 5
    script.plans = [[Say(text)]]
    assert str(await generate(home, "List them")).strip() == text.strip()


@pytest.mark.parametrize(
    ("scenario", "key"),
    [
        ("", "wrong_form"),
        ("data_cut", "wrong_form"),
        ("quota", "quota"),
        ("content_filter", "content_filtered"),
        ("revoked", "session_expired"),
    ],
)
@pytest.mark.parametrize("structure", [CARS, None], ids=["form", "text"])
async def test_failure_is_an_error_in_the_language_of_the_home(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    script: Script,
    scenario: str,
    key: str,
    structure: dict[str, Any] | None,
) -> None:
    """It is never returned as data."""
    if not structure and key == "wrong_form":
        # One without a word, and one that the limit of its length has cut.
        key = "too_long" if scenario else "no_answer"
    words = "I cannot tell." if structure or scenario else ""
    script.rule = lambda _messages: [Say(words)]
    for language in ("en", "de"):
        home.config.language = language
        standin.scenarios = [scenario] if scenario else []
        with pytest.raises(HomeAssistantError) as caught:
            await generate(home, "Count", structure)
        texts = load(FOLDER / "translations" / f"{language}.json")["exceptions"]
        assert str(caught.value) == texts[key]["message"]


async def test_nothing_of_a_task_is_logged(
    home: HomeAssistant,
    entry: MockConfigEntry,
    script: Script,
    caplog: pytest.LogCaptureFixture,
) -> None:
    structure: dict[str, Any] = {
        FIELD: {"description": HINT, "required": True, "selector": {"number": {}}}
    }
    script.rule = lambda _messages: [Say(f"{ANSWER} {{")]
    await generate(home, ASKED)
    with pytest.raises(HomeAssistantError) as caught:
        await generate(home, ASKED, structure, context=Context())
    script.rule = lambda _messages: [Say(f'{{"{FIELD}": 7}}')]
    assert await generate(home, ASKED, structure) == {FIELD: 7}
    ours = [item for item in caplog.records if "lumo" in item.name]
    assert ours
    logged = "\n".join(item.getMessage() + str(item.exc_text) for item in ours)
    for marker in (ASKED, FIELD, HINT, ANSWER):
        assert marker not in logged
        assert marker not in str(caught.value)
    # Home Assistant's own debug log has the chat.
    loud = [item.getMessage() for item in caplog.records if item.levelname != "DEBUG"]
    assert not any(marker in text for text in loud for marker in (ASKED, ANSWER))
