"""What the benchmark of large homes reads, says and damages."""

import pytest

from custom_components.lumo.lumo_client.messages import (
    ChatRequest,
    SystemMessage,
    UserMessage,
)
from dev.bench.context_homes import make_home, misheard, wishes_of
from dev.bench.context_request import read_request

TOLD = """\
Static Context: what there is.
Downstairs = Ground floor:
- Kitchen = Galley: light 12, cover blind 3, sensor 1
- "Room: one"
  light: Ceiling light = Big light; "Lamp; old = \\"new\\""
  binary_sensor window: Window
Upstairs = First floor: lock 2
Whole home: fan 9
Something else.
  light: Nowhere
"""


def test_reads_things_and_rows_from_the_text() -> None:
    """A name is told with its area, under all it is called, quoted or not."""
    request = ChatRequest((SystemMessage(TOLD), UserMessage("Lights off")))
    told = read_request(request)
    assert told.things == {
        ("Room: one", "Ceiling light"),
        ("Room: one", "Big light"),
        ("Room: one", 'Lamp; old = "new"'),
        ("Room: one", "Window"),
        ("No area", "Nowhere"),
    }
    assert told.has_row("Kitchen", "cover", "blind")
    assert told.has_row("Kitchen", "cover", None)
    assert told.has_row("Room: one", "light", None)
    assert told.has_row("Upstairs", "lock", None)
    assert told.has_row("Whole home", "fan", None)
    assert not told.has_row("Kitchen", "cover", "shutter")
    assert not told.has_row("Kitchen", "lock", None)
    assert not told.has_row("Kitchen", "sensor", "battery")


def test_homes_have_what_their_sentences_need() -> None:
    for size in (100, 500):
        home = make_home("en", size)
        assert len({item["id"] for item in home.entities}) == size
        wishes = wishes_of(home)
        assert len(wishes) > 50
        for wish in wishes:
            assert wish.tools
            assert wish.things or wish.rows or wish.kind == "tool"


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_what_is_misheard_differs_and_is_always_the_same(share: float) -> None:
    sentence = "Set the bathroom heating to 23 degrees"
    damaged = misheard(sentence, share, "a")
    assert damaged == misheard(sentence, share, "a")
    words = zip(sentence.split(" "), damaged.split(" "), strict=True)
    changed = [before for before, after in words if before != after]
    wanted = ["Set", "the", "bathroom", "heating", "degrees"]
    assert set(changed) <= set(wanted)
    assert len(changed) == round(share * len(wanted))
    assert (
        misheard("今の太陽光発電はどれくらい？", share, "a")
        != "今の太陽光発電はどれくらい？"
    )
