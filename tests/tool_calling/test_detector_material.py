"""What real models wrote in Home Assistant, read as a careful person would."""

from collections import Counter
import itertools
import random
import re
from typing import Any

import pytest

from custom_components.lumo.tool_calling.detection.pieces import DetectedCall
from custom_components.lumo.tool_calling.naming import ToolNames
from tests.material import load_json, requires_material

from .forms import assert_nothing_lost, detect, text_of

VECTORS: list[dict[str, Any]] = (load_json("model_outputs.json") or {}).get(
    "vectors", []
)

pytestmark = requires_material


def read(vector: dict[str, Any], chunks: list[str]) -> tuple[list[Any], str]:
    """Return the calls, named as offered, and the text that remains."""
    pieces = detect(chunks, ToolNames(vector["tools"]))
    calls = [
        {"name": piece.tool, "arguments": piece.arguments}
        for piece in pieces
        if isinstance(piece, DetectedCall)
    ]
    return calls, text_of(pieces)


def meets(expected: dict[str, Any], calls: list[Any], text: str, given: str) -> bool:
    if calls != expected["calls"]:
        return False
    wanted: str = expected["text"]
    if wanted == "@any":
        return True
    if wanted == "@in":
        return text == given
    # The line breaks around a fence are nobody's.
    return text.split() == wanted.split()


def chunkings(vector: dict[str, Any]) -> list[list[str]]:
    text = "".join(vector["chunks"])
    dice = random.Random(vector["id"])
    cuts = []
    for most in (3, 20):
        chunks, position = [], 0
        while position < len(text):
            size = dice.randint(1, most)
            chunks.append(text[position : position + size])
            position += size
        cuts.append(chunks)
    return [vector["chunks"], [text], *cuts]


def of_level(*levels: str) -> list[Any]:
    """Return the vectors of some levels, each under its own name."""
    return [
        pytest.param(vector, id=vector["id"])
        for vector in VECTORS
        if vector["level"] in levels
    ]


@pytest.mark.parametrize("vector", of_level("must", "text"))
def test_what_is_clear_is_read_so(vector: dict[str, Any]) -> None:
    """Clear calls are found, and clear text stays as it came, at every chunking."""
    given = "".join(vector["chunks"])
    for chunks in chunkings(vector):
        assert meets(vector["expect"], *read(vector, chunks), given)


def test_what_is_damaged_is_read_where_it_can_be() -> None:
    """Damaged calls are found, stay text, or are asked for; nearly all are found."""
    outcome: Counter[str] = Counter()
    for vector in VECTORS:
        if vector["level"] != "should":
            continue
        given = "".join(vector["chunks"])
        for chunks in chunkings(vector):
            calls, text = read(vector, chunks)
            accepted = [vector["expect"], *vector["accept"]]
            # Where brackets are missing in the middle the model is asked again.
            assert any(meets(item, calls, text, given) for item in accepted) or (
                not calls and not text.strip()
            )
        outcome["called" if calls else "left"] += 1
    assert outcome["called"] >= 0.95 * outcome.total()


def test_everything_is_read_the_same_at_every_chunking() -> None:
    for vector in VECTORS:
        names = ToolNames(vector["tools"])
        given = "".join(vector["chunks"])
        pieces = detect([given], names)
        for chunks in chunkings(vector)[2:]:
            assert detect(chunks, names) == pieces
        assert_nothing_lost(given, pieces)


def test_no_call_is_read_aloud() -> None:
    """No name of a tool is left in front of arguments, but in a code span."""
    for vector in VECTORS:
        names = [name.rpartition("__")[2] for name in vector["tools"]]
        call = re.compile(
            rf"(?:{'|'.join(names)})[\"'`]*\s*[({{]|name.{{0,9}}(?:{'|'.join(names)})\\W+(?:arg|param)"
        )
        for chunks in chunkings(vector)[-1:]:
            pieces = detect(chunks, ToolNames(vector["tools"]))
            spoken = list(itertools.takewhile(lambda p: isinstance(p, str), pieces))
            if spoken and vector["level"] != "text":
                shown = re.sub(r"`[^`\n]*`", "", str(spoken[0]))
                assert call.search(shown) is None, vector["id"]
