"""Recognise what calls are wrapped in: code fences and tags.

Each function looks at the text from one position on and returns a marker, or None if
there is no such thing. It raises NeedsMore if more text is needed to tell; what it waits
for is bounded.
"""

from dataclasses import dataclass
import re
from typing import Final

from .call_words import words
from .json_tokens import BLANK


class NeedsMore(Exception):
    """More text is needed to tell."""


# No fence or tag of a call is longer.
MAX_MARKER: Final = 200
_MAX_RUN: Final = 64


@dataclass(slots=True)
class Fence:
    """The opening of a code block or a code span, up to where its content begins."""

    end: int
    char: str
    length: int
    # The word behind it.
    tag: str
    # Whether it opens a block, of which a text that is no call remains part.
    block: bool


@dataclass(slots=True)
class Tag:
    """An opening tag, up to where its content begins."""

    end: int
    # The name of a tool, for tags that hold one: <function=HassTurnOn>.
    name: str | None = None


# Written in <...>, <|...|> or [...], in any case, with any namespace: Hermes, Qwen,
# Mistral, Llama, Granite, MiniMax, Kimi and others; DeepSeek's use U+FF5C and U+2581.
_TAG_WORDS: Final = words("""
    tool_call tool_calls toolcall tool_call_begin tool_calls_begin tool_call_start
    tool_calls_start tool_calls_section_begin tool_code tool_use tool tools
    function functions function_call function_calls functioncall invoke call action
    python_tag start_function_call channel start start_action functioncallbegin
    tool_name use_tool dsml
""")
_END_WORDS: Final = _TAG_WORDS | words("""
    tool_call_end tool_calls_end tool_calls_section_end end_action functioncallend
    parameters arguments parameter
""")
_NAMESPACES: Final = ("minimax", "antml", "anthropic", "xai", "seed")
_BRACKETS: Final = words("tool_calls tool_call function_calls function_call")
# The name of a tool behind a tag: [TOOL_CALLS]HassTurnOn[ARGS]{...} and others.
_NAME: Final = re.compile(
    r"([^\W\d][\w.:\-]{0,127}?)(?::\d+)?(?:\[CALL_ID\]\w{1,64})?"
    rf"(?:\[ARGS\]|<\|tool_call_argument_begin\|>)?[{BLANK}]{{0,64}}(?=[{{`]|<[/\w])"
)
_NAME_START: Final = re.compile(
    rf"[\w.:\-]+(?:\[\w*(?:\]\w*(?:\[\w*\]?)?)?)?[{BLANK}]{{0,64}}"
    rf"(?:<[|\w]*(?:>[{BLANK}]{{0,64}})?)?"
)

# DeepSeek 3.2 writes <｜DSML｜invoke ...> and </｜DSML｜invoke>.
_TAG_NAME: Final = re.compile(r"<([|｜]?)(/?)[|｜]?(?:DSML[|｜])?([\w▁.:\-]*)")
_TAG_REST: Final = re.compile(r"[^<>\n]*")
_VALUE_OF_TAG: Final = re.compile(r"""\s*=\s*["']?([\w.:\-]{1,128})["']?\s*""")
_NAME_OF_TAG: Final = re.compile(r"""\sname\s*=\s*["']?([\w.:\-]{1,128})""")
_BRACKET: Final = re.compile(r"\[(/?)(\w*)(\])?")

_RUN: Final = re.compile(r"`+|~+")
_HEADER: Final = re.compile(r"[ \t]*([^\n`~{\[<]*)")
# What may follow a fence on its line.
_FENCE_REST: Final = re.compile(r"[ \t\r]{0,20}([\w+#.\-]{0,20})[ \t\r]{0,20}(\n|\Z)?")
_FENCE_TAG: Final = re.compile(r"[\w+#.:/\-]{1,40}")


def _spelled(plain: frozenset[str]) -> frozenset[str]:
    """Return the words with and without the namespaces seen before them."""
    return plain | {f"{space}:{word}" for space in _NAMESPACES for word in plain}


def _beginnings(whole: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:end] for word in whole for end in range(len(word) + 1))


_TAGS: Final = _spelled(_TAG_WORDS)
_TAG_BEGINNINGS: Final = _beginnings(_TAGS)
_ENDS: Final = _spelled(_END_WORDS)
_END_BEGINNINGS: Final = _beginnings(_ENDS)
_BRACKET_BEGINNINGS: Final = _beginnings(_BRACKETS)


def _plain(word: str) -> str:
    return word.lower().replace("▁", "_")


