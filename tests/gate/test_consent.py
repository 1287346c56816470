"""Tables of answers to "Shall I unlock Front Door?", and what holds for any text."""

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
import tomllib

from hypothesis import assume, given, strategies as st
import pytest

from custom_components.lumo.gate.consent import (
    MAX_WORDS,
    Asked,
    Part,
    Reply,
    grammar_of,
    read_answer,
    words_of,
)
from custom_components.lumo.languages import LANGUAGES, UNKNOWN, language_of
from custom_components.lumo.languages.form import Language
from tests.sampling import some

TABLES = tomllib.loads(Path(__file__).with_name("answers.toml").read_text("utf-8"))
YES, NO, OTHER = TABLES["yes"], TABLES["no"], TABLES["other"]
NEITHER = (Reply.AGAIN, Reply.OTHER)
CODES = st.sampled_from(sorted(LANGUAGES))
# Each language as if somebody had signed it.
SIGNED = {
    code: replace(language, signed="a reader") for code, language in LANGUAGES.items()
}


def read_reply(
    text: str, language: Language, actions: Collection[str] = ("do_unlock", "do_open")
) -> Reply:
    """Read an answer to a question that had no names."""
    return read_answer(text, language, [Asked(action) for action in actions]).reply


def neither(text: str) -> Reply:
    """Return what becomes of what is no answer: too little for a new sentence, or one."""
    few = sum(any(map(str.isalnum, part)) for part in text.split()) <= 3
    return Reply.AGAIN if few else Reply.OTHER


@pytest.mark.parametrize("language", YES)
def test_a_clear_yes_is_a_yes(language: str) -> None:
    for text in YES[language]:
        assert read_reply(text, language_of(language)) is Reply.YES, text


@pytest.mark.parametrize("language", NO)
def test_a_denial_among_words_of_answers_is_a_no(language: str) -> None:
    for text in NO[language]:
        assert read_reply(text, language_of(language)) is Reply.NO, text


@pytest.mark.parametrize("language", OTHER)
def test_anything_else_is_something_else(language: str) -> None:
    """Doubts, questions, names, new sentences, other languages, echoes of ours."""
    for text in (*OTHER[language], "yes " * (MAX_WORDS + 1)):
        assert read_reply(text, language_of(language)) is neither(text), text
    for no in ("no", "nein", "non", "nee"):
        if no in language_of(language).denials.split():
            assert read_reply(f"{no}, Tuesday", language_of(language)) is Reply.OTHER


@pytest.mark.parametrize(
    ("tag", "known"),
    [
        ("en", True), ("en-GB", True), ("en_US", True), ("de-AT", True), ("DE", True),
        ("fr-CA", True), ("nl-BE", True), ("es-419", True), ("tr", False), ("eng", False),
        ("den", False), ("", False), ("*", False), ("-en", False), (None, False),
    ],
)  # fmt: skip
def test_a_language_is_known_with_its_regions(tag: str | None, known: bool) -> None:
    assert (language_of(tag) is not UNKNOWN) is known
    assert (read_reply("ok", language_of(tag)) is Reply.YES) is known
    if not known:
        for text in ("yes", "ja", "oui", "sí", "sim", "no"):
            assert read_reply(text, language_of(tag)) is Reply.OTHER


