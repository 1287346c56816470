"""Whether an answer claims that something in the home was done.

Models say "Done, I turned off the lights" without having called anything. The turn asks
here, while no call has run; if the answer claims success, the model is asked once more.

The rule, by language:

* English and German: patterns of what assistants say when they have acted ("I turned
  ... off", "has been locked", "the heating is now set to", "Turning off ...", "Done").
  A sentence with a negation, a condition, an offer or "already" claims nothing.
* other languages: the structure of the turn. What was said names something of the home,
  is no question, and is answered by one short sentence that is no question either.
  Nothing was called yet: behind a call that failed an honest answer looks the same.
  An answer in English is judged as such, whatever was spoken.

A question about a state is never looked at: nothing may be switched because of one.
How often the rule is right is measured by a table of answers in the tests; the figures
stand in docs/tool-calling.md.
"""

from dataclasses import dataclass
from enum import Enum
import re
from typing import Final

# Home Assistant begins to speak after as many characters
# (STREAM_RESPONSE_CHARS in assist_pipeline); an opening that is held is no longer.
OPENING_CHARACTERS: Final = 60

QUESTION_MARKS: Final = ("?", "？", ";", "؟")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?。！？])(?:\s+|$)|\n+")
# Code is written for a person, not done.
_CODE: Final = re.compile(r"(`{3,}|~{3,}).*?(?:\1|\Z)", re.DOTALL)
# What has been done is said within this. Where the home was not spoken of, an answer
# that is longer tells something else: a story may have doors that are closed.
CLAIM_CHARACTERS: Final = 400
_WORD: Final = re.compile(r"\w{3,}")
_HOME_LINE: Final = re.compile(r"^[\s-]*(?:names|areas):\s*(.+)$", re.MULTILINE)

# How a question begins. "Can you" and "could you" ask for something to be done.
_QUESTIONS: Final = {
    "en": re.compile(
        r"(?:and |so |hey |ok(?:ay)? |please tell me |tell me |do you know )?"
        r"(?:what|which|who|whose|where|when|why|how|is|are|was|were|am|does|did|has"
        r"|had|any|(?:do|have) (?:i|we|you|they|the)|tell me (?:if|whether))\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"(?:und |sag mir |weißt du )?"
        r"(?:was|welche[rsnm]?|wer|wessen|wo|wann|warum|wieso|wie|wie ?viele?|ist|sind"
        r"|war|waren|hat|haben|hast|gibt|läuft|laufen|brennt|brennen|steht|stehen|ob)\b",
        re.IGNORECASE,
    ),
    "es": re.compile(
        r"[¿¡]?(?:y )?(?:qué|cuál(?:es)?|quién(?:es)?|dónde|cuándo|por qué|cómo"
        r"|cuánt[oa]s?|está|están|hay|es|son)\b",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"(?:et )?(?:est[- ]ce|qu['’]|quel(?:le)?s?\b|qui\b|quoi\b|où\b|quand\b"
        r"|pourquoi\b|comment\b|combien\b|y a[- ]t[- ]il|est[- ](?:il|elle)"
        r"|sont[- ](?:ils|elles))",
        re.IGNORECASE,
    ),
    "nl": re.compile(
        r"(?:en )?(?:wat|welke?|wie|waar|wanneer|waarom|hoe|hoeveel|is|zijn|was|waren"
        r"|staat|staan|heeft|hebben|brandt|branden)\b",
        re.IGNORECASE,
    ),
}

