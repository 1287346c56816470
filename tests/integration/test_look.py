"""What cameras see, from the person's question to the answer."""

from collections.abc import Callable
from io import BytesIO
import logging
from typing import Any

from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.components.todo import TodoItem, TodoItemStatus, TodoListEntity
from homeassistant.core import Context, HomeAssistant, ServiceCall
from homeassistant.setup import async_setup_component
from PIL import Image as PillowImage
import pytest
from pytest_homeassistant_custom_component.common import (
    MockUser,
    setup_test_component_platform,
)

from custom_components.lumo.abilities import look
from custom_components.lumo.const import CONF_TOOLS
from dev.brain.model import Call, Say
from dev.standin import Standin

from .cameras import Camera, Doorbell, picture
from .conftest import Plan, Script, make_entry, session_data
from .conversing import OFF, lumo_trace, say, speech

SECRET = "rtsp://admin:hunter2@192.168.1.7"  # what cameras say in errors
CHOSEN = [
    "camera.front_door",
    "camera.garden",
    "camera.off",
    "camera.slow",
    "camera.broken",
    "camera.map",
    "camera.hidden",
    "camera.gone",
    "image.doorbell",
]


@pytest.fixture
async def cameras(
    home: HomeAssistant, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Camera]:
    """Make cameras, by name; all but one are exposed."""
    monkeypatch.setattr(look, "_PATIENCE", 0.01)
    made = [
        Camera("Front door", picture()),
        Camera("Garden", picture("blue", "JPEG")),
        Camera("Off", picture(), is_on=False),
        Camera("Slow", None),
        Camera("Broken", OSError(f"cannot reach {SECRET}")),
        Camera("Map", b"<svg/>"),
        Camera("Hidden", picture()),
        Camera("Not chosen", picture()),
    ]
    setup_test_component_platform(home, "camera", made)
    setup_test_component_platform(home, "image", [Doorbell(home)])
    for domain in ("intent", "camera", "image"):
        assert await async_setup_component(home, domain, {domain: {"platform": "test"}})
    await home.async_block_till_done()
    for entity_id in ("image.doorbell", *(item.entity_id for item in made)):
        is_exposed = entity_id != "camera.hidden"
        async_expose_entity(home, "conversation", entity_id, is_exposed)
    return {str(item.name): item for item in made}


@pytest.fixture
async def sees(
    home: HomeAssistant, standin: Standin, cameras: dict[str, Camera]
) -> Callable[..., Any]:
    """Return what sets up an agent that may look, with other options as given."""

    async def set_up(**options: Any) -> None:
        entry = make_entry(session_data(standin), **{"cameras": CHOSEN, **options})
        entry.add_to_hass(home)
        assert await home.config_entries.async_setup(entry.entry_id)
        await home.async_block_till_done()

    return set_up


def calls(*names: str | None, native: bool = False) -> Plan:
    tool = "look" if native else "user:look"
    return [Call(tool, {"name": name} if name else {}) for name in names]


def told(standin: Standin) -> str:
    """Return what the last request says."""
    return "\n".join(item["content"] for item in standin.requests[-1]["messages"])


@pytest.mark.parametrize("mode", ["private", "native"])
async def test_who_is_at_the_door(
    home: HomeAssistant,
    standin: Standin,
    script: Script,
    sees: Callable[..., Any],
    caplog: pytest.LogCaptureFixture,
    mode: str,
) -> None:
    """The picture goes with the next request, sealed, and is gone with the turn."""
    caplog.set_level(logging.DEBUG)
    await sees(tool_calling=mode)
    script.plans = [
        calls("front door", native=mode == "native"),
        [Say("A red field.")],
        [Say("It was red.")],
    ]
    result = await say(home, "Who is at the door?")
    assert speech(result) == "A red field."
    first, second = standin.requests
    assert not any("images" in item for item in first["messages"])
    [shown] = [item for item in second["messages"] if "images" in item]
    assert "Who is at the door?" in shown["content"]
    assert [item["media_type"] for item in shown["images"]] == ["image/jpeg"]
    [data] = standin.pictures
    assert PillowImage.open(BytesIO(data)).size == (16, 9)
    assert '"picture 1: Front door"' in told(standin).replace('\\"', '"')
    assert standin.violations == []
    assert all(
        mark not in body
        for body in standin.bodies
        for mark in (data[:9], picture()[:8], b"/9j/", b"iVBOR", b"UklGR")
    )
    await say(home, "What was it?", result.conversation_id)
    assert not any("images" in item for item in standin.requests[-1]["messages"])
    assert len(standin.pictures) == 1
    for text in (caplog.text, str(lumo_trace())):
        assert str(data[:12])[2:-1] not in text and "/9j/" not in text


