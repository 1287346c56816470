"""What a person's own sentence names: things, kinds of things, "it".

A name is said with all of its significant words, also inflected or as parts of longer
words. Numbers count only beside their word: "lamp 2 to 1 percent" is not "Lamp 1".

A plain command is all that was said, and holds now: "All lamps except the spots",
"don't ...", "if ..." and "for ten minutes" are the model's.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cache, cached_property, lru_cache, partial
import re
from typing import Final
import unicodedata

from ..languages.form import Language
from ..languages.words import (
    APOSTROPHES,
    parts_of,
    pattern_of,
    phrase_pattern,
    phrases,
    word_patterns,
    words_in,
)
from ..text import as_compared, as_searched

# Longer sentences are cut and longer names ignored, which only ever names less.
MAX_CHARACTERS: Final = 2000
_MAX_NAME_WORDS: Final = 16
# A word of so few letters is taken for no part of another, and no stem is shorter.
_SHORT_LETTERS: Final = 3
# An order without a verb ("coffee on") has fewer words before its last.
_SHORT_ORDER: Final = 3

_TOKEN: Final = re.compile(r"\d+|[^\W\d_]+")
_POSSESSIVE: Final = re.compile(r"(?<=\w)['’ʼ]s\b")
# The letters of scripts in which words are written apart: Latin, Greek and Cyrillic.
_APART: Final = re.compile("[a-z\u00c0-\u052f]")
_GAP: Final = r"(?:\S+\s+){0,7}?\S+"
_OPPOSITES: Final = {
    "do_turn_on": "do_turn_off",
    "do_open": "do_close",
    "do_unlock": "do_lock",
}
# The opposite of each action, by the keys of their sentences.
OPPOSITES: Final = _OPPOSITES | {two: one for one, two in _OPPOSITES.items()}


class Sentence:
    """What a person said, prepared for looking up names in it."""

    def __init__(self, text: str, language: Language) -> None:
        self.language = language
        self.text = text[:MAX_CHARACTERS]
        self._words = words_of(self.text)
        self._line = f" {' '.join(self._words)} "

    def names_any(self, names: Iterable[str]) -> bool:
        """Return whether it names one of these."""
        return any(map(self.names, names))

    def names(self, name: str, *, in_parts: bool = True) -> bool:
        """Return whether all significant words of the name were said, or `in_parts`."""
        words, labels, significant = _read_name(name, self.language)
        if not 0 < len(words) <= _MAX_NAME_WORDS:
            return False
        return self._has_in_line(words) or (
            bool(significant)
            and all(
                # As most have nothing like it.
                word[:_SHORT_LETTERS] in self._line
                and _has(self._words, word, self.language, in_parts=in_parts)
                for word in significant
            )
            and all(self._has_label(words, at) for at in labels)
        )

    def _has_in_line(self, words: list[str]) -> bool:
        return f" {' '.join(words)} " in self._line

    def only_in(self, texts: Mapping[str, str], kinds: Collection[str]) -> set[str]:
        """Return the keys of texts with a longer word that was said and no other has.

        A word for one of the `kinds` of things is nobody's own: "all lights".
        """
        folded = {key: " ".join(words_of(text)) for key, text in texts.items()}
        found: set[str] = set()
        for word in _significant(self._words, self.language):
            if not kinds_in(word, self.language).isdisjoint(kinds):
                continue
            has = partial(_has, word=word, language=self.language)
            # As most have nothing like it.
            near = (x for x, text in folded.items() if word[:_SHORT_LETTERS] in text)
            keys = [key for key in near if has(folded[key].split())]
            if len(word) > _SHORT_LETTERS and len(keys) == 1:
                words = folded[keys[0]].split()
                found |= {*keys} if has(words, in_parts=False) else set()
        return found

    def says_only(self, texts: Iterable[str]) -> bool:
        """Return whether it has verbs, words for kinds and words of some texts alone."""
        said, known = Sentence(bare(self.text, self.language), self.language), {""}
        for key in OPPOSITES:
            if verb := _verb(key, self.language).search(as_searched(said.text)):
                known |= {words_of(verb[0])[0], words_of(verb[0])[-1]}
        known |= {*words_of(" ".join((*texts, self.language.all_of)))}
        return all(
            _has(known, word, self.language) or kinds_in(word, self.language)
            for word in _significant(said._words, self.language)
        )

    @cached_property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of things that it speaks of, questions aside."""
        return kinds_in(" . ".join(self._clauses), self.language)

    @cached_property
    def points_back(self) -> bool:
        """Return whether it has a word like "it", for what was spoken of before."""
        return any(map(self.language.pronouns.search, self._clauses))

    @cached_property
    def speaks_of_timers(self) -> bool:
        """Return whether it has a word for timers."""
        timers = words_in(self.language.timers, self.language)
        return bool(timers.search(as_searched(self.text)))

    @cached_property
    def speaks_of_plans(self) -> bool:
        """Return whether it speaks of lists, alarms, reminders or appointments."""
        plans = words_in(self.language.plans, self.language)
        return bool(plans.search(as_searched(self.text)))

    @cached_property
    def is_delayed(self) -> bool:
        """Return whether it is one command, for later: "in half an hour"."""
        before = rf"(?:{self.language.delays or '(?!)'})\s+(?:\S+\s+){{0,2}}\S*"
        found = _lengths(self.language, before).search(as_searched(self.text))
        return found is not None and len(asked_for(self.text, self.language)) == 1

    @cached_property
    def numbers(self) -> frozenset[int]:
        """Return its numbers, in digits or in words."""
        numbers = (_numbers(self.language).get(word, word) for word in self._words)
        return frozenset(int(item) for item in numbers if item.isdecimal())

    @cached_property
    def commands(self) -> Sentence:
        """Return it without what asks: that is not to be acted on."""
        return Sentence(" . ".join(self._clauses), self.language)

    @cached_property
    def _clauses(self) -> list[str]:
        clauses = parts_of(self.text, self.language)
        return [item for item in clauses if not self.language.questions.match(item)]

    def _has_label(self, words: list[str], place: int) -> bool:
        """Return whether a number stands by its word, as it does in the name."""
        if not place:
            return len(words) > 1 and self._has_in_line(words[:2])
        idle, numbers = _folded(self.language.before_number), _numbers(self.language)
        labels = [numbers.get(word, word) for word in self._words]
        before: set[str] = set()
        for at, label in enumerate(labels):
            while label == words[place] and at:
                at -= 1
                before.add(self._words[at])
                if not (labels[at].isdigit() or labels[at] in idle):
                    break
        return _has(before, words[place - 1], self.language)


