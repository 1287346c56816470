"""Whether an answer says that something is done, or so, that no call did or read.

If the sentence wants something done to the home, and nothing acted, a short answer is
doubted unless it asks or says that nothing was done (`honest`). So is any answer to a
question about a thing of the home, unless it asks, if nothing was read.
"""

from collections.abc import Callable, Iterable, Mapping, Set as AbstractSet
from dataclasses import dataclass, field, replace
from enum import Enum
import re
from typing import Final

from ..context.home import Home
from ..gate.call_record import CallRecord
from ..gate.effects import numbers_in
from ..gate.intents import TIMERS
from ..gate.mention import (
    OPPOSITES,
    Sentence,
    asked_for,
    has_condition,
    has_length,
    kinds_in,
    verbs_of,
    words_of,
)
from ..languages import EN
from ..languages.form import Language
from ..languages.words import parts_of
from ..text import as_compared
from .wanted import (
    DONE_AS,
    KEPT,
    Named,
    changes_nothing,
    named_in,
    names,
    names_first,
    only_asks,
    order_in,
    rest_of,
    says_state,
)

# A longer answer tells something else.
CLAIM_CHARACTERS: Final = 120
CLAIM_SENTENCES: Final = 2
# The most words of an opening that says nothing: "Sure!", "No problem."
_FILLER_WORDS: Final = 3
# So much of a sentence is read.
_SAID_CHARACTERS: Final = 500
# An excuse is looked for in so much of an answer.
EXCUSE_CHARACTERS: Final = 400

SENTENCE_END: Final = re.compile(
    r"(?<=[.!?。！？\u2600-\u27bf\ufe0f\U0001f000-\U0001faff])(?:\s+|$)|\n+"
)
_CLAUSES: Final = re.compile(r"\A[¿¡\s]*|[,;:–—-]\s+[¿¡]?")
YES_OR_NO: Final = re.compile(r"\A\W*\w+(?:[,.!:;–—-]+\s+|\W*\Z)")
# Marks, emoji and sources may stand behind a question.
_ASKS: Final = re.compile(r"[?？;؟](?:[\W\d_]|【[^】\n]*】)*\Z")
# Code is written for a person, not done.
_CODE: Final = re.compile(r"(`{3,}|~{3,}).*?(?:\1|\Z)", re.DOTALL)
# Models fall into English, whatever is spoken to them.
_ENGLISH: Final = re.compile(r"\b(?:(?i:the|it|you|your|that|this|sorry)|I['’]?m?)\b")
# "You can use the `intent__HassTurnOn` function": told to a person in place of called.
_TOOL: Final = re.compile(r"\b(?:[a-z]+(?:_[a-z]+)*__)?(?:Hass|GetLive)[A-Z]?[a-z]+\w*")
# The name of an argument or an attribute, and no entity id or address.
_ARGUMENT: Final = re.compile(
    r"(?<![\w./?&=@])[a-z]+(?:_[a-z]+)+\b(?![.@]\w)|\b(?:[Aa]rg[uo]m|[Pp]aram[eè]t)\w*\s+['\"„“‚‘«`]|"
    r"\b[Dd]om(?:ai|ei|[äæ]n|[eé]n|[ií]ni)\w*\s+['\"„“‚‘«`]?(?:climate|cover|fan|light|lock|switch)\b"
)
# What a model was told, of itself or of a call, and says to the person.
_TOLD: Final = re.compile(
    r"\bno argument '|\ballowed are\b|\bno entities matched\b|\bMatchFailed|"
    r"\b(?:function|tool) call (?:returned|was|succeeded)\b|\b(?:fenced|its) json block|\bbuilt-in tool channel|"
    r"\bresults are data\b|\bnothing was run\b|\bdo not try another way\b|"
    r"\bdo not repeat (?:the|this) call|\bthe arguments are not valid\b|"
    r"\bno tool of that name\b|\bwrite (?:the (?:complete )?call|one of these names)\b|"
    r"\bcall only a tool that\b|\bthe person (?:did not ask|is asked)\b|"
    r"\bnever say that it is done\b|\bno call has (?:done|read) that\b",
    re.IGNORECASE,
)
# "[value from tool]": copied out of an instruction; {"error":true}: out of a result.
_PLACEHOLDER: Final = re.compile(
    r"\A\{\s*\"error\"[^{}]*\}\Z|"
    r"\[[^\]\n]{0,40}\b(?:value|insert|placeholder|from (?:the )?tool)\b[^\]\n]{0,40}\](?!\()",
    re.IGNORECASE,
)
# "{state}", "[Temperatur]", "<value>", "$TEMP", "XX" and "___" in an answer about the home.
_BLANK: Final = re.compile(
    r"\{\s*\w+\s*\}|(?<!\w)\[[^\W\d_][^\W\d]*(?: [^\W\d]+){0,3}\](?![(\[:])|<(?!/)\w+>(?!.*</)|"
    r"\$[A-Z_]{3,}\b|\bXX+\b|_{3,}"
)
# What is done to a home and to little else; shops open and close.
_OF_HOMES: Final = {"do_lock", "do_turn_off", "do_turn_on", "do_unlock"}
_OF_LOCKS: Final = ("locked", "unlocked")
# The tool that reads states.
_LIST: Final = "GetLiveContext"
# What these did may have been anything; who was told something may do it.
_ANYTHING: Final = ("assist_satellite", "automation", "person", "scene", "script")


