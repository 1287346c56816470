"""Decide what a sentence asks for: a list of meanings, in the order they were said."""

from dataclasses import replace
from functools import partial
import json
import re
from typing import Final

from .abilities import read_ability
from .clock import digits, read_clock, read_day
from .fallback import Fragment, decide, read_fragment
from .later import read_later
from .model import Meaning, short_name
from .parts import join, read_part, smalltalk, spread, target_of
from .prompt import Exchange, Prompt
from .questions import OUTSIDE, SET_TO, WEATHER, asked_state, is_question, widen
from .remembering import read_wish
from .revising import read_revision
from .target import find_target
from .text import fold
from .tools import OURS, shopping_list
from .understand import Recognizer, guess_languages
from .vocabulary import Vocabulary
from .week import is_ahead, read_week

_MOST_EXCHANGES: Final = 4
"""How far back a sentence may refer."""
_MOST_PARTS: Final = 8
_LENGTH: Final = re.compile("minut|second|sekund|hour|stund|lang$")
_CALENDAR: Final = re.compile(r"(?i)\b(?:calendar|kalender)\b|^trag\b|^add\b.*day at ")
# Nobody knows here what was asked about the past.
_PAST: Final = re.compile(
    r"\b(?:yesterday|gestern|last|zuletzt)\b|^(?:who|wer) (?!is|are|s\b|ist|bist)"
    r"|^(?:was|were) (?!ist\b|hat\b|lauft\b|steht\b)|^(?:war|waren|when|wann|why|warum|wieso) "
    r"|^(?:how|wie) (?:long|lange|oft\w*)\b|^what time (?:did|was|were)\b"
)
# What is asked for besides, with a time of its own.
_ASIDE: Final = re.compile(
    r"(?i),?\s+(?:and|und|then|dann)(?: then| dann)?\s+(?=(?:wake|remind|tell|announce|weck\w*"
    r"|erinner\w*|sag|set an alarm|stell\w* (?:den|einen|mir einen) wecker)\b)"
)
_SAYS: Final = re.compile(r"(?i)(?:remind|tell|say|announce|erinner\w*|sag)\b")
_AWAY: Final = re.compile(r"\b(?:runter|weg|raus|streich\w*|off|out|remove|scratch)\b")
_TAG: Final = r"(?i)(?<=.), (?:will|would|can|could) you\?$|, ok(?:ay|e)?\?$"
_GREETS: Final = re.compile(
    r"(?i)^(?:(?:(?:good|guten) (?:morning|evening|morgen|abend|tag)|hello|hi|hey|hallo)\b[,.!]?|(?:morning|evening|afternoon|morgen|abend|moin|servus)[,.!]) (?=\S+ \S)"
)
_POLITE: Final = re.compile(
    r"(?i)^(?:can|could|would|will|kannst|könntest|würdest) (?:you|du) (?:please |bitte |mal )*(?P<rest>.+?)[?.]*$"
)
# Tools for which a time may be said.
_TIMELESS: Final = ("change_event", "create_event", "events")
# What of the integration's own tools can be done later, or again and again.
_PLANNED: Final = ("set", "music", "tell", "HassVacuumStart")
_WARMTH: Final = re.compile(
    r"\b(?:warm|cold|hot|kalt|heiss|temperatur\w*|degrees|grad)\b"
)
_WORKED: Final = re.compile(
    r"(?:and |und )?(?:did (?:that|it) work|(?:has|is) (?:that|it) (?:worked|done)|did you do (?:that|it)"
    r"|hat (?:das|es) (?:geklappt|funktioniert)|ist (?:das|es) (?:passiert|erledigt))(?: now| jetzt)?"
)
_THERE: Final = re.compile(r"(?i)(?<!out )\b(?:in )?there$|\b(?:dort|da drin)\b")
_YES: Final = re.compile(
    r"(?:(?:yes|yeah|sure|ok(?:ay)?|please|do|it|that|go|ahead|ja|klar|gern\w*|bitte|mach|das|thanks|danke)(?: |$))+"
)
_HOW: Final = r"what about|how about|(?:was ist|wie (?:sieht|ist) es) (?:mit|in|im)"
_LEADING: Final = re.compile(rf"^(?:and|und|auch|also|{_HOW})\b")
# What can be done to something else next, and to which domains (any if none).
_MOVABLE: Final[dict[str, tuple[str, ...]]] = {
    "HassTurnOn": (), "HassTurnOff": (), "HassGetState": (), "HassLightSet": ("light",),
    "HassSetPosition": ("cover",), "HassStopMoving": ("cover",),
    "HassClimateSetTemperature": ("climate",), "HassFanSetSpeed": ("fan",),
    "HassClimateGetTemperature": ("climate", "sensor"),
    "HassSetVolume": ("media_player",), "HassMediaPause": ("media_player",),
    "HassVacuumStart": ("vacuum",), "HassVacuumReturnToBase": ("vacuum",),
}  # fmt: skip
_ASKING: Final = re.compile(rf"^(?:{_HOW})\b")


