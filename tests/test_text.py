"""The ways to fold a text."""

import pytest

from custom_components.lumo.text import as_compared, as_searched, letters_and_digits


@pytest.mark.parametrize(
    ("text", "compared", "searched", "letters"),
    [
        ("Front  Door ", "front door", "front  door ", "frontdoor"),
        ("light.Night_lamp-2", "light.night lamp 2", "light.night_lamp-2", None),
        ("Ærø, Łódź", "aero, lodz", "ærø, łódź", "ærøłódź"),
        ("Cafe\u0301", "cafe", "caf\u00e9", "caf\u00e9"),
        ("STRASSE Straße", "strasse strasse", "strasse strasse", None),
        ("ｋｅｙ ﬁve", "key five", None, "keyfive"),
        # A mark of another script is a letter: a key is no oyster.
        ("かぎ", "かぎ", "かぎ", "かぎ"),
        ("दीवार", "दीवार", "दीवार", None),
        ("", "", "", ""),
        ("_-", "", "_-", ""),
    ],
)
def test_a_text_is_folded(
    text: str, compared: str, searched: str | None, letters: str | None
) -> None:
    folds = {as_compared: compared, as_searched: searched, letters_and_digits: letters}
    for fold, expected in folds.items():
        folded = fold(text)
        assert expected in (None, folded)
        assert fold(folded) == folded
