"""Cameras of the demo home: each draws what it sees, the same each time."""

from io import BytesIO

from homeassistant.components.camera import Camera
from homeassistant.const import Platform
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddEntitiesCallback
from homeassistant.helpers.typing import ConfigType, DiscoveryInfoType
from PIL import Image, ImageDraw

from .entity import DemoHomeEntity
from .house import Thing, things

_SIZE = (640, 360)


async def async_setup_platform(
    hass: HomeAssistant,
    config: ConfigType,
    async_add_entities: AddEntitiesCallback,
    discovery_info: DiscoveryInfoType | None = None,
) -> None:
    """Add the house's cameras."""
    async_add_entities(DemoCamera(thing) for thing in things(Platform.CAMERA))


class DemoCamera(DemoHomeEntity, Camera):
    """A camera above a door, before which somebody stands."""

    def __init__(self, thing: Thing) -> None:
        """Take the colour of the visitor's coat from the table."""
        Camera.__init__(self)
        DemoHomeEntity.__init__(self, thing)
        self._coat = thing.start["coat"]

    def camera_image(
        self, width: int | None = None, height: int | None = None
    ) -> bytes | None:
        """Draw the wall, the path, and the visitor."""
        picture = Image.new("RGB", _SIZE, "#8f8f8f")
        draw = ImageDraw.Draw(picture)
        draw.polygon([(200, 360), (290, 150), (350, 150), (440, 360)], fill="#b4b4b4")
        draw.rectangle((250, 170, 390, 359), fill=self._coat)
        draw.ellipse((280, 80, 360, 175), fill="#c8a07a")
        draw.rectangle((275, 75, 365, 105), fill="#2b2b2b")
        file = BytesIO()
        picture.save(file, "JPEG", quality=85)
        return file.getvalue()