@pytest.mark.parametrize(
    ("language", "text", "asked", "reply"),
    [
        ("en", "yes, turn it off", {"do_turn_off"}, Reply.YES),
        ("en", "yes, turn it on", {"do_turn_off"}, Reply.OTHER),
        ("en", "yes, open it", {"do_turn_off"}, Reply.OTHER),
        ("en", "yes, open it", {"do_open"}, Reply.YES),
        ("en", "yes, open it", {"do_unlock"}, Reply.YES),
        ("en", "yes, unlock it", {"do_unlock", "do_open"}, Reply.YES),
        ("en", "yes, open it", {"do_close"}, Reply.OTHER),
        ("en", "yes, close it", {"do_close"}, Reply.YES),
        ("en", "yes, open it", {"do_open", "do_disarm"}, Reply.OTHER),
        ("en", "yes, disarm it", {"do_disarm"}, Reply.YES),
        ("en", "yes, run it", {"do_run_unknown"}, Reply.YES),
        ("en", "yes, run it", {"do_use"}, Reply.OTHER),
        ("en", "yes, open it", (), Reply.OTHER),
        ("en", "yes", (), Reply.YES),
        ("en", "don't turn it on", {"do_turn_on"}, Reply.NO),
        ("en", "turn it off", {"do_turn_on"}, Reply.NO),
        ("en", "turn it on", {"do_turn_off"}, Reply.NO),
        ("en", "lock it", {"do_unlock"}, Reply.NO),
        ("en", "close it", {"do_open"}, Reply.NO),
        ("en", "no, turn it off", {"do_turn_on"}, Reply.OTHER),
        ("de", "ja, schalte ihn aus", {"do_turn_off"}, Reply.YES),
        ("de", "ja, schalte ihn ein", {"do_turn_off"}, Reply.OTHER),
        ("de", "ja, mach zu", {"do_close"}, Reply.YES),
        ("de", "ja, mach zu", {"do_open"}, Reply.OTHER),
        ("fr", "oui, allume", {"do_turn_on"}, Reply.YES),
        ("fr", "oui, éteins-la", {"do_turn_on"}, Reply.OTHER),
        ("nl", "ja, zet hem maar uit", {"do_turn_off"}, Reply.YES),
        ("nl", "ja, doe dicht", {"do_open"}, Reply.OTHER),
        ("es", "sí, apágala", {"do_turn_off"}, Reply.YES),
        ("es", "sí, apágala", {"do_turn_on"}, Reply.OTHER),
    ],
)
def test_only_what_was_asked_may_be_said_again(
    language: str, text: str, asked: set[str], reply: Reply
) -> None:
    expected = neither(text) if reply is Reply.OTHER else reply
    assert read_reply(text, language_of(language), asked) is expected


