"""What can become of a picture that the model is to make."""

import base64
from dataclasses import replace
from typing import Any, ClassVar

from ..pictures import JPEG, WEBP
from ..plan import Decision, Draw, ImageData, Say, Step, Text
from .base import Exchange, Scenario, register


@register("picture_words")
class Words(Scenario):
    """The model describes a picture instead of making it."""

    def decide(self, exchange: Exchange, decisions: list[Decision]) -> list[Decision]:
        """Say how it would look."""
        return [
            Say("Imagine a lighthouse in the evening sun.")
            if isinstance(item, Draw)
            else item
            for item in decisions
        ]


@register("pictures_used_up")
class UsedUp(Scenario):
    """No picture is left to be made."""

    def decide(self, exchange: Exchange, decisions: list[Decision]) -> list[Decision]:
        """Let the tool fail."""
        exchange.may_draw = False
        return decisions


class _Changed(Scenario):
    """The data of a picture is not what it should be."""

    changes: ClassVar[dict[str, Any]]

    def revise(self, exchange: Exchange, plan: list[Step]) -> list[Step]:
        """Change the data."""
        return [
            replace(step, **self.changes) if isinstance(step, ImageData) else step
            for step in plan
        ]


@register("picture_damaged")
class Damaged(_Changed):
    """The data's text ends too early."""

    changes: ClassVar = {"damage": "cut"}


@register("picture_undecryptable")
class Undecryptable(_Changed):
    """The data was not sealed for this request; in clear it is as it should be."""

    changes: ClassVar = {"damage": "sealed_badly"}


@register("picture_in_clear")
class InClear(_Changed):
    """The data is not encrypted though the request was."""

    changes: ClassVar = {"damage": "in_clear"}


@register("picture_jpeg")
class Jpeg(_Changed):
    """The picture is a JPEG."""

    changes: ClassVar = {"data": JPEG}


@register("picture_webp")
class WebP(_Changed):
    """The picture is a WebP."""

    changes: ClassVar = {"data": WEBP}


@register("picture_none")
class NoPicture(_Changed):
    """What comes as a picture is none."""

    changes: ClassVar = {"data": b"<html>Sorry</html>"}


@register("picture_in_text")
class InText(Scenario):
    """The picture stands in the words, as base64."""

    def revise(self, exchange: Exchange, plan: list[Step]) -> list[Step]:
        """Write it as Markdown does."""
        return [
            Text(
                "![A picture](data:image/png;base64,"
                f"{base64.b64encode(step.data).decode()})"
            )
            if isinstance(step, ImageData)
            else step
            for step in plan
        ]
