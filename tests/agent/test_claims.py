"""Tables of turns: in which of them an answer without a call is doubted."""

from collections.abc import Iterator
import json
from pathlib import Path
import tomllib
from types import SimpleNamespace
from typing import Any, cast

import home_assistant_intents
from jinja2 import ChainableUndefined
from jinja2.sandbox import SandboxedEnvironment
import pytest

from custom_components.lumo.agent.claims import Claim, ClaimRule
from custom_components.lumo.agent.wanted import only_asks
from custom_components.lumo.context.description import Area, Thing
from custom_components.lumo.context.home import Home
from custom_components.lumo.context.scorer import beginnings
from custom_components.lumo.gate.mention import verbs_of
from custom_components.lumo.languages import LANGUAGES, language_of
from tests.languages.samples import with_samples
from tests.material import load_json, load_jsonl, requires_material
from tests.sampling import some

NAMES = {
    "Kitchen ceiling light": "light", "Küchenlicht": "light", "Woonkamerlamp": "light",
    "Rover": "vacuum", "Front door": "lock", "Office lamp": "light", "Plug": "switch",
    "Shopping list": "todo", "Party list": "todo", "Radio": "media_player",
    "Office": "media_player",
}  # fmt: skip
AREAS = {
    names[0]: Area(names[0], names, None)
    for names in (("Kitchen", "Küche"), ("Office", "Büro"))
}
HOME = cast(
    Home,
    SimpleNamespace(
        words=beginnings("; ".join((*NAMES, "Kitchen", "Küche", "Keuken", "Büro"))),
        things=[
            Thing(
                f"{domain}.{name.replace(' ', '_')}",
                (name,),
                domain,
                "",
                AREAS.get(name.split()[0]),
            )
            for name, domain in NAMES.items()
        ],
        areas=tuple(AREAS.values()),
        titles={"light": "Light"},
    ),
)

TABLES = tomllib.loads(Path(__file__).with_name("claims.toml").read_text("utf-8"))
CLAIMS, COMMANDS, HONEST, TALK = (
    with_samples(TABLES[key], key) for key in ("claims", "commands", "honest", "talk")
)


def rows(table: dict[str, str], split: str = "|") -> Iterator[tuple[str, str]]:
    for language, text in table.items():
        for row in text.replace("\n", split).split(split):
            if row.strip():
                yield language, row.strip()


def rule(language: str, sentence: str | None = None) -> ClaimRule:
    """Return the rule for a sentence, else for a command."""
    said = (
        COMMANDS[language].partition(";")[0].strip() if sentence is None else sentence
    )
    return ClaimRule.for_turn(said, language_of(language), HOME)


def answers_of_home_assistant(tag: str, kind: str = "intents") -> set[str]:
    slots = {
        "name": "Lamp", "area": "Kitchen", "floor": "Attic", "item": "milk", "minutes": "5",
        "temperature": 21, "canceled": 2, "media": "Abba", "device_class": "blind",
        "volume_step": 10, "brightness": 50, "color": "red", "fan_mode": "auto", "position": 50,
    }  # fmt: skip
    path = Path(home_assistant_intents.__file__).parent / "data" / f"{tag}.json"
    responses = json.loads(path.read_text(encoding="utf-8"))["responses"][kind]
    environment = SandboxedEnvironment(undefined=ChainableUndefined)
    state = {"domain": "light", "name": "Lamp"}
    more = {"domain": "light", "entity": "Lamp", "state": "on", **slots}
    found = set()
    for intent, texts in responses.items():
        if "Get" in intent or intent in ("HassRespond", "HassTimerStatus"):
            continue
        for text in [texts] if isinstance(texts, str) else texts.values():
            said = environment.from_string(text).render(more, slots=slots, state=state)
            found.add(" ".join(said.split()))
    return found - {""}