def _said(prompt: Prompt, position: int, text: str) -> Prompt:
    """Return a prompt in which something was said at a place, and nothing behind it."""
    exchanges = [*prompt.exchanges[:position], Exchange(text)]
    return replace(prompt, exchanges=exchanges)


def _is_remark(clause: str, vocabulary: Vocabulary) -> bool:
    """Return whether a clause only says that something is wrong: "that's too much"."""
    known = r"(?:enough|reicht|genug|good|gut|fine|great|better|besser|perfect|okay?|thanks|danke|schon|now|jetzt|no|nope|nein|ach|oh|sorry|hm+|actually|that|das|it|es|ist|is|s|too|zu|much|viel|wenig|little|high|low|hoch|niedrig|so)"
    return bool(re.fullmatch(rf"{known}(?: {known})*", fold(clause)))


def _acts(part: str, vocabulary: Vocabulary) -> bool:
    return read_fragment(part, vocabulary).action is not None


class Planner:
    """Understands sentences of a conversation."""

    def __init__(self) -> None:
        self.recognizer = Recognizer()

    def plan(self, prompt: Prompt) -> list[Meaning]:
        """Return what the last sentence asks for; empty if nobody can tell."""
        if (answered := _answered(prompt)) is not None:
            return [answered]
        return self._plan(prompt, len(prompt.exchanges) - 1, _MOST_EXCHANGES)

    def languages(self, prompt: Prompt, position: int = -1) -> list[str]:
        """Return the languages that a sentence may be in, the likeliest first."""
        sentences = [exchange.sentence for exchange in prompt.exchanges]
        if not sentences:
            return ["en"]
        return guess_languages(sentences[position], " ".join(sentences[:position]))

    def _plan(self, prompt: Prompt, position: int, depth: int) -> list[Meaning]:
        if position < 0 or depth == 0:
            return []
        text = re.sub(_TAG, "", prompt.exchanges[position].sentence)
        text = _POLITE.sub(r"\g<rest>", _GREETS.sub("", text))
        if len(both := _ASIDE.split(text, 1)) > 1 and not _SAYS.match(text):
            alone = [_said(prompt, position, part) for part in both]
            asides = [self._plan(part, position, depth) for part in alone]
            if all(asides) and not any(x[0].intent == "not_understood" for x in asides):
                return [meaning for part in asides for meaning in part]
        languages = self.languages(prompt, position)
        text, home = _reminded(text, prompt, languages[0]), prompt.home
        if named := [thing for thing in home.called(text) if thing.tool]:
            slots = {"tool": named[0].tool, "name": named[0].name}
            return [Meaning("run_script", slots, text, languages[0])]
        if position and _WORKED.fullmatch(fold(text)):
            results = prompt.exchanges[position - 1].results
            failed = not results or any(result.error for result in results)
            return [Meaning("no" if failed else "yes", {}, text, languages[0])]
        if position == len(prompt.exchanges) - 1:
            for code in languages:
                if revised := read_revision(text, prompt, code):
                    return revised
        is_timed = any(is_ahead(text, code) for code in languages)
        if not is_timed and (wish := read_wish(text, prompt, languages[0])) is not None:
            return [wish]
        spoken = [self.recognizer.vocabulary(home, code) for code in languages]
        text = _THERE.sub(lambda _: _spoken_of(prompt, position, spoken[0]), text)
        if any(smalltalk(text, vocabulary) == "nevermind" for vocabulary in spoken):
            return [Meaning("nevermind", {}, text, languages[0])]
        for vocabulary in spoken:
            command = partial(self._command, (prompt, position, depth), vocabulary)
            # What is put into a calendar has a time of its own.
            is_event = _CALENDAR.search(text)
            for read in () if is_event else (read_week, read_later):
                if planned := read(text, prompt, vocabulary, command):
                    return planned
            asked = read_ability(text, prompt, vocabulary)
            if _is_beyond(text, asked, vocabulary):
                lost = (
                    "unknown_state" if WEATHER.search(fold(text)) else "not_understood"
                )
                return [Meaning(lost, {}, text, languages[0])]
            if asked is not None:
                return spread(asked)
            if found := self._whole(text, vocabulary):
                return found
        for vocabulary in spoken:
            ways = [
                partial(self._parts, text, vocabulary),
                partial(self._follow_up, prompt, position, depth, vocabulary),
            ]
            for way in ways[::-1] if _leans(text, vocabulary) else ways:
                if found := way():
                    return found
        for vocabulary in spoken:
            if key := smalltalk(text, vocabulary):
                return [Meaning(key, {}, text, vocabulary.words.code)]
        return []

    def _command(
        self, place: tuple[Prompt, int, int], vocabulary: Vocabulary, text: str
    ) -> list[Meaning]:
        prompt, position, depth = place
        asked = read_ability(text, prompt, vocabulary)
        told = read_week(text, prompt, vocabulary, lambda _: [])
        for item in filter(None, (asked, *told[:1])):
            if item.intent.removeprefix(OURS) in _PLANNED:
                return [item]
        if _leans(text, vocabulary):
            alone = _said(prompt, position, text)
            if found := self._follow_up(alone, position, depth, vocabulary):
                return found
        return self._whole(text, vocabulary) or self._parts(text, vocabulary)

    def _whole(self, text: str, vocabulary: Vocabulary) -> list[Meaning]:
        meaning = self._strict(text, vocabulary)
        return [] if meaning is None else spread(meaning)

    def _strict(self, text: str, vocabulary: Vocabulary) -> Meaning | None:
        """Match a text against the templates, without its politeness if need be."""
        code = vocabulary.words.code
        meaning = self.recognizer.recognize(text, vocabulary.home, code)
        if meaning is None:
            return None
        if meaning.intent in ("HassRespond", "HassNevermind"):
            fallback = "nevermind" if meaning.intent == "HassNevermind" else "default"
            return Meaning(smalltalk(text, vocabulary) or fallback, {}, text, code)
        is_outside = _WARMTH.search(fold(text)) or not vocabulary.home.of("weather")
        if meaning.intent == "HassGetWeather" and is_outside:
            return Meaning("outside", {}, text, code)
        if meaning.intent == "HassClimateGetTemperature" and SET_TO.search(fold(text)):
            return None  # It is not asked what was measured.
        if meaning.intent != "HassGetState":
            return meaning
        # Templates take every word for a place where somebody may be.
        if meaning.slots.get("domain") == "person":
            state = asked_state(fold(text), vocabulary)
            lost = Meaning("not_understood", {}, text, code)
            return meaning.with_slots(state=state) if state else lost
        says_what = {"name", "area", "domain", "floor", "device_class"}
        return widen(meaning) if says_what & set(meaning.slots) else None

    def _parts(self, text: str, vocabulary: Vocabulary) -> list[Meaning]:
        """Understand a sentence part by part, each part as long as it can be."""
        whole = read_fragment(text, vocabulary)
        things = whole.target.entities
        if len(things) == 1 and things[0].tool and not is_question(text, vocabulary):
            # The values of a script's fields may follow after a comma.
            target = whole.target
            if not (target.area or target.floor or target.domain):
                counted = digits(fold(text), vocabulary.words.code)
                whole = read_fragment(counted, vocabulary)
                whole.unknown = [x for x in whole.unknown if not _LENGTH.match(x)]
                return decide(whole, vocabulary)
        pattern = (
            rf"\s*[,;]?\s+(?:{vocabulary.words.joiners})\s+|\s*[,;](?!\d)\s*|[.!?]\s+"
        )
        cuts = list(re.finditer(pattern, text, re.IGNORECASE))
        starts = [0] + [cut.end() for cut in cuts]
        ends = [cut.start() for cut in cuts] + [len(text)]
        if len(starts) > _MOST_PARTS:
            return []
        read: list[list[Meaning] | Fragment] = []
        position = 0
        while position < len(starts):
            for last in range(len(starts) - 1, position - 1, -1):
                part = text[starts[position] : ends[last]].strip()
                # A name alone says nothing of what is to be done.
                if (
                    len(starts) > 1
                    and (meaning := self._strict(part, vocabulary))
                    and (meaning.intent, _acts(part, vocabulary))
                    != ("HassTurnOn", False)
                ):
                    read.append(spread(meaning))
                    position = last + 1
                    break
            else:
                part = text[starts[position] : ends[position]].strip(" .!")
                position += 1
                if part:
                    read.append(read_part(part, vocabulary))
        return join(read, vocabulary)

    def _follow_up(
        self, prompt: Prompt, position: int, depth: int, vocabulary: Vocabulary
    ) -> list[Meaning]:
        is_yes = position > 1 and _YES.fullmatch(
            fold(prompt.exchanges[position - 1].sentence)
        )
        before = self._plan(prompt, position - 1 - bool(is_yes), depth - 1)
        before = [meaning for meaning in before if meaning.slots]
        if not before:
            return []
        spoken = prompt.exchanges[position].sentence
        clauses = re.split(r"[,;.!]\s+", spoken)
        while len(clauses) > 1 and _is_remark(clauses[0], vocabulary):
            spoken = clauses.pop(0) and ", ".join(clauses)
        text = _LEADING.sub("", fold(spoken)).strip()
        if is_question(spoken, vocabulary) and not _LEADING.match(fold(spoken)):
            return _ask_about(before[-1], spoken, vocabulary)
        if before[-1].intent in ("HassClimateGetTemperature", "HassGetState"):
            if OUTSIDE.fullmatch(text):
                return [Meaning("outside", {}, spoken, vocabulary.words.code)]
        fragment = read_fragment(text, vocabulary)
        is_item = "item" in before[-1].slots and not _AWAY.search(text)
        if fragment.unknown and not is_item:
            return []
        if fragment.action == "set" and fragment.value is None and not fragment.color:
            fragment.action = None
        target = fragment.target
        if fragment.action is None and fragment.value is None:
            if not target.empty and _ASKING.match(fold(spoken)):
                last = before[-1]
                if last.intent != "HassGetState":
                    last = Meaning("HassGetState", {"_response": "one"}, spoken)
                return [_retarget(last, fragment, vocabulary)]
            if not target.empty:
                return [_retarget(before[-1], fragment, vocabulary)]
            if is_item and text != fold(spoken):
                return spread(before[-1].with_slots(item=_tail(spoken, text)))
        if target.entities or target.area or target.floor or target.domain:
            return []
        meanings = []
        for meaning in before:
            fragment.target = target_of(meaning, vocabulary)
            fragment.target.everything = target.everything
            fragment.action = fragment.action or "set"
            if not fragment.target.empty:
                meanings.extend(decide(fragment, vocabulary))
        return meanings


