"""What became of a sentence: right, wrong, untrue or missed."""

from dataclasses import dataclass, field
from enum import StrEnum

from homeassistant.helpers import llm

from .calls_home import Effects, Row, Turn

# Scenarios in which no call arrives that could run: the right end is that nothing
# happens and that the person hears so. Of these, `claims_done` still reads.
HOPELESS = frozenset({"cut_json", "claims_done", "apology", "refusal"})
CLAIMS = "claims_done"
# What the stand-in's model claims there.
_CLAIMED = ("I turned off the lights.", "ich habe das Licht ausgeschaltet.")
CONFIRMED = "confirmed without asking the model"
READERS = frozenset({"homeassistant__GetLiveContext", "llm__GetDateTime", None})


class Verdict(StrEnum):
    """What became of a sentence."""

    RIGHT = "right"
    """What it means happened once, or nothing where nothing can; and it was said."""
    WRONG = "wrong"
    """Something happened that was not meant."""
    UNTRUE = "untrue"
    """Nothing happened, and the last words claim that it did."""
    MISSED = "missed"
    """Nothing happened though something should, or its outcome was not heard."""


@dataclass(frozen=True, slots=True)
class Meant:
    """What should come of a row, taken from calling its tool directly."""

    quiet: Effects
    """The home before the sentence."""
    effects: Effects
    result: llm.ToolResult | None


def as_recorded(row: Row, meant: Meant) -> bool:
    """Return whether the direct call did what was recorded for the row."""
    if meant.result is None:
        return bool(row["outcome"] == "no_tool")
    timers = [list(event) for event in meant.effects.timers]
    text = str(meant.result.data)
    return bool(
        meant.result.error == (row["outcome"] == "error")
        and meant.effects.changes == (row.get("expect_changes") or {})
        and timers == (row.get("expect_timer_events") or timers)
        and meant.effects.lists == (row.get("expect_lists") or meant.effects.lists)
        and all(name in text for name in row.get("expect_result_has") or ())
    )


def judge(
    scenario: str, row: Row, meant: Meant, turn: Turn, words: str | None
) -> Verdict:
    """Judge a turn. `words` end it where all goes well; None: the model's own."""
    reads = row["tool"] in READERS
    hopeless = scenario in HOPELESS and not (scenario == CLAIMS and reads)
    hopeless = hopeless and row["tool"] is not None
    expected = meant.quiet if hopeless or reads else meant.effects
    if turn.effects != expected:
        nothing = turn.effects == meant.quiet
        return Verdict.MISSED if nothing else Verdict.WRONG
    last = turn.speech.rstrip().rpartition("\n")[2]
    if hopeless:
        if last.endswith(_CLAIMED):
            return Verdict.UNTRUE
        return Verdict.RIGHT if last else Verdict.MISSED
    # After a yes it is us who say that it is done, after a plain command too; and who
    # answer what needs no model.
    is_ours = turn.asked or CONFIRMED in turn.trace["decisions"]
    is_ours = is_ours or not turn.trace["requests"]
    heard = bool(last) if words is None or is_ours else last.endswith(words)
    if not heard or turn.failed:
        return Verdict.MISSED
    return Verdict.RIGHT if _told(row, meant, turn) else Verdict.MISSED


def _told(row: Row, meant: Meant, turn: Turn) -> bool:
    """Return whether the model was told what the tool answers."""
    if meant.result is None:
        return not turn.results
    if row["tool"] == "homeassistant__GetLiveContext":
        return any(result.data == meant.result.data for result in turn.results)
    if meant.result.error:
        kind = meant.result.data["error"]
        return any(result.data.get("error") == kind for result in turn.results)
    return any(not result.error for result in turn.results)


@dataclass(slots=True)
class Cell:
    """The counts of one mode, form and scenario."""

    verdicts: dict[Verdict, int] = field(
        default_factory=lambda: dict.fromkeys(Verdict, 0)
    )
    commands: list[int] = field(default_factory=list)
    """Requests of each sentence that is to act."""
    carried_out: list[int] = field(default_factory=list)
    """The same of those that did."""
    questions: list[int] = field(default_factory=list)
    """Requests of each sentence that asks, or needs no tool."""
    bounces: int = 0
    rescues: int = 0
    doubts: int = 0
    asked: int = 0

    def add(self, row: Row, verdict: Verdict, requests: int, turn: Turn) -> None:
        """Count a sentence."""
        trace = turn.trace
        self.asked += turn.asked
        self.verdicts[verdict] += 1
        part = self.questions if row["tool"] in READERS else self.commands
        part.append(requests)
        if part is self.commands and row["outcome"] == "done":
            self.carried_out.append(requests)
        self.bounces += trace["bounces"]
        self.rescues += trace["rescues"]
        self.doubts += trace["doubts"]
