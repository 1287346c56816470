"""What a turn of the self-test was worth, and what a person may change."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from ..options import MODELS, AgentOptions
from ..record import TurnRecord
from ..sentences import Sentences
from ..turn import Turn
from .dry import NO_TARGET, REFUSED, RUNS, DryGate
from .written import Sentence

RIGHT: Final = "right"
FAILED: Final = "no_answer"
# It took the wrong channel: it was taken as it was, or written again, or never came.
_ASTRAY: Final = {"misrouted_rescued", "misrouted_bounced", "misrouted_lost"}
_NOT_ASKED: Final = "lock_not_asked_about"
# All others, like a wrong target, have none.
_POINTS: Final = {
    RIGHT: 100,
    "misrouted_rescued": 75,
    "misrouted_bounced": 50,
    # Lumo was told that a call was wrong, or missing.
    "second_try": 50,
}
# What another model is not to blame for, or better at.
_NOT_OF_THE_MODEL: Final = {RIGHT, FAILED, _NOT_ASKED, *_ASTRAY}
# From so many seconds on a person waits.
_SLOW: Final = 6.0


def judge(sentence: Sentence, gate: DryGate, record: TurnRecord) -> str:
    """Return what the calls of a turn were worth."""
    calls, wanted = gate.calls, sentence.does
    acts = [call for call in calls if not call.reads]
    done = {step for call in acts for step in call.steps}
    seen = {entity_id for call in calls for entity_id in call.looked_at}
    if record.failure:
        return FAILED
    if not wanted and (acts or (calls and not sentence.reads)):
        return "called_without_need"
    if done == wanted and (not sentence.reads or sentence.reads in seen):
        return _how(gate, record)
    if not acts and (wanted or not calls):
        if record.bounces:
            return "misrouted_lost"
        return "claimed_without_call" if record.doubts else "missing_call"
    if not done:
        if not any(call.tool in sentence.tools for call in calls):
            return "wrong_tool"
        refused = any(call.judged == REFUSED for call in calls)
        return "invalid_arguments" if refused else "wrong_target"
    services, targets = (
        ({step[part] for step in done}, {step[part] for step in wanted})
        for part in (0, 1)
    )
    if services[0] < services[1]:
        return "missing_call"
    if services[0] != services[1]:
        return "wrong_tool"
    return "wrong_value" if targets[0] == targets[1] else "wrong_target"


def _how(gate: DryGate, record: TurnRecord) -> str:
    """Return how Lumo came to what is right."""
    opened = {step for call in gate.calls if call.judged == RUNS for step in call.steps}
    if any(map(gate.is_sensitive, opened)):
        return _NOT_ASKED
    if record.bounces:
        return "misrouted_bounced"
    if record.rescues:
        return "misrouted_rescued"
    wrong = any(call.judged in (REFUSED, NO_TARGET) for call in gate.calls)
    return "second_try" if wrong or record.doubts else RIGHT


def result_of(sentence: Sentence, gate: DryGate, turn: Turn) -> dict[str, Any]:
    """Return what the action tells of a sentence."""
    record = turn.record
    verdict = judge(sentence, gate, record)
    reads = [f"read {sentence.reads}"] if sentence.reads else []
    shown = ("tool", "arguments", "judged")
    return {
        "sentence": sentence.text,
        "expected": [" ".join(step).rstrip() for step in sorted(sentence.does)] + reads,
        "called": [{key: getattr(call, key) for key in shown} for call in gate.calls],
        "verdict": verdict,
        "points": _POINTS.get(verdict, 0),
        "answer": turn.heard.text,
        "requests": record.requests,
        "error": record.error,
        "seconds_to_first_word": record.first_word,
        "tools_left_out": record.sizes.get("tools_left_out", 0),
    }


def hints(
    results: Sequence[dict[str, Any]], options: AgentOptions, sentences: Sentences
) -> Iterator[str]:
    """Yield sentences on what to change."""
    verdicts = {item["verdict"] for item in results}
    waits = [item["seconds_to_first_word"] or 0 for item in results]
    thinks = options.reasoning_effort != "none"
    if _NOT_ASKED in verdicts:
        yield sentences("self_test_lock")
    if verdicts & _ASTRAY and not options.native:
        yield sentences("self_test_misrouted")
    if verdicts - _NOT_OF_THE_MODEL:
        if options.model != MODELS["max"]:
            yield sentences("self_test_model")
        elif not thinks:
            yield sentences("self_test_thinking")
        if any(item["tools_left_out"] for item in results):
            yield sentences("self_test_budget")
    if thinks and sum(waits) > _SLOW * len(waits):
        yield sentences("self_test_slow")
    if FAILED in verdicts:
        yield sentences("self_test_ended")
    if verdicts == {RIGHT}:
        yield sentences("self_test_fine")