@pytest.mark.parametrize(
    ("names", "shown", "error"),
    [
        (["garden"], 1, ""),
        (["doorbell"], 1, ""),
        (["Front door", "Garden"], 2, ""),
        ([None], 0, "Say which: Front door, Garden, Off, "),
        (["Off"], 0, "No picture now from Off: it is off, does not answer"),
        (["Slow"], 0, "No picture now from Slow"),
        (["Broken"], 0, "No picture now from Broken"),
        (["Map"], 0, "No picture now from Map"),
        (["Hidden"], 0, "Nothing of that kind is called Hidden"),
        (["Not chosen"], 0, "Nothing of that kind is called Not chosen"),
        (["camera.hidden"], 0, "Nothing of that kind is called camera.hidden"),
    ],
)
async def test_what_can_be_looked_at(
    home: HomeAssistant,
    standin: Standin,
    script: Script,
    sees: Callable[..., Any],
    cameras: dict[str, Camera],
    caplog: pytest.LogCaptureFixture,
    names: list[str | None],
    shown: int,
    error: str,
) -> None:
    """What is chosen, exposed, and gives a picture; else the model hears why not."""
    await sees()
    script.plans = [calls(*names), [Say("Well.")]]
    await say(home, "What do you see?")
    assert len(standin.pictures) == shown
    assert error in told(standin)
    assert SECRET not in told(standin)
    assert "hunter2" not in caplog.text
    assert not cameras["Hidden"].taken and not cameras["Not chosen"].taken
    assert standin.violations == []


@pytest.mark.parametrize(
    "options",
    [
        {"cameras": []},
        {"cameras": ["camera.hidden", "camera.gone"]},
        {"autonomy": "answers"},
        {CONF_TOOLS: {"lumo//lumo__look": "off"}},
    ],
)
async def test_where_nothing_may_be_looked_at_there_is_no_such_tool(
    home: HomeAssistant,
    standin: Standin,
    script: Script,
    sees: Callable[..., Any],
    cameras: dict[str, Camera],
    options: dict[str, Any],
) -> None:
    await sees(**options)
    script.plans = [calls("Front door"), [Say("I cannot see.")]]
    await say(home, "Who is at the door?")
    assert "user:look" not in standin.requests[0]["messages"][0]["content"]
    assert not standin.pictures
    assert not any(item.taken for item in cameras.values())


@pytest.fixture
async def note(home: HomeAssistant) -> Call:
    """Return the call that reads a list that others write to."""
    items = [TodoItem("Look at the garden", "1", TodoItemStatus.NEEDS_ACTION)]
    todo = TodoListEntity()
    todo.entity_id, todo._attr_name, todo._attr_todo_items = (
        "todo.notes",
        "Notes",
        items,
    )
    setup_test_component_platform(home, "todo", [todo])
    assert await async_setup_component(home, "todo", {"todo": {"platform": "test"}})
    await home.async_block_till_done()
    async_expose_entity(home, "conversation", "todo.notes", True)
    return Call("user:get_items", {"todo_list": "Notes"})


@pytest.mark.parametrize(
    ("reply", "said", "taken"),
    [
        ("Yes", "A blue field.", 1),
        ("No", "All right, I will not look at the picture from Garden.", 0),
    ],
)
async def test_after_a_text_from_outside_a_person_is_asked_first(
    home: HomeAssistant,
    standin: Standin,
    script: Script,
    cameras: dict[str, Camera],
    note: Call,
    sees: Callable[..., Any],
    hass_admin_user: MockUser,
    reply: str,
    said: str,
    taken: int,
) -> None:
    await sees()
    anna = Context(user_id=hass_admin_user.id)
    script.plans = [[note], calls("Garden"), [Say("A blue field.")]]
    result = await say(home, "What is on my notes?", context=anna)
    assert speech(result) == "Shall I look at the picture from Garden?"
    assert cameras["Garden"].taken == 0
    result = await say(home, reply, result.conversation_id, context=anna)
    assert speech(result) == said
    assert cameras["Garden"].taken == taken
    script.plans = [calls("Front door"), [Say("A red field.")]]
    sentence = "Who is at the front door?"
    result = await say(home, sentence, result.conversation_id, context=anna)
    assert speech(result) == "A red field."
    shown = [item for item in standin.requests[-1]["messages"] if "images" in item]
    assert [len(item["images"]) for item in shown] == [1]
    script.plans = [[note], calls("Garden")]
    result = await say(home, "What is on my notes?")
    assert speech(result) == "That needs a person to say yes, so it was not done."
    assert cameras["Garden"].taken == taken


async def test_what_a_picture_asks_for_is_asked_about_first(
    home: HomeAssistant,
    script: Script,
    sees: Callable[..., Any],
    cameras: dict[str, Camera],
    turned_off: list[ServiceCall],
    hass_admin_user: MockUser,
) -> None:
    """Somebody may hold a note up. More cameras may be looked at, and again."""
    await sees()
    anna = Context(user_id=hass_admin_user.id)
    script.plans = [calls("Front door"), calls("Garden", "Front door"), [OFF]]
    result = await say(home, "Look around", context=anna)
    assert speech(result) == "Shall I turn off the kitchen light?"
    assert (cameras["Front door"].taken, cameras["Garden"].taken) == (2, 1)
    assert not turned_off


async def test_a_person_sees_no_more_than_they_may(
    home: HomeAssistant,
    standin: Standin,
    script: Script,
    sees: Callable[..., Any],
    cameras: dict[str, Camera],
    hass_read_only_user: MockUser,
) -> None:
    """Home Assistant's own permissions hold here too."""
    hass_read_only_user.mock_policy({"entities": {"domains": {"light": True}}})
    await sees()
    script.plans = [calls("Garden"), [Say("You may not.")]]
    context = Context(user_id=hass_read_only_user.id)
    await say(home, "What is in the garden?", context=context)
    assert "The person may not see that." in told(standin)
    assert cameras["Garden"].taken == 0
