"""What Home Assistant checks for its own integrations, checked here for this one."""

import ast
from collections.abc import Iterable
import json
from pathlib import Path
import re
from typing import Any

from homeassistant.const import CONF_NAME
import pytest

from custom_components.lumo.abilities import ABILITIES
from custom_components.lumo.const import DEFAULT_OPTIONS
from custom_components.lumo.forms.fields import (
    COPY_OF,
    PLANS,
    RECOMMENDED,
    first_schema,
    section_fields,
    task_schema,
)
from custom_components.lumo.issues.problems import FIXED_ELSEWHERE, Problem
from custom_components.lumo.languages import LANGUAGES
from custom_components.lumo.lumo_client import errors
from custom_components.lumo.sensor import NEXT_PLAN, SENSORS

FIRST = ("prompt", "llm_hass_api", "autonomy", "plain_commands")
FOLDER = Path(__file__).parent.parent.parent / "custom_components" / "lumo"
TRANSLATIONS = sorted((FOLDER / "translations").glob("*.json"))


def load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


ENGLISH = load(FOLDER / "translations" / "en.json")


def all_errors(base: type[errors.LumoError]) -> set[str]:
    return {base.code}.union(*(all_errors(item) for item in base.__subclasses__()))


def test_the_languages_we_speak_have_a_file() -> None:
    assert sorted(LANGUAGES) == [path.stem for path in TRANSLATIONS]


def test_every_failure_has_a_sentence() -> None:
    """Spoken, and in the form."""
    codes = all_errors(errors.LumoError)
    in_a_form = all_errors(errors.GatewayUrlError) | {
        "device_verification",
        "imported_session",
        "password_version",
        "second_factor_unsupported",
        "server_proof",
        "single_sign_on",
        "totp_format",
        "verification_token",
        "wrong_password",
        "wrong_totp",
    }
    assert in_a_form.isdisjoint(ENGLISH["exceptions"])
    assert codes - in_a_form <= ENGLISH["exceptions"].keys()
    # These need a conversation, or an answer.
    in_conversation = {
        "content_filtered",
        "context_length",
        "image",
        "integrity",
        "too_long",
        "too_slow",
    }
    assert codes - in_conversation <= ENGLISH["config"]["error"].keys()
    # A form that can be tried again is better than one that is gone.
    assert ENGLISH["config"]["abort"].keys() == {
        "already_configured",
        "already_in_progress",
        "other_integration",
    }


# What speaks a sentence by the key that is its first argument, and where keys are noted.
SPEAKERS = {"async_say", "refusal", "sentence", "sentences", "_sentences"}
KEYWORDS = {"sentence", "phrase", "translation_key"}
# How the keys begin that are made of the names of tools of ours, and of intents.
OF_TOOLS = ("do_lumo_", "do_hass")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def literals(node: ast.AST | None) -> set[str]:
    """Return the texts that an expression may be, as far as they are written there."""
    match node:
        case ast.Constant(str(text)):
            return {text}
        case ast.IfExp():
            return literals(node.body) | literals(node.orelse)
    return set()


def name_of(called: ast.expr) -> str:
    match called:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
    return ""


def sentence_keys(source: str) -> set[str]:
    keys: set[str] = set()
    tree = ast.parse(source)
    inside = (node for node in ast.walk(tree) if isinstance(node, FUNCTIONS))
    for function in (tree, *inside):
        names: dict[str, set[str]] = {}
        for node in ast.walk(function):
            match node:
                case ast.Assign(targets=[ast.Name(name)]):
                    names[name] = names.get(name, set()) | literals(node.value)
                case ast.Constant(str(text)) if re.fullmatch(r"do_[a-z_]+", text):
                    keys.add(text)
                case ast.Call() if (called := name_of(node.func)) != "DeviceInfo":
                    asked = [k.value for k in node.keywords if k.arg in KEYWORDS]
                    if called in SPEAKERS:
                        asked += node.args[:1]
                    for value in asked:
                        keys |= literals(value) - {""}
                        if isinstance(value, ast.Name):
                            keys |= names.get(value.id, set())
    return keys


@pytest.mark.parametrize(
    "call",
    [
        "self._writer.async_say('planted')",
        "self._writer.sentence('planted', failed=True)",
        "self._sentences('planted')",
        "sentences('planted' if one else 'question')",
        "key = 'planted' if one else 'question'; self._sentences(key, count='2')",
        "Verdict(refusal=NOT_ALLOWED, sentence='planted')",
        "HomeAssistantError(translation_key='planted')",
    ],
)
def test_missing_sentence_would_be_noticed(call: str) -> None:
    assert "planted" in sentence_keys(f"def function(self, one): {call}")