@pytest.mark.parametrize("language", LANGUAGES)
def test_claims_of_home_assistant_are_noticed(language: str) -> None:
    """Its own answers, to each command: at least 97 in a hundred."""
    answers = answers_of_home_assistant(language)
    assert len(answers) > 30
    verdicts = [
        rule(language, command).judge(answer)
        for _, command in rows({language: COMMANDS[language]}, ";")
        for answer in answers
    ]
    assert verdicts.count(Claim.DONE) >= 0.97 * len(verdicts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_home_assistant_cannot_do_is_no_claim(language: str) -> None:
    """Where its own words are technical, others are asked for."""
    answers = answers_of_home_assistant(language, "errors")
    assert len(answers) > 10
    judged = {answer: rule(language).judge(answer) for answer in answers}
    assert {answer for answer, found in judged.items() if found is Claim.DONE} == set()


def test_claims_in_other_languages_are_asked_about() -> None:
    folder = Path(home_assistant_intents.__file__).parent / "data"
    tags = {path.stem for path in folder.glob("*.json")}
    others = {tag for tag in tags if not language_of(tag).code}
    assert len(others) > 30
    for tag in some(sorted(others - {"de-CH"})):
        unknown = rule(tag, "xx Woonkamerlamp yy")
        for answer in answers_of_home_assistant(tag):
            asks = answer.endswith("?") or len(answer) > 120
            assert unknown.judge(answer) is Claim.POSSIBLE or asks, (tag, answer)


# Of calls that failed, in words of programmers.


def test_words_of_programmers_are_never_heard() -> None:
    for language, answer in rows(with_samples(TABLES["technical"], "technical")):
        assert rule(language).judge(answer) is Claim.TOOL, answer
    assert rule("en").judge("The tool shed is not there.") is Claim.NONE


def test_claims_are_noticed() -> None:
    judged = {row: rule(row[0]).judge(row[1]) for row in rows(CLAIMS)}
    assert judged == dict.fromkeys(judged, Claim.DONE)


@pytest.mark.parametrize(
    ("language", "command", "answer", "honest"),
    [
        ("en", "Turn on the security light", "The security light is on.", ""),
        ("en", "Turn off the server", "The server is now off.", "The server is broken."),
        ("en", "Lock the front door", "It is now locked for your security.", ""),
        ("en", "Turn off all the lights", "I've turned off several lights.", ""),
        ("de", "Schalte den Stecker aus", "Der Stecker ist jetzt aus.", "Er klemmt."),
    ],
)  # fmt: skip
def test_what_a_thing_is_called_denies_nothing(
    language: str, command: str, answer: str, honest: str
) -> None:
    judge = rule(language, command).judge
    assert judge(answer) is Claim.DONE
    assert not honest or judge(honest) is Claim.NONE


def test_honest_answers_are_left_alone() -> None:
    table = list(rows(HONEST))
    assert len(table) >= 200
    doubted = [row for row in table if rule(row[0]).judge(row[1]) is Claim.DONE]
    assert len(doubted) <= 0.02 * len(table), doubted


def test_talk_is_never_doubted() -> None:
    """It tells something, or wants words only."""
    for row in rows(TALK):
        assert not rule(*row).wants, row
        assert rule(*row).judge("Good.") is Claim.NONE, row


@requires_material
def test_turns_that_others_wrote() -> None:
    """False claims and honest answers of three languages."""
    for row in load_json("answers.json")["claims"]:
        claims = rule(row["lang"], row["said"]).judge(row["answer"]) is not Claim.NONE
        assert claims is (row["kind"] == "false claim"), row


@requires_material
def test_commands_that_others_wrote() -> None:
    """What has a tool that acts wants something done, what only reads does not."""
    homes = load_json("homes.json")["homes"]
    wrong, count = [], 0
    for row in load_jsonl("sentences.jsonl"):
        if row["intent"] in ("HassRespond", "HassNevermind"):
            continue
        home = SimpleNamespace(
            words=beginnings(str(homes[row["home"]])), things=(), areas=(), titles={}
        )
        said = row["sentence"], language_of(row["lang"])
        reads = "Get" in row["intent"] or "Status" in row["intent"]
        if reads:
            wrong += [] if only_asks(*said) else [said[0]]
        elif not ClaimRule.for_turn(*said, cast(Home, home)).wants:
            wrong.append(said[0])
        count += 1
    assert len(wrong) <= 0.05 * count, wrong


def ran(*calls: str) -> list[Any]:
    """Return what became of calls: `turn_off`, `fail`, `read`, and entities behind."""
    found = []
    for call in calls:
        doing, _, entity = call.partition(" ")
        found.append(
            SimpleNamespace(
                name=doing,
                success=doing != "fail",
                annotations=SimpleNamespace(read_only=doing == "read"),
                effects=[
                    SimpleNamespace(
                        entity_id=item,
                        phrase=f"do_{doing}",
                        domain=item.partition(".")[0],
                        value="20" if "set" in doing else "",
                        data={"item": doing} if item.startswith("todo.") else {},
                    )
                    for item in entity.split()
                ],
                reached=(),
            )
        )
    return found


OFF = "turn_off light.Kitchen_ceiling_light"
DIM = "set_brightness light.Kitchen_ceiling_light"
LOCK = "lock lock.Front_door"
LISTS = "Add milk to the shopping list and eggs to the party list"
MILK = "Add milk and eggs to the shopping list"
BOTH = "Turn off the kitchen light and lock the front door"
TIMER = "Set a timer for 5 minutes and lock the front door"


@pytest.mark.parametrize(
    ("sentence", "calls", "answer", "claim"),
    [
        ("Turn off the kitchen light", [OFF], "Done.", Claim.NONE),
        ("Turn off the kitchen light", ["fail"], "Done.", Claim.DONE),
        ("Turn off the kitchen light", ["fail"], "I could not find it.", Claim.NONE),
        ("Turn off the kitchen light", ["fail", OFF], "Done.", Claim.NONE),
        ("Turn off the kitchen light", ["read"], "I've turned it off.", Claim.DONE),
        ("Turn off the kitchen light", ["read"], "It is already off.", Claim.NONE),
        ("Turn off the kitchen light", [], "```yaml\na: 1\n```", Claim.TOOL),
        ("Turn off the kitchen light", [OFF], "I called HassTurnOff.", Claim.TOOL),
        ("Turn off the kitchen light", [OFF], "The brightness_pct is 0.", Claim.TOOL),
        ("Turn off the kitchen light", [OFF], "It is {state} now.", Claim.PLACEHOLDER),
        ("Dim the kitchen light", [DIM], "It is at 80 percent.", Claim.DONE),
        ("Dim the kitchen light", [DIM], "It is at 20 percent.", Claim.NONE),
        ("Kitchen temperature", ["read"], "It is 21 degrees.", Claim.NONE),
        ("Check the kitchen light", ["read"], "The kitchen light is on.", Claim.NONE),
        (BOTH, [OFF], "Both are done.", Claim.DONE),
        (BOTH, [OFF, "fail"], "Both are done.", Claim.DONE),
        (BOTH, ["fail", LOCK], "Both are done.", Claim.DONE),
        (BOTH, ["fail", LOCK], "The door is locked. There is no light.", Claim.NONE),
        (BOTH, [OFF, LOCK], "Both are done.", Claim.NONE),
        (BOTH, ["fail", OFF, LOCK], "Both are done.", Claim.NONE),
        ("Turn off the kitchen light and the fan", [f"{OFF} b.b"], "Off.", Claim.NONE),
        ("Turn on the light and set it to 50 percent", [DIM], "Done.", Claim.NONE),
        ("Turn off the kitchen light and tell me a joke", [OFF], "Knock.", Claim.NONE),
        ("Dim the kitchen light and the office lamp", [DIM], "Done.", Claim.DONE),
        ("Turn off the kitchen and the office", [OFF], "Done.", Claim.DONE),
        ("Turn off the plug and the radio", ["turn_off switch.Plug"], "", Claim.NONE),
        ("Turn off the plug and the radio", ["turn_off switch.Plug"], "Ok", Claim.DONE),
        ("Turn off the office lights", ["turn_off light.x"], "Done.", Claim.NONE),
        ("Turn off the miniplug", ["turn_off switch.X"], "Done.", Claim.NONE),
        ("What is a hammer?", [], "To call it, write get_items.", Claim.NONE),
        (TIMER, ["HassStartTimer"], "Both are done.", Claim.DONE),
        (TIMER, ["HassStartTimer", LOCK], "Both are done.", Claim.NONE),
        ("Turn off the light", [], "It is off. The other one too?", Claim.DONE),
        ("Turn off the light", [], "It is off. Shall I lock the door?", Claim.DONE),
        ("Turn off the light", [], "Shall I turn off the kitchen light?", Claim.NONE),
        (LISTS, ["add todo.Shopping_list"], "Both added.", Claim.DONE),
        (LISTS, ["add todo.Shopping_list", "add todo.Party_list"], "Yes", Claim.NONE),
        ("Everything off", [], "Everything is off.", Claim.DONE),
        (MILK, ["milk todo.Shopping_list"], "Both added.", Claim.DONE),
        (MILK, ["milk,eggs todo.Shopping_list"], "Both added.", Claim.NONE),
        (f"{MILK}, we need them", [*["a todo.Shopping_list"] * 2], "Ok.", Claim.NONE),
        ("It's dark. Turn off the kitchen light", [], "It is off.", Claim.DONE),
        ("Is the front door locked?", [], "I cannot see that.", Claim.UNREAD),
        ("Is the front door locked?", [], "Which one?", Claim.NONE),
        ("Is the front door locked?", [], "Yes, it is locked.", Claim.UNREAD),
        ("Is the front door locked?", ["read"], "Yes, it is locked.", Claim.NONE),
        ("How many people live in Paris?", [], "Two million.", Claim.NONE),
        ("Is it warm in the kitchen?", [], "It is 21 °C there.", Claim.UNREAD),
        ("Is everything off?", [], "Yes, everything is off.", Claim.UNREAD),
        ("Is the light still running?", [], "No, it is off.", Claim.UNREAD),
        ("Should I leave the light on?", [], "Yes, for the cat.", Claim.NONE),
        ("Is it warm", ["read"], "It is [value from tool] °C.", Claim.PLACEHOLDER),
        ("Is it warm", ["read"], "See [the value](https://a.example).", Claim.NONE),
    ],
)
def test_what_was_called_counts(
    sentence: str, calls: list[str], answer: str, claim: Claim
) -> None:
    """What was not done, or read, or set to another value, is not said."""
    assert rule("en", sentence).behind(ran(*calls)).judge(answer) is claim


def test_questions_and_requests_are_told_apart() -> None:
    for language, sentence in rows(TABLES["questions"]):
        assert only_asks(sentence, language_of(language)), sentence
        assert not rule(language, sentence).wants
    for language, sentence in rows(TABLES["requests"]):
        assert not only_asks(f"{sentence}", language_of(language)), sentence
    assert not only_asks("Can you turn on the fan?", language_of("en"))


def test_who_asks_for_advice_wants_nothing_changed() -> None:
    for language, said in rows(with_samples(TABLES["advice"], "advice")):
        asks = rule(language, said.removeprefix("!")).changes_nothing
        assert asks is not said.startswith("!"), said


def test_a_long_answer_claims_nothing() -> None:
    """It tells something; two sentences and 120 characters claim."""
    long = f"The door was closed. {'The wind blew. ' * 9}"
    assert rule("en").judge(long) is Claim.NONE
    said, judge = "It is off. It was on. It is late.", rule("en").judge
    assert judge(f"{said} I go.") is Claim.DONE
    assert judge("So it is off. So it was on. So it is late.") is Claim.NONE
    assert judge(said, is_whole=True) is Claim.DONE
    assert judge(f"{said} I could not do it.", is_whole=True) is Claim.NONE


@pytest.mark.parametrize("sentence", TABLES["verbs"])
def test_verbs(sentence: str) -> None:
    """Those of a question's echo."""
    language, *verbs = TABLES["verbs"][sentence]
    found = verbs_of(sentence, language_of(language))
    assert {verb for verb in found if "set" not in verb and verb != "do_disarm"} == {
        *verbs
    }


def test_excuses_are_noticed() -> None:
    """Honest words say what is not there, and it is no tool; a question is excused too."""
    for language, answer in rows(TABLES["excuses"]):
        assert rule(language).judge(answer) is Claim.EXCUSE, answer
    for language, answer in rows(TABLES["no_excuses"]):
        assert rule(language).judge(answer) is Claim.NONE, answer
    excuse = "I don't have access to that tool."
    assert rule("en", "Is the front door locked?").judge(excuse) is Claim.EXCUSE
    assert rule("en", "How high is the Eiffel tower?").judge(excuse) is Claim.NONE
