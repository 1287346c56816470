"""Answers in a language whose table nobody has signed yet: a no counts, a yes does not."""

from dataclasses import replace

import pytest

from custom_components.lumo.gate.consent import Asked, Reply, read_answer
from custom_components.lumo.languages import LANGUAGES

from .samples import SAMPLES

UNSIGNED = [code for code, language in LANGUAGES.items() if not language.signed]


def test_every_language_without_a_signature_has_samples() -> None:
    """They are what its native speaker reads first."""
    assert set(UNSIGNED) <= SAMPLES.keys()


@pytest.mark.parametrize("code", SAMPLES)
def test_its_words_are_known(code: str) -> None:
    sample, signed = SAMPLES[code], replace(LANGUAGES[code], signed="a reader")
    asked = [Asked("do_unlock", (sample["door"],))]
    for key, expected in (("yes", Reply.YES), ("no", Reply.NO)):
        assert len(set(sample[key])) >= 25
        for text in sample[key]:
            assert read_answer(text, signed, asked).reply is expected, text
    assert len(set(sample["neither"])) >= 25
    for text in sample["neither"]:
        reply = read_answer(text, signed, asked).reply
        assert reply in (Reply.OTHER, Reply.AGAIN), text


@pytest.mark.parametrize("code", UNSIGNED)
def test_nothing_is_a_yes_until_then(code: str) -> None:
    sample, asked = SAMPLES[code], [Asked("do_unlock", (SAMPLES[code]["door"],))]
    for text in [*sample["yes"], sample["door"], "yes", "ok", "ja"]:
        reply = read_answer(text, LANGUAGES[code], asked).reply
        assert reply not in (Reply.YES, Reply.SOME), text
    for text in sample["no"]:
        assert read_answer(text, LANGUAGES[code], asked).reply is Reply.NO, text
