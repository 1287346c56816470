"""Cameras and their pictures."""

import asyncio
from io import BytesIO
from pathlib import Path
from typing import Any

from homeassistant.components import camera, image
from PIL import Image as PillowImage


def picture(color: str = "red", kind: str = "PNG") -> bytes:
    file = BytesIO()
    PillowImage.new("RGB", (16, 9), color).save(file, kind)
    return file.getvalue()


class Camera(camera.Camera):
    """A camera of this name, which gives what it is made with."""

    def __init__(self, name: str, sees: bytes | Exception | None, **more: Any) -> None:
        """Take what it sees; None: it never answers."""
        super().__init__()
        self.entity_id = f"camera.{name.casefold().replace(' ', '_')}"
        self._attr_unique_id = self.entity_id
        self._attr_name = name
        self._attr_is_on = more.get("is_on", True)
        self._sees = sees
        self.taken = 0

    async def async_camera_image(
        self, width: int | None = None, height: int | None = None
    ) -> bytes | None:
        self.taken += 1
        if isinstance(self._sees, Exception):
            raise self._sees
        if self._sees is None:
            await asyncio.Event().wait()
        return self._sees


PICTURE = Path(__file__).parents[2] / "docs" / "images" / "conversation.png"


class Door(camera.Camera):
    _attr_name = "Front door"

    async def async_camera_image(
        self, width: int | None = None, height: int | None = None
    ) -> bytes:
        return await self.hass.async_add_executor_job(PICTURE.read_bytes)


class Doorbell(image.ImageEntity):
    _attr_name = "Doorbell"
    entity_id = "image.doorbell"

    async def async_image(self) -> bytes | None:
        return picture("green")
