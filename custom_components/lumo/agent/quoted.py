"""Refuse calls that stand in what the model only reads: such text is data.

The model may repeat a call that stands in a to-do item, a page of the web or a name. So
no call runs if one text of the results and of the home's names has its tool's name and
all its texts, as letters and digits; a name of plain words must look like a call.
"""

import re
from typing import Any, Final

from homeassistant.components import conversation

from ..abilities.ability import Ability
from ..gate.names import texts_of
from ..gate.own_tool import FROM_OUTSIDE, unwrapped
from ..languages.form import Language
from ..languages.words import words_in
from ..text import as_searched, letters_and_digits
from ..tool_calling.naming import ToolNames
from ..tool_calling.prompted import function_result
from .model_texts import MODEL_TEXTS
from .toolbox import Call, Toolbox
from .wanted import only_asks, rest_of

# Characters of a text, and of an argument.
_MAX_TEXT: Final = 100_000
_COMPARED: Final = 200
_ESCAPE: Final = re.compile(
    r"(?<!\\)\\++(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|[abefnrtv])"
)
# Signs of a call beside a name: `user:good_night`, `script__good_night`,
# `<good_night/>`, `good_night(`, `good_night {`. Each becomes one letter.
_SIGN: Final = "ʘ"
_SIGNS: Final = re.compile(r"(?<=\w):(?=\w)|__|<|(?<!\w)(?=\w++(?:\(|\s*\{))")
# A tool's name in a call.
_CALLED: Final = (
    rf"(?:{_SIGN}|(?:tool|function|func|action|call|method|sep|api)s?(?:name)?)(?:{{name}})"
    r"|name(?:{name})(?:arguments|parameters|args|input)"
)


class QuotedCalls:
    """The texts of a conversation's results, and the names of the home."""

    def __init__(self, toolbox: Toolbox, names: str = "") -> None:
        self._toolbox = toolbox
        self._looked_at = 0
        self._sent: dict[str, str] = {}
        self._texts = [names]
        self._words: list[str] = []

    def look_at(self, contents: list[conversation.Content]) -> None:
        """Add what the log has got since the last look."""
        for content in contents[self._looked_at :]:
            if isinstance(content, conversation.AssistantContent):
                for call in content.tool_calls or ():
                    self._sent[call.id] = f"call: {call.tool_name} {call.tool_args}"
            elif isinstance(content, conversation.ToolResultContent):
                data: Any = content.result.data
                if (
                    content.result.error
                    and data.get("error_text") == MODEL_TEXTS["quoted"]
                ):
                    # The call itself is now in the history, where the model reads it.
                    self.add(self._sent.get(content.tool_call_id, ""))
                elif not self._is_own(content.tool_name, data):
                    self.add(function_result(data, content.result.error))
        self._looked_at = len(contents)

    def _is_own(self, name: str, data: Any) -> bool:
        """Return whether a result has only our words and the home's names."""
        tool = self._toolbox.tools.get(name)
        own = unwrapped(tool) if tool else None
        return isinstance(own, Ability) and not (
            own.returns_outside or data.get(FROM_OUTSIDE)
        )

    def add(self, text: str) -> None:
        """Add a text that the model reads."""
        self._texts.append(text)

    def holds(self, call: Call) -> bool:
        """Return whether a call that acts is written in what was read."""
        if not call.acts:
            return False
        tool, arguments = call.tool_input.tool_name, call.tool_input.tool_args
        short = tool.rpartition("__")[2]
        texts = {words_of(text)[:_COMPARED] for text in texts_of(arguments)} - {""}
        names = {words_of(self._toolbox.names.offered(tool)), words_of(short)} - {""}
        name = "|".join(names)
        if not texts or short.islower():
            # Texts are full of words like `set`, and lists of names like `good_night`.
            name = _CALLED.format(name=name)
        return any(
            re.search(name, words) and all(text in words for text in texts)
            for words in self._read()
        )

    def holds_text(self, source: str) -> bool:
        """Return whether the text of a damaged call is written there."""
        words = words_of(source)
        return any(words in read for read in self._read())

    def _read(self) -> list[str]:
        self._words += [words_of(text[:_MAX_TEXT]) for text in self._texts]
        self._texts.clear()
        return self._words


def words_of(text: str) -> str:
    """Return a text's letters and digits, without escapes, and its signs of calls."""
    plain = _ESCAPE.sub(
        lambda found: chr(int(code, 16)) if (code := found[1] or found[2]) else " ",
        text,
    )
    return letters_and_digits(_SIGNS.sub(_SIGN, plain))


def asks_about_calls(sentence: str, language: Language, names: ToolNames) -> bool:
    """Return whether a sentence asks about tools, so that an answer may show a call."""
    is_talk = language.talk.match(rest_of(sentence.strip(), language))
    if not (is_talk or only_asks(sentence, language)):
        return False
    words = words_in(language.tools, language).search(as_searched(sentence))
    return words is not None or names.finder.mentioned(sentence)
