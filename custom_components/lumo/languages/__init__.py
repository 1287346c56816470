"""The languages of the people at home: one file each, all of one form.

To add one: write its file, name it here, and add the file in translations/. Whoever
reads a sentence takes a `Language` as an argument. Nothing here knows Home Assistant.
"""

import re
from typing import Final

from .de import DE
from .en import EN
from .es import ES
from .form import Language
from .fr import FR
from .nl import NL

# By their codes; the first is the one to fall back to.
LANGUAGES: Final = {language.code: language for language in (EN, DE, ES, FR, NL)}

_NEVER: Final = re.compile(r"(?!)")
# Nothing can be agreed to, but names can be found as well as anybody can.
UNKNOWN: Final = Language(
    code="",
    yes="",
    weak_yes="",
    it="",
    them="",
    only="",
    both="",
    all_of="",
    echo={},
    no="",
    never_mind="",
    denials="",
    beside_no="",
    unclear="",
    polite="",
    hesitations="",
    questions=_NEVER,
    joints="",
    timers="",
    pronouns=_NEVER,
    tools="",
    undo=_NEVER,
    claims=None,
    claims_states=None,
    claims_nothing=None,
    excuses=_NEVER,
    articles={},
    generic="",
    before_number="",
    numbers="",
    endings="s es e en n",
    short_endings="s es e en",
    cases="",
    links="",
    kinds={},
    changes={},
    doors="",
)


def language_of(tag: str | None) -> Language:
    """Return the language of a tag like de-AT, `UNKNOWN` for any other."""
    return LANGUAGES.get(re.split("[-_]", tag or "", maxsplit=1)[0].lower(), UNKNOWN)


def translated(tag: str | None) -> str:
    """Return the code of the language that our own words have for a tag."""
    return language_of(tag).code or EN.code
