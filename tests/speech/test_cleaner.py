"""What a model writes, as it is heard."""

import random

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.languages import LANGUAGES, UNKNOWN
from custom_components.lumo.languages.form import Language
from custom_components.lumo.speech.cleaner import Cleaner
from custom_components.lumo.speech.marks import LIMIT
from custom_components.lumo.speech.numbers import Numbers
from tests import sampling

from .rows import COMMON
from .rows_by_language import ROWS

NAMES = {"light.hall": "Lamp_2"}


def heard(pieces: list[str], language: Language = LANGUAGES["en"]) -> str:
    cleaner = Cleaner(language, NAMES.get)
    return "".join(map(cleaner.feed, pieces)) + cleaner.finish()


def filled(text: str, language: Language) -> str:
    """Return what is to be heard, with the language's words."""
    said = language.said
    words = {
        **{key: said[key] for key in ("code", "done", "yes", "no")},
        ".": language.decimal,
        "items": said["items"].format(count=7),
        **Numbers(language).signs,
    }
    for key, word in words.items():
        text = text.replace(f"{{{key}}}", word)
    return text


def cuts(text: str, step: int) -> list[list[str]]:
    """Return a text cut in two at places so far apart, in characters, and at random."""
    ways = [[text[:place], text[place:]] for place in range(0, len(text) + 1, step)]
    ways.append(list(text))
    chance = random.Random(text)
    for _time in range(5):
        places = sorted(chance.choices(range(len(text) + 1), k=6))
        ways.append(
            [text[a:b] for a, b in zip([0, *places], [*places, None], strict=True)]
        )
    return ways


def rows_of(code: str) -> list[tuple[str, str]]:
    """Return all rows of a language: what is written, and what is to be heard."""
    common = [(written, filled(text, LANGUAGES[code])) for written, text in COMMON]
    return [*common, *ROWS[code]]


@pytest.mark.parametrize("code", LANGUAGES)
def test_what_is_heard(code: str) -> None:
    language, turn = LANGUAGES[code], list(LANGUAGES).index(code)
    for number, (written, expected) in enumerate(rows_of(code)):
        assert (written, heard([written], language)) == (written, expected)
        if number < len(COMMON) and number % len(LANGUAGES) != turn:
            continue
        step = sampling.one_in if number >= len(COMMON) else 1
        assert (written, {heard(way, language) for way in cuts(written, step)}) == (
            written,
            {expected},
        )


def test_each_language_knows_the_same_signs() -> None:
    assert len({frozenset(Numbers(item).signs) for item in LANGUAGES.values()}) == 1


WORDS = st.text(st.characters(categories=["L"]), min_size=1, max_size=12)
STOPS = st.sampled_from(["", "", "", ",", ".", "!", "?", ";", ":", "…"])
BLANKS = st.sampled_from([" ", " ", " ", " ", "  ", "\n", "\n\n"])
PROSE = st.lists(st.tuples(WORDS, STOPS, BLANKS), max_size=20).map(
    lambda words: "".join(map("".join, words))
)


@given(PROSE, st.sampled_from([*LANGUAGES.values(), UNKNOWN]))
def test_text_without_marks_is_heard_as_it_is(text: str, language: Language) -> None:
    cleaner = Cleaner(language)
    said = ""
    for place, character in enumerate(text, 1):
        said += cleaner.feed(character)
        assert text.startswith(said)
        if character.isspace() and language.sources:
            assert said == text[:place].rstrip(" ")
    assert said + cleaner.finish() == text


MARKS = r"""
    ** * _ ` ``` [ ] ( ) [1] 【 】 | # - 1. > < <b> $ \ \( { } {" ": ~~ 👍 ✅ & &amp;
    5 °C km 21.5 21:05 – → = × word Wort. http://a.b/c light.hall <br> ½ ² 21°/
"""
PIECES = st.sampled_from([*MARKS.split(), "\n", "\n\n", "  ", "【】\n", "- "])
MARKED = st.lists(st.one_of(PIECES, st.just(" "), WORDS), max_size=40).map("".join)


