"""Calls that stand in what the model only reads: data, never calls.

A to-do item, a calendar title, a page of the web or a name of the home may hold the
text of a call. The model may repeat it, and then nothing in its answer tells it from a
call of its own. So a call that is written in any result of the conversation, or in the
list of what is in the home, is not run in it.

What is compared are words alone: the tool's name and, near it, every text among the
arguments. A call that is repeated may have other quotes, brackets, escapes and order.

A hostile result may be written to be slow to read. Each text is bounded, prepared once and
read from one end to the other.
"""

from functools import cache, lru_cache
import re
from typing import Final, NamedTuple

from homeassistant.components import conversation

from ..gate.names import texts_of
from ..languages.form import Language
from ..languages.words import as_written, pattern_of, word_patterns
from ..tool_calling.naming import ToolNames
from ..tool_calling.native import function_result
from .claims import person_asks
from .model_texts import QUOTED
from .toolbox import Call, Toolbox

# How far a call's arguments may be from its name, beside their own length.
_NEAR: Final = 160
_NO_WORD: Final = re.compile(r"[\W_]+")
_ESCAPE: Final = re.compile(
    r"(?<!\\)\\++(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|[abefnrtv])"
)
# Where no argument is a text, the name alone must stand there as a call's. Results of
# the home are full of names, so that word needs more: a prefix, or arguments.
_NAMED: Final = "(?:tool|toolname|function|functionname|func|action|call|method)"
# With one of these before it a name that is a plain word is a tool's.
_MARKS: Final = ("name", "tool", "function", "call")
_ARGUMENTS: Final = "(?:arguments|parameters|args|input|toolinput)"
# More than the model is given of a result, and than a page that it has searched for.
_MAX_TEXT: Final = 200_000
_MAX_TEXTS: Final = 12
# A name in front of a bracket, or behind what only stands in front of calls, in forms
# that are not JSON: HassTurnOff(), <HassTurnOff>, functions.HassTurnOff, call:HassTurnOff.
_FORM: Final = (
    r"(?:{name})[\"'`\\]{{0,4}}(?:\.\w{{1,12}})?(?:[({{]|\s{{0,8}}\{{|\s{{0,4}}<[|｜])"
    r"|(?:<|call:|[._]sep[|｜]>|to=[\w.]{{0,20}}|functions\.|default_api\.|✿:)\s{{0,4}}"
    r"(?:[\w-]{{0,20}}:)?(?:{name})(?!\w)"
)


class _Read(NamedTuple):
    """A text that the model has read: without escapes, and its words alone."""

    text: str
    words: str