def fence_at(text: str, start: int, *, line_start: bool, final: bool) -> Fence | None:
    """Return the opening fence that begins with the run of characters at `start`.

    `line_start`: nothing stands before it on its line. `final`: no text will follow.
    """
    run = _RUN.match(text, start)
    if run is None:
        return None
    end, char, length = run.end(), text[start], run.end() - start
    if length > _MAX_RUN or (end == len(text) and final):
        return None
    if end == len(text):
        raise NeedsMore
    if char == "~" and length < 3:
        return None
    if length < 3:
        # A code span is a quotation, unless the line holds nothing else.
        return (
            Fence(end, char, length, "", block=False)
            if line_start and text[end] in "{["
            else None
        )
    header = _HEADER.match(text, end)
    assert header is not None  # it also matches the empty text
    if header.end() - end > MAX_MARKER:
        return None
    if header.end() == len(text):
        if not final:
            raise NeedsMore
        return None
    info = header.group(1).strip()
    word = _FENCE_TAG.fullmatch(info)
    # Behind words a tag follows at once; other words are the rest of a sentence.
    if info and not line_start and (word is None or text[end].isspace()):
        return None
    char_behind = text[header.end()]
    if char_behind == "\n":
        tag = info.split(maxsplit=1)[0] if info else ""
        block = line_start or bool(info)
        return Fence(header.end() + 1, char, length, tag, block)
    if char_behind in "{[<" and (not info or word is not None):
        return Fence(header.end(), char, length, info, line_start)
    return None


def end_of_run(text: str, start: int) -> int:
    """Return where the run of backticks or tildes at `start` ends."""
    run = _RUN.match(text, start)
    return run.end() if run is not None else start + 1


def fence_end_at(
    text: str, start: int, *, behind_call: bool, final: bool
) -> int | None:
    """Return the end of the closing fence at `start`.

    Directly behind a call any fence closes, unless it has a word and a line of its own
    and so opens another block. Behind words it has to stand alone.
    """
    run = _RUN.match(text, start)
    end = start if run is None else run.end()
    if end - start > MAX_MARKER or (end - start < 3 and (end < len(text) or final)):
        return None
    rest = _FENCE_REST.match(text, end)
    assert rest is not None  # it also matches the empty text
    word, line_end = rest.groups()
    if rest.end() == len(text) and not line_end and not final:
        raise NeedsMore
    if word:
        closes = behind_call and line_end is None
    else:
        closes = behind_call or line_end is not None
    return end if closes else None


def tag_at(text: str, start: int, *, final: bool) -> Tag | None:
    """Return the opening tag at `start`, in either kind of brackets."""
    if text[start] == "[":
        bracket = _bracket_at(text, start, final=final, closing=False)
        return Tag(bracket) if bracket is not None else None
    found = _read_tag(text, start, _TAGS, _TAG_BEGINNINGS, final=final)
    if found is None:
        return None
    bar, slash, rest, end = found
    bar_at_end = rest.endswith(("|", "｜"))
    # <tool_call|> closes what <|tool_call> opened.
    if slash or (bar_at_end and not bar):
        return None
    if (value := _VALUE_OF_TAG.fullmatch(rest)) is not None:
        return Tag(end, value.group(1))
    if rest and not bar_at_end and not rest[0].isspace():
        return None
    name = _NAME_OF_TAG.search(rest)
    return Tag(end, name.group(1) if name is not None else None)


def end_tag_at(text: str, start: int, *, final: bool) -> int | None:
    """Return the end of the closing tag at `start`, in either kind of brackets."""
    if text[start] == "[":
        return _bracket_at(text, start, final=final, closing=True)
    found = _read_tag(text, start, _ENDS, _END_BEGINNINGS, final=final)
    if found is None:
        return None
    bar, slash, rest, end = found
    bar_at_end = rest.endswith(("|", "｜"))
    if rest.strip("|｜ "):
        return None
    closes = (
        slash
        or (bar_at_end and not bar)
        or text[start:end].rstrip("|｜>").endswith("end")
    )
    return end if closes else None


def _read_tag(
    text: str,
    start: int,
    words: frozenset[str],
    beginnings: frozenset[str],
    *,
    final: bool,
) -> tuple[str, str, str, int] | None:
    """Return the parts of the tag at `start`: bar, slash, what follows its name, end."""
    begun = _TAG_NAME.match(text, start)
    if begun is None:
        return None
    bar, slash, word = begun.groups()
    if begun.end() == len(text) and not final and _plain(word) in beginnings:
        raise NeedsMore
    if begun.end() == len(text) or _plain(word) not in words:
        return None
    rest = _TAG_REST.match(text, begun.end())
    assert rest is not None  # it also matches the empty text
    if rest.end() - start > MAX_MARKER:
        return None
    if rest.end() == len(text) and not final:
        raise NeedsMore
    if not text.startswith(">", rest.end()):
        return None
    return bar, slash, rest.group(), rest.end() + 1