def _is_beyond(text: str, asked: Meaning | None, vocabulary: Vocabulary) -> bool:
    """Return whether a sentence is for another time, or asks what is not known here."""
    code, asks = vocabulary.words.code, is_question(text, vocabulary)
    tool = asked.intent.removeprefix(OURS) if asked else ""
    if tool in _TIMELESS or (not asks and is_ahead(text, code)):
        return tool not in _TIMELESS
    if tool == "history":
        dated = asked is not None and "period" in asked.slots
        return not dated and bool(read_clock(text, code).at)
    return asks and not tool and bool(_PAST.search(fold(text)))


def _leans(text: str, vocabulary: Vocabulary) -> bool:
    folded = fold(text)
    if _LEADING.match(folded):
        return True
    fragment = read_fragment(text, vocabulary)
    says_what = fragment.pronoun or fragment.value is not None
    found = fragment.target  # "Mach alle aus": all of those.
    is_all = found.everything and re.search(r"\balle\b|\ball of", folded)
    bare = is_all and not (found.domain or found.area or found.entities)
    return bool(bare or (found.empty and says_what))


def _spoken_of(prompt: Prompt, position: int, vocabulary: Vocabulary) -> str:
    """Return "in the kitchen" for the area that was spoken of before."""
    before = (x.sentence for x in reversed(prompt.exchanges[:position]))
    found = [find_target(sentence, vocabulary) for sentence in before]
    areas = (x.area or next((y.area for y in x.entities), None) for x in found)
    return f"in {next(filter(None, areas), 'there')}"