_EN_VERBS: Final = (
    r"(?:turned|switched|set|opened|closed|shut|locked|unlocked|started|stopped|paused"
    r"|resumed|dimmed|brightened|added|removed|deleted|activated|deactivated|enabled"
    r"|disabled|changed|adjusted|updated|increased|decreased|reduced|raised|lowered"
    r"|muted|unmuted|run|ran|executed|triggered|scheduled|cancel+ed|created|armed"
    r"|disarmed|sent|played|skipped|put|made|completed|checked off|done)"
)
_EN_DOING: Final = (
    r"(?:turning|switching|setting|opening|closing|shutting|locking|unlocking|starting"
    r"|stopping|pausing|resuming|dimming|adding|removing|activating|running|playing"
    r"|skipping|raising|lowering|muting|arming|disarming)"
)
_EN_STATES: Final = (
    r"(?:on|off|open(?:ed)?|closed|shut|locked|unlocked|set|playing|paused|running"
    r"|muted|dimmed|armed|disarmed|active|activated|started|stopped|done)"
)
_DE_DONE: Final = (
    r"(?:(?:aus|ein|an|ab|um)geschaltet|(?:aus|an|auf|zu)gemacht|\w*gestellt|geöffnet"
    r"|geschlossen|verriegelt|entriegelt|(?:ab|auf|zu)geschlossen|(?:ab|auf)gesperrt"
    r"|gestartet|gestoppt|angehalten|pausiert|fortgesetzt|gedimmt|\w*gesetzt"
    r"|hinzugefügt|entfernt|gelöscht|aktiviert|deaktiviert|geändert|angepasst|erhöht"
    r"|gesenkt|verringert|reduziert|ausgeführt|erledigt|(?:hoch|herunter|runter)gefahren"
    r"|stummgeschaltet|abgespielt|übersprungen|geschärft|entschärft)"
)
_CLAIMS: Final = {
    "en": re.compile(
        rf"\bI(?:'ve|’ve| have)?(?: just| now| also| successfully| already)*"
        rf" {_EN_VERBS}\b"
        rf"|\b(?:has|have|was|were)(?: now| just| successfully)* been {_EN_VERBS}\b"
        rf"|\b(?:was|were)(?: now| successfully)* {_EN_VERBS}\b"
        r"|\b(?:is|are|'s|’s|should be)(?: now| all| both| currently being)*"
        rf" {_EN_STATES}\b"
        rf"|\b(?:I'm|I’m|I am)(?: now| just)* {_EN_DOING}\b"
        rf"|(?:^|[,;:.!] ){_EN_DOING}\b"
        r"|^(?:all |it's |it’s |it is |that's |that’s )?done\b|\ball set\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        rf"\b(?:ich )?habe? (?:ich )?[^.!?]*\b{_DE_DONE}\b"
        rf"|\b(?:wurden?|worden)\b[^.!?]*\b{_DE_DONE}\b|\b{_DE_DONE} (?:worden|wurden?)\b"
        r"|\b(?:ist|sind)(?: jetzt| nun| alle| beide)+[^.!?]*"
        r"\b(?:aus|an|auf|zu|offen|leise|lauter|leiser|heller|dunkler|\w+t|\w+en)\b"
        rf"|\b(?:ist|sind)\b[^.!?]*\b{_DE_DONE}\b"
        r"|\bich (?:schalte|mache|stelle|setze|öffne|schließe|verriegle|entriegle|starte"
        r"|stoppe|dimme|füge|fahre|aktiviere|deaktiviere|erhöhe|senke|pausiere)\b"
        r"|(?:^|[,;:.!] )(?:schalte|mache|stelle|öffne|schließe|starte|stoppe|dimme)\b"
        r"|^(?:alles |schon )?(?:erledigt|gemacht|fertig|wird gemacht)\b",
        re.IGNORECASE,
    ),
}
# In the same sentence: nothing is claimed, or it is offered, or was so before.
_EXCEPT: Final = {
    "en": re.compile(
        r"n['’]t\b|\b(?:not|no|never|cannot|unable|failed?|sorry|unfortunately|if"
        r"|nothing|nobody|none|would|could|can|want|would you like|shall|should I|let me"
        r"|already|before|earlier|until|once|when|error|problem|last|yesterday|ago)\b|\?$",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"\b(?:nichts?|kein\w*|nie|konnte\w*|kann|können|leider|wenn|falls|würde|könnte"
        r"|möchtest|soll|sollte|bereits|schon|vorhin|früher|gestern|fehler|problem"
        r"|bevor|sobald|zuletzt|vor)\b|\?$",
        re.IGNORECASE,
    ),
}


class Claim(Enum):
    """What an answer says about having acted."""

    NONE = "none"
    DONE = "done"
    """It says so."""
    POSSIBLE = "possible"
    """The structure of the turn suggests it; nobody can say in this language."""


def is_question(sentence: str, language: str) -> bool:
    """Return whether a person asks about something; speech has no question marks."""
    text = sentence.strip()
    if text.endswith(QUESTION_MARKS):
        # "Can you turn it off?" is none, but that one had better not be nudged.
        return True
    pattern = _QUESTIONS.get(_base(language))
    return pattern is not None and pattern.match(text) is not None


@dataclass(frozen=True, slots=True)
class ClaimRule:
    """Judges the answers of one turn."""

    language: str
    names_the_home: bool
    """What was said names an entity or area of the home."""

    @classmethod
    def for_turn(
        cls, sentence: str, language: str, home_prompt: str
    ) -> ClaimRule | None:
        """Return the rule for what a person said; None where it asks a question."""
        if is_question(sentence, language):
            return None
        return cls(_base(language), _mentions(sentence, home_prompt))

    @property
    def knows_claims(self) -> bool:
        """Return whether claims can be told from other answers by their words."""
        return self.language in _CLAIMS

    def judge(self, answer: str) -> Claim:
        """Judge an answer, or its beginning."""
        text = _CODE.sub("", answer.strip())
        if len(text) > CLAIM_CHARACTERS and not self.names_the_home:
            return Claim.NONE
        text = text[:CLAIM_CHARACTERS]
        # Models fall into English, whatever is spoken to them.
        languages = {self.language, "en"} & _CLAIMS.keys()
        if any(_claims(text, language) for language in languages):
            return Claim.DONE
        if self.knows_claims:
            return Claim.NONE
        short = len(text) <= OPENING_CHARACTERS and len(_sentences(text)) == 1
        if self.names_the_home and short and not text.endswith(QUESTION_MARKS):
            return Claim.POSSIBLE
        return Claim.NONE


def opening_is_complete(text: str) -> bool:
    """Return whether there is enough of an answer to judge its beginning."""
    text = text.lstrip()
    if len(text) >= OPENING_CHARACTERS:
        return True
    end = _SENTENCE_END.search(text)
    return end is not None and end.end() < len(text)


def _claims(text: str, language: str) -> bool:
    """Return whether a sentence of the text claims something in this language."""
    pattern, exception = _CLAIMS[language], _EXCEPT[language]
    return any(
        pattern.search(sentence) and not exception.search(sentence)
        for sentence in _sentences(text)
    )


def _sentences(text: str) -> list[str]:
    return [part for part in _SENTENCE_END.split(text) if part.strip()]


def _mentions(sentence: str, home_prompt: str) -> bool:
    """Return whether a sentence has a word of a name or area, inflected or not."""
    known: set[str] = set()
    for line in _HOME_LINE.findall(home_prompt):
        known |= {word.casefold()[:5] for word in _WORD.findall(line)}
    return any(word.casefold()[:5] in known for word in _WORD.findall(sentence))


def _base(language: str) -> str:
    return language.partition("-")[0].lower()
