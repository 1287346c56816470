"""Pictures that Lumo makes: from an automation into the media folder, or an error."""

from io import BytesIO
from pathlib import Path
from typing import Any

from aiohttp.test_utils import TestServer
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from PIL import Image as PillowImage
import pytest
from pytest_homeassistant_custom_component.common import (
    MockConfigEntry,
    async_capture_events,
)

from custom_components.lumo.const import EVENT_TURN_ENDED
from dev.brain.drawing import wanted_picture
from dev.brain.model import Call, Say
from dev.standin import Standin
from dev.standin.pictures import JPEG, SIZES, WEBP, sniff

from .conftest import Script, session_data
from .sign_in_forms import api_key
from .tasks import TASK, set_up_task

# Must be in no log.
ASKED = "marker-lighthouse"


@pytest.fixture(autouse=True)
def media(home: HomeAssistant, tmp_path: Path) -> Path:
    home.config.media_dirs = {"local": str(tmp_path)}
    return tmp_path


@pytest.fixture(autouse=True)
def painter(script: Script) -> None:
    def draw(messages: list[dict[str, Any]]) -> list[Call | Say]:
        tools = ("generate_image", "edit_image")
        return [wanted_picture(messages, tools) or Say("What?")]

    script.rule = draw


def key_data(key: str, **more: str) -> dict[str, str]:
    return {"sign_in": "api_key", "sign_in_id": "one", "api_key": key, **more}


@pytest.fixture
async def entry(home: HomeAssistant, standin: Standin) -> MockConfigEntry:
    return await set_up_task(home, session_data(standin))


async def generate(hass: HomeAssistant, **more: Any) -> dict[str, Any]:
    response = await hass.services.async_call(
        "ai_task",
        "generate_image",
        {"entity_id": TASK, "task_name": "view", "instructions": ASKED, **more},
        blocking=True,
        return_response=True,
    )
    assert response is not None
    return dict(response)


def files(media: Path) -> list[Path]:
    return list((media / "ai_task" / "image").glob("*"))


@pytest.mark.parametrize(
    ("scenario", "suffix", "data", "size"),
    [
        ("", ".png", None, SIZES["16:9"]),
        ("legacy", ".png", None, SIZES["16:9"]),
        ("picture_in_clear", ".png", None, SIZES["16:9"]),
        # Only words were to come.
        ("cut", ".png", None, SIZES["16:9"]),
        ("no_done", ".png", None, SIZES["16:9"]),
        ("picture_jpeg", ".jpg", JPEG, (8, 8)),
        ("picture_webp", ".webp", WEBP, (8, 8)),
    ],
)
@pytest.mark.parametrize("who", ["session", "key"])
async def test_picture_lands_in_the_media_folder(
    home: HomeAssistant,
    standin: Standin,
    media: Path,
    who: str,
    scenario: str,
    suffix: str,
    data: bytes | None,
    size: tuple[int, int],
) -> None:
    account = (
        session_data(standin)
        if who == "session"
        else key_data(api_key(standin, "valid"))
    )
    await set_up_task(home, account, image_aspect_ratio="16:9")
    ended = async_capture_events(home, EVENT_TURN_ENDED)
    standin.scenarios = [scenario] if scenario else []
    result = await generate(home)
    [file] = files(media)
    assert file.suffix == suffix
    assert data in (None, file.read_bytes())
    assert sniff(file.read_bytes()) == result["mime_type"]
    assert (result["width"], result["height"]) == size
    assert result["media_source_id"].endswith(file.name)
    assert standin.violations == []
    [request] = standin.requests
    assert request["aspect_ratio"] == "16:9"
    assert request["server_tools"] == ["generate_image"]
    assert request["encrypted"] is (who == "session")
    assert (who == "session") is not any(ASKED.encode() in b for b in standin.bodies)
    [event] = ended
    assert (event.data["requests"], event.data["error"]) == (1, None)


@pytest.mark.parametrize("ratio", SIZES)
async def test_every_aspect_is_known_to_the_service(
    home: HomeAssistant, standin: Standin, ratio: str
) -> None:
    await set_up_task(home, session_data(standin), image_aspect_ratio=ratio)
    result = await generate(home)
    assert (result["width"], result["height"]) == SIZES[ratio]
    assert standin.violations == []


async def test_picture_is_made_from_what_is_attached(
    home: HomeAssistant, standin: Standin, entry: MockConfigEntry, media: Path
) -> None:
    """It travels sealed; the tool that edits is offered beside the other."""
    (media / "door.jpg").write_bytes(JPEG)
    source = "media-source://media_source/local/door.jpg"
    attached = {"media_content_id": source, "media_content_type": "text/plain"}
    await generate(home, attachments=attached)
    [request] = standin.requests
    assert request["server_tools"] == ["generate_image", "edit_image"]
    [shown] = standin.pictures
    assert sniff(shown) == "image/jpeg"
    assert standin.violations == []
    [file] = files(media)
    assert sniff(file.read_bytes()) == "image/png"


FAILURES = {
    "picture_words": "no_picture",
    "pictures_used_up": "no_pictures_left",
    "picture_damaged": "integrity",
    "picture_undecryptable": "integrity",
    "picture_none": "image",
    "picture_in_text": "no_picture",
    "quota": "quota",
    "content_filter": "content_filtered",
    "revoked": "session_expired",
}


@pytest.mark.parametrize(("scenario", "key"), FAILURES.items(), ids=FAILURES)
async def test_failure_is_an_error_in_the_language_of_the_home(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    media: Path,
    scenario: str,
    key: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """No picture is kept, nothing of words or instructions logged, and it is counted."""
    ended = async_capture_events(home, EVENT_TURN_ENDED)
    standin.scenarios = [scenario]
    with pytest.raises(HomeAssistantError) as caught:
        await generate(home)
    assert caught.value.translation_key == key
    assert files(media) == []
    [event] = ended
    assert (event.data["requests"], event.data["error"]) == (1, key)
    loud = [item.getMessage() for item in caplog.records if item.levelname != "DEBUG"]
    for marker in (ASKED, "lighthouse in the evening", "base64"):
        assert not any(marker in text for text in loud)
        assert marker not in str(caught.value)


async def test_picture_that_would_take_all_memory_is_none(
    home: HomeAssistant,
    standin: Standin,
    entry: MockConfigEntry,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Some thousand bytes can stand for any number of pixels."""
    written = BytesIO()
    PillowImage.new("1", (6_000, 5_000)).save(written, "PNG")
    monkeypatch.setattr("dev.standin.answer.draw", lambda *_: written.getvalue())
    with pytest.raises(HomeAssistantError) as caught:
        await generate(home)
    assert caught.value.translation_key == "image"


async def test_gateway_draws_nothing(
    home: HomeAssistant, standin: Standin, gateway: TestServer
) -> None:
    """The tool is Proton's own."""
    address = f"http://127.0.0.1:{gateway.port}/v1"
    await set_up_task(home, key_data("open-sesame", base_url=address))
    state = home.states.get(TASK)
    assert state is not None
    assert state.attributes["supported_features"] & 4 == 0
    with pytest.raises(HomeAssistantError, match="does not support"):
        await generate(home)