def phrases(language: str, *wanted: Part) -> list[str]:
    return [
        " ".join(phrase)
        for phrase, parts in grammar_of(SIGNED[language]).parts.items()
        if not parts.isdisjoint(wanted)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_is_what_it_is_listed_as(language: str) -> None:
    """No yes has a denial in it; politeness and hesitation are no answers."""
    grammar = grammar_of(SIGNED[language])
    signed = SIGNED[language]
    yes, no = phrases(language, Part.YES, Part.WEAK), phrases(language, Part.NO)
    assert yes
    assert no
    assert {text: read_reply(text, signed) for text in yes} == dict.fromkeys(
        yes, Reply.YES
    )
    assert {text: read_reply(text, signed) for text in no} == dict.fromkeys(
        no, Reply.NO
    )
    others = [
        *phrases(language, Part.POLITE, Part.HESITATION),
        *phrases(language, Part.UNCLEAR),
        *set(phrases(language, Part.BESIDE_NO)).difference(yes, no),
    ]
    for text in others:
        assert read_reply(text, signed, ("do_other",)) is not Reply.YES, text
    for phrase, kinds in some(grammar.actions.items()):
        text = " ".join(phrase)
        if "*" not in phrase:
            for kind in kinds:
                assert read_reply(text, signed, (kind,)) is Reply.YES
            # But "doe maar open", go ahead and open.
            if (language, phrase[0]) != ("nl", "doe"):
                assert read_reply(text, signed, ("do_other",)) is not Reply.YES, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_yes_of_another_language_is_none(language: str) -> None:
    shared = {
        "ok", "okay", "okey", "oke", "absolutely", "definitely", "ja", "jep", "jup", "si",
        "correct", "affirmative", "in orde", "natuurlijk", "exact", "exacto", "jo",
    }  # fmt: skip
    words = set(" ".join(phrases(language, Part.YES)).split())
    for other, texts in YES.items():
        for text in texts:
            said = set(words_of(text) or ())
            if other != language and not said & words and not said & shared:
                assert read_reply(text, language_of(language)) is not Reply.YES, (
                    other,
                    text,
                )
    for text in ("ja", "oui", "sí", "yes"):
        own = {"ja": ("de", "nl"), "oui": ("fr",), "sí": ("es", "fr"), "yes": ("en",)}
        assert (read_reply(text, language_of(language)) is Reply.YES) == (
            language in own[text]
        )


@st.composite
def composed(draw: st.DrawFn, *wanted: Part) -> tuple[str, str]:
    """Return a language and a text made of its phrases, some of them actions."""
    language = draw(CODES)
    choices = [phrases(language, part) for part in wanted]
    choices.append(
        [" ".join(action) for action in grammar_of(SIGNED[language]).actions]
    )
    parts = st.one_of([st.sampled_from(texts) for texts in choices])
    return language, " ".join(draw(st.lists(parts, min_size=1, max_size=5)))


@st.composite
def denials(draw: st.DrawFn, language: str) -> str:
    """Return a word that denies, as people write it."""
    word = draw(st.sampled_from(LANGUAGES[language].denials.split()))
    return draw(st.sampled_from([word, word.upper(), word.capitalize()]))


@given(st.data(), composed(Part.YES, Part.POLITE, Part.HESITATION))
def test_a_text_with_a_denial_is_never_a_yes(
    data: st.DataObject, said: tuple[str, str]
) -> None:
    language, text = said
    words = text.split()
    place = data.draw(st.integers(0, len(words)))
    words.insert(place, data.draw(denials(language)))
    assert read_reply(" ".join(words), SIGNED[language]) is not Reply.YES
    assert read_reply(", ".join(words), SIGNED[language]) is not Reply.YES


@given(
    st.data(),
    composed(Part.YES, Part.POLITE),
    st.text(min_size=1, max_size=8) | st.sampled_from(["door", "back", "light", "7"]),
)
def test_one_unknown_word_makes_a_yes_something_else(
    data: st.DataObject, said: tuple[str, str], word: str
) -> None:
    """A name, a number, another sentence: it was not what was asked."""
    language, text = said
    assume(read_reply(text, SIGNED[language]) is Reply.YES)
    grammar = grammar_of(SIGNED[language])
    known = {part for phrase in (*grammar.parts, *grammar.actions) for part in phrase}
    found = words_of(word)
    assume(found is None or (len(found) == 1 and found[0] not in {*known, "lumo"}))
    words = text.split()
    words.insert(data.draw(st.integers(0, len(words))), word)
    longer = " ".join(words)
    assert read_reply(longer, SIGNED[language]) is neither(longer)


@given(st.text(), st.none() | st.text() | CODES, st.sets(st.text()))
def test_any_text_is_read(text: str, language: str | None, asked: set[str]) -> None:
    """Nothing is raised, and nothing arbitrary is a yes by chance."""
    reply = read_reply(text, language_of(language), asked)
    assert reply in NEITHER or language_of(language).yes
    assert reply is not Reply.YES or "?" not in text


@given(
    composed(Part.YES, Part.NO, Part.POLITE, Part.HESITATION, Part.BESIDE_NO),
    st.sampled_from(["", ".", "!", ",", "...", "…", " ", "!!", ";", " –", ". \n"]),
)
def test_case_and_marks_at_the_end_do_not_matter(
    said: tuple[str, str], end: str
) -> None:
    """People type and speech-to-text writes as they like; a question is a question."""
    language, text = said
    reply = read_reply(text, SIGNED[language])
    for written in (text, text.upper(), text.capitalize(), text.title()):
        assert read_reply(f"{written}{end}", SIGNED[language]) is reply
        assert read_reply(f"{written}?{end}", SIGNED[language]) in NEITHER
        assert read_reply(f"{written}{end}?", SIGNED[language]) in NEITHER


@given(composed(Part.POLITE, Part.HESITATION))
def test_there_is_no_yes_without_a_word_of_yes(said: tuple[str, str]) -> None:
    """Another action is a new sentence, politeness alone is nothing."""
    language, text = said
    yes = set(phrases(language, Part.YES, Part.WEAK))
    words = text.split()
    assume(
        not any(
            " ".join(words[start:end]) in yes
            for start in range(len(words))
            for end in range(start + 1, len(words) + 1)
        )
    )
    assert read_reply(text, SIGNED[language], ("do_other",)) is not Reply.YES
