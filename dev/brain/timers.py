"""Understand sentences about timers that no template covers."""

import re
from typing import Final

from .model import Meaning
from .target import find_target
from .text import fold
from .vocabulary import Vocabulary

_TIMER: Final = re.compile(
    r"\b(timer|wecker|kurzzeitwecker|minuteurs?|compte a rebours|kookwekker|temporizador(es)?"
    r"|cuenta atras|timers)\b"
)
_CANCEL: Final = re.compile(
    r"\b(cancel|stop|delete|remove|loesch\w*|losch\w*|stopp\w*|beende\w*|abbrech\w*|annul\w*"
    r"|supprim\w*|arret\w*|verwijder|cancela\w*|para\w*|quita\w*)\b"
)
_ALL: Final = re.compile(r"\b(all|alle|tous|todos|timers|minuteurs|temporizadores)\b")
_UNITS: Final = (
    ("hours", r"hours?|stunden?|heures?|h|uur|uren|uurtje|horas?"),
    ("minutes", r"minutes?|minuten?|minuut|minuutjes?|minutos?|min"),
    ("seconds", r"seconds?|sekunden?|secondes?|seconden|secondes?|segundos?|sec"),
)
_ONE: Final = r"an?|one|eine?n?|une?|uno|una|een"
_HALF: Final = r"1 2(?: an?| une?)?|half an?|half|halbe|demi|halve|media|medio"
_CLOCK: Final = re.compile(r"\b(\d{1,2})\s?(?:h|:)\s?(\d\d)\b")
_NAME: Final = re.compile(
    r"\b(?:timer|minuteur|temporizador)\b (?:(?:called|named|namens|nomme|appele|genaamd|llamado)"
    r" )?([^\W\d]+(?: [^\W\d]+)?) (?:for|fur|mit|pour|de|d|voor|van|para) (?=\d|un|eine|een)"
)


def read_timer(text: str, vocabulary: Vocabulary) -> Meaning | None:
    """Return what a sentence about timers asks for."""
    folded = fold(text)
    if not _TIMER.search(folded):
        return None
    code = vocabulary.words.code
    if _CANCEL.search(folded):
        slots: dict[str, object] = {}
        target = find_target(folded, vocabulary, fuzzy=False)
        if target.area or (target.here and vocabulary.home.area):
            slots["area"] = target.area or vocabulary.home.area
        intent = "HassCancelAllTimers" if _ALL.search(folded) else "HassCancelTimer"
        return Meaning(intent, slots, text, code)
    length: dict[str, object] = dict(read_length(folded))
    if not length:
        return None
    if match := _NAME.search(folded):
        length["name"] = match[1]
    return Meaning("HassStartTimer", length, text, code)


def read_length(folded: str) -> dict[str, int]:
    """Return hours, minutes and seconds that a folded text names."""
    if match := _CLOCK.search(folded):
        hours, minutes = int(match[1]), int(match[2])
        return {
            name: value
            for name, value in (("hours", hours), ("minutes", minutes))
            if value
        }
    found: dict[str, int] = {}
    for position, (unit, pattern) in enumerate(_UNITS):
        if match := re.search(rf"\b(\d+)\s?(?:{pattern})\b", folded):
            found[unit] = int(match[1])
        elif position < 2 and re.search(rf"\b(?:{_HALF})\s(?:{pattern})\b", folded):
            found[_UNITS[position + 1][0]] = 30
        elif re.search(rf"\b(?:{_ONE})\s(?:{pattern})\b", folded):
            found[unit] = 1
    return found
