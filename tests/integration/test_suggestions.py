"""*Suggest with AI*, as Home Assistant's frontend asks when something is saved.

The request is written as the frontend 20260930 writes it (its data/ai_task suggestions).
"""

import json
from typing import Any

from homeassistant.const import CONF_API_KEY
from homeassistant.core import HomeAssistant
import pytest
from pytest_homeassistant_custom_component.typing import WebSocketGenerator

from custom_components.lumo.languages import LANGUAGES
from dev.brain.model import Say
from dev.standin import Standin
from tests.languages.samples import with_samples

from .conftest import Script, session_data
from .sign_in_forms import api_key
from .tasks import TASK, set_up_task

CONFIGURATION = """\
triggers:
  - trigger: state
    entity_id: binary_sensor.hallway_motion
    to: "on"
actions:
  - action: light.turn_on
    target:
      entity_id: light.hallway
"""

# What a native speaker may call it: name, description, category, label, floor.
WORDS = {
    "en": (
        "Hallway light at night",
        "Light when someone walks by",
        "Lighting",
        "Ground",
    ),
    "de": ("Flurlicht bei Bewegung", "Licht für den Flur", "Beleuchtung", "Erdgeschoß"),
    "es": ("Luz del pasillo", "Enciende la luz de noche", "Iluminación", "Planta baja"),
    "fr": ("Lumière de l'entrée", "S'allume dès qu'on passe", "Éclairage", "Rez"),
    "nl": ("Ganglamp bij beweging", "Licht in de gang", "Verlichting", "Begane grond"),
}
WORDS = with_samples(WORDS, "suggested")


def request(language: str, kind: str = "automation") -> dict[str, Any]:
    _, _, category, floor = WORDS[language]
    structure = {
        "name": {
            "description": f"The name of the {kind}",
            "required": True,
            "selector": {"text": {}},
        },
        "description": {
            "description": f"A short description of the {kind}",
            "required": False,
            "selector": {"text": {}},
        },
        "labels": {
            "description": f"Labels for the {kind}",
            "required": False,
            "selector": {"text": {"multiple": True}},
        },
        "category": {
            "description": f"The category of the {kind}",
            "required": False,
            "selector": _select(category, "Other"),
        },
        "floor": {
            "description": f"The floor of the {kind}",
            "required": False,
            "selector": _select(floor, "Attic"),
        },
    }
    wish = (
        f'Suggest in language "{language}" a name, a description, a category, labels, and '
        f"a floor for the following Home Assistant {kind}."
    )
    instructions = [
        wish,
        "",
        f"The name should be relevant to the {kind}'s purpose.",
        f"If the {kind} contains 5+ steps, include a short description.",
        "",
        f"For inspiration, here are existing {kind}s:",
        f"- {WORDS[language][0]} 2",
        "",
        f"The {kind} configuration is as follows:",
        "",
        CONFIGURATION,
    ]
    return {
        "task_name": f"frontend__{kind}__save",
        "instructions": "\n".join(instructions),
        "structure": structure,
    }


def _select(*options: str) -> dict[str, Any]:
    return {"select": {"options": [{"value": item, "label": item} for item in options]}}


@pytest.mark.long
@pytest.mark.parametrize("way", ["private", "native", "api_key"])
async def test_suggestion_is_there_every_time(
    home: HomeAssistant,
    standin: Standin,
    script: Script,
    hass_ws_client: WebSocketGenerator,
    way: str,
) -> None:
    data: dict[str, Any] = session_data(standin)
    if way == "api_key":
        data = {
            "sign_in": way,
            "sign_in_id": "1",
            CONF_API_KEY: api_key(standin, "valid"),
        }
    options = {"tool_calling": "native"} if way == "native" else {}
    await set_up_task(home, data, **options)
    client = await hass_ws_client(home)
    await client.send_json_auto_id(
        {"type": "ai_task/preferences/set", "gen_data_entity_id": TASK}
    )
    assert (await client.receive_json())["result"]["gen_data_entity_id"] == TASK

    async def suggest(language: str) -> Any:
        await client.send_json_auto_id(
            {
                "type": "call_service",
                "domain": "ai_task",
                "service": "generate_data",
                "service_data": request(language),
                "return_response": True,
            }
        )
        return await client.receive_json()

    for language in LANGUAGES:
        name, description, category, floor = WORDS[language]
        value = {
            "name": name,
            "description": description,
            "labels": ["a", "b"],
            "category": category,
            "floor": floor,
        }
        script.plans = [[Say(json.dumps(value, ensure_ascii=False))]]
        reply = await suggest(language)
        assert reply["result"]["response"]["data"] == value
    script.plans = [[Say("I would call it Hallway.")], [Say('{"name": "Hallway"}')]]
    assert (await suggest("en"))["result"]["response"]["data"] == {"name": "Hallway"}
    script.plans = [[Say("I would call it Hallway.")]] * 2
    reply = await suggest("en")
    assert not reply["success"]
    assert "did not have the form" in reply["error"]["message"]
    assert standin.violations == []
    # The fields tell what is asked for.
    assert (b"hallway_motion" in b"".join(standin.bodies)) == (way == "api_key")