class QuotedCalls:
    """The words of a conversation's results and of the home's names."""

    def __init__(self, toolbox: Toolbox, names: str = "") -> None:
        """Begin with the names of the home, as one text."""
        self._names = toolbox.names
        self._looked_at = 0
        self._sent: dict[str, str] = {}
        # Looked at when the first call is judged: most turns that only talk need none.
        self._unread = [names] if names else []
        self._read: list[_Read] = []

    def look_at(self, contents: list[conversation.Content]) -> None:
        """Take in what came since the last look."""
        for content in contents[self._looked_at :]:
            if isinstance(content, conversation.AssistantContent):
                for call in content.tool_calls or ():
                    self._sent[call.id] = f"{call.tool_name} {call.tool_args}"
            elif isinstance(content, conversation.ToolResultContent):
                data = content.result.data
                # Only words matter. What is too long is read as the model is given it.
                written = str(data)
                is_long = len(written) > _MAX_TEXT
                self.add(function_result(data, False) if is_long else written)
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
        tool = call.tool_input.tool_name
        texts = {words_of(text) for text in texts_of(call.tool_input.tool_args)} - {""}
        if not texts:
            return self._holds_empty(tool)
        names = self._words_for(tool)
        # The longest say the most; more of them prove no more.
        some = sorted(texts, key=len, reverse=True)[:_MAX_TEXTS]
        reach = _NEAR + 3 * sum(map(len, texts))
        form = self._form_of(tool) if _is_plain(tool) else None
        return any(
            any(are_near(read.words, name, some, reach) for name in names)
            or (form and form.search(read.text) and all(t in read.words for t in some))
            for read in self._prepared()
        )

    def _words_for(self, tool: str) -> set[str]:
        """Return how a tool is named in what was read, as words alone.

        A plain word may stand in any result: it counts with what says that it is a tool.
        """
        namespace, _, last = tool.rpartition("__")
        names = {words_of(self._names.offered(tool)), words_of(last)} - {""}
        if not _is_plain(tool):
            return names
        marks = {*_MARKS, words_of(namespace), words_of(self._names.prefix)} - {""}
        return {mark + name for mark in marks for name in names}

    def _form_of(self, tool: str) -> re.Pattern[str]:
        """Return the forms of calls of a tool that are not JSON."""
        names = {self._names.offered(tool), tool.rpartition("__")[2], tool}
        written = "|".join(map(re.escape, names))
        return re.compile(_FORM.format(name=written), re.IGNORECASE)

    def holds_text(self, source: str) -> bool:
        """Return whether the text of a call that is not JSON is written there."""
        words = words_of(source)
        return any(words in read.words for read in self._prepared())

    def _prepared(self) -> list[_Read]:
        """Return what was read, prepared for looking."""
        self._read += map(prepare, self._unread)
        self._unread.clear()
        return self._read

    def _holds_empty(self, tool: str) -> bool:
        """Return whether a call without texts among its arguments is written there."""
        namespace, _, last = tool.rpartition("__")
        offered = self._names.offered(tool)
        names = {words_of(offered), words_of(last)} - {""}
        marks = [words_of(self._names.prefix), words_of(namespace)]
        marked = "|".join(mark for mark in marks if mark) or "(?!)"
        optional = "".join(f"(?:{mark})?" for mark in marks)
        name = f"(?:{'|'.join(names)})"
        in_words = re.compile(
            f"{_NAMED}{optional}{name}|name(?:{marked})+{name}"
            f"|name{optional}{name}{_ARGUMENTS}"
        )
        in_text = self._form_of(tool)
        return any(
            in_words.search(read.words) or in_text.search(read.text)
            for read in self._prepared()
        )


def _is_plain(tool: str) -> bool:
    """Return whether a tool's name is a word of which texts are full: `set`."""
    last = tool.rpartition("__")[2]
    return last.isalpha() and last.islower()


def asks_about_calls(sentence: str, language: Language, names: ToolNames) -> bool:
    """Return whether somebody asks for a tool, or how one is called.

    An answer may then show a call that is not meant as one.
    """
    if not person_asks(sentence, language):
        return False
    words = _words_for_tools(language).search(as_written(sentence))
    return words is not None or names.finder.mentioned(sentence)


@cache
def _words_for_tools(language: Language) -> re.Pattern[str]:
    return pattern_of(word_patterns(language.tools, language))


def are_near(read: str, name: str, texts: list[str], reach: int) -> bool:
    """Return whether a name stands in what was read with all the texts near it."""
    places = places_of(read, name)
    for text in texts:
        if not places:
            return False
        found = places_of(read, text)
        near, index = [], 0
        for place in places:
            # Both go up, so nothing is looked at twice.
            while index < len(found) and found[index] < place - reach:
                index += 1
            end = place + len(name) + reach
            if index < len(found) and found[index] + len(text) <= end:
                near.append(place)
        places = near
    return bool(places)


def places_of(read: str, part: str) -> list[int]:
    """Return where a part stands in a text."""
    places = []
    place = read.find(part)
    while place >= 0:
        places.append(place)
        place = read.find(part, place + 1)
    return places


@lru_cache(maxsize=128)
def prepare(text: str) -> _Read:
    """Prepare what was read; the results of a conversation are there in each turn."""
    plain = _ESCAPE.sub(_unescaped, text[:_MAX_TEXT])
    return _Read(plain, _NO_WORD.sub("", plain).casefold())


def words_of(text: str) -> str:
    """Return the letters and digits of a text, without what escapes them."""
    return _NO_WORD.sub("", _ESCAPE.sub(_unescaped, text)).casefold()


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return chr(int(code, 16)) if code else " "
