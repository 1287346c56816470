"""The scorer finds what a sentence speaks of, in any language, and misheard too."""

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.context.scorer import Index, Names

HOME = [
    "Ceiling light\nKitchen\nLight",
    "Worktop lamp 2\nKitchen\nLight",
    "Worktop lamp 12\nKitchen\nLight",
    "Slaapkamerlampje\nSlaapkamer\nLamp",
    "Rollladen Büro\nArbeitszimmer\nAbdeckung Rollladen",
    "Thermostat salle à manger\nSalle à manger\nThermostat",
    "Lámpara del pasillo\nPasillo\nLuz",
    "リビングの照明\nリビング\n照明",
    "廚房吸頂燈\n廚房\n燈",
    "거실 조명\n거실\n조명",
    "ไฟห้องนอน\nห้องนอน\nไฟ",
]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("turn off the ceiling light in the kitchen", 0),
        ("worktop lamp 2 on", 1),
        ("worktop lamp 12 on", 2),
        ("worktop lamp 012 on", 2),
        ("doe het lampje in de slaapkamer aan", 3),
        ("mach den Rolladen im Büro zu", 4),
        ("mach den rollanden im buero zu", 4),
        ("mets le termostat de la sale a mangé à 20", 5),
        ("ENCIENDE LA LAMPARA DEL PASILO", 6),
        ("リビングの照明をつけて", 7),
        ("打開廚房的吸頂燈", 8),
        ("거실 조명 꺼줘", 9),
        ("เปิดไฟในห้องนอน", 10),
    ],
)
def test_the_best_document_is_what_was_said(said: str, found: int) -> None:
    """Compounds, endings, accents, mishearing, numbers, scripts without spaces."""
    assert Index(HOME).rank([said])[0][0] == found


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("dim the floor lamp", "Floor lamp"),
        ("dim the floor lamp in the cellar", "Cellar floor lamp"),
        ("the signal strength of the cellar's floor lamp", "Cellar floor lamp signal"),
        ("switch the tely on", "Telly"),
        ("洗濯濯は終わった", "洗濯機"),
    ],
)
def test_a_name_that_was_said_whole_is_meant(said: str, found: str) -> None:
    others = [
        f"{place} {noun}{part}"
        for place in ("Cellar", "Attic", "Hall", "Kitchen")
        for noun in ("floor lamp", "wall light")
        for part in ("", " signal", " power")
    ]
    names = [*others, "Floor lamp", "Telly", "テレビ", "洗濯機"]
    index = Index([f"{name}\nLight" for name in names], [[name] for name in names])
    assert names[index.rank([said])[0][0]] == found


def test_what_was_said_before_counts_less() -> None:
    """The thing of the last sentence stands first, that of the one before is there."""
    ranked = Index(HOME).rank(["and the Rollladen", "ceiling light on"])
    positions = [position for position, _ in ranked]
    assert positions[0] == 4
    assert 0 in positions[1:]


@pytest.mark.parametrize(
    ("name", "said", "at_least", "at_most"),
    [
        ("Kitchen", "lights in the kitchen on", 1, 1),
        ("Living room", "is it warm in the livingroom", 0.6, 0.99),
        ("Bathroom", "lights in the bedroom on", 0, 0.6),
        ("!", "anything", 0, 0),
    ],
)
def test_how_much_of_a_name_was_said(
    name: str, said: str, at_least: float, at_most: float
) -> None:
    """A whole name is 1, whatever else was said."""
    assert at_least <= Names([[name]]).shares([said]).get(0, 0) <= at_most


@given(st.lists(st.text(max_size=40), max_size=8), st.lists(st.text(), max_size=3))
def test_any_texts_can_be_ranked(documents: list[str], texts: list[str]) -> None:
    """Scores go down from at most 100, each document once, in the same order again."""
    names = [[document, ""] for document in documents]
    ranked = Index(documents, names).rank(texts)
    scores = [score for _, score in ranked]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 100 for score in scores)
    assert len({position for position, _ in ranked}) == len(ranked)
    assert ranked == Index(documents, names).rank(texts)
