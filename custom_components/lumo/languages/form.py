"""What depends on a language: one form, filled in once for each.

What each member is, and how it is written, stands beside it in `en.toml`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
import re


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Language:
    """Everything that depends on one language. There are no defaults, on purpose."""

    # As in `en`; empty where the language is not known.
    code: str

    # Answers to "Shall I ...?".
    signed: str
    yes: str
    weak_yes: str
    it: str
    them: str
    only: str
    both: str
    all_of: str
    ordinals: str
    choosing: str
    echo: Mapping[str, str]
    no: str
    never_mind: str
    nothing_more: str
    stop: str
    denials: str
    beside_no: str
    unclear: str
    polite: str
    hesitations: str

    # What a person says.
    questions: re.Pattern[str]
    asking: re.Pattern[str]
    talk: re.Pattern[str]
    joints: str
    conditions: str
    timers: str
    plans: str
    pronouns: re.Pattern[str]
    leaning: re.Pattern[str]
    unfinished: str
    undo: re.Pattern[str]
    secrets: re.Pattern[str]
    tools: str

    # What a model says.
    honest: re.Pattern[str]
    excuses: re.Pattern[str]
    closings: re.Pattern[str]
    withdrawals: re.Pattern[str]

    # Names.
    articles: Mapping[str, str]
    generic: str
    before_number: str
    numbers: str
    endings: str
    cases: str

    # The home.
    kinds: Mapping[str, str]
    changes: Mapping[str, str]
    doors: str

    # What is heard of an answer.
    said: Mapping[str, str]
    signs: Mapping[str, str]
    units: Mapping[str, str]
    counts: str
    decimal: str
    months: str
    states: Mapping[str, str]
    weekdays: str
    repeats: Mapping[str, str]
    before_days: str
    sources: str
