"""What the stand-in's model says of pictures: what can be seen, and no more."""

from io import BytesIO

from PIL import Image
import pytest

from dev.brain import Brain, Say
from dev.brain.seeing import describe
from dev.demo_home.house import THINGS
from dev.demo_home.shown import DemoCamera

PICTURES = {
    "white": "mostly white.",
    "#101010": "mostly black.",
    "#909090": "mostly grey.",
    "#d01818": "mostly red.",
    "#e08010": "mostly orange.",
    "#18c030": "mostly green.",
    "#1830d0": "mostly blue.",
}


def picture(color: str, kind: str = "JPEG") -> bytes:
    """Return a picture of one color."""
    file = BytesIO()
    Image.new("RGB", (32, 18), color).save(file, kind)
    return file.getvalue()


@pytest.mark.parametrize(("color", "said"), PICTURES.items())
def test_its_size_and_its_main_colour(color: str, said: str) -> None:
    """Told by the pixels alone."""
    assert describe([picture(color)], "en") == (
        f"I see a picture of 32 × 18 pixels: {said}"
    )


def test_each_of_several_in_the_language_of_the_sentence() -> None:
    """In an unknown one in English."""
    both = [picture("red", "PNG"), picture("blue", "WEBP")]
    assert describe(both, "de").count("Ich sehe ein Bild") == 2
    assert describe(both, "pl").startswith("I see")


def test_the_camera_of_the_demo_home_draws_the_same_each_time() -> None:
    """Somebody in a coat that is yellow."""
    [thing] = (thing for thing in THINGS if thing.domain == "camera")
    one, two = (DemoCamera("", "", thing.start).camera_image() for _ in range(2))
    assert one and one == two
    assert describe([one], "en") == (
        "I see a picture of 640 × 360 pixels: mostly grey, with some yellow."
    )


def test_a_picture_answers_what_is_not_understood() -> None:
    """It comes with the message; without one there is nothing to see."""
    said = {"role": "user", "content": "Count the cars, will you?"}
    [answer] = Brain().answer([said | {"images": [picture("red")]}])
    assert isinstance(answer, Say) and "mostly red" in answer.text
    [answer] = Brain().answer([said])
    assert isinstance(answer, Say) and "red" not in answer.text


def test_without_tools_there_is_nothing_to_do_but_to_look() -> None:
    """A picture that is attached to a task."""
    asked = "Wer ist an der Tür?"
    shown = [picture("#18c030")]
    [said] = Brain().answer([{"role": "user", "content": asked, "images": shown}])
    assert isinstance(said, Say)
    assert "vor allem grün" in said.text
