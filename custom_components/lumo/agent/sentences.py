"""Our own sentences, in the language of the person.

Home Assistant itself renders these translated exceptions in English.
"""

from collections import defaultdict
import re

from homeassistant.core import HomeAssistant
from homeassistant.helpers.translation import async_get_translations

from ..const import DOMAIN
from ..languages import language_of, translated

# Quotes, brackets, asterisks and emoji may stand behind the question mark.
_QUESTION_END = re.compile(r"[?？;؟]\W*\Z")


def awaits_answer(text: str) -> bool:
    """Return whether a text ends in a question."""
    return bool(_QUESTION_END.search(text))


class Sentences:
    """The integration's sentences in one language."""

    def __init__(self, messages: dict[str, str], decimal: str = ".") -> None:
        self._messages, self.decimal = messages, decimal

    def __call__(self, key: str, **placeholders: str) -> str:
        """Return a sentence; an unknown key gives the general one."""
        message = self._messages.get(key) or self._messages["unknown"]
        return message.format_map(defaultdict(str, placeholders))

    def __contains__(self, key: str) -> bool:
        """Return whether there is such a sentence."""
        return key in self._messages


async def async_load_sentences(hass: HomeAssistant, language: str | None) -> Sentences:
    """Return our sentences in a language, in English if there is no translation."""
    code = translated(language or hass.config.language)
    translations = await async_get_translations(hass, code, "exceptions", {DOMAIN})
    prefix = f"component.{DOMAIN}.exceptions."
    return Sentences(
        {
            key.removeprefix(prefix).removesuffix(".message"): message
            for key, message in translations.items()
            if key.startswith(prefix)
        },
        language_of(code).decimal,
    )
