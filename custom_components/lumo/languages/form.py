"""What depends on a language: one form, filled in once for each.

What each member is, and how it is written, stands beside it in `en.toml`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
import re


def _pattern(key: str) -> cached_property[re.Pattern[str]]:
    """Return what compiles a pattern when it is first used."""
    return cached_property(lambda item: re.compile(item.patterns[key], re.IGNORECASE))


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Language:
    """Everything that depends on one language. There are no defaults, on purpose."""

    # As in `en`; empty where the language is not known.
    code: str
    patterns: Mapping[str, str]
    """The regular expressions, by the names of what they find."""

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
    questions = _pattern("questions")
    asking = _pattern("asking")
    general = _pattern("general")
    talk = _pattern("talk")
    joints: str
    conditions: str
    timers: str
    plans: str
    weather: str
    delays: str
    pronouns = _pattern("pronouns")
    leaning = _pattern("leaning")
    unfinished: str
    undo = _pattern("undo")
    secrets = _pattern("secrets")
    tools: str

    # What a model says.
    honest = _pattern("honest")
    already = _pattern("already")
    excuses = _pattern("excuses")
    technical = _pattern("technical")
    closings = _pattern("closings")
    withdrawals = _pattern("withdrawals")
    refusals = _pattern("refusals")

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
    ways: Mapping[str, str]
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