def _reminded(text: str, prompt: Prompt, code: str) -> str:
    """Return "and at ten to ..." behind a reminder as another reminder."""
    call = next(iter(prompt.history[-1].calls[-1:]), None) if prompt.history else None
    begins = re.match(r"(?i)(?:and|und) (?=(?:at|um|on|am|in|to|an)\b)", text)
    if call is None or "say" not in call.arguments or not begins:
        return text
    verb, day = (
        ("remind me", " tomorrow") if code == "en" else ("erinnere mich", " morgen")
    )
    rest = text[begins.end() :]
    is_far = str(call.arguments.get("at")).startswith("tomorrow ")
    return f"{verb}{day * (is_far and not read_day(rest, code)[0])} {rest}"


def _answered(prompt: Prompt) -> Meaning | None:
    """Return the call that failed for want of a person who is named now."""
    last = prompt.history[-1].results[-1:] if prompt.history else []
    people = [
        thing.name
        for thing in prompt.home.of("person")
        if re.search(rf"\b{fold(thing.name)}s?\b", fold(prompt.sentence))
    ]
    if not (people and last and last[0].error and (call := last[0].call)):
        return None
    given = json.dumps(call.arguments)
    named = re.sub(r'"(?:me|I)"', json.dumps(people[0]), given)
    if named == given:
        return None
    before = prompt.history[-1].sentence
    intent, language = OURS + short_name(call.name), guess_languages(before)[0]
    return Meaning(intent, json.loads(named), before, language)