class Claim(Enum):
    """What is wrong with an answer."""

    NONE = "none"
    DONE = "done"
    """It claims what was not done, or not all of it."""
    POSSIBLE = "possible"
    """The same in a language whose honest words nobody has told us."""
    UNREAD = "unread"
    """It tells what the home is like, and nothing was read."""
    PLACEHOLDER = "placeholder"
    """It has a placeholder for a value, or no words."""
    EXCUSE = "excuse"
    """It says that there is no tool, or no access to it."""
    TOOL = "tool"
    """It says how to call a tool, and does not call it."""


@dataclass(frozen=True, slots=True)
class ClaimRule:
    """Judges the answers of one turn."""

    language: Language
    wants: bool = False
    """The sentence wants something done to the home, and not all of it is."""
    asks: bool = False
    """It asks about a thing of the home, and nothing was read."""
    asks_state: bool = False
    """It names something of the home and asks how that is now."""
    states: AbstractSet[str] = frozenset()
    """The names of the states that an answer to it may tell."""
    is_so: Callable[[], bool | None] = lambda: None
    """Returns whether all is as it wants it; None if nobody knows."""
    is_silent: Callable[[], bool] = lambda: False
    """Returns whether something that was acted on has not answered yet."""
    called: AbstractSet[str] = frozenset()
    """The names of the things that it names, else of the areas."""
    changes_nothing: bool = False
    """It only asks: no call that acts is meant."""
    is_about_home: bool = False
    """It is about the home, and names no tool itself."""
    may_explain: bool = False
    """It asks about tools and calls."""
    parts: Mapping[str, Named] = field(default_factory=dict)
    """The parts of the sentence that each want something done."""
    items: int = 0
    """So many things it wants on a list, as "milk and eggs"."""
    lasts: bool = False
    """It wants one thing done for some time: what ends that is another call."""
    is_done: bool = False
    """All that it wants is done."""
    has_done: bool = False
    """Something is done, which may be told first."""
    is_again: bool = False
    """It judges what was said to a doubt: behind an honest word may stand the claim."""
    values: AbstractSet[float] = frozenset()
    """What was set to a value was set to these."""
    may_want_to_know: bool = False
    """It begins with a thing, as "Kitchen temperature" does: to read may be enough."""
    read_ahead: Callable[[str], bool] | None = None
    """Returns whether an answer agrees with what was read before the model was asked."""

    @classmethod
    def for_turn(
        cls,
        sentence: str,
        language: Language,
        home: Home | None,
        asks_state: bool = False,
        states: Iterable[str] = (),
    ) -> ClaimRule:
        """Return the rule for what a person said of a home.

        With `asks_state` it is known to ask for a state, whatever it names; else it
        does with a kind of thing and one of the names of `states`.
        """
        words: AbstractSet[str] = home.words if home else frozenset()
        sentence = sentence[:_SAID_CHARACTERS]
        if only_asks(sentence, language):
            said = Sentence(sentence, language)
            named = named_in(said, home)
            kinds, states = kinds_in(said.text, language), frozenset(states)
            says = says_state(said, states)
            # "Did I lock up?"
            locks = "|".join(language.states.get(item, "") for item in _OF_LOCKS)
            told = language.questions.sub("", sentence, count=1).strip(" ?")
            verbs = verbs_of(sentence, language) | verbs_of(told, language)
            checks = not _OF_HOMES.isdisjoint(verbs)
            checks |= said.names_any(locks.split("|"))
            if home is not None:
                is_of_home = bool(kinds or said.names_any(home.titles.values()))
                # Of what heats it asks for a temperature.
                asks_state |= checks or "climate" in kinds or (says and is_of_home)
            asks = asks_state or bool(named.called) or KEPT in named.kinds
            asks_list = any(thing.startswith("todo.") for thing in named.things)
            rest = rest_of(sentence.strip("¿¡ "), language)
            return cls(
                language,
                asks=home is not None and asks and not language.general.match(rest),
                # How warm it is outside, or may be, Lumo may know by itself.
                asks_state=asks_list
                or (asks_state and (says or checks or bool(named.called))),
                states=states,
                called=named.called,
                changes_nothing=changes_nothing(sentence, language, words),
                is_about_home=names(sentence, language, words)
                and not _TOOL.search(sentence),
            )
        rest = order_in(rest_of(sentence.strip(), language), language)
        if not rest:
            return cls(language)
        parts = {
            part: Named()
            if has_condition(part, language)
            else named_in(Sentence(part, language), home)
            for part in parts_of(rest, language)
            if names(part, language, words) or verbs_of(part, language)
        }
        # Up to the list's name: a reason may follow.
        orders = enumerate(asked_for(rest, language), 1)
        on_list = (n for n, x in orders if Sentence(x, language).speaks_of_plans)
        verbs = verbs_of(rest, language)
        return cls(
            language,
            wants=bool(parts or verbs or Sentence(sentence, language).points_back),
            is_about_home=not _TOOL.search(sentence),
            parts=parts,
            items=next(on_list, 0),
            lasts=len(parts) == 1 and any(has_length(x, language) for x in parts),
            may_want_to_know=not verbs and names_first(rest, language, words),
        )

    def behind(self, outcomes: Iterable[CallRecord], left: bool = False) -> ClaimRule:
        """Return the rule for an answer after some calls; of "all", some may be `left`."""
        ran = list(outcomes)
        acts = [item for item in ran if not item.annotations.read_only]
        done = [item for item in acts if item.success]
        effects = [effect for item in done for effect in item.effects]
        if len(done) < len(acts):
            # One call may do several things, and a failed one is made again.
            count = max(len(done), len({effect.entity_id for effect in effects}))
            is_all = count >= len(self.parts) and acts[-1].success
        else:
            did = {effect.phrase for effect in effects}
            lasts = self.lasts and len(done) == 1 and did and did <= OPPOSITES.keys()
            is_all = not (lasts or self._misses(did) or self._misses_thing(done))
            is_all &= not self._misses_item(done)
        if done and is_all and not left:
            return ClaimRule(
                self.language,
                is_about_home=self.is_about_home,
                may_explain=self.may_explain,
                is_done=True,
                values=numbers_in(" ".join(effect.value for effect in effects)),
            )
        has_read = any(
            item.success and (not item.name.endswith(_LIST) or self.is_in(item.told))
            for item in ran[self.read_ahead is not None :]
            if item.annotations.read_only
        )
        has_failed = bool(acts) and not self.changes_nothing
        is_read = has_read and self.may_want_to_know
        wants = has_failed or (self.wants and not is_read)
        asks = self.asks and not has_read
        return replace(self, wants=wants, asks=asks, has_done=bool(done))

    def is_in(self, told: str) -> bool:
        """Return whether a text has what was asked about, if that has a name."""
        text = as_compared(told)
        return not (self.asks and self.called) or any(
            as_compared(name) in text for name in self.called
        )

    def _misses(self, did: set[str]) -> bool:
        verbs = [verbs_of(part, self.language) for part in self.parts]
        missed = any(wanted and wanted.isdisjoint(did) for wanted in verbs)
        # "Turn the water off" closes a valve.
        return missed and did <= OPPOSITES.keys() and any(did & item for item in verbs)

    def _misses_thing(self, done: Iterable[CallRecord]) -> bool:
        """Return whether some part names only other things than were done.

        What a script or a server did may have been any part.
        """
        did: list[tuple[str, AbstractSet[str] | None]] = []
        for call in done:
            effects = [*call.effects, *call.reached]
            if call.name.rpartition("__")[2] in TIMERS:
                did.append(("", {KEPT}))
            elif not effects or any(item.domain in _ANYTHING for item in effects):
                return False
            did += [(item.entity_id, DONE_AS.get(item.domain)) for item in effects]
        return any(
            part != Named() and not any(part.covers(*item) for item in did)
            for part in self.parts.values()
        )

    def _misses_item(self, done: Iterable[CallRecord]) -> bool:
        effects = [effect for call in done for effect in call.effects]
        items = [str(item.data["item"]) for item in effects if "item" in item.data]
        written = sum(len(parts_of(item, self.language)) for item in items)
        return 0 < len(items) == len(effects) and written < self.items

    def judge(self, answer: str, *, is_whole: bool = False) -> Claim:
        """Judge the beginning of an answer, or all of it.

        A longer one claims if it `is_whole` and most of its sentences are not honest.
        """
        text = _CODE.sub("", answer).strip()
        if not text:
            # Code that nobody asked for may have been meant for a call.
            return Claim.TOOL if self.wants and answer.strip() else Claim.NONE
        head, languages = text[:EXCUSE_CHARACTERS], self._languages(text)
        is_open = self.wants or self.asks
        excuses = (item.excuses.search(head) for item in languages)
        if is_open and not _ASKS.search(text) and any(excuses):
            return Claim.EXCUSE
        is_plain = self.is_about_home and not self.may_explain
        technical = is_open and any(x.technical.search(head) for x in languages)
        if is_plain and (technical or _TOOL.search(head) or _ARGUMENT.search(head)):
            return Claim.TOOL
        if _TOLD.search(text) and not self.may_explain:
            return Claim.TOOL
        is_plain |= self.asks and not self.may_explain
        if _PLACEHOLDER.search(text) or (is_plain and _BLANK.search(text)):
            return Claim.PLACEHOLDER
        if self.is_done and self.language.code and self.is_silent():
            is_told = not _is_short(text) or self.is_honest(text)
            return Claim.NONE if is_told else Claim.DONE
        if self.values and _is_short(text):
            told = numbers_in(text)
            return Claim.DONE if told and told.isdisjoint(self.values) else Claim.NONE
        if not is_open:
            return Claim.NONE
        is_excused = bool(_ASKS.search(text)) if self.asks else self.is_honest(text)
        is_excused |= self.read_ahead is not None and self.read_ahead(text)
        may_claim = is_whole and self.wants and len(text) <= EXCUSE_CHARACTERS
        may_claim |= _is_short(text)
        if is_excused or not may_claim or (self.wants and self.is_so()):
            return Claim.NONE
        claim = Claim.DONE if self.language.code else Claim.POSSIBLE
        return Claim.UNREAD if self.asks else claim

    def insists(self, text: str) -> bool:
        """Return whether an answer tells a state or number that was not read."""
        # "No, ..." is an answer, and denies nothing.
        rest, said = YES_OR_NO.sub("", text), Sentence(text, self.language)
        first = words_of(text[: len(text) - len(rest)])
        yes_or_no = words_of(f"{self.language.yes} {self.language.denials}")
        is_told = not {*first}.isdisjoint(yes_or_no) or says_state(said, self.states)
        tells = bool(is_told or numbers_in(text))
        tells &= self.asks_state or bool(self.called)
        tells |= self.asks_state and not self.is_honest(rest)
        return tells and _is_short(text)

    def is_honest(self, text: str) -> bool:
        """Return whether an answer asks, denies, says why not, or that it is so."""
        kinds = {kind for part in self.parts.values() for kind in part.kinds}
        known = words_of(" ".join((*self.parts, self.language.generic)))
        languages, named = self._languages(text), {*known}

        def is_honest(said: str) -> bool:
            return any(_is_honest(said, item, kinds, named) for item in languages)

        says_so = any(item.already.search(text) for item in languages)
        if says_so and _is_short(text) and self.is_so() is not False:
            return True
        if self.is_again and not _ASKS.search(text):
            return all(map(is_honest, _sentences(text)))
        parts = _sentences(text)
        if not _is_short(text) and not _ASKS.search(text):
            # A reason for what is claimed may stand beside it.
            return 2 * sum(map(is_honest, parts)) > len(parts)
        return is_honest(text) or (self.has_done and any(map(is_honest, parts)))

    def _languages(self, text: str) -> set[Language]:
        return {self.language, EN} if _ENGLISH.search(text) else {self.language}