def test_every_sentence_that_is_asked_for_exists() -> None:
    sources = [path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py")]
    asked = set().union(*map(sentence_keys, sources)) - {*OF_TOOLS}
    assert asked <= ENGLISH["exceptions"].keys()
    sources.append((FOLDER / "gate" / "domains.toml").read_text(encoding="utf-8"))
    texts = {
        text for source in sources for text in re.findall(r"[\"'](\w+)[\"']", source)
    }
    there = ENGLISH["exceptions"].keys()
    of_tools = {key for key in there if key.startswith(OF_TOOLS)}
    texts |= {text.replace("do_", "did_", 1) for text in texts}
    assert there - of_tools <= texts | all_errors(errors.LumoError)
    names = {f"do_{item.name.replace('__', '_')}" for item in ABILITIES}
    own = {key for key in of_tools if key.startswith(OF_TOOLS[0])}
    assert all(key.startswith(tuple(names)) for key in own)


def assert_texts(step: Any, options: Iterable[str], where: str) -> None:
    """Fail unless each option has a name and an explanation, and nothing else has."""
    for kind in ("data", "data_description"):
        there, wanted = set(step.get(kind, ())), set(options)
        path = f"translations/en.json: {where}.{kind}"
        assert not wanted - there, f"{path} lacks {sorted(wanted - there)}"
        assert not there - wanted, f"{path} has no field {sorted(there - wanted)}"


def test_every_option_has_a_name_and_an_explanation() -> None:
    agent = "config_subentries.conversation.step"
    steps = ENGLISH["config_subentries"]["conversation"]["step"]
    assert_texts(
        steps["init"], {CONF_NAME, COPY_OF, *FIRST, PLANS, RECOMMENDED}, f"{agent}.init"
    )
    sections = section_fields("°C")
    assert steps["settings"]["sections"].keys() == sections.keys()
    shown = set(FIRST)
    for name, fields in sections.items():
        options = {marker.schema for marker in fields}
        where = f"{agent}.settings.sections.{name}"
        assert_texts(steps["settings"]["sections"][name], options, where)
        shown |= options
    first_sight = first_schema({}, name="Lumo").schema
    assert len(first_sight) <= 6
    assert len(first_sight) + sum(map(len, sections.values())) <= 20
    without_default = {
        "plain_commands",
        "min_temperature",
        "max_temperature",
        "phone_person",
    }
    differs = DEFAULT_OPTIONS.keys() ^ (shown - without_default)
    assert not differs, f"in a form or in DEFAULT_OPTIONS, not in both: {differs}"
    task = ENGLISH["config_subentries"]["ai_task_data"]["step"]["init"]
    options = {marker.schema for marker in task_schema({}, name="Task").schema}
    assert_texts(task, options, "config_subentries.ai_task_data.step.init")
    session = ENGLISH["config"]["step"]["session"]
    assert_texts(session, session["data"], "config.step.session")


def test_requirements_are_those_the_tests_ran_with() -> None:
    """The manifest pins what the lock files pin."""
    for name in ("dev", "next"):
        locked = (FOLDER.parent.parent / "requirements" / f"{name}.txt").read_text()
        for requirement in load(FOLDER / "manifest.json")["requirements"]:
            assert f"{requirement} \\" in locked


def test_icons_and_names_belong_to_entities() -> None:
    icons = load(FOLDER / "icons.json")["entity"]
    assert list(icons) == ["ai_task", "conversation", "sensor", "stt", "todo"]
    for domain in ("ai_task", "conversation", "stt"):
        text = (FOLDER / f"{domain}.py").read_text()
        for key in icons[domain]:
            assert f'_attr_translation_key = "{key}"' in text
    sensors = {description.key for description in (*SENSORS, NEXT_PLAN)}
    assert sensors == set(icons["sensor"]) == set(ENGLISH["entity"]["sensor"])
    assert icons["todo"].keys() == ENGLISH["entity"]["todo"].keys() == {"plans"}


def test_every_problem_has_an_issue() -> None:
    assert {*Problem} == ENGLISH["issues"].keys()
    for problem, texts in ENGLISH["issues"].items():
        fixable = problem not in {
            *FIXED_ELSEWHERE,
            Problem.OTHER_INTEGRATION,
            Problem.UNKNOWN_COVERS,
        }
        assert ("fix_flow" in texts) == fixable
        assert ("description" in texts) != fixable


@pytest.mark.parametrize(
    ("code", "joined"), [("it", "di|a|da|in|su"), ("pt", "de|em|a|por")]
)
def test_no_sentence_needs_an_article_joined_to_its_preposition(
    code: str, joined: str
) -> None:
    """Names come with their articles: "su" and "il garage" would be "sul garage"."""
    texts = load(FOLDER / "translations" / f"{code}.json")["exceptions"]
    wrong = re.compile(rf"\b(?:{joined}) \{{targets\}}|\bal \{{value\}}")
    found = {key for key, text in texts.items() if wrong.search(text["message"])}
    # What a list or a calendar is called has no article that we know.
    assert found <= {"do_create_event"}


@pytest.mark.parametrize("path", TRANSLATIONS, ids=lambda path: path.stem)
def test_what_is_said_of_requests_is_short(path: Path) -> None:
    """Twelve words at most, with what is said behind it: a loudspeaker reads it out."""
    said = {key: item["message"] for key, item in load(path)["exceptions"].items()}
    spoken = [said[key] for key in said if key.startswith("quota_")]
    for text in (f"{said['quota']} {said['works_without_lumo']}", *spoken):
        assert len(text.split()) <= 12, text