def _tail(spoken: str, folded: str) -> str:
    words = spoken.strip(" .!?").split()
    return " ".join(words[-len(folded.split()) :])


def _ask_about(before: Meaning, spoken: str, vocabulary: Vocabulary) -> list[Meaning]:
    code, name = vocabulary.words.code, str(before.slots.get("name", ""))
    asked = asked_state(fold(spoken), vocabulary)
    if "item" in before.slots:
        name = shopping_list(vocabulary.home) or name
    if vocabulary.home.called(name, "todo"):
        return [Meaning("list_items", {"name": name}, spoken, code)]
    if not name or asked is None:
        return []
    slots = {"name": name, "state": asked, "_response": "one"}
    return [Meaning("HassGetState", slots, spoken, code)]


def _retarget(meaning: Meaning, fragment: Fragment, vocabulary: Vocabulary) -> Meaning:
    target = fragment.target
    moved = meaning.with_slots(
        name=None, area=None, floor=None, _unplaced=None, _domain=None
    )
    things = target.entities
    fits = _MOVABLE.get(meaning.intent)
    if fits is None or (fits and things and things[0].domain not in fits):
        # What was done cannot be done to this; so the question is how it is.
        meaning = Meaning("HassGetState", {}, fragment.text, vocabulary.words.code)
        moved = meaning
    if meaning.intent == "HassGetState":
        moved = moved.with_slots(_response="one")
    domain = meaning.slots.get("domain")
    if domain is None and isinstance(name := meaning.slots.get("name"), str):
        things = vocabulary.home.called(name)
        domain = things[0].domain if things else None
    if target.entities:
        entity = target.entities[0]
        if domain not in (None, entity.domain):
            # The door is locked; the lamp can only be on or off.
            moved = moved.with_slots(state=None)
        moved = moved.with_slots(name=entity.name, domain=None, device_class=None)
    else:
        if meaning.intent in ("HassLightSet", "HassClimateSetTemperature"):
            domain = None
        moved = moved.with_slots(
            area=target.area,
            floor=target.floor,
            domain=target.domain or domain,
            device_class=target.device_class or meaning.slots.get("device_class"),
        )
    return Meaning(moved.intent, moved.slots, fragment.text, vocabulary.words.code)