def _is_short(text: str) -> bool:
    whole = [part for part in _sentences(text) if len(part.split()) > _FILLER_WORDS]
    return len(text) <= CLAIM_CHARACTERS and len(whole) <= CLAIM_SENTENCES


def _is_honest(
    text: str, language: Language, kinds: AbstractSet[str], named: AbstractSet[str]
) -> bool:
    parts = [rest for part in _sentences(text) if (rest := _own_of(part, language))]
    if len(parts) > 1 and _ASKS.search(text):
        # "It is off. The other one too?" "Shall I turn off the TV?"
        asked = kinds_in(parts[-1], language)
        is_other = asked and kinds and asked.isdisjoint(kinds)
        if is_other or language.leaning.search(parts[-1]):
            del parts[-1]
    if not parts:
        return False
    if _ASKS.search(parts[0]) and {*words_of(parts[0])} - named:
        # "Do you mean 24 degrees? 34 is very warm." "Milk? Done!" only repeats.
        return True
    # "The security light": what the person has said is a name.
    found = [{*words_of(said[0])} for said in language.honest.finditer(parts[0])]
    if any(said - named for said in found) or _ASKS.search(" ".join(parts)):
        return True
    # Behind "Sure!" only a denial counts: "Done! Let me know if ..." claims.
    rest = " ".join(x[0] for x in language.honest.finditer(" ".join(parts[1:])))
    denies = not {*words_of(language.denials)}.isdisjoint(words_of(rest))
    return denies and len(parts[0].split()) <= _FILLER_WORDS


def _own_of(sentence: str, language: Language) -> str:
    """Return a sentence without what only offers more: ", anything else?"."""
    for at in _CLAUSES.finditer(sentence):
        if language.closings.match(sentence, at.end()):
            return sentence[: at.start()]
    return sentence


def _sentences(text: str) -> list[str]:
    return [part for part in SENTENCE_END.split(text) if part.strip()]
