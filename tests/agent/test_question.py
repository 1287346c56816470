"""The words of a question, in every language that has them."""

from dataclasses import replace
import json
from pathlib import Path
from typing import Any

from homeassistant.core import HomeAssistant
from homeassistant.helpers import entity_registry as er
import pytest

import custom_components.lumo
from custom_components.lumo.agent.question import actions_text, called, can_be_spoken
from custom_components.lumo.agent.sentences import Sentences
from custom_components.lumo.gate.judged_call import Ask
from custom_components.lumo.languages import LANGUAGES

_FOLDER = Path(custom_components.lumo.__file__).parent / "translations"


def sentences(language: str) -> Sentences:
    texts = json.loads((_FOLDER / f"{language}.json").read_text())["exceptions"]
    messages = {key: value["message"] for key, value in texts.items()}
    return Sentences(messages, LANGUAGES[language].decimal)


def ask(phrase: str, *targets: str, **more: Any) -> Ask:
    return Ask("tool", {}, frozenset(targets), phrase, targets, **more)


def question_text(own: Sentences, asks: list[Ask]) -> str:
    return own("question", actions=actions_text(own, asks))


@pytest.mark.parametrize(
    ("asks", "expected"),
    [
        ([ask("do_unlock", "Front door")], "Shall I unlock Front door?"),
        ([ask("do_unlock", "Front door"), ask("do_unlock", "Back door")], "Shall I unlock Front door and Back door?"),
        ([ask("do_open", "Garage"), ask("do_unlock", "A"), ask("do_unlock", "A")], "Shall I open Garage and unlock A?"),
        ([Ask("t", {}, frozenset({f"light.{n}" for n in range(5)}), "do_turn_off")], "Shall I turn off 5 lights?"),
        (
            # What must be named is named first.
            [*(ask("do_turn_off", f"L{n}") for n in range(8)), ask("do_turn_off", "Pump", names=(("switch.pump", "Pump"),))],
            "Shall I turn off Pump, L0, L1, L2, L3, L4, L5, L6 and 1 more?",
        ),
        ([ask("do_set_position", "Gate", value="60")], "Shall I move Gate to 60 percent?"),
        ([ask("do_open", "Gate", when="today, 22:00")], "Shall I open Gate, today, 22"),
        ([ask("do_run_reaching", "Front door", name="Leave")], "Shall I run Leave, which reaches Front door?"),
        (
            [ask("do_use_with", name="Send mail", server="Work", details=(("to", "Ann"), ("now", False), ("copies", "2")))],
            "Shall I use Send mail from Work with to: Ann, now: no, copies: 2?",
        ),
        (
            [ask("do_run_reaching", "Gate", name="Leave", details=(("code", None),))],
            "Shall I run Leave (code: nothing), which reaches Gate?",
        ),
        (
            [ask("do_turn_off", *(f"L{index}" for index in range(11)))],
            "Shall I turn off L0, L1, L2, L3, L4, L5, L6, L7 and 3 more?",
        ),
    ],
)  # fmt: skip
def test_question_names_what_is_meant(asks: list[Ask], expected: str) -> None:
    """The same action on several things is one phrase, the same thing is said once."""
    text = question_text(sentences("en"), asks)
    assert text.startswith(expected)
    assert text.endswith("?")


DOORS = [f"Door {index}" for index in range(12)]
LONG = "x" * 201


@pytest.mark.parametrize(
    ("asked", "is_all", "shown"),
    [
        (ask("do_turn_off", *DOORS[:8]), True, "Door 7?"),
        (ask("do_turn_off", *DOORS), False, "and 4 more?"),
        (ask("do_unlock", *DOORS, names=(("a", "b"),)), True, "Door 11?"),
        (ask("do_use_with", name="A", details=(("b", LONG[:197]),)), True, "x?"),
        (ask("do_use_with", name="A", details=(("b", LONG),)), False, "(4 more char"),
        (ask("do_unlock", LONG), False, "(121 more characters)?"),
        (ask("do_use", name=LONG), False, "(121 more characters)?"),
        (ask("do_use", name="A", server=LONG), False, "(121 more characters)?"),
    ],
)
def test_question_says_how_much_it_leaves_out(
    asked: Ask, is_all: bool, shown: str
) -> None:
    assert shown in question_text(sentences("en"), [asked])
    assert can_be_spoken(sentences("en"), [asked]) == is_all


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_makes_a_question(language: str) -> None:
    own = sentences(language)
    texts = json.loads((_FOLDER / "en.json").read_text())["exceptions"]
    for phrase in (key for key in texts if key.startswith("do_")):
        asked = ask(phrase, "Tür 7", name="Name 8", value="9.5")
        details = (("name", "Name 8"), ("minutes", "5")) if asked.is_own else ()
        text = question_text(own, [replace(asked, details=details)])
        assert text.endswith("?")
        assert "{" not in text
        value = f"9{LANGUAGES[language].decimal}5"
        wanted = {"{targets}": "Tür 7", "{name}": "Name 8", "{value}": value}
        wanted |= {"{length}": "5 min"}
        for placeholder, shown in wanted.items():
            assert (placeholder in texts[phrase]["message"]) == (shown in text)


@pytest.mark.parametrize(
    ("value", "seen", "heard"),
    [
        ("Hi <details>", r"Hi &lt;details\>", "Hi details"),
        ("![.](https://x.example/p)", r"!\[.\](https://x.example/p)", None),
        ("a `b` **c** _d_ ~~e~~", r"a \`b\` \*\*c\*\* \_d\_ \~\~e\~\~", "a b c d e"),
        ("# 1 | 2 \\<b>", r"\# 1 \| 2 \\&lt;b\>", "1 2 b"),
        ("Tom & Jo: 5-6!", "Tom & Jo: 5-6!", "Tom & Jo: 5-6!"),
    ],
)
def test_marks_in_a_question_hide_nothing(
    value: str, seen: str, heard: str | None
) -> None:
    """They are seen as they are, and not heard."""
    own = sentences("en")
    asks = [ask("do_use_with", name=value, details=(("text", value), ("to", "Ann")))]
    text = actions_text(own, asks, on_screen=True)
    assert text == f"use {seen} with text: {seen}, to: Ann"
    heard = "!.(https://x.example/p)" if heard is None else heard
    assert actions_text(own, asks) == f"use {heard} with text: {heard}, to: Ann"
    assert actions_text(own, [ask("do_unlock", "A <b>")], on_screen=True) == (
        r"unlock A &lt;b\>"
    )


def test_a_key_without_words_gives_the_general_sentence() -> None:
    assert Sentences({"unknown": "Odd."})("no_such_key") == "Odd."


def test_a_thing_is_called_as_the_person_called_it(hass: HomeAssistant) -> None:
    entry = er.async_get(hass).async_get_or_create(
        "light", "test", "1", suggested_object_id="a", original_name="Ceiling light"
    )
    er.async_get(hass).async_update_entity(entry.entity_id, aliases=["Big one"])
    hass.states.async_set("light.a", "on", {"friendly_name": "Ceiling light"})
    hass.states.async_set("script.a", "off", {"friendly_name": "Light the fire"})
    for entity_id, said, name in (
        ("light.a", "the big one off", "the big one"),
        ("light.a", "off", "the ceiling light"),
        ("script.a", "light the fire", "Light the fire"),
    ):
        assert called(hass, entity_id, said, LANGUAGES["en"]) == name