def _significant(words: list[str], language: Language) -> set[str]:
    found = {word for at, word in enumerate(words) if not _is_label(words, at)}
    return found - _folded(language.generic)


@lru_cache(maxsize=1 << 15)
def _read_name(name: str, language: Language) -> tuple[list[str], list[int], set[str]]:
    """Return the words of a name, the places of its labels, and what must be said."""
    words = words_of(name)
    labels = [at for at in range(len(words)) if _is_label(words, at)]
    return words, labels, _significant(words, language)


def _has(
    words: Collection[str], word: str, language: Language, *, in_parts: bool = True
) -> bool:
    """Return whether a word is among others, with any ending, or a part of one."""
    stems = _stems(word, language)
    # Of two endings only those of cases may stand for each other.
    same = {word, *(stem for stem in stems if "~" in stem)}
    may_be_part = len(word) > _SHORT_LETTERS or not _APART.match(word)
    return (in_parts and may_be_part and word in " ".join(words)) or any(
        other == word or other in stems or not same.isdisjoint(_stems(other, language))
        for other in words
    )


@lru_cache(maxsize=4096)
def _stems(word: str, language: Language) -> frozenset[str]:
    """Return what the word may be inflected from; a tilde marks a class of cases."""
    if not word.isascii() or word.isdigit():
        return frozenset()
    endings = {(ending, "") for ending in _folded(language.endings)}
    endings |= {
        (ending, f"~{number}")
        for number, cases in enumerate(language.cases.split("|"))
        for ending in _folded(cases)
    }
    return frozenset(
        f"{word.removesuffix(ending)}{mark}"
        for ending, mark in endings
        if word.endswith(ending) and len(word) - len(ending) >= _SHORT_LETTERS
    )


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text, without case and accents."""
    return _TOKEN.findall(_POSSESSIVE.sub("", as_compared(text)))


def _is_label(words: list[str], place: int) -> bool:
    word = words[place]
    is_letter = len(word) == 1 and word.isascii()
    return word.isdigit() or (is_letter and 0 < place == len(words) - 1)


@cache
def _folded(words: str) -> frozenset[str]:
    return frozenset(words_of(words))


@cache
def _numbers(language: Language) -> dict[str, str]:
    return {
        word: str(number)
        for number, entry in enumerate(language.numbers.split())
        for word in words_of(entry)
    }


def kinds_in(text: str, language: Language) -> frozenset[str]:
    """Return the kinds of things that a text speaks of."""
    searched = as_searched(text)
    patterns = _kinds(language).items()
    return frozenset(kind for kind, item in patterns if item.search(searched))


@cache
def _kinds(language: Language) -> dict[str, re.Pattern[str]]:
    phrases = language.changes
    return {
        kind: pattern_of(
            [*word_patterns(words, language), phrase_pattern(phrases.get(kind, ""))]
        )
        for kind, words in language.kinds.items()
    }


def bare(sentence: str, language: Language) -> str:
    """Return a sentence without the politeness, and the greeting, around it."""
    text = unicodedata.normalize("NFC", sentence).strip()
    polite = _courtesy(language)
    end = re.search(rf"(?<=\w)\W+{polite}$", text, re.IGNORECASE)
    text = text[: end.start()] if end else text
    begin = re.match(rf"{polite}(?=\w)", text, re.IGNORECASE)
    return text[begin.end() :] if begin else text


def asked_for(sentence: str, language: Language) -> list[str]:
    """Return the parts that are not only polite, else all: a scene "Good morning"."""
    is_polite = re.compile(_courtesy(language)).fullmatch
    parts = parts_of(sentence, language)
    return [part for part in parts if not is_polite(as_searched(part))] or parts


def has_condition(sentence: str, language: Language) -> bool:
    """Return whether it has a word of exception, condition or denial."""
    text = APOSTROPHES.sub("'", as_searched(sentence))
    return words_in(language.conditions, language).search(text) is not None


def has_length(sentence: str, language: Language, *units: str) -> bool:
    """Return whether it has a unit of time, by default any: "for half an hour"."""
    return _lengths(language, "", *units).search(as_searched(sentence)) is not None


@cache
def _courtesy(language: Language) -> str:
    polite = (language.polite, *language.hesitations.split(), "lumo")
    return rf"(?:{phrase_pattern('\n'.join(polite))}(?:\W+|$))+"


@cache
def _lengths(language: Language, before: str, *units: str) -> re.Pattern[str]:
    words = (language.units.get(unit, "") for unit in units or ("min", "h", "s"))
    forms = as_searched("|".join(words)).strip("|").split("|")
    return pattern_of(before + re.escape(form) for form in forms)


def behind_all(text: str, language: Language) -> list[str]:
    """Return what stands behind a word for all, if any: "the lights" of "all the lights"."""
    return _way(language.all_of.replace("#", "")).split(as_searched(text), 1)[1:]


def verbs_of(sentence: str, language: Language, of_thing: bool = False) -> set[str]:
    """Return the actions of `OPPOSITES` that a sentence names, or orders: "lights off".

    "Coffee on" is an order if it is said `of_thing`, "come on" is none.
    """
    text = as_searched(sentence)
    searched = ((key, _verb(key, language).search(text)) for key in OPPOSITES)
    said = {key: verb for key, verb in searched if verb}
    thing, _, last = text.rpartition(" ")
    if not said and len(thing.split()) < _SHORT_ORDER:
        is_all = _way(language.all_of).fullmatch(thing)
        if of_thing or kinds_in(thing, language) or is_all:
            return {key for key in OPPOSITES if last in _ends(key, language)}
    for pair in _OPPOSITES.items():
        both = sorted((said[key].end(), key) for key in pair if key in said)
        if len({said[key].start() for _, key in both}) < len(both):
            (end, less), (ends, more) = both
            is_last, blanks = not text[ends:].strip(" .!"), said[less][0].count(" ")
            is_one = len(parts_of(said[more][0], language)) == 1
            again = _verb(more, language).search(text, end)
            if is_one and not again and blanks and is_last == (blanks > 1):
                # "Turn off the lamp on the porch", "turn the lamp on the porch off".
                del said[less if is_last else more]
    # Some begin as others do: "lås", "lås op".
    longer = {verb.start() for verb in said.values() if " " in verb[0]}
    short = {x for x in said if " " not in said[x][0] and said[x].start() in longer}
    return said.keys() - short


@cache
def _ends(key: str, language: Language) -> set[str]:
    """Return the words with which the verb for an action ends, behind the thing."""
    ends, others = (
        {as_searched(text).split()[-1] for text in said if " ~ " in text}
        for said in (
            phrases(language.echo.get(item, "")) for item in (key, OPPOSITES[key])
        )
    )
    return ends - others


@cache
def _way(templates: str) -> re.Pattern[str]:
    return pattern_of([phrase_pattern(templates)])


def ways_of(sentence: str, language: Language) -> set[str]:
    """Return `up` for "louder", `down` for "dim"; nothing beside a number."""
    text = as_searched(sentence)
    if re.search(r"\d", text):
        return set()
    return {way for way, said in language.ways.items() if _way(said).search(text)}


@cache
def _verb(key: str, language: Language) -> re.Pattern[str]:
    """Return a pattern for a verb, with up to eight words for the thing within it."""
    kept: list[str] = []
    for text in sorted(map(as_searched, phrases(language.echo.get(key, ""))), key=len):
        is_new = not any(re.search(item, text.replace("~", "x")) for item in kept)
        if text and text[0] != "~" and is_new:
            words = (_GAP if word == "~" else re.escape(word) for word in text.split())
            kept.append(r"\s+".join(words).replace(r"\~", r"\w*"))
    return pattern_of(kept)
