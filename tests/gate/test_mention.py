"""A table of sentences and names: which of them is named."""

from collections.abc import Iterable
from pathlib import Path
import tomllib
import unicodedata

from hypothesis import given, strategies as st
import pytest

from custom_components.lumo.gate import mention
from custom_components.lumo.gate.mention import Sentence
from custom_components.lumo.languages import EN, LANGUAGES, UNKNOWN, language_of
from custom_components.lumo.languages.form import Language

TABLES = tomllib.loads(Path(__file__).with_name("named.toml").read_text("utf-8"))


def mentions(sentence: str, names: Iterable[str], language: Language) -> bool:
    return Sentence(sentence, language).names_any(names)


def cases(table: str) -> list[tuple[str, ...]]:
    return [(code, *row) for code, rows in TABLES[table].items() for row in rows]


@pytest.mark.parametrize(("code", "sentence", "name"), cases("named"))
def test_is_named(code: str, sentence: str, name: str) -> None:
    """Inflected, compounded, in another order, with a number."""
    assert mentions(sentence, ["Something Else", name], language_of(code))


@pytest.mark.parametrize(("code", "sentence", "name"), cases("not_named"))
def test_is_not_named(code: str, sentence: str, name: str) -> None:
    """A part of a name, another number, a word that begins alike."""
    assert not mentions(sentence, ["Something Else", name], language_of(code))


def test_nothing_is_named_without_names() -> None:
    """No names, or none that has a letter."""
    assert not mentions("turn on the light", [], EN)
    assert not mentions("turn on the light 💡", ["", "💡", "...", "\n"], EN)


# What a name may be: letters and digits of any script, and what stands between them.
NAMES = st.text(
    st.characters(
        categories=("Lu", "Ll", "Lo", "Nd", "Mn", "Zs"), include_characters="-'’."
    ),
    max_size=25,
)
WORDS = st.text(st.characters(categories=("Lu", "Ll", "Lo", "Nd")), min_size=1)


@given(NAMES.filter(lambda name: any(map(str.isalnum, name))), WORDS, WORDS)
def test_a_name_said_word_by_word_is_always_named(
    name: str, before: str, after: str
) -> None:
    assert mentions(f"{before} {name} {after}", [name], UNKNOWN)
    assert mentions(name.swapcase().swapcase(), [name], UNKNOWN)


@given(st.text(), NAMES)
def test_case_and_form_do_not_matter(sentence: str, name: str) -> None:
    """The same characters composed and decomposed are the same."""
    assert mentions(sentence, [name], EN) == mentions(
        unicodedata.normalize("NFD", sentence), [unicodedata.normalize("NFC", name)], EN
    )


@given(st.text(), st.lists(st.text()))
def test_any_text_can_be_asked_for(sentence: str, names: list[str]) -> None:
    """Nothing is raised, and names without letters are never named."""
    assert mentions(sentence, names, EN) == any(
        mentions(sentence, [name], EN) for name in names
    )
    assert not mentions(
        sentence,
        [
            name
            for name in names
            if not any(map(str.isalnum, unicodedata.normalize("NFKD", name)))
        ],
        EN,
    )


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 100))
def test_numbers_are_exact(named: int, said: int, percent: int) -> None:
    sentence = f"set lamp {said} to {percent} percent"
    assert mentions(sentence, [f"Lamp {named}"], EN) == (named == said)


@given(
    st.lists(
        st.sampled_from(("kuche", "lampe", "licht", "a", "1", "kuchen")), max_size=12
    )
)
def test_fewer_words_never_name_more(words: list[str]) -> None:
    """A sentence without one of a name's words does not name it."""
    said = [word for word in words if not word.startswith("lamp")]
    assert not mentions(
        " ".join(said), ["Lampe Küche", "Küchenlampe", "Lampe 1"], LANGUAGES["de"]
    )


def test_notes_and_plans_want_whole_words() -> None:
    """A part of a longer word is not that word: what is kept is what was said."""
    said = Sentence("ring the doorbell of the living room", EN)
    assert said.names("Door") and not said.names("Door", in_parts=False)
    assert said.names("Rooms living", in_parts=False)
    assert said.names("living rooms ring", in_parts=False)
    assert not said.names("ring door", in_parts=False)


