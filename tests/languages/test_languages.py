"""Every language has everything, and one more changes nothing else."""

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
import subprocess
import sys
from typing import Any

import pytest

from custom_components.lumo.agent.claims import Claim, ClaimRule, person_asks
from custom_components.lumo.agent.confirmation import may_confirm
from custom_components.lumo.gate.consent import Reply, read_answer
from custom_components.lumo.gate.mention import Sentence
import custom_components.lumo.languages
from custom_components.lumo.languages import LANGUAGES, UNKNOWN, language_of, translated
from custom_components.lumo.languages.en import EN
from custom_components.lumo.languages.form import Language

ROOM = Path(custom_components.lumo.languages.__file__).parent
# What a language may be without: inflection, and claims that nobody has collected.
OPTIONAL = {"claims", "claims_states", "claims_nothing", "cases", "links"}


@pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
def test_a_language_has_every_member(language: Language) -> None:
    """Also every row of its tables; no word of one is a number or a mark."""
    for field in fields(Language):
        value: Any = getattr(language, field.name)
        if field.name not in OPTIONAL:
            assert value, field.name
        if isinstance(value, Mapping) and field.name != "articles":
            assert value.keys() == getattr(EN, field.name).keys(), field.name
    assert language.kinds.keys() == language.changes.keys()
    assert all(language.kinds.values())
    assert len(language.numbers.split()) == 11


def test_every_file_is_listed() -> None:
    """And has its translations."""
    others = {"__init__", "form", "words"}
    files = {path.stem for path in ROOM.glob("*.py")} - others
    assert files == LANGUAGES.keys()
    assert files == {
        path.stem for path in (ROOM.parent / "translations").glob("*.json")
    }
    assert next(iter(LANGUAGES)) == translated("tlh") == "en"


def test_the_room_stands_alone() -> None:
    """It loads where nothing else of the integration, nor Home Assistant, does."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import languages;"
        "bad = [n for n in sys.modules if n.startswith(('homeassistant', 'custom_'))];"
        "assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", script, str(ROOM.parent)], check=True)


def reply(text: str, language: Language) -> Reply:
    """Read an answer to a question without names."""
    return read_answer(text, language, []).reply


def test_a_sixth_language_changes_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """One file, one name in the list: it is understood, the others as before."""
    sixth = replace(
        EN,
        code="xx",
        yes="yip",
        weak_yes="mhm",
        polite="pliz",
        denials="nix",
        joints="ond",
        generic="ze",
        kinds={**EN.kinds, "light": "lumo"},
    )
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
    assert person_asks("is it on", sixth)
    assert not may_confirm("zis ond zat", sixth, [], 1)
    rule = ClaimRule.for_turn("zis", sixth, frozenset())
    assert rule is not None
    assert rule.judge("I have turned it off.") is Claim.DONE
    for code, said in before.items():
        assert reply("yip pliz", LANGUAGES[code]) is said
