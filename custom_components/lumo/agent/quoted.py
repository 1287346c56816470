"""Calls that stand in what the model only reads: data, never calls.

A to-do item, a calendar title, a page of the web or a name of the home may hold the
text of a call. The model may repeat it, and then nothing in its answer tells it from a
call of its own. So a call that is written in any result of the conversation, or in the
list of what is in the home, is not run in it.

What is compared are words alone: the tool's name and, near it, every text among the
arguments. Quotes, brackets, escapes and order may all be different where the model
repeats a call, wraps it anew or sends it over another channel.
"""

import re
from typing import Final

from homeassistant.components import conversation

from ..gate.texts import texts_of
from .model_texts import QUOTED
from .toolbox import Call, Toolbox

# How far a call's arguments may be from its name, beside their own length.
_NEAR: Final = 160
_NO_WORD: Final = re.compile(r"[\W_]+")
_ESCAPE: Final = re.compile(r"\\+(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|[abefnrtv])")
# Where no argument is a text, the name alone must stand there as a call's. Results of
# the home are full of names, so that word needs more: a prefix, or arguments.
_NAMED: Final = "(?:tool|toolname|function|functionname|func|action|call|method)"
_ARGUMENTS: Final = "(?:arguments|parameters|args|input|toolinput)"
# The list of what is in the home, as Home Assistant's Assist API writes it (YAML).
_HOME: Final = re.compile(
    r"^Static Context:.*\n((?:(?:- | ).*(?:\n|\Z)|\n)*)", re.MULTILINE
)


class QuotedCalls:
    """The words of a conversation's results and of the home's names."""

    def __init__(self, toolbox: Toolbox) -> None:
        """Begin with the names of the home."""
        self._names = toolbox.names
        self._looked_at = 0
        self._sent: dict[str, str] = {}
        prompt = toolbox.api.api_prompt if toolbox.api else ""
        # Looked at when the first call is judged: most turns that only talk need none.
        self._unread = _HOME.findall(prompt)
        self._words: list[str] = []

    def look_at(self, contents: list[conversation.Content]) -> None:
        """Take in what came since the last look."""
        for content in contents[self._looked_at :]:
            if isinstance(content, conversation.AssistantContent):
                for call in content.tool_calls or ():
                    self._sent[call.id] = f"{call.tool_name} {call.tool_args}"
            elif isinstance(content, conversation.ToolResultContent):
                data = content.result.data
                # Only words matter, and any data can be written down so.
                self.add(str(data))
                if content.result.error and data.get("error_text") == QUOTED:
                    # The call itself is now in the history, to be repeated once more.
                    self.add(f"call: {self._sent.get(content.tool_call_id, '')}")
        self._looked_at = len(contents)

    def add(self, text: str) -> None:
        """Take in a text that the model reads."""
        self._unread.append(text)

    def holds(self, call: Call) -> bool:
        """Return whether a call that acts is written in what was read."""
        if not call.acts:
            return False
        self._words += map(_words, self._unread)
        self._unread.clear()
        tool = call.tool_input.tool_name
        namespace, _, last = tool.rpartition("__")
        names = {_words(self._names.offered(tool)), _words(last)} - {""}
        texts = {_words(text) for text in texts_of(call.tool_input.tool_args)} - {""}
        name = f"(?:{'|'.join(names)})"
        if not texts:
            marks = [_words(self._names.prefix), _words(namespace)]
            marked = "|".join(mark for mark in marks if mark) or "(?!)"
            optional = "".join(f"(?:{mark})?" for mark in marks)
            name = (
                f"{_NAMED}{optional}{name}|name(?:{marked})+{name}"
                f"|name{optional}{name}{_ARGUMENTS}"
            )
        pattern = re.compile(name)
        return any(_stands_in(read, pattern, texts) for read in self._words)


def _stands_in(read: str, name: re.Pattern[str], texts: set[str]) -> bool:
    """Return whether a name stands in what was read with all the texts near it."""
    reach = _NEAR + 3 * sum(map(len, texts))
    for match in name.finditer(read):
        part = read[max(0, match.start() - reach) : match.end() + reach]
        if all(text in part for text in texts):
            return True
    return False


def _words(text: str) -> str:
    """Return the letters and digits of a text, without what escapes them."""
    return _NO_WORD.sub("", _ESCAPE.sub(_unescaped, text)).casefold()


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return chr(int(code, 16)) if code else " "
