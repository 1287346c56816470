"""Every language has everything, and one more changes nothing else."""

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
import re
import tempfile
from typing import Any

import pytest

from custom_components.lumo.agent.claims import Claim, ClaimRule
from custom_components.lumo.agent.confirmation import may_confirm
from custom_components.lumo.agent.wanted import only_asks
from custom_components.lumo.gate.consent import Reply, read_answer
from custom_components.lumo.gate.mention import Sentence
import custom_components.lumo.languages
from custom_components.lumo.languages import (
    EN,
    LANGUAGES,
    UNKNOWN,
    language_of,
    read_language,
    translated,
)
from custom_components.lumo.languages.form import Language
from custom_components.lumo.languages.words import word_patterns
from custom_components.lumo.text import as_compared

ROOM = Path(custom_components.lumo.languages.__file__).parent
# What a language may be without: a signature, inflection, articles.
OPTIONAL = {"signed", "articles", "cases"}
# Tables whose rows are of one language.
OWN_ROWS = {"articles", "changes", "states", "units"}


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_a_language_has_every_member(language: Language) -> None:
    for field in fields(Language):
        value: Any = getattr(language, field.name)
        if field.name not in OPTIONAL:
            assert value, field.name
        assert isinstance(value, str | dict), field.name
        if isinstance(value, dict) and field.name not in OWN_ROWS:
            assert value.keys() == getattr(EN, field.name).keys(), field.name
    for name in language.patterns:
        assert getattr(language, name).flags & re.IGNORECASE, name
        assert language.patterns[name], name
    assert language.kinds.keys() >= language.changes.keys()
    assert all(language.kinds.values())
    assert all(map(re.compile, language.counts.split()))
    assert len(language.numbers.split()) >= 11


def test_every_language_has_translations() -> None:
    assert LANGUAGES.keys() == {
        path.stem for path in (ROOM.parent / "translations").glob("*.json")
    }
    assert next(iter(LANGUAGES)) == translated("tlh") == "en"


@pytest.mark.parametrize("tag", ["nb", "no", "NN", "nb-NO", "nn_NO"])
def test_norwegian_has_more_than_one_tag(tag: str) -> None:
    """Home Assistant has some of them, a pipeline may have others."""
    assert language_of(tag).code == translated(tag) == "nb"


ENGLISH = (ROOM / "en.toml").read_text(encoding="utf-8")
# A key at the beginning of a line, and what stands behind it up to the next.
KEY = re.compile(r"^([a-z_.]+) = (.*?)(?=^\S+ = |^#|\Z)", re.MULTILINE | re.DOTALL)


def edited(values: Mapping[str, str | None]) -> str:
    """Return the English file with other values, without those that are None."""

    def edit(match: re.Match[str]) -> str:
        value = left.pop(match[1], match[2])
        return "" if value is None else f"{match[1]} = {value}\n"

    left = dict(values)
    text = KEY.sub(edit, ENGLISH)
    return text + "".join(f"{key} = {value}\n" for key, value in left.items())


def test_a_translator_is_told_what_each_key_is() -> None:
    """A comment stands above it, or above the rows of its table."""
    names = {field.name for field in fields(Language)} - {"code", "patterns"}
    for name in (*names, *EN.patterns):
        above = re.search(rf"(.*)\n{name}[ .]", ENGLISH)
        assert above is not None
        assert above[1].startswith("# ") and above[1][2] != "-", name
    assert read_english(edited({})).yes == EN.yes


def read_english(text: str) -> Language:
    """Read a file like the English one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "xx.toml"
        path.write_text(text, encoding="utf-8")
        return read_language(path)


@pytest.mark.parametrize("values", [{"yes": None}, {"yess": "'yip'"}])
def test_a_wrong_key_is_named(values: Mapping[str, str | None]) -> None:
    with pytest.raises(ValueError, match=rf"^xx.toml: .*\['{[*values][0]}'\]$"):
        read_english(edited(values))


def test_a_letter_may_be_written_without_its_accent() -> None:
    assert as_compared("Ærø, Łódź") == "aero, lodz"
    assert word_patterns("lås", EN).isdisjoint(word_patterns("las", EN))


def reply(text: str, language: Language) -> Reply:
    """Read an answer to a question without names."""
    return read_answer(text, language, []).reply


def test_a_sixth_language_changes_nothing_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A file more: it is understood, the others as before."""
    path = tmp_path / "xx.toml"
    path.write_text(
        edited(
            {
                "yes": "'yip'",
                "weak_yes": "'mhm'",
                "polite": "'pliz'",
                "denials": "'nix'",
                "joints": "'ond'",
                "generic": "'ze'",
                "kinds.light": "'lumo'",
            }
        ),
        encoding="utf-8",
    )
    sixth = read_language(path)
    before = {code: reply("yip pliz", LANGUAGES[code]) for code in LANGUAGES}
    assert language_of("xx-YY") is UNKNOWN
    assert reply("yip pliz", UNKNOWN) is Reply.OTHER
    monkeypatch.setitem(LANGUAGES, "xx", sixth)
    assert language_of("xx-YY") is sixth
    assert reply("yip, pliz", language_of("xx")) is Reply.YES
    assert reply("yip, nix", language_of("xx")) is not Reply.YES
    assert Sentence("open ze dor", sixth).names("Dor Ze")
    assert not Sentence("open dor", EN).names("Dor Ze")
    assert Sentence("ze lumos", sixth).kinds == {"light"}
    assert only_asks("is it on", sixth)
    assert not may_confirm("zis ond zat", sixth, [], 1)
    rule = ClaimRule.for_turn("zis lumo", sixth, None)
    assert rule.judge("I have turned it off.") is Claim.DONE
    for code, said in before.items():
        assert reply("yip pliz", LANGUAGES[code]) is said
