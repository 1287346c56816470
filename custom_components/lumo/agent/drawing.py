"""A picture that Lumo makes with Proton's own tool: asked for, and looked at.

The tool takes its time, and the model may answer without it: that, an empty quota and a
picture that is none are errors of their own. What the model says beside a picture, or
in place of one, is nobody's to read: errors of automations are logged.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from homeassistant.core import HomeAssistant
from homeassistant.exceptions import HomeAssistantError
from PIL import Image as PillowImage

from ..const import DOMAIN
from ..lumo_client.deadlines import ON_SCREEN, TURN_SECONDS
from ..lumo_client.errors import LumoConnectionError, LumoError
from ..lumo_client.events import ImageData, Usage
from ..lumo_client.messages import ChatRequest, Image, UserMessage
from .model_texts import DRAW, DRAW_FROM
from .pictures import MAX_DECODED, opened
from .record import TurnRecord
from .service import Service

# All that Proton's tool knows; the first is its own choice.
ASPECT_RATIOS: Final = ("1:1", "2:3", "3:2", "9:16", "16:9")

# Seconds without an event; another client of the service waits as long.
_WAIT: Final = 120.0


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture that can be shown, its sides in pixels."""

    data: bytes
    media_type: str
    width: int
    height: int


def drawing_request(
    instructions: str, images: Sequence[Image], *, model: str, aspect_ratio: str
) -> ChatRequest:
    """Return a request for one picture, made from others if there are any."""
    text = (DRAW_FROM if images else DRAW).format(instructions=instructions)
    return ChatRequest(
        messages=(UserMessage(text, tuple(images)),),
        model=model,
        server_tools=("generate_image", *(("edit_image",) if images else ())),
        image_aspect_ratio=aspect_ratio,
    )


async def async_draw(
    hass: HomeAssistant, client: Service, request: ChatRequest, record: TurnRecord
) -> Drawing:
    """Return the picture that Lumo makes; the record has what that took.

    Raises HomeAssistantError with a sentence that says what to do.
    """
    record.requests, record.pictures = 1, len(request.images)
    record.prompt_characters = request.characters
    try:
        data = await _async_ask(hass, client, request, record)
    except LumoError as err:
        record.failure, failure = err, err.code
    else:
        if data is not None:
            try:
                return await hass.async_add_executor_job(_look_at, data)
            except Exception:  # noqa: BLE001 # each format fails in its own ways
                failure = "image"
        else:
            remaining = record.usage.remaining if record.usage else None
            is_empty = remaining is not None and remaining.images == 0
            failure = "no_pictures_left" if is_empty else "no_picture"
    record.error = failure
    raise HomeAssistantError(translation_domain=DOMAIN, translation_key=failure)


async def _async_ask(
    hass: HomeAssistant, client: Service, request: ChatRequest, record: TurnRecord
) -> bytes | None:
    """Return the last picture of the answer, None without one."""
    data: bytes | None = None
    until = hass.loop.time() + TURN_SECONDS
    deadlines = replace(ON_SCREEN, first=_WAIT, gap=_WAIT, until=until)
    try:
        async with client.chat(request, deadlines) as events:
            async for event in events:
                if isinstance(event, ImageData):
                    data = event.data
                elif isinstance(event, Usage):
                    record.take(event)
    except LumoConnectionError:
        # Only words were to follow a picture.
        if data is None:
            raise
    return data


def _look_at(data: bytes) -> Drawing:
    """Return a picture, once all of it could be read; raise anything if not."""
    with opened(data) as picture:
        if picture.width * picture.height > MAX_DECODED:
            raise PillowImage.DecompressionBombError
        picture.load()
        return Drawing(data, PillowImage.MIME[picture.format or ""], *picture.size)