def test_a_word_may_tell_a_thing_from_others() -> None:
    """If it is significant, was said by itself, is no short one, and nothing else has it."""
    texts = {"machine": "The Coffee Machine", "tap": "On Tap", "bulb": "Lamp"}

    def only_in(sentence: str, **more: str) -> set[str]:
        return Sentence(sentence, EN).only_in({**texts, **more}, ["light"])

    assert only_in("coffee on") == only_in("the coffees please") == {"machine"}
    assert only_in("tap on the coffee lamps") == {"machine"}
    assert not only_in("all lamps on") | only_in("coffee on", grinder="Coffeegrinder")
    assert not only_in("a coffeemaker with the tap on")


@pytest.mark.parametrize(
    ("code", "sentence", "verbs"),
    [
        ("en", "switch the big lamp in the hall off", "turn_off"),
        ("en", "turn it on and off", "turn_off turn_on"),
        ("en", "unlock the door", "unlock"),
        # An order without a verb needs a kind of thing, or everything.
        ("en", "lights off", "turn_off"),
        ("en", "everything off", "turn_off"),
        ("en", "coffee on", ""),
        ("en", "all of the hall lights on", ""),
        ("de", "Licht aus", "turn_off"),
        # One begins as its opposite does.
        ("da", "lås døren op", "unlock"),
        ("da", "lås døren", "lock"),
    ],
)
def test_what_a_sentence_orders(code: str, sentence: str, verbs: str) -> None:
    found = mention.verbs_of(sentence, language_of(code))
    assert " ".join(sorted(found)).replace("do_", "") == verbs


def test_a_word_for_a_thing_makes_an_order() -> None:
    for sentence, verbs in (
        ("coffee on", {"do_turn_on"}),
        ("big coffee machine on", set()),
    ):
        assert mention.verbs_of(sentence, EN, of_thing=True) == verbs


def test_what_is_said_is_taken_apart() -> None:
    """What is only polite, a condition, a length of time, and everything."""
    for said in ("Lumo, turn it on, please!", "Um, turn it on, thanks", "turn it on"):
        assert mention.bare(said, EN) == "turn it on"
    several = "Good morning. Turn it on and open it. Thank you!"
    assert mention.asked_for(several, EN) == ["Turn it on", "open it"]
    assert mention.asked_for("Good morning", EN) == ["Good morning"]
    for holds, said, not_said in (
        (mention.has_length, "for half an hour", "at five, minutely"),
        (mention.has_condition, "don’t turn it on", "turn it on"),
        (mention.verbs_of, "everything off", "everything here off"),
    ):
        assert holds(said, EN) and not holds(not_said, EN)
    hall = ["Hall light", "Hall"]
    for sentence, says_only in (
        ("Switch the lights in the hall off, please", True),
        ("Turn on the hall light at six", False),
        ("Turn on the dining light", False),
    ):
        assert Sentence(sentence, EN).says_only(hall) is says_only


@pytest.mark.parametrize("when", ["later", "now"])
def test_one_command_is_for_later_or_for_now(when: str) -> None:
    for code, sentences in TABLES["delayed"][when].items():
        for said in sentences:
            assert Sentence(said, LANGUAGES[code]).is_delayed is (when == "later"), said
    assert not Sentence("in 5 minutes", UNKNOWN).is_delayed


def test_numbers_are_said_in_digits_or_in_words() -> None:
    assert Sentence("two lamps to 40 at half past seven", EN).numbers == {2, 7, 40}


def test_what_is_too_long_names_less() -> None:
    for length, is_named in ((998, True), (999, False)):
        assert Sentence("x " * length + "lamp", EN).names("Lamp") is is_named
    for length, is_named in ((16, True), (17, False)):
        name = " ".join("abcdefghijklmnopq"[:length])
        assert Sentence(f"the {name}", EN).names(name) is is_named
