"""Which names are found in what people say, in the languages that have samples."""

import pytest

from custom_components.lumo.gate.mention import Sentence
from custom_components.lumo.languages import LANGUAGES

from .samples import SAMPLES


@pytest.mark.parametrize("code", SAMPLES)
def test_a_name_is_found_however_it_is_inflected(code: str) -> None:
    for key, expected in (("named", True), ("not_named", False)):
        rows = SAMPLES[code][key]
        assert len(rows) >= 4
        for sentence, name in rows:
            found = Sentence(sentence, LANGUAGES[code]).names(name)
            assert found is expected, (sentence, name)


@pytest.mark.parametrize("code", [code for code in SAMPLES if "kinds" in SAMPLES[code]])
def test_a_kind_is_spoken_of_in_any_words(code: str) -> None:
    for sentence, *kinds in SAMPLES[code]["kinds"]:
        assert Sentence(sentence, LANGUAGES[code]).kinds == {*kinds}, sentence