@given(MARKED, st.randoms(use_true_random=False), st.sampled_from(list(LANGUAGES)))
def test_marks_in_any_order(text: str, chance: random.Random, code: str) -> None:
    """Raise nothing, and are heard the same however they are cut."""
    places = sorted(chance.choices(range(len(text) + 1), k=4))
    pieces = [text[a:b] for a, b in zip([0, *places], [*places, None], strict=True)]
    assert heard(pieces, LANGUAGES[code]) == heard([text], LANGUAGES[code])


@given(st.lists(st.one_of(WORDS, st.sampled_from(["**", "_", "*", "`", "~~"]))))
def test_words_between_marks_are_never_lost(parts: list[str]) -> None:
    written = [part for part in parts if part.isalpha() and len(part) > 1]
    said = heard([" ".join(part for part in parts if len(part) != 1 or part == "*")])
    words = [word.strip(".") for word in said.split()]
    assert [word for word in words if word] == written


@pytest.mark.parametrize("mark", ["[", "`", "$a", "\\(", "<a ", "【", "![", "{", '{ "'])
def test_what_is_never_closed_is_let_out(mark: str) -> None:
    words = "word " * 100
    cleaner = Cleaner(LANGUAGES["en"])
    said, most = "", 0
    for place, character in enumerate(mark + words, 1):
        said += cleaner.feed(character)
        most = max(most, place - len(said))
    assert most <= LIMIT + len(mark)
    assert (said + cleaner.finish()).count("word") == 100


def test_long_code_is_not_kept() -> None:
    for begin in ("```\n", "```\n" + "x" * 1000, '{"a": ', "[^1]: "):
        cleaner = Cleaner(LANGUAGES["en"])
        cleaner.feed(begin)
        for _time in range(100):
            cleaner.feed("x" * 100)
        assert len(cleaner._text) <= 4 * LIMIT


def test_sources_are_not_heard() -> None:
    links = "- [A](https://a.example)\n2. https://b.example\n\n"
    for head in ("Sources:", "**Sources:**", "### Sources", "*References*:"):
        assert heard([f"It rains.\n\n{head}\n{links}"]) == "It rains.\n\n"
        assert heard([f"Ok?\n{head}\n{links}Bye."]) == "Ok?\nBye."
    assert heard(["Source: [A](https://a.example)"]) == ""
    for text in ("Sources say that it rains.", "Sources:\n\nIt rains.", "Source: A"):
        assert heard([text]) == text


def test_code_is_told_once_in_a_turn() -> None:
    cleaner = Cleaner(LANGUAGES["en"])
    said = [cleaner.feed("```\na\n```\n") + cleaner.finish() for _time in range(2)]
    assert said == ["The code is in the chat.\n", ""]


def test_a_message_of_emoji_before_a_call_is_silent() -> None:
    """That it is done would be too early."""
    cleaner = Cleaner(LANGUAGES["en"])
    assert cleaner.feed("👍") + cleaner.finish(alone="") == ""
    assert cleaner.finish() == ""


def test_another_language_keeps_its_numbers_and_signs() -> None:
    text = "**Il** fa -5 °C, 18–20 km/h & 21.5 % alle 21:05."
    assert heard([text], UNKNOWN) == text.replace("*", "")


def test_a_plain_word_is_released_before_a_wait() -> None:
    """One that may still be a mark is not."""
    for held, released in {
        "word.": " word.",
        "21": "",
        "**word": "",
        "[link": "",
        "a.b": "",
    }.items():
        cleaner = Cleaner(LANGUAGES["en"])
        assert cleaner.feed(f"Some {held}") == "Some"
        assert cleaner.release() == released
        cleaner.feed(" more")
        assert cleaner.finish().endswith("more")
