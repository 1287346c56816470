"""Data in a form, end to end: each habit of a model, private and in clear."""

from typing import Any

from homeassistant.const import CONF_API_KEY
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers import selector
import probatio
import pytest

from custom_components.lumo.const import CONF_SIGN_IN, CONF_TOOL_CALLING, SignIn
from dev.brain.structured import fill, form_of
from dev.standin import Standin
from dev.standin.scenarios.data import HABITS

from .conftest import Script, session_data
from .tasks import generate, set_up_task

KEY = "Kennwort der Frage?"
FIELDS: dict[str, Any] = {
    KEY: {
        "description": "marker-of-a-description",
        "required": True,
        "selector": {"number": {"min": 0, "max": 9}},
    },
    "is open": {"required": True, "selector": {"boolean": {}}},
    "labels": {"selector": {"text": {"multiple": True}}},
    "state": {"selector": {"select": {"options": ["shut", "open", "tilted"]}}},
    "seen": {"selector": {"datetime": {}}},
    "then": {"selector": {"action": {}}},
}
ASKED = "There are 3 windows, and one is open."
# What is still wrong when it was asked for once more.
NEVER = {"null", "missing", "cut", "always_wrong"}


def data_of(standin: Standin, mode: str) -> dict[str, str]:
    """Return the data of an entry whose messages are private, or in clear."""
    if mode == "private":
        return session_data(standin)
    [key] = [item for item in standin.accounts if item["kind"] == "api_key"][:1]
    return {CONF_SIGN_IN: SignIn.API_KEY.value, CONF_API_KEY: key["api_key"]}


async def try_habit(
    home: HomeAssistant, standin: Standin, habit: str, fields: dict[str, Any]
) -> None:
    """Have one task done, and look at what came and what was sent."""
    standin.scenarios = [f"data_{habit}"]
    standin.requests.clear()
    structure = probatio.Schema(
        {
            (probatio.Required if field.get("required") else probatio.Optional)(
                key
            ): selector.selector(field["selector"])
            for key, field in fields.items()
        },
        extra=probatio.PREVENT_EXTRA,
    )
    if habit in NEVER:
        with pytest.raises(HomeAssistantError, match="form that was asked for"):
            pytest.fail(f"{habit}: {await generate(home, ASKED, fields)}")
    else:
        data = await generate(home, ASKED, fields)
        structure(data)
        assert set(data) == set(fields), habit
    sent = 2 if habit in NEVER else 1
    assert len(standin.requests) == sent, habit


@pytest.mark.long
@pytest.mark.parametrize("mode", ["private", "native"])
async def test_every_habit(
    home: HomeAssistant, standin: Standin, script: Script, mode: str
) -> None:
    """Valid data, if need be after one more request; else an error."""
    script.rule = lambda messages: [fill(*(form_of(messages) or ({}, "")))]
    await set_up_task(home, data_of(standin, mode), **{CONF_TOOL_CALLING: mode})
    for habit in HABITS:
        await try_habit(home, standin, habit, FIELDS)
    assert standin.violations == []
    seen = b"\n".join(standin.bodies)
    # Names and descriptions of fields tell what a home asks for.
    for marker in (b"Kennwort", b"marker-of-a-description"):
        assert (marker in seen) is (mode == "native")