def _bracket_at(text: str, start: int, *, final: bool, closing: bool) -> int | None:
    """Return the end of a tag in square brackets: `[TOOL_CALLS]`, `[/TOOL_CALLS]`."""
    tag = _BRACKET.match(text, start)
    if tag is None:
        return None
    slash, word, closed = tag.groups()
    is_wanted = bool(slash) == closing
    if closed:
        return tag.end() if is_wanted and _plain(word) in _BRACKETS else None
    is_wanted |= closing and not word
    if not final and is_wanted and tag.end() == len(text):
        if _plain(word) in _BRACKET_BEGINNINGS:
            raise NeedsMore
    return None


def name_at(text: str, start: int, *, final: bool) -> Tag | None:
    """Return the name of a tool that stands between a tag and the arguments."""
    named = _NAME.match(text, start)
    if named is not None and named.end() - start < MAX_MARKER - 1:
        return Tag(named.end(), named.group(1))
    begun = _NAME_START.match(text, start)
    if not final and begun and len(text) == begun.end() <= start + MAX_MARKER:
        raise NeedsMore
    return None


_OF_PARAMETER: Final = re.compile(r"</?(?:[\w.\-]+:)?(?:param|arg)")
_PARAMETER: Final = re.compile(
    r"""\s*<(?:[\w.\-]+:)?(?:parameter|param|arg|argument)
        (?:=["']?(?P<short>[^"'<>\s]+)["']?|\s+name\s*=\s*["'](?P<long>[^"'<>]+)["'][^<>]*)\s*>
        (?P<value>.*?)</(?:[\w.\-]+:)?(?:parameter|param|arg|argument)>
      | \s*<arg_key>(?P<key>.*?)</arg_key>\s*<arg_value>(?P<glm>.*?)</arg_value>""",
    re.DOTALL | re.VERBOSE,
)


def read_parameters(text: str) -> dict[str, str] | None:
    """Return the arguments written as tags, one each, or None if that is not all.

    Qwen writes `<parameter=area>Kitchen</parameter>`, others give the tag a `name`, GLM
    writes keys and values in turn. Values stay text: the schema says what they mean.
    """
    arguments: dict[str, str] = {}
    position = 0
    while (found := _PARAMETER.match(text, position)) is not None:
        key = found["short"] or found["long"] or (found["key"] or "").strip()
        value = found["value"] if found["glm"] is None else found["glm"]
        if not key or key in arguments or _OF_PARAMETER.search(key + value):
            return None
        # The tags may stand on lines of their own.
        arguments[key] = value.removeprefix("\n").removesuffix("\n")
        position = found.end()
    return None if text[position:].strip() else arguments


_COMMENT: Final = re.compile(r"//[^\n]*\n|/\*.*?\*/|#[^\n]*\n", re.DOTALL)
_MAX_COMMENT: Final = 500
# In blocks of other languages a # begins a line of code as often as a comment.
DATA_BLOCK: Final = re.compile(r"(?:json|tool|function|call).*|", re.IGNORECASE)


def comment_end_at(
    text: str, start: int, wrapper: Fence | Tag | None, *, final: bool
) -> int | None:
    """Return the end of the comment at `start`, before the value in a wrapper."""
    if text[start] == "#":
        if isinstance(wrapper, Fence) and not DATA_BLOCK.fullmatch(wrapper.tag):
            return None
    elif text[start + 1 : start + 2] not in {"", "/", "*"}:
        return None
    comment = _COMMENT.match(text, start)
    if comment is not None and comment.end() - start <= _MAX_COMMENT:
        return comment.end()
    if not final and len(text) - start < _MAX_COMMENT:
        raise NeedsMore
    return None


# What a bracket must be followed by, if anything, to open a call or several.
_OBJECT: Final = (
    rf"\{{[{BLANK}]*"
    rf"(?:\Z|[\"'“”„‟‘’‚‛/#\\]|[^\W\d][\w$\-]*[{BLANK}]*(?:\Z|[:/#])|\$)"
)
_ARRAY: Final = rf"\[[{BLANK}]*(?:\Z|[{{/#\\])"
_VALUE_AT: Final = re.compile(f"{_OBJECT}|{_ARRAY}")
# A first word may be a key, or something else: `{area: ...`, `{word}`.
_UNDECIDED: Final = re.compile(
    rf"\{{[{BLANK}]{{0,64}}(?:[^\W\d][\w$\-]{{0,64}}[{BLANK}]{{0,64}})?\Z"
)
# Where something may begin that is not plain text: code spans that hold a bracket,
# fences, tags in both kinds of brackets, values. What is named here is held until it is
# clear; everything else is let go at once.
BEGINNINGS: Final = (
    r"`{1,2}(?:[{\[]|\Z)|`{3}|~{1,2}\Z|~{3}"
    r"|<(?:[\w|｜/]|\Z)|\[[tTfF/]"
    f"|{_OBJECT}|{_ARRAY}"
)


def may_open(text: str, position: int, *, final: bool) -> bool:
    """Return whether the bracket at a position may open a call or several."""
    if not final and _UNDECIDED.match(text, position):
        raise NeedsMore
    return _VALUE_AT.match(text, position) is not None
