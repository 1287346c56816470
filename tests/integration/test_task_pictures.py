"""Pictures that are attached to AI tasks, from their files to the answer."""

from datetime import timedelta
from pathlib import Path
import tempfile
from typing import Any

from homeassistant.components import media_source
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from homeassistant.setup import async_setup_component
from homeassistant.util import dt as dt_util
import pytest
from pytest_homeassistant_custom_component.common import (
    async_fire_time_changed,
    setup_test_component_platform,
)

from dev.brain.model import Say
from dev.standin import Standin

from .cameras import Camera, Doorbell, picture
from .conftest import Script, session_data
from .tasks import TASK, set_up_task

LOCAL = "media-source://media_source/local"


@pytest.fixture
async def media(
    home: HomeAssistant,
    standin: Standin,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Path:
    """Return a folder of media, beside a camera and an AI task."""
    (tmp_path / "media").mkdir()
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    home.config.media_dirs = {"local": str(tmp_path / "media")}
    camera = Camera("Front door", picture())
    # As the cameras that stream are said to be.
    camera.content_type = "application/vnd.apple.mpegurl"
    setup_test_component_platform(home, "camera", [camera])
    setup_test_component_platform(home, "image", [Doorbell(home)])
    for domain in ("camera", "image"):
        assert await async_setup_component(home, domain, {domain: {"platform": "test"}})
    assert await async_setup_component(home, media_source.DOMAIN, {})
    await set_up_task(home, session_data(standin))
    return tmp_path / "media"


async def ask(hass: HomeAssistant, *media_ids: str, **more: Any) -> Any:
    response = await hass.services.async_call(
        "ai_task",
        "generate_data",
        {
            "entity_id": TASK,
            "task_name": "count",
            "instructions": "How many cars are there?",
            "attachments": [
                {"media_content_id": item, "media_content_type": "video/mp4"}
                for item in media_ids
            ],
            **more,
        },
        blocking=True,
        return_response=True,
    )
    assert response is not None
    return response["data"]


async def test_cameras_images_and_files_are_seen(
    home: HomeAssistant, standin: Standin, script: Script, media: Path
) -> None:
    (media / "street.txt").write_bytes(picture("blue", "WEBP"))
    script.plans = [[Say("None.")]]
    media_ids = (
        "media-source://camera/camera.front_door",
        "media-source://image/image.doorbell",
        f"{LOCAL}/street.txt",
    )
    assert await ask(home, *media_ids) == "None."
    [request] = standin.requests
    [shown] = [item for item in request["messages"] if "images" in item]
    assert [item["media_type"] for item in shown["images"]] == ["image/jpeg"] * 3
    assert "How many cars" in shown["content"]
    assert standin.violations == []
    temporary = media.parent / "temporary"
    assert len([*temporary.iterdir()]) == 2
    async_fire_time_changed(home, dt_util.utcnow() + timedelta(minutes=10))
    await home.async_block_till_done(wait_background_tasks=True)
    assert not [*temporary.iterdir()]


async def test_a_second_request_shows_them_again(
    home: HomeAssistant, standin: Standin, script: Script, media: Path
) -> None:
    script.plans = [[Say("I see three.")], [Say('{"cars": 3}')]]
    data = await ask(
        home,
        "media-source://camera/camera.front_door",
        structure={"cars": {"selector": {"number": {}}, "required": True}},
    )
    assert data == {"cars": 3}
    first, second = standin.requests
    assert [len(item.get("images", ())) for item in first["messages"]].count(1) == 1
    assert [len(item.get("images", ())) for item in second["messages"]].count(1) == 1
    # In private mode no name of a field travels in clear.
    assert not any(b"cars" in body for body in standin.bodies)
    assert standin.violations == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"%PDF-1.7 ...", "Lumo kann nur Bilder ansehen (JPEG, PNG, GIF oder WebP)"),
        (b"<svg/>", "Lumo kann nur Bilder ansehen"),
        (b"", "Lumo kann nur Bilder ansehen"),
        (picture()[:50], "Das Bild plan.jpg ist beschädigt"),
    ],
)
async def test_what_is_no_picture_is_an_error_in_the_language_of_the_home(
    home: HomeAssistant, standin: Standin, media: Path, content: bytes, said: str
) -> None:
    """It says which file, and nothing is sent."""
    home.config.language = "de"
    (media / "plan.jpg").write_bytes(content)
    with pytest.raises(HomeAssistantError) as caught:
        await ask(home, "media-source://camera/camera.front_door", f"{LOCAL}/plan.jpg")
    assert said in str(caught.value) and "plan.jpg" in str(caught.value)
    assert not standin.requests


async def test_a_file_that_has_gone_is_an_error(
    home: HomeAssistant, standin: Standin, media: Path
) -> None:
    """It was there when the automation was written."""
    with pytest.raises(
        HomeAssistantError, match=r"cannot read the file gone\.jpg|does not exist"
    ):
        await ask(home, f"{LOCAL}/gone.jpg")
    assert not standin.requests
