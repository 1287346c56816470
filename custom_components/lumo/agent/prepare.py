"""Compiling what a turn reads sentences with, before it does: some 100 ms of CPU."""

from functools import cache

from homeassistant.core import HomeAssistant

from ..gate.consent import grammar_of
from ..gate.mention import asked_for, has_condition, has_length, verbs_of
from ..gate.names import speak_of
from ..languages import EN, language_of
from ..languages.form import Language
from ..languages.words import words_in
from ..tool_calling.naming import ToolNames
from ..tool_calling.prompted import build_instructions, build_last_part
from .calling_off import calls_off, stops
from .wanted import names


async def async_compile(hass: HomeAssistant, tag: str) -> None:
    """Compile what turns in a language need, once."""
    await hass.async_add_executor_job(_compile, language_of(tag))


@cache
def _compile(language: Language) -> None:
    for item in (language, EN):
        for key in item.patterns:
            getattr(item, key)
    for words in (language.denials, language.tools):
        words_in(words, language)
    grammar_of(language)
    for read in (asked_for, has_condition, has_length, stops, verbs_of):
        read("-", language)
    for answers in (False, True):
        calls_off("-", language, answers=answers)
    names("-", language, frozenset())
    for kind in ("", *EN.kinds):
        speak_of(["-"], kind)
    names_of_none = ToolNames(())
    build_instructions((), names_of_none, "")
    build_last_part("", (), names_of_none, shared={}, reminds=False)
