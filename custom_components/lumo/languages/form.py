"""What depends on a language: one form, filled in once for each.

Four kinds of members, so that a translator needs to know no code:

* *words*: separated by blanks. `*tür` is also the end of a longer word, `garagen*` also
  its beginning;
* *phrases*: one in a line, as templates: `(a|b)` is one of them, `[a]` may be missing;
* *patterns*: regular expressions, for what whole sentences look like;
* tables of these, with the same keys in every language.

Words and phrases are written with their accents and apostrophes: the readers know that
people, keyboards and speech-to-text leave them out. What is missing is no word of the
language: where a door may open by it, that is the safe side.
"""

from collections.abc import Mapping
from dataclasses import dataclass
import re


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Language:
    """Everything that depends on one language. There are no defaults, on purpose."""

    code: str
    """As in `en`; empty where the language is not known."""

    # Answers to "Shall I ...?".
    yes: str
    """Phrases, each of which is a yes on its own."""
    weak_yes: str
    """Phrases that are a yes where it is certain that they are an answer."""
    it: str
    """Phrases that stand for one thing that was asked about."""
    them: str
    """Phrases that stand for all that was asked about; one line."""
    only: str
    """Words before the names of some of several things."""
    both: str
    """Phrases for two things; one line, as the next."""
    all_of: str
    """Phrases for all of several things; `#` is their number."""
    ordinals: str
    """Words for first, second ... and behind them for last, each one template."""
    choosing: str
    """Phrases that change nothing about which of several things is meant."""
    echo: Mapping[str, str]
    """Phrases for the action once more, by the key of its sentence; `~` is `it`,
    `them` or the names of what was asked about, as a word or the end of one."""
    no: str
    """Phrases that are a no without having a word of denial."""
    never_mind: str
    """Phrases that call off what was said before: a no as well."""
    nothing_more: str
    """Phrases that end a conversation: nothing more is wanted."""
    stop: str
    """Phrases that stop whatever goes on."""
    denials: str
    """Words that deny: no text with one of them is a yes."""
    beside_no: str
    """Words that change nothing about a no; beside a yes they are unknown words."""
    unclear: str
    """Phrases that are no answer, although their parts are."""
    polite: str
    """Phrases that change nothing, wherever they stand."""
    hesitations: str
    """Words that change nothing before an answer; at its end more was to come."""

    # What a person says.
    questions: re.Pattern[str]
    """How a question about the home or the world begins, in any case of letters."""
    joints: str
    """Words between two things that are asked for in one sentence."""
    exceptions: str
    """Words before what is not meant: "all lamps, except ...", which asks for nothing."""
    timers: str
    """Words for timers."""
    pronouns: re.Pattern[str]
    """What stands for something that was spoken of before: "turn it off"."""
    leaning: re.Pattern[str]
    """What goes on from what was said before: "and the bedroom too"."""
    unfinished: str
    """Words that no sentence ends with."""
    undo: re.Pattern[str]
    """What asks to take back what was done."""
    tools: str
    """Words for what a model calls, and for how that is written."""

    # What a model says.
    claims: re.Pattern[str] | None
    """A sentence that says that the speaker did something; None: not known yet.

    Without `claims_states` it is few of those that say so."""
    claims_states: re.Pattern[str] | None
    """One that says so of the home: nothing new where that was just looked at."""
    claims_nothing: re.Pattern[str] | None
    """What makes a sentence claim nothing: a denial, a condition, an offer."""
    excuses: re.Pattern[str]
    """A sentence that says that there is no tool, or no access to it."""
    closings: re.Pattern[str]
    """How a question begins that only offers more, without its "And" or "So"."""

    # Names.
    articles: Mapping[str, str]
    """The article that an object has, and words for things that take it."""
    generic: str
    """Words that a name may have and a sentence leave out, or the other way round."""
    before_number: str
    """Words between a word and its number: "lamps 1 and 2", "lamp number 2"."""
    numbers: str
    """Words for 0, 1, 2 ..., `|` between two for one number; `-` where an article is
    all there is."""
    endings: str
    """Endings of plurals and cases."""
    short_endings: str
    """Those that a word of three letters may have."""
    cases: str
    """Endings of which two words may have one each: "Kleines Bad", "kleinen Bad"."""
    links: str
    """What stands between the parts of a compound."""

    # The home.
    kinds: Mapping[str, str]
    """Words for kinds of things, which people say without a name."""
    changes: Mapping[str, str]
    """Phrases that only one kind of thing can be meant by: "brighter", "next song"."""
    cues: Mapping[str, str]
    """Words that may ask for a tool of ours, by its name: one too many costs some
    characters of a request, one that is missing costs the answer."""
    doors: str
    """Words in the name of what lets somebody in: door, gate, garage, latch, opening."""

    # What is heard of an answer.
    said: Mapping[str, str]
    """Sentences and templates. `code`: instead of code; `done`: for a lone emoji; `yes`
    and `no`: for a mark in a table; `items`: before a long list; `time`, `hour` and
    `date`: for 21:05, 9:00 and 2026-05-01, empty where voices read them well; `clock`:
    words behind a time that are in them already."""
    signs: str
    """Words for signs: `+=plus`, `;` between two; the same signs in every language."""
    units: str
    """Words for units: `km=kilometre|kilometres`, `;` between two."""
    singular: re.Pattern[str]
    """The numbers that a unit is in the singular with."""
    decimal: str
    """The decimal sign."""
    months: str
    """Words for the months, as they are written in a date."""
    states: str
    """Words for states: `offen=open`, `;` between two; where Home Assistant has
    another word, or another form of it, and what it says in English."""
    weekdays: str
    """Words for the days of the week from Monday, `|` between two for one day."""
    periods: str
    """Phrases for periods: `heute=today`, `;` between two. `#` is a number, `*` a day
    of the week, `@` a month. What they stand for is the same set in every language."""
    before_days: str
    """Words before a date: "am 24.12"."""
    sources: str
    """Words for the list of sources below an answer."""
